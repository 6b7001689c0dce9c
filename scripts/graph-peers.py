"""Other graph libraries and embedded databases on the graph and the questions of `benches/src/bin/graph.rs`, which starts this
and reads what it prints. It takes the folder with the files, and uses what is installed of networkx, igraph, kuzu and
real_ladybug.

Each answers what it can in the way its documentation recommends: a table or a graph for each relation where that helps, prepared
statements, the walk stopped where enough was found. What they answer is compared with what was found before.
"""

import csv
import importlib
import importlib.util
import itertools
import json
import pathlib
import shutil
import subprocess
import sys
import time
import warnings

import numpy

folder = pathlib.Path(sys.argv[1])
asked = json.loads((folder / "questions.json").read_text())
relations, entities, repeats = asked["relations"], asked["entities"], asked["repeats"]


def edges(names):
    for name in names:
        with open(folder / f"{name}.csv") as file:
            for row in csv.reader(file):
                yield int(row[0]), int(row[1])


def measured(seeds, ask, repeats):
    """The median of the questions' medians, in milliseconds, and the answers."""
    medians, answers = [], []
    for seed in seeds:
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            answer = ask(seed)
            times.append((time.perf_counter() - start) * 1e3)
        medians.append(sorted(times)[len(times) // 2])
        answers.append(answer)
    return sorted(medians)[len(medians) // 2], answers


def differing(answers, wanted):
    return sum(one != other for one, other in zip(answers, wanted))


def told(peer, question, seeds, ask, compare, repeats=repeats):
    median, answers = measured(seeds, ask, repeats)
    print(json.dumps({"peer": peer, "question": question, "p50": median, "differ": compare(answers)}), flush=True)


def as_sets(question):
    wanted = [set(found) for found in asked[question]["found"]]
    return lambda answers: differing([set(answer) for answer in answers], wanted)


def as_counts(question):
    wanted = [len(found) for found in asked[question]["found"]]
    return lambda answers: differing([len(set(answer)) for answer in answers], wanted)


def shares():
    count = asked["shares"]
    with open(folder / "shares.bin", "rb") as file:
        heads = numpy.fromfile(file, "<u4", count)
        tails = numpy.fromfile(file, "<u4", count)
        return heads, tails, numpy.fromfile(file, "<f4", count)


def with_networkx(networkx):
    peer = f"networkx {networkx.__version__}"
    whole = networkx.Graph(edges(relations))
    hops, limit = asked["around"]["hops"], asked["around"]["limit"]
    first = lambda seed: [b for _, b in itertools.islice(networkx.bfs_edges(whole, seed, depth_limit=hops), limit)]
    told(peer, "around", asked["around"]["seeds"], first, as_counts("around"))
    del whole
    part = networkx.Graph(edges(asked["over"]["relations"]))

    def near(seed):
        lengths = networkx.single_source_shortest_path_length(part, seed, cutoff=asked["over"]["hops"])
        return [entity for entity in lengths if entity != seed]

    told(peer, "over", asked["over"]["seeds"], near, as_sets("over"))
    firms = networkx.DiGraph(edges([asked["pattern"]["relation"]]))

    def colleagues(seed):
        return [b for firm in firms.successors(seed) for b in firms.predecessors(firm) if b != seed]

    told(peer, "pattern", asked["pattern"]["seeds"], colleagues, as_sets("pattern"))
    del part, firms
    graph = networkx.DiGraph()
    for head, tail, share in zip(*(array.tolist() for array in shares())):
        if graph.has_edge(head, tail):
            graph[head][tail]["share"] += share
        else:
            graph.add_edge(head, tail, share=share)
    exact = lambda seed: networkx.pagerank(graph, 0.85, {seed: 1.0}, weight="share", tol=1e-10)
    best = lambda seed: sorted((e for e in graph if e != seed), key=exact(seed).get, reverse=True)[:100]
    told(peer, "rank", asked["rank"]["seeds"][:3], best, overlap, repeats=1)


def overlap(answers):
    """How many of the exact first hundred were found, in the mean and at least."""
    shared = [len(set(answer) & set(found)) for answer, found in zip(answers, asked["rank"]["found"])]
    return {"mean": sum(shared) / len(shared) / 100, "least": min(shared) / 100}


def with_igraph(igraph):
    peer = f"igraph {igraph.__version__}"
    build = lambda names, directed: igraph.Graph(n=entities, edges=list(edges(names)), directed=directed)
    whole = build(relations, False).simplify()
    hops, limit = asked["around"]["hops"], asked["around"]["limit"]

    def first(seed):
        walk = itertools.islice(whole.bfsiter(seed, advanced=True), 1, limit + 1)
        return [vertex.index for vertex, far, _ in itertools.takewhile(lambda reached: reached[1] <= hops, walk)]

    told(peer, "around", asked["around"]["seeds"], first, as_counts("around"))
    part = build(asked["over"]["relations"], False)
    near = lambda seed: part.neighborhood(seed, order=asked["over"]["hops"], mindist=1)
    told(peer, "over", asked["over"]["seeds"], near, as_sets("over"))
    firms = build([asked["pattern"]["relation"]], True)

    def colleagues(seed):
        return [b for firm in firms.successors(seed) for b in firms.predecessors(firm) if b != seed]

    told(peer, "pattern", asked["pattern"]["seeds"], colleagues, as_sets("pattern"))
    heads, tails, weights = shares()
    graph = igraph.Graph(n=entities, edges=numpy.column_stack([heads, tails]), directed=True)
    weights = weights.astype("f8").tolist()

    exact = {}

    def rank(seed):
        exact[seed] = graph.personalized_pagerank(damping=0.85, reset_vertices=[seed], weights=weights)

    def compare(_):
        scores = {seed: numpy.array(found) for seed, found in exact.items()}
        for seed, found in scores.items():
            found[seed] = -1.0
        return overlap([numpy.argsort(-scores[seed])[:100].tolist() for seed in asked["rank"]["seeds"]])

    told(peer, "rank", asked["rank"]["seeds"], rank, compare, repeats=1)


def with_kuzu(module):
    peer = f"{module.__name__.removeprefix('real_')} {module.__version__}"
    database = folder / module.__name__
    shutil.rmtree(database, ignore_errors=True)
    connection = module.Connection(module.Database(str(database)))
    connection.execute("CREATE NODE TABLE E(id INT64, PRIMARY KEY(id))")
    (folder / "entities.csv").write_text("".join(f"{number}\n" for number in range(entities)))
    connection.execute(f"COPY E FROM '{folder / 'entities.csv'}'")
    for name in relations:
        connection.execute(f"CREATE REL TABLE {name}(FROM E TO E)")
        connection.execute(f"COPY {name} FROM '{folder / (name + '.csv')}'")

    # Preparing a statement once is deprecated, and quicker.
    warnings.simplefilter("ignore", DeprecationWarning)

    def asking(query):
        prepared = connection.prepare(query)

        def ask(seed):
            result, found = connection.execute(prepared, {"seed": seed}), []
            while result.has_next():
                found.append(result.get_next()[0])
            return found

        return ask

    def walk(names, hops, rest=""):
        return asking(
            f"MATCH (a:E)-[e:{'|'.join(names)}* SHORTEST 1..{hops}]-(b:E) "
            f"WHERE a.id = $seed AND b.id <> $seed RETURN b.id{rest}"
        )

    around, over = asked["around"], asked["over"]
    told(peer, "around", around["seeds"], walk(relations, around["hops"], f" LIMIT {around['limit']}"), as_counts("around"))
    told(peer, "over", over["seeds"], walk(over["relations"], over["hops"]), as_sets("over"))
    name = asked["pattern"]["relation"]
    colleagues = asking(
        f"MATCH (a:E)-[:{name}]->(o:E)<-[:{name}]-(b:E) WHERE a.id = $seed AND b.id <> $seed RETURN DISTINCT b.id"
    )
    told(peer, "pattern", asked["pattern"]["seeds"], colleagues, as_sets("pattern"))


PEERS = {
    "networkx": with_networkx,
    "igraph": with_igraph,
    "kuzu": with_kuzu,
    "real_ladybug": with_kuzu,
}


def main():
    if len(sys.argv) > 2:
        PEERS[sys.argv[2]](importlib.import_module(sys.argv[2]))
        return
    # Each in a process of its own: some do not bear each other.
    for name in PEERS:
        if importlib.util.find_spec(name) is None:
            print(f"{name} is not installed", file=sys.stderr)
            continue
        subprocess.run([sys.executable, __file__, str(folder), name], check=True)


main()

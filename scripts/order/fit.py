#!/usr/bin/env python3
"""Learns the orders into which recall brings its first hits, and writes order-1.bin and order-again-1.bin.

  cargo run --release -p lorebase-benches --bin order -- PATH/TO/DATASETS OUT --model DIR --rerank CE
  pip install numpy lightgbm
  python scripts/order/fit.py OUT query/data

DIR is bge-small-en-v1.5 and CE ms-marco-MiniLM-L12-v2, see docs/quality.md.

Learnt are trees that put hits that answer before others (LambdaRank), on the tuning halves. order-1.bin is for hits as they are
found: LoCoMo, REALTALK, RealMem and BEAM, each asked by words alone, with the built-in table and with DIR. order-again-1.bin is
for hits that CE has looked at again: LoCoMo and REALTALK, with DIR. Questions that nothing answers are left out.

It prints recall and nDCG in per cent of every set for hits as the formula puts them, as the trees do that were learnt from
other conversations (each is left out in turn), and last as those do that it writes, which were learnt from all.
The settings below were tried by hand on the figures of what was left out, some thirty of them; most differ by half a point. That
questions which several turns answer count half as much again is worth one to three points of multi-hop questions, that hits of one session are
held apart another one.
"""
import collections
import json
import pathlib
import sys

import lightgbm as lgb
import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1]))
import learnt  # noqa: E402

TREES = 250
RANKING = dict(
    objective="lambdarank", label_gain=[0, 1], lambdarank_truncation_level=15, num_leaves=8, learning_rate=0.05,
    min_data_in_leaf=100, feature_fraction=0.5, bagging_fraction=0.5, bagging_freq=1, lambda_l2=5, verbose=-1,
    num_threads=2, seed=1, deterministic=True, force_row_wise=True,
)
# What is learnt: the file, how its questions were asked, how many numbers tell of a hit, and how much questions count that
# several turns answer.
ORDERS = (("order-1.bin", ("words", "table", "model"), 36, 1.5), ("order-again-1.bin", ("again",), 40, 1))
# What the score of the formula counts beside the trees, and how far hits of one session are held apart: `ORDER_FORMULA` and
# `ORDER_APART` of query/src/weights.rs. The second order has neither.
SCORE, FORMULA, APART = 1, 1.0, 0.3
# How many hits count in each set.
CUTS = dict(locomo=10, realtalk=10, realmem=10, beam=20)


def load(directory, way, name, features):
    file = pathlib.Path(directory) / f"{way}-{name}"
    if not file.with_suffix(".jsonl").exists():
        return []
    questions = [json.loads(line) for line in open(f"{file}.jsonl", encoding="utf-8")]
    numbers = np.fromfile(f"{file}.bin", dtype="<f4").reshape(-1, features)
    at = 0
    for question in questions:
        hits = question["hits"]
        question.update(x=numbers[at : at + len(hits)], way=way, set=name)
        question["y"] = np.array([hit in question["evidence"] for hit in hits], dtype=int)
        at += len(hits)
    return [question for question in questions if question["hits"]]


def rank(questions, several):
    telling = [question for question in questions if question["y"].any()]
    x = np.concatenate([question["x"] for question in telling])
    y = np.concatenate([question["y"] for question in telling])
    sizes = [len(question["hits"]) for question in telling]
    weight = np.repeat([several if len(question["evidence"]) > 1 else 1 for question in telling], sizes)
    return lgb.train(RANKING, lgb.Dataset(x, y, group=sizes, weight=weight), TREES)


def scores(question, order):
    cut, evidence = CUTS[question["set"]], question["evidence"]
    ranked = list(dict.fromkeys(question["hits"][place] for place in order if question["hits"][place]))[:cut]
    found = [hit in evidence for hit in ranked]
    gain = sum(is_so / np.log2(place + 2) for place, is_so in enumerate(found))
    return sum(found) / len(evidence), gain / sum(1 / np.log2(place + 2) for place in range(min(cut, len(evidence))))


def show(title, questions, order):
    groups = collections.defaultdict(list)
    for question in questions:
        for group in ("", " " + question["category"]):
            if not group or question["set"] in ("locomo", "realtalk"):
                groups[question["set"] + group].append(scores(question, order(question)))
    print(title)
    for group, told in sorted(groups.items()):
        print("  %s (%d): recall %.1f, nDCG %.1f" % (group, len(told), *(100 * np.mean(told, axis=0))))


def rated(question):
    """As `arrange` of query/src/order/mod.rs; documents, which stay where they are, are in none of the sets."""
    if question["way"] == "again":
        return np.argsort(-question["rating"], kind="stable")
    worth = question["rating"] + FORMULA * question["x"][:, SCORE]
    sessions, taken, found = np.array(question["sessions"]), np.zeros(len(worth)), []
    for _ in worth:
        best = int(np.argmax(worth - APART * np.log1p(taken)))
        found.append(best)
        taken += sessions == sessions[best]
        worth[best] = -np.inf
    return found


def order(directory, out, ways, features, several):
    asked = [question for way in ways for name in CUTS for question in load(directory, way, name, features)]
    cases = sorted({(question["set"], question["case"]) for question in asked})
    for left_out in cases:
        model = rank([q for q in asked if (q["set"], q["case"]) != left_out], several)
        for question in (q for q in asked if (q["set"], q["case"]) == left_out):
            question["rating"] = model.predict(question["x"])
    for way in ways:
        of_way = [question for question in asked if question["way"] == way]
        show(f"{way}: as found", of_way, lambda question: range(len(question["hits"])))
        show(f"{way}: learnt from others", of_way, rated)
    model = rank(asked, several)
    for question in asked:
        question["rating"] = model.predict(question["x"])
    for way in ways:
        show(f"{way}: learnt from all", [question for question in asked if question["way"] == way], rated)
    out.write_bytes(b"lorebase order 1\n" + learnt.trees(model))


def main(directory, out):
    for file, ways, features, several in ORDERS:
        order(directory, pathlib.Path(out) / file, ways, features, several)


if __name__ == "__main__":
    main(*sys.argv[1:])

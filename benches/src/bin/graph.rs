//! Walks over the graph: what they take on a made graph of facts, and beside that what other graph libraries and embedded
//! databases take for the same questions, which must have the same answers.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use lorebase::engine::graph::EntityIx;
use lorebase::engine::model::id::Namespace;
use lorebase::engine::model::predicate::Predicate;
use lorebase::engine::model::time::Moment;
use lorebase::engine::state::{PredicateIx, State};
use lorebase::memory::{Memory, now};
use lorebase::query::walk::rank::Shares;
use lorebase::query::walk::{Over, neighbours};
use lorebase::walks::{NeighborsAsked, PathsAsked};
use lorebase_benches::graph::Graph;
use lorebase_benches::graph::peers::{self, Answer, Questions};
use lorebase_benches::measure::{Latency, scratch};
use lorebase_benches::table;

/// How many results of a walk over all relations are given.
const LIMIT: usize = 1_000;
/// The relations of the walk that is given whole.
const RELATIONS: [&str; 2] = ["reports_to", "works_at"];
/// The relation of the pattern.
const RELATION: &str = "works_at";
/// The kinds of questions, with what they ask.
const ASKED: [(&str, &str); 4] = [
    ("around", "3 hops over any relation, the first 1,000"),
    ("over", "3 hops over two relations, all of up to 1,000"),
    ("pattern", "who works where somebody works"),
    ("rank", "personalised PageRank, the first 100"),
];

/// Measures walks over the graph.
#[derive(Parser)]
struct Args {
    /// How many facts.
    #[arg(long, default_value_t = 1_000_000)]
    facts: usize,
    /// Of how many entities.
    #[arg(long, default_value_t = 100_000)]
    entities: usize,
    /// How many questions of each kind; of the ranking, a fifth of that.
    #[arg(long, default_value_t = 100)]
    questions: usize,
    /// How often each is asked; its median counts.
    #[arg(long, default_value_t = 5)]
    repeats: usize,
    /// A Python interpreter with any of networkx, igraph, kuzu and `real_ladybug`, and numpy, to ask them the same.
    #[arg(long)]
    python: Option<PathBuf>,
    /// Where store and files are made; a folder for what is temporary by default.
    #[arg(long)]
    directory: Option<PathBuf>,
}

/// Questions of one kind, with their answers and how long they took.
struct Asked {
    questions: Questions,
    times: Latency,
}

/// The graph in a memory.
struct Lab<'l> {
    args: &'l Args,
    graph: &'l Graph,
    state: &'l State,
    over: Over<'l>,
    /// The entities by their numbers in the graph, and the other way round.
    entities: Vec<Option<EntityIx>>,
    numbers: Vec<usize>,
}

fn main() -> anyhow::Result<()> {
    lorebase::process::keep_to_few_heaps();
    let args = Args::parse();
    let made = scratch(args.directory.as_deref())?;
    let (graph, namespace) = (Graph::new(1, args.entities, args.facts), Namespace::new("graph")?);
    let (memory, _) = Memory::create(&made.path().join("store"))?;
    graph.store(&memory, &namespace)?;
    let reader = memory.engine().reader(&namespace)?;
    let state = reader.state();
    let moment = Moment { now: Some(now()), ..Moment::default() };
    let laid_out = timed(|| _ = state.compact());
    let mut shares = None;
    let weighed = timed(|| shares = Some(Shares::at(state, moment)));
    let shares = shares.context("it was made just now")?;
    let over = Over { moment, ..Over::default() };
    let mut lab = Lab { args: &args, graph: &graph, state, over, entities: Vec::new(), numbers: Vec::new() };
    lab.number_entities();
    let asked = lab.ask(&shares)?;
    let mut answers = Vec::new();
    if let Some(python) = &args.python {
        let folder = made.path().join("peers");
        std::fs::create_dir(&folder)?;
        let questions = asked.iter().map(|(kind, asked)| (*kind, &asked.questions)).collect();
        peers::write(&folder, &graph, (&questions, args.repeats), &lab.shares(&shares))?;
        answers = peers::ask(python, &folder)?;
    }
    tell(&asked, &answers)?;
    writeln!(std::io::stdout())?;
    table::head(&["ours", "p50", "p95"])?;
    lab.tell_alone(&memory, &namespace, &asked, &shares)?;
    for (what, time) in
        [("laying out the graph, once", laid_out), ("weighing it for the ranking, once", weighed)]
    {
        table::row(&[what.to_owned(), ms(time.as_secs_f64() * 1e3), String::new()])?;
    }
    Ok(())
}

fn timed(mut call: impl FnMut()) -> Duration {
    let start = Instant::now();
    call();
    start.elapsed()
}

fn ms(milliseconds: f64) -> String {
    match milliseconds {
        few if few < 0.1 => format!("{:.1} µs", few * 1e3),
        some if some < 10.0 => format!("{some:.2} ms"),
        many => format!("{many:.0} ms"),
    }
}

impl Lab<'_> {
    fn number_entities(&mut self) {
        self.entities = vec![None; self.graph.entities];
        for (number, entity) in (0..).zip(self.state.entities()) {
            let own = Graph::number(entity.name()).unwrap_or(usize::MAX);
            if let Some(place) = self.entities.get_mut(own) {
                *place = Some(EntityIx(number));
            }
            self.numbers.push(own);
        }
    }

    /// Asks questions, and tells how long they take and what was found.
    fn measure(
        &self,
        mut asked: Questions,
        mut ask: impl FnMut(EntityIx) -> Vec<EntityIx>,
    ) -> anyhow::Result<Asked> {
        let mut times = Vec::new();
        for seed in &asked.seeds {
            let entity = self.entities[*seed].context("it is in no fact")?;
            let mut own: Vec<Duration> = Vec::new();
            let mut answer = Vec::new();
            for _ in 0..self.args.repeats.max(1) {
                own.push(timed(|| answer = ask(entity)));
            }
            own.sort_unstable();
            times.push(own[own.len() / 2]);
            asked.found.push(answer.into_iter().map(|entity| self.numbers[entity.index()]).collect());
        }
        Ok(Asked { questions: asked, times: Latency::of(&mut times) })
    }

    /// Some of these, evenly spread.
    fn some(&self, seeds: &[usize], count: usize) -> Vec<usize> {
        let known: Vec<usize> = seeds.iter().copied().filter(|seed| self.entities[*seed].is_some()).collect();
        known.iter().copied().step_by((known.len() / count.max(1)).max(1)).take(count).collect()
    }

    fn predicates(&self, names: &[&str]) -> Vec<PredicateIx> {
        let found = names.iter().filter_map(|name| self.state.find_predicate(&Predicate::new(name)));
        let mut found: Vec<PredicateIx> = found.collect();
        found.sort_unstable();
        found
    }

    fn near(&self, from: EntityIx, hops: usize, limit: usize, over: Over<'_>) -> neighbours::Neighbourhood {
        neighbours::neighbours(self.state, neighbours::Asked { from: &[from], hops, kind: None, limit, over })
    }

    /// The entities of a neighbourhood that are at least so many steps away.
    fn reached(near: &neighbours::Neighbourhood, from: u32) -> Vec<EntityIx> {
        let reached = near.found.iter().map(|place| near.reached[*place]);
        reached.filter(|reached| reached.hops >= from).filter_map(|reached| reached.entity).collect()
    }

    /// Asks all kinds of questions.
    fn ask(&self, shares: &Shares) -> anyhow::Result<BTreeMap<&'static str, Asked>> {
        Ok(BTreeMap::from([
            ("around", self.around()?),
            ("over", self.over_relations()?),
            ("pattern", self.pattern()?),
            ("rank", self.rank(shares)?),
        ]))
    }

    fn around(&self) -> anyhow::Result<Asked> {
        let everybody: Vec<usize> = (0..self.graph.entities).collect();
        let seeds = self.some(&everybody, self.args.questions);
        let asked = Questions { seeds, hops: 3, limit: LIMIT, ..Questions::default() };
        self.measure(asked, |from| Self::reached(&self.near(from, 3, LIMIT, self.over), 1))
    }

    fn over_relations(&self) -> anyhow::Result<Asked> {
        let predicates = self.predicates(&RELATIONS);
        let over = Over { predicates: Some(&predicates), ..self.over };
        let within = |seed: &usize| {
            let near = self.entities[*seed].map(|from| self.near(from, 3, LIMIT + 1, over).found.len());
            near.is_some_and(|near| (1..=LIMIT).contains(&near))
        };
        let subjects = self.graph.subjects(RELATIONS[0]);
        let seeds = self.some(&subjects, self.args.questions).into_iter().filter(within).collect();
        let relations = RELATIONS.into();
        let asked = Questions { seeds, hops: 3, limit: LIMIT, relations, ..Questions::default() };
        self.measure(asked, |from| Self::reached(&self.near(from, 3, LIMIT, over), 1))
    }

    fn pattern(&self) -> anyhow::Result<Asked> {
        let predicates = self.predicates(&[RELATION]);
        let over = Over { predicates: Some(&predicates), ..self.over };
        let seeds = self.some(&self.graph.subjects(RELATION), self.args.questions);
        let asked = Questions { seeds, relation: RELATION, ..Questions::default() };
        self.measure(asked, |from| Self::reached(&self.near(from, 2, neighbours::LIMIT_MAX, over), 2))
    }

    fn rank(&self, shares: &Shares) -> anyhow::Result<Asked> {
        let everybody: Vec<usize> = (0..self.graph.entities).collect();
        let seeds = self.some(&everybody, self.args.questions / 5);
        let asked = Questions { seeds, limit: 100, ..Questions::default() };
        self.measure(asked, |from| {
            shares.rank(&[from], 100).found.iter().map(|ranked| ranked.entity).collect()
        })
    }

    /// The probabilities of the ranking by the numbers of the graph.
    fn shares(&self, shares: &Shares) -> peers::Shares {
        let entities = (0..shares.entities() as u32).map(EntityIx);
        let number = |entity: EntityIx| self.numbers[entity.index()] as u32;
        let of = |from: EntityIx| shares.ways(from).map(move |(to, share)| (number(from), number(to), share));
        entities.flat_map(of).collect()
    }

    /// What nobody else is asked.
    fn tell_alone(
        &self,
        memory: &Memory,
        namespace: &Namespace,
        asked: &BTreeMap<&str, Asked>,
        shares: &Shares,
    ) -> anyhow::Result<()> {
        let names = |kind: &str| -> Vec<String> {
            asked[kind].questions.seeds.iter().map(|seed| self.graph.name(*seed)).collect()
        };
        let mut named = Vec::new();
        for name in names("around") {
            let asked = NeighborsAsked { hops: 3, limit: LIMIT, ..NeighborsAsked::new(&name) };
            named.push(timed(|| drop(memory.neighbors(namespace, &asked))));
        }
        row("the first of these with names, dates and sources", &mut named)?;
        let mut paths = Vec::new();
        for pair in names("around").chunks_exact(2) {
            paths.push(timed(|| drop(memory.paths(namespace, &PathsAsked::new(&pair[0], &pair[1])))));
        }
        row("the 3 best paths of up to 4 steps between two", &mut paths)?;
        let seeds: Vec<EntityIx> =
            asked["rank"].questions.seeds.iter().filter_map(|seed| self.entities[*seed]).collect();
        let all = timed(|| drop(shares.rank_each(&seeds, 100)));
        row("rankings of many on all cores, each", &mut [all / seeds.len().max(1) as u32])
    }
}

fn row(what: &str, times: &mut [Duration]) -> anyhow::Result<()> {
    let told = Latency::of(times);
    Ok(table::row(&[what.to_owned(), ms(told.p50), ms(told.p95)])?)
}

/// A table of all kinds of questions: ours, and what the others take.
fn tell(asked: &BTreeMap<&str, Asked>, answers: &[Answer]) -> anyhow::Result<()> {
    table::head(&["question", "who", "p50", "times ours", "answers"])?;
    for (kind, what) in ASKED {
        let Asked { questions, times } = &asked[kind];
        let mut counts: Vec<usize> = questions.found.iter().map(Vec::len).collect();
        counts.sort_unstable();
        let (half, most) = (counts.get(counts.len() / 2), counts.last());
        let told = format!(
            "p95 {}; {} results in the median, {} at most",
            ms(times.p95),
            half.copied().unwrap_or_default(),
            most.copied().unwrap_or_default()
        );
        table::row(&[what.to_owned(), "lorebase".to_owned(), ms(times.p50), "1".to_owned(), told])?;
        for answer in answers.iter().filter(|answer| answer.question == kind) {
            let ratio = format!("{:.1}", answer.p50 / times.p50);
            table::row(&["…".to_owned(), answer.peer.clone(), ms(answer.p50), ratio, compared(answer)])?;
        }
    }
    Ok(())
}

/// How somebody's answers compare with ours.
fn compared(answer: &Answer) -> String {
    let share = |name: &str| answer.differ.get(name).and_then(serde_json::Value::as_f64);
    match (answer.differ.as_u64(), share("mean"), share("least")) {
        // Which of those that are equally far away come first is up to each.
        (Some(0), ..) if answer.question == "around" => "as many".to_owned(),
        (Some(0), ..) => "the same".to_owned(),
        (Some(some), ..) => format!("{some} differ"),
        (_, Some(mean), Some(least)) => {
            format!("ours have {:.1} % of its first 100, {:.0} % at least", mean * 1e2, least * 1e2)
        }
        _ => String::new(),
    }
}

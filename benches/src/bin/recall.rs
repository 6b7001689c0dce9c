//! Recall on a generated history by kind of question: how long it takes, how much work it is, and how far its hits are
//! those of a search that passes nothing over.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use lorebase::engine::model::id::Namespace;
use lorebase::memory::Memory;
use lorebase::query::recall::{QuestionVector, Recall, recall, recall_exhaustively};
use lorebase_benches::table;
use lorebase_benches::world::World;
use lorebase_benches::world::questions::{Asked, Kind, questions};

/// Measures recall by kind of question.
#[derive(Parser)]
struct Args {
    /// How many turns the history has.
    #[arg(long, default_value_t = 100_000)]
    turns: usize,
    /// How many questions of each kind are asked.
    #[arg(long, default_value_t = 100)]
    questions: usize,
    /// How often each is asked; its median counts.
    #[arg(long, default_value_t = 3)]
    repeats: usize,
    /// Counts each question's fastest time instead of its median: for a machine that others use, too.
    #[arg(long)]
    fastest: bool,
    /// How many questions of each kind are compared with an exhaustive search.
    #[arg(long, default_value_t = 20)]
    compare: usize,
    /// Only the kinds of questions whose names begin with this are asked.
    #[arg(long, default_value = "")]
    kind: String,
    /// Where the store is kept; it is made where it is not there. Without one, a store is made and thrown away.
    #[arg(long)]
    store: Option<PathBuf>,
}

/// What was measured of some questions.
#[derive(Default)]
struct Measured {
    times: Vec<Duration>,
    candidates: Vec<usize>,
    walked: Vec<usize>,
    /// Of each question, the share of the hits of an exhaustive search that were found.
    found: Vec<f64>,
}

fn main() -> anyhow::Result<()> {
    lorebase::process::keep_to_few_heaps();
    let args = Args::parse();
    let made = tempfile::tempdir()?;
    let directory = args.store.clone().unwrap_or_else(|| made.path().to_owned());
    let (world, namespace) = (World::new(1, args.turns), Namespace::new("world")?);
    if !directory.join("FORMAT").exists() {
        let (memory, _) = Memory::create(&directory)?;
        memory.warm(&namespace)?;
        for piece in world.pieces(50_000) {
            memory.ingest(&namespace, piece, |_| ())?;
        }
    }
    let (memory, _) = Memory::open(&directory)?;
    memory.warm(&namespace)?;
    let asked = questions(&world, args.questions, 0);
    let mut all = Measured::default();
    table::head(&["question", "p50", "p95", "worst", "candidates", "walked", "as exhaustively"])?;
    for (kind, name) in Kind::ALL.into_iter().filter(|(_, name)| name.starts_with(&args.kind)) {
        let mut own = Measured::default();
        for (number, one) in asked.iter().filter(|one| one.kind == kind).enumerate() {
            own.ask(&memory, &namespace, &args, one, number < args.compare)?;
        }
        all.times.extend_from_slice(&own.times);
        all.found.extend_from_slice(&own.found);
        table::row(&own.row(name))?;
    }
    table::row(&all.row("all"))?;
    Ok(())
}

impl Measured {
    fn ask(
        &mut self,
        memory: &Memory,
        namespace: &Namespace,
        args: &Args,
        asked: &Asked,
        compare: bool,
    ) -> anyhow::Result<()> {
        let question = asked.question();
        let mut times = Vec::with_capacity(args.repeats);
        for _ in 0..args.repeats.max(1) {
            let start = Instant::now();
            let found = memory.recall(namespace, &question)?;
            times.push(start.elapsed());
            if times.len() == 1 {
                self.candidates.push(found.trace.candidates);
                self.walked.push(found.trace.walked);
            }
        }
        times.sort_unstable();
        self.times.push(times[if args.fastest { 0 } else { times.len() / 2 }]);
        if compare {
            let embedder = memory.engine().embedder();
            let vector = embedder.embed_question(question.text)?;
            let asked = Some(QuestionVector { vector: &vector, understanding: embedder.understanding() });
            let reader = memory.engine().reader(namespace)?;
            let least = recall(&reader, &question, asked);
            let most = recall_exhaustively(&reader, &question, asked);
            self.found.push(overlap(&least, &most));
        }
        Ok(())
    }

    fn row(&mut self, name: &str) -> Vec<String> {
        self.times.sort_unstable();
        let at = |share: f64| {
            let place = ((share * self.times.len() as f64).ceil() as usize).saturating_sub(1);
            self.times.get(place).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
        };
        let ms = |share| format!("{:.2} ms", at(share));
        let found = self.found.iter().sum::<f64>() / self.found.len() as f64;
        let mut cells = vec![name.to_owned(), ms(0.5), ms(0.95), ms(1.0)];
        cells.extend([&mut self.candidates, &mut self.walked].map(|counts| middle(counts)));
        cells.push(format!("{found:.4}"));
        cells
    }
}

/// The share of the hits of `most` that are hits of `least`.
fn overlap(least: &Recall, most: &Recall) -> f64 {
    let is_found = |ix| least.hits.iter().any(|hit| hit.episode == ix);
    let found = most.hits.iter().filter(|hit| is_found(hit.episode)).count();
    if most.hits.is_empty() { 1.0 } else { found as f64 / most.hits.len() as f64 }
}

fn middle(counts: &mut [usize]) -> String {
    counts.sort_unstable();
    counts.get(counts.len() / 2).map_or_else(String::new, ToString::to_string)
}

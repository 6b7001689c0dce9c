//! Recall on a generated history, a kind of question a row: how long it takes, and how much work it is. The answers can
//! be written to a file, so that two versions can be compared hit by hit.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use jiff::ToSpan;
use jiff::civil::date;
use lorebase::engine::model::id::Namespace;
use lorebase::engine::model::time::Timestamp;
use lorebase::memory::Memory;
use lorebase::query::question::Question;
use lorebase_benches::{table, world};

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
    /// Where the store is kept; it is made where it is not there. Without one, a store is made and thrown away.
    #[arg(long)]
    store: Option<PathBuf>,
    /// Only the kinds of questions whose names begin with this are asked.
    #[arg(long, default_value = "")]
    kind: String,
    /// Writes the hits of each question with their scores to this file.
    #[arg(long)]
    answers: Option<PathBuf>,
}

/// A kind of question: its name, and the question with a number.
type Kind = (&'static str, fn(usize) -> String);

const KINDS: [Kind; 9] = [
    ("two hops", |n| format!("Where does the sister of {} work, and who met her?", world::person(n * 37))),
    ("two hops, as of", |n| {
        format!("Where does the sister of {} work, and who met her?", world::person(n * 37))
    }),
    ("common words", |n| {
        format!("Who met her sister at work last {}?", ["week", "month", "Saturday"][n % 3])
    }),
    ("rare names", |n| {
        format!("What did {} say about {}?", world::person(4999 - n * 11), world::firm(1999 - n))
    }),
    ("common names", |n| {
        format!("Does {} live in {} these days?", world::person(n % 24), world::town(n % 12))
    }),
    ("a date", |n| {
        let day = date(2015, 1, 2).saturating_add((n as i64 * 5).days());
        format!("Where did {} go on {}?", world::person(n * 3), day.strftime("%-d %B %Y"))
    }),
    ("small talk", |n| format!("Who had a party until {}?", ["three", "four", "midnight"][n % 3])),
    ("small talk, as of", |n| format!("Whose phone died in the {}?", ["day", "night"][n % 2])),
    ("unknown words", |n| format!("What does {}x think of zymurgy?", world::person(n * 7))),
];

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let made = tempfile::tempdir()?;
    let directory = args.store.clone().unwrap_or_else(|| made.path().to_owned());
    let namespace = Namespace::new("world")?;
    if !directory.join("FORMAT").exists() {
        let (memory, _) = Memory::create(&directory)?;
        memory.warm(&namespace)?;
        memory.ingest(&namespace, world::transcript(1, args.turns, 5000), |_| ())?;
    }
    let (memory, _) = Memory::open(&directory)?;
    memory.warm(&namespace)?;
    let mut answers = String::new();
    table::head(&["question", "p50", "p95", "worst", "candidates", "walked"])?;
    let mut all = Vec::new();
    for kind in KINDS.into_iter().filter(|(name, _)| name.starts_with(&args.kind)) {
        let mut times = Vec::new();
        let work = ask(&memory, &namespace, &args, kind, &mut times, &mut answers)?;
        all.extend_from_slice(&times);
        table::row(&row(kind.0, &mut times, work))?;
    }
    table::row(&row("all", &mut all, (0, 0)))?;
    if let Some(file) = &args.answers {
        std::fs::write(file, answers)?;
    }
    Ok(())
}

/// Asks all questions of one kind. Returns the median candidates and steps.
fn ask(
    memory: &Memory,
    namespace: &Namespace,
    args: &Args,
    (name, question): Kind,
    times: &mut Vec<Duration>,
    answers: &mut String,
) -> anyhow::Result<(usize, usize)> {
    let half = date(2015, 1, 1).at(0, 0, 0, 0).saturating_add((args.turns as i64 / 40).hours());
    let half = Timestamp::from_civil(half)?;
    let (mut candidates, mut walked) = (Vec::new(), Vec::new());
    for number in 0..args.questions {
        let text = question(number);
        let as_of = name.ends_with("as of").then_some(half);
        let asked = Question { as_of, ..Question::new(&text) };
        let mut own = Vec::with_capacity(args.repeats);
        for repeat in 0..args.repeats.max(1) {
            let start = Instant::now();
            let found = memory.recall(namespace, &asked)?;
            own.push(start.elapsed());
            if repeat > 0 {
                continue;
            }
            candidates.push(found.trace.candidates);
            walked.push(found.trace.walked);
            writeln!(answers, "# {name}: {text}")?;
            for hit in found.hits {
                writeln!(answers, "{} {:?} {:?} {:?}", hit.episode.id, hit.score, hit.parts, hit.path.len())?;
            }
        }
        own.sort_unstable();
        times.push(own[if args.fastest { 0 } else { own.len() / 2 }]);
    }
    Ok((middle(&mut candidates), middle(&mut walked)))
}

fn row(name: &str, times: &mut [Duration], work: (usize, usize)) -> Vec<String> {
    times.sort_unstable();
    let at = |share: f64| {
        let place = ((share * times.len() as f64).ceil() as usize).saturating_sub(1);
        times.get(place).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    };
    let ms = |share| format!("{:.2} ms", at(share));
    vec![name.to_owned(), ms(0.5), ms(0.95), ms(1.0), work.0.to_string(), work.1.to_string()]
}

fn middle(counts: &mut [usize]) -> usize {
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied().unwrap_or(0)
}

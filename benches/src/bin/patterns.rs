//! How long patterns take over a million facts: firms, towns and friends of people, given as readings.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use fastrand::Rng;
use lorebase::engine::change::Changes;
use lorebase::engine::model::entity::EntityKind;
use lorebase::engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase::engine::model::extraction::{Extraction, NamedSpan, Reading};
use lorebase::engine::model::fact::{Named, Triple, TripleObject};
use lorebase::engine::model::id::{Namespace, SessionId};
use lorebase::engine::model::predicate::Predicate;
use lorebase::engine::model::time::{Moment, SourceTime};
use lorebase::memory::Memory;
use lorebase::query::pattern::Limits;
use lorebase::query::pattern::ast::Pattern;
use lorebase_benches::measure::{Latency, scratch};
use lorebase_benches::table;

/// Measures patterns.
#[derive(Parser)]
struct Args {
    /// How many people there are: four facts each.
    #[arg(long, default_value_t = 250_000)]
    people: usize,
    /// How often each pattern is asked, each time of somebody else.
    #[arg(long, default_value_t = 1000)]
    times: usize,
    /// Where the store is made; a folder for what is temporary by default.
    #[arg(long)]
    directory: Option<PathBuf>,
}

/// People of one commit.
const COMMIT: usize = 25_000;

fn main() -> anyhow::Result<()> {
    lorebase::process::keep_to_few_heaps();
    let args = Args::parse();
    let made = scratch(args.directory.as_deref())?;
    let (memory, namespace) = (Memory::create(made.path())?.0, Namespace::new("world")?);
    let mut dice = Rng::with_seed(1);
    for first in (0..args.people).step_by(COMMIT) {
        let mut changes = Changes::default();
        for number in first..args.people.min(first + COMMIT) {
            tell(&mut changes, &namespace, number, facts(&mut dice, &args, number))?;
        }
        memory.commit(&namespace, changes)?;
    }
    let facts = memory.engine().reader(&namespace)?.state().counts().facts;
    table::head(&[&format!("over {facts} facts"), "rows", "looked at", "p50", "p95"])?;
    for (pattern, share) in PATTERNS {
        let times = (args.times / share).max(1);
        let told = measure(&memory, &namespace, &mut dice, (pattern, times, args.people))?;
        table::row(&told)?;
    }
    Ok(())
}

/// What is asked, with `#` for a number, and by how much less often.
const PATTERNS: [(&str, usize); 7] = [
    ("MATCH (a {name: \"Person #\"})-[:works_at]->(o)<-[:works_at]-(b) RETURN b.name", 1),
    ("MATCH (a)-[:knows]->(b)-[:works_at]->(o {name: \"Firm #\"}) RETURN a.name, b.name", 1),
    (
        "MATCH (a:Person)-[:works_at]->(o {name: \"Firm #\"})<-[:works_at]-(b)-[:lives_in]->(c {name: \"Town #\"}) RETURN a.name, b.name",
        1,
    ),
    ("MATCH (a {name: \"Person #\"})-[:knows*1..3]-(b) RETURN count(DISTINCT b)", 1),
    (
        "MATCH (a {name: \"Person #\"})-[:works_at]->(o)<-[:works_at]-(b) AS OF \"2024-02-01\" RETURN b.name",
        1,
    ),
    ("MATCH (a)-[:works_at]->(o)<-[:works_at]-(b) RETURN a.name, b.name LIMIT 10", 1),
    ("MATCH (a)-[:works_at]->(o) RETURN o.name, count(*) AS people ORDER BY people DESC LIMIT 5", 200),
];

/// Where a person works and lives, and two that they know: firms have twenty people, a few thousands.
fn facts(dice: &mut Rng, args: &Args, number: usize) -> [(&'static str, EntityKind, String); 4] {
    let (firms, towns) = (args.people / 20 + 1, 1000);
    let firm = if dice.u8(..) < 8 { dice.usize(..8) } else { dice.usize(..firms) };
    let mut other = || loop {
        let other = dice.usize(..args.people);
        if other != number {
            return format!("Person {other}");
        }
    };
    [
        ("knows", EntityKind::Person, other()),
        ("knows", EntityKind::Person, other()),
        ("works_at", EntityKind::Organisation, format!("Firm {firm}")),
        ("lives_in", EntityKind::Place, format!("Town {}", dice.usize(..towns))),
    ]
}

/// Adds an episode that states facts of a person.
fn tell(
    changes: &mut Changes,
    namespace: &Namespace,
    number: usize,
    facts: [(&'static str, EntityKind, String); 4],
) -> anyhow::Result<()> {
    let (name, at) = (format!("Person {number}"), "2024-01-01".parse::<SourceTime>()?);
    let (session, position) = (SessionId::new(&format!("s{}", number / 100)), number as u32 % 100);
    let text = format!("This is what is known of {name}.");
    let id = Episode::id_of(namespace, &session, position, (None, Some(at)), &text);
    let span = Span { start: 0, end: text.chars().count() as u32 };
    let named = |name: &str, kind| NamedSpan { span, name: name.to_owned(), kind };
    let objects = facts.iter().map(|(_, kind, object)| named(object, *kind));
    let mentions = [named(&name, EntityKind::Person)].into_iter().chain(objects).collect();
    let triple = |(predicate, kind, object): (&str, EntityKind, String)| {
        let subject = Named { name: name.clone(), kind: EntityKind::Person };
        let object = TripleObject::Entity(Named { name: object, kind });
        Triple { span, ..Triple::new(subject, Predicate::new(predicate), object) }
    };
    let found = Extraction { mentions, triples: facts.map(triple).into(), ..Extraction::default() };
    let extractor = "given-1".to_owned();
    changes.readings.push(Reading { episode: id, extractor, status: ExtractionStatus::Done, found });
    changes.episodes.push(Episode {
        id,
        session,
        position,
        speaker: None,
        text,
        occurred_at: Some(at),
        recorded_at: at.instant,
        source_id: None,
        expires_at: None,
        told_at: None,
    });
    Ok(())
}

/// Asks a pattern so many times, read from its text each time, and tells what came and how long it took.
fn measure(
    memory: &Memory,
    namespace: &Namespace,
    dice: &mut Rng,
    (pattern, times, people): (&str, usize, usize),
) -> anyhow::Result<[String; 5]> {
    let (mut took, mut rows, mut looked_at): (Vec<Duration>, _, _) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..times {
        let asked = pattern
            .replace("Person #", &format!("Person {}", dice.usize(..people)))
            .replace("Firm #", &format!("Firm {}", dice.usize(8..people / 20)))
            .replace("Town #", &format!("Town {}", dice.usize(..1000)));
        let start = Instant::now();
        let asked: Pattern = asked.parse()?;
        let found = memory.matches(namespace, &asked, Moment::default(), Limits::default())?;
        took.push(start.elapsed());
        rows.push(found.rows.len());
        looked_at.push(found.looked_at);
    }
    let middle = |mut all: Vec<usize>| {
        all.sort_unstable();
        all[all.len() / 2].to_string()
    };
    let Latency { p50, p95 } = Latency::of(&mut took);
    let shown = format!("`{}`", pattern.replace('#', "N").replace('|', "\\|"));
    Ok([shown, middle(rows), middle(looked_at), format!("{p50:.3} ms"), format!("{p95:.3} ms")])
}

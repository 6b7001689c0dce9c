//! Mixed load for minutes: readers and writers at once on several namespaces, a line every ten seconds. At the end
//! everything is checked, and memory must not have grown by more than what is kept explains; else it ends with 1.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use fastrand::Rng;
use lorebase::engine::change::Changes;
use lorebase::engine::model::id::{Namespace, SessionId};
use lorebase::extract::transcript::{Transcript, TranscriptSession};
use lorebase::memory::{Memory, Remember};
use lorebase_benches::measure::{Latency, resident, scratch};
use lorebase_benches::steps::{self, Opening, Step, child};
use lorebase_benches::world::questions::{Asked, questions};
use lorebase_benches::world::{Sessions, World, person};

/// Runs mixed load on a store and watches memory.
#[derive(Parser)]
struct Args {
    /// How long.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Threads that ask.
    #[arg(long, default_value_t = 3)]
    readers: usize,
    /// Threads that write.
    #[arg(long, default_value_t = 2)]
    writers: usize,
    /// Namespaces; each writer has its own ones, everybody reads all.
    #[arg(long, default_value_t = 8)]
    namespaces: usize,
    /// Turns that a namespace holds; what comes more, pushes out the oldest.
    #[arg(long, default_value_t = 5000)]
    turns: usize,
    /// Turns that all writers together write in a second.
    #[arg(long, default_value_t = 400)]
    rate: usize,
    /// Seconds from one compaction to the next; none for 0.
    #[arg(long, default_value_t = 30.0)]
    compact: f64,
    /// Where the store is made, and removed again; a folder for what is temporary by default.
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// What a process of this program does for another.
    #[arg(long, hide = true)]
    step: Option<String>,
}

/// How often a line is written.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// People in each namespace.
const PEOPLE: usize = 300;
/// Turns of the history that a namespace gets; so many that it is never at its end.
const HISTORY: usize = 100_000_000;
/// Sessions of a batch, and of it those that come note by note instead.
const BATCH_SESSIONS: usize = 8;
const NOTE_SESSIONS: usize = 1;
/// What memory may grow by in the second half beside what is kept: this share of all, and at least so much.
const GROWTH_SHARE: f64 = 0.05;
const GROWTH_BYTES: f64 = 16e6;

/// A namespace, the history that it gets, and what of that it holds.
struct Space {
    namespace: Namespace,
    sessions: Sessions,
    held: VecDeque<(SessionId, usize)>,
    turns: usize,
}

/// What the threads tell of their work since the last line.
#[derive(Default)]
struct Work {
    recalls: Mutex<Vec<Duration>>,
    lookups: Mutex<Vec<Duration>>,
    notes: Mutex<Vec<Duration>>,
    written: AtomicUsize,
    forgotten: AtomicUsize,
    /// Episodes that are kept now.
    kept: AtomicUsize,
    over: AtomicBool,
}

/// Memory and what was kept at some time.
struct Sample {
    seconds: f64,
    resident: f64,
    kept: f64,
}

fn main() -> anyhow::Result<ExitCode> {
    lorebase::process::keep_to_few_heaps();
    let args = Args::parse();
    if let Some(step) = &args.step {
        writeln!(io::stdout(), "{}", steps::run(step)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let directory = scratch(args.directory.as_deref())?;
    let store = directory.path().join("store");
    let (memory, _) = Memory::create(&store)?;
    let mut spaces = (0..args.namespaces.max(1)).map(Space::new).collect::<anyhow::Result<Vec<_>>>()?;
    let work = Work::default();
    for space in &mut spaces {
        while space.turns < args.turns {
            space.batch(&memory, &work)?;
        }
    }
    work.written.store(0, Ordering::Relaxed);
    let samples = run(&args, &memory, spaces, &work)?;
    let problems = memory.check()?;
    drop(memory);
    let fresh: Opening = child(&Step::OpenAll(store))?;
    for problem in &problems {
        writeln!(io::stdout(), "{problem}")?;
    }
    let grows = judge(&samples, &fresh)?;
    Ok(if grows || !problems.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Lets readers and writers work until the time is over.
fn run(args: &Args, memory: &Memory, spaces: Vec<Space>, work: &Work) -> anyhow::Result<Vec<Sample>> {
    let names: Vec<Namespace> = spaces.iter().map(|space| space.namespace.clone()).collect();
    let writers = args.writers.clamp(1, spaces.len());
    let mut shares: Vec<Vec<Space>> = (0..writers).map(|_| Vec::new()).collect();
    for (number, space) in spaces.into_iter().enumerate() {
        shares[number % writers].push(space);
    }
    let pause = Duration::from_secs_f64(writers as f64 / args.rate.max(1) as f64);
    thread::scope(|scope| {
        let names = &names;
        let mut running = Vec::new();
        for share in shares {
            running.push(
                scope.spawn(move || stopping(work, || write(memory, share, (args.turns, pause), work))),
            );
        }
        if args.compact > 0.0 {
            running.push(scope.spawn(move || stopping(work, || compact(memory, args.compact, work))));
        }
        for number in 0..args.readers {
            running.push(scope.spawn(move || stopping(work, || read(memory, names, number as u64, work))));
        }
        let samples = watch(args, work);
        work.over.store(true, Ordering::Relaxed);
        for thread in running {
            thread.join().expect("a thread of the load does not panic")?;
        }
        samples
    })
}

/// Ends the whole run where a thread fails, instead of going on without it.
fn stopping(work: &Work, run: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    let outcome = run();
    work.over.store(true, Ordering::Relaxed);
    outcome
}

impl Space {
    fn new(number: usize) -> anyhow::Result<Self> {
        let world = World::among(number as u64, HISTORY, PEOPLE);
        let namespace = Namespace::new(&format!("soak/{number}"))?;
        Ok(Self { namespace, sessions: world.sessions(), held: VecDeque::new(), turns: 0 })
    }

    /// Writes the next sessions: most as transcripts, some note by note. How many turns.
    fn batch(&mut self, memory: &Memory, work: &Work) -> anyhow::Result<usize> {
        let mut sessions: Vec<TranscriptSession> = self.sessions.by_ref().take(BATCH_SESSIONS).collect();
        let mut written = 0;
        for session in &sessions {
            written += session.turns.len();
            self.held.push_back((session.id.clone(), session.turns.len()));
        }
        for session in sessions.split_off(BATCH_SESSIONS - NOTE_SESSIONS) {
            self.note(memory, &session, work)?;
        }
        memory.ingest(&self.namespace, Transcript { sessions }, |_| ())?;
        self.turns += written;
        work.written.fetch_add(written, Ordering::Relaxed);
        work.kept.fetch_add(written, Ordering::Relaxed);
        Ok(written)
    }

    fn note(&self, memory: &Memory, session: &TranscriptSession, work: &Work) -> anyhow::Result<()> {
        for turn in &session.turns {
            let what = Remember {
                speaker: turn.speaker.as_deref(),
                at: turn.at,
                session: Some(session.id.as_str()),
                ..Remember::new(&turn.text)
            };
            let start = Instant::now();
            memory.remember(&self.namespace, &what)?;
            told(&work.notes, start.elapsed());
        }
        Ok(())
    }

    /// Takes the oldest sessions out until no more than `most` turns are held.
    fn rotate(&mut self, memory: &Memory, most: usize, work: &Work) -> anyhow::Result<()> {
        while self.turns > most {
            let Some((session, turns)) = self.held.pop_front() else { break };
            forget(memory, &self.namespace, &session)?;
            self.turns -= turns;
            work.forgotten.fetch_add(turns, Ordering::Relaxed);
            work.kept.fetch_sub(turns, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Takes a session out of the memory again.
fn forget(memory: &Memory, namespace: &Namespace, session: &SessionId) -> anyhow::Result<()> {
    let forgets = {
        let reader = memory.engine().reader(namespace)?;
        let state = reader.state();
        let found = state.find_session(session).map(|ix| state.session(ix).episodes.clone());
        found.unwrap_or_default().into_iter().map(|ix| state.episode(ix).id).collect()
    };
    Ok(memory.commit(namespace, Changes { forgets, ..Changes::default() })?)
}

fn write(
    memory: &Memory,
    mut spaces: Vec<Space>,
    (most, pause): (usize, Duration),
    work: &Work,
) -> anyhow::Result<()> {
    for place in (0..spaces.len()).cycle() {
        if work.over.load(Ordering::Relaxed) {
            break;
        }
        let start = Instant::now();
        let written = spaces[place].batch(memory, work)?;
        spaces[place].rotate(memory, most, work)?;
        let wanted = pause * written as u32;
        // In short steps, so that the end is not waited for.
        while start.elapsed() < wanted && !work.over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
    }
    Ok(())
}

/// Takes what was forgotten off the disk, every so many seconds.
fn compact(memory: &Memory, seconds: f64, work: &Work) -> anyhow::Result<()> {
    let mut last = Instant::now();
    while !work.over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20));
        if last.elapsed().as_secs_f64() >= seconds {
            memory.compact()?;
            last = Instant::now();
        }
    }
    Ok(())
}

fn read(memory: &Memory, names: &[Namespace], number: u64, work: &Work) -> anyhow::Result<()> {
    let mut random = Rng::with_seed(number);
    let asked: Vec<Asked> = questions(&World::among(0, 40_000, PEOPLE), 50, number);
    while !work.over.load(Ordering::Relaxed) {
        let namespace = &names[random.usize(..names.len())];
        let who = person(random.usize(..PEOPLE));
        let dice = random.u8(..10);
        let start = Instant::now();
        match dice {
            0 => drop(memory.facts(namespace, Some(&who), None)?),
            1 => drop(memory.entity(namespace, &who)?),
            _ => drop(memory.recall(namespace, &asked[random.usize(..asked.len())].question())?),
        }
        told(if dice < 2 { &work.lookups } else { &work.recalls }, start.elapsed());
    }
    Ok(())
}

fn told(times: &Mutex<Vec<Duration>>, time: Duration) {
    times.lock().expect("nothing panics that holds the times").push(time);
}

fn taken(times: &Mutex<Vec<Duration>>) -> Vec<Duration> {
    std::mem::take(&mut times.lock().expect("nothing panics that holds the times"))
}

/// Writes a line every ten seconds until the time is over.
fn watch(args: &Args, work: &Work) -> anyhow::Result<Vec<Sample>> {
    let (start, end) = (Instant::now(), Duration::from_secs_f64(args.minutes * 60.0));
    let mut samples = Vec::new();
    let mut last = start;
    writeln!(
        io::stdout(),
        "seconds  memory MB     kept  recalls/s  p50 ms  p95 ms  lookups/s  p95 ms  turns/s  forgotten/s  note p95 ms"
    )?;
    while start.elapsed() < end && !work.over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(100));
        if last.elapsed() < LINE_EVERY.min(end) {
            continue;
        }
        let passed = last.elapsed().as_secs_f64();
        last = Instant::now();
        let sample = Sample {
            seconds: start.elapsed().as_secs_f64(),
            resident: resident().now as f64,
            kept: work.kept.load(Ordering::Relaxed) as f64,
        };
        line(&sample, passed, work)?;
        samples.push(sample);
    }
    Ok(samples)
}

fn line(sample: &Sample, passed: f64, work: &Work) -> io::Result<()> {
    let [mut recalls, mut lookups, mut notes] = [&work.recalls, &work.lookups, &work.notes].map(taken);
    let a_second = |count: usize| count as f64 / passed;
    let (recall, lookup, note) =
        (Latency::of(&mut recalls), Latency::of(&mut lookups), Latency::of(&mut notes));
    writeln!(
        io::stdout(),
        "{:7.0}  {:9.1}  {:7.0}  {:9.0}  {:6.2}  {:6.2}  {:9.0}  {:6.2}  {:7.0}  {:11.0}  {:11.2}",
        sample.seconds,
        sample.resident / 1e6,
        sample.kept,
        a_second(recalls.len()),
        recall.p50,
        recall.p95,
        a_second(lookups.len()),
        lookup.p95,
        a_second(work.written.swap(0, Ordering::Relaxed)),
        a_second(work.forgotten.swap(0, Ordering::Relaxed)),
        note.p95,
    )
}

/// Whether memory grew in the second half by more than what is kept explains, as a fresh process with the same store
/// shows it.
fn judge(samples: &[Sample], fresh: &Opening) -> io::Result<bool> {
    let half = &samples[samples.len() / 2..];
    let (Some(first), Some(last)) = (half.first(), half.last()) else {
        writeln!(io::stdout(), "too short to tell how memory goes")?;
        return Ok(false);
    };
    let seconds = last.seconds - first.seconds;
    let grown = slope(half, |sample| sample.resident) * seconds;
    let a_turn = fresh.resident.now as f64 / last.kept.max(1.0);
    let explained = slope(half, |sample| sample.kept) * seconds * a_turn;
    let allowed = f64::max(GROWTH_SHARE * last.resident, GROWTH_BYTES);
    let grows = grown - explained > allowed;
    writeln!(
        io::stdout(),
        "second half ({seconds:.0} s): memory {:+.1} MB, of which {:+.1} MB for what is kept ({a_turn:.0} bytes a turn); \
         {:.1} MB more are allowed: {}",
        grown / 1e6,
        explained / 1e6,
        allowed / 1e6,
        if grows { "IT GROWS" } else { "flat" }
    )?;
    writeln!(
        io::stdout(),
        "memory at the end {:.1} MB; a fresh process with the same store {:.1} MB, opened in {:.2} s",
        last.resident / 1e6,
        fresh.resident.now as f64 / 1e6,
        fresh.seconds()
    )?;
    Ok(grows)
}

/// How much a value grows in a second, by least squares.
fn slope(samples: &[Sample], value: impl Fn(&Sample) -> f64) -> f64 {
    let count = samples.len() as f64;
    let mean = |of: &dyn Fn(&Sample) -> f64| samples.iter().map(of).sum::<f64>() / count;
    let (time, level) = (mean(&|sample| sample.seconds), mean(&|sample| value(sample)));
    let both: f64 = samples.iter().map(|sample| (sample.seconds - time) * (value(sample) - level)).sum();
    let alone: f64 = samples.iter().map(|sample| (sample.seconds - time).powi(2)).sum();
    if alone > 0.0 { both / alone } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample every ten seconds, of memory and of what is kept.
    fn samples(values: impl Iterator<Item = (f64, f64)>) -> Vec<Sample> {
        let sample =
            |(number, (resident, kept))| Sample { seconds: f64::from(number) * 10.0, resident, kept };
        (0..).zip(values).map(sample).collect()
    }

    #[test]
    fn growth_is_told_from_noise_and_from_what_is_kept() {
        let fresh = Opening {
            resident: lorebase_benches::measure::Resident { now: 200_000_000, peak: 0 },
            ..Opening::default()
        };
        let noise = |n: i32| f64::from((n * 7919) % 13) * 1e5;
        let flat = samples((0..60).map(|n| (2e8 + noise(n), 1e5)));
        assert!(!judge(&flat, &fresh).unwrap());
        let leaking = samples((0..60).map(|n| (2e8 + noise(n) + 1e6 * f64::from(n), 1e5)));
        assert!(judge(&leaking, &fresh).unwrap());
        let filled = samples((0..60).map(|n| (2e8 + 1e6 * f64::from(n), 1e5 + 500.0 * f64::from(n))));
        assert!(!judge(&filled, &fresh).unwrap());
    }
}

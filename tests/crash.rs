//! A child process that stores and is killed with SIGKILL at random moments, over and over on the same store: what
//! it has acknowledged is there, and what is there is a prefix of what it was sending, commit by commit.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use lorebase::engine::graph::EpisodeIx;
use lorebase::engine::model::episode::ExtractionStatus;
use lorebase::engine::model::id::Namespace;
use lorebase::extract::ingest::UNIT_EPISODES;
use lorebase::extract::transcript::Turn;
use lorebase::memory::{Memory, Remember};

use crate::util::{Dice, Lab, assert_sound, session, turn};

/// Tells the child where its store is; without it the child's test does nothing.
const DIRECTORY: &str = "LOREBASE_CRASH_DIR";
/// How often the child is killed.
const ROUNDS: &str = "LOREBASE_CRASH_ROUNDS";
/// What an acknowledgement begins with on the child's output: the number of episodes that are durable.
const ACKNOWLEDGED: &str = "durable ";

/// The stream that the child sends is endless and the same each time: step after step, a step being one session.
/// Most are small; now and then one fills more than one commit, and some are notes.
fn step_turns(step: usize) -> usize {
    if step % 200 == 40 { UNIT_EPISODES + 70 } else { 1 + step % 5 }
}

fn is_note(step: usize) -> bool {
    step_turns(step) == 1 && step.is_multiple_of(2)
}

fn step_id(step: usize) -> String {
    format!("step {step}")
}

fn step_turn(step: usize, place: usize) -> Turn {
    let speaker = ["Ilka", "Bram", "Signe"][(step + place) % 3];
    let at = format!("2024-{:02}-{:02}T10:{:02}:00Z", 1 + step % 12, 1 + step / 12 % 28, place % 60);
    let town = ["Gdynia", "Trieste", "Odense", "Vigo"][step % 4];
    let text = match place % 3 {
        0 => format!("I live in {town} now, says note {step}."),
        1 => format!("Number {place} of step {step} is about the weather in {town}."),
        _ => format!("I work at {town} Mills."),
    };
    turn(speaker, &at, &text)
}

/// The child: sends the stream from where the store ends, and acknowledges every commit. In an ordinary run, where
/// nobody says which store, it returns at once.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let memory = Memory::create(Path::new(&directory)).unwrap().0;
    let namespace = Namespace::default();
    let mut durable = memory.stats(Some(&namespace)).unwrap().counts.episodes;
    let (mut step, mut before) = (0, 0);
    while before + step_turns(step) <= durable {
        before += step_turns(step);
        step += 1;
    }
    loop {
        let turns: Vec<Turn> = (0..step_turns(step)).map(|place| step_turn(step, place)).collect();
        if is_note(step) {
            note(&memory, &namespace, step, &turns[0]);
            durable = before + 1;
            acknowledge(durable);
        } else {
            let mut done = before;
            let progress = |episodes| {
                done += episodes;
                acknowledge(done);
            };
            memory.ingest(&namespace, session(&step_id(step), turns), progress).unwrap();
        }
        before += step_turns(step);
        step += 1;
    }
}

fn note(memory: &Memory, namespace: &Namespace, step: usize, turn: &Turn) {
    let id = step_id(step);
    let speaker = turn.speaker.as_deref();
    let what = Remember { text: &turn.text, speaker, at: turn.at, session: Some(&id) };
    memory.remember(namespace, &what).unwrap();
}

fn acknowledge(durable: usize) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{ACKNOWLEDGED}{durable}").unwrap();
    out.flush().unwrap();
}

#[test]
fn a_child_killed_at_random_loses_nothing_that_it_acknowledged() {
    let rounds = std::env::var(ROUNDS).map_or(30, |rounds| rounds.parse().unwrap());
    let lab = Lab::new();
    let mut dice = Dice::new(u64::from(std::process::id()));
    let mut grown = 0;
    for round in 0..rounds {
        let wait = Duration::from_micros(dice.below(60_000) as u64);
        // The first round makes the store; later ones are also killed while they open it.
        let early = round > 0 && dice.below(4) == 0;
        if round % 7 == 3 {
            // The child then makes the working store anew, and may be killed over that.
            fs::remove_dir_all(lab.store().join("sled")).unwrap();
        }
        let acknowledged = run_and_kill(&lab.store(), wait, early);
        let stored = inspect(&lab.store(), round);
        if let Some(acknowledged) = acknowledged {
            assert!(
                stored >= acknowledged,
                "round {round}: {stored} of {acknowledged} acknowledged episodes"
            );
        }
        assert!(stored >= grown, "round {round}: {stored} episodes, there were {grown}");
        grown = stored;
    }
    assert!(grown > rounds, "the child hardly ever came to store something: {grown} episodes");
}

/// Runs the child and kills it after `wait`, counted from its first acknowledgement or, `early`, from its start.
/// Returns its last acknowledgement.
fn run_and_kill(store: &Path, wait: Duration, early: bool) -> Option<usize> {
    let mut child = spawn(store);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let number =
        |line: String| line.strip_prefix(ACKNOWLEDGED).map(|number| number.parse::<usize>().unwrap());
    let mut acknowledged = lines.filter_map(move |line| number(line.unwrap()));
    let first = if early { None } else { acknowledged.next() };
    assert!(early || first.is_some(), "the child ended before it acknowledged anything");
    std::thread::scope(|scope| {
        // The pipe is read on, so that the child is never held up by a full one.
        let reading = scope.spawn(|| acknowledged.last());
        std::thread::sleep(wait);
        child.kill().unwrap();
        child.wait().unwrap();
        reading.join().unwrap().or(first)
    })
}

fn spawn(store: &Path) -> Child {
    let mut command = Command::new(this_binary());
    command.args(["crash::child", "--exact", "--nocapture"]).env(DIRECTORY, store);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn this_binary() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// Opens what the child left: sound, whole commits, in the order in which they were sent. Returns how many episodes
/// there are.
fn inspect(store: &Path, round: usize) -> usize {
    let (memory, _) = Memory::open(store).unwrap();
    assert_sound(&memory);
    let reader = memory.engine().reader(&Namespace::default()).unwrap();
    let stored = reader.state().episodes();
    let mut place = 0;
    for step in 0.. {
        let turns = step_turns(step);
        let there = turns.min(stored.len() - place);
        for number in 0..there {
            let episode = reader.episode(EpisodeIx((place + number) as u32)).unwrap();
            assert_eq!(episode.text, step_turn(step, number).text, "round {round}");
            assert_eq!(episode.session.as_str(), step_id(step), "round {round}");
            assert_eq!(stored[place + number].status, ExtractionStatus::Done, "round {round}");
        }
        place += there;
        if there < turns {
            assert!(there % UNIT_EPISODES == 0, "round {round}: {there} of {turns} turns of step {step}");
            break;
        }
    }
    stored.len()
}

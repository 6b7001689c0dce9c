//! A child process that stores, forgets and compacts, and is killed with SIGKILL at random moments, over and
//! over on the same store: what it has acknowledged is there, and what is there is a prefix of what it was
//! doing, commit by commit; and what it has forgotten is nowhere on disk.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use lorebase::engine::change::Changes;
use lorebase::engine::model::episode::{Episode, ExtractionStatus};
use lorebase::engine::model::id::{EntityId, Namespace, SessionId};
use lorebase::engine::model::ruling::{Evidence, Matter, Names, Ruling};
use lorebase::engine::model::time::Timestamp;
use lorebase::extract::ingest::UNIT_EPISODES;
use lorebase::extract::transcript::Turn;
use lorebase::memory::{Memory, Remember};

use crate::util::{Dice, Lab, assert_sound, session, turn};

/// Tells the child where its store is; without it the child's test does nothing.
const DIRECTORY: &str = "LOREBASE_CRASH_DIR";
/// How often the child is killed.
const ROUNDS: &str = "LOREBASE_CRASH_ROUNDS";
/// What an acknowledgement begins with on the child's output: the number of episodes that were told or
/// forgotten, and that this lasts.
const ACKNOWLEDGED: &str = "durable ";

/// What stands before its number in the first turn of a step.
const NOTE: &str = "says note ";

/// The stream that the child sends is endless and the same each time: step after step, a step being one
/// session. Most are small; now and then one fills more than one commit, and some are notes. After some, the
/// first turn of an earlier one is forgotten, and after others the store is compacted.
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
        0 => format!("I live in {town} now, {NOTE}{step}."),
        1 => format!("Number {place} of step {step} is about the weather in {town}."),
        _ => format!("I work at {town} Mills."),
    };
    turn(speaker, &at, &text)
}

/// The step whose first turn is forgotten after a step.
fn forgotten_after(step: usize) -> Option<usize> {
    (step % 5 == 4).then(|| step - 2)
}

/// What is said after a step: that two of those who speak are one, or that they are two.
fn ruled_after(step: usize) -> Option<Ruling> {
    let id = |name| EntityId::of_name(&Namespace::default(), name);
    (step % 7 == 6).then(|| Ruling {
        matter: Matter::Names(Names { one: id("Ilka"), other: id("Bram"), same: step.is_multiple_of(2) }),
        evidence: Evidence::by_hand(None),
        recorded_at: Timestamp::from_millis(step as i64).unwrap(),
    })
}

fn is_compacted_after(step: usize) -> bool {
    step % 12 == 11
}

/// How many episodes were told and how many are forgotten.
fn come_to(memory: &Memory) -> (usize, usize) {
    let reader = memory.engine().reader(&Namespace::default()).unwrap();
    let forgotten = reader.state().tombstones().len();
    (reader.state().living().count() + forgotten, forgotten)
}

/// The child: sends the stream from where the store ends, and acknowledges every commit. In an ordinary run,
/// where nobody says which store, it returns at once.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let memory = Memory::create(Path::new(&directory)).unwrap().0;
    let namespace = Namespace::default();
    let (told, mut forgotten) = come_to(&memory);
    let (mut step, mut before) = (0, 0);
    while before + step_turns(step) <= told {
        before += step_turns(step);
        step += 1;
    }
    if let Some(last) = step.checked_sub(1) {
        forgotten = finish(&memory, last, (before, forgotten));
    }
    loop {
        let turns: Vec<Turn> = (0..step_turns(step)).map(|place| step_turn(step, place)).collect();
        if is_note(step) {
            note(&memory, &namespace, step, &turns[0]);
            acknowledge(before + 1 + forgotten);
        } else {
            let mut done = before + forgotten;
            let progress = |episodes| {
                done += episodes;
                acknowledge(done);
            };
            memory.ingest(&namespace, session(&step_id(step), turns), progress).unwrap();
        }
        before += step_turns(step);
        forgotten = finish(&memory, step, (before, forgotten));
        step += 1;
    }
}

/// Does what is due after a step, if it is not done yet. Returns how many episodes are forgotten then.
fn finish(memory: &Memory, step: usize, (told, mut forgotten): (usize, usize)) -> usize {
    let namespace = Namespace::default();
    if let Some(earlier) = forgotten_after(step) {
        let turn = step_turn(earlier, 0);
        let said = (turn.speaker.as_deref(), turn.at);
        let session = SessionId::new(&step_id(earlier));
        let id = Episode::id_of(&namespace, &session, 0, said, &turn.text);
        let changes = Changes { forgets: vec![id], ..Changes::default() };
        let new = memory.engine().commit(&namespace, changes).unwrap().forgotten;
        forgotten += new;
        if new > 0 {
            acknowledge(told + forgotten);
        }
    }
    if let Some(ruling) = ruled_after(step) {
        memory.commit(&namespace, Changes { rulings: vec![ruling], ..Changes::default() }).unwrap();
    }
    if is_compacted_after(step) {
        memory.engine().compact().unwrap();
    }
    forgotten
}

fn note(memory: &Memory, namespace: &Namespace, step: usize, turn: &Turn) {
    let id = step_id(step);
    let speaker = turn.speaker.as_deref();
    let what = Remember { text: &turn.text, speaker, at: turn.at, session: Some(&id), expires_at: None };
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

/// Runs the child and kills it after `wait`, counted from its first acknowledgement or, `early`, from its
/// start. Returns its last acknowledgement.
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

/// The steps whose first turn stands in some file.
fn notes_in(directory: &Path) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(notes_in(&path));
            continue;
        }
        let bytes = fs::read(path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let numbers = text.split(NOTE).skip(1).filter_map(|rest| rest.split_once('.'));
        found.extend(numbers.filter_map(|(number, _)| number.parse::<usize>().ok()));
    }
    found
}

/// The rulings are there that are due, but perhaps for the last, and what they say is so.
fn check_rulings(memory: &Memory, due: &[Ruling], last_may_lack: bool) {
    let reader = memory.engine().reader(&Namespace::default()).unwrap();
    let state = reader.state();
    let found: Vec<Ruling> = state.rulings().map(|(ruling, _)| ruling.clone()).collect();
    let lack = due.len() - found.len();
    assert!(
        found == due[..found.len()] && lack <= usize::from(last_may_lack),
        "{lack} of {} rulings",
        due.len()
    );
    if let Some(last) = found.last() {
        let [ilka, bram] = ["ilka", "bram"].map(|name| state.entity_exactly(name));
        assert_eq!(ilka == bram, last.names().unwrap().same);
    }
}

/// Opens what the child left: sound, whole commits, in the order in which they were sent. Returns how many
/// episodes were told or forgotten.
fn inspect(store: &Path, round: usize) -> usize {
    let (memory, _) = Memory::open(store).unwrap();
    assert_sound(&memory);
    let (told, forgotten) = come_to(&memory);
    let (mut expected, mut due, mut before) = (BTreeSet::new(), Vec::new(), 0);
    let mut rulings = Vec::new();
    for step in 0.. {
        let turns = step_turns(step);
        let there = turns.min(told - before);
        expected.extend((0..there).map(|place| (step, place)));
        before += there;
        if there < turns {
            assert!(there % UNIT_EPISODES == 0, "round {round}: {there} of {turns} turns of step {step}");
            // What is due after the step before may be still to be done, unless this one is begun.
            assert!(forgotten == due.len() || forgotten + 1 == due.len() && there == 0, "round {round}");
            check_rulings(&memory, &rulings, there == 0);
            break;
        }
        due.extend(forgotten_after(step));
        rulings.extend(ruled_after(step));
    }
    for step in &due[..forgotten] {
        assert!(expected.remove(&(*step, 0)), "round {round}");
    }
    let notes = notes_in(store);
    let remains: Vec<&usize> = due[..forgotten].iter().filter(|step| notes.contains(step)).collect();
    assert!(remains.is_empty(), "round {round}: notes {remains:?} are forgotten and stand on disk");
    let reader = memory.engine().reader(&Namespace::default()).unwrap();
    let mut found = BTreeSet::new();
    for ix in reader.state().living() {
        let episode = reader.episode(ix).unwrap();
        let step: usize = episode.session.as_str().strip_prefix("step ").unwrap().parse().unwrap();
        let place = episode.position as usize;
        assert_eq!(episode.text, step_turn(step, place).text, "round {round}");
        assert_eq!(reader.state().episode(ix).status, ExtractionStatus::Done, "round {round}");
        found.insert((step, place));
    }
    assert!(found == expected, "round {round}: {} episodes, {} expected", found.len(), expected.len());
    told + forgotten
}

//! The disk refuses something, at each of the things that it is asked for: whoever asked is told, what was
//! acknowledged is there when the disk is well again, and nothing is half done. The same where the process is killed
//! there, and where the power fails later on.

use std::path::Path;

use super::dice::Dice;
use super::history::{Read, Step, Telling, World, script};
use super::model::Ledger;
use super::power::{SLED, STORE, after_a_cut};
use super::recorder::{EIO, ENOSPC, Fault, Recorder, Way};
use super::{problems, quiet, tell};
use crate::error::{Error, ErrorKind};

/// How many faults are tried.
const FAULTS: &str = "LOREBASE_FAULTS";
const USUAL_FAULTS: usize = 60;

/// How an operation may fail, and whether all later ones do too.
const WAYS: [(Way, i32, usize); 10] = [
    (Way::Refused, EIO, 1),
    (Way::Short, EIO, 1),
    (Way::Late, EIO, 1),
    (Way::Refused, EIO, usize::MAX),
    (Way::Late, EIO, usize::MAX),
    (Way::Killed, EIO, usize::MAX),
    (Way::Refused, ENOSPC, 1),
    (Way::Short, ENOSPC, 1),
    (Way::Refused, ENOSPC, usize::MAX),
    (Way::Short, ENOSPC, usize::MAX),
];

/// The store as it is before a step, and what the step comes to on a disk that is well.
struct Stage {
    /// The recorder's root; kept as long as the value lives.
    lab: tempfile::TempDir,
    ledger: Ledger,
    step: Step,
    /// How many operations of the step can fail.
    operations: usize,
}

fn stages() -> Vec<Stage> {
    let mut stages = Vec::new();
    let mut lab = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::default();
    for step in script() {
        let next = tempfile::tempdir().unwrap();
        copy(lab.path(), next.path());
        let mut world = stand(next.path(), &ledger, &step);
        world.recorder.heal();
        world.go(&step).unwrap();
        let (operations, _) = world.recorder.heal();
        let before = std::mem::replace(&mut ledger, world.ledger.clone());
        drop(world);
        stages.push(Stage { lab: std::mem::replace(&mut lab, next), ledger: before, step, operations });
    }
    stages
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, target) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).unwrap();
        if path.is_dir() {
            std::fs::create_dir(&target).unwrap();
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}

/// A world just before a step.
fn stand(root: &Path, ledger: &Ledger, step: &Step) -> World {
    let mut world = World::new(Recorder::new(root, SLED), root.join(STORE), ledger.clone());
    if !matches!(step, Step::Open) {
        world.open().unwrap();
    }
    world
}

fn further(place: u32) -> Step {
    let (session, turns) = ("further", (place, 1));
    Step::Tell(Telling { namespace: "a", session, turns, bytes: 80, read: Read::With("one") })
}

fn attempt(
    stage: &Stage,
    after: usize,
    (way, code, lasting): (Way, i32, usize),
    seed: u64,
) -> Result<(), String> {
    let lab = tempfile::tempdir().unwrap();
    copy(stage.lab.path(), lab.path());
    let mut world = stand(lab.path(), &stage.ledger, &stage.step);
    world.recorder.fail(Fault { after, lasting, way, code });
    let outcome = world.go(&stage.step);
    let mut dice = Dice::new(seed);
    // Where room ran out for a moment, commits are taken again.
    let telling = matches!(stage.step, Step::Tell(_) | Step::Together(_));
    let must_go_on = telling && outcome.is_err() && code == ENOSPC && lasting == 1;
    let outcome =
        judge(&mut world, outcome, must_go_on, &mut dice).and_then(|()| recover(&mut world, &mut dice));
    drop(world);
    let Err(problem) = outcome else { return Ok(()) };
    let (step, kept) = (&stage.step, lab.keep());
    let fault = format!("operation {after} {way:?} with {code}, {lasting} times, seed {seed}");
    Err(format!("{step:?}, {fault}: {problem}; it lies in {kept:?}"))
}

/// What the caller is told, and what the engine still does.
fn judge(
    world: &mut World,
    outcome: Result<(), Error>,
    must_go_on: bool,
    dice: &mut Dice,
) -> Result<(), String> {
    outcome.or_else(|error| told_well(&error))?;
    if world.engine.is_some() {
        reads_on(world, dice)?;
        for place in 0..2 {
            // It takes more or it does not; what it acknowledges must be there later.
            let outcome = world.go(&further(place));
            outcome.or_else(|error| {
                if must_go_on { Err(format!("room is back: {error}")) } else { told_well(&error) }
            })?;
        }
        reads_on(world, dice)?;
    }
    Ok(())
}

fn told_well(error: &Error) -> Result<(), String> {
    if error.kind() == ErrorKind::Operator { Ok(()) } else { Err(format!("it says {error}")) }
}

/// What was acknowledged can be read after a failure. What is shown lasts.
fn reads_on(world: &World, dice: &mut Dice) -> Result<(), String> {
    let shown = world.ledger.shown_by(world.engine.as_ref().unwrap());
    let shown = shown.map_err(|problem| format!("reading after the failure: {problem}"))?;
    cut_power(world, &shown, dice).map_err(|problem| format!("after the failure, {problem}"))
}

/// The disk is well again: the store opens, holds what it must, and goes on; and what it shows then outlasts a power
/// cut.
fn recover(world: &mut World, dice: &mut Dice) -> Result<(), String> {
    world.engine = None;
    world.recorder.heal();
    world.open().map_err(|error| format!("it does not open again: {error}"))?;
    world.ledger = world.ledger.held_by(world.engine.as_ref().unwrap())?;
    cut_power(world, &world.ledger, dice).map_err(|problem| format!("after opening again, {problem}"))?;
    for place in 2..4 {
        world.go(&further(place)).map_err(|error| format!("a further commit: {error}"))?;
    }
    world.ledger.held_by(world.engine.as_ref().unwrap())?;
    cut_power(world, &world.ledger, dice).map_err(|problem| format!("later on, {problem}"))
}

fn cut_power(world: &World, ledger: &Ledger, dice: &mut Dice) -> Result<(), String> {
    let ops = world.recorder.ops(world.recorder.position());
    after_a_cut(&ops, &[], dice, |engine| ledger.held_by(engine))
        .map_err(|problem| format!("the power fails: {problem}"))
}

#[test]
fn whatever_the_disk_refuses_is_told_and_nothing_acknowledged_is_lost() {
    quiet();
    let stages = stages();
    let mut all = Vec::new();
    for stage in &stages {
        all.extend((0..stage.operations).flat_map(|after| WAYS.map(|way| (stage, after, way))));
    }
    let wanted = std::env::var(FAULTS).map_or(USUAL_FAULTS, |faults| faults.parse().unwrap());
    let mut dice = Dice::new(u64::from(std::process::id()));
    let total = all.len();
    while all.len() > wanted.max(1) {
        all.swap_remove(dice.below(all.len()));
    }
    let tries: Vec<_> = all.into_iter().map(|fault| (fault, dice.below(1 << 40) as u64)).collect();
    let failed = problems(&tries, |((stage, after, way), seed)| attempt(stage, *after, *way, *seed));
    assert!(
        failed.is_empty(),
        "{} of {} faults: {:#?}",
        failed.len(),
        tries.len(),
        &failed[..failed.len().min(8)]
    );
    tell(&format!("{} of {total} faults", tries.len()));
}

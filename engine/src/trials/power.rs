//! The power fails at any moment: whatever the disk then holds, the store opens by itself and has lost nothing that
//! it acknowledged.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::dice::Dice;
use super::history::{Read, Step, Telling, World, open, script};
use super::model::Ledger;
use super::platter::Platter;
use super::recorder::{Op, Recorder};
use super::{problems, quiet, tell};
use crate::engine::Engine;
use crate::store::disk::Disk;

/// How many states are laid out.
const CUTS: &str = "LOREBASE_POWER_CUTS";
const USUAL_CUTS: usize = 150;

/// Where the store lies below the recorder's root, and sled's directory with it.
pub(super) const STORE: &str = "store";
pub(super) const SLED: &str = "store/sled";

fn cuts() -> usize {
    std::env::var(CUTS).map_or(USUAL_CUTS, |cuts| cuts.parse().unwrap())
}

/// Runs the script; returns the world as it is then, the store closed.
fn run(root: &Path) -> World {
    let recorder = Recorder::new(root, SLED);
    let mut world = World::new(recorder, root.join(STORE), Ledger::default());
    for step in &script() {
        world.go(step).unwrap();
    }
    world.engine = None;
    world
}

/// Lays out one state after the first operations, opens it, and holds it against the ledger.
fn cut(ops: &[Op], ledger: &Ledger, seed: u64) -> Result<(), String> {
    let position = ops.len();
    let least = ledger.told.iter().filter(|told| told.acknowledged <= position).count();
    let most = ledger.told.iter().filter(|told| told.begun < position).count();
    let hold = |engine: &Engine| ledger.first_in(engine, least, most);
    let erased = ledger.erased.iter().filter(|(at, _)| *at <= position).map(|(_, text)| text.as_str());
    after_a_cut(ops, &erased.collect::<Vec<_>>(), &mut Dice::new(seed), hold).map_err(|problem| {
        format!("after operation {position}, {:?}, with seed {seed}: {problem}", ops.last())
    })
}

/// Lays out what may be left after operations. The store opens, holds what `hold` says, and goes on. What was erased
/// stands nowhere in it.
pub(super) fn after_a_cut(
    ops: &[Op],
    erased: &[&str],
    dice: &mut Dice,
    hold: impl Fn(&Engine) -> Result<Ledger, String>,
) -> Result<(), String> {
    let lab = tempfile::tempdir().unwrap();
    Platter::after(ops).lay_out(lab.path(), dice);
    let outcome = nowhere(lab.path(), erased).and_then(|()| reopen(lab.path(), dice, hold));
    outcome.map_err(|problem| format!("{problem}; it lies in {:?}", lab.keep()))
}

/// None of the texts stands in a file below `path`. sled holds none, and is not looked at, which takes long.
fn nowhere(path: &Path, texts: &[&str]) -> Result<(), String> {
    let found = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("sled") {
                nowhere(&path, texts)?;
            }
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        if let Some(text) = texts.iter().find(|text| found(&bytes, text)) {
            return Err(format!("{} still says \"{text}\"", path.display()));
        }
    }
    Ok(())
}

fn reopen(
    root: &Path,
    dice: &mut Dice,
    hold: impl Fn(&Engine) -> Result<Ledger, String>,
) -> Result<(), String> {
    let recorder = Recorder::new(root, SLED);
    let disk = Arc::clone(&recorder) as Arc<dyn Disk>;
    let opened = open(&disk, &root.join(STORE)).map_err(|error| format!("it does not open: {error}"))?;
    let (engine, notices) = opened;
    let ledger = hold(&engine).map_err(|problem| format!("{problem}; opening said {notices:?}"))?;
    // Whether or not it had come to that before.
    let forgotten = ledger.forgotten();
    nowhere(root, &forgotten.iter().map(String::as_str).collect::<Vec<_>>())?;
    let mut world = World::new(recorder, root.join(STORE), ledger);
    world.engine = Some(engine);
    for namespace in ["a", "after"] {
        let turns = (90, 2);
        let telling = Telling { namespace, session: "after", turns, bytes: 70, read: Read::With("one") };
        world.go(&Step::Tell(telling)).map_err(|error| format!("a further commit: {error}"))?;
    }
    if dice.below(3) == 0 {
        world.open().map_err(|error| format!("it does not open again: {error}"))?;
    }
    world.ledger.held_by(world.engine.as_ref().unwrap()).map(drop)
}

/// After which operations the power fails, `count` times: before and after every sync as often as the others allow.
fn moments(ops: &[Op], count: usize, dice: &mut Dice) -> Vec<usize> {
    let syncs = (0..ops.len()).filter(|at| matches!(ops[*at], Op::Sync { .. } | Op::SyncDirectory { .. }));
    let mut moments: Vec<usize> = syncs.flat_map(|at| [at, at + 1]).collect();
    while moments.len() > count.max(1) {
        moments.swap_remove(dice.below(moments.len()));
    }
    moments.extend((moments.len()..count).map(|_| dice.below(ops.len() + 1)));
    moments
}

#[test]
fn whatever_a_power_cut_leaves_opens_and_holds_all_that_was_acknowledged() {
    quiet();
    let lab = tempfile::tempdir().unwrap();
    let world = run(lab.path());
    let ops = world.recorder.ops(world.recorder.position());
    let mut dice = Dice::new(u64::from(std::process::id()));
    let tries: Vec<(usize, u64)> =
        moments(&ops, cuts(), &mut dice).into_iter().map(|at| (at, dice.below(1 << 40) as u64)).collect();
    let failed = problems(&tries, |(at, seed)| cut(&ops[..*at], &world.ledger, *seed));
    assert!(
        failed.is_empty(),
        "{} of {} states: {:#?}",
        failed.len(),
        tries.len(),
        &failed[..failed.len().min(5)]
    );
    let syncs = ops.iter().filter(|op| matches!(op, Op::Sync { .. } | Op::SyncDirectory { .. })).count();
    tell(&format!("{} states after {} operations, {syncs} of them syncs", tries.len(), ops.len()));
}

//! Any history, of turns, readings, rulings on names and forgetting, in any order: what the store shows after each step is what
//! the plainest model says.

use super::dice::Dice;
use super::history::{Read, Step, Telling, World};
use super::model::Ledger;
use super::power::{SLED, STORE};
use super::recorder::Recorder;
use super::{problems, quiet};

/// How many histories are made up.
const HISTORIES: &str = "LOREBASE_HISTORIES";
const USUAL_HISTORIES: u64 = 40;
/// How many steps each has.
const STEPS: u32 = 24;

const NAMES: [&str; 6] = ["Ana", "town 0", "town 1", "town 2", "village 1", "nobody"];

fn step(number: u32, dice: &mut Dice) -> Step {
    let namespace = ["a", "b"][dice.below(4) / 3];
    let turns = (dice.below(5) as u32, 1 + dice.below(3) as u32);
    let tell = |read| Telling { namespace, session: "s", turns, bytes: 60, read };
    let rule = |dice: &mut Dice, read: fn(&'static str, &'static str, bool) -> Read| {
        let one = dice.below(NAMES.len());
        let other = (one + 1 + dice.below(NAMES.len() - 1)) % NAMES.len();
        let read = read(NAMES[one], NAMES[other], dice.below(3) > 0);
        // Mostly told in the order of time.
        let at = if dice.below(4) == 0 { dice.below(STEPS as usize) as u32 } else { number };
        Telling { turns: (at, 0), ..tell(read) }
    };
    let ruling: fn(&'static str, &'static str, bool) -> Read =
        |one, other, same| Read::Rule(one, same, other);
    match dice.below(12) {
        0..=2 => Step::Tell(tell(Read::With("one"))),
        3 => Step::Tell(tell(Read::Nothing)),
        4 => Step::Tell(tell(Read::Again(["one", "two"][dice.below(2)]))),
        5..=7 => Step::Tell(rule(dice, ruling)),
        8 => Step::Tell(Telling { turns: (turns.0, 1), ..tell(Read::Forget) }),
        9 => Step::Together(vec![tell(Read::With("two")), rule(dice, ruling), tell(Read::With("one"))]),
        10 => Step::Compact,
        _ => Step::Open,
    }
}

fn history(seed: u64) -> Result<(), String> {
    let (lab, mut dice) = (tempfile::tempdir().unwrap(), Dice::new(seed));
    let recorder = Recorder::new(lab.path(), SLED);
    let mut world = World::new(recorder, lab.path().join(STORE), Ledger::default());
    world.go(&Step::Open).unwrap();
    for number in 0..STEPS {
        let step = step(number, &mut dice);
        world.go(&step).map_err(|error| format!("seed {seed}, step {number}, {step:?}: {error}"))?;
        let engine = world.engine.as_ref().unwrap();
        world
            .ledger
            .held_by(engine)
            .map_err(|problem| format!("seed {seed}, step {number}, {step:?}: {problem}"))?;
    }
    Ok(())
}

#[test]
fn any_history_comes_to_what_the_model_says() {
    quiet();
    let histories = std::env::var(HISTORIES).map_or(USUAL_HISTORIES, |count| count.parse().unwrap());
    let first = u64::from(std::process::id()) << 20;
    let seeds: Vec<u64> = (first..first + histories).collect();
    let failed = problems(&seeds, |seed| history(*seed));
    assert!(failed.is_empty(), "{} of {histories}: {:#?}", failed.len(), &failed[..failed.len().min(3)]);
}

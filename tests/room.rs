//! A disk that is truly full: a small file system, and a limit on how long a file may grow. Who stores is told, what
//! was acknowledged stays, and with room again everything goes on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lorebase::engine::model::id::Namespace;
use lorebase::error::{Error, ErrorKind};
use lorebase::memory::Memory;
use lorebase::query::question::Question;

use crate::util::{Lab, assert_sound, session, tell, turn};

/// Tells the child where its small file system is; without it the child's test does nothing.
const DIRECTORY: &str = "LOREBASE_ROOM_DIR";
/// Turns of a session: a commit.
const TURNS: usize = 12;
/// Bytes of a turn without a word in them.
const PADDING: usize = 700;
/// What fills the small file system and can be taken away.
const BALLAST: &str = "ballast";

fn ingest(memory: &Memory, number: usize) -> Result<(), Error> {
    let padding = "~".repeat(PADDING);
    let text = |place| format!("I live in Town{number} now, and cake {place} is what I like. {padding}");
    let turns = (0..TURNS).map(|place| turn("Ilka", "2024-01-01T10:00:00Z", &text(place))).collect();
    memory.ingest(&Namespace::default(), session(&format!("s{number}"), turns), |_| ()).map(drop)
}

fn episodes(memory: &Memory) -> usize {
    memory.stats(None).unwrap().counts.episodes
}

#[track_caller]
fn assert_told(error: &Error) {
    assert_eq!(error.kind(), ErrorKind::Operator, "{error}");
}

/// The child, on a file system that is nearly full: stores until that fails, and goes on with room again.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(DIRECTORY).map(PathBuf::from) else { return };
    let (store, ballast) = (directory.join("store"), directory.join(BALLAST));
    let mut acknowledged = 0;
    match Memory::create(&store) {
        Err(error) => assert_told(&error),
        Ok((memory, _)) => {
            let error = loop {
                match ingest(&memory, acknowledged) {
                    Ok(()) => acknowledged += 1,
                    Err(error) => break error,
                }
            };
            assert_told(&error);
            read_on(&memory, acknowledged);
            if let Err(error) = ingest(&memory, acknowledged) {
                assert_told(&error);
            }
            read_on(&memory, acknowledged);
        }
    }
    // Full as it is, it opens or says why not.
    match Memory::create(&store) {
        Err(error) => assert_told(&error),
        Ok((memory, _)) => read_on(&memory, acknowledged),
    }
    fs::remove_file(ballast).unwrap();
    let (memory, _) = Memory::create(&store).unwrap();
    let stored = episodes(&memory);
    assert!(
        stored == acknowledged * TURNS || stored == (acknowledged + 1) * TURNS,
        "{stored}, {acknowledged}"
    );
    assert_sound(&memory);
    for number in 0..acknowledged + 3 {
        ingest(&memory, number).unwrap();
    }
    assert_eq!(episodes(&memory), (acknowledged + 3) * TURNS);
    assert_sound(&memory);
    tell(&format!("{acknowledged} commits fitted"));
}

/// All that was acknowledged is there; of what failed there may be a commit more.
fn read_on(memory: &Memory, acknowledged: usize) {
    let stored = episodes(memory) / TURNS;
    assert!((acknowledged..=acknowledged + 1).contains(&stored), "{stored} of {acknowledged}");
    let found = memory.recall(&Namespace::default(), &Question::new("Where does Ilka live?")).unwrap();
    assert_eq!(found.hits.is_empty(), stored == 0);
}

/// Runs the child with a file system of so many kilobytes of its own, of which the ballast takes so many. `None` where
/// the system does not let us.
fn run_child(lab: &Lab, kilobytes: usize, ballast: usize) -> Option<(bool, String)> {
    let mount = lab.path(&format!("{kilobytes} {ballast}"));
    fs::create_dir(&mount).unwrap();
    let unshared = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script, "sh"]);
        command.arg(&mount).args([kilobytes, ballast].map(|number| number.to_string()));
        command.arg(std::env::current_exe().unwrap()).env(DIRECTORY, &mount).stdin(Stdio::null());
        command.output().ok()
    };
    let mounting =
        format!(r#"mount -t tmpfs -o size="$2k" none "$1" && head -c "$3"k /dev/zero > "$1/{BALLAST}""#);
    if !unshared(&mounting)?.status.success() {
        return None;
    }
    let output = unshared(&format!(r#"{mounting} && exec "$4" room::child --exact --nocapture"#))?;
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Some((output.status.success(), said.concat()))
}

#[test]
fn a_small_file_system_that_fills_up_costs_nothing_that_was_acknowledged() {
    let lab = Lab::new();
    for free in [16, 560, 720] {
        let Some((passed, said)) = run_child(&lab, 6000, 6000 - free) else {
            tell("skipped: no file system of its own can be had here (unshare, mount)");
            return;
        };
        assert!(passed && !said.contains("panicked"), "{free} KB free: {said}");
    }
}

/// Runs `lore` where no file may grow beyond so many kilobytes. Returns its exit code, or none where the system ended
/// it, and what it said on standard error.
fn limited(lab: &Lab, kilobytes: usize, ends: bool, arguments: &[&str]) -> (Option<i32>, String) {
    let trap = if ends { "" } else { "trap '' XFSZ; " };
    let script = format!(r#"{trap}ulimit -c 0; ulimit -f {kilobytes}; exec "$@""#);
    let mut command = Command::new("bash");
    command.args(["-c", &script, "bash", env!("CARGO_BIN_EXE_lore"), "--store"]).arg(lab.store());
    let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// A source of so many sessions, in the plain form.
fn source(lab: &Lab, name: &str, sessions: usize) -> PathBuf {
    let padding = "~".repeat(PADDING / 4);
    let turn =
        |number: usize| format!("Ilka: I live in Town{number} now, and like cake {number}. {padding}\n");
    let lines: String = (0..sessions * TURNS).map(turn).collect();
    lab.write(name, lines)
}

fn counted(store: &Path) -> usize {
    episodes(&Memory::open(store).unwrap().0)
}

#[test]
fn a_file_that_may_grow_no_further_costs_nothing_that_was_acknowledged() {
    let lab = Lab::new();
    let small = source(&lab, "small.txt", 1);
    let large = source(&lab, "large.txt", 350);
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    lab.lore(&["ingest", &path(&small)]);
    let mut grown = counted(&lab.store());
    for (kilobytes, ends) in [(8, false), (40, true), (200, false), (700, false), (800, true)] {
        let (code, said) = limited(&lab, kilobytes, ends, &["ingest", &path(&large)]);
        let expected = if ends { code.is_none() } else { code == Some(3) };
        assert!(expected && !said.contains("panicked"), "{kilobytes} KB: {code:?} {said}");
        let (code, said) = limited(&lab, kilobytes, false, &["recall", "Where does Ilka live?"]);
        assert!(
            [Some(0), Some(3)].contains(&code) && !said.contains("panicked"),
            "{kilobytes} KB: {code:?} {said}"
        );
        let stored = counted(&lab.store());
        assert!(stored >= grown, "{kilobytes} KB: {stored} episodes, there were {grown}");
        grown = stored;
        assert_sound(&lab.memory());
    }
    assert!(grown > TURNS, "nothing was stored under a limit");
    let reply = lab.lore(&["ingest", &path(&large)]);
    assert_eq!(reply.code, 0, "{}", reply.err);
    assert_eq!(counted(&lab.store()), (1 + 350) * TURNS);
    assert_sound(&lab.memory());
}

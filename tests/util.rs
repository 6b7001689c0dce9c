//! What the tests share: a scratch directory with a store in it, the binary run on that store, and the words to
//! speak to the library with. It expects nothing of what comes back.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use lorebase::engine::model::id::{Namespace, SessionId};
use lorebase::extract::transcript::{Transcript, TranscriptSession, Turn};
use lorebase::memory::Memory;
use proptest::test_runner::Config as ProptestConfig;
use serde_json::Value;

/// A scratch directory that goes when the value does.
pub(crate) struct Lab {
    directory: tempfile::TempDir,
}

impl Lab {
    pub(crate) fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Where the store lies, or will.
    pub(crate) fn store(&self) -> PathBuf {
        self.path("store")
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Runs `lore --store STORE ARGUMENTS`.
    pub(crate) fn lore<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Reply {
        let store = self.store();
        let flags = [OsStr::new("--store"), store.as_os_str()];
        lore(flags.into_iter().chain(arguments.iter().map(AsRef::as_ref)))
    }

    /// Runs a command that must succeed, and gives what it prints with `--json`.
    pub(crate) fn json<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Value {
        let arguments: Vec<&OsStr> =
            arguments.iter().map(AsRef::as_ref).chain([OsStr::new("--json")]).collect();
        self.lore(&arguments).done().json()
    }

    /// Opens the store with the library, making it where there is none.
    pub(crate) fn memory(&self) -> Memory {
        Memory::create(&self.store()).unwrap().0
    }
}

/// Runs the binary with no terminal in sight.
pub(crate) fn lore<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Reply {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lore"));
    Reply::of(command.args(arguments).stdin(Stdio::null()).output().unwrap())
}

/// What a run of the binary came to.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Reply {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// It did what was asked, and had nothing to add.
    #[track_caller]
    pub(crate) fn done(self) -> Self {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self
    }

    /// It failed with `code`, said why on standard error, and printed nothing else.
    #[track_caller]
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!((self.code, self.out.as_str()), (code, ""), "{}", self.err);
        assert!(!self.err.trim().is_empty(), "it failed without a word");
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self.err
    }

    /// Its output as JSON, of which there must be one line.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "{}", self.out);
        serde_json::from_str(&self.out).unwrap()
    }
}

pub(crate) fn namespace(path: &str) -> Namespace {
    Namespace::new(path).unwrap()
}

pub(crate) fn turn(speaker: &str, at: &str, text: &str) -> Turn {
    Turn {
        source_id: None,
        speaker: Some(speaker.to_owned()),
        at: Some(at.parse().unwrap()),
        text: text.to_owned(),
    }
}

pub(crate) fn session(id: &str, turns: Vec<Turn>) -> Transcript {
    Transcript { sessions: vec![TranscriptSession { id: SessionId::new(id), at: None, turns }] }
}

/// What the invariants' walk finds wrong; nothing, where all is well.
#[track_caller]
pub(crate) fn assert_sound(memory: &Memory) {
    assert_eq!(memory.check().unwrap(), Vec::<String>::new());
}

/// Tells something on standard error, past the capture of the test harness.
pub(crate) fn tell(what: &str) {
    writeln!(std::io::stderr(), "{what}").unwrap();
}

/// The workspace's root.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Copies a directory with everything in it.
pub(crate) fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_all(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// How often a property is tried: `usual`, or as often as `PROPTEST_CASES` says.
pub(crate) fn cases(usual: u32) -> ProptestConfig {
    let told = std::env::var("PROPTEST_CASES").ok().and_then(|told| told.parse().ok());
    ProptestConfig { cases: told.unwrap_or(usual), failure_persistence: None, ..ProptestConfig::default() }
}

/// A generator of numbers that need to be many, not secret; the same seed gives the same ones.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit` (splitmix64).
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }
}

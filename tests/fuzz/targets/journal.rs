//! Bytes that may be a journal, its records, rows of the working store or the file of a snapshot: made up, or sound ones
//! with something changed in them, before or after the checksums were put.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use lorebase_engine::fuzzing::journal::{self, FuzzFrame};
use lorebase_engine::model::id::Namespace;
use lorebase_engine::model::time::Timestamp;
use lorebase_extract::formats::format::Format;
use lorebase_extract::formats::read_from;
use lorebase_extract::ingest;
use lorebase_extract::rules::RuleExtractor;
use lorebase_fuzz::change::Change;
use lorebase_fuzz::{memory, repaired, setup};

#[derive(Arbitrary, Debug)]
enum Bytes {
    /// A sound journal with frames changed, and then its bytes.
    Changed {
        base: u8,
        frames: Vec<FrameChange>,
        bytes: Vec<(u8, Change)>,
    },
    /// Segments as they are.
    Segments(Vec<Vec<u8>>),
    /// One record.
    Record {
        form: (u8, u8),
        meta: Vec<u8>,
        blob: Vec<u8>,
        deflated: bool,
    },
    Rows(Vec<u8>),
    Snapshot {
        changes: Vec<Change>,
        mend: bool,
    },
    /// As [`Bytes::Changed`], but repaired before it is opened, on a disk.
    Repaired {
        base: u8,
        frames: Vec<FrameChange>,
        bytes: Vec<(u8, Change)>,
    },
}

#[derive(Arbitrary, Debug)]
struct FrameChange {
    frame: u8,
    how: How,
}

#[derive(Arbitrary, Debug)]
enum How {
    Sequence(u64),
    Form(u8, u8),
    Group(u32),
    Record(Change),
    Inflated(Change),
    Texts(Change),
    Remove,
    Double,
    Swap(u8),
    Lost(u64, u64),
    /// Another segment begins before it.
    Segment,
}

const SALT: u64 = 0x5eed;

/// The sessions of the sound journal of today's: enough of them to have every kind of record.
const SESSIONS: [&str; 3] = ["S1", "chat", "edge"];

/// A journal of format 1, and one of today's.
static BASES: LazyLock<[Vec<FuzzFrame>; 2]> = LazyLock::new(|| {
    let old = include_bytes!("../../fixtures/store-1/journal/00000000.journal");
    [journal::frames(old), today()]
});

fn today() -> Vec<FuzzFrame> {
    let documents =
        read_from(memory::TOLD, "memory.jsonl".as_ref(), Format::Jsonl).expect("the file is whole");
    let (namespace, now) =
        (Namespace::default(), Timestamp::from_millis(1_700_000_000_000).expect("it is in range"));
    let mut frames = Vec::new();
    let mut first = None;
    for document in documents {
        for session in document.transcript.sessions {
            if !SESSIONS.contains(&session.id.as_str()) {
                continue;
            }
            let episodes = session.into_episodes(&namespace, now);
            let readings = ingest::read_session(&RuleExtractor, &episodes);
            first.get_or_insert(episodes[0].id);
            // One reading comes after its episode.
            let (with, later) = readings.split_at(readings.len() - usize::from(readings.len() > 2));
            let next = |frames: &Vec<FuzzFrame>| frames.len() as u64 + 1;
            frames.push(journal::commit(next(&frames), &namespace, &episodes, with));
            if !later.is_empty() {
                frames.push(journal::commit(next(&frames), &namespace, &[], later));
            }
        }
    }
    let last = frames.len() as u64;
    frames.push(journal::forget(last + 1, &namespace, first.expect("there are turns")));
    frames.push(journal::lost(last + 2, last + 4));
    frames
}

fuzz_target!(init: setup::one_thread(), |bytes: Bytes| {
    match bytes {
        Bytes::Changed { base, frames, bytes } => journal::try_journal(&changed(base, &frames, &bytes)),
        Bytes::Repaired { base, frames, bytes } => repaired::try_repair(&changed(base, &frames, &bytes)),
        Bytes::Segments(segments) => journal::try_journal(&segments),
        Bytes::Record { form, meta, blob, deflated } => {
            let mut frame = FuzzFrame { sequence: 1, form: (form.0 % 4, form.1 % 3), group: 0, meta, blob };
            if deflated {
                let record = std::mem::take(&mut frame.meta);
                frame.meta = journal::deflated(&record);
            }
            journal::try_record(&frame);
        }
        Bytes::Rows(body) => journal::try_rows(&body),
        Bytes::Snapshot { changes, mend } => {
            let mut file = journal::snapshot_file();
            changes.iter().for_each(|change| change.make(&mut file));
            journal::try_snapshot_file(&file, mend);
        }
    }
});

/// A frame, whether it was changed, and whether a segment begins with it.
#[derive(Clone)]
struct Placed {
    frame: FuzzFrame,
    changed: bool,
    begins: bool,
}

/// The segments of a sound journal that was changed.
fn changed(base: u8, changes: &[FrameChange], bytes: &[(u8, Change)]) -> Vec<Vec<u8>> {
    let placed = |frame: &FuzzFrame| Placed { frame: frame.clone(), changed: false, begins: false };
    let mut frames: Vec<Placed> = BASES[usize::from(base) % 2].iter().map(placed).collect();
    for change in changes {
        if !frames.is_empty() {
            change.make(&mut frames);
        }
    }
    let mut segments = vec![journal::segment_header(SALT)];
    for Placed { frame, changed, begins } in &frames {
        if *changed {
            journal::try_record(frame);
        }
        if *begins {
            segments.push(journal::segment_header(SALT + segments.len() as u64));
        }
        let salt = SALT + segments.len() as u64 - 1;
        segments.last_mut().expect("there is one").extend(frame.encode(salt));
    }
    let count = segments.len();
    bytes.iter().for_each(|(number, change)| change.make(&mut segments[usize::from(*number) % count]));
    segments
}

impl FrameChange {
    fn make(&self, frames: &mut Vec<Placed>) {
        let count = frames.len();
        let number = usize::from(self.frame) % count;
        let Placed { frame, changed, begins } = &mut frames[number];
        *changed = true;
        match &self.how {
            How::Sequence(sequence) => frame.sequence = *sequence,
            How::Form(kind, version) => frame.form = (kind % 4, version % 3),
            How::Group(group) => frame.group = *group,
            How::Record(change) => change.make(&mut frame.meta),
            How::Inflated(change) => frame.change_inflated(|bytes| change.make(bytes)),
            How::Texts(change) => change.make(&mut frame.blob),
            How::Remove => drop(frames.remove(number)),
            How::Double => {
                let double = frames[number].clone();
                frames.insert(number, double);
            }
            How::Swap(other) => frames.swap(number, usize::from(*other) % count),
            How::Lost(from, to) => *frame = journal::lost(*from, *to),
            How::Segment => *begins = true,
        }
    }
}

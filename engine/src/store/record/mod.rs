//! The stored forms: what a frame of the journal holds and what a row is in the working store. Every form is a
//! version of its own and is never changed; a new field is a new version. The layouts are held by golden-bytes
//! tests. Whatever the bytes say, reading them neither panics nor takes more room than the limits of `change.rs`
//! allow one commit.

mod column;
mod commit;
mod deflate;
mod reader;
mod row;
mod ruling;
mod slices;
#[cfg(test)]
mod tests;
mod v1;

use rkyv::api::high::{HighDeserializer, HighSerializer, HighValidator};
use rkyv::bytecheck::CheckBytes;
use rkyv::ser::allocator::ArenaHandle;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Portable, Serialize, rancor};

use super::frame::{FrameHeader, KIND_COMMIT, KIND_FORGET, KIND_LOST, KIND_RULE};
use crate::model::entity::EntityKind;
use crate::model::episode::{Episode, ExtractionStatus, Span};
use crate::model::extraction::Reading;
use crate::model::fact::FactKind;
use crate::model::id::{EpisodeId, ID_BYTES, Namespace};
use crate::model::ruling::Ruling;
use crate::model::time::Timestamp;

pub(super) use self::commit::encode as encode_commit;
#[cfg(fuzzing)]
pub(super) use self::deflate::{deflate as deflated, inflate as inflated};
pub(super) use self::row::{
    AppliedV1, AppliedV2, CommitRowV2, NamespaceRowV2, Row, decode_row, encode_row, row_version,
};
pub(super) use self::ruling::{RULE_VERSION, encode_rulings};

/// The version of a commit's record that is written.
pub(super) const COMMIT_VERSION: u8 = 4;
/// The version of the other records.
pub(super) const OTHER_VERSION: u8 = 1;

/// Episodes and rulings that are taken out of a namespace, and must not come back.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
pub(super) struct ForgetV1 {
    pub(super) namespace: String,
    pub(super) episodes: Vec<[u8; ID_BYTES]>,
}

/// The place of commits that could not be read any more. Its frame has the number of the last of them.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Eq, Clone, Copy)]
pub(super) struct LostV1 {
    pub(super) from: u64,
    pub(super) to: u64,
}

/// Where an episode's text lies: bytes of a journal segment, with their own checksum.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Eq, Clone, Copy, PartialOrd, Ord)]
pub(crate) struct TextRef {
    pub(crate) segment: u32,
    pub(crate) offset: u64,
    pub(crate) bytes: u32,
    pub(crate) crc: u32,
    /// Half of the segment's salt, so that a place in a segment that was rewritten since is not taken for one there.
    pub(crate) salt: u32,
}

/// What a frame tells, in the model's terms.
#[derive(Debug, PartialEq)]
pub(super) enum Record {
    /// What came to a namespace, or was taken out.
    Commit(Commit),
    /// Commits that are not there any more.
    Lost(LostV1),
}

/// What one commit does to a namespace.
#[derive(Debug, PartialEq)]
pub(super) struct Commit {
    pub(super) namespace: Namespace,
    pub(super) episodes: Vec<Episode>,
    /// Where each episode's text begins among the commit's texts, and its bytes.
    pub(super) texts: Vec<(u32, u32)>,
    pub(super) readings: Vec<Reading>,
    pub(super) forgets: Vec<EpisodeId>,
    pub(super) rulings: Vec<Ruling>,
}

impl Commit {
    /// One that does nothing to a namespace yet.
    fn of(namespace: Namespace) -> Self {
        Self {
            namespace,
            episodes: Vec::new(),
            texts: Vec::new(),
            readings: Vec::new(),
            forgets: Vec::new(),
            rulings: Vec::new(),
        }
    }
}

/// How much a commit holds, read without reading all of it.
#[derive(Debug, PartialEq, Eq, Clone)]
pub(super) struct Summary {
    pub(super) namespace: Namespace,
    pub(super) episodes: u32,
    pub(super) readings: u32,
    pub(super) forgets: u32,
}

/// What a frame tells, given its kind and version, its record and its texts. The text says what is wrong with it.
pub(super) fn decode(form: (u8, u8), meta: &[u8], blob: &[u8]) -> Result<Record, String> {
    match form {
        (KIND_COMMIT, 1) => v1::decode(meta, blob).map(Record::Commit),
        (KIND_COMMIT, version @ 2..=COMMIT_VERSION) => {
            reader::decode(version, meta, blob).map(Record::Commit)
        }
        (KIND_FORGET, OTHER_VERSION) => decode_forget(meta, blob).map(Record::Commit),
        (KIND_RULE, version @ 1..=RULE_VERSION) => ruling::decode(version, meta, blob).map(Record::Commit),
        (KIND_LOST, OTHER_VERSION) => decode_lost(meta, blob).map(Record::Lost),
        (kind, version) => Err(unknown(kind, version)),
    }
}

/// How much a frame's commit holds; `None` where the frame stands for lost ones.
pub(super) fn summary(form: (u8, u8), meta: &[u8], blob: &[u8]) -> Result<Option<Summary>, String> {
    let count = |length: usize| u32::try_from(length).map_err(|_| "a commit holds too much".to_owned());
    let (namespace, episodes, readings, forgets) = match form {
        (KIND_COMMIT, 1) => {
            let record = access::<v1::CommitV1>(meta)?;
            (record.namespace.as_str(), count(record.episodes.len())?, count(record.readings.len())?, 0)
        }
        (KIND_COMMIT, 2..=COMMIT_VERSION) => return reader::summary(meta).map(Some),
        (KIND_FORGET, OTHER_VERSION) => {
            let record = access::<ForgetV1>(meta)?;
            (record.namespace.as_str(), 0, 0, count(record.episodes.len())?)
        }
        (KIND_RULE, 1) => (access::<ruling::RulingsV1>(meta)?.namespace.as_str(), 0, 0, 0),
        (KIND_RULE, RULE_VERSION) => (access::<ruling::RulingsV2>(meta)?.namespace.as_str(), 0, 0, 0),
        (KIND_LOST, OTHER_VERSION) => return decode_lost(meta, blob).map(|_| None),
        (kind, version) => return Err(unknown(kind, version)),
    };
    Ok(Some(Summary { namespace: namespace_of(namespace)?, episodes, readings, forgets }))
}

fn unknown(kind: u8, version: u8) -> String {
    format!("unknown record of kind {kind} and version {version}")
}

fn namespace_of(text: &str) -> Result<Namespace, String> {
    Namespace::new(text).map_err(|error| error.to_string())
}

/// The bytes of a record that takes episodes out of a namespace.
pub(super) fn encode_forget(namespace: &Namespace, episodes: &[EpisodeId]) -> Vec<u8> {
    let episodes = episodes.iter().map(|id| *id.as_bytes()).collect();
    encode(&ForgetV1 { namespace: namespace.as_str().to_owned(), episodes }).into_vec()
}

fn decode_forget(meta: &[u8], blob: &[u8]) -> Result<Commit, String> {
    let record: ForgetV1 = decode_as(meta)?;
    if !blob.is_empty() {
        return Err("a record that forgets has texts".to_owned());
    }
    let forgets = record.episodes.into_iter().map(EpisodeId::from_bytes).collect();
    Ok(Commit { forgets, ..Commit::of(namespace_of(&record.namespace)?) })
}

/// The place of lost commits.
pub(super) fn decode_lost(meta: &[u8], blob: &[u8]) -> Result<LostV1, String> {
    let lost: LostV1 = decode_as(meta)?;
    if blob.is_empty() && 0 < lost.from && lost.from <= lost.to {
        Ok(lost)
    } else {
        Err(format!("lost commits cannot be {} to {}", lost.from, lost.to))
    }
}

/// The number of the first commit that a frame stands for; its own is that of the last.
pub(super) fn first_commit(header: &FrameHeader, meta: &[u8], blob: &[u8]) -> Result<u64, String> {
    if header.kind != KIND_LOST {
        return Ok(header.sequence);
    }
    let LostV1 { from, to } = decode_lost(meta, blob)?;
    if to == header.sequence {
        Ok(from)
    } else {
        Err(format!("commit {} says that {from} to {to} are lost", header.sequence))
    }
}

type Serializer<'a> = HighSerializer<AlignedVec, ArenaHandle<'a>, rancor::Error>;

/// What can be written as a record and read back from bytes that are not trusted.
pub(super) trait Stored:
    Sized + for<'a> Serialize<Serializer<'a>> + Archive<Archived: ReadBack<Self>>
{
}

impl<T> Stored for T where T: for<'a> Serialize<Serializer<'a>> + Archive<Archived: ReadBack<T>> {}

/// An archived form that is validated before it is read.
pub(super) trait ReadBack<T>:
    Portable
    + for<'a> CheckBytes<HighValidator<'a, rancor::Error>>
    + Deserialize<T, HighDeserializer<rancor::Error>>
{
}

impl<A, T> ReadBack<T> for A where
    A: Portable
        + for<'a> CheckBytes<HighValidator<'a, rancor::Error>>
        + Deserialize<T, HighDeserializer<rancor::Error>>
{
}

/// The rkyv bytes of a record.
pub(super) fn encode<T: Stored>(record: &T) -> AlignedVec {
    rkyv::to_bytes::<rancor::Error>(record).expect("writing to memory cannot fail")
}

/// Reads a record back from rkyv bytes, validating them.
pub(super) fn decode_as<T: Stored>(bytes: &[u8]) -> Result<T, String> {
    rkyv::from_bytes::<T, rancor::Error>(bytes).map_err(|error| error.to_string())
}

/// Looks into rkyv bytes, validating them.
fn access<T: Stored>(bytes: &[u8]) -> Result<&T::Archived, String> {
    rkyv::access::<T::Archived, rancor::Error>(bytes).map_err(|error| error.to_string())
}

fn check_span(start: u32, end: u32) -> Result<Span, String> {
    if start <= end { Ok(Span { start, end }) } else { Err("a span ends before it begins".to_owned()) }
}

fn check_confidence(confidence: f32) -> Result<f32, String> {
    if (0.0..=1.0).contains(&confidence) {
        Ok(confidence)
    } else {
        Err("a confidence is out of range".to_owned())
    }
}

fn timestamp(millis: i64) -> Result<Timestamp, String> {
    Timestamp::from_millis(millis).map_err(|error| error.to_string())
}

fn entity_kind(code: u64) -> Result<EntityKind, String> {
    let entry = usize::try_from(code).ok().and_then(|code| EntityKind::ALL.get(code));
    entry.map(|(kind, _)| *kind).ok_or_else(|| format!("unknown kind of entity {code}"))
}

fn fact_kind(code: u64) -> Result<FactKind, String> {
    let entry = usize::try_from(code).ok().and_then(|code| FactKind::ALL.get(code));
    entry.map(|(kind, _)| *kind).ok_or_else(|| format!("unknown kind of fact {code}"))
}

/// The reason of this code.
fn one_of<T: Copy>(all: &[(T, &'static str)], code: u64) -> Result<T, String> {
    let entry = usize::try_from(code).ok().and_then(|code| all.get(code));
    entry.map(|(reason, _)| *reason).ok_or_else(|| format!("unknown reason {code}"))
}

fn extraction_status(code: u64) -> Result<ExtractionStatus, String> {
    match code {
        0 => Ok(ExtractionStatus::Pending),
        1 => Ok(ExtractionStatus::Done),
        2 => Ok(ExtractionStatus::Failed),
        other => Err(format!("unknown extraction status {other}")),
    }
}

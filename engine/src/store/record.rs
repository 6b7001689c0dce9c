//! The stored forms: what a commit is in the journal and what a row is in the working store. Every form is a
//! version of its own and is never changed; a new field is a new version. The layouts are held by golden-bytes
//! tests.

use rkyv::api::high::{HighDeserializer, HighSerializer, HighValidator};
use rkyv::bytecheck::CheckBytes;
use rkyv::ser::allocator::ArenaHandle;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Serialize, rancor};

use crate::model::entity::EntityKind;
use crate::model::episode::{Episode, ExtractionStatus, Span};
use crate::model::extraction::{Extraction, NamedSpan, Reading};
use crate::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};
use crate::model::id::{EpisodeId, ID_BYTES, SessionId};
use crate::model::predicate::Predicate;
use crate::model::time::{Interval, SourceTime, Timestamp};

/// A commit as the journal holds it. Texts stand beside it, in the frame's second part.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
pub(super) struct CommitV1 {
    pub(super) namespace: String,
    pub(super) episodes: Vec<EpisodeV1>,
    pub(super) readings: Vec<ReadingV1>,
}

/// An episode without its text.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Clone)]
pub(super) struct EpisodeV1 {
    pub(super) id: [u8; ID_BYTES],
    pub(super) session: String,
    pub(super) position: u32,
    pub(super) speaker: Option<String>,
    /// Milliseconds UTC, and the offset in minutes where the source named one.
    pub(super) occurred_at: Option<(i64, Option<i16>)>,
    pub(super) recorded_at: i64,
    pub(super) source_id: Option<String>,
    /// Where the text begins in the frame's second part, and its bytes.
    pub(super) text: (u32, u32),
}

/// What was read in one episode.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Clone)]
pub(super) struct ReadingV1 {
    pub(super) episode: [u8; ID_BYTES],
    pub(super) extractor: String,
    /// 0 pending, 1 done, 2 failed.
    pub(super) status: u8,
    pub(super) mentions: Vec<MentionV1>,
    pub(super) triples: Vec<TripleV1>,
}

/// A mention: span, name, code of the kind.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Clone)]
pub(super) struct MentionV1 {
    pub(super) span: (u32, u32),
    pub(super) name: String,
    pub(super) kind: u8,
}

/// A triple.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Clone)]
pub(super) struct TripleV1 {
    pub(super) subject: String,
    pub(super) subject_kind: u8,
    pub(super) predicate: String,
    pub(super) object: String,
    /// The code of the object's kind, or `None` for a plain value.
    pub(super) object_kind: Option<u8>,
    pub(super) negated: bool,
    pub(super) kind: u8,
    pub(super) confidence: f32,
    pub(super) valid: (Option<i64>, Option<i64>),
    pub(super) span: (u32, u32),
}

/// Where an episode's text lies: bytes of a journal segment, with their own checksum.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Eq, Clone, Copy, PartialOrd, Ord)]
pub(crate) struct TextRef {
    pub(crate) segment: u32,
    pub(crate) offset: u64,
    pub(crate) bytes: u32,
    pub(crate) crc: u32,
}

/// An episode's row in the working store, with the first part of its reading.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
pub(super) struct EpisodeRowV1 {
    pub(super) episode: EpisodeV1,
    pub(super) text: TextRef,
    pub(super) reading: Option<ReadingV1>,
}

/// A further part of a reading.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
pub(super) struct PartRowV1 {
    pub(super) mentions: Vec<MentionV1>,
    pub(super) triples: Vec<TripleV1>,
}

/// What the working store must hold of a namespace, to notice where it does not.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Eq, Clone, Copy, Default)]
pub(super) struct TallyV1 {
    pub(super) episodes: u64,
    /// The fingerprints of all its rows, put together by exclusive or.
    pub(super) digest: [u8; 16],
}

/// How far the journal was applied: the last commit's number, where the next frame begins, and how many
/// namespaces there are.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq, Eq, Clone, Copy)]
pub(super) struct AppliedV1 {
    pub(super) sequence: u64,
    pub(super) segment: u32,
    pub(super) offset: u64,
    pub(super) namespaces: u64,
}

const ROW_VERSION: u8 = 1;
const ROW_HEADER: usize = 5;

type Serializer<'a> = HighSerializer<AlignedVec, ArenaHandle<'a>, rancor::Error>;

/// What can be written as a record and read back from bytes that are not trusted.
pub(super) trait Stored:
    Sized + for<'a> Serialize<Serializer<'a>> + Archive<Archived: ReadBack<Self>>
{
}

impl<T> Stored for T where T: for<'a> Serialize<Serializer<'a>> + Archive<Archived: ReadBack<T>> {}

/// An archived form that is validated before it is read.
pub(super) trait ReadBack<T>:
    for<'a> CheckBytes<HighValidator<'a, rancor::Error>> + Deserialize<T, HighDeserializer<rancor::Error>>
{
}

impl<A, T> ReadBack<T> for A where
    A: for<'a> CheckBytes<HighValidator<'a, rancor::Error>> + Deserialize<T, HighDeserializer<rancor::Error>>
{
}

/// Bytes of a row: version, CRC-32 of the rest, rkyv.
pub(super) fn encode_row<T: Stored>(row: &T) -> Vec<u8> {
    let body = encode(row);
    let mut bytes = Vec::with_capacity(ROW_HEADER + body.len());
    bytes.push(ROW_VERSION);
    bytes.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
    bytes.extend_from_slice(&body);
    bytes
}

/// The rkyv bytes of a record.
pub(super) fn encode<T: Stored>(record: &T) -> AlignedVec {
    rkyv::to_bytes::<rancor::Error>(record).expect("writing to memory cannot fail")
}

/// Reads a row back; the text says what is wrong with the bytes.
pub(super) fn decode_row<T: Stored>(bytes: &[u8]) -> Result<T, String> {
    let (header, body) = bytes.split_at_checked(ROW_HEADER).ok_or("a row is shorter than its header")?;
    if header[0] != ROW_VERSION {
        return Err(format!("a row has the unknown version {}", header[0]));
    }
    if crc32fast::hash(body).to_le_bytes() != header[1..] {
        return Err("a row does not match its checksum".to_owned());
    }
    decode(body)
}

/// Reads a record back from rkyv bytes, validating them.
pub(super) fn decode<T: Stored>(bytes: &[u8]) -> Result<T, String> {
    rkyv::from_bytes::<T, rancor::Error>(bytes).map_err(|error| error.to_string())
}

impl EpisodeV1 {
    /// The stored form of an episode whose text lies at `text` in the frame's second part.
    pub(super) fn of(episode: &Episode, text: (u32, u32)) -> Self {
        Self {
            id: *episode.id.as_bytes(),
            session: episode.session.as_str().to_owned(),
            position: episode.position,
            speaker: episode.speaker.clone(),
            occurred_at: episode.occurred_at.map(|at| (at.instant.as_millis(), at.offset_minutes)),
            recorded_at: episode.recorded_at.as_millis(),
            source_id: episode.source_id.clone(),
            text,
        }
    }

    /// The episode, given its text.
    pub(super) fn with_text(self, text: String) -> Result<Episode, String> {
        let occurred_at = match self.occurred_at {
            None => None,
            Some((millis, offset_minutes)) => {
                Some(SourceTime { instant: timestamp(millis)?, offset_minutes })
            }
        };
        Ok(Episode {
            id: EpisodeId::from_bytes(self.id),
            session: SessionId::new(&self.session),
            position: self.position,
            speaker: self.speaker,
            text,
            occurred_at,
            recorded_at: timestamp(self.recorded_at)?,
            source_id: self.source_id,
        })
    }
}

impl ReadingV1 {
    /// The stored form of a reading.
    pub(super) fn of(reading: &Reading) -> Self {
        Self {
            episode: *reading.episode.as_bytes(),
            extractor: reading.extractor.clone(),
            status: reading.status as u8,
            mentions: reading.found.mentions.iter().map(MentionV1::of).collect(),
            triples: reading.found.triples.iter().map(TripleV1::of).collect(),
        }
    }

    /// The reading as the model has it.
    pub(super) fn into_model(self) -> Result<Reading, String> {
        let status = match self.status {
            0 => ExtractionStatus::Pending,
            1 => ExtractionStatus::Done,
            2 => ExtractionStatus::Failed,
            other => return Err(format!("unknown extraction status {other}")),
        };
        let mentions = self.mentions.into_iter().map(MentionV1::into_model).collect::<Result<_, _>>()?;
        let triples = self.triples.into_iter().map(TripleV1::into_model).collect::<Result<_, _>>()?;
        let found = Extraction { mentions, triples };
        Ok(Reading { episode: EpisodeId::from_bytes(self.episode), extractor: self.extractor, status, found })
    }
}

impl MentionV1 {
    fn of(mention: &NamedSpan) -> Self {
        Self {
            span: (mention.span.start, mention.span.end),
            name: mention.name.clone(),
            kind: mention.kind as u8,
        }
    }

    fn into_model(self) -> Result<NamedSpan, String> {
        Ok(NamedSpan { span: span(self.span), name: self.name, kind: entity_kind(self.kind)? })
    }
}

impl TripleV1 {
    fn of(triple: &Triple) -> Self {
        let (object, object_kind) = match &triple.object {
            TripleObject::Entity(named) => (named.name.clone(), Some(named.kind as u8)),
            TripleObject::Value(text) => (text.clone(), None),
        };
        Self {
            subject: triple.subject.name.clone(),
            subject_kind: triple.subject.kind as u8,
            predicate: triple.predicate.as_str().to_owned(),
            object,
            object_kind,
            negated: triple.polarity == Polarity::Negated,
            kind: triple.kind as u8,
            confidence: triple.confidence,
            valid: (triple.valid.from.map(Timestamp::as_millis), triple.valid.to.map(Timestamp::as_millis)),
            span: (triple.span.start, triple.span.end),
        }
    }

    fn into_model(self) -> Result<Triple, String> {
        let object = match self.object_kind {
            Some(code) => TripleObject::Entity(Named { name: self.object, kind: entity_kind(code)? }),
            None => TripleObject::Value(self.object),
        };
        let kind =
            FactKind::ALL.get(usize::from(self.kind)).ok_or(format!("unknown kind of fact {}", self.kind))?.0;
        Ok(Triple {
            subject: Named { name: self.subject, kind: entity_kind(self.subject_kind)? },
            predicate: Predicate::new(&self.predicate),
            object,
            polarity: if self.negated { Polarity::Negated } else { Polarity::Affirmed },
            kind,
            confidence: self.confidence,
            valid: Interval {
                from: self.valid.0.map(timestamp).transpose()?,
                to: self.valid.1.map(timestamp).transpose()?,
            },
            span: span(self.span),
        })
    }
}

fn span((start, end): (u32, u32)) -> Span {
    Span { start, end }
}

fn timestamp(millis: i64) -> Result<Timestamp, String> {
    Timestamp::from_millis(millis).map_err(|error| error.to_string())
}

fn entity_kind(code: u8) -> Result<EntityKind, String> {
    let entry = EntityKind::ALL.get(usize::from(code)).ok_or(format!("unknown kind of entity {code}"))?;
    Ok(entry.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The layout on disk may never change: stores that were written with it must open for ever.
    #[test]
    fn golden_bytes_of_a_row() {
        let applied = AppliedV1 { sequence: 3, segment: 2, offset: 1, namespaces: 4 };
        assert_eq!(
            encode_row(&applied)[ROW_HEADER..],
            [3, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]
        );
        assert_eq!(decode_row::<AppliedV1>(&encode_row(&applied)), Ok(applied));
    }

    fn sample_reading() -> ReadingV1 {
        let triple = TripleV1 {
            subject: "Ana".to_owned(),
            subject_kind: 1,
            predicate: "lives_in".to_owned(),
            object: "Porto".to_owned(),
            object_kind: Some(3),
            negated: true,
            kind: 0,
            confidence: 0.5,
            valid: (Some(-1), None),
            span: (0, 20),
        };
        let mention = MentionV1 { span: (0, 1), name: "Ana".to_owned(), kind: 1 };
        let (mentions, triples) = (vec![mention], vec![triple]);
        ReadingV1 { episode: [7; 16], extractor: "rules-1".to_owned(), status: 1, mentions, triples }
    }

    fn sample_episode() -> EpisodeV1 {
        EpisodeV1 {
            id: [7; 16],
            session: "a session with a long name".to_owned(),
            position: 5,
            speaker: Some("Ana".to_owned()),
            occurred_at: Some((1_000, Some(-120))),
            recorded_at: 2_000,
            source_id: None,
            text: (3, 20),
        }
    }

    fn hash(bytes: &[u8]) -> String {
        blake3::hash(bytes).to_hex()[..16].to_owned()
    }

    /// The hashes of whole records, longer than a page: one that changes is a layout that changed.
    #[test]
    fn golden_hashes_of_commits_and_rows() {
        let commit = CommitV1 {
            namespace: "acme/user-42".to_owned(),
            episodes: vec![sample_episode()],
            readings: vec![sample_reading()],
        };
        let text = TextRef { segment: 1, offset: 2, bytes: 3, crc: 4 };
        let row = EpisodeRowV1 { episode: sample_episode(), text, reading: Some(sample_reading()) };
        let ReadingV1 { mentions, triples, .. } = sample_reading();
        let part = PartRowV1 { mentions, triples };
        let tally = TallyV1 { episodes: 9, digest: [3; 16] };
        let hashes = [
            hash(&encode(&commit)),
            hash(&encode_row(&row)),
            hash(&encode_row(&part)),
            hash(&encode_row(&tally)),
        ];
        assert_eq!(hashes, ["81be492f130f5688", "deced7f21f609924", "7cef399fcfa61945", "ed0aa42a0f59e608"]);
        assert_eq!(decode::<CommitV1>(&encode(&commit)), Ok(commit));
        assert_eq!(decode_row::<EpisodeRowV1>(&encode_row(&row)), Ok(row));
    }

    #[test]
    fn a_flipped_bit_is_noticed() {
        let mut bytes = encode_row(&AppliedV1 { sequence: 3, segment: 2, offset: 1, namespaces: 4 });
        for at in 0..bytes.len() * 8 {
            bytes[at / 8] ^= 1 << (at % 8);
            assert!(decode_row::<AppliedV1>(&bytes).is_err(), "bit {at}");
            bytes[at / 8] ^= 1 << (at % 8);
        }
    }
}

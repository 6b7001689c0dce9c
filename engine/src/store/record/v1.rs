//! A commit as the journal held it in format 1. It is read for ever, and not written any more.

use rkyv::{Archive, Deserialize, Serialize};

use super::{Commit, check_confidence, check_span, entity_kind, extraction_status, fact_kind, timestamp};
use crate::model::episode::Episode;
use crate::model::extraction::{Extraction, NamedSpan, Reading};
use crate::model::fact::{Named, Polarity, Triple, TripleObject};
use crate::model::id::{EpisodeId, ID_BYTES, Namespace, SessionId};
use crate::model::predicate::Predicate;
use crate::model::time::{Interval, SourceTime};

/// A commit. Texts stand beside it, in the frame's second part.
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

/// A mention: characters, name, code of the kind.
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

/// Reads a commit, given its record's bytes and its texts.
pub(super) fn decode(meta: &[u8], blob: &[u8]) -> Result<Commit, String> {
    let record: CommitV1 = super::decode_as(meta)?;
    let namespace = Namespace::new(&record.namespace).map_err(|error| error.to_string())?;
    let texts: Vec<(u32, u32)> = record.episodes.iter().map(|episode| episode.text).collect();
    // Texts that overlap would take more room than they have on disk.
    if texts.iter().map(|(_, bytes)| u64::from(*bytes)).sum::<u64>() > blob.len() as u64 {
        return Err("a commit's episodes are longer than its texts".to_owned());
    }
    let episodes =
        record.episodes.into_iter().map(|episode| episode.into_model(blob)).collect::<Result<_, _>>()?;
    let readings = record.readings.into_iter().map(ReadingV1::into_model).collect::<Result<_, _>>()?;
    Ok(Commit { episodes, texts, readings, ..Commit::of(namespace) })
}

impl EpisodeV1 {
    fn into_model(self, blob: &[u8]) -> Result<Episode, String> {
        let occurred_at = match self.occurred_at {
            None => None,
            Some((millis, offset_minutes)) => {
                Some(SourceTime { instant: timestamp(millis)?, offset_minutes })
            }
        };
        let (start, bytes) = (self.text.0 as usize, self.text.1 as usize);
        let text = blob.get(start..start.saturating_add(bytes)).ok_or("a text reaches past its commit")?;
        let text = std::str::from_utf8(text).map_err(|_| "an episode's text is not UTF-8")?;
        Ok(Episode {
            id: EpisodeId::from_bytes(self.id),
            session: SessionId::new(&self.session),
            position: self.position,
            speaker: self.speaker,
            text: text.to_owned(),
            occurred_at,
            recorded_at: timestamp(self.recorded_at)?,
            source_id: self.source_id,
            expires_at: None,
            told_at: None,
        })
    }
}

impl ReadingV1 {
    fn into_model(self) -> Result<Reading, String> {
        let status = extraction_status(self.status.into())?;
        let mentions = self.mentions.into_iter().map(MentionV1::into_model).collect::<Result<_, _>>()?;
        let triples = self.triples.into_iter().map(TripleV1::into_model).collect::<Result<_, _>>()?;
        let found = Extraction { mentions, triples, ..Extraction::default() };
        Ok(Reading { episode: EpisodeId::from_bytes(self.episode), extractor: self.extractor, status, found })
    }
}

impl MentionV1 {
    fn into_model(self) -> Result<NamedSpan, String> {
        let span = check_span(self.span.0, self.span.1)?;
        Ok(NamedSpan { span, name: self.name, kind: entity_kind(self.kind.into())? })
    }
}

impl TripleV1 {
    fn into_model(self) -> Result<Triple, String> {
        let object = match self.object_kind {
            Some(code) => TripleObject::Entity(Named { name: self.object, kind: entity_kind(code.into())? }),
            None => TripleObject::Value(self.object),
        };
        let subject = Named { name: self.subject, kind: entity_kind(self.subject_kind.into())? };
        Ok(Triple {
            polarity: if self.negated { Polarity::Negated } else { Polarity::Affirmed },
            kind: fact_kind(self.kind.into())?,
            confidence: check_confidence(self.confidence)?,
            valid: Interval {
                from: self.valid.0.map(timestamp).transpose()?,
                to: self.valid.1.map(timestamp).transpose()?,
            },
            span: check_span(self.span.0, self.span.1)?,
            ..Triple::new(subject, Predicate::new(&self.predicate), object)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::record;

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

    fn sample() -> CommitV1 {
        CommitV1 {
            namespace: "acme/user-42".to_owned(),
            episodes: vec![sample_episode()],
            readings: vec![sample_reading()],
        }
    }

    /// The hash of a whole record, longer than a page: one that changes is a layout that changed.
    #[test]
    fn the_layout_is_the_one_of_format_1() {
        assert_eq!(blake3::hash(&record::encode(&sample())).to_hex()[..16], *"81be492f130f5688");
    }

    #[test]
    fn a_commit_is_read_with_its_texts() {
        let commit = decode(&record::encode(&sample()), &[b'x'; 23]).unwrap();
        assert_eq!((commit.episodes.len(), commit.readings.len(), &commit.texts[..]), (1, 1, &[(3, 20)][..]));
        assert_eq!((commit.episodes[0].position, commit.episodes[0].text.len()), (5, 20));
        let triple = &commit.readings[0].found.triples[0];
        assert_eq!((triple.subject.name.as_str(), triple.polarity), ("Ana", Polarity::Negated));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let changed = |change: fn(&mut CommitV1)| {
            let mut commit = sample();
            change(&mut commit);
            decode(&record::encode(&commit), &[b'x'; 23])
        };
        assert!(changed(|_| ()).is_ok());
        assert!(changed(|commit| commit.namespace.clear()).is_err());
        assert!(changed(|commit| commit.episodes[0].text = (4, 20)).is_err());
        assert!(changed(|commit| commit.episodes[0].text = (0, 24)).is_err());
        assert!(changed(|commit| commit.episodes = vec![sample_episode(), sample_episode()]).is_err());
        assert!(changed(|commit| commit.readings[0].status = 3).is_err());
        assert!(changed(|commit| commit.readings[0].mentions[0].span = (2, 1)).is_err());
        assert!(changed(|commit| commit.readings[0].triples[0].kind = 99).is_err());
        assert!(changed(|commit| commit.readings[0].triples[0].confidence = f32::NAN).is_err());
        assert!(changed(|commit| commit.episodes[0].recorded_at = i64::MAX).is_err());
    }
}

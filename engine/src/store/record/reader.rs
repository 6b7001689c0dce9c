//! Reads a [`CommitV2`] back. Its bytes are not trusted: whatever they say, they cost no more than what `change.rs`
//! allows one commit.

use super::column::{ColumnReader, unfold};
use super::commit::{COLUMNS, COLUMNS_V2, COLUMNS_V3, Column, CommitV2, MINUTE};
use super::slices::Slices;
use super::{
    Commit, Summary, check_span, deflate, entity_kind, extraction_status, fact_kind, one_of, timestamp,
};
use crate::change::{COMMIT_NAMES_MAX_BYTES, FOUND_MAX};
use crate::dates::Granularity;
use crate::model::entity::EntityKind;
use crate::model::episode::{Episode, Span};
use crate::model::extraction::{Extraction, Flag, FlagReason, NamedSpan, Reading, Refusal, RefusalReason};
use crate::model::fact::{IMPORTANCES, Named, Polarity, Triple, TripleObject};
use crate::model::id::{EpisodeId, ID_BYTES, Namespace, SessionId};
use crate::model::predicate::Predicate;
use crate::model::time::{Interval, SourceTime, Timestamp};

/// How much a commit holds, read without its columns.
pub(super) fn summary(meta: &[u8]) -> Result<Summary, String> {
    let bytes = deflate::inflate(meta)?;
    let record = super::access::<CommitV2>(&bytes)?;
    Ok(Summary {
        namespace: super::namespace_of(&record.namespace)?,
        episodes: record.episodes.to_native(),
        readings: record.readings.to_native(),
        forgets: 0,
    })
}

/// Reads a commit, given its record's version and bytes and its texts.
pub(super) fn decode(version: u8, meta: &[u8], blob: &[u8]) -> Result<Commit, String> {
    let bytes = deflate::inflate(meta)?;
    let record = super::access::<CommitV2>(&bytes)?;
    let namespace = Namespace::new(&record.namespace).map_err(|error| error.to_string())?;
    let mut reader = Reader {
        columns: ColumnReader::unpack_first(
            &record.columns,
            match version {
                2 => COLUMNS_V2,
                3 => COLUMNS_V3,
                _ => COLUMNS,
            },
        )?,
        version,
        namespace,
        names: Vec::new(),
        words: Vec::new(),
        confidences: Vec::new(),
        name_bytes: COMMIT_NAMES_MAX_BYTES,
        found: FOUND_MAX as u64,
        last: Last::default(),
        next_target: 0,
    };
    let (episodes, texts) = reader.episodes(record.episodes.to_native(), blob)?;
    let readings = reader.readings(record.readings.to_native(), &episodes)?;
    if !reader.columns.is_done() {
        return Err("a record's columns have numbers left over".to_owned());
    }
    Ok(Commit { episodes, texts, readings, ..Commit::of(reader.namespace) })
}

/// Where each text begins, and its bytes.
type Places = Vec<(u32, u32)>;

struct Reader<'a> {
    columns: ColumnReader<'a, COLUMNS>,
    version: u8,
    namespace: Namespace,
    names: Vec<&'a str>,
    words: Vec<(&'a str, Option<Predicate>)>,
    confidences: Vec<f32>,
    /// How many bytes of names may still be given out; a few of them may be used a million times.
    name_bytes: usize,
    /// How many mentions and triples may still come.
    found: u64,
    last: Last,
    next_target: usize,
}

#[derive(Default)]
struct Last {
    session: Option<SessionId>,
    position: u32,
    time: i64,
    recorded: i64,
    source: String,
}

impl<'a> Reader<'a> {
    fn take(&mut self, column: Column) -> Result<u64, String> {
        self.columns.take(column as usize)
    }

    /// A number where 0 says that there is none.
    fn take_optional(&mut self, column: Column) -> Result<Option<u64>, String> {
        Ok(self.take(column)?.checked_sub(1))
    }

    /// Says that a string is given out.
    fn spend(&mut self, string: &str) -> Result<(), String> {
        let left = self.name_bytes.checked_sub(string.len());
        self.name_bytes = left.ok_or("a commit's names are longer than they may be")?;
        Ok(())
    }

    fn string(&mut self, lengths: Column, bytes: Column) -> Result<&'a str, String> {
        let length = self.take(lengths)?;
        let bytes = self.columns.take_bytes(bytes as usize, length)?;
        std::str::from_utf8(bytes).map_err(|_| "a name is not UTF-8".to_owned())
    }

    fn name(&mut self, code: u64) -> Result<&'a str, String> {
        if code == 0 {
            let name = self.string(Column::NameLengths, Column::NameBytes)?;
            self.names.push(name);
        }
        let number = code.checked_sub(1).map_or_else(|| self.names.len() - 1, |number| number as usize);
        let name = *self.names.get(number).ok_or("a commit uses a name that it does not tell")?;
        self.spend(name)?;
        Ok(name)
    }

    fn word(&mut self, code: u64) -> Result<usize, String> {
        if code == 0 {
            let word = self.string(Column::WordLengths, Column::WordBytes)?;
            self.words.push((word, None));
        }
        let number = code.checked_sub(1).map_or_else(|| self.words.len() - 1, |number| number as usize);
        let (word, _) =
            *self.words.get(number).as_ref().ok_or("a commit uses a word that it does not tell")?;
        self.spend(word)?;
        Ok(number)
    }

    fn episodes(&mut self, count: u32, blob: &[u8]) -> Result<(Vec<Episode>, Places), String> {
        let count = count as usize;
        if count > self.columns.left(Column::Texts as usize) {
            return Err("a commit says that it has more episodes than it tells of".to_owned());
        }
        let (mut episodes, mut texts) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut start = 0;
        for _ in 0..count {
            let (episode, length) = self.episode(&blob[start as usize..])?;
            texts.push((start, length));
            start += length;
            episodes.push(episode);
        }
        if start as usize == blob.len() {
            Ok((episodes, texts))
        } else {
            Err("a commit's texts are longer than its episodes".to_owned())
        }
    }

    /// The next episode, whose text begins `rest`, and the text's bytes.
    fn episode(&mut self, rest: &[u8]) -> Result<(Episode, u32), String> {
        let (session, expected) = match self.take_optional(Column::Sessions)? {
            None => {
                let session = self.last.session.clone().ok_or("a commit's first episode has no session")?;
                (session, i64::from(self.last.position) + 1)
            }
            Some(code) => (SessionId::new(self.name(code)?), 0),
        };
        let position = expected.wrapping_add(unfold(self.take(Column::Positions)?));
        let position = u32::try_from(position).map_err(|_| "a position is out of range")?;
        let speaker = self.take_optional(Column::Speakers)?.map(|code| self.name(code)).transpose()?;
        let occurred_at = self.occurred_at()?;
        self.last.recorded = self.last.recorded.wrapping_add(unfold(self.take(Column::Recorded)?));
        let recorded_at = timestamp(self.last.recorded)?;
        let (mut expires_at, mut told_at) = (None, None);
        if self.version >= 4 {
            expires_at = self.time(Column::Expiries, self.last.recorded)?;
            told_at = self.time(Column::Tellings, self.last.recorded)?;
        }
        let source_id = self.source()?;
        let length = self.columns.take_u32(Column::Texts as usize)?;
        let text = rest.get(..length as usize).ok_or("a text reaches past its commit")?;
        let text = std::str::from_utf8(text).map_err(|_| "an episode's text is not UTF-8")?;
        (self.last.session, self.last.position) = (Some(session.clone()), position);
        let new = Episode::new(&self.namespace, session, position, (speaker, occurred_at), text, recorded_at);
        let episode = Episode { source_id, expires_at, told_at, ..new };
        Ok((episode, length))
    }

    fn occurred_at(&mut self) -> Result<Option<SourceTime>, String> {
        let Some(code) = self.take_optional(Column::Times)? else { return Ok(None) };
        self.last.time = self.last.time.wrapping_add(distance(code));
        let offset = self.take_optional(Column::Offsets)?.map(unfold).map(i16::try_from).transpose();
        let offset_minutes = offset.map_err(|_| "an offset from UTC is out of range")?;
        Ok(Some(SourceTime { instant: timestamp(self.last.time)?, offset_minutes }))
    }

    fn source(&mut self) -> Result<Option<String>, String> {
        let Some(shared) = self.take_optional(Column::Sources)? else { return Ok(None) };
        let length = self.take(Column::SourceLengths)?;
        let rest = self.columns.take_bytes(Column::SourceBytes as usize, length)?;
        let start = usize::try_from(shared).ok().and_then(|shared| self.last.source.as_bytes().get(..shared));
        let source = [start.ok_or("a source's id shares more than there is")?, rest].concat();
        let source = String::from_utf8(source).map_err(|_| "a source's id is not UTF-8")?;
        self.spend(&source)?;
        self.last.source.clone_from(&source);
        Ok(Some(source))
    }

    fn readings(&mut self, count: u32, episodes: &[Episode]) -> Result<Vec<Reading>, String> {
        if count as usize > self.columns.left(Column::Targets as usize) {
            return Err("a commit says that it has more readings than it tells of".to_owned());
        }
        (0..count).map(|_| self.reading(episodes)).collect()
    }

    fn reading(&mut self, episodes: &[Episode]) -> Result<Reading, String> {
        let place = match self.take(Column::Targets)? {
            0 => Some(self.next_target),
            1 => None,
            code => Some((code - 2) as usize),
        };
        let of = match place {
            None => None,
            Some(place) => {
                self.next_target = place.saturating_add(1);
                Some(episodes.get(place).ok_or("a reading is of an episode that its commit does not tell")?)
            }
        };
        let episode = if let Some(episode) = of {
            episode.id
        } else {
            let bytes = self.columns.take_bytes(Column::Ids as usize, ID_BYTES as u64)?;
            EpisodeId::from_bytes(bytes.try_into().expect("as many bytes were taken"))
        };
        let code = self.take(Column::Extractors)?;
        let extractor = self.word(code)?;
        let extractor = self.words[extractor].0.to_owned();
        let status = extraction_status(self.take(Column::Statuses)?)?;
        let found = self.extraction(of)?;
        Ok(Reading { episode, extractor, status, found })
    }

    fn extraction(&mut self, of: Option<&Episode>) -> Result<Extraction, String> {
        let counts = (self.take(Column::Mentions)?, self.take(Column::Triples)?);
        let found = counts.0.checked_add(counts.1).and_then(|found| self.found.checked_sub(found));
        self.found = found.ok_or("a commit tells of more mentions and facts than it may")?;
        let text = of.map(|episode| (Slices::new(&episode.text), episode.speaker.as_deref()));
        let mut start = 0;
        let mut mentions = Vec::new();
        for _ in 0..counts.0 {
            mentions.push(self.mention(text.as_ref(), &mut start)?);
        }
        let mut before = (0, of.and_then(|episode| episode.occurred_at).map(|at| at.instant));
        let mut triples = Vec::new();
        for _ in 0..counts.1 {
            triples.push(self.triple(&mentions, &mut before)?);
        }
        let (refused, flags) = self.marks()?;
        Ok(Extraction { mentions, triples, refused, flags })
    }

    fn marks(&mut self) -> Result<(Vec<Refusal>, Vec<Flag>), String> {
        let (mut refused, mut flags) = (Vec::new(), Vec::new());
        let count = if self.version == 2 { 0 } else { self.take(Column::Marks)? };
        self.found =
            self.found.checked_sub(count).ok_or("a commit tells of more that is refused than it may")?;
        let mut before = 0;
        for _ in 0..count {
            let code = self.take(Column::MarkReasons)?;
            let span = self.span([Column::MarkStarts, Column::MarkLengths], &mut before)?;
            if code & 1 == 0 {
                refused.push(Refusal { span, reason: one_of(&RefusalReason::ALL, code >> 1)? });
            } else {
                flags.push(Flag { span, reason: one_of(&FlagReason::ALL, code >> 1)? });
            }
        }
        Ok((refused, flags))
    }

    fn mention(
        &mut self,
        said: Option<&(Slices<'_>, Option<&str>)>,
        before: &mut u32,
    ) -> Result<NamedSpan, String> {
        let code = self.take(Column::MentionNames)?;
        let kind = entity_kind(self.take(Column::MentionKinds)?)?;
        let span = self.span([Column::MentionStarts, Column::MentionLengths], before)?;
        let unknown = "a mention's name cannot be told from the text";
        let name = match (code, said) {
            (0, Some((text, _))) => text.get(span).ok_or(unknown)?,
            (1, Some((_, Some(speaker)))) => speaker,
            (0 | 1, _) => return Err(unknown.to_owned()),
            (code, _) => {
                let name = self.name(code - 2)?;
                return Ok(NamedSpan { span, name: name.to_owned(), kind });
            }
        };
        self.spend(name)?;
        Ok(NamedSpan { span, name: name.to_owned(), kind })
    }

    fn span(&mut self, columns: [Column; 2], before: &mut u32) -> Result<Span, String> {
        let start = i64::from(*before).wrapping_add(unfold(self.take(columns[0])?));
        let start = u32::try_from(start).map_err(|_| "a span begins out of range")?;
        let length = self.columns.take_u32(columns[1] as usize)?;
        *before = start;
        check_span(start, start.checked_add(length).ok_or("a span ends out of range")?)
    }

    fn triple(
        &mut self,
        mentions: &[NamedSpan],
        before: &mut (u32, Option<Timestamp>),
    ) -> Result<Triple, String> {
        let subject = self.named(mentions, [Column::Subjects, Column::SubjectKinds])?;
        let predicate = self.predicate()?;
        let traits = self.take(Column::Traits)?;
        let object = if traits & 2 == 0 {
            TripleObject::Entity(self.named(mentions, [Column::Objects, Column::ObjectKinds])?)
        } else {
            TripleObject::Value(self.name_or_mention(mentions, Column::Objects)?.0)
        };
        let confidence = self.confidence()?;
        let base = before.1.map_or(0, Timestamp::as_millis);
        let valid = Interval { from: self.time(Column::Froms, base)?, to: self.time(Column::Tos, base)? };
        let span = self.span([Column::Starts, Column::Lengths], &mut before.0)?;
        let polarity = if traits & 1 == 0 { Polarity::Affirmed } else { Polarity::Negated };
        let kind = fact_kind(traits >> 2)?;
        let told = Triple::new(subject, predicate, object);
        let told = Triple { polarity, kind, confidence, valid, span, ..told };
        if self.version == 2 { Ok(told) } else { self.manner(mentions, told) }
    }

    /// Adds how a claim is made.
    fn manner(&mut self, mentions: &[NamedSpan], told: Triple) -> Result<Triple, String> {
        let manner = self.take(Column::Manners)?;
        let importance = u8::try_from(manner >> 1).ok().filter(|number| IMPORTANCES.contains(number));
        let importance = importance.ok_or("an importance is out of range")?;
        let source = self.take_optional(Column::Attributions)?;
        let source = source.map(|code| self.coded_name(mentions, code)).transpose()?;
        let stance = if self.version < 4 { 0 } else { self.take(Column::Stances)? };
        let granularity =
            (stance >> 1).checked_sub(1).map(|code| one_of(&Granularity::ALL, code)).transpose()?;
        Ok(Triple {
            granularity,
            corrects: stance & 1 == 1,
            hedged: manner & 1 == 1,
            importance,
            attributed_to: source.map(|(name, _)| name),
            ..told
        })
    }

    fn named(&mut self, mentions: &[NamedSpan], columns: [Column; 2]) -> Result<Named, String> {
        let (name, mention) = self.name_or_mention(mentions, columns[0])?;
        let kind = match (self.take_optional(columns[1])?, mention) {
            (Some(kind), _) => entity_kind(kind)?,
            (None, Some(kind)) => kind,
            (None, None) => return Err("a name's kind is that of no mention".to_owned()),
        };
        Ok(Named { name, kind })
    }

    fn name_or_mention(
        &mut self,
        mentions: &[NamedSpan],
        column: Column,
    ) -> Result<(String, Option<EntityKind>), String> {
        let code = self.take(column)?;
        self.coded_name(mentions, code)
    }

    fn coded_name(
        &mut self,
        mentions: &[NamedSpan],
        code: u64,
    ) -> Result<(String, Option<EntityKind>), String> {
        let mention = usize::try_from(code).ok().and_then(|code| mentions.get(code));
        match mention {
            Some(mention) => {
                self.spend(&mention.name)?;
                Ok((mention.name.clone(), Some(mention.kind)))
            }
            None => Ok((self.name(code - mentions.len() as u64)?.to_owned(), None)),
        }
    }

    fn predicate(&mut self) -> Result<Predicate, String> {
        let code = self.take(Column::Predicates)?;
        let number = self.word(code)?;
        let (word, known) = &mut self.words[number];
        Ok(known.get_or_insert_with(|| Predicate::new(word)).clone())
    }

    fn confidence(&mut self) -> Result<f32, String> {
        let code = self.take(Column::Confidences)?;
        if code == 0 {
            let bytes = self.columns.take_bytes(Column::ConfidenceBytes as usize, 4)?;
            let confidence = f32::from_le_bytes(bytes.try_into().expect("four bytes were taken"));
            self.confidences.push(super::check_confidence(confidence)?);
        }
        let number = code.checked_sub(1).map_or_else(|| self.confidences.len() - 1, |number| number as usize);
        let confidence = self.confidences.get(number);
        confidence.copied().ok_or_else(|| "a confidence is used that was not told".to_owned())
    }

    fn time(&mut self, column: Column, base: i64) -> Result<Option<Timestamp>, String> {
        let code = self.take_optional(column)?;
        code.map(|code| timestamp(base.wrapping_add(distance(code)))).transpose()
    }
}

/// The distance in time that a code stands for, in milliseconds.
fn distance(code: u64) -> i64 {
    let distance = unfold(code >> 1);
    if code & 1 == 0 { distance.wrapping_mul(MINUTE) } else { distance }
}

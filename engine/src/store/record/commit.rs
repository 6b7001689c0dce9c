//! A commit as the journal holds it since format 2, and with more columns since format 3: columns of small numbers and strings, each string once, deflated.
//! Texts stand beside it, raw and one after the other. What can be computed is not written: the episodes' ids, and
//! names that stand in the text at their spans. This file writes; `reader.rs` reads.

use std::hash::Hash;

use rkyv::{Archive, Deserialize, Serialize};
use rustc_hash::FxHashMap;

use super::column::{Columns, fold};
use super::deflate;
use super::slices::Slices;
use crate::model::episode::Episode;
use crate::model::extraction::{Extraction, NamedSpan, Reading};
use crate::model::fact::{Named, Polarity, Triple, TripleObject};
use crate::model::id::{EpisodeId, Namespace};
use crate::model::time::Timestamp;

/// A commit, of formats 2 to 4. See [`Column`] for what the columns hold.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
pub(in crate::store) struct CommitV2 {
    pub(super) namespace: String,
    pub(super) episodes: u32,
    pub(super) readings: u32,
    pub(super) columns: Vec<u8>,
}

/// The columns of a [`CommitV2`], in the order in which they are written. A string's code is 0 where it is used for
/// the first time, and else one more than the number of strings used first before it; there is a table of names and
/// one of words. A time is written as its distance from the one before it, see [`time_code`].
#[derive(Debug, Clone, Copy)]
pub(super) enum Column {
    /// Bytes of each name.
    NameLengths,
    NameBytes,
    /// Bytes of each word: extractors and predicates.
    WordLengths,
    WordBytes,
    /// Of each episode: 0 for the session of the one before, else one more than the name's code.
    Sessions,
    /// Its distance from the place after the one before, or from 0 in another session, folded.
    Positions,
    /// 0 for none, else one more than the name's code.
    Speakers,
    /// 0 for none, else one more than the time's code.
    Times,
    /// Where there is a time: 0 for no offset, else one more than the minutes, folded.
    Offsets,
    /// Milliseconds since the one before, folded.
    Recorded,
    /// 0 for none, else one more than the bytes that it shares with the source's id before.
    Sources,
    /// Bytes of the rest.
    SourceLengths,
    SourceBytes,
    /// Bytes of the text.
    Texts,
    /// Of each reading: 0 for the episode after the one before, 1 for one of an earlier commit, else two more than
    /// the episode's place in this commit.
    Targets,
    /// The ids of episodes of earlier commits.
    Ids,
    /// The extractor: the word's code.
    Extractors,
    Statuses,
    Mentions,
    Triples,
    /// Of each mention: 0 where its name stands at its span, 1 for the speaker's name, else two more than the
    /// name's code.
    MentionNames,
    MentionKinds,
    /// Characters since the start of the one before, folded.
    MentionStarts,
    /// Characters in it.
    MentionLengths,
    /// Of each triple: the place of a mention of the same name, or the number of mentions and the name's code.
    Subjects,
    /// 0 where it is the mention's, else one more than the kind.
    SubjectKinds,
    /// The predicate: the word's code.
    Predicates,
    /// As the subject.
    Objects,
    ObjectKinds,
    /// 1 for a negated triple, 2 for one whose object is a plain value, and four times the kind of fact.
    Traits,
    /// 0 for a confidence not met before, else one more than its number.
    Confidences,
    ConfidenceBytes,
    /// 0 for none, else one more than the time's code, from when the episode was said.
    Froms,
    Tos,
    /// Characters since the start of the one before, folded.
    Starts,
    /// Characters in it.
    Lengths,
    /// Twice the importance of each triple, and one more where it is said with a doubt.
    Manners,
    /// Whose words it is: 0 for the speaker's own, else one more than as the subject.
    Attributions,
    /// Of each reading: how much is refused or flagged.
    Marks,
    /// Of each of these, twice the reason, and one more for a flag. What is refused comes first.
    MarkReasons,
    /// Characters since the start of the one before, folded.
    MarkStarts,
    /// Characters in it.
    MarkLengths,
    /// Of each episode: 0 where it does not expire, else one more than the time's code, from when it was recorded.
    Expiries,
    /// Of each episode: 0 where it was told when it was recorded, else one more than the time's code, from then.
    Tellings,
    /// 1 for a triple that corrects, and twice: 0 where the text does not tell how exactly, else one more than the
    /// granularity.
    Stances,
}

/// How many columns there are.
pub(super) const COLUMNS: usize = Column::Stances as usize + 1;
/// How many of them there were in format 3.
pub(super) const COLUMNS_V3: usize = Column::MarkLengths as usize + 1;
/// How many of them there were in format 2.
pub(super) const COLUMNS_V2: usize = Column::Lengths as usize + 1;

/// Milliseconds a minute.
pub(super) const MINUTE: i64 = 60_000;

/// A distance in time: in minutes where that is exact, and else in milliseconds; the lowest bit says which.
fn time_code(distance: i64) -> u64 {
    if distance % MINUTE == 0 { fold(distance / MINUTE) << 1 } else { fold(distance) << 1 | 1 }
}

/// The record's bytes and the texts'.
pub(in crate::store) fn encode(
    namespace: &Namespace,
    episodes: &[&Episode],
    readings: &[&Reading],
) -> (Vec<u8>, Vec<u8>) {
    let mut writer = Writer::new();
    for episode in episodes {
        writer.episode(episode);
    }
    let places: FxHashMap<EpisodeId, usize> =
        episodes.iter().enumerate().map(|(place, episode)| (episode.id, place)).collect();
    for reading in readings {
        writer.reading(reading, places.get(&reading.episode).map(|place| (*place, episodes[*place])));
    }
    let record = CommitV2 {
        namespace: namespace.as_str().to_owned(),
        episodes: episodes.len() as u32,
        readings: readings.len() as u32,
        columns: writer.columns.pack(),
    };
    let mut blob = Vec::with_capacity(episodes.iter().map(|episode| episode.text.len()).sum());
    for episode in episodes {
        blob.extend_from_slice(episode.text.as_bytes());
    }
    (deflate::deflate(&super::encode(&record)), blob)
}

/// Numbers things in the order in which they are first met.
struct Numbering<K>(FxHashMap<K, u64>);

impl<K: Eq + Hash> Numbering<K> {
    /// The code of a thing: 0 for a new one, else one more than its number.
    fn code(&mut self, thing: K) -> u64 {
        let next = self.0.len() as u64;
        match self.0.entry(thing) {
            std::collections::hash_map::Entry::Occupied(known) => known.get() + 1,
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(next);
                0
            }
        }
    }
}

struct Writer<'c> {
    columns: Columns<COLUMNS>,
    names: Numbering<&'c str>,
    words: Numbering<&'c str>,
    confidences: Numbering<u32>,
    /// What the next episode is told apart from.
    last: Last<'c>,
    /// The place after that of the last reading's episode.
    next_target: usize,
}

#[derive(Default)]
struct Last<'c> {
    session: Option<&'c str>,
    position: u32,
    time: i64,
    recorded: i64,
    source: &'c str,
}

impl<'c> Writer<'c> {
    fn new() -> Self {
        Self {
            columns: Columns::new(),
            names: Numbering(FxHashMap::default()),
            words: Numbering(FxHashMap::default()),
            confidences: Numbering(FxHashMap::default()),
            last: Last::default(),
            next_target: 0,
        }
    }

    fn put(&mut self, column: Column, number: u64) {
        self.columns.put(column as usize, number);
    }

    fn put_bytes(&mut self, column: Column, bytes: &[u8]) {
        self.columns.put_bytes(column as usize, bytes);
    }

    fn name(&mut self, name: &'c str) -> u64 {
        let code = self.names.code(name);
        if code == 0 {
            self.put(Column::NameLengths, name.len() as u64);
            self.put_bytes(Column::NameBytes, name.as_bytes());
        }
        code
    }

    fn word(&mut self, word: &'c str) -> u64 {
        let code = self.words.code(word);
        if code == 0 {
            self.put(Column::WordLengths, word.len() as u64);
            self.put_bytes(Column::WordBytes, word.as_bytes());
        }
        code
    }

    fn episode(&mut self, episode: &'c Episode) {
        let session = episode.session.as_str();
        let same = self.last.session == Some(session);
        let code = if same { 0 } else { 1 + self.name(session) };
        self.put(Column::Sessions, code);
        let expected = if same { i64::from(self.last.position) + 1 } else { 0 };
        self.put(Column::Positions, fold(i64::from(episode.position) - expected));
        let speaker = episode.speaker.as_deref().map_or(0, |speaker| 1 + self.name(speaker));
        self.put(Column::Speakers, speaker);
        match episode.occurred_at {
            None => self.put(Column::Times, 0),
            Some(at) => {
                let millis = at.instant.as_millis();
                self.put(Column::Times, 1 + time_code(millis - self.last.time));
                self.put(Column::Offsets, at.offset_minutes.map_or(0, |minutes| 1 + fold(minutes.into())));
                self.last.time = millis;
            }
        }
        let recorded = episode.recorded_at.as_millis();
        self.put(Column::Recorded, fold(recorded - self.last.recorded));
        self.put(
            Column::Expiries,
            episode.expires_at.map_or(0, |at| 1 + time_code(at.as_millis() - recorded)),
        );
        let told_at = episode.told_at.map_or(0, |at| 1 + time_code(at.as_millis() - recorded));
        self.put(Column::Tellings, told_at);
        self.source(episode.source_id.as_deref());
        self.put(Column::Texts, episode.text.len() as u64);
        (self.last.session, self.last.position, self.last.recorded) =
            (Some(session), episode.position, recorded);
    }

    fn source(&mut self, source: Option<&'c str>) {
        let Some(source) = source else { return self.put(Column::Sources, 0) };
        let shared =
            source.bytes().zip(self.last.source.bytes()).take_while(|(one, other)| one == other).count();
        self.put(Column::Sources, 1 + shared as u64);
        let rest = &source.as_bytes()[shared..];
        self.put(Column::SourceLengths, rest.len() as u64);
        self.put_bytes(Column::SourceBytes, rest);
        self.last.source = source;
    }

    /// Adds a reading, given its episode and the episode's place where it is one of this commit.
    fn reading(&mut self, reading: &'c Reading, of: Option<(usize, &Episode)>) {
        match of {
            Some((place, _)) if place == self.next_target => self.put(Column::Targets, 0),
            Some((place, _)) => self.put(Column::Targets, 2 + place as u64),
            None => {
                self.put(Column::Targets, 1);
                self.put_bytes(Column::Ids, reading.episode.as_bytes());
            }
        }
        if let Some((place, _)) = of {
            self.next_target = place + 1;
        }
        let extractor = self.word(&reading.extractor);
        self.put(Column::Extractors, extractor);
        self.put(Column::Statuses, reading.status as u64);
        self.put(Column::Mentions, reading.found.mentions.len() as u64);
        self.put(Column::Triples, reading.found.triples.len() as u64);
        let said = of.map(|(_, episode)| (Slices::new(&episode.text), episode.speaker.as_deref()));
        let mut start = 0;
        for mention in &reading.found.mentions {
            self.mention(mention, said.as_ref(), &mut start);
        }
        let mut numbers = FxHashMap::default();
        for (number, mention) in reading.found.mentions.iter().enumerate().rev() {
            numbers.insert(mention.name.as_str(), (number, mention));
        }
        let known = Mentions { numbers, count: reading.found.mentions.len() as u64 };
        let mut before = (0, of.and_then(|(_, episode)| episode.occurred_at).map(|at| at.instant));
        for triple in &reading.found.triples {
            self.triple(triple, &known, &mut before);
        }
        self.marks(&reading.found);
    }

    fn marks(&mut self, found: &Extraction) {
        let refused = found.refused.iter().map(|refusal| ((refusal.reason as u64) << 1, refusal.span));
        let flags = found.flags.iter().map(|flag| ((flag.reason as u64) << 1 | 1, flag.span));
        self.put(Column::Marks, (found.refused.len() + found.flags.len()) as u64);
        let mut before = 0;
        for (reason, span) in refused.chain(flags) {
            self.put(Column::MarkReasons, reason);
            self.put(Column::MarkStarts, fold(i64::from(span.start) - before));
            self.put(Column::MarkLengths, u64::from(span.end - span.start));
            before = i64::from(span.start);
        }
    }

    fn mention(
        &mut self,
        mention: &'c NamedSpan,
        said: Option<&(Slices<'_>, Option<&str>)>,
        before: &mut u32,
    ) {
        let name = mention.name.as_str();
        let code = match said {
            Some((text, _)) if text.get(mention.span) == Some(name) => 0,
            Some((_, Some(speaker))) if *speaker == name => 1,
            _ => 2 + self.name(name),
        };
        self.put(Column::MentionNames, code);
        self.put(Column::MentionKinds, mention.kind as u64);
        self.put(Column::MentionStarts, fold(i64::from(mention.span.start) - i64::from(*before)));
        self.put(Column::MentionLengths, u64::from(mention.span.end - mention.span.start));
        *before = mention.span.start;
    }

    fn triple(&mut self, triple: &'c Triple, known: &Mentions<'_>, before: &mut (u32, Option<Timestamp>)) {
        self.named(&triple.subject, known, [Column::Subjects, Column::SubjectKinds]);
        let predicate = self.word(triple.predicate.as_str());
        self.put(Column::Predicates, predicate);
        let plain = match &triple.object {
            TripleObject::Entity(named) => {
                self.named(named, known, [Column::Objects, Column::ObjectKinds]);
                false
            }
            TripleObject::Value(value) => {
                let code = self.name_or_mention(value, known);
                self.put(Column::Objects, code);
                true
            }
        };
        let negated = triple.polarity == Polarity::Negated;
        self.put(Column::Traits, u64::from(negated) | u64::from(plain) << 1 | (triple.kind as u64) << 2);
        let bits = triple.confidence.to_bits();
        let confidence = self.confidences.code(bits);
        self.put(Column::Confidences, confidence);
        if confidence == 0 {
            self.put_bytes(Column::ConfidenceBytes, &bits.to_le_bytes());
        }
        for (column, time) in [(Column::Froms, triple.valid.from), (Column::Tos, triple.valid.to)] {
            let base = before.1.map_or(0, Timestamp::as_millis);
            self.put(column, time.map_or(0, |time| 1 + time_code(time.as_millis() - base)));
        }
        self.put(Column::Starts, fold(i64::from(triple.span.start) - i64::from(before.0)));
        self.put(Column::Lengths, u64::from(triple.span.end - triple.span.start));
        before.0 = triple.span.start;
        self.put(Column::Manners, u64::from(triple.importance) << 1 | u64::from(triple.hedged));
        let source = triple.attributed_to.as_deref().map_or(0, |name| 1 + self.name_or_mention(name, known));
        self.put(Column::Attributions, source);
        let granularity = triple.granularity.map_or(0, |granularity| 1 + granularity as u64);
        self.put(Column::Stances, granularity << 1 | u64::from(triple.corrects));
    }

    fn named(&mut self, named: &'c Named, known: &Mentions<'_>, columns: [Column; 2]) {
        let code = self.name_or_mention(&named.name, known);
        self.put(columns[0], code);
        let same =
            known.numbers.get(named.name.as_str()).is_some_and(|(_, mention)| mention.kind == named.kind);
        self.put(columns[1], if same { 0 } else { 1 + named.kind as u64 });
    }

    fn name_or_mention(&mut self, name: &'c str, known: &Mentions<'_>) -> u64 {
        match known.numbers.get(name) {
            Some((number, _)) => *number as u64,
            None => known.count + self.name(name),
        }
    }
}

/// The mentions of a reading by name: the first of each.
struct Mentions<'r> {
    numbers: FxHashMap<&'r str, (usize, &'r NamedSpan)>,
    count: u64,
}

//! The lines of an export: one JSON object a thing. What they mean is told in `docs/export.md`, and is a
//! contract: a file that was written once is read for ever.

use std::borrow::Cow;

use lorebase::engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase::engine::model::extraction::{Flag, NamedSpan, Reading, Refusal};
use lorebase::engine::model::fact::{IMPORTANCE, Named, Triple, TripleObject};
use lorebase::engine::model::id::Namespace;
use lorebase::engine::model::time::Interval;
use lorebase::transfer::{EntityName, EntityThing, FactThing, ObjectThing, SupportThing, Tally, Thing};
use serde::{Deserialize, Serialize};

use super::rulings::RulingLine;

/// The format that is written. Those before are read too: what a later one has more is left out where it says
/// nothing.
pub(super) const FORMAT: u32 = 3;

/// A line of a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line<'a> {
    /// The first.
    LorebaseExport(Head),
    Episode(Box<EpisodeLine<'a>>),
    Tombstone(TombstoneLine<'a>),
    Ruling(Box<RulingLine<'a>>),
    Entity(EntityLine<'a>),
    Fact(Box<FactLine<'a>>),
    /// The last.
    End(End),
}

/// What a file begins with. Later formats may have more in it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) format: u32,
}

/// What a file ends with: how many lines of each kind there are, so that one that broke off is noticed.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    pub(super) episodes: u64,
    pub(super) tombstones: u64,
    /// Left out where there are none, as in format 1.
    #[serde(default, skip_serializing_if = "is_none")]
    pub(super) rulings: u64,
    pub(super) entities: u64,
    pub(super) facts: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EpisodeLine<'a> {
    pub(super) namespace: Cow<'a, str>,
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) session: Cow<'a, str>,
    pub(super) position: u32,
    pub(super) speaker: Option<Cow<'a, str>>,
    pub(super) at: Option<Cow<'a, str>>,
    pub(super) offset: Option<i16>,
    pub(super) recorded: Cow<'a, str>,
    pub(super) source_id: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) expires: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) told: Option<Cow<'a, str>>,
    pub(super) text: Cow<'a, str>,
    pub(super) reading: Option<ReadingLine<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadingLine<'a> {
    pub(super) extractor: Cow<'a, str>,
    pub(super) status: Cow<'a, str>,
    pub(super) mentions: Vec<MentionLine<'a>>,
    pub(super) claims: Vec<ClaimLine<'a>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) refused: Vec<MarkLine<'a>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) flags: Vec<MarkLine<'a>>,
}

/// Something that is refused or flagged.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MarkLine<'a> {
    pub(super) span: (u32, u32),
    pub(super) reason: Cow<'a, str>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MentionLine<'a> {
    pub(super) span: (u32, u32),
    pub(super) name: Cow<'a, str>,
    pub(super) kind: Cow<'a, str>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimLine<'a> {
    pub(super) subject: NamedLine<'a>,
    pub(super) predicate: Cow<'a, str>,
    pub(super) object: ClaimObject<'a>,
    pub(super) kind: Cow<'a, str>,
    pub(super) polarity: Cow<'a, str>,
    pub(super) confidence: f32,
    pub(super) valid: IntervalLine<'a>,
    pub(super) span: (u32, u32),
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) hedged: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) attributed_to: Option<Cow<'a, str>>,
    #[serde(default = "importance", skip_serializing_if = "is_ordinary")]
    pub(super) importance: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) granularity: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) corrects: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedLine<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) kind: Cow<'a, str>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ClaimObject<'a> {
    Entity(NamedLine<'a>),
    Value(Cow<'a, str>),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IntervalLine<'a> {
    pub(super) from: Option<Cow<'a, str>>,
    pub(super) to: Option<Cow<'a, str>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TombstoneLine<'a> {
    pub(super) namespace: Cow<'a, str>,
    pub(super) episode: Cow<'a, str>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntityLine<'a> {
    pub(super) namespace: Cow<'a, str>,
    pub(super) id: Cow<'a, str>,
    pub(super) name: Cow<'a, str>,
    pub(super) kind: Cow<'a, str>,
    pub(super) aliases: Vec<Cow<'a, str>>,
    pub(super) episodes: u32,
    pub(super) same_as: Vec<Cow<'a, str>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FactLine<'a> {
    pub(super) namespace: Cow<'a, str>,
    pub(super) id: Cow<'a, str>,
    pub(super) subject: EndLine<'a>,
    pub(super) predicate: Cow<'a, str>,
    pub(super) object: FactObject<'a>,
    pub(super) kind: Cow<'a, str>,
    pub(super) polarity: Cow<'a, str>,
    pub(super) confidence: f32,
    pub(super) status: Cow<'a, str>,
    pub(super) valid: IntervalLine<'a>,
    pub(super) recorded: IntervalLine<'a>,
    pub(super) support: Vec<SupportLine<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndLine<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) name: Cow<'a, str>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FactObject<'a> {
    Entity(EndLine<'a>),
    Value(Cow<'a, str>),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SupportLine<'a> {
    pub(super) episode: Cow<'a, str>,
    pub(super) span: (u32, u32),
    pub(super) confidence: f32,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) hedged: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) attributed_to: Option<Cow<'a, str>>,
    #[serde(default = "importance", skip_serializing_if = "is_ordinary")]
    pub(super) importance: u8,
}

const fn importance() -> u8 {
    IMPORTANCE
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_ordinary(importance: &u8) -> bool {
    *importance == IMPORTANCE
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
pub(super) const fn is_false(hedged: &bool) -> bool {
    !*hedged
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

/// The names of how far an extraction got.
pub(super) const STATUSES: [(ExtractionStatus, &str); 3] = [
    (ExtractionStatus::Pending, "pending"),
    (ExtractionStatus::Done, "done"),
    (ExtractionStatus::Failed, "failed"),
];

impl<'a> Line<'a> {
    /// What a file begins with.
    pub(super) fn head() -> Self {
        Self::LorebaseExport(Head { format: FORMAT })
    }

    /// What a file of so many things ends with.
    pub(super) fn end(tally: Tally) -> Self {
        let Tally { episodes, tombstones, rulings, entities, facts } = tally;
        Self::End(End { episodes, tombstones, rulings, entities, facts })
    }

    /// The line of a thing.
    pub(super) fn of(namespace: &'a Namespace, thing: &'a Thing) -> Self {
        let namespace = Cow::Borrowed(namespace.as_str());
        match thing {
            Thing::Episode { episode, reading } => {
                Self::Episode(Box::new(EpisodeLine::of(namespace, episode, reading.as_ref())))
            }
            Thing::Tombstone(episode) => {
                Self::Tombstone(TombstoneLine { namespace, episode: written(episode) })
            }
            Thing::Ruling(ruling) => Self::Ruling(Box::new(RulingLine::of(namespace, ruling))),
            Thing::Entity(entity) => Self::Entity(EntityLine::of(namespace, entity)),
            Thing::Fact(fact) => Self::Fact(Box::new(FactLine::of(namespace, fact))),
        }
    }
}

impl End {
    /// Compares with what came before it.
    pub(super) fn check(&self, came: Tally) -> Result<(), String> {
        let pairs = [
            ("episodes", self.episodes, came.episodes),
            ("tombstones", self.tombstones, came.tombstones),
            ("rulings", self.rulings, came.rulings),
            ("entities", self.entities, came.entities),
            ("facts", self.facts, came.facts),
        ];
        match pairs.into_iter().find(|(_, told, came)| told != came) {
            None => Ok(()),
            Some((what, told, came)) => Err(format!("it counts {what}: {told}, and {came} came before")),
        }
    }
}

impl<'a> EpisodeLine<'a> {
    fn of(namespace: Cow<'a, str>, episode: &'a Episode, reading: Option<&'a Reading>) -> Self {
        Self {
            namespace,
            id: Some(written(&episode.id)),
            session: episode.session.as_str().into(),
            position: episode.position,
            speaker: episode.speaker.as_deref().map(Cow::Borrowed),
            at: episode.occurred_at.map(|at| written(&at.instant)),
            offset: episode.occurred_at.and_then(|at| at.offset_minutes),
            recorded: written(&episode.recorded_at),
            source_id: episode.source_id.as_deref().map(Cow::Borrowed),
            expires: episode.expires_at.as_ref().map(written),
            told: episode.told_at.as_ref().map(written),
            text: Cow::Borrowed(&episode.text),
            reading: reading.map(ReadingLine::of),
        }
    }
}

impl<'a> ReadingLine<'a> {
    fn of(reading: &'a Reading) -> Self {
        let status = STATUSES.iter().find(|(status, _)| *status == reading.status);
        Self {
            extractor: Cow::Borrowed(&reading.extractor),
            status: status.map_or("pending", |(_, name)| name).into(),
            mentions: reading.found.mentions.iter().map(MentionLine::of).collect(),
            claims: reading.found.triples.iter().map(ClaimLine::of).collect(),
            refused: reading.found.refused.iter().map(MarkLine::refused).collect(),
            flags: reading.found.flags.iter().map(MarkLine::flagged).collect(),
        }
    }
}

impl MarkLine<'_> {
    fn refused(refusal: &Refusal) -> Self {
        Self { span: ends(refusal.span), reason: refusal.reason.as_str().into() }
    }

    fn flagged(flag: &Flag) -> Self {
        Self { span: ends(flag.span), reason: flag.reason.as_str().into() }
    }
}

impl<'a> MentionLine<'a> {
    fn of(mention: &'a NamedSpan) -> Self {
        let (name, kind) = (Cow::Borrowed(mention.name.as_str()), mention.kind.as_str().into());
        Self { span: ends(mention.span), name, kind }
    }
}

impl<'a> ClaimLine<'a> {
    fn of(triple: &'a Triple) -> Self {
        Self {
            subject: NamedLine::of(&triple.subject),
            predicate: triple.predicate.as_str().into(),
            object: match &triple.object {
                TripleObject::Entity(named) => ClaimObject::Entity(NamedLine::of(named)),
                TripleObject::Value(value) => ClaimObject::Value(Cow::Borrowed(value)),
            },
            kind: triple.kind.as_str().into(),
            polarity: triple.polarity.as_str().into(),
            confidence: triple.confidence,
            valid: IntervalLine::of(triple.valid),
            span: ends(triple.span),
            hedged: triple.hedged,
            attributed_to: triple.attributed_to.as_deref().map(Cow::Borrowed),
            importance: triple.importance,
            granularity: triple.granularity.map(|granularity| granularity.as_str().into()),
            corrects: triple.corrects,
        }
    }
}

impl<'a> NamedLine<'a> {
    fn of(named: &'a Named) -> Self {
        Self { name: Cow::Borrowed(&named.name), kind: named.kind.as_str().into() }
    }
}

impl IntervalLine<'_> {
    fn of(interval: Interval) -> Self {
        Self { from: interval.from.as_ref().map(written), to: interval.to.as_ref().map(written) }
    }
}

impl<'a> EntityLine<'a> {
    fn of(namespace: Cow<'a, str>, entity: &'a EntityThing) -> Self {
        Self {
            namespace,
            id: written(&entity.id),
            name: Cow::Borrowed(&entity.name),
            kind: entity.kind.as_str().into(),
            aliases: entity.aliases.iter().map(|alias| Cow::Borrowed(alias.as_str())).collect(),
            episodes: entity.episodes,
            same_as: entity.same_as.iter().map(written).collect(),
        }
    }
}

impl<'a> FactLine<'a> {
    fn of(namespace: Cow<'a, str>, fact: &'a FactThing) -> Self {
        Self {
            namespace,
            id: written(&fact.id),
            subject: EndLine::of(&fact.subject),
            predicate: fact.predicate.as_str().into(),
            object: match &fact.object {
                ObjectThing::Entity(named) => FactObject::Entity(EndLine::of(named)),
                ObjectThing::Value(value) => FactObject::Value(Cow::Borrowed(value)),
            },
            kind: fact.kind.as_str().into(),
            polarity: fact.polarity.as_str().into(),
            confidence: fact.confidence,
            status: fact.status.as_str().into(),
            valid: IntervalLine::of(fact.valid),
            recorded: IntervalLine::of(fact.recorded),
            support: fact.support.iter().map(SupportLine::of).collect(),
        }
    }
}

impl<'a> EndLine<'a> {
    fn of(named: &'a EntityName) -> Self {
        Self { id: written(&named.id), name: Cow::Borrowed(&named.name) }
    }
}

impl<'a> SupportLine<'a> {
    fn of(support: &'a SupportThing) -> Self {
        Self {
            episode: written(&support.episode),
            span: ends(support.span),
            confidence: support.confidence,
            hedged: support.hedged,
            attributed_to: support.attributed_to.as_deref().map(Cow::Borrowed),
            importance: support.importance,
        }
    }
}

pub(super) fn written<'a>(value: &impl ToString) -> Cow<'a, str> {
    Cow::Owned(value.to_string())
}

fn ends(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

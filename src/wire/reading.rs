//! Lines of an export made things again, with every reason why one cannot be.

use std::borrow::Cow;
use std::str::FromStr;

use lorebase::engine::dates::Granularity;
use lorebase::engine::model::entity::EntityKind;
use lorebase::engine::model::episode::{Episode, Span};
use lorebase::engine::model::extraction::{
    Extraction, Flag, FlagReason, NamedSpan, Reading, Refusal, RefusalReason,
};
use lorebase::engine::model::fact::{FactKind, FactStatus, Named, Polarity, Triple, TripleObject};
use lorebase::engine::model::id::{EpisodeId, Namespace, SessionId};
use lorebase::engine::model::predicate::Predicate;
use lorebase::engine::model::time::{Interval, SourceTime, Timestamp};
use lorebase::transfer::{EntityName, EntityThing, FactThing, ObjectThing, SupportThing, Thing, id_in};

use super::lines::{
    ClaimLine, ClaimObject, EndLine, EntityLine, EpisodeLine, FactLine, FactObject, IntervalLine, MarkLine,
    MentionLine, NamedLine, ReadingLine, STATUSES, SupportLine, TombstoneLine,
};

pub(super) const POLARITIES: [(Polarity, &str); 2] =
    [(Polarity::Affirmed, Polarity::Affirmed.as_str()), (Polarity::Negated, Polarity::Negated.as_str())];

const FACT_STATUSES: [(FactStatus, &str); 3] = [
    (FactStatus::Current, FactStatus::Current.as_str()),
    (FactStatus::Superseded, FactStatus::Superseded.as_str()),
    (FactStatus::Retracted, FactStatus::Retracted.as_str()),
];

/// What a line tells, or what is wrong with it.
pub(super) type Told = Result<(Namespace, Thing), String>;

impl EpisodeLine<'_> {
    pub(super) fn into_thing(self) -> Told {
        let namespace = read::<Namespaced>(&self.namespace)?.0;
        let occurred_at = match (self.at, self.offset) {
            (Some(at), offset_minutes) => Some(SourceTime { instant: instant(&at)?, offset_minutes }),
            (None, None) => None,
            (None, Some(_)) => return Err("it has an offset and no time".to_owned()),
        };
        let mut episode = Episode {
            id: EpisodeId::from_bytes([0; 16]),
            session: SessionId::new(&self.session),
            position: self.position,
            speaker: self.speaker.map(Cow::into_owned),
            text: self.text.into_owned(),
            occurred_at,
            recorded_at: instant(&self.recorded)?,
            source_id: self.source_id.map(Cow::into_owned),
            expires_at: self.expires.as_deref().map(instant).transpose()?,
            told_at: self.told.as_deref().map(instant).transpose()?,
        };
        // Where none is told it follows from the rest.
        episode.id = match self.id {
            Some(id) => read(&id)?,
            None => id_in(&namespace, &episode),
        };
        let reading = self.reading.map(|reading| reading.into_model(episode.id)).transpose()?;
        Ok((namespace, Thing::Episode { episode, reading }))
    }
}

impl ReadingLine<'_> {
    fn into_model(self, episode: EpisodeId) -> Result<Reading, String> {
        let mentions = self.mentions.into_iter().map(MentionLine::into_model).collect::<Result<_, _>>()?;
        let triples = self.claims.into_iter().map(ClaimLine::into_model).collect::<Result<_, _>>()?;
        let refused = self.refused.into_iter().map(MarkLine::into_refusal).collect::<Result<_, _>>()?;
        let flags = self.flags.into_iter().map(MarkLine::into_flag).collect::<Result<_, _>>()?;
        Ok(Reading {
            episode,
            extractor: self.extractor.into_owned(),
            status: one_of(&STATUSES, &self.status, "status of a reading")?,
            found: Extraction { mentions, triples, refused, flags },
        })
    }
}

impl MarkLine<'_> {
    fn into_refusal(self) -> Result<Refusal, String> {
        let reason = one_of(&RefusalReason::ALL, &self.reason, "reason to refuse something")?;
        Ok(Refusal { span: span(self.span), reason })
    }

    fn into_flag(self) -> Result<Flag, String> {
        let reason = one_of(&FlagReason::ALL, &self.reason, "reason to flag something")?;
        Ok(Flag { span: span(self.span), reason })
    }
}

impl MentionLine<'_> {
    fn into_model(self) -> Result<NamedSpan, String> {
        Ok(NamedSpan { span: span(self.span), name: self.name.into_owned(), kind: entity_kind(&self.kind)? })
    }
}

impl ClaimLine<'_> {
    fn into_model(self) -> Result<Triple, String> {
        let subject = self.subject.into_model()?;
        let predicate = predicate(&self.predicate)?;
        let granularity = self.granularity;
        let object = match self.object {
            ClaimObject::Entity(named) => TripleObject::Entity(named.into_model()?),
            ClaimObject::Value(value) => TripleObject::Value(value.into_owned()),
        };
        Ok(Triple {
            polarity: one_of(&POLARITIES, &self.polarity, "polarity")?,
            kind: one_of(&FactKind::ALL, &self.kind, "kind of fact")?,
            confidence: self.confidence,
            valid: self.valid.into_model()?,
            span: span(self.span),
            hedged: self.hedged,
            attributed_to: self.attributed_to.map(Cow::into_owned),
            importance: self.importance,
            granularity: granularity
                .map(|name| one_of(&Granularity::ALL, &name, "granularity"))
                .transpose()?,
            corrects: self.corrects,
            ..Triple::new(subject, predicate, object)
        })
    }
}

impl NamedLine<'_> {
    fn into_model(self) -> Result<Named, String> {
        Ok(Named { name: self.name.into_owned(), kind: entity_kind(&self.kind)? })
    }
}

impl IntervalLine<'_> {
    fn into_model(self) -> Result<Interval, String> {
        let read = |end: Option<Cow<'_, str>>| end.map(|end| instant(&end)).transpose();
        Ok(Interval { from: read(self.from)?, to: read(self.to)? })
    }
}

impl TombstoneLine<'_> {
    pub(super) fn into_thing(self) -> Told {
        Ok((read::<Namespaced>(&self.namespace)?.0, Thing::Tombstone(read(&self.episode)?)))
    }
}

impl EntityLine<'_> {
    pub(super) fn into_thing(self) -> Told {
        let entity = EntityThing {
            id: read(&self.id)?,
            name: self.name.into_owned(),
            kind: entity_kind(&self.kind)?,
            aliases: self.aliases.into_iter().map(Cow::into_owned).collect(),
            episodes: self.episodes,
            same_as: self.same_as.iter().map(|id| read(id)).collect::<Result<_, _>>()?,
        };
        Ok((read::<Namespaced>(&self.namespace)?.0, Thing::Entity(entity)))
    }
}

impl FactLine<'_> {
    pub(super) fn into_thing(self) -> Told {
        let support = self.support.into_iter().map(SupportLine::into_model).collect::<Result<_, _>>()?;
        let fact = FactThing {
            id: read(&self.id)?,
            subject: self.subject.into_model()?,
            predicate: predicate(&self.predicate)?,
            object: match self.object {
                FactObject::Entity(named) => ObjectThing::Entity(named.into_model()?),
                FactObject::Value(value) => ObjectThing::Value(value.into_owned()),
            },
            kind: one_of(&FactKind::ALL, &self.kind, "kind of fact")?,
            polarity: one_of(&POLARITIES, &self.polarity, "polarity")?,
            confidence: self.confidence,
            status: one_of(&FACT_STATUSES, &self.status, "status of a fact")?,
            valid: self.valid.into_model()?,
            recorded: self.recorded.into_model()?,
            support,
        };
        Ok((read::<Namespaced>(&self.namespace)?.0, Thing::Fact(fact)))
    }
}

impl EndLine<'_> {
    fn into_model(self) -> Result<EntityName, String> {
        Ok(EntityName { id: read(&self.id)?, name: self.name.into_owned() })
    }
}

impl SupportLine<'_> {
    fn into_model(self) -> Result<SupportThing, String> {
        Ok(SupportThing {
            episode: read(&self.episode)?,
            span: span(self.span),
            confidence: self.confidence,
            hedged: self.hedged,
            attributed_to: self.attributed_to.map(Cow::into_owned),
            importance: self.importance,
        })
    }
}

/// A namespace that is read like everything else.
pub(super) struct Namespaced(pub(super) Namespace);

impl FromStr for Namespaced {
    type Err = lorebase::engine::error::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Namespace::new(text).map(Self)
    }
}

pub(super) fn read<T: FromStr<Err = lorebase::engine::error::Error>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

pub(super) fn instant(text: &str) -> Result<Timestamp, String> {
    Ok(read::<SourceTime>(text)?.instant)
}

pub(super) fn one_of<T: Copy>(known: &[(T, &str)], name: &str, what: &str) -> Result<T, String> {
    let found = known.iter().find(|(_, known)| *known == name);
    found.map(|(value, _)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(_, known)| *known).collect();
        let name: String = name.chars().take(60).collect();
        format!("\"{name}\" is no {what}: {} are known", names.join(", "))
    })
}

fn entity_kind(name: &str) -> Result<EntityKind, String> {
    one_of(&EntityKind::ALL, name, "kind of entity")
}

/// A predicate as it is stored, in snake case.
pub(super) fn predicate(name: &str) -> Result<Predicate, String> {
    let predicate = Predicate::new(name);
    if predicate.as_str() == name {
        return Ok(predicate);
    }
    Err(format!("the predicate must be written as \"{predicate}\""))
}

fn span((start, end): (u32, u32)) -> Span {
    Span { start, end }
}

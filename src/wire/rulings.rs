//! The line of a ruling in an export, both ways.

use std::borrow::Cow;

use lorebase::engine::model::fact::FactKind;
use lorebase::engine::model::id::Namespace;
use lorebase::engine::model::ruling::{Care, Evidence, RuledBy, Sign};
use lorebase::transfer::{ClaimThing, MatterThing, RulingThing, Thing};
use serde::{Deserialize, Serialize};

use super::lines::{is_false, written};
use super::reading::{Namespaced, POLARITIES, Told, instant, one_of, predicate, read};

/// What is told of every ruling, and what one of its kind is about.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RulingLine<'a> {
    namespace: Cow<'a, str>,
    /// What it settles; left out for names, which are all that format 2 knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    matter: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    one: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    same: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entity: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claims: Option<Vec<RuledClaim<'a>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    millis: Option<u64>,
    by: Cow<'a, str>,
    note: Option<Cow<'a, str>>,
    signs: Vec<Cow<'a, str>>,
    score: f32,
    recorded: Cow<'a, str>,
}

/// What a ruling on a fact is about.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuledClaim<'a> {
    subject: Cow<'a, str>,
    predicate: Cow<'a, str>,
    object: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "is_false")]
    value: bool,
    polarity: Cow<'a, str>,
    kind: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    began: Option<Cow<'a, str>>,
}

impl<'a> RulingLine<'a> {
    pub(super) fn of(namespace: Cow<'a, str>, ruling: &'a RulingThing) -> Self {
        let Evidence { by, note, signs, score } = &ruling.evidence;
        let line = Self {
            namespace,
            matter: None,
            one: None,
            other: None,
            same: None,
            entity: None,
            name: None,
            claims: None,
            at: None,
            rule: None,
            kind: None,
            millis: None,
            by: by.as_str().into(),
            note: note.as_deref().map(Cow::Borrowed),
            signs: signs.iter().map(|sign| sign.as_str().into()).collect(),
            score: *score,
            recorded: written(&ruling.recorded_at),
        };
        line.on(&ruling.matter)
    }

    fn on(self, matter: &'a MatterThing) -> Self {
        let text = |text: &'a String| Some(Cow::Borrowed(text.as_str()));
        let named = |name: &'static str| Some(Cow::Borrowed(name));
        match matter {
            MatterThing::Names { one, other, same } => {
                Self { one: text(one), other: text(other), same: Some(*same), ..self }
            }
            MatterThing::Rename { entity, name } => {
                Self { matter: named("rename"), entity: text(entity), name: text(name), ..self }
            }
            MatterThing::Fact { claims, care } => {
                let (matter, at) = match care {
                    Care::Note => ("note", None),
                    Care::Pin => ("pin", None),
                    Care::Unpin => ("unpin", None),
                    Care::Expire(at) => ("expire", at.as_ref().map(written)),
                };
                let claims = Some(claims.iter().map(RuledClaim::of).collect());
                Self { matter: named(matter), claims, at, ..self }
            }
            MatterThing::Rule(rule) => Self { matter: named("rule"), rule: text(rule), ..self },
            MatterThing::Retain { kind, millis } => {
                Self { matter: named("retain"), kind: named(kind.as_str()), millis: *millis, ..self }
            }
        }
    }

    pub(super) fn into_thing(self) -> Told {
        let namespace: Namespace = read::<Namespaced>(&self.namespace)?.0;
        let signs = self.signs.iter().map(|sign| one_of(&Sign::ALL, sign, "sign"));
        let evidence = Evidence {
            by: one_of(&RuledBy::ALL, &self.by, "way to rule")?,
            note: self.note.as_deref().map(str::to_owned),
            signs: signs.collect::<Result<_, _>>()?,
            score: self.score,
        };
        let recorded_at = instant(&self.recorded)?;
        let matter = self.into_matter()?;
        Ok((namespace, Thing::Ruling(RulingThing { matter, evidence, recorded_at })))
    }

    fn into_matter(self) -> Result<MatterThing, String> {
        let text = |text: Option<Cow<'_, str>>, field: &str| {
            text.map(Cow::into_owned).ok_or_else(|| format!("a ruling of this kind must have `{field}`"))
        };
        let Some(matter) = self.matter else {
            let same = self.same.ok_or("a ruling on names must have `same`")?;
            return Ok(MatterThing::Names {
                one: text(self.one, "one")?,
                other: text(self.other, "other")?,
                same,
            });
        };
        let care = match &*matter {
            "rename" => {
                let (entity, name) = (text(self.entity, "entity")?, text(self.name, "name")?);
                return Ok(MatterThing::Rename { entity, name });
            }
            "rule" => return Ok(MatterThing::Rule(text(self.rule, "rule")?)),
            "retain" => {
                let kind = one_of(&FactKind::ALL, &text(self.kind, "kind")?, "kind of fact")?;
                return Ok(MatterThing::Retain { kind, millis: self.millis });
            }
            "note" => Care::Note,
            "pin" => Care::Pin,
            "unpin" => Care::Unpin,
            "expire" => Care::Expire(self.at.as_deref().map(instant).transpose()?),
            other => {
                let known = "rename, note, pin, unpin, expire, rule and retain are known";
                return Err(format!("\"{other}\" is nothing that a ruling settles: {known}"));
            }
        };
        let claims = self.claims.ok_or("a ruling on a fact must have `claims`")?;
        let claims = claims.into_iter().map(RuledClaim::into_thing).collect::<Result<_, _>>()?;
        Ok(MatterThing::Fact { claims, care })
    }
}

impl<'a> RuledClaim<'a> {
    fn of(claim: &'a ClaimThing) -> Self {
        Self {
            subject: claim.subject.as_str().into(),
            predicate: claim.predicate.as_str().into(),
            object: claim.object.as_str().into(),
            value: claim.is_value,
            polarity: claim.polarity.as_str().into(),
            kind: claim.kind.as_str().into(),
            began: claim.began.as_ref().map(written),
        }
    }

    fn into_thing(self) -> Result<ClaimThing, String> {
        Ok(ClaimThing {
            subject: self.subject.into_owned(),
            predicate: predicate(&self.predicate)?,
            object: self.object.into_owned(),
            is_value: self.value,
            polarity: one_of(&POLARITIES, &self.polarity, "polarity")?,
            kind: one_of(&FactKind::ALL, &self.kind, "kind of fact")?,
            began: self.began.as_deref().map(instant).transpose()?,
        })
    }
}

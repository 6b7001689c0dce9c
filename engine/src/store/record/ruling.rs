//! A commit that rules, as the journal holds it.

use rkyv::{Archive, Deserialize, Serialize};

use super::{Commit, check_confidence, decode_as, encode, namespace_of, one_of, timestamp};
use crate::model::id::{EntityId, ID_BYTES, Namespace};
use crate::model::ruling::{Evidence, Form, Matter, Names, RuledBy, Ruling, Sign};

/// The version of the record that is written.
pub(in crate::store) const RULE_VERSION: u8 = 2;

/// Rulings of a namespace.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
pub(super) struct RulingsV2 {
    pub(super) namespace: String,
    rulings: Vec<RulingV2>,
}

/// A ruling.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
struct RulingV2 {
    /// The code of its matter.
    matter: u8,
    ids: Vec<[u8; ID_BYTES]>,
    text: String,
    number: Option<i64>,
    /// The code of who ruled.
    by: u8,
    note: Option<String>,
    /// The codes of the signs.
    signs: Vec<u8>,
    score: f32,
    recorded_at: i64,
}

/// Rulings on names of a namespace, as stores before format 4 have them.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
pub(super) struct RulingsV1 {
    pub(super) namespace: String,
    pub(super) rulings: Vec<RulingV1>,
}

/// A ruling on names.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
pub(super) struct RulingV1 {
    pub(super) one: [u8; ID_BYTES],
    pub(super) other: [u8; ID_BYTES],
    pub(super) same: bool,
    /// The code of who ruled.
    pub(super) by: u8,
    pub(super) note: Option<String>,
    /// The codes of the signs.
    pub(super) signs: Vec<u8>,
    pub(super) score: f32,
    pub(super) recorded_at: i64,
}

/// The bytes of a record of rulings.
pub(in crate::store) fn encode_rulings<'r>(
    namespace: &Namespace,
    rulings: impl IntoIterator<Item = &'r Ruling>,
) -> Vec<u8> {
    let rulings = rulings.into_iter().map(RulingV2::of).collect();
    encode(&RulingsV2 { namespace: namespace.as_str().to_owned(), rulings }).into_vec()
}

pub(super) fn decode(version: u8, meta: &[u8], blob: &[u8]) -> Result<Commit, String> {
    if !blob.is_empty() {
        return Err("a record of rulings has texts".to_owned());
    }
    let (namespace, rulings) = if version == 1 {
        let record: RulingsV1 = decode_as(meta)?;
        let rulings: Result<_, String> = record.rulings.into_iter().map(RulingV1::into_model).collect();
        (record.namespace, rulings?)
    } else {
        let record: RulingsV2 = decode_as(meta)?;
        let rulings: Result<_, String> = record.rulings.into_iter().map(RulingV2::into_model).collect();
        (record.namespace, rulings?)
    };
    Ok(Commit { rulings, ..Commit::of(namespace_of(&namespace)?) })
}

impl RulingV2 {
    fn of(ruling: &Ruling) -> Self {
        let Evidence { by, note, signs, score } = &ruling.evidence;
        let Form { code, ids, text, number } = ruling.matter.form();
        Self {
            matter: code,
            ids,
            text,
            number,
            by: *by as u8,
            note: note.clone(),
            signs: signs.iter().map(|sign| *sign as u8).collect(),
            score: *score,
            recorded_at: ruling.recorded_at.as_millis(),
        }
    }

    fn into_model(self) -> Result<Ruling, String> {
        let Self { matter: code, ids, text, number, by, note, signs, score, recorded_at } = self;
        Ok(Ruling {
            matter: Matter::of(Form { code, ids, text, number })?,
            evidence: evidence(by, note, signs, score)?,
            recorded_at: timestamp(recorded_at)?,
        })
    }
}

impl RulingV1 {
    fn into_model(self) -> Result<Ruling, String> {
        let Self { one, other, same, by, note, signs, score, recorded_at } = self;
        let (one, other) = (EntityId::from_bytes(one), EntityId::from_bytes(other));
        Ok(Ruling {
            matter: Matter::Names(Names { one, other, same }),
            evidence: evidence(by, note, signs, score)?,
            recorded_at: timestamp(recorded_at)?,
        })
    }
}

fn evidence(by: u8, note: Option<String>, signs: Vec<u8>, score: f32) -> Result<Evidence, String> {
    let signs = signs.into_iter().map(|code| one_of(&Sign::ALL, u64::from(code)));
    Ok(Evidence {
        by: one_of(&RuledBy::ALL, u64::from(by))?,
        note,
        signs: signs.collect::<Result<_, _>>()?,
        score: check_confidence(score)?,
    })
}

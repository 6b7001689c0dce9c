//! A commit that rules on names, as the journal holds it.

use rkyv::{Archive, Deserialize, Serialize};

use super::{Commit, check_confidence, decode_as, encode, namespace_of, one_of, timestamp};
use crate::model::id::{EntityId, ID_BYTES, Namespace};
use crate::model::ruling::{Evidence, RuledBy, Ruling, Sign};

/// Rulings on names of a namespace.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
pub(super) struct RulingsV1 {
    pub(super) namespace: String,
    rulings: Vec<RulingV1>,
}

/// A ruling.
#[derive(Archive, Serialize, Deserialize, Debug, PartialEq)]
struct RulingV1 {
    one: [u8; ID_BYTES],
    other: [u8; ID_BYTES],
    same: bool,
    /// The code of who ruled.
    by: u8,
    note: Option<String>,
    /// The codes of the signs.
    signs: Vec<u8>,
    score: f32,
    recorded_at: i64,
}

/// The bytes of a record of rulings.
pub(in crate::store) fn encode_rulings<'r>(
    namespace: &Namespace,
    rulings: impl IntoIterator<Item = &'r Ruling>,
) -> Vec<u8> {
    let rulings = rulings.into_iter().map(RulingV1::of).collect();
    encode(&RulingsV1 { namespace: namespace.as_str().to_owned(), rulings }).into_vec()
}

pub(super) fn decode(meta: &[u8], blob: &[u8]) -> Result<Commit, String> {
    let record: RulingsV1 = decode_as(meta)?;
    if !blob.is_empty() {
        return Err("a record of rulings has texts".to_owned());
    }
    let rulings = record.rulings.into_iter().map(RulingV1::into_model).collect::<Result<_, _>>()?;
    Ok(Commit { rulings, ..Commit::of(namespace_of(&record.namespace)?) })
}

impl RulingV1 {
    fn of(ruling: &Ruling) -> Self {
        let Evidence { by, note, signs, score } = &ruling.evidence;
        Self {
            one: *ruling.one.as_bytes(),
            other: *ruling.other.as_bytes(),
            same: ruling.same,
            by: *by as u8,
            note: note.clone(),
            signs: signs.iter().map(|sign| *sign as u8).collect(),
            score: *score,
            recorded_at: ruling.recorded_at.as_millis(),
        }
    }

    fn into_model(self) -> Result<Ruling, String> {
        let signs = self.signs.into_iter().map(|code| one_of(&Sign::ALL, u64::from(code)));
        Ok(Ruling {
            one: EntityId::from_bytes(self.one),
            other: EntityId::from_bytes(self.other),
            same: self.same,
            evidence: Evidence {
                by: one_of(&RuledBy::ALL, u64::from(self.by))?,
                note: self.note,
                signs: signs.collect::<Result<_, _>>()?,
                score: check_confidence(self.score)?,
            },
            recorded_at: timestamp(self.recorded_at)?,
        })
    }
}

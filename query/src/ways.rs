//! The parts of the recall formula that can be switched off, to measure what each is worth.

use std::fmt;
use std::str::FromStr;

/// One part of the recall formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// Scores of neighbouring turns.
    Neighbours,
    /// The extra weight of an answer to a matching question.
    Answers,
    /// The session's own score.
    Session,
    /// Coverage of the question near a turn.
    Coverage,
    /// Attribution to the speaker or document that the question names.
    Speaker,
    /// Dates that the question names.
    Timeline,
    /// Age, where the time of asking is given.
    Recency,
    /// Vectors.
    Vector,
    /// The walk over shared entities.
    Bridge,
    /// Routes over facts.
    Facts,
    /// The extra weight of rare terms.
    Rarity,
    /// Lower scores of near copies, where vectors know meaning.
    Copies,
    /// What is said anew, with another value, above what it supersedes.
    Updates,
    /// The learnt order of the first hits.
    Order,
}

impl Way {
    /// Every part with the name it is switched off by.
    pub const ALL: [(Self, &'static str); 14] = [
        (Self::Neighbours, "neighbours"),
        (Self::Answers, "answers"),
        (Self::Session, "session"),
        (Self::Coverage, "coverage"),
        (Self::Speaker, "speaker"),
        (Self::Timeline, "timeline"),
        (Self::Recency, "recency"),
        (Self::Vector, "vector"),
        (Self::Bridge, "bridge"),
        (Self::Facts, "facts"),
        (Self::Rarity, "rarity"),
        (Self::Copies, "copies"),
        (Self::Updates, "updates"),
        (Self::Order, "order"),
    ];
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::ALL[*self as usize].1)
    }
}

/// A name that is no part of the formula.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is no part of recall that can be left out; the parts are {}", names())]
pub struct UnknownWay {
    /// The name as given.
    pub name: String,
}

fn names() -> String {
    Way::ALL.map(|(_, name)| name).join(", ")
}

impl FromStr for Way {
    type Err = UnknownWay;

    fn from_str(name: &str) -> Result<Self, UnknownWay> {
        let found = Way::ALL.iter().find(|(_, known)| *known == name);
        found.map(|(way, _)| *way).ok_or_else(|| UnknownWay { name: name.to_owned() })
    }
}

/// Which parts of the formula are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ways(u16);

impl Default for Ways {
    fn default() -> Self {
        Self::ALL
    }
}

impl Ways {
    /// All of them.
    pub const ALL: Self = Self(u16::MAX);
    /// None: plain BM25 over passages.
    pub const NONE: Self = Self(0);

    /// These without `way`.
    #[must_use]
    pub fn without(self, way: Way) -> Self {
        Self(self.0 & !(1 << way as u16))
    }

    /// Whether `way` is used.
    pub fn use_of(self, way: Way) -> bool {
        self.0 & (1 << way as u16) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_the_parts_and_parse() {
        for (number, (way, name)) in Way::ALL.into_iter().enumerate() {
            assert_eq!((way as usize, way.to_string().as_str()), (number, name));
            assert_eq!(name.parse(), Ok(way));
        }
        assert!("everything".parse::<Way>().unwrap_err().to_string().contains("bridge"));
    }

    #[test]
    fn parts_are_left_out_one_by_one() {
        let ways = Ways::ALL.without(Way::Bridge);
        assert!(!ways.use_of(Way::Bridge) && ways.use_of(Way::Vector) && !Ways::NONE.use_of(Way::Session));
    }
}

//! Which persons are likely one, and what speaks for it. Nothing is made one by this: it is for somebody to decide.

use rustc_hash::{FxHashMap, FxHashSet};

use super::State;
use crate::graph::{EntityIx, SessionIx};
use crate::model::entity::EntityKind;
use crate::model::ruling::Sign;

/// Two persons that are likely one.
#[derive(Debug, Clone, PartialEq)]
pub struct Likely {
    /// The one with the full name.
    pub one: EntityIx,
    /// The one with a part of it.
    pub other: EntityIx,
    /// What speaks for it, in the order of [`Sign::ALL`].
    pub signs: Vec<Sign>,
    /// How strong that is, from 0 to 1: an order of what to look at first, and not how often it is right.
    pub score: f32,
}

/// Whether two first names, folded, are forms of one name, such as "bob" and "robert".
pub type Nicknames<'n> = &'n dyn Fn(&str, &str) -> bool;

/// Words before a name that are no part of it.
const TITLES: [&str; 14] = [
    "capt",
    "captain",
    "dame",
    "dr",
    "doctor",
    "lady",
    "lord",
    "miss",
    "mr",
    "mrs",
    "ms",
    "prof",
    "professor",
    "sir",
];

/// A name of a person, in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parts<'n> {
    /// A first and a last name, both in full.
    Full { first: &'n str, last: &'n str },
    /// An initial and a last name.
    Initial { initial: &'n str, last: &'n str },
    /// One word, which is a last name where a title stands before it.
    Word { word: &'n str, titled: bool },
}

impl<'n> Parts<'n> {
    fn of(folded: &'n str) -> Option<Self> {
        let all = folded.split(' ').map(|word| word.trim_end_matches('.')).filter(|word| !word.is_empty());
        let mut all = all.peekable();
        let mut titled = false;
        while all.next_if(|word| TITLES.contains(word)).is_some() {
            titled = true;
        }
        let first = all.next()?;
        match all.last() {
            None => Some(Self::Word { word: first, titled }),
            Some(last) if is_initial(first) => Some(Self::Initial { initial: first, last }),
            Some(last) => Some(Self::Full { first, last }),
        }
    }

    /// How this may be the name of somebody with a full name.
    fn fits(self, (first, last): (&str, &str), nicknames: Nicknames<'_>) -> Option<Sign> {
        match self {
            Self::Word { word, titled: false } if word == first => Some(Sign::FirstName),
            Self::Word { word, .. } if word == last => Some(Sign::LastName),
            Self::Word { word, titled: false } if nicknames(word, first) => Some(Sign::Nickname),
            Self::Initial { initial, last: own } if own == last && first.starts_with(initial) => {
                Some(Sign::Initial)
            }
            Self::Full { first: own, last: other }
                if other == last && own != first && nicknames(own, first) =>
            {
                Some(Sign::Nickname)
            }
            _ => None,
        }
    }
}

fn is_initial(word: &str) -> bool {
    word.chars().count() == 1 && word.chars().all(char::is_alphabetic)
}

/// What a sign is worth.
const fn worth(sign: Sign) -> f32 {
    match sign {
        Sign::Initial => 0.6,
        Sign::FirstName | Sign::Nickname => 0.5,
        Sign::LastName => 0.4,
        Sign::OnlyOne => 0.2,
        Sign::SameSession => 0.1,
    }
}

impl State {
    /// The persons that are likely one: of whom one is called by a full name and the other by a part of it, where no other full
    /// name fits that. Those that were ruled to be two are left out, and those that speak with each other. The
    /// strongest first.
    pub fn likely_one(&self, nicknames: Nicknames<'_>) -> Vec<Likely> {
        let persons: Vec<EntityIx> = (0..self.entities().len() as u32)
            .map(EntityIx)
            .filter(|ix| self.entity(*ix).alive() && self.entity(*ix).kind() == EntityKind::Person)
            .collect();
        let full = self.full_names(&persons);
        // By the words that lead to them; a nickname may lead to any.
        let mut by_word: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (place, (first, last, _)) in full.iter().enumerate() {
            by_word.entry(first).or_default().push(place);
            by_word.entry(last).or_default().push(place);
        }
        let mut firsts: Vec<&str> = full.iter().map(|(first, ..)| *first).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let mut likely: Vec<Likely> = Vec::new();
        for &other in &persons {
            let mut fitting: FxHashMap<EntityIx, Sign> = FxHashMap::default();
            for parts in self.folded_names(other).into_iter().filter_map(Parts::of) {
                let words: Vec<&str> = match parts {
                    Parts::Word { word, .. } => {
                        let nick = firsts.iter().copied().filter(|first| nicknames(word, first));
                        nick.chain([word]).collect()
                    }
                    Parts::Initial { last, .. } | Parts::Full { last, .. } => vec![last],
                };
                for (first, last, one) in
                    words.iter().filter_map(|word| by_word.get(word)).flatten().map(|place| full[*place])
                {
                    if one != other
                        && let Some(sign) = parts.fits((first, last), nicknames)
                    {
                        let known = fitting.entry(one).or_insert(sign);
                        *known = if worth(sign) > worth(*known) { sign } else { *known };
                    }
                }
            }
            if let [(one, sign)] = fitting.into_iter().collect::<Vec<_>>()[..] {
                likely.extend(self.weighed(one, other, sign));
            }
        }
        let names = |likely: &Likely| (self.entity(likely.one).id, self.entity(likely.other).id);
        likely.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| names(a).cmp(&names(b))));
        likely
    }

    /// First and last name of everybody who is called by both.
    fn full_names(&self, persons: &[EntityIx]) -> Vec<(&str, &str, EntityIx)> {
        let names =
            |ix: &EntityIx| self.folded_names(*ix).into_iter().map(|name| (name, *ix)).collect::<Vec<_>>();
        let full = persons.iter().flat_map(names).filter_map(|(name, ix)| match Parts::of(name) {
            Some(Parts::Full { first, last }) => Some((first, last, ix)),
            _ => None,
        });
        full.collect()
    }

    fn weighed(&self, one: EntityIx, other: EntityIx, sign: Sign) -> Option<Likely> {
        let ((named, speaks), (named_too, speaks_too)) = (self.sessions_of(one), self.sessions_of(other));
        if self.are_apart(one, other) || !speaks.is_disjoint(&speaks_too) {
            return None;
        }
        let mut signs = vec![sign, Sign::OnlyOne];
        if !named.is_disjoint(&named_too) {
            signs.push(Sign::SameSession);
        }
        let score = signs.iter().map(|sign| worth(*sign)).sum();
        Some(Likely { one, other, signs, score })
    }

    /// The sessions in which somebody is named, and those in which he speaks.
    fn sessions_of(&self, ix: EntityIx) -> (FxHashSet<SessionIx>, FxHashSet<SessionIx>) {
        let speaking: FxHashSet<u32> =
            self.folded_names(ix).into_iter().filter_map(|name| self.speaker_called(name)).collect();
        let (mut named, mut speaks) = (FxHashSet::default(), FxHashSet::default());
        for episode in self.mentioning(ix).map(|episode| self.episode(episode)) {
            named.insert(episode.session);
            if episode.speaker.is_some_and(|speaker| speaking.contains(&speaker)) {
                speaks.insert(episode.session);
            }
        }
        (named, speaks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        assert_eq!(Parts::of("dr. gera van vossen"), Some(Parts::Full { first: "gera", last: "vossen" }));
        assert_eq!(Parts::of("g. vossen"), Some(Parts::Initial { initial: "g", last: "vossen" }));
        assert_eq!(Parts::of("mrs vossen"), Some(Parts::Word { word: "vossen", titled: true }));
        assert_eq!(Parts::of("gera"), Some(Parts::Word { word: "gera", titled: false }));
        assert_eq!((Parts::of("dr"), Parts::of("")), (None, None));
    }

    #[test]
    fn a_part_of_a_name_fits_it_in_one_way() {
        let nicknames = |one: &str, other: &str| (one, other) == ("bob", "robert");
        let fits = |name, full| Parts::of(name).unwrap().fits(full, &nicknames);
        let gera = ("gera", "vossen");
        assert_eq!(fits("gera", gera), Some(Sign::FirstName));
        assert_eq!((fits("mrs gera", gera), fits("vossen", gera)), (None, Some(Sign::LastName)));
        assert_eq!(
            (fits("mrs vossen", gera), fits("g vossen", gera)),
            (Some(Sign::LastName), Some(Sign::Initial))
        );
        assert_eq!(
            (fits("h. vossen", gera), fits("gera mulder", gera), fits("gera vossen", gera)),
            (None, None, None)
        );
        let robert = ("robert", "mulder");
        assert_eq!(
            (fits("bob", robert), fits("bob mulder", robert)),
            (Some(Sign::Nickname), Some(Sign::Nickname))
        );
        assert_eq!((fits("bob vossen", robert), fits("rob", robert)), (None, None));
    }
}

//! The verb group behind a subject: auxiliaries, negation, hedges and the main verb.

use crate::rules::persons::Agreement;
use crate::rules::reading::Reading;
use crate::rules::verbs::{Form, Verb, verb};
use crate::rules::words;

/// What the verb group says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    /// "is", "was", with what follows.
    Copula,
    /// "is working".
    Progressive(Verb),
    /// "was founded", "is married".
    Passive(Verb),
    /// "works", "has worked", "worked".
    Active(Verb),
}

/// How a verb group stands to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    /// It is so.
    Present,
    /// It was so, or has been so.
    Past,
    /// "has worked".
    Perfect,
    /// "will", "is going to".
    Future,
    /// "would".
    Would,
    /// "used to": it was so and is not any more.
    UsedTo,
}

/// A verb group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub(super) head: Head,
    pub(super) mood: Mood,
    pub(super) negated: bool,
    pub(super) hedged: bool,
    /// The first token after it.
    pub(super) end: usize,
}

/// The verb group at `at`, or `None` where there is none or it asserts nothing ("could", "should").
pub(super) fn group(
    reading: &Reading<'_, '_>,
    at: usize,
    limit: usize,
    agreement: Agreement,
) -> Option<Group> {
    let mut parser = Parser {
        reading,
        at,
        limit,
        mood: Mood::Present,
        negated: false,
        hedged: false,
        carrier: Carrier::None,
    };
    while parser.at < limit && parser.auxiliary()? {}
    parser.main(agreement)
}

/// What stands before the main verb and shapes it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carrier {
    None,
    /// An auxiliary that takes the inflection from the main verb.
    Helper,
    /// "is", "was": a participle or what is said of the subject follows.
    Be,
}

struct Parser<'r, 'a, 't> {
    reading: &'r Reading<'a, 't>,
    at: usize,
    limit: usize,
    mood: Mood,
    negated: bool,
    hedged: bool,
    carrier: Carrier,
}

impl Parser<'_, '_, '_> {
    /// Reads one word that is not the main verb. `Some(false)` where the main verb is reached, `None` where the
    /// group asserts nothing.
    fn auxiliary(&mut self) -> Option<bool> {
        let next = self.reading.word(self.at + 1);
        match self.reading.word(self.at) {
            // "Not only a nurse" is a nurse.
            "not" | "n't" if matches!(next, "only" | "just" | "merely" | "necessarily") => {
                self.hedged |= next == "necessarily";
            }
            "not" | "n't" | "never" => self.negated = true,
            "no" if next == "longer" => {
                self.negated = true;
                self.at += 1;
            }
            "'s" if matches!(next, "been" | "got" | "always") => self.helped(Mood::Perfect),
            "been" if next == "to" => return Some(false),
            "'m" | "am" | "is" | "are" | "'re" | "be" | "'s" | "been" => self.carrier = Carrier::Be,
            "was" | "were" => {
                self.carrier = Carrier::Be;
                self.mood = Mood::Past;
            }
            "do" | "does" if matches!(next, "n't" | "not" | "really") || verb(next).is_some() => {
                self.carrier = Carrier::Helper;
            }
            "did" if matches!(next, "n't" | "not") || verb(next).is_some() => self.helped(Mood::Past),
            "will" | "'ll" | "wo" => self.helped(Mood::Future),
            _ => return self.modal(next),
        }
        self.at += 1;
        Some(true)
    }

    /// As [`Parser::auxiliary`], for the words that change how what is said stands to the world.
    fn modal(&mut self, next: &str) -> Option<bool> {
        match self.reading.word(self.at) {
            "would" | "'d" => self.helped(Mood::Would),
            "might" | "may" => {
                self.hedged = true;
                self.carrier = Carrier::Helper;
            }
            "ca" if self.reading.is(self.at + 2, &["stand"]) => self.carrier = Carrier::Helper,
            "can" if next == "speak" => self.carrier = Carrier::Helper,
            "could" | "can" | "ca" | "should" | "must" | "shall" => return None,
            "used" if next == "to" && !self.is_be() => {
                self.helped(Mood::UsedTo);
                self.at += 1;
            }
            "have" | "has" | "had" | "'ve" if self.is_perfect() => self.helped(Mood::Perfect),
            word if words::is_hedge(word) && word.ends_with('y') || word == "maybe" => {
                self.hedged = true;
            }
            word if words::is_adverb(word) && !self.stops_at_adverb() => {}
            _ => return Some(false),
        }
        self.at += 1;
        Some(true)
    }

    fn has_helper(&self) -> bool {
        self.carrier == Carrier::Helper
    }

    fn is_be(&self) -> bool {
        self.carrier == Carrier::Be
    }

    fn helped(&mut self, mood: Mood) {
        self.carrier = Carrier::Helper;
        self.mood = mood;
    }

    /// Behind "be", what looks like an adverb may be all that is said: "I'm back", "I'm so happy".
    fn stops_at_adverb(&self) -> bool {
        self.is_be()
            && self.reading.is(
                self.at,
                &[
                    "back", "here", "there", "away", "so", "very", "pretty", "quite", "super", "too", "all",
                    "well", "together",
                ],
            )
    }

    /// Whether the "have" at hand is an auxiliary: a participle follows, adverbs and "not" aside.
    fn is_perfect(&self) -> bool {
        let mut at = self.at + 1;
        while at < self.limit
            && (words::is_adverb(self.reading.word(at)) || self.reading.is(at, &["not", "n't", "never"]))
        {
            at += 1;
        }
        self.reading.is(at, &["been"])
            || matches!(verb(self.reading.word(at)), Some((_, Form::Past | Form::Participle)))
    }

    fn main(self, agreement: Agreement) -> Option<Group> {
        let word = self.reading.word(self.at);
        let group = |head, end| {
            Some(Group { head, mood: self.mood, negated: self.negated, hedged: self.hedged, end })
        };
        if self.has_helper() && self.negated && word == "stand" {
            return Some(Group { negated: false, ..group(Head::Active(Verb::Dislike), self.at + 1)? });
        }
        match verb(word) {
            Some((verb, Form::Ing)) if self.is_be() => group(Head::Progressive(verb), self.at + 1),
            Some((verb, Form::Past | Form::Participle))
                if self.is_be() && !matches!(verb, Verb::Go | Verb::Part) && word != "retired" =>
            {
                group(Head::Passive(verb), self.at + 1)
            }
            _ if self.is_be() => group(Head::Copula, self.at),
            Some((verb, form)) if self.agrees(agreement, form) => {
                let past = form == Form::Past && self.mood == Mood::Present;
                Some(Group {
                    mood: if past { Mood::Past } else { self.mood },
                    ..group(Head::Active(verb), self.at + 1)?
                })
            }
            _ => None,
        }
    }

    fn agrees(&self, agreement: Agreement, form: Form) -> bool {
        match form {
            Form::Past => !self.has_helper() || self.mood == Mood::Perfect,
            Form::Participle => self.mood == Mood::Perfect,
            Form::Base => self.has_helper() && self.mood != Mood::Perfect || agreement == Agreement::Plain,
            Form::Third => agreement == Agreement::Third && !self.has_helper(),
            Form::Ing => false,
        }
    }
}

//! One episode as the patterns see it: tokens, names, times, and the noun phrases read from them.

use lorebase_engine::dates::TimeExpression;
use lorebase_engine::model::episode::Span;
use lorebase_engine::model::fact::{Named, TripleObject};
use lorebase_engine::model::time::Timestamp;

use crate::coref::Referent;
use crate::names::Name;
use crate::rules::corrections::Earlier;
use crate::rules::verbs::{Form, verb};
use crate::rules::words;
use crate::syntax::tokens::{Kind, Token};

/// An episode, cut up.
pub(super) struct Reading<'a, 't> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token<'t>],
    pub(super) names: &'a [Name],
    pub(super) times: &'a [TimeExpression],
    pub(super) speaker: Option<&'a str>,
    pub(super) other: Option<&'a str>,
    /// Whom each token stands for, where it is a pronoun that is understood.
    pub(super) referents: &'a [Option<Referent>],
    /// When it is said, by the clock on the wall.
    pub(super) said: Option<Timestamp>,
    /// The turns before it.
    pub(super) earlier: &'a [Earlier<'a, 't>],
}

/// A noun phrase, as a range of tokens and as the object of a triple.
#[derive(Debug, Clone)]
pub(super) struct Phrase {
    pub(super) end: usize,
    /// Its last word that is not part of an "of": "teacher" in "a teacher of music".
    pub(super) head: usize,
    pub(super) object: TripleObject,
}

impl Phrase {
    /// The first word of its text.
    pub(super) fn first_word(&self) -> &str {
        let text = match &self.object {
            TripleObject::Entity(named) => &named.name,
            TripleObject::Value(text) => text,
        };
        text.split(' ').next().unwrap_or_default()
    }

    pub(super) fn named(&self) -> Option<&Named> {
        match &self.object {
            TripleObject::Entity(named) => Some(named),
            TripleObject::Value(_) => None,
        }
    }
}

/// Words that the end of a clause is not told by.
const TRAILING: &[&str] = &[
    "and", "to", "the", "a", "an", "of", "in", "that", "or", "with", "for", "my", "at", "on", "too", "we",
    "i", "they", "he", "she", "what", "how", "their", "his", "her", "some", "when", "about", "from", "by",
];
/// How sure a referent must be to be the subject of a fact: of two that were named side by side, neither is.
const CERTAIN: f32 = 0.9;
/// The longest noun phrase, in tokens.
const LONGEST: usize = 8;
/// Heads that say nothing by themselves.
const EMPTY_HEADS: &[&str] = &[
    "lot", "lots", "bit", "bunch", "ton", "tons", "thing", "things", "stuff", "one", "ones", "way", "kind",
    "sort", "part", "time", "times", "chance", "moment", "while", "couple", "few", "other", "others",
    "person", "people", "idea", "point", "place", "places", "home",
];

impl<'t> Reading<'_, 't> {
    pub(super) fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.word)
    }

    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        words.contains(&self.word(at))
    }

    /// Whom the pronoun at a token surely stands for, and how sure that is.
    pub(super) fn meant(&self, at: usize) -> Option<(Named, f32)> {
        let referent = self.referents.get(at)?.as_ref().filter(|referent| referent.confidence >= CERTAIN)?;
        let named = Named { name: referent.name.clone(), kind: referent.kind };
        Some((named, referent.confidence))
    }

    /// The name that begins at a token.
    pub(super) fn name_at(&self, at: usize) -> Option<&Name> {
        let index = self.names.binary_search_by_key(&at, |name| name.first).ok()?;
        self.names.get(index)
    }

    /// The name that ends before a token.
    pub(super) fn name_before(&self, at: usize) -> Option<&Name> {
        let index = self.names.partition_point(|name| name.end < at);
        self.names.get(index).filter(|name| name.end == at)
    }

    pub(super) fn is_sign(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(|token| token.kind == Kind::Sign)
    }

    /// Whether a token is part of an expression of time.
    pub(super) fn in_time(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let first = self.times_from(token.chars.0).first();
        first.is_some_and(|time| time.span.start <= token.chars.0)
    }

    /// The expressions of time that end after a character; they stand in the order of the text.
    pub(super) fn times_from(&self, character: u32) -> &[TimeExpression] {
        &self.times[self.times.partition_point(|time| time.span.end <= character)..]
    }

    pub(super) fn span(&self, first: usize, end: usize) -> Span {
        Span { start: self.tokens[first].chars.0, end: self.tokens[end - 1].chars.1 }
    }

    pub(super) fn slice(&self, first: usize, end: usize) -> &str {
        &self.text[self.tokens[first].bytes.0..self.tokens[end - 1].bytes.1]
    }

    /// The noun phrase at `at`, which ends before `limit`.
    pub(super) fn phrase(&self, at: usize, limit: usize) -> Option<Phrase> {
        // "This song", "her house": without what was said before, nobody knows which.
        if self.is(at, &["this", "that", "these", "those", "his", "her", "their", "its"]) {
            return None;
        }
        let mut first = at;
        while first < limit && words::is_article(self.word(first)) {
            first += 1;
        }
        let quoted = usize::from(self.is(first, &["\"", "“", "'", "«"]));
        if let Some(name) = self.name_at(first + quoted)
            && !self.in_time(first)
        {
            let goes_on =
                self.is(name.end, &["'s", "+"]) || first > at && quoted == 0 && self.is_noun(name.end, limit);
            if !goes_on {
                let closed = quoted == 1 && self.is(name.end, &["\"", "”", "'", "’", "»"]);
                return Some(Phrase {
                    end: name.end + usize::from(closed),
                    head: name.end - 1,
                    object: TripleObject::Entity(Named { name: name.called.clone(), kind: name.kind }),
                });
            }
        }
        self.plain_phrase(first, limit)
    }

    /// Whether a word that can be part of a noun phrase stands at `at`.
    fn is_noun(&self, at: usize, limit: usize) -> bool {
        at < limit
            && !self.is_sign(at)
            && !words::ends_phrase(self.word(at))
            && !self.in_time(at)
            && self.word(at) != "of"
    }

    fn plain_phrase(&self, first: usize, limit: usize) -> Option<Phrase> {
        let limit = limit.min(first + LONGEST);
        let mut end = first;
        let mut head = None;
        let mut in_of = false;
        while end < limit && !self.in_time(end) && (!self.is_sign(end) || self.is_joint(end, first)) {
            let word = self.word(end);
            if word == "of" && end > first {
                in_of = true;
            } else if word == "'s" && end > first {
                in_of = false;
            } else if words::ends_phrase(word)
                || self.is_clause_verb(end, first)
                || self.opens_another(end, head)
            {
                break;
            } else if !in_of && !words::is_determiner(word) {
                head = Some(end);
            }
            end += 1;
        }
        while end > first && (self.is(end - 1, &["of", "'s"]) || words::is_determiner(self.word(end - 1))) {
            end -= 1;
        }
        let head = head.filter(|head| *head < end)?;
        let manner = head == first && self.word(head).ends_with("ly");
        let empty = EMPTY_HEADS.contains(&self.word(head)) && !self.slice(first, end).contains(" of ");
        (!empty && !manner && end > first).then(|| Phrase {
            end,
            head,
            object: TripleObject::Value(self.told(first, end)),
        })
    }

    /// The text of a phrase with a leading "my" or "your" told by name.
    fn told(&self, first: usize, end: usize) -> String {
        let owner = match self.word(first) {
            "my" | "our" => self.speaker,
            "your" => self.other,
            _ => None,
        };
        match owner {
            Some(owner) if end > first + 1 => format!("{owner}'s {}", self.slice(first + 1, end)),
            _ => self.slice(first, end).to_owned(),
        }
    }

    /// Whether the sign at `at` is part of the word before it, as in "C++ course".
    fn is_joint(&self, at: usize, first: usize) -> bool {
        at > first && self.is(at, &["+", "/"]) && !self.tokens[at].spaced
    }

    /// Whether a determiner behind a head begins another phrase: "soup that my mother makes".
    fn opens_another(&self, at: usize, head: Option<usize>) -> bool {
        // "Football professionally": the adverb is no part, "a friendly dog" has it in front of a noun.
        let adverb =
            self.word(at).ends_with("ly") && (self.is_sign(at + 1) || words::ends_phrase(self.word(at + 1)));
        let family = self.word(at).ends_with("mily") || self.word(at).len() < 6;
        head.is_some()
            && (words::is_determiner(self.word(at)) && !self.is(at - 1, &["of"]) || adverb && !family)
    }

    /// A phrase that is joined on, as in "a great and colourful city": no determiner opens it.
    pub(super) fn with_joined(&self, phrase: Phrase, first: usize, limit: usize) -> Phrase {
        let next = phrase.end + 1;
        let opens = words::is_determiner(self.word(next)) || self.name_at(next).is_some();
        let described = self.word(next).ends_with("ing") || self.word(next).ends_with("ed");
        let joins = self.is(phrase.end, &["and"]) || self.is(phrase.end, &[","]) && !described;
        if !joins || opens || !self.is_noun(next, limit) {
            return phrase;
        }
        match self.plain_phrase(next, limit) {
            Some(more) => {
                Phrase { object: TripleObject::Value(self.slice(first, more.end).to_owned()), ..more }
            }
            None => phrase,
        }
    }

    /// Whether a verb that would begin a new clause stands at `at` behind a noun.
    fn is_clause_verb(&self, at: usize, first: usize) -> bool {
        let word = self.word(at);
        let links = ["by", "in", "on", "at", "for", "from", "with", "the", "a", "to", "as"];
        let participle = word.ends_with("ed") && self.is(at + 1, &links)
            || word.ends_with("ing")
                && (self.is(at + 1, &["the", "a", "an"]) || self.name_at(at + 1).is_some());
        let finite = matches!(verb(word), Some((_, Form::Third | Form::Past))) && word != "retired";
        at > first && (participle || finite)
    }

    /// The noun phrases of a list such as "kale, spinach and peas"; one where there is no list.
    pub(super) fn list(&self, at: usize, limit: usize) -> Vec<Phrase> {
        let Some(first) = self.phrase(at, limit) else {
            return Vec::new();
        };
        let mut end = first.end;
        let mut items = vec![first];
        while items.len() < 12 {
            let comma = usize::from(self.is(end, &[","]));
            let joined = usize::from(self.is(end + comma, &["and", "or", "&"]));
            if comma + joined == 0 {
                break;
            }
            let from = end + comma + joined;
            match self.phrase(from, limit).filter(|item| self.is_item(item, from, limit)) {
                Some(item) => {
                    end = item.end;
                    items.push(item);
                }
                None => break,
            }
            if joined == 1 {
                break;
            }
        }
        // "I love tea, Ana": a comma without an "and" at the end is no list.
        if items.len() > 1 && !self.ends_as_list(&items) {
            items.truncate(1);
        }
        items
    }

    fn ends_as_list(&self, items: &[Phrase]) -> bool {
        let (last, before) = (&items[items.len() - 1], &items[items.len() - 2]);
        let gap = before.end..before.end + 2;
        last.end > before.end && gap.into_iter().any(|at| self.is(at, &["and", "or", "&"]))
    }

    /// An item is short, and the clause ends or the list goes on behind it.
    fn is_item(&self, item: &Phrase, from: usize, limit: usize) -> bool {
        let after = item.end;
        let closed = after >= limit
            || self.is_sign(after)
            || self.in_time(after)
            || self.is(after, &["and", "or", "with", "in", "at", "for", "too", "on", "from"]);
        closed && item.end - from <= 5 && !self.is(after, &["'s", "'"])
    }

    /// The words from `at` to the end of the clause, no more than `most`.
    pub(super) fn rest(&self, at: usize, limit: usize, most: usize) -> usize {
        let mut end = at;
        while end < limit.min(at + most) {
            let opens_clause = matches!(
                self.word(end),
                "because"
                    | "so"
                    | "but"
                    | "if"
                    | "when"
                    | "while"
                    | "which"
                    | "who"
                    | "since"
                    | "although"
                    | "though"
                    | "cause"
                    | "as"
            );
            let and_clause = self.is(end, &["and"])
                && (self.is(end + 1, &["i", "we", "you", "he", "she", "it", "they", "my", "that"])
                    || self.name_at(end + 1).is_some());
            let sign = self.is_sign(end) && !self.is(end, &["'", "&", "%", "$", "/", "\"", "“", "”"]);
            if sign || opens_clause || and_clause {
                break;
            }
            end += 1;
        }
        while end > at && self.is(end - 1, TRAILING) {
            end -= 1;
        }
        end
    }
}

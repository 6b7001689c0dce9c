//! What English beside a name says about its kind.

use lorebase_engine::model::entity::EntityKind::{
    self, Animal, Event, Organisation, Person, Place, Product, Project, Work,
};

use crate::names::evidence::Votes;
use crate::names::{Name, Page, deeds, gazetteer, heads};
use crate::rules::{ties, words};
use crate::syntax::tokens::Kind;
use crate::syntax::{Label, Tag};

/// What stands beside a name in an English sentence.
pub(super) fn of_context(page: &Page<'_, '_>, name: &Name) -> Votes {
    let mut votes = Votes::default();
    let beside = Beside { page, first: name.first, end: name.end, single: name.end - name.first == 1 };
    beside.before(&mut votes);
    beside.after(&mut votes);
    beside.following_noun(&mut votes);
    beside.apposed(&mut votes);
    if !page.nodes.is_empty() {
        beside.role(&mut votes);
    }
    votes
}

/// Whether somebody can speak, read and write in this.
fn is_language(word: &str) -> bool {
    word.len() > 5 && (word.ends_with("ish") || word.ends_with("ese"))
        || matches!(
            word,
            "arabic"
                | "czech"
                | "dutch"
                | "french"
                | "german"
                | "greek"
                | "hebrew"
                | "hindi"
                | "hungarian"
                | "icelandic"
                | "italian"
                | "korean"
                | "latin"
                | "mandarin"
                | "norwegian"
                | "persian"
                | "python"
                | "romanian"
                | "russian"
                | "sanskrit"
                | "swahili"
                | "tamil"
                | "thai"
                | "ukrainian"
                | "urdu"
                | "vietnamese"
                | "welsh"
                | "java"
                | "javascript"
                | "rust"
        )
}

struct Beside<'a, 't> {
    page: &'a Page<'a, 't>,
    first: usize,
    end: usize,
    single: bool,
}

impl<'t> Beside<'_, 't> {
    fn word(&self, at: usize) -> &'t str {
        self.page.word(at)
    }

    /// The word `back` places before the name, in its sentence.
    fn back(&self, back: usize) -> &'t str {
        let Some(at) = self.first.checked_sub(back) else { return "" };
        let joined = (at + 1..=self.first).all(|at| !self.page.tokens[at].opens);
        if joined { self.word(at) } else { "" }
    }

    fn tag(&self, at: usize) -> Tag {
        self.page.nodes.get(at).map_or(Tag::Other, |node| node.tag)
    }

    /// Whether the name stands before a noun that "the" belongs to.
    fn modifies(&self) -> bool {
        let next = self.page.tokens.get(self.end);
        self.word(self.end) == "/"
            || next.is_some_and(|next| !next.opens && !next.capital && self.is_noun(self.end))
    }

    fn is_noun(&self, at: usize) -> bool {
        matches!(self.tag(at), Tag::Nn | Tag::Nns)
            || self.tag(at) == Tag::Nnp && self.page.tokens.get(at).is_some_and(|token| !token.capital)
    }

    fn before(&self, votes: &mut Votes) {
        let (one, two, three) = (self.back(1), self.back(2), self.back(3));
        match one {
            "the" | "a" | "an" if self.modifies() => {
                votes.add(Project, 0.2);
            }
            "the" | "a" | "an" => {
                votes.add(Person, -4.0);
                if two == "of" {
                    Self::before_of(three, votes);
                }
                if matches!(two, "called" | "named")
                    && let Some(kind) = heads::of_noun(three)
                {
                    votes.add(kind, 4.0);
                }
                if matches!(two, "in" | "across" | "near") {
                    votes.add(Place, 2.0);
                }
            }
            "called" | "named" => {
                votes.add(heads::of_noun(two).unwrap_or(EntityKind::Unknown), 4.0);
            }
            "of" => Self::before_of(two, votes),
            "hi" | "hey" | "hello" | "dear" | "thanks" | "thank" | "bye" | "congrats" => {
                votes.add(Person, 2.0);
            }
            "," if matches!(two, "hi" | "hey" | "hello" | "thanks" | "yes" | "no" | "sorry" | "bye") => {
                votes.add(Person, 1.5);
            }
            "," => {
                if let Some(kind) = heads::of_noun(two) {
                    votes.add(kind, 3.0);
                }
            }
            "@" => votes.add(Person, 2.0),
            noun => {
                if let Some(kind) = heads::of_noun(noun) {
                    votes.add(kind, if kind == Person { 4.0 } else { 3.0 });
                }
            }
        }
    }

    /// "The city of X", "the founder of X", "south of X".
    fn before_of(noun: &str, votes: &mut Votes) {
        match noun {
            "south" | "north" | "east" | "west" | "outside" | "edge" | "middle" | "centre" | "center"
            | "people" | "citizens" | "mayor" | "governor" | "king" | "queen" | "map" | "streets"
            | "part" | "parts" => votes.add(Place, 2.5),
            "member" | "head" | "director" | "founder" | "ceo" | "employee" | "co-founder" | "chairman"
            | "owner" => {
                votes.add(Organisation, 2.0);
            }
            _ if heads::of_noun(noun) == Some(Place) => votes.add(Place, 3.0),
            _ => {}
        }
    }

    fn after(&self, votes: &mut Votes) {
        let (one, two, three) = (self.word(self.end), self.word(self.end + 1), self.word(self.end + 2));
        match (one, two) {
            ("," | "(", "who" | "whose") => votes.add(Person, 3.0),
            ("who", _) => votes.add(Person, 2.5),
            (",", "where") | ("where", _) => votes.add(Place, 2.0),
            (",", "which") => votes.add(Person, -2.0),
            ("and" | "or", "the" | "my" | "her" | "his" | "our" | "their")
                if heads::of_noun(three) == Some(Person) =>
            {
                votes.add(Person, 2.0);
            }
            ("and", "i" | "me") => votes.add(Person, 2.0),
            ("'s", _) => self.owned(votes),
            _ => self.taken_up(votes),
        }
    }

    /// "I was wrong about X, she lives in Reims", "X is back and she's well": who is spoken of next as "she".
    fn taken_up(&self, votes: &mut Votes) {
        const PLACED: &[&str] = &["in", "to", "at", "from", "near", "of", "around", "through", "for"];
        const TO_PERSONS: &[&str] = &[
            "met", "meet", "remember", "about", "with", "told", "asked", "called", "married", "dating", "saw",
        ];
        let one = self.word(self.end);
        let takes_up = |at: usize| matches!(self.word(at), "he" | "she");
        if matches!(one, "," | "." | "?" | "!" | ";" | "and" | "but") && takes_up(self.end + 1) {
            // "I love Porto. She lives there": behind a stop "she" may be anybody, where nothing is done to persons.
            let back = self.back(1);
            let done = !matches!(one, "." | "!") || TO_PERSONS.contains(&back);
            if !PLACED.contains(&back) && done {
                votes.add(Person, 2.0);
            }
            return;
        }
        if !matches!(one, "is" | "was" | "has" | "'s") || !self.single {
            return;
        }
        let next = (self.end + 1..self.end + 8).find(|at| {
            let Some(token) = self.page.tokens.get(*at) else { return true };
            token.capital || matches!(token.word, "he" | "she" | "it" | "they" | "." | "?" | "!")
        });
        let joined = |at: usize| matches!(self.word(at - 1), "and" | "but" | "so" | "," | "because");
        if next.is_some_and(|at| takes_up(at) && joined(at)) {
            votes.add(Person, 1.5);
        }
    }

    /// "X's sister", "X's coast": what is owned tells who owns.
    fn owned(&self, votes: &mut Votes) {
        let head = self.noun_from(self.end + 1);
        match self.word(head) {
            "ceo" | "employees" | "founder" | "headquarters" | "customers" | "shareholders" | "products"
            | "staff" | "team" => {
                votes.add(Organisation, 2.0);
            }
            "capital" | "coast" | "population" | "streets" | "mayor" | "government" | "economy"
            | "downtown" | "president" => {
                votes.add(Place, 3.0);
            }
            noun => match heads::of_noun(noun) {
                Some(Person | Animal) => votes.add(Person, 2.5),
                _ => votes.add(Person, 1.2),
            },
        }
    }

    /// The last of the nouns that stand together from `at` on.
    fn noun_from(&self, at: usize) -> usize {
        let adjective = |at: usize| matches!(self.tag(at), Tag::Jj | Tag::Vbg | Tag::Vbn | Tag::Cd);
        let mut end = at;
        while end < at + 4 && (self.is_noun(end) || adjective(end)) {
            end += 1;
        }
        end.saturating_sub(1).max(at)
    }

    /// "The X project", "the X district", "X employees".
    fn following_noun(&self, votes: &mut Votes) {
        let Some(next) = self.page.tokens.get(self.end) else { return };
        if next.opens || next.kind != Kind::Word || next.capital || !self.is_noun(self.end) {
            return;
        }
        let mut last = self.end;
        while last < self.end + 3 && self.is_noun(last + 1) && !self.page.tokens[last + 1].capital {
            last += 1;
        }
        votes.add(Person, -0.5);
        let known = [last, self.end].into_iter().find_map(|at| heads::of_noun(self.word(at)));
        match known {
            Some(Work) if self.single => votes.add(Work, 2.0),
            Some(Person) if self.word(last) != "user" => votes.add(Organisation, 0.8),
            Some(kind) => votes.add(kind, if matches!(kind, Project | Place) { 3.0 } else { 2.0 }),
            None => {}
        }
    }

    /// "Ana, the entomologist", "Acme, a supplier of bolts".
    fn apposed(&self, votes: &mut Votes) {
        let opens = matches!(self.word(self.end), "," | "(" | "—" | "–");
        let determined = self.end + 1;
        let starts = words::is_determiner(self.word(determined)) || self.word(determined + 1) == "'s";
        if !opens || !starts {
            return;
        }
        let head = self.noun_from(determined + 1 + usize::from(self.word(determined + 1) == "'s"));
        let closes = matches!(
            self.word(head + 1),
            "," | "." | ")" | "" | "of" | "who" | "that" | "which" | "in" | "for" | "from" | "at" | "—" | "–"
        );
        if closes && let Some(kind) = heads::of_noun(self.word(head)) {
            votes.add(kind, 3.0);
        }
    }

    /// What the name is to the word that it belongs to.
    fn role(&self, votes: &mut Votes) {
        let nodes = self.page.nodes;
        let inside = |at: usize| (self.first..self.end).contains(&at);
        let Some(own) =
            (self.first..self.end).rev().find(|at| !inside(nodes[*at].head) || nodes[*at].head == *at)
        else {
            return;
        };
        let (label, to) = (nodes[own].label, nodes[own].head);
        let verb = self.word(to);
        match label {
            Label::Nsubj => self.subject(to, votes),
            Label::Nsubjpass => match verb {
                "founded" | "acquired" | "established" | "owned" | "headquartered" => {
                    votes.add(Organisation, 2.0);
                }
                "born" | "married" | "promoted" | "hired" | "raised" | "engaged" | "diagnosed" => {
                    votes.add(Person, 3.0);
                }
                "located" | "situated" => votes.add(Place, 2.0),
                "released" | "published" | "written" | "directed" => votes.add(Work, 2.0),
                _ => votes.add(Person, 0.3),
            },
            Label::Appos => votes.add(heads::of_noun(verb).unwrap_or(EntityKind::Unknown), 2.5),
            Label::Dative => votes.add(Person, 2.0),
            Label::Dobj => deeds::to_object(verb, votes),
            Label::Pobj => self.after_preposition(to, votes),
            Label::Attr => self.said_to_be(to, votes),
            _ => {}
        }
    }

    /// "My boss is X", "the capital is X": what it is said of tells.
    fn said_to_be(&self, copula: usize, votes: &mut Votes) {
        let nodes = self.page.nodes;
        let subject = |at: &usize| nodes[*at].head == copula && nodes[*at].label == Label::Nsubj;
        let of = (copula.saturating_sub(8)..copula).rev().find(subject);
        if let Some(noun) = of.map(|at| self.word(at)) {
            Self::equated(noun, votes);
        }
    }

    /// What is said to be such a noun. Whoever is somebody's boss or sister is no place, whatever the lists say.
    fn equated(noun: &str, votes: &mut Votes) {
        match (ties::tie(noun), heads::of_noun(noun)) {
            (Some(tie), _) => votes.add(tie.kind, 5.0),
            (None, Some(kind)) => votes.add(kind, 3.0),
            (None, None) => {}
        }
    }

    fn subject(&self, verb: usize, votes: &mut Votes) {
        // "Has taken", where "has" was taken for the verb.
        let helps = matches!(self.word(verb), "has" | "had" | "have") && self.tag(verb + 1) == Tag::Vbn;
        let word = self.word(verb + usize::from(helps));
        if deeds::is_human(word) {
            votes.add(Person, 2.5);
        } else if matches!(word, "is" | "was" | "are" | "were" | "'s") {
            let attribute = (verb + 1..(verb + 10).min(self.page.nodes.len()))
                .find(|at| self.page.nodes[*at].head == verb && self.page.nodes[*at].label == Label::Attr);
            let noun = attribute.map_or("", |at| self.word(at));
            Self::equated(noun, votes);
            if heads::of_noun(noun).is_none() && ties::tie(noun).is_none() {
                votes.add(Person, 0.3);
            }
        } else if self.has_what_persons_have(verb) {
            votes.add(Person, 2.5);
        } else if deeds::is_of_companies(word) {
            votes.add(Organisation, 1.2);
            votes.add(Person, 0.6);
        } else {
            votes.add(Person, 1.0);
        }
    }

    /// "Has a job", "has a little sister".
    fn has_what_persons_have(&self, verb: usize) -> bool {
        let nodes = self.page.nodes;
        let is_had = |at: usize| nodes[at].head == verb && nodes[at].label == Label::Dobj;
        let had = (verb + 1..(verb + 6).min(nodes.len())).find(|at| is_had(*at));
        matches!(self.word(verb), "has" | "had" | "have")
            && had.is_some_and(|at| heads::is_had_by_persons(self.word(at)))
    }

    fn after_preposition(&self, at: usize, votes: &mut Votes) {
        let governor = self.word(self.page.nodes[at].head);
        match self.word(at) {
            "in" if self.single
                && (gazetteer::is_wordlike(self.word(self.first)) || is_language(self.word(self.first))) => {}
            "in" | "throughout" | "across" => votes.add(Place, 2.0),
            "near" | "outside" | "toward" | "towards" | "beyond" | "around" | "into" | "through" => {
                votes.add(Place, 1.5);
            }
            "at" | "for" if deeds::is_working(governor) => votes.add(Organisation, 3.0),
            "at" if self.single => {
                votes.add(Place, 1.2);
                votes.add(Organisation, 1.0);
            }
            "at" => votes.add(Organisation, 1.2),
            "from"
                if matches!(
                    governor,
                    "resigned"
                        | "resign"
                        | "fired"
                        | "retired"
                        | "graduated"
                        | "graduate"
                        | "laid"
                        | "quit"
                        | "hired"
                ) =>
            {
                votes.add(Organisation, 2.0);
            }
            "from"
                if matches!(
                    governor,
                    "hear" | "heard" | "got" | "letter" | "email" | "message" | "questions"
                ) =>
            {
                votes.add(Person, 1.5);
            }
            "from" if self.single => votes.add(Place, 1.5),
            "from" => votes.add(Organisation, 0.6),
            "to" => deeds::to_goal(governor, votes),
            "with" if matches!(governor, "friends" | "friend" | "siblings" | "engaged") => {
                votes.add(Person, 2.5);
            }
            "with" => votes.add(Person, 0.8),
            "under" if deeds::is_working(governor) => votes.add(Person, 2.5),
            "by" => votes.add(Person, 0.5),
            "on" if !self.single => votes.add(Project, 1.0),
            "during" | "before" | "after" => votes.add(Event, 0.5),
            "using" | "via" => votes.add(Product, 1.0),
            _ => {}
        }
    }
}

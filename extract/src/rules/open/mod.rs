//! Clauses as facts: what is said in words of the text where no pattern knows the relation. Precision before coverage: who is
//! meant must be known, and what is said must be said to be so.

mod mood;
mod relations;
mod sense;
mod who;

use lorebase_engine::model::entity::EntityKind;
use lorebase_engine::model::episode::Span;
use lorebase_engine::model::fact::{FactKind, Named, Polarity, Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::model::time::Interval;
use lorebase_engine::text::content_stems;

use crate::clauses::clause::{Clause, Role, SUBJECTS, clauses};
use crate::clauses::open::conjuncts;
use crate::clauses::tree::Tree;
use crate::rules::corrections;
use crate::rules::open::mood::Mood;
use crate::rules::open::who::told;
use crate::rules::reading::Reading;
use crate::syntax::lemma::lemma;
use crate::syntax::{Label, Tag};

/// Who speaks where nobody is told to.
const AUTHOR: &str = "author";
/// The longest object, in words.
const LONGEST: usize = 24;
/// The fewest content words of a remark.
const LEAST_REMARK: usize = 3;

/// What the clauses of an episode say beside `known`, in the order of the text.
pub(super) fn facts(reading: &Reading<'_, '_>, trees: &[Tree<'_, '_>], known: &[Triple]) -> Vec<Triple> {
    let mut found = Vec::new();
    let bare = |tree: &Tree<'_, '_>| corrections::is_bare(reading, (tree.first, tree.first + tree.len()));
    for tree in trees.iter().filter(|tree| !asks(tree) && !bare(tree)) {
        let before = found.len();
        for clause in clauses(tree).iter().filter(|clause| stands(tree, clause)) {
            let teller = Teller { reading, tree, clause };
            teller.tell(known, &mut found);
        }
        let intends = found[before..].iter().any(|triple: &Triple| sense::is_intent(triple.kind));
        found.extend(opening(reading, tree).filter(|_| !intends));
    }
    // "She lives there with Zoe", where Zoe may be she.
    let of_itself = |triple: &Triple| matches!(&triple.object, TripleObject::Entity(named) if named.name == triple.subject.name);
    found.retain(|triple| !of_itself(triple));
    found
}

/// "Promised Ana I'd write": where the parser made nothing of it, a first word that can mean nothing else tells enough.
fn opening(reading: &Reading<'_, '_>, tree: &Tree<'_, '_>) -> Option<Triple> {
    let kind = sense::opens_with_intent(tree.word(0))?;
    let speaker = Named { name: reading.speaker.unwrap_or(AUTHOR).to_owned(), kind: EntityKind::Person };
    let words = told(tree, reading, (1, tree.len()));
    words.contains(' ').then(|| Triple {
        kind,
        confidence: 0.6,
        span: reading.span(tree.first, tree.first + tree.len()),
        ..Triple::new(speaker, sense::predicate_of(kind), TripleObject::Value(words))
    })
}

/// Whether a clause says something by itself: it is not within brackets, and has a form of its own. "To come and sing" is
/// told with what it belongs to.
fn stands(tree: &Tree<'_, '_>, clause: &Clause) -> bool {
    let bracketed =
        (0..clause.verb).rev().find(|at| tree.is(*at, &["[", "]"])).is_some_and(|at| tree.is(at, &["["]));
    let first = clause.relation.first().copied().unwrap_or(clause.verb);
    let finite = matches!(tree.tag(first), Tag::Vbd | Tag::Vbp | Tag::Vbz | Tag::Md);
    let main = tree.label(clause.verb) == Label::Root
        || tree.child(clause.verb, &[Label::Nsubj, Label::Nsubjpass]).is_some();
    !bracketed && (finite || main) && !is_headless(tree, clause)
}

/// Whether what a clause is about stands outside it: "the change we want", "what I believe in".
fn is_headless(tree: &Tree<'_, '_>, clause: &Clause) -> bool {
    let verb = clause.verb;
    let own = tree.child(verb, SUBJECTS).is_some_and(|at| !matches!(tree.tag(at), Tag::Wdt | Tag::Wp));
    let object =
        clause.arguments.iter().any(|argument| argument.role == Role::Object && argument.head > verb);
    let asked = clause.arguments.iter().any(|argument| matches!(tree.tag(argument.head), Tag::Wdt | Tag::Wp));
    asked || tree.label(verb) == Label::Relcl && own && !object
}

fn asks(tree: &Tree<'_, '_>) -> bool {
    (0..tree.len()).rev().take(3).any(|at| tree.is(at, &["?"]))
}

/// One clause of an episode.
struct Teller<'r, 'a, 't> {
    reading: &'r Reading<'a, 't>,
    tree: &'r Tree<'a, 't>,
    clause: &'r Clause,
}

impl Teller<'_, '_, '_> {
    fn tell(&self, known: &[Triple], found: &mut Vec<Triple>) {
        let (tree, clause) = (self.tree, self.clause);
        let elided = mood::is_elided(tree, clause) || sense::decides_for_author(tree, clause);
        let subjects: Vec<(Named, f32)> = if elided {
            vec![(self.speaker(), 0.7)]
        } else if mood::is_order(tree, clause) {
            return self.order(found);
        } else {
            let heads = clause.subject.map_or_else(Vec::new, |subject| conjuncts(tree, subject));
            heads.into_iter().filter_map(|head| self.subject(head)).collect()
        };
        if self.is_known(known) || tree.child(clause.verb, &[Label::Expl]).is_some() {
            return;
        }
        let Some(mood) = mood::mood(tree, clause) else { return };
        if subjects.is_empty() {
            self.remark(&mood, found);
        }
        for subject in &subjects {
            self.claims(subject, &mood, elided, found);
        }
    }

    /// What a speaker says of nobody in particular: "having friends makes a difference". It is told as what they think.
    fn remark(&self, mood: &Mood, found: &mut Vec<Triple>) {
        let tree = self.tree;
        let main = tree.label(self.clause.verb) == Label::Root;
        // "Bram turned 34": a name that was not understood is somebody in particular.
        let subject = tree.child(self.clause.verb, SUBJECTS);
        let general = subject.is_some_and(|at| tree.tag(at) != Tag::Nnp);
        let to_hearer = subject.is_some_and(|at| tree.is(at, &["you"]))
            && mood::is_knowing(&lemma(tree.word(self.clause.verb)));
        let Some(speaker) = self.reading.speaker.filter(|_| main && general && !to_hearer) else { return };
        let words = self.told((0, tree.len()));
        if content_stems(&words).len() < LEAST_REMARK {
            return;
        }
        let speaker = Named { name: speaker.to_owned(), kind: EntityKind::Person };
        let claim = Claim { subject: &speaker, sure: 0.8, mood, kind: FactKind::Opinion };
        let triple = self.triple(&claim, Predicate::new("thinks"), TripleObject::Value(words));
        // What is denied is part of what they think.
        found.push(Triple { polarity: Polarity::Affirmed, ..triple });
    }

    fn speaker(&self) -> Named {
        let name = self.reading.speaker.unwrap_or(AUTHOR);
        Named { name: name.to_owned(), kind: EntityKind::Person }
    }

    /// Whether a pattern has told of the clause already, in better words.
    fn is_known(&self, known: &[Triple]) -> bool {
        let verb = self.tree.token(self.clause.last).chars;
        let prefers = lemma(self.tree.word(self.clause.verb)) == "prefer";
        let covers = |triple: &Triple| triple.span.start <= verb.0 && verb.1 <= triple.span.end;
        !prefers && known.iter().any(covers)
    }

    /// "Always answer in German", "never call me before nine": what whoever listens is asked to do from now on. Other orders
    /// are for once, but that those with steps or means tell how something is done.
    fn order(&self, found: &mut Vec<Triple>) {
        let tree = self.tree;
        let verb = self.clause.verb;
        let always = |at: usize| tree.is(at, &["always", "never", "whenever"]);
        let lasting = tree.children(verb).iter().any(|at| always(*at))
            || tree.is(0, &["always", "never"])
            || tree.slice((0, tree.len())).to_ascii_lowercase().contains("from now on");
        if !lasting {
            return self.procedure(found);
        }
        let object = TripleObject::Value(self.rest(self.clause.relation[0]));
        found.push(Triple {
            kind: FactKind::Instruction,
            confidence: 0.7,
            span: self.span(),
            ..Triple::new(self.speaker(), Predicate::new("asks"), object)
        });
    }

    /// "To reset the modem, hold the button": how something is done.
    fn procedure(&self, found: &mut Vec<Triple>) {
        let tree = self.tree;
        let aim = tree.children_as(self.clause.verb, &[Label::Advcl]).any(|at| {
            at < self.clause.verb && tree.child(at, &[Label::Aux]).is_some_and(|aux| tree.is(aux, &["to"]))
        });
        let means = tree
            .children_as(self.clause.verb, &[Label::Prep])
            .any(|at| tree.is(at, &["by"]) && tree.child(at, &[Label::Pcomp]).is_some());
        let words = self.told((0, tree.len()));
        if (aim || means) && content_stems(&words).len() >= LEAST_REMARK {
            found.push(Triple {
                kind: FactKind::Skill,
                confidence: 0.7,
                span: self.span(),
                ..Triple::new(self.speaker(), Predicate::new("explains"), TripleObject::Value(words))
            });
        }
    }

    fn claims(&self, (subject, sure): &(Named, f32), mood: &Mood, elided: bool, found: &mut Vec<Triple>) {
        let (tree, clause) = (self.tree, self.clause);
        let first = self.reading.speaker.map_or(subject.name == AUTHOR, |speaker| speaker == subject.name);
        // Among those who talk, "doing good" is how they are.
        let doing = elided && tree.tag(clause.verb) == Tag::Vbg && self.reading.speaker.is_some();
        let kind = if doing { FactKind::Fact } else { sense::kind(tree, clause, mood, first || elided) };
        let claim = Claim { subject, sure: *sure, mood, kind };
        let intends = sense::is_intent(kind);
        let thinks = kind == FactKind::Opinion && sense::thinks(tree, clause);
        if thinks && clause.negated {
            // Who does not think so may think anything else.
            return;
        }
        if intends && subject.kind == EntityKind::Person || thinks {
            let words = self.rest(self.intended());
            if words.contains(' ') {
                found.push(self.triple(&claim, sense::predicate_of(kind), TripleObject::Value(words)));
            }
        } else if lemma(tree.word(clause.verb)) == "prefer" && clause.last == clause.verb {
            // What it is preferred to is told behind it.
            let words = self.rest(clause.verb + 1);
            found.push(self.triple(&claim, Predicate::new("prefers"), TripleObject::Value(words)));
        } else {
            self.relations(&claim, found);
        }
    }

    /// Where that begins which is decided, promised, planned or thought.
    fn intended(&self) -> usize {
        let (tree, clause) = (self.tree, self.clause);
        let complement = clause.arguments.iter().find(|argument| argument.role == Role::Clause);
        if let Some(gonna) = (clause.verb..tree.len()).find(|at| tree.is(*at, &["gonna"])) {
            return gonna + 1;
        }
        let will = clause.relation.iter().any(|at| *at < clause.verb && tree.tag(*at) == Tag::Md);
        let doing = tree.tag(clause.verb) == Tag::Vbg && clause.last == clause.verb;
        match complement {
            _ if clause.last != clause.verb => clause.last,
            _ if will || doing => clause.verb,
            Some(complement) => tree.range(complement.head).0,
            None => clause.verb + 1,
        }
    }

    /// The clause from a word on, with owners told by name.
    fn rest(&self, from: usize) -> String {
        let end = self.tree.range(self.clause.verb).1.max(from);
        self.told((from, end))
    }

    fn told(&self, range: (usize, usize)) -> String {
        told(self.tree, self.reading, range)
    }

    /// The whole sentence for its main clause and what is joined to it, else the clause.
    fn span(&self) -> Span {
        let tree = self.tree;
        let mut top = self.clause.verb;
        while let Some(above) = tree
            .head(top)
            .filter(|_| matches!(tree.label(top), Label::Conj | Label::Ccomp | Label::Parataxis))
        {
            top = above;
        }
        let main = tree.label(top) == Label::Root;
        let (from, end) = if main { (0, tree.len()) } else { tree.range(self.clause.verb) };
        self.reading.span(tree.first + from, tree.first + end)
    }

    fn triple(&self, claim: &Claim<'_>, predicate: Predicate, object: TripleObject) -> Triple {
        let used_to = sense::used_to(self.tree, self.clause);
        let attributed_to = claim.mood.said_by.and_then(|at| self.subject(at)).map(|(named, _)| named.name);
        let attributed_to = attributed_to.filter(|name| Some(name.as_str()) != self.reading.speaker);
        Triple {
            polarity: if (self.clause.negated || sense::no_longer(self.tree, self.clause))
                && !sense::cannot_wait(self.tree, self.clause)
                || used_to
            {
                Polarity::Negated
            } else {
                Polarity::Affirmed
            },
            kind: claim.kind,
            confidence: claim.sure * if claim.mood.hedged { 0.5 } else { 0.9 },
            valid: self.valid(claim.kind),
            span: self.span(),
            hedged: claim.mood.hedged,
            attributed_to,
            ..Triple::new(claim.subject.clone(), predicate, object)
        }
    }

    /// The time that is told in the clause, for what takes place in time.
    fn valid(&self, kind: FactKind) -> Interval {
        let timed = matches!(kind, FactKind::Event | FactKind::Plan | FactKind::Commitment);
        let (from, end) = self.tree.range(self.clause.verb);
        let span = self.reading.span(self.tree.first + from, self.tree.first + end);
        let inside = self.reading.times_from(span.start).iter().take_while(|time| time.span.end <= span.end);
        let time = inside.filter(|time| time.span.start >= span.start).map(|time| time.interval).next();
        time.filter(|_| timed).unwrap_or(Interval::ALWAYS)
    }
}

/// What is claimed of whom, and how.
struct Claim<'c> {
    subject: &'c Named,
    sure: f32,
    mood: &'c Mood,
    kind: FactKind,
}

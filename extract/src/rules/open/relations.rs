//! What a clause relates its subject to: predicate and objects.

use lorebase_engine::model::fact::{Triple, TripleObject};
use lorebase_engine::model::predicate::Predicate;
use lorebase_engine::text::content_stems;

use crate::clauses::clause::{Argument, Role};
use crate::clauses::open::{conjuncts, phrase};
use crate::rules::open::{Claim, LONGEST, Teller, mood, sense};
use crate::syntax::lemma::lemma;
use crate::syntax::{Label, Tag};

impl Teller<'_, '_, '_> {
    /// One fact for each thing that the verb relates the subject to.
    pub(super) fn relations(&self, claim: &Claim<'_>, found: &mut Vec<Triple>) {
        let untimed = |argument: &&Argument| argument.role == Role::Attribute || !self.is_time(argument.head);
        let arguments = || self.clause.arguments.iter().filter(untimed);
        let core = arguments().find(|argument| {
            matches!(argument.role, Role::Object | Role::Attribute) && argument.head > self.clause.verb
        });
        let core = core.or_else(|| {
            arguments().find(|argument| {
                matches!(argument.role, Role::Prepositional | Role::Agent | Role::Clause)
                    && argument.preposition.unwrap_or(argument.head) > self.clause.verb
            })
        });
        let Some(core) = core else { return self.happening(claim, found) };
        if core.role == Role::Clause && mood::is_knowing(&lemma(self.tree.word(self.clause.verb))) {
            // "We saw that he came": that he came is told by its own clause.
            return;
        }
        let copula = self.is_copula(self.clause.last);
        // Where somebody is just now is no state.
        if copula && core.preposition.is_some_and(|at| self.tree.is(at, &["at"])) && self.is_name(core.head) {
            return;
        }
        let at_once = core.preposition == Some(self.clause.last + 1) && self.is_name(core.head);
        if copula && core.role == Role::Prepositional && !at_once {
            // "Up for it", "in awe of her": what is said stands before the noun.
            let words = self.told((self.clause.last + 1, self.tree.range(core.head).1));
            found.push(self.triple(claim, Predicate::new("is"), TripleObject::Value(words)));
            return;
        }
        for object in self.objects(core) {
            found.push(self.triple(claim, self.predicate(Some(core)), object));
        }
        // "I went to Paris with Ana": who else is in it.
        for beside in arguments().filter(|argument| argument.preposition.is_some() && *argument != core) {
            if let Some(named) = self.is_name(beside.head).then(|| self.who(beside.head)).flatten() {
                found.push(self.triple(claim, self.predicate(Some(beside)), TripleObject::Entity(named.0)));
            }
        }
    }

    /// "My grandmother passed away last week": nothing but the subject is in it.
    fn happening(&self, claim: &Claim<'_>, found: &mut Vec<Triple>) {
        let first = if self.clause.passive { self.clause.relation[0] } else { self.clause.verb };
        let words = self.rest(first);
        let timed = (self.clause.verb + 1..self.tree.range(self.clause.verb).1).all(|at| self.is_time(at));
        if words.contains(' ') && !timed && content_stems(&words).len() > 1 {
            found.push(self.triple(claim, Predicate::new("did"), TripleObject::Value(words)));
        }
    }

    /// The verb phrase as a predicate: a known one where it says the same.
    fn predicate(&self, argument: Option<&Argument>) -> Predicate {
        let tree = self.tree;
        let preposition = argument.and_then(|argument| argument.preposition).map_or("", |at| tree.word(at));
        let copula = self.is_copula(self.clause.verb) && self.clause.last == self.clause.verb;
        if copula {
            return Predicate::new(&format!("is {preposition}"));
        }
        let verb = lemma(tree.word(self.clause.last));
        let named = argument.is_some_and(|argument| self.is_name(argument.head));
        let modal = self.clause.relation.iter().any(|at| tree.tag(*at) == Tag::Md);
        let bare = self.clause.last == self.clause.verb && !modal;
        let particle = tree.children_as(self.clause.last, &[Label::Prt]).next();
        if let Some(name) = sense::known((&verb, preposition), tree.tag(self.clause.last), named)
            .filter(|_| bare && particle.is_none() && !self.clause.passive)
        {
            return Predicate::new(name);
        }
        let mut words: Vec<String> = Vec::new();
        for at in &self.clause.relation {
            let at = *at;
            let helps = matches!(tree.label(at), Label::Aux | Label::Auxpass | Label::Neg);
            if helps && !(tree.tag(at) == Tag::To && at > self.clause.verb) {
                continue;
            }
            let passive = self.clause.passive && at == self.clause.last;
            words.push(if passive { tree.word(at).to_owned() } else { lemma(tree.word(at)) });
        }
        if self.clause.passive {
            words.insert(0, "is".to_owned());
        }
        Predicate::new(&format!("{} {preposition}", words.join(" ")))
    }

    /// Whether a verb is "be", cut or not.
    fn is_copula(&self, at: usize) -> bool {
        lemma(self.tree.word(at)) == "be" || self.tree.is(at, &["'s", "'re", "'m"])
    }

    fn objects(&self, core: &Argument) -> Vec<TripleObject> {
        if core.role == Role::Clause {
            return vec![TripleObject::Value(self.told(self.tree.range(core.head)))];
        }
        let heads = conjuncts(self.tree, core.head);
        heads.into_iter().filter_map(|head| self.object(head)).collect()
    }

    fn object(&self, head: usize) -> Option<TripleObject> {
        let tree = self.tree;
        if tree.tag(head) == Tag::Prp || self.is_name(head) {
            return self.who(head).map(|(named, _)| TripleObject::Entity(named));
        }
        let mut words = phrase(tree, head, false);
        words.retain(|at| !matches!(tree.tag(*at), Tag::Quote | Tag::Unquote));
        let bare_number = words.len() == 1 && tree.tag(head) == Tag::Cd;
        let open = words.last().is_some_and(|at| matches!(tree.tag(*at), Tag::In | Tag::To));
        if bare_number
            || open
            || words.is_empty()
            || words.len() > LONGEST
            || matches!(tree.tag(head), Tag::Dt | Tag::Wdt | Tag::Wp)
        {
            return None;
        }
        self.noun(&words).map(TripleObject::Value)
    }
}

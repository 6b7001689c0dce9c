//! What has been spoken of so far, and the pronouns of the next sentence.

use lorebase_engine::model::entity::EntityKind;

use crate::coref::entity::{Entity, Mention};
use crate::coref::gender::{self, Asked, Form, Gender};
#[cfg(feature = "train")]
use crate::coref::learn::{Candidate, Weighed};
use crate::coref::tree::{Role, Tree};
use crate::coref::weigh::{self, Features};
use crate::coref::{Named, Referent, SURE, Turn};
use crate::syntax::{Label, Tag};

/// How many sentences after its last mention somebody is forgotten.
const REMEMBERED: usize = 12;
/// How many are remembered at once.
const MOST: usize = 60;
/// How likely whoever is meant must be.
const LIKELY: f32 = 0.4;
/// How sure a "she" can be of whom nothing shows to be a person.
const DOUBTFUL: f32 = 0.7;
/// What is taken off in a conversation from the number of whom nothing shows to be a person.
const STRANGER: f32 = 1.5;
/// What is taken off there from the number of an animal: it is told of less than who has it.
const PET: f32 = 1.5;
/// How sure an "it" is of the subject of its clause or of the sentence before.
const THING: f32 = 0.8;
/// The longest sentence, in tokens, whose pronouns are read: longer ones are lists and tables.
const LONGEST: usize = 400;

/// A pronoun in its place.
pub(super) struct Pronoun {
    /// Its token, counted through all turns.
    pub(super) at: usize,
    pub(super) sentence: usize,
    pub(super) gender: Gender,
    pub(super) form: Form,
    pub(super) role: Role,
    /// The subjects of the clauses above, the nearest first; those that it cannot mean are left out.
    pub(super) subjects: Vec<usize>,
    /// Mentions behind a preposition of the same verb, or beside it where the pronoun is.
    pub(super) oblique: Vec<usize>,
}

/// Those who were spoken of.
#[derive(Default)]
pub(super) struct Discourse {
    entities: Vec<Entity>,
    /// How many there ever were.
    ranks: usize,
    /// Tokens and sentences heard so far.
    tokens: usize,
    sentences: usize,
    /// What was weighed, one entry a pronoun; kept only for learning.
    #[cfg(feature = "train")]
    pub(super) weighed: Vec<Weighed>,
}

impl Discourse {
    /// Reads a turn: whom its pronouns stand for, one entry a token.
    pub(super) fn hear(&mut self, turn: &Turn<'_, '_>) -> Vec<Option<Referent>> {
        let mut found = vec![None; turn.tokens.len()];
        for (start, end) in turn.sentences.iter().copied() {
            self.forget();
            self.note(turn, (start, end));
            if end - start <= LONGEST {
                for (at, slot) in found.iter_mut().enumerate().take(end).skip(start) {
                    *slot = self.pronoun(turn, at, (start, end));
                }
            }
            self.sentences += 1;
        }
        self.tokens += turn.tokens.len();
        found
    }

    fn forget(&mut self) {
        let oldest = self.sentences.saturating_sub(REMEMBERED);
        self.entities.retain(|entity| entity.mentions.last().is_some_and(|last| last.sentence >= oldest));
        if self.entities.len() > MOST {
            let few = self.entities.len() - MOST;
            self.entities.drain(..few);
        }
    }

    /// Takes up who is named in a sentence, and "the woman".
    fn note(&mut self, turn: &Turn<'_, '_>, (start, end): (usize, usize)) {
        let tree = Tree::new(turn.nodes);
        let from = turn.names.partition_point(|name| name.first < start);
        let names: Vec<&Named<'_>> = turn.names[from..].iter().take_while(|name| name.first < end).collect();
        for name in names.iter().filter(|name| !is_called(turn, name)) {
            let head = tree.head_of(name.first, name.end.min(end));
            let told = told_gender(turn, tree, name, head);
            let mut entity = Entity::named(name.called, name.kind, told.gender, self.ranks);
            let beside = self.joins_somebody(tree, head);
            entity.person |= (told.person || beside) && entity.may_be_person();
            let bracketed = name.first.checked_sub(1).is_some_and(|before| turn.tokens[before].word == "(");
            self.add(
                entity,
                Mention {
                    bracketed,
                    main: tree.is_main_subject(head),
                    ..self.mention(head, tree.role(head))
                },
            );
        }
        if let Some(name) = opener(turn, tree, &names, start, end) {
            let entity = Entity::named(name, EntityKind::Unknown, None, self.ranks);
            let main = tree.is_main_subject(start);
            self.add(entity, Mention { main, ..self.mention(start, tree.role(start)) });
        }
        for at in start..end {
            let word = turn.tokens[at].word;
            let gender = gender::of_noun(word);
            let common = tree.tag(at) == Tag::Nn && !turn.tokens[at].capital && gender.is_some();
            if common && !is_named(turn, tree, &names, at) {
                self.add(Entity::unnamed(gender, self.ranks), self.mention(at, tree.role(at)));
            }
        }
    }

    /// "Mary and Odile": whoever is joined to a person is one.
    fn joins_somebody(&self, tree: Tree<'_>, at: usize) -> bool {
        let first = tree.above(at).filter(|_| tree.label(at) == Label::Conj).map(|first| self.tokens + first);
        let is_first = |mention: &Mention| Some(mention.at) == first;
        let joined = self.entities.iter().find(|entity| entity.mentions.iter().any(is_first));
        joined.is_some_and(Entity::is_somebody)
    }

    fn mention(&self, at: usize, role: Role) -> Mention {
        Mention {
            at: self.tokens + at,
            sentence: self.sentences,
            role,
            pronoun: false,
            bracketed: false,
            main: false,
        }
    }

    fn add(&mut self, entity: Entity, mention: Mention) {
        if let Some(known) = self.entities.iter_mut().rev().find(|known| known.is_same(&entity)) {
            known.join(entity);
            known.mention(mention);
            return;
        }
        let mut entity = entity;
        entity.mention(mention);
        self.ranks += 1;
        self.entities.push(entity);
    }

    fn pronoun(&mut self, turn: &Turn<'_, '_>, at: usize, sentence: (usize, usize)) -> Option<Referent> {
        let (asked, form) = gender::asked(turn.tokens[at].word)?;
        let tree = Tree::new(turn.nodes);
        let owns = form == Form::Plain && tree.tag(at) == Tag::PrpS;
        let form = if owns { Form::Owner } else { form };
        match asked {
            Asked::Person(gender) => self.person(turn, (at, sentence), (gender, form)),
            Asked::Thing => self.thing(tree, (at, sentence), form),
        }
    }

    /// Whom "he" or "she" means.
    fn person(
        &mut self,
        turn: &Turn<'_, '_>,
        (at, sentence): (usize, (usize, usize)),
        (gender, form): (Gender, Form),
    ) -> Option<Referent> {
        let (pronoun, barred) = self.place(Tree::new(turn.nodes), at, (gender, form), sentence);
        let candidates = self.candidates(turn, &pronoun, gender, &barred);
        #[cfg(feature = "train")]
        self.keep(at, &candidates);
        // Among those who talk, places and products are named more often than strangers.
        let talk = turn.speaker.is_some();
        let strange = |index: usize| talk && !self.entities[index].is_somebody();
        let weight = |(index, features): &(usize, Features)| {
            let animal = talk && self.entities[*index].kind == EntityKind::Animal;
            let less = if strange(*index) { STRANGER } else { 0.0 } + if animal { PET } else { 0.0 };
            (weigh::score(features) - less).exp()
        };
        let weights: Vec<f32> = candidates.iter().map(weight).collect();
        let all = 1.0 + weights.iter().sum::<f32>();
        let best = (0..weights.len()).max_by(|one, other| weights[*one].total_cmp(&weights[*other]));
        let mention = Mention { pronoun: true, ..self.mention(at, pronoun.role) };
        let Some(best) = best else {
            self.add(Entity::unnamed(Some(gender), self.ranks), mention);
            return None;
        };
        let confidence = weights[best] / all;
        let unknown = strange(candidates[best].0);
        let entity = &mut self.entities[candidates[best].0];
        entity.mention(mention);
        if confidence < LIKELY || unknown && entity.length() < 2 {
            return None;
        }
        let confidence = if entity.is_somebody() { confidence } else { confidence.min(DOUBTFUL) };
        if confidence >= SURE && (entity.gender.is_none() || entity.is_other(gender)) {
            (entity.gender, entity.sure) = (Some(gender), true);
        }
        let kind = if entity.kind == EntityKind::Animal { entity.kind } else { EntityKind::Person };
        Some(Referent { name: entity.name.clone()?, kind, confidence })
    }

    /// What "it" means: the subject above it ("Acme moved its office"), or, where it is a subject itself, that of the
    /// sentence before ("Acme is a bakery. It has an oven."). Else it may be whatever has no name.
    fn thing(
        &mut self,
        tree: Tree<'_>,
        (at, (start, end)): (usize, (usize, usize)),
        form: Form,
    ) -> Option<Referent> {
        let subject = if form == Form::Plain {
            let said_of = tree.is_main_subject(at) && !tree.says_how_it_is(at, end);
            let before = self.sentences.checked_sub(1).filter(|_| said_of && at == start)?;
            let subjects = self.entities.iter().flat_map(|entity| &entity.mentions);
            subjects
                .filter(|mention| mention.main && mention.sentence == before)
                .map(|mention| mention.at)
                .next()
        } else {
            let above =
                tree.subjects_above(at).into_iter().find(|subject| *subject != at && *subject >= start);
            above.map(|subject| self.tokens + subject)
        }?;
        let mention = Mention { pronoun: true, main: true, ..self.mention(at, tree.role(at)) };
        let is_subject = |mention: &Mention| mention.at == subject;
        let entity = self.entities.iter_mut().find(|entity| entity.mentions.iter().any(is_subject))?;
        let referent = Referent { name: entity.name.clone()?, kind: entity.kind, confidence: THING };
        let means = entity.is_thing();
        if means {
            entity.mention(mention);
        }
        means.then_some(referent)
    }

    #[cfg(feature = "train")]
    fn keep(&mut self, token: usize, candidates: &[(usize, Features)]) {
        let told = |(index, features): &(usize, Features)| {
            let entity = &self.entities[*index];
            let places = entity.mentions.iter().filter(|mention| !mention.pronoun).map(|mention| mention.at);
            Candidate { name: entity.name.clone(), places: places.collect(), features: *features }
        };
        let candidates = candidates.iter().map(told).collect();
        self.weighed.push(Weighed { start: 0, token, candidates });
    }

    /// The pronoun in its place, and the mentions that it cannot mean.
    fn place(
        &self,
        tree: Tree<'_>,
        at: usize,
        (gender, form): (Gender, Form),
        (start, end): (usize, usize),
    ) -> (Pronoun, Vec<usize>) {
        let (mut barred, mut oblique) = (Vec::new(), Vec::new());
        let verb = tree.verb_of(at).filter(|_| form == Form::Plain);
        let own_subject = verb.and_then(|(verb, _)| tree.subject_of(verb));
        for entity in &self.entities {
            for mention in
                entity.mentions.iter().rev().take_while(|mention| mention.sentence == self.sentences)
            {
                let other = mention.at - self.tokens;
                let owned = form == Form::Owner && other > at && tree.is_owned_by(other, at);
                let joined =
                    tree.above(other) == Some(at) || tree.above(at) == Some(other) && form == Form::Plain;
                let beside = verb.and_then(|(verb, behind)| {
                    let (its, its_behind) = tree.verb_of(other)?;
                    let subject = own_subject == Some(other) && other != at;
                    (its == verb || subject).then_some(behind || its_behind)
                });
                match beside {
                    _ if owned || joined => barred.push(mention.at),
                    Some(false) if mention.role != Role::Owner => barred.push(mention.at),
                    // "She lives there with Zoe": a name behind a subject of its clause is somebody else's.
                    Some(true) if other > at => barred.push(mention.at),
                    Some(true) => oblique.push(mention.at),
                    _ if own_subject == Some(other) => barred.push(mention.at),
                    _ => {}
                }
            }
        }
        let inside = |subject: &usize| (start..end).contains(subject) && *subject != at;
        let subjects: Vec<usize> = tree
            .subjects_above(at)
            .into_iter()
            .filter(inside)
            .map(|subject| self.tokens + subject)
            .filter(|subject| !barred.contains(subject))
            .collect();
        let role =
            if form == Form::Owner && tree.label(at) != Label::Poss { Role::Other } else { tree.role(at) };
        let place =
            Pronoun { at: self.tokens + at, sentence: self.sentences, gender, form, role, subjects, oblique };
        (place, barred)
    }

    /// Those who may be meant, each with its features.
    fn candidates(
        &self,
        turn: &Turn<'_, '_>,
        pronoun: &Pronoun,
        gender: Gender,
        barred: &[usize],
    ) -> Vec<(usize, Features)> {
        let talks = |entity: &Entity| {
            entity.name.is_some() && [turn.speaker, turn.other].contains(&entity.name.as_deref())
        };
        let bars = |entity: &Entity| {
            pronoun.form != Form::Reflexive
                && entity.mentions.iter().any(|mention| barred.contains(&mention.at))
        };
        let fits = |entity: &(usize, &Entity)| {
            let entity = entity.1;
            let of_other = entity.sure && entity.is_other(gender);
            // In a text kinds are weighed, too: a guess of a kind may be wrong.
            (entity.may_be_person() || turn.speaker.is_none()) && !of_other && !talks(entity) && !bars(entity)
        };
        let mut fitting: Vec<(usize, &Entity)> = self.entities.iter().enumerate().filter(fits).collect();
        // "She hurt herself": the subject, where it is known.
        if pronoun.form == Form::Reflexive
            && let Some(subject) = pronoun.subjects.first()
        {
            fitting.retain(|(_, entity)| entity.mentions.iter().any(|mention| mention.at == *subject));
        }
        let recent = |entity: &Entity| {
            entity.mentions.iter().rev().find(|mention| mention.at < pronoun.at).map(|mention| mention.at)
        };
        let place: Vec<Option<usize>> = fitting.iter().map(|(_, entity)| recent(entity)).collect();
        fitting
            .iter()
            .zip(&place)
            .filter_map(|((index, entity), own)| {
                let between =
                    own.map_or(0, |own| place.iter().flatten().filter(|other| **other > own).count());
                Some((*index, weigh::features(entity, pronoun, between)?))
            })
            .collect()
    }
}

/// A name that opens a sentence, where only the grammar shows that it is one.
fn opener<'t>(
    turn: &Turn<'t, '_>,
    tree: Tree<'_>,
    names: &[&Named<'_>],
    at: usize,
    end: usize,
) -> Option<&'t str> {
    let token = turn.tokens.get(at).filter(|token| token.capital && token.word.len() > 1)?;
    let next = turn.tokens.get(at + 1)?;
    let alone = at + 1 < end && !next.capital && names.first().is_none_or(|name| name.first > at);
    (alone && tree.tag(at) == Tag::Nnp).then(|| token.raw(turn.text))
}

/// Whether a name calls the one who listens: "Ana! Was he there?", "What about you, Ana?".
fn is_called(turn: &Turn<'_, '_>, name: &Named<'_>) -> bool {
    let word = |at: usize| turn.tokens.get(at).map_or("", |token| token.word);
    let opens = turn.tokens.get(name.first).is_none_or(|token| token.opens);
    let before = name.first.checked_sub(1).map_or("", word);
    let greeted = matches!(before, "hey" | "hi" | "hello" | "thanks" | "you" | "dear" | "oh");
    let ends = matches!(word(name.end), "" | "!" | "?" | ".");
    let closes = turn.speaker.is_some() && (ends || word(name.end) == ",");
    closes && (opens || greeted || before == "," && ends)
}

/// What the words around a name tell of it.
#[derive(Default)]
struct Told {
    gender: Option<Gender>,
    person: bool,
}

fn told_gender(turn: &Turn<'_, '_>, tree: Tree<'_>, name: &Named<'_>, head: usize) -> Told {
    let mut told = Told::default();
    let mut hear = |at: usize| {
        let Some(token) = turn.tokens.get(at) else { return };
        told.gender = told.gender.or(gender::of_noun(token.word));
        told.person |= gender::is_of_person(token.word);
    };
    // "My sister" that goes by that; a capital may be a name's: "Stephen King".
    for at in (name.first..name.end).filter(|at| turn.tokens.get(*at).is_some_and(|token| !token.capital)) {
        hear(at);
    }
    // "His sister Ana", "actress Ana": the word before; "my sister, Ana".
    if let Some(before) = name.first.checked_sub(1) {
        hear(before);
    }
    if tree.label(head) == Label::Appos
        && let Some(above) = tree.above(head)
    {
        hear(above);
    }
    // "Ana, an actress", "Ana is the daughter of".
    for at in name.end..turn.tokens.len().min(name.end + 12) {
        let is_said = tree.label(at) == Label::Appos && tree.above(at) == Some(head)
            || tree.label(at) == Label::Attr
                && tree.above(at).is_some()
                && tree.above(at) == tree.above(head);
        if is_said {
            hear(at);
        }
    }
    told
}

/// Whether a noun only describes somebody who is named beside it.
fn is_named(turn: &Turn<'_, '_>, tree: Tree<'_>, names: &[&Named<'_>], at: usize) -> bool {
    let near = |name: &&&Named<'_>| {
        let head = tree.head_of(name.first, name.end);
        let next = name.first == at + 1 || name.first == at + 2 && turn.tokens[at + 1].word == ",";
        next || name.first <= at && at < name.end
            || tree.above(head) == Some(at) && matches!(tree.label(head), Label::Appos | Label::Compound)
            || tree.above(at) == Some(head)
            || tree.label(at) == Label::Attr && tree.above(at).is_some() && tree.above(at) == tree.above(head)
    };
    names.iter().any(|name| near(&name))
}

//! How likely somebody is meant by a pronoun: a linear model of few features.

use crate::coref::discourse::Pronoun;
use crate::coref::entity::{Entity, Mention};
use crate::coref::gender::Form;
use crate::coref::tree::Role;

/// What is weighed, in the order of [`WEIGHTS`].
pub(crate) const FEATURES: [&str; 21] = [
    "bias",
    "same sentence",
    "sentence before",
    "two sentences before",
    "only after the pronoun",
    "behind a preposition",
    "subject of the sentence before, for a subject",
    "same role as the pronoun",
    "nearest subject above an owner",
    "nearest subject above another",
    "in brackets",
    "times named",
    "first person told of",
    "a name alone that goes with the other gender",
    "subject of the sentence",
    "known gender",
    "nearest",
    "one word of a name",
    "unnamed",
    "behind a preposition in the same clause",
    "of a kind that is nobody",
];

/// How many there are.
pub(crate) const COUNT: usize = FEATURES.len();

/// The weights of [`FEATURES`], learnt on GAP by `scripts/coref/fit.py`, which also tells how they do on what they have not
/// seen.
const WEIGHTS: [f32; COUNT] = [
    1.39, 3.16, 1.36, 0.35, 0.94, -0.64, 1.22, 0.31, 1.68, 0.76, -0.63, 1.41, 0.19, -1.01, 0.64, 0.82, 0.55,
    0.36, -1.00, -1.59, -1.25,
];

/// What is known of somebody in the place of a pronoun.
pub(super) type Features = [f32; COUNT];

/// The number of a candidate.
pub(super) fn score(features: &Features) -> f32 {
    features.iter().zip(WEIGHTS).map(|(value, weight)| value * weight).sum()
}

/// The features of `entity` for `pronoun`; `None` where it is mentioned neither before it nor in its sentence.
pub(super) fn features(entity: &Entity, pronoun: &Pronoun, between: usize) -> Option<Features> {
    let said = |mention: &&Mention| mention.at < pronoun.at;
    let named = entity.mentions.iter().rev().filter(said).find(|mention| !mention.pronoun);
    // A pronoun brings somebody nearer whose name is farther back.
    let near = |mention: &&Mention| mention.sentence + 1 >= pronoun.sentence;
    let before = named.filter(near).or_else(|| entity.mentions.iter().rev().find(said));
    let after = entity.mentions.iter().find(|mention| mention.at > pronoun.at);
    let mention = before.or(after)?;
    let distance = pronoun.sentence.abs_diff(mention.sentence);
    let is = |holds: bool| if holds { 1.0 } else { 0.0 };
    let in_that = |role: Role| {
        let same = |known: &&Mention| {
            known.sentence == mention.sentence && (before.is_none() || known.at < pronoun.at)
        };
        entity.mentions.iter().filter(same).any(|known| known.role == role)
    };
    let above = entity
        .mentions
        .iter()
        .filter_map(|known| pronoun.subjects.iter().position(|subject| *subject == known.at))
        .min();
    let owner = pronoun.form == Form::Owner;
    Some([
        1.0,
        is(before.is_some() && distance == 0),
        is(distance == 1),
        is(distance == 2),
        is(before.is_none()),
        is(in_that(Role::Oblique)),
        is(distance == 1 && pronoun.role == Role::Subject && in_that(Role::Subject)),
        is(in_that(pronoun.role)),
        is(above == Some(0) && owner),
        is(above == Some(0) && !owner),
        is(mention.bracketed),
        (1.0 + entity.count as f32).ln(),
        is(entity.rank == 0),
        is(entity.is_other(pronoun.gender)),
        is(mention.main),
        is(entity.gender == Some(pronoun.gender)),
        is(before.is_some() && between == 0),
        is(entity.length() == 1),
        is(entity.name.is_none()),
        is(pronoun.oblique.contains(&mention.at)),
        is(!entity.may_be_person()),
    ])
}

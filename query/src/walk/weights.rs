//! Every number of walks, in one place. They were set by hand: no set of questions tells which of two paths says more. What they
//! do to an order is shown by the tests of `paths.rs` and `rank.rs`.
//!
//! The score of a path is the product of its steps' scores and of the specificity of each entity that it goes through:
//!
//! - a step: relation × support × recency;
//! - relation: what its predicate is worth, see [`weight_of`];
//! - support: 1 − ∏ (1 − [`SUPPORT`] × confidence) over the statements of the fact, where one that is made with a doubt, or
//!   passes on what somebody else said, counts [`DOUBT`] of its confidence;
//! - recency: [`RECENT_FLOOR`] + (1 − [`RECENT_FLOOR`]) × ½^(age / [`RECENT_HALF_MILLIS`]), by the newest statement;
//! - specificity of an entity: 1 / ln(e + its facts).

/// What one statement that is sure is worth: two come to 0.91, three to 0.97.
pub(crate) const SUPPORT: f32 = 0.7;
/// What is left of a statement that its speaker does not vouch for.
pub(crate) const DOUBT: f32 = 0.5;
/// After how long the newest statement of a fact is worth half of what age can take: two years, in milliseconds.
pub(crate) const RECENT_HALF_MILLIS: f32 = 2.0 * 365.25 * 86_400_000.0;
/// What is left of the oldest fact: what nobody takes back still holds.
pub(crate) const RECENT_FLOOR: f32 = 0.5;
/// How many ways one walk looks at, at most.
pub(crate) const LOOKED_AT: usize = 200_000;
/// With which probability the walker of the ranking starts again at the entity asked for, at each step.
pub(crate) const RESTART: f32 = 0.15;
/// What the ranking leaves lying at an entity, as a share of all, for each way out of it. With a million facts of a hundred thousand
/// entities, 99.7 of the first hundred are those of the exact ranking; with a quarter of it 99.97, in seven times the time.
pub(crate) const LEFT: f32 = 4e-6;
/// The weight of a way over a fact whose predicate is none of the known ones.
pub(crate) const OPEN: f32 = 0.5;

/// What a way over a fact is worth, by predicate: who belongs together first, then where somebody belongs, then
/// what else is known of them.
const CLASSES: [(f32, &[&str]); 3] = [
    (
        1.0,
        &[
            "married_to",
            "partner_of",
            "parent_of",
            "child_of",
            "sibling_of",
            "relative_of",
            "friend_of",
            "colleague_of",
            "housemate_of",
            "neighbour_of",
            "manages",
            "reports_to",
            "knows",
            "pet_of",
        ],
    ),
    (
        0.8,
        &[
            "works_at",
            "lives_in",
            "from",
            "studies_at",
            "member_of",
            "founded",
            "part_of",
            "located_in",
            "created",
            "volunteers_at",
            "graduated_from",
        ],
    ),
    (
        0.6,
        &["likes", "dislikes", "prefers", "went_to", "lived_in", "worked_at", "plans", "plays", "is", "has"],
    ),
];

/// What a way over a fact with this predicate is worth, to the ranking and as a step of a path.
pub(crate) fn weight_of(predicate: &str) -> f32 {
    let class = CLASSES.iter().find(|(_, predicates)| predicates.contains(&predicate));
    class.map_or(OPEN, |(weight, _)| *weight)
}

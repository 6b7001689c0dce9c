//! Our own rules: what is so in every world. Symmetric and inverse predicates need none, see
//! `engine/src/model/predicate.rs`.

/// Each is true of what its predicates mean, whoever uses them. A new one has to be: what is right mostly is
/// a rule for users to add.
pub(super) const OWN: [&str; 5] = [
    // What lies in something lies in what that lies in, and so on.
    "located_in(X,Y), located_in(Y,Z) -> located_in(X,Z)",
    "part_of(X,Y), part_of(Y,Z) -> part_of(X,Z)",
    "lives_in(X,Y), located_in(Y,Z) -> lives_in(X,Z)",
    // Kin of kin.
    "parent_of(X,Y), parent_of(Y,Z) -> relative_of(X,Z)",
    "sibling_of(X,Y), parent_of(Y,Z) -> relative_of(X,Z)",
];

/// What was so before it was told, where nothing is told of its beginning: a town does not begin to lie where
/// it lies when somebody says so. Their inverses last as well.
pub(super) const LASTING: [&str; 5] = ["located_in", "part_of", "parent_of", "sibling_of", "relative_of"];

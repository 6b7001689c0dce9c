//! What was derived, and from what: proofs whose premises are stated facts and other proofs.

use super::compile::RuleIx;
use crate::graph::{EntityIx, FactIx};
use crate::model::id::{FactId, Namespace};
use crate::model::predicate::Predicate;
use crate::model::time::Interval;
use crate::state::State;

/// The number of a proof in a [`Derivation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProofIx(pub u32);

/// What followed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Derivation {
    /// The facts that were asked for and are not stated, by predicate and id.
    pub facts: Vec<DerivedFact>,
    /// All proofs of them and of what they rest on, by number. The premises of one stand before it.
    pub proofs: Vec<Proof>,
    /// Stated facts that were looked at.
    pub looked_at: usize,
    /// Why there may be more; `None` where this is all.
    pub cut: Option<Cut>,
}

/// Why not everything was worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cut {
    /// What is asked leads over more facts in a row than are followed.
    Depth,
    /// More facts would have to be looked at.
    Facts,
    /// They can be put together in more ways than are tried.
    Steps,
}

/// A fact that nobody stated.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivedFact {
    /// An id that is the same wherever and however often it is derived.
    pub id: FactId,
    /// Of whom.
    pub subject: EntityIx,
    /// Which relation.
    pub predicate: Predicate,
    /// To what.
    pub object: DerivedObject,
    /// When it held: at all times at which the premises of one proof did.
    pub intervals: Vec<Interval>,
    /// How sure the surest proof is, from 0 to 1.
    pub confidence: f32,
    /// Whether each proof rests on something that another statement contradicts.
    pub contested: bool,
    /// Its proofs, the best first; at least one.
    pub proofs: Vec<ProofIx>,
}

/// What a derived fact says of its subject.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DerivedObject {
    /// Another entity.
    Entity(EntityIx),
    /// Text that names none.
    Value(String),
}

/// One application of a rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    /// Of whom something follows.
    pub subject: EntityIx,
    /// Which relation.
    pub predicate: Predicate,
    /// To what.
    pub object: DerivedObject,
    /// Which rule; `None` where a predicate is only told from the other end.
    pub rule: Option<RuleIx>,
    /// What its atoms were met by, as they were gone over: each but the first is tied to one before it, or to
    /// what was asked.
    pub premises: Vec<Premise>,
    /// When all of them held.
    pub intervals: Vec<Interval>,
    /// The product of theirs.
    pub confidence: f32,
    /// Whether one of them is contested.
    pub contested: bool,
}

/// What an atom was met by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Premise {
    /// A stated fact.
    Stated(FactIx),
    /// What followed.
    Derived(ProofIx),
}

impl Derivation {
    /// The stated facts that a proof rests on, in its order, each once.
    pub fn leaves(&self, proof: ProofIx) -> Vec<FactIx> {
        let mut leaves = Vec::new();
        let mut open: Vec<Premise> = vec![Premise::Derived(proof)];
        while let Some(premise) = open.pop() {
            match premise {
                Premise::Stated(fact) if !leaves.contains(&fact) => leaves.push(fact),
                Premise::Stated(_) => {}
                Premise::Derived(proof) => open.extend(self.proof(proof).premises.iter().rev()),
            }
        }
        leaves
    }

    /// One proof.
    pub fn proof(&self, ix: ProofIx) -> &Proof {
        &self.proofs[ix.0 as usize]
    }
}

impl DerivedFact {
    /// The proof that is shown.
    pub fn best(&self) -> ProofIx {
        self.proofs[0]
    }
}

/// The id of a derived fact. `first` and `second` are the ends of the relation `predicate`.
pub(super) fn derived_id(
    state: &State,
    predicate: &Predicate,
    [first, second]: [&DerivedObject; 2],
) -> FactId {
    let namespace: &Namespace = state.namespace();
    let bytes = |end: &DerivedObject| -> Vec<u8> {
        match end {
            DerivedObject::Entity(ix) => [&[0][..], state.entity(*ix).id.as_bytes()].concat(),
            DerivedObject::Value(text) => [&[1][..], text.as_bytes()].concat(),
        }
    };
    FactId::of(&[
        namespace.as_str().as_bytes(),
        b"derived",
        &bytes(first),
        predicate.as_str().as_bytes(),
        &bytes(second),
    ])
}

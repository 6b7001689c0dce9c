//! What a question over ties asks, as a tree: whom it names, over which ties, under which conditions.

use lorebase_engine::graph::EntityIx;

use super::ties::{Role, Sort, Tie};

/// Somebody or something, or several, as a question names them.
#[derive(Debug, Clone)]
pub(super) enum Term {
    /// By name.
    Named(Vec<EntityIx>),
    /// A plain value: "cello".
    Value(String),
    /// What they are tied to.
    Over(Box<Self>, Role),
    /// Those of them for whom all that holds.
    With(Box<Self>, Vec<Fits>),
    /// All for whom that holds.
    All(Vec<Fits>),
    /// Those of this sort.
    Sorted(Box<Self>, Sort),
}

/// That somebody is tied to one of those.
#[derive(Debug, Clone)]
pub(super) enum Fits {
    Tied(Role, Term),
    /// Is one of those.
    Is(Term),
}

/// What is asked.
#[derive(Debug, Clone)]
pub(super) enum Ask {
    /// Who or what that is.
    Ends(Term),
    /// How many.
    Count(Term),
    /// Whether it holds of them.
    Whether(Term, Fits),
    /// What they were tied to before the present.
    Before(Term, &'static Tie),
}

impl Ask {
    /// How many ties it goes over.
    pub(super) fn ties(&self) -> usize {
        match self {
            Self::Ends(term) | Self::Count(term) => term.ties(),
            Self::Whether(term, fits) => term.ties() + fits.ties(),
            Self::Before(term, _) => term.ties() + 1,
        }
    }
}

impl Term {
    fn ties(&self) -> usize {
        match self {
            Self::Named(_) | Self::Value(_) => 0,
            Self::Over(of, _) => of.ties() + 1,
            Self::With(of, fits) => of.ties() + fits.iter().map(Fits::ties).sum::<usize>(),
            Self::All(fits) => fits.iter().map(Fits::ties).sum(),
            Self::Sorted(of, sort) => of.ties() + usize::from(*sort == Sort::Region),
        }
    }
}

impl Fits {
    fn ties(&self) -> usize {
        match self {
            Self::Tied(_, of) => of.ties() + 1,
            Self::Is(of) => of.ties(),
        }
    }
}

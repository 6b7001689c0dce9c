//! Text to vectors: the trait that embedding models implement, and the one that is always there.

use crate::error::Error;

/// Which model made a vector. Vectors of different identities are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelIdentity {
    /// The model's name and version, such as `hash-1`.
    pub name: String,
    /// Numbers a vector has.
    pub dimensions: usize,
}

/// Turns texts into vectors of unit length, of which the dot product says how alike the texts are.
pub trait Embedder: Send + Sync {
    /// Which model this is. It never changes while the value lives.
    fn identity(&self) -> &ModelIdentity;

    /// One vector a text, in order, each of the identity's dimensions and of length 1 (or 0 for a text in which
    /// the model sees nothing).
    ///
    /// # Errors
    /// Where the model fails or cannot be reached.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error>;
}

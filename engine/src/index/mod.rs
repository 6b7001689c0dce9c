//! What is like this? By words and by vectors. Derived, disposable, rebuilt from the store; it knows no fact, no
//! time and no file.

mod bytes;
mod codes;
pub(crate) mod distance;
mod forward;
pub mod lexical;
pub(crate) mod rounding;
pub(crate) mod rows;
mod turn;
pub mod vector;
mod vocabulary;

pub use self::distance::dot;

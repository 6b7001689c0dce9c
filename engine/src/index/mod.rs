//! What is like this? By words and by vectors. Derived, disposable, rebuilt from the store; it knows no fact, no
//! time and no file.

pub(crate) mod distance;
mod forward;
pub mod lexical;
pub(crate) mod rows;
pub mod vector;
mod vocabulary;

//! What of a text is not kept, and what is kept but flagged: looked for before anything is stored. It reads no facts.

pub mod injection;
pub mod mask;
pub mod secrets;

mod fits;
mod keys;
mod numbers;
mod words;

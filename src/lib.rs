#![doc = include_str!("../README.md")]

pub mod answer;
pub mod background;
pub mod by_hand;
mod derived;
pub mod edit;
mod eraser;
pub mod error;
pub mod evaluate;
mod fading;
pub mod forget;
pub mod history;
pub mod identity;
pub mod intake;
pub mod leaving;
pub mod memory;
pub mod models;
pub mod process;
mod remember;
pub mod rules;
pub mod transfer;
pub mod view;

pub use lorebase_datasets as datasets;
pub use lorebase_engine as engine;
pub use lorebase_extract as extract;
pub use lorebase_query as query;

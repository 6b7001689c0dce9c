//! The `lore` binary: parse, run, exit code.

mod cli;
mod wire;

use std::process::ExitCode;

use clap::Parser;
use lorebase::error::{Error, ErrorKind};
use lorebase::{datasets, engine, extract};

use crate::cli::Outcome;
use crate::cli::args::Cli;

/// Exit codes: done, nothing found or a check failed, usage or input error, store damaged or locked or the system
/// out of room.
const DONE: u8 = 0;
const NOTHING: u8 = 1;
const INPUT: u8 = 2;
const STORE: u8 = 3;

fn main() -> ExitCode {
    tell_only_uncontained_panics();
    lorebase::process::keep_to_few_heaps();
    // Clap prints usage errors itself and exits with 2, our code for them.
    let cli = Cli::parse();
    match cli::run(cli) {
        Ok(Outcome::Done) => ExitCode::from(DONE),
        Ok(Outcome::Nothing) => ExitCode::from(NOTHING),
        Err(error) => {
            cli::report(&error);
            ExitCode::from(code(&error))
        }
    }
}

/// A panic that is caught and told as an error is not told twice.
fn tell_only_uncontained_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !engine::panic_is_contained() {
            usual(panic);
        }
    }));
}

/// Who must act on the error decides the code.
fn code(error: &anyhow::Error) -> u8 {
    let kind = error.chain().find_map(|cause| {
        let facade = cause.downcast_ref().map(Error::kind);
        let engine = cause.downcast_ref().map(engine::error::Error::kind);
        let extract = cause.downcast_ref().map(extract::error::Error::kind);
        let datasets = cause.downcast_ref().map(datasets::error::Error::kind);
        // What the system said of a file that nobody named, or while a named one was written.
        let system = cause.is::<std::io::Error>().then_some(ErrorKind::Operator);
        facade.or(engine).or(extract).or(datasets).or(system)
    });
    if kind == Some(ErrorKind::Operator) { STORE } else { INPUT }
}

//! Any text as a pattern: it is read and written alike or has a place that is wrong, and what meets it in a small memory
//! keeps to what was asked for.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use lorebase::engine::model::id::Namespace;
use lorebase::engine::model::time::Moment;
use lorebase::query::pattern::ast::Pattern;
use lorebase::query::pattern::{InvalidPattern, Limits};
use lorebase_fuzz::memory::MEMORY;
use lorebase_fuzz::{setup, times};

#[derive(Arbitrary, Debug)]
struct Asked<'a> {
    rows: u8,
    /// Hours from 2024; 0 for no time.
    as_of: i32,
    known_at: i32,
    text: &'a str,
}

fuzz_target!(init: setup::one_thread(), |asked: Asked<'_>| {
    let pattern = match asked.text.parse::<Pattern>() {
        Ok(pattern) => pattern,
        Err(InvalidPattern { at, problem, .. }) => {
            assert!((1..=asked.text.chars().count() + 1).contains(&at) && !problem.is_empty());
            return;
        }
    };
    assert_eq!(pattern.to_string().parse::<Pattern>().as_ref(), Ok(&pattern));
    let time = |hours: i32| (hours != 0).then(|| times::hours_from_2024(hours));
    let moment = Moment { as_of: time(asked.as_of), known_at: time(asked.known_at), now: None };
    let limits = Limits { rows: usize::from(asked.rows), looked_at: 20_000 };
    let namespace = Namespace::default();
    let found = MEMORY.matches(&namespace, &pattern, moment, limits).expect("it was read from a text");
    assert!(found.looked_at <= limits.looked_at && found.rows.len() <= limits.rows);
    assert!(found.rows.iter().all(|row| row.len() == found.columns.len()));
    assert!(pattern.limit.is_none_or(|limit| found.rows.len() <= limit));
    let again = MEMORY.matches(&namespace, &pattern, moment, limits).expect("it was just asked");
    assert_eq!(again, found);
});

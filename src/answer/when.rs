//! Times as answers: what a sentence tells of when something was, against the day on which it was said.

use jiff::civil::{Date, Weekday};
use lorebase_engine::dates::{self, Found, Granularity, MONTHS, Meaning, TimeExpression};
use lorebase_engine::model::episode::Episode;
use lorebase_engine::model::time::{Interval, SourceTime};

/// How a time came to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// By its date.
    Dated,
    /// Against the day on which it was said: "last week".
    Relative,
    /// By nothing but when it was said.
    Said,
}

/// A time that may be the answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct When {
    pub(crate) text: String,
    pub(crate) told: Told,
    pub(crate) granularity: Granularity,
    pub(crate) interval: Interval,
    /// Where it stands, in bytes of the turn's text; empty where it does not.
    pub(crate) bytes: (usize, usize),
}

/// The times that a turn tells of, each as it is said; and when it was said.
pub(crate) fn times(episode: &Episode) -> Vec<When> {
    let Some(at) = episode.occurred_at else { return Vec::new() };
    let said = at.civil();
    let found = dates::find(&episode.text, Some(said)).into_iter();
    let mut times: Vec<When> =
        found.filter_map(|expression| when(&episode.text, &expression, said.date())).collect();
    times.push(When {
        text: day(said.date()),
        told: Told::Said,
        granularity: Granularity::Day,
        interval: Interval { from: Some(at.instant), to: None },
        bytes: (0, 0),
    });
    times
}

/// How long things take that a turn tells of, in its own words.
pub(crate) fn durations(episode: &Episode) -> Vec<(String, (usize, usize))> {
    let said = episode.occurred_at.map(SourceTime::civil);
    let long = |found: &Found| matches!(found.meaning, Meaning::Duration { .. });
    let found = dates::read(&episode.text, said, None).into_iter().filter(long);
    let told = |found: Found| {
        let text = found.span.slice(&episode.text)?;
        Some((text.to_owned(), bytes(&episode.text, text)))
    };
    found.filter_map(told).collect()
}

/// Where a piece of a text stands in it.
fn bytes(text: &str, piece: &str) -> (usize, usize) {
    let start = piece.as_ptr() as usize - text.as_ptr() as usize;
    (start, start + piece.len())
}

fn when(text: &str, expression: &TimeExpression, said: Date) -> Option<When> {
    let piece = expression.span.slice(text)?;
    let from = expression.interval.from?.civil().date();
    let dated = piece.bytes().any(|byte| byte.is_ascii_digit()) && !piece.contains("ago");
    let told = if dated { Told::Dated } else { Told::Relative };
    Some(When {
        text: written(piece, expression.granularity, from, said),
        told,
        granularity: expression.granularity,
        interval: expression.interval,
        bytes: bytes(text, piece),
    })
}

/// A time as people write it down who do not know when it was said.
fn written(piece: &str, granularity: Granularity, from: Date, said: Date) -> String {
    let lower = piece.to_lowercase();
    let relation = if from < said { "before" } else { "after" };
    match granularity {
        Granularity::Year => from.year().to_string(),
        Granularity::Season => format!("{} {}", season(&lower, from), from.year()),
        Granularity::Month => format!("{} {}", month(from), from.year()),
        Granularity::Week if lower.contains("weekend") => format!("the weekend {relation} {}", day(said)),
        Granularity::Week if weeks(&lower).is_some() && lower.contains("ago") => {
            format!("{} weeks before {}", weeks(&lower).unwrap_or_default(), day(said))
        }
        Granularity::Week if from <= said && (said - from).get_days() < 7 && !lower.contains("last") => {
            format!("the week of {}", day(said))
        }
        Granularity::Week => format!("the week {relation} {}", day(said)),
        _ => match weekday(&lower) {
            Some(name) if from != said => format!("the {name} {relation} {}", day(said)),
            _ => day(from),
        },
    }
}

/// "two" of "two weeks ago"; not one week.
fn weeks(lower: &str) -> Option<&str> {
    let before = lower.split(" week").next()?;
    let word = before.split_whitespace().last()?;
    matches!(word, "two" | "three" | "four" | "2" | "3" | "4" | "few").then_some(word)
}

fn season(lower: &str, from: Date) -> &'static str {
    let names = ["spring", "summer", "autumn", "fall", "winter"];
    let named = names.into_iter().find(|name| lower.contains(name));
    named.unwrap_or(match from.month() {
        3..=5 => "spring",
        6..=8 => "summer",
        9..=11 => "autumn",
        _ => "winter",
    })
}

const WEEKDAYS: [(Weekday, &str); 7] = [
    (Weekday::Monday, "Monday"),
    (Weekday::Tuesday, "Tuesday"),
    (Weekday::Wednesday, "Wednesday"),
    (Weekday::Thursday, "Thursday"),
    (Weekday::Friday, "Friday"),
    (Weekday::Saturday, "Saturday"),
    (Weekday::Sunday, "Sunday"),
];

/// The weekday that an expression names.
fn weekday(lower: &str) -> Option<&'static str> {
    WEEKDAYS.iter().map(|(_, name)| *name).find(|name| lower.contains(&name.to_lowercase()))
}

fn month(date: Date) -> &'static str {
    MONTHS[date.month() as usize - 1]
}

/// "8 May 2023".
pub(crate) fn day(date: Date) -> String {
    format!("{} {} {}", date.day(), month(date), date.year())
}

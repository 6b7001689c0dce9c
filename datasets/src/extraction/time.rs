//! Expressions of time, scored on the specifications of Recognizers-Text: the value of each, exactly.
//!
//! An expected expression is found if one that overlaps it has the value of one of its alternatives: a date is that day, a
//! range its half-open ends, a time of the clock that minute, a duration its seconds, a repetition its TIMEX. Where a
//! specification says 23:59:59 at the end of a range, midnight is meant. Without an interval of its own a value is not
//! scored ("this summer", which the specifications leave open), and neither are values that need a reference time where the
//! specification gives none. Where the expected text does not stand where the specification says, its place is not known,
//! and any expression of the text may have its value. Precision is of all found expressions, but those that stand where
//! nothing can be scored.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use lorebase_engine::dates::{self, Found, Language, Meaning};
use lorebase_engine::model::episode::Span;
use lorebase_engine::model::time::{Interval, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Item, Tell};
use crate::error::Error;
use crate::files::read_json_lines;

const SET: &str = "time";

/// The reference of specifications that give none; only values that do not depend on it are scored there.
const ANY_REFERENCE: &str = "2016-11-07T00:00:00";

/// The languages that are to be read well, but for English.
const OTHERS: [&str; 11] = [
    "German",
    "French",
    "Spanish",
    "Italian",
    "Portuguese",
    "Dutch",
    "Chinese",
    "Japanese",
    "Korean",
    "Turkish",
    "Hindi",
];

#[derive(Deserialize)]
struct RawSpec {
    #[serde(rename = "Input")]
    input: String,
    #[serde(rename = "Context")]
    context: Option<RawContext>,
    #[serde(rename = "Results")]
    results: Vec<RawResult>,
}

#[derive(Deserialize)]
struct RawContext {
    #[serde(rename = "ReferenceDateTime")]
    reference: Option<String>,
}

#[derive(Deserialize)]
struct RawResult {
    #[serde(rename = "Text", default)]
    text: String,
    #[serde(rename = "Start")]
    start: Option<i64>,
    #[serde(rename = "TypeName")]
    kind: Option<String>,
    #[serde(rename = "Resolution")]
    resolution: Option<Value>,
}

/// How many values were expected and found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct TimeScore {
    /// Values that can be scored.
    pub expected: usize,
    /// Of these, those that were found.
    pub found: usize,
    /// Expressions that were found, right or not.
    pub given: usize,
}

impl TimeScore {
    /// The share of expected values that were found.
    pub fn exact(&self) -> f64 {
        self.found as f64 / self.expected.max(1) as f64
    }

    /// The share of found expressions that have an expected value.
    pub fn precision(&self) -> f64 {
        self.found as f64 / self.given.max(1) as f64
    }
}

/// What was found in one language.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LanguageTimes {
    /// All of it.
    pub all: TimeScore,
    /// By type of expression. Of a type nothing is given but what was found.
    pub types: BTreeMap<String, TimeScore>,
    /// How many specifications were read.
    pub specifications: usize,
    /// In how many of them the language was told right without a hint.
    pub told: usize,
}

/// Values by language.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TimeReport {
    /// By the name of the set.
    pub languages: BTreeMap<String, LanguageTimes>,
}

impl TimeReport {
    /// The mean over the languages besides English that are to be read well.
    pub fn mean_of_others(&self) -> f64 {
        let exact: Vec<f64> =
            OTHERS.iter().filter_map(|name| Some(self.languages.get(*name)?.all.exact())).collect();
        exact.iter().sum::<f64>() / exact.len().max(1) as f64
    }
}

/// Scores the sets in `directory`, a file a language.
pub fn score(directory: &Path, tell: &mut Tell<'_>) -> Result<TimeReport, Error> {
    let mut report = TimeReport::default();
    for language in Language::all() {
        for name in [format!("{language:?}"), format!("{language:?}Others")] {
            let path = directory.join(format!("{name}.jsonl"));
            if path.exists() {
                report.languages.insert(name.clone(), score_file(&path, (language, &name), tell)?);
            }
        }
    }
    Ok(report)
}

fn score_file(
    path: &Path,
    (language, name): (Language, &str),
    tell: &mut Tell<'_>,
) -> Result<LanguageTimes, Error> {
    let mut times = LanguageTimes::default();
    read_json_lines(path, |line, spec: RawSpec| {
        let outcome = times.add(&spec, language);
        let id = format!("{name}:{line}");
        tell(&Item {
            set: SET,
            language: Some(name),
            id: &id,
            text: &spec.input,
            missed: outcome.missed,
            extra: outcome.extra,
            found: outcome.found,
        });
        Ok(())
    })?;
    Ok(times)
}

#[derive(Default)]
struct Outcome {
    missed: Vec<String>,
    extra: Vec<String>,
    found: Vec<String>,
}

impl LanguageTimes {
    fn add(&mut self, spec: &RawSpec, language: Language) -> Outcome {
        let told = spec.context.as_ref().and_then(|context| context.reference.as_deref());
        let reference: Option<Timestamp> = time(told.unwrap_or(ANY_REFERENCE));
        let anchor = reference.map(Timestamp::civil);
        let found = dates::read(&spec.input, anchor, Some(language));
        self.specifications += 1;
        self.told += usize::from(dates::language_of(&spec.input) == language);
        let mut used = vec![false; found.len()];
        let mut outcome = Outcome::default();
        let mut unscored: Vec<Span> = Vec::new();
        for result in &spec.results {
            let kind = kind(result);
            let place = place(&spec.input, result);
            let values = scored_values(result, kind, told.is_some());
            if values.is_empty() {
                unscored.extend(place);
                continue;
            }
            let fits = |at: &usize| {
                let one: &Found = &found[*at];
                !used[*at]
                    && place.is_none_or(|place| overlap(place, one.span))
                    && values.iter().any(|value| is_value(one, value, kind, reference))
            };
            let hit = (0..found.len()).find(fits);
            let of_kind = self.types.entry(kind.to_owned()).or_default();
            self.all.expected += 1;
            of_kind.expected += 1;
            match hit {
                Some(at) => {
                    used[at] = true;
                    self.all.found += 1;
                    of_kind.found += 1;
                    of_kind.given += 1;
                }
                None => outcome.missed.push(format!(
                    "{kind} {:?} = {}",
                    result.text,
                    Value::from(values[0].clone())
                )),
            }
        }
        for (one, used) in found.iter().zip(&used) {
            let shown = format!("{:?} = {}", one.span.slice(&spec.input).unwrap_or_default(), shown(one));
            if *used || !unscored.iter().any(|place| overlap(*place, one.span)) {
                self.all.given += 1;
            }
            if !used {
                outcome.extra.push(shown.clone());
            }
            outcome.found.push(shown);
        }
        outcome
    }
}

/// The type of an expected expression, as the result or else its first value tells it.
fn kind(result: &RawResult) -> &str {
    let values = result.resolution.as_ref().and_then(|resolution| resolution.get("values"));
    let of_value = values.and_then(|values| values.get(0)?.get("type")?.as_str());
    let kind = result.kind.as_deref().or(of_value).unwrap_or_default();
    kind.trim_start_matches("datetimeV2.")
}

/// Where the expected text stands, if it stands where the specification says.
fn place(input: &str, result: &RawResult) -> Option<Span> {
    let start = u32::try_from(result.start?).ok()?;
    let span = Span { start, end: start + result.text.chars().count() as u32 };
    let same = span.slice(input)?.to_lowercase() == result.text.to_lowercase();
    same.then_some(span)
}

fn overlap(left: Span, right: Span) -> bool {
    left.start < right.end && right.start < left.end
}

/// The alternatives that can be compared.
fn scored_values(result: &RawResult, kind: &str, referenced: bool) -> Vec<serde_json::Map<String, Value>> {
    let values =
        result.resolution.as_ref().and_then(|resolution| resolution.get("values")).and_then(Value::as_array);
    let values = values.into_iter().flatten().filter_map(Value::as_object).cloned();
    let text = |value: &serde_json::Map<String, Value>, key: &str| {
        value.get(key).and_then(Value::as_str).map(str::to_owned)
    };
    values
        .filter(|value| {
            let is_set = kind == "set" && value.contains_key("timex");
            let resolved =
                |key| text(value, key).is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
            let free = matches!(kind, "duration" | "set" | "time" | "timerange");
            let year =
                ["value", "start", "end"].iter().find_map(|key| Some(text(value, key)?.get(..4)?.to_owned()));
            let named = year.is_some_and(|year| result.text.contains(&year));
            kind != "timezone"
                && (is_set || resolved("value") || resolved("start") || resolved("end"))
                && (referenced || free || named)
        })
        .collect()
}

fn is_value(
    found: &Found,
    value: &serde_json::Map<String, Value>,
    kind: &str,
    reference: Option<Timestamp>,
) -> bool {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    match found.meaning {
        Meaning::Duration { seconds } => {
            kind == "duration" && text("value").and_then(|value| value.parse::<f64>().ok()) == Some(seconds)
        }
        Meaning::Repetition(repetition) => {
            kind == "set" && text("timex") == Some(repetition.to_string().as_str())
        }
        Meaning::Time { exact, .. } => {
            let day = reference.map(|reference| reference.civil().date().to_string()).unwrap_or_default();
            is_interval(exact, kind, &text, &day)
        }
    }
}

fn is_interval<'v>(exact: Interval, kind: &str, text: &dyn Fn(&str) -> Option<&'v str>, day: &str) -> bool {
    let at = |key: &str| text(key).and_then(|value| dated(value, day));
    match kind {
        "date" => {
            at("value").is_some_and(|from| exact == Interval { from: Some(from), to: moved(from, 86_400) })
        }
        "time" | "datetime" => {
            at("value").is_some_and(|from| exact == Interval { from: Some(from), to: moved(from, 60) })
        }
        "daterange" | "datetimerange" | "timerange" => {
            let (from, mut to) = (at("start"), at("end"));
            if text("end").is_some_and(|end| end.ends_with("23:59:59")) {
                to = to.and_then(|to| moved(to, 1));
            }
            if kind == "timerange" && from.is_some() && to.is_some() && to <= from {
                to = to.and_then(|to| moved(to, 86_400));
            }
            exact == Interval { from, to }
        }
        _ => false,
    }
}

/// A time as the specifications write it; one without a date is of the day of reference.
fn dated(value: &str, day: &str) -> Option<Timestamp> {
    if value.get(2..3) == Some(":") {
        return time(&format!("{day}T{value}"));
    }
    time(&value.replacen(' ', "T", 1))
}

fn time(written: &str) -> Option<Timestamp> {
    let whole = if written.len() == 10 { format!("{written}T00:00:00") } else { written.to_owned() };
    Some(whole.parse::<lorebase_engine::model::time::SourceTime>().ok()?.instant)
}

fn moved(time: Timestamp, seconds: i64) -> Option<Timestamp> {
    let later = time.civil().checked_add(std::time::Duration::from_secs(seconds.unsigned_abs())).ok()?;
    Timestamp::from_civil(later).ok()
}

fn shown(found: &Found) -> String {
    match found.meaning {
        Meaning::Duration { seconds } => format!("{seconds} s"),
        Meaning::Repetition(repetition) => repetition.to_string(),
        Meaning::Time { exact, .. } => {
            let end = |end: Option<Timestamp>| end.map(|end| end.civil().to_string()).unwrap_or_default();
            format!("{} .. {}", end(exact.from), end(exact.to))
        }
    }
}

impl fmt::Display for TimeReport {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(to, "| times | specifications | values | exact | precision | language told |")?;
        writeln!(to, "|---|---|---|---|---|---|")?;
        for (name, times) in &self.languages {
            writeln!(
                to,
                "| {name} | {} | {} | {:.3} | {:.3} | {:.3} |",
                times.specifications,
                times.all.expected,
                times.all.exact(),
                times.all.precision(),
                times.told as f64 / times.specifications.max(1) as f64,
            )?;
        }
        writeln!(to, "| mean of {} besides English | | | {:.3} | | |", OTHERS.len(), self.mean_of_others())?;
        writeln!(to)?;
        let kinds: Vec<&String> = self.languages.values().flat_map(|times| times.types.keys()).collect();
        let kinds = std::collections::BTreeSet::from_iter(kinds);
        writeln!(
            to,
            "| exact | {} |",
            kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(" | ")
        )?;
        writeln!(to, "|---|{}", "---|".repeat(kinds.len()))?;
        for (name, times) in &self.languages {
            let cell = |kind: &&String| {
                let score = times.types.get(*kind).copied().unwrap_or_default();
                if score.expected == 0 {
                    "–".to_owned()
                } else {
                    format!("{:.2} of {}", score.exact(), score.expected)
                }
            };
            writeln!(to, "| {name} | {} |", kinds.iter().map(cell).collect::<Vec<_>>().join(" | "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Specifications of our own: a day that is found, a duration that is not, a text that holds no time and gives one, a
    /// repetition, and what cannot be scored for want of a reference or a value.
    const SPECS: &str = r#"{"Input": "We left two days ago.", "Context": {"ReferenceDateTime": "2023-06-08T14:30:00"}, "Results": [{"Text": "two days ago", "Start": 8, "End": 19, "TypeName": "datetimeV2.date", "Resolution": {"values": [{"timex": "2023-06-06", "type": "date", "value": "2023-06-06"}]}}]}
{"Input": "It took a zillion hours.", "Context": {"ReferenceDateTime": "2023-06-08T14:30:00"}, "Results": [{"Text": "a zillion hours", "Start": 8, "End": 22, "TypeName": "datetimeV2.duration", "Resolution": {"values": [{"timex": "PT1H", "type": "duration", "value": "1"}]}}]}
{"Input": "Nothing, said yesterday.", "Context": {"ReferenceDateTime": "2023-06-08T14:30:00"}, "Results": []}
{"Input": "I row every Friday.", "Context": null, "Results": [{"Text": "every Friday", "Start": 6, "End": 17, "TypeName": "datetimeV2.set", "Resolution": {"values": [{"timex": "XXXX-WXX-5", "type": "set", "value": "not resolved"}]}}]}
{"Input": "We met last week.", "Context": null, "Results": [{"Text": "last week", "Start": 7, "End": 15, "TypeName": "datetimeV2.daterange", "Resolution": {"values": [{"timex": "2018-W01", "type": "daterange", "start": "2018-01-01", "end": "2018-01-08"}]}}]}
{"Input": "We met last summer.", "Context": {"ReferenceDateTime": "2023-06-08T14:30:00"}, "Results": [{"Text": "last summer", "Start": 7, "End": 17, "TypeName": "datetimeV2.daterange", "Resolution": {"values": [{"timex": "2022-SU", "type": "daterange", "value": "not resolved"}]}}]}
"#;

    #[test]
    fn values_are_found_exactly_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("English.jsonl"), SPECS).unwrap();
        let mut items = Vec::new();
        let report = score(directory.path(), &mut |item| items.push(item.missed.len())).unwrap();
        let english = &report.languages["English"];
        assert_eq!(english.all, TimeScore { expected: 3, found: 2, given: 3 });
        assert_eq!(english.types["date"], TimeScore { expected: 1, found: 1, given: 1 });
        assert_eq!((english.specifications, items), (6, vec![0, 1, 0, 0, 0, 0]));
        assert!(report.to_string().contains("| English | 6 | 3 | 0.667 | 0.667 | 1.000 |"), "{report}");
    }

    #[test]
    fn ends_that_stand_for_midnight_and_open_ends_are_compared_so() {
        let day = "2023-06-08";
        let at = |text: &str| dated(text, day);
        let is = |exact, kind, values: &[(&str, &'static str)]| {
            let text = |key: &str| values.iter().find(|value| value.0 == key).map(|value| value.1);
            is_interval(exact, kind, &text, day)
        };
        let night = Interval { from: at("2023-06-07 20:00:00"), to: at("2023-06-08") };
        assert!(is(
            night,
            "datetimerange",
            &[("start", "2023-06-07 20:00:00"), ("end", "2023-06-07 23:59:59")]
        ));
        let open = Interval { from: at("14:00:00"), to: None };
        assert!(is(open, "timerange", &[("start", "14:00:00")]));
        assert!(!is(open, "timerange", &[("start", "14:00:00"), ("end", "15:00:00")]));
    }
}

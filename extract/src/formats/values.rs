//! Values inside JSON formats: labels and the ways in which sources write times. Errors raised here get the parser's place.

use std::borrow::Cow;
use std::fmt;

use jiff::civil::DateTime;
use lorebase_engine::model::time::SourceTime;
use serde::de::{Deserialize, Deserializer, Visitor};

/// How LoCoMo writes a time, such as `1:56 pm on 8 May, 2023`.
const LOCOMO_TIME: &str = "%I:%M %p on %d %B, %Y";

/// How LongMemEval writes a time, such as `2023/07/12 (Wed) 10:14`; the weekday must be the date's.
const LONGMEMEVAL_TIME: &str = "%Y/%m/%d (%a) %H:%M";

/// A name or id. Sources write some as numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label(pub(crate) String);

/// A time as RFC 3339 or without an offset, such as `2023-05-08T13:56:00`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainTime(pub(crate) SourceTime);

/// A time as LoCoMo writes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoCoMoTime(pub(crate) SourceTime);

/// A time as LongMemEval writes it, such as `2023/07/12 (Wed) 10:14`; it names no offset.
#[derive(Debug, Clone, Copy)]
pub struct LongMemEvalTime(pub SourceTime);

fn written_as(pattern: &str, text: &str) -> Option<SourceTime> {
    let civil = DateTime::strptime(pattern, text).ok()?;
    SourceTime::naive(civil).ok()
}

fn not_a_time<E: serde::de::Error>(text: &str, example: &str) -> E {
    let text: String = text.chars().take(60).collect();
    E::custom(format_args!("\"{text}\" is not a time such as \"{example}\""))
}

impl<'de> Deserialize<'de> for PlainTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let time = text.parse().ok();
        time.map(Self).ok_or_else(|| not_a_time(&text, "2023-05-08T13:56:00"))
    }
}

impl<'de> Deserialize<'de> for LoCoMoTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let time = written_as(LOCOMO_TIME, &text);
        time.map(Self).ok_or_else(|| not_a_time(&text, "1:56 pm on 8 May, 2023"))
    }
}

impl<'de> Deserialize<'de> for LongMemEvalTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let time = written_as(LONGMEMEVAL_TIME, &text);
        time.map(Self).ok_or_else(|| not_a_time(&text, "2023/07/12 (Wed) 10:14"))
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LabelVisitor)
    }
}

struct LabelVisitor;

impl Visitor<'_> for LabelVisitor {
    type Value = Label;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a whole number")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Label, E> {
        Ok(Label(text.to_owned()))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Label, E> {
        Ok(Label(number.to_string()))
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Label, E> {
        Ok(Label(number.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_the_benchmarks_are_read_strictly() {
        let locomo = |text| written_as(LOCOMO_TIME, text).map(|at| at.civil().to_string());
        assert_eq!(locomo("1:56 pm on 8 May, 2023").as_deref(), Some("2023-05-08T13:56:00"));
        assert_eq!(locomo("12:48 am on 1 February, 2023").as_deref(), Some("2023-02-01T00:48:00"));
        for bad in ["", "13:56 pm on 8 May, 2023", "1:56 pm on 31 June, 2023", "8 May, 2023"] {
            assert_eq!(locomo(bad), None, "{bad}");
        }
        let longmemeval = |text| written_as(LONGMEMEVAL_TIME, text).map(|at| at.civil().to_string());
        assert_eq!(longmemeval("2023/07/12 (Wed) 10:14").as_deref(), Some("2023-07-12T10:14:00"));
        assert_eq!(longmemeval("2023/07/12 10:14"), None);
    }

    #[test]
    fn labels_may_be_numbers() {
        let labels: Vec<Label> = serde_json::from_str("[\"a\", 7, -1]").unwrap();
        assert_eq!(labels, ["a", "7", "-1"].map(|label| Label(label.to_owned())));
        assert!(serde_json::from_str::<Label>("1.5").is_err());
    }
}

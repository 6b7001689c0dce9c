//! How long it was between two things: each is asked for alone, and the days between are counted.

use jiff::civil::Date;
use lorebase_engine::model::time::Interval;
use lorebase_extract::phrases::{Asking, Want};

/// The two things that a question asks for the time between, each as a question of when it was; `None` where it does not.
/// What stands before both ("… passed between Ana adopting …") tells of nothing that happened, and is left out.
pub(crate) fn ends(question: &str, asking: &Asking) -> Option<[String; 2]> {
    if asking.want != Want::Duration {
        return None;
    }
    let plain = question.trim_end_matches(['?', '.', ' ']);
    let lower = plain.to_ascii_lowercase();
    let start = lower.find(" between ")? + " between ".len();
    let and = start + lower[start..].find(" and ")?;
    let (one, other) = (plain[start..and].trim(), plain[and + " and ".len()..].trim());
    // "Between adopting Coco and Shadow": what is done is said once.
    let shared =
        one.rsplit_once(' ').filter(|_| !other.contains(' ')).map(|(deed, _)| format!("{deed} {other}"));
    let about = |what: &str| format!("When was {what}?");
    Some([about(one), about(&shared.unwrap_or_else(|| other.to_owned()))])
}

/// The time between two days, in the unit that the question names or else in the greatest that it fills.
pub(crate) fn told(question: &str, one: Interval, other: Interval) -> Option<String> {
    let day = |interval: Interval| interval.from.map(|from| from.civil().date());
    let days = days_between(day(one)?, day(other)?);
    let lower = question.to_ascii_lowercase();
    let named = UNITS.iter().find(|(unit, _)| lower.contains(&format!("many {unit}")));
    let (unit, length) = named.or_else(|| UNITS.iter().find(|(_, length)| days >= *length))?;
    let count = (days as f64 / *length as f64).round() as i64;
    let unit = if count == 1 { unit.trim_end_matches('s') } else { unit };
    Some(format!("{count} {unit}"))
}

/// Units with their days, the longest first.
const UNITS: [(&str, i64); 4] = [("years", 365), ("months", 30), ("weeks", 7), ("days", 1)];

fn days_between(one: Date, other: Date) -> i64 {
    i64::from((one - other).get_days()).abs()
}

#[cfg(test)]
mod tests {
    use lorebase_engine::model::time::SourceTime;
    use lorebase_extract::phrases::asking;

    use super::*;

    fn on(day: &str) -> Interval {
        Interval { from: Some(day.parse::<SourceTime>().unwrap().instant), to: None }
    }

    #[test]
    fn both_ends_are_asked_for() {
        let ends = |question: &str| ends(question, &asking(question));
        let both = ends("How many weeks passed between Ana adopting Coco and Shadow?").unwrap();
        assert_eq!(both, ["When was Ana adopting Coco?", "When was Ana adopting Shadow?"]);
        let both = ends("How long was it between the trip to Porto and the wedding?").unwrap();
        assert_eq!(both, ["When was the trip to Porto?", "When was the wedding?"]);
        assert_eq!(ends("How long did it take?"), None);
        assert_eq!(ends("Who stood between Ana and Zoe?"), None);
    }

    #[test]
    fn the_time_between_is_told_in_the_unit_asked_for() {
        let (one, other) = (on("2023-05-01T10:00:00Z"), on("2023-05-15T09:00:00Z"));
        assert_eq!(told("How many days were between?", one, other).unwrap(), "14 days");
        assert_eq!(told("How long was it between?", other, one).unwrap(), "2 weeks");
        assert_eq!(told("How long?", one, on("2024-05-03T00:00:00Z")).unwrap(), "1 year");
        assert_eq!(told("How long?", one, one), None);
    }
}

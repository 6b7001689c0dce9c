//! What each expression means, as tables: (text, the expression, from, to) said on Thursday 8 June 2023.

use jiff::civil::date;
use proptest::prelude::*;

use super::*;

mod languages;

fn shown(text: &str, anchored: bool) -> Vec<(String, String, String)> {
    let anchor = date(2023, 6, 8).at(14, 30, 0, 0);
    find(text, anchored.then_some(anchor))
        .into_iter()
        .map(|hit| {
            let end = |at: Option<Timestamp>| {
                let civil = at.unwrap().civil();
                let short = civil.strftime("%Y-%m-%d %H:%M").to_string();
                short.trim_end_matches(" 00:00").to_owned()
            };
            let words = hit.span.slice(text).unwrap().to_owned();
            (words, end(hit.interval.from), end(hit.interval.to))
        })
        .collect()
}

const ABSOLUTE: &[(&str, &str, &str, &str)] = &[
    ("born 7 May 2023.", "7 May 2023", "2023-05-07", "2023-05-08"),
    ("born 7 May, 2023", "7 May, 2023", "2023-05-07", "2023-05-08"),
    ("on May 7th, 2023 we", "May 7th, 2023", "2023-05-07", "2023-05-08"),
    ("the 7th of May 2023", "the 7th of May 2023", "2023-05-07", "2023-05-08"),
    ("log 2023-05-07: ok", "2023-05-07", "2023-05-07", "2023-05-08"),
    ("Sunday, 7 May 2023", "Sunday, 7 May 2023", "2023-05-07", "2023-05-08"),
    ("What did she do in May 2023?", "May 2023", "2023-05-01", "2023-06-01"),
    ("in 2022 he left", "2022", "2022-01-01", "2023-01-01"),
    ("from 2019 to 2021", "2019 to 2021", "2019-01-01", "2022-01-01"),
    ("the summer of 2021", "the summer of 2021", "2021-06-01", "2021-09-01"),
    ("music of the 1990s", "the 1990s", "1990-01-01", "2000-01-01"),
    ("1:56 pm on 8 May, 2023", "1:56 pm on 8 May, 2023", "2023-05-08 13:56", "2023-05-08 13:57"),
    ("8 May 2023 at 13:05", "8 May 2023 at 13:05", "2023-05-08 13:05", "2023-05-08 13:06"),
    ("due 3/25/2024", "3/25/2024", "2024-03-25", "2024-03-26"),
    ("due 25.3.2024", "25.3.2024", "2024-03-25", "2024-03-26"),
    ("Café, 29 February 2024", "29 February 2024", "2024-02-29", "2024-03-01"),
];

const RELATIVE: &[(&str, &str, &str, &str)] = &[
    ("I ran today", "today", "2023-06-08", "2023-06-09"),
    ("yesterday morning", "yesterday morning", "2023-06-07 05:00", "2023-06-07 12:00"),
    ("the day before yesterday", "the day before yesterday", "2023-06-06", "2023-06-07"),
    ("last night", "last night", "2023-06-07 18:00", "2023-06-08"),
    ("last Friday", "last Friday", "2023-06-02", "2023-06-03"),
    ("last Thursday", "last Thursday", "2023-06-01", "2023-06-02"),
    ("next Friday", "next Friday", "2023-06-16", "2023-06-17"),
    ("this Friday", "this Friday", "2023-06-09", "2023-06-10"),
    ("we met on Friday", "Friday", "2023-06-02", "2023-06-03"),
    ("we will meet on Friday", "Friday", "2023-06-09", "2023-06-10"),
    ("last week", "last week", "2023-05-29", "2023-06-05"),
    ("this weekend", "this weekend", "2023-06-10", "2023-06-12"),
    ("this past weekend", "this past weekend", "2023-06-03", "2023-06-05"),
    ("next month", "next month", "2023-07-01", "2023-08-01"),
    ("last year", "last year", "2022-01-01", "2023-01-01"),
    ("last summer", "last summer", "2022-06-01", "2022-09-01"),
    ("last May", "last May", "2023-05-01", "2023-06-01"),
    ("two weeks ago", "two weeks ago", "2023-05-22", "2023-05-29"),
    ("3 days ago", "3 days ago", "2023-06-05", "2023-06-06"),
    ("a few years ago", "a few years ago", "2018-01-01", "2022-01-01"),
    ("a couple of months ago", "a couple of months ago", "2023-04-01", "2023-05-01"),
    ("in 2 days", "in 2 days", "2023-06-10", "2023-06-11"),
    ("the past two weeks", "the past two weeks", "2023-05-25", "2023-06-09"),
    ("the week before 9 June 2023", "the week before 9 June 2023", "2023-05-29", "2023-06-05"),
    ("two days before 9 June 2023", "two days before 9 June 2023", "2023-06-07", "2023-06-08"),
    ("the Sunday before 9 June", "the Sunday before 9 June", "2023-06-04", "2023-06-05"),
    ("on 3 June", "3 June", "2023-06-03", "2023-06-04"),
    ("on 3 January", "3 January", "2023-01-03", "2023-01-04"),
    ("in January", "January", "2023-01-01", "2023-02-01"),
    ("at 5pm", "5pm", "2023-06-08 17:00", "2023-06-08 17:01"),
    ("tomorrow at 9 a.m.", "tomorrow at 9 a.m.", "2023-06-09 09:00", "2023-06-09 09:01"),
];

#[test]
fn absolute_expressions_need_no_anchor() {
    for (text, words, from, to) in ABSOLUTE {
        let expected = [((*words).to_owned(), (*from).to_owned(), (*to).to_owned())];
        assert_eq!(shown(text, false), expected, "{text}");
        assert_eq!(shown(text, true), expected, "{text} anchored");
    }
}

#[test]
fn relative_expressions_are_counted_from_the_anchor() {
    for (text, words, from, to) in RELATIVE {
        let expected = [((*words).to_owned(), (*from).to_owned(), (*to).to_owned())];
        assert_eq!(shown(text, true), expected, "{text}");
        if !text.contains("2023") {
            assert_eq!(shown(text, false), [], "{text} without anchor");
        }
    }
}

#[test]
fn what_is_no_time_is_left_alone() {
    for text in [
        "we may go",
        "room 2023b",
        "a group of 2000 people",
        "for two years",
        "I march on",
        "the last of us",
        "99999999999999 days ago",
        "March on, 9999999",
        "5k run, 3.5 kg",
        "tomorrows, next 0 weeks",
    ] {
        let found = shown(text, true);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn the_ends_of_the_calendar_hold() {
    for anchor in [DateTime::MAX, DateTime::MIN] {
        for text in RELATIVE.iter().map(|row| row.0).chain(["9999 years ago", "in 9999 decades"]) {
            find(text, Some(anchor));
        }
    }
}

#[test]
fn dates_that_are_told_by_one_another_without_end_are_no_dates() {
    let told = |times: usize| format!("I left {}9 June 2023.", "the week before ".repeat(times));
    assert_eq!(shown(&told(4), true)[0].1, "2023-05-08");
    assert_eq!(shown(&told(20_000), true)[0].1, "2023-05-08");
    let fridays = "on Friday and ".repeat(10_000);
    assert_eq!(find(&fridays, Some(date(2023, 6, 8).at(0, 0, 0, 0))).len(), 10_000);
}

proptest! {
    #[test]
    fn any_text_is_read_without_harm(text in "(\\PC| |last |ago|May|[0-9]{1,4}|week|é|北|[:,./-]){0,40}") {
        let anchor = date(2024, 2, 29).at(0, 0, 0, 0);
        let mut end = 0;
        for hit in find(&text, Some(anchor)) {
            prop_assert!(hit.span.start >= end && hit.span.slice(&text).is_some());
            prop_assert!(hit.interval.from < hit.interval.to);
            end = hit.span.end;
        }
    }
}

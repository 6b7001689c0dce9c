//! From rated candidates to words: one thing, a list, yes or no.

use lorebase_engine::model::time::Interval;
use lorebase_engine::text;
use lorebase_extract::phrases::{Asking, Want};

use super::candidates::Candidate;
use super::evidence::{Evidence, Line, Whose};

/// How far below the best another thing may be rated that is listed with it; tuned on LoCoMo's half.
const LISTED_BELOW: f32 = 1.0;
/// How far below the best a time may be rated that is taken for as likely; set by hand.
const LEVEL: f32 = 0.3;
/// The most things of a list.
const LISTED: usize = 6;

/// What was chosen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chosen {
    pub(crate) text: String,
    /// The time that it tells.
    pub(crate) time: Option<Interval>,
    /// The places of the turns that it rests on, the first counting most.
    pub(crate) turns: Vec<usize>,
    /// How the best was rated, and how far above the next that says something else.
    pub(crate) rating: f32,
    pub(crate) lead: f32,
}

/// The answer that is rated best; `None` where there is nothing to choose from.
pub(crate) fn choose(
    question: &str,
    asking: &Asking,
    evidence: &Evidence,
    rated: &[(f32, &Candidate)],
) -> Option<Chosen> {
    // Only a number tells how many.
    let fits = |candidate: &Candidate| asking.want != Want::Number || tells_number(&candidate.text);
    let rated: Vec<(f32, &Candidate)> =
        rated.iter().copied().filter(|(_, candidate)| fits(candidate)).collect();
    let rated = rated.as_slice();
    let (rating, best) = *rated.first()?;
    let other = rated.iter().find(|(_, other)| !says_same(&other.text, &best.text));
    let lead = other.map_or(0.0, |(next, _)| rating - next);
    let best = match asking.want {
        Want::Date => of_times(question, rated).unwrap_or(best),
        _ => best,
    };
    let (text, turns) = match asking.want {
        Want::YesNo => yes_or_no(question, evidence)?,
        Want::Choice => (one_of(asking, evidence)?, vec![best.turn]),
        Want::Date | Want::Duration | Want::Often | Want::Number => (best.text.clone(), vec![best.turn]),
        _ if asking.several => listed(rated),
        _ => (best.text.clone(), vec![best.turn]),
    };
    Some(Chosen { text, time: best.time, turns, rating, lead })
}

/// Whether a number stands in a text, in digits or in words.
fn tells_number(told: &str) -> bool {
    const WORDS: [&str; 26] = [
        "zero", "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve", "fifteen", "twenty", "thirty", "forty", "fifty", "hundred", "thousand",
        "million", "dozen", "half", "couple", "several",
    ];
    let mut tells = false;
    text::for_each_word(told, |word| {
        tells |= word.bytes().any(|byte| byte.is_ascii_digit()) || WORDS.contains(&word);
    });
    tells
}

/// Of the times that are rated about as high as the best, the first or the last one, where the question asks for that.
fn of_times<'c>(question: &str, rated: &[(f32, &'c Candidate)]) -> Option<&'c Candidate> {
    let asked = text::join_words(question);
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| format!(" {asked} ").contains(phrase));
    let (first, last) = (has(&[" first "]), has(&[" most recent", " last time ", " latest "]));
    let near = rated.iter().take_while(|(rating, _)| *rating > rated[0].0 - LEVEL);
    let timed = near.filter_map(|(_, candidate)| Some((candidate.time?.from?, *candidate)));
    match (first, last) {
        (true, false) => timed.min_by_key(|(from, _)| *from),
        (false, true) => timed.max_by_key(|(from, _)| *from),
        _ => None,
    }
    .map(|(_, candidate)| candidate)
}

/// The things that are rated not far below the best, each once.
fn listed(rated: &[(f32, &Candidate)]) -> (String, Vec<usize>) {
    let best = rated[0].0;
    let mut kept: Vec<&Candidate> = Vec::new();
    for (_, candidate) in rated.iter().take_while(|(rating, _)| *rating > best - LISTED_BELOW) {
        if !kept.iter().any(|known| says_same(&known.text, &candidate.text)) {
            kept.push(candidate);
        }
        if kept.len() == LISTED {
            break;
        }
    }
    let mut turns: Vec<usize> = Vec::new();
    for candidate in &kept {
        if !turns.contains(&candidate.turn) {
            turns.push(candidate.turn);
        }
    }
    (kept.iter().map(|candidate| candidate.text.as_str()).collect::<Vec<_>>().join(", "), turns)
}

/// Whether the words of one stand in the other.
fn says_same(one: &str, other: &str) -> bool {
    let (one, other) = (text::content_stems(one), text::content_stems(other));
    one.iter().all(|word| other.contains(word)) || other.iter().all(|word| one.contains(word))
}

/// Yes, unless what accounts for most of the question denies it.
fn yes_or_no(question: &str, evidence: &Evidence) -> Option<(String, Vec<usize>)> {
    let (place, line) = most_like(evidence)?;
    let asked = denies(text::join_words(question).split(' '));
    let told = denies(line.sentence.words.iter().map(String::as_str));
    Some((if asked == told { "yes" } else { "no" }.to_owned(), vec![place]))
}

/// The line that accounts for most of the question, by its turn's score, and its turn's place.
fn most_like(evidence: &Evidence) -> Option<(usize, &Line)> {
    let mut best: Option<(f32, usize, &Line)> = None;
    for (place, turn) in evidence.turns.iter().enumerate().filter(|(_, turn)| turn.whose != Whose::Others) {
        for line in turn.lines.iter().filter(|line| !line.sentence.asks) {
            let rate = line.covered * turn.score;
            if best.is_none_or(|(most, ..)| rate > most) {
                best = Some((rate, place, line));
            }
        }
    }
    best.map(|(_, place, line)| (place, line))
}

fn denies<'w>(mut words: impl Iterator<Item = &'w str>) -> bool {
    words.any(|word| {
        matches!(word, "not" | "n't" | "never" | "no" | "nobody" | "none") || word.ends_with("n't")
    })
}

/// Of those that the question names, the one that the turns found say most of.
fn one_of(asking: &Asking, evidence: &Evidence) -> Option<String> {
    let weight = |choice: &String| {
        let stems = text::content_stems(choice);
        let turns = evidence.turns.iter().map(|turn| {
            let met = stems.iter().filter(|stem| turn.lines.iter().any(|line| line.stems.contains(stem)));
            turn.score * met.count() as f32
        });
        turns.sum::<f32>() / stems.len().max(1) as f32
    };
    asking.choices.iter().max_by(|a, b| weight(a).total_cmp(&weight(b))).cloned()
}

#[cfg(test)]
mod tests {
    use super::super::candidates::Kind;
    use super::super::features::FEATURES;
    use super::*;

    fn candidate(text: &str, turn: usize, time: Option<&str>) -> Candidate {
        let from = time.map(|time| time.parse::<lorebase_engine::model::time::SourceTime>().unwrap().instant);
        let time = from.map(|from| Interval { from: Some(from), to: None });
        Candidate { text: text.to_owned(), turn, kind: Kind::Route, features: [0.0; FEATURES], time }
    }

    #[test]
    fn a_list_holds_each_thing_once_and_nothing_that_is_rated_far_below() {
        let all =
            ["a blue vase", "blue vase", "kittens", "boat"].map(|text| candidate(text, text.len(), None));
        let rated: Vec<(f32, &Candidate)> = [3.0, 2.9, 2.5, 1.0].into_iter().zip(&all).collect();
        assert_eq!(listed(&rated), ("a blue vase, kittens".to_owned(), vec![11, 7]));
    }

    #[test]
    fn the_first_and_the_last_time_are_those_among_the_likely() {
        let days =
            ["2023-05-02T00:00:00Z", "2023-05-01T00:00:00Z", "2023-05-03T00:00:00Z", "2022-01-01T00:00:00Z"];
        let all = days.map(|day| candidate(day, 0, Some(day)));
        let rated: Vec<(f32, &Candidate)> = [3.0, 2.9, 2.8, 1.0].into_iter().zip(&all).collect();
        let chosen = |question: &str| of_times(question, &rated).map(|candidate| candidate.text.as_str());
        assert_eq!(chosen("When did she first sail?"), Some(days[1]));
        assert_eq!(chosen("When did she most recently sail?"), Some(days[2]));
        assert_eq!(chosen("When did she sail?"), None);
    }
}

//! CaRB's matcher and its curve of precision and recall, made anew after `matcher.py` and `carb.py` of the benchmark.
//!
//! Of its matchers it is the one that CaRB reports: `binary_linient_tuple_match`, which makes every tuple a triple by
//! joining what follows the first argument. Case and stop words count, as there; contexts of the gold tuples were left
//! out before.

use super::scores::f1;

/// A tuple as it is compared: the relation, then the arguments, the subject first.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuple {
    /// The relation phrase.
    pub relation: String,
    /// Subject, object, further arguments.
    pub arguments: Vec<String>,
    /// How sure the system is; a gold tuple's counts for nothing.
    pub confidence: f64,
}

/// Precision and recall of a predicted tuple against a gold one.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Match {
    /// The share of the predicted words that match.
    pub precision: f64,
    /// The share of the gold words that match.
    pub recall: f64,
}

/// Verbs of saying: with these the speaker and what is said may change places.
const SAYING: [&str; 5] = ["said", "told", "added", "adds", "says"];

/// The forms of "be" that a predicted "be" stands for.
const FORMS_OF_BE: [&str; 8] = ["be", "is", "am", "are", "was", "were", "been", "being"];

/// Compares as CaRB does; the order of the fields of [`Match`] decides between two ways to read a verb of saying.
pub fn compare(gold: &Tuple, predicted: &Tuple) -> Match {
    let wanted = binary(&gold.arguments);
    let given = binary(&predicted.arguments);
    let straight = compare_parts((&gold.relation, &wanted), (&predicted.relation, &given));
    if !SAYING.iter().any(|verb| gold.relation.contains(verb)) {
        return straight;
    }
    let turned: Vec<String> = if given.len() >= 2 { given.into_iter().rev().collect() } else { given };
    let reverse = compare_parts((&gold.relation, &wanted), (&predicted.relation, &turned));
    if reverse > straight { reverse } else { straight }
}

/// The first argument, and all that follow it as one.
fn binary(arguments: &[String]) -> Vec<String> {
    match arguments {
        [first, rest @ ..] if !rest.is_empty() => vec![first.clone(), rest.join(" ")],
        few => few.to_vec(),
    }
}

fn compare_parts(gold: (&str, &[String]), predicted: (&str, &[String])) -> Match {
    let (wanted, mut given) = (words(gold.0), words(predicted.0));
    let (mut gold_words, mut predicted_words) = (wanted.len(), given.len());
    let mut matching = take_matching(&wanted, &mut given);
    if given.contains(&"be") && FORMS_OF_BE.iter().any(|form| wanted.contains(form)) {
        matching += 1;
    }
    if matching == 0 {
        return Match::default();
    }
    for (place, argument) in gold.1.iter().enumerate() {
        let wanted = words(argument);
        gold_words += wanted.len();
        // Both are triples at most, so that a missing argument is one of the first two, and then nothing matches.
        let Some(argument) = predicted.1.get(place) else {
            return Match::default();
        };
        let mut given = words(argument);
        predicted_words += given.len();
        matching += take_matching(&wanted, &mut given);
    }
    let share = |whole: usize| if whole == 0 { 0.0 } else { matching as f64 / whole as f64 };
    Match { precision: share(predicted_words), recall: share(gold_words) }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// Counts the wanted words that are given, each given one once, and takes them away.
fn take_matching(wanted: &[&str], given: &mut Vec<&str>) -> usize {
    let before = given.len();
    for word in wanted {
        if let Some(place) = given.iter().position(|one| one == word) {
            given.remove(place);
        }
    }
    before - given.len()
}

/// The best point of a curve and the area under it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Curve {
    /// Precision at the threshold of confidence with the best F1.
    pub precision: f64,
    /// Recall there.
    pub recall: f64,
    /// The best F1.
    pub f1: f64,
    /// The area under precision over recall.
    pub area: f64,
}

/// Sums at one threshold: numerators and denominators of precision and recall.
#[derive(Clone, Copy, Default)]
struct Sums {
    precise: f64,
    predicted: usize,
    recalled: f64,
    gold: usize,
}

/// Scores sentences, each its gold and its predicted tuples, at every threshold of confidence that occurs. For recall
/// each gold tuple takes its best prediction; for precision predictions and gold tuples are paired one to one, the
/// most precise pair first.
pub fn curve(sentences: &[(Vec<Tuple>, Vec<Tuple>)]) -> Curve {
    let predicted = sentences.iter().flat_map(|(_, predicted)| predicted);
    let mut thresholds: Vec<f64> = predicted.map(|tuple| tuple.confidence).collect();
    thresholds.sort_by(f64::total_cmp);
    thresholds.dedup();
    let mut sums = vec![Sums::default(); thresholds.len()];
    for (gold, predicted) in sentences {
        add_sentence(gold, predicted, &thresholds, &mut sums);
    }
    let points: Vec<Match> = sums.iter().map(point).collect();
    let mut best = Curve { area: area(&points), ..Curve::default() };
    for point in points {
        let f1 = f1(point.precision, point.recall);
        if f1 > best.f1 {
            best = Curve { precision: point.precision, recall: point.recall, f1, ..best };
        }
    }
    best
}

fn add_sentence(gold: &[Tuple], predicted: &[Tuple], thresholds: &[f64], sums: &mut [Sums]) {
    let matches: Vec<Vec<Match>> =
        gold.iter().map(|gold| predicted.iter().map(|one| compare(gold, one)).collect()).collect();
    for sum in &mut *sums {
        sum.gold += gold.len();
    }
    let mut own: Vec<f64> = predicted.iter().map(|tuple| tuple.confidence).collect();
    own.sort_by(f64::total_cmp);
    own.dedup();
    let mut next = 0;
    for confidence in own {
        let kept: Vec<usize> =
            (0..predicted.len()).filter(|one| predicted[*one].confidence >= confidence).collect();
        let best_of = |row: &Vec<Match>| kept.iter().map(|one| row[*one].recall).fold(0.0, f64::max);
        let recalled: f64 = matches.iter().map(best_of).sum();
        let precise = paired(&matches, &kept);
        // Between two confidences of this sentence the thresholds of others keep the same predictions.
        while next < thresholds.len() && thresholds[next] <= confidence {
            sums[next].precise += precise;
            sums[next].predicted += kept.len();
            sums[next].recalled += recalled;
            next += 1;
        }
    }
}

/// The precision of predictions that are paired with gold tuples one to one, greedily; of equals the first.
fn paired(matches: &[Vec<Match>], kept: &[usize]) -> f64 {
    let mut rows: Vec<usize> = (0..matches.len()).collect();
    let mut columns = kept.to_vec();
    let mut sum = 0.0;
    while !rows.is_empty() && !columns.is_empty() {
        let (mut best, mut at) = (-1.0, (0, 0));
        for (place, row) in rows.iter().enumerate() {
            for (other, column) in columns.iter().enumerate() {
                if matches[*row][*column].precision > best {
                    (best, at) = (matches[*row][*column].precision, (place, other));
                }
            }
        }
        sum += best;
        rows.remove(at.0);
        columns.remove(at.1);
    }
    sum
}

fn point(sums: &Sums) -> Match {
    let precision = if sums.predicted > 0 { sums.precise / sums.predicted as f64 } else { 1.0 };
    let recall = if sums.gold > 0 { sums.recalled / sums.gold as f64 } else { 0.0 };
    Match { precision, recall }
}

/// By trapezes, with the point of precision 1 at recall 0 behind the last threshold; 0 without any prediction.
fn area(points: &[Match]) -> f64 {
    let end = Match { precision: 1.0, recall: 0.0 };
    let following = points.iter().skip(1).chain(std::iter::once(&end));
    let strip = |(left, right): (&Match, &Match)| {
        (left.recall - right.recall) * f64::midpoint(left.precision, right.precision)
    };
    points.iter().zip(following).map(strip).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuple(relation: &str, arguments: &[&str], confidence: f64) -> Tuple {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Tuple { relation: relation.to_owned(), arguments, confidence }
    }

    fn near(found: Match, precision: f64, recall: f64) {
        let close = (found.precision - precision).abs() < 1e-9 && (found.recall - recall).abs() < 1e-9;
        assert!(close, "{found:?} is not {precision} and {recall}");
    }

    #[test]
    fn words_match_part_by_part() {
        let gold = tuple("moved to", &["Ana Silva", "Porto", "in May"], 1.0);
        // One word of the relation, one of the subject, all three of the rest: of 5 predicted and of 7 gold.
        near(compare(&gold, &tuple("moved", &["Ana", "Porto in May"], 1.0)), 1.0, 5.0 / 7.0);
        near(compare(&gold, &tuple("moved", &["Ana", "to Porto in May"], 1.0)), 5.0 / 6.0, 5.0 / 7.0);
        near(compare(&gold, &tuple("went", &["Ana Silva", "Porto"], 1.0)), 0.0, 0.0);
        near(compare(&gold, &tuple("moved to", &["Ana Silva"], 1.0)), 0.0, 0.0);
        // Case counts, and a word is given once.
        near(compare(&gold, &tuple("moved moved", &["ana Silva", "porto"], 1.0)), 2.0 / 5.0, 2.0 / 7.0);
    }

    #[test]
    fn be_stands_for_its_forms() {
        let gold = tuple("is", &["Ana", "a nurse"], 1.0);
        near(compare(&gold, &tuple("be", &["Ana", "nurse"], 1.0)), 1.0, 0.75);
        near(compare(&gold, &tuple("be be", &["Ana", "nurse"], 1.0)), 0.75, 0.75);
    }

    #[test]
    fn what_is_said_may_come_first() {
        let gold = tuple("said", &["it rains", "Ana"], 1.0);
        near(compare(&gold, &tuple("said", &["Ana", "it rains"], 1.0)), 1.0, 1.0);
        let other = tuple("wrote", &["it rains", "Ana"], 1.0);
        near(compare(&other, &tuple("wrote", &["Ana", "it rains"], 1.0)), 0.25, 0.25);
    }

    #[test]
    fn the_best_point_is_taken_over_thresholds() {
        let gold = vec![tuple("sold", &["Ana", "boats"], 1.0), tuple("bought", &["Ben", "boats"], 1.0)];
        let predicted = vec![
            tuple("sold", &["Ana", "boats"], 0.9),
            tuple("sold", &["Ana", "the boats"], 0.6),
            tuple("saw", &["Cy", "boats"], 0.3),
        ];
        let found = curve(&[(gold.clone(), predicted), (gold, Vec::new())]);
        // At 0.9: 1 of 1 and 1 of 4; below, predictions add nothing to recall and a gold tuple is paired once.
        assert!((found.precision - 1.0).abs() < 1e-9 && (found.recall - 0.25).abs() < 1e-9);
        assert!((found.f1 - 0.4).abs() < 1e-9 && (found.area - 0.25).abs() < 1e-9);
        assert_eq!(curve(&[]), Curve::default());
    }
}

//! Retrieval metrics of a run: means over the questions that have evidence. What was answered is not judged
//! here.
//!
//! A question that the run does not answer counts as one for which nothing was found; an id that a ranking
//! gives twice takes two places.

use std::collections::BTreeMap;

use crate::benchmark::Benchmark;
use crate::case::{Case, Question, Unit, keep_first};
use crate::run::Run;

/// The depths at which recall, all and any are measured.
pub const DEPTHS: [usize; 6] = [1, 3, 5, 10, 20, 50];

/// The depth of nDCG.
const GAIN_DEPTH: usize = 10;

/// The category whose questions ask for what was never said.
const ADVERSARIAL: &str = "adversarial";

/// What is counted as found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Granularity {
    /// What the benchmark's evidence names.
    AsGiven,
    /// LoCoMo only: the sessions of turns (`D3` for `D3:7`), on both sides.
    Sessions,
}

/// Means over a group of questions, each between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Metrics {
    /// The share of a question's evidence among the first k, for each of [`DEPTHS`].
    pub recall: [f64; DEPTHS.len()],
    /// 1 where every piece of evidence is among the first k.
    pub all: [f64; DEPTHS.len()],
    /// 1 where at least one is.
    pub any: [f64; DEPTHS.len()],
    /// The reciprocal rank of the first piece of evidence.
    pub mrr: f64,
    /// Normalised discounted cumulative gain at 10, with a gain of 1 a piece (Järvelin and Kekäläinen 2002).
    pub ndcg_at_10: f64,
}

/// The score of a group.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GroupScore {
    /// How many questions it holds.
    pub questions: usize,
    /// Their means.
    pub metrics: Metrics,
    /// Those of them that name what was superseded and what is current.
    pub updates: Updates,
}

/// Questions of which the evidence changed: what was said first holds no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Updates {
    /// How many name both a superseded and a current statement.
    pub questions: usize,
    /// For how many of these the best-ranked current statement stands above every superseded one. One that is
    /// not found stands below all that are; where none is found, that is wrong.
    pub current_first: usize,
}

impl Updates {
    /// The share of those in which the current statement comes first; `None` where no question names both.
    pub fn share(self) -> Option<f64> {
        (self.questions > 0).then(|| self.current_first as f64 / self.questions as f64)
    }

    /// What one question comes to.
    fn of(ranked: &[String], superseded: &[String], current: &[String]) -> Self {
        if superseded.is_empty() || current.is_empty() {
            return Self::default();
        }
        let best = |of: &[String]| ranked.iter().position(|id| of.contains(id));
        let first = match (best(current), best(superseded)) {
            (Some(current), Some(superseded)) => current < superseded,
            (found, None) => found.is_some(),
            (None, Some(_)) => false,
        };
        Self { questions: 1, current_first: usize::from(first) }
    }
}

/// The scores of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scores {
    /// By category, plus "all" and, without adversarial questions, "answerable".
    pub groups: BTreeMap<String, GroupScore>,
    /// Questions with evidence that the run does not answer.
    pub missing: usize,
}

/// Scores `run` on `cases`, which [`Benchmark::load`] read.
pub fn score(cases: &[Case], run: &Run, benchmark: Benchmark, granularity: Granularity) -> Scores {
    let mut scores = Scores::default();
    for case in cases {
        for question in case.questions.iter().filter(|question| !question.evidence.is_empty()) {
            let ranked = run.get(&case.name, &question.id);
            scores.missing += usize::from(ranked.is_none());
            let ranked = ranked.unwrap_or_default();
            let (ranked, evidence) = match (benchmark, granularity, question.unit) {
                (Benchmark::LoCoMo, Granularity::Sessions, _) => {
                    (locomo_sessions(ranked), locomo_sessions(&question.evidence))
                }
                (Benchmark::Cases, _, Unit::Session) => {
                    (case.rank_sessions(ranked), question.evidence.clone())
                }
                _ => (ranked.to_vec(), question.evidence.clone()),
            };
            let updates = Updates::of(&ranked, &question.superseded, &question.current);
            scores.add(question, &Metrics::of(&ranked, &evidence), updates);
        }
    }
    for group in scores.groups.values_mut() {
        group.metrics.divide(group.questions as f64);
    }
    scores
}

fn locomo_sessions(turns: &[String]) -> Vec<String> {
    let session = |turn: &String| turn.split(':').next().unwrap_or_default().to_owned();
    keep_first(turns.iter().map(session))
}

impl Scores {
    fn add(&mut self, question: &Question, metrics: &Metrics, updates: Updates) {
        let answerable = (question.category != ADVERSARIAL).then_some("answerable");
        let names = [Some(question.category.as_str()), Some("all"), answerable];
        for name in names.into_iter().flatten() {
            let group = self.groups.entry(name.to_owned()).or_default();
            group.questions += 1;
            group.metrics.add(metrics);
            group.updates.questions += updates.questions;
            group.updates.current_first += updates.current_first;
        }
    }
}

impl Metrics {
    /// The metrics of one question, whose `evidence` is not empty.
    pub fn of(ranked: &[String], evidence: &[String]) -> Self {
        let place = |piece: &String| ranked.iter().position(|id| id == piece);
        let mut places: Vec<usize> = evidence.iter().filter_map(place).collect();
        places.sort_unstable();
        let mut metrics = Self::default();
        for (index, depth) in DEPTHS.into_iter().enumerate() {
            let hits = places.iter().filter(|&&place| place < depth).count();
            metrics.recall[index] = hits as f64 / evidence.len() as f64;
            metrics.all[index] = f64::from(u8::from(hits == evidence.len()));
            metrics.any[index] = f64::from(u8::from(hits > 0));
        }
        metrics.mrr = places.first().map_or(0.0, |&place| 1.0 / (place + 1) as f64);
        let gain = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let ideal: f64 = (0..evidence.len().min(GAIN_DEPTH)).map(gain).sum();
        let near = places.iter().filter(|&&place| place < GAIN_DEPTH);
        metrics.ndcg_at_10 = near.map(|&place| gain(place)).sum::<f64>() / ideal;
        metrics
    }

    /// Name and value of each, such as `recall@5`.
    pub fn named(&self) -> Vec<(String, f64)> {
        let mut named = Vec::with_capacity(3 * DEPTHS.len() + 2);
        for (index, depth) in DEPTHS.into_iter().enumerate() {
            named.push((format!("recall@{depth}"), self.recall[index]));
            named.push((format!("all@{depth}"), self.all[index]));
            named.push((format!("any@{depth}"), self.any[index]));
        }
        named.push(("mrr".to_owned(), self.mrr));
        named.push(("ndcg@10".to_owned(), self.ndcg_at_10));
        named
    }

    fn values_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        let depths = self.recall.iter_mut().chain(&mut self.all).chain(&mut self.any);
        depths.chain([&mut self.mrr, &mut self.ndcg_at_10])
    }

    fn add(&mut self, other: &Self) {
        let mut other = *other;
        for (sum, value) in self.values_mut().zip(other.values_mut()) {
            *sum += *value;
        }
    }

    fn divide(&mut self, count: f64) {
        self.values_mut().for_each(|value| *value /= count);
    }
}

#[cfg(test)]
mod tests {
    use lorebase_extract::transcript::Transcript;

    use super::*;
    use crate::run::RunAnswer;

    fn ids(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|&id| id.to_owned()).collect()
    }

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-12
    }

    fn question(id: &str, category: &str, evidence: &[&str]) -> Question {
        Question {
            id: id.to_owned(),
            text: String::new(),
            category: category.to_owned(),
            unit: Unit::Turn,
            evidence: ids(evidence),
            before_session: None,
            asked_at: None,
            superseded: Vec::new(),
            current: Vec::new(),
            answer: None,
        }
    }

    #[test]
    fn one_question_by_hand() {
        // Evidence at places 2 and 4: the repeated "x" takes a place.
        let metrics = Metrics::of(&ids(&["x", "a", "x", "b"]), &ids(&["a", "b"]));
        assert!(
            close(metrics.recall[0], 0.0) && close(metrics.recall[1], 0.5) && close(metrics.recall[2], 1.0)
        );
        assert!(close(metrics.all[1], 0.0) && close(metrics.all[2], 1.0) && close(metrics.any[1], 1.0));
        assert!(close(metrics.mrr, 0.5));
        let expected = (1.0 / 3.0_f64.log2() + 1.0 / 5.0_f64.log2()) / (1.0 + 1.0 / 3.0_f64.log2());
        assert!(close(metrics.ndcg_at_10, expected));
    }

    #[test]
    fn the_current_statement_is_first_where_it_stands_above_every_superseded_one() {
        let first =
            |ranked: &[&str]| Updates::of(&ids(ranked), &ids(&["old", "older"]), &ids(&["new", "newer"]));
        let share = |ranked: &[&str]| first(ranked).share();
        assert_eq!([share(&["x", "newer", "old"]), share(&["new"])], [Some(1.0); 2]);
        let wrong: [&[&str]; 4] = [&["older", "new", "old"], &["old"], &["x"], &[]];
        assert!(wrong.into_iter().all(|ranked| share(ranked) == Some(0.0)));
        assert_eq!(Updates::of(&ids(&["new"]), &[], &ids(&["new"])).share(), None);
    }

    #[test]
    fn groups_are_means_and_missing_answers_count() {
        let case = Case {
            name: "c".to_owned(),
            transcript: Transcript::default(),
            facts: Vec::new(),
            questions: vec![
                question("0", "single-hop", &["D1:1"]),
                question("1", "single-hop", &["D1:2"]),
                question("2", "adversarial", &["D2:2"]),
                question("3", "temporal", &[]),
            ],
        };
        let mut run = Run::default();
        for (id, ranked) in [("0", ["D1:1"]), ("2", ["D2:9"])] {
            run.insert(RunAnswer { case: "c".to_owned(), question: id.to_owned(), ranked: ids(&ranked) });
        }
        let turns = score(std::slice::from_ref(&case), &run, Benchmark::LoCoMo, Granularity::AsGiven);
        assert_eq!(turns.missing, 1);
        assert_eq!((turns.groups["all"].questions, turns.groups["answerable"].questions), (3, 2));
        assert!(close(turns.groups["all"].metrics.recall[0], 1.0 / 3.0));
        assert!(close(turns.groups["answerable"].metrics.mrr, 0.5));
        assert!(!turns.groups.contains_key("temporal"));
        let sessions = score(&[case], &run, Benchmark::LoCoMo, Granularity::Sessions);
        assert!(close(sessions.groups["adversarial"].metrics.recall[0], 1.0));
    }
}

//! How well short answers say what is expected: the token F1 of LoCoMo, and how often questions without an answer are
//! declined. It asks no memory.

use std::collections::{BTreeMap, HashMap};

use rust_stemmers::{Algorithm, Stemmer};

use crate::case::Question;

/// How sure answers were is told in this many steps.
pub const STEPS: usize = 10;

/// The categories whose questions have no answer.
const UNANSWERABLE: [&str; 2] = ["adversarial", "abstention"];

/// The answer to one question.
#[derive(Debug, Clone, PartialEq)]
pub struct ShortAnswer {
    /// The case's name.
    pub case: String,
    /// The question's id.
    pub question: String,
    /// In words; `None` where it was declined.
    pub answer: Option<String>,
    /// How likely it is right, from 0 to 1, as the memory says.
    pub confidence: f32,
}

/// What the answers to a group of questions come to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AnswerScore {
    /// How many questions it holds.
    pub questions: usize,
    /// Those of them that tell what is expected.
    pub expected: usize,
    /// The sum of their F1.
    pub f1: f64,
    /// Questions that were declined.
    pub declined: usize,
}

impl AnswerScore {
    /// The mean F1 of the questions that tell what is expected; `None` where none does.
    pub fn mean_f1(&self) -> Option<f64> {
        (self.expected > 0).then(|| self.f1 / self.expected as f64)
    }

    /// The share of the questions that was declined.
    pub fn share_declined(&self) -> f64 {
        self.declined as f64 / self.questions.max(1) as f64
    }
}

/// What a step of confidence comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reliability {
    /// Answers that were given with it.
    pub answers: usize,
    /// Those that are right: with an F1 of one half or more.
    pub right: usize,
}

/// What a run of answers comes to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnswerScores {
    /// By category, and of all questions with an answer: `answerable`.
    pub groups: BTreeMap<String, AnswerScore>,
    /// By confidence: of step n, from n tenths on.
    pub reliability: [Reliability; STEPS],
}

impl AnswerScores {
    /// Adds the answer to a question. LoCoMo's rules of its groups are those of `locomo`.
    pub fn add(&mut self, question: &Question, given: &ShortAnswer, locomo: bool) {
        let unanswerable = is_unanswerable(question);
        let text = given.answer.as_deref().unwrap_or_default();
        let expected = question.answer.as_deref().filter(|_| !unanswerable);
        let f1 = expected.map(|expected| of_group(&question.category, text, expected, locomo));
        let all = (!unanswerable).then_some("answerable");
        for name in [Some(question.category.as_str()), all].into_iter().flatten() {
            let group = self.groups.entry(name.to_owned()).or_default();
            group.questions += 1;
            group.expected += usize::from(f1.is_some());
            group.f1 += f1.unwrap_or_default();
            group.declined += usize::from(given.answer.is_none());
        }
        if given.answer.is_some() && (f1.is_some() || unanswerable) {
            let step = ((given.confidence * STEPS as f32) as usize).min(STEPS - 1);
            self.reliability[step].answers += 1;
            self.reliability[step].right += usize::from(f1.is_some_and(|f1| f1 >= 0.5));
        }
    }
}

/// Whether nothing in the case answers a question.
pub fn is_unanswerable(question: &Question) -> bool {
    UNANSWERABLE.contains(&question.category.as_str())
}

/// LoCoMo's F1 of an answer: of its multi-hop questions the mean over what is expected, each against the nearest of what is
/// answered, both cut at commas; of open-domain ones, against what stands before a semicolon (Maharana et al. 2024,
/// `evaluation.py` beside the data). Other sets are scored without these rules.
fn of_group(category: &str, answer: &str, expected: &str, locomo: bool) -> f64 {
    match category {
        "multi-hop" if locomo => {
            let answers: Vec<Vec<String>> = answer.split(',').map(tokens).collect();
            let best = |wanted: &str| {
                let wanted = tokens(wanted);
                answers.iter().map(|answer| overlap(answer, &wanted)).fold(0.0, f64::max)
            };
            let wanted: Vec<f64> = expected.split(',').map(best).collect();
            wanted.iter().sum::<f64>() / wanted.len() as f64
        }
        "open-domain" if locomo => token_f1(answer, expected.split(';').next().unwrap_or_default()),
        _ => token_f1(answer, expected),
    }
}

/// The F1 of two texts as bags of stems, articles and signs left out. The stems are Porter's second ones (Snowball), and not
/// his first as in LoCoMo's own program; a few words in a thousand differ.
pub fn token_f1(answer: &str, expected: &str) -> f64 {
    overlap(&tokens(answer), &tokens(expected))
}

fn overlap(answer: &[String], expected: &[String]) -> f64 {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in expected {
        *left.entry(word).or_default() += 1;
    }
    let mut same = 0;
    for word in answer {
        if let Some(count) = left.get_mut(word.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            same += 1;
        }
    }
    if same == 0 { 0.0 } else { 2.0 * f64::from(same) / (answer.len() + expected.len()) as f64 }
}

fn tokens(text: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let plain: String = text.to_lowercase().chars().filter(|c| !c.is_ascii_punctuation()).collect();
    let words = plain.split_whitespace().filter(|word| !matches!(*word, "a" | "an" | "the" | "and"));
    words.map(|word| stemmer.stem(word).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Unit;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-12
    }

    #[test]
    fn words_are_compared_as_bags_of_stems() {
        assert!(close(token_f1("The painting, of a sunset", "painted sunsets"), 0.8));
        assert!(close(token_f1("two two", "two"), 2.0 / 3.0));
        assert!(close(token_f1("", "two"), 0.0) && close(token_f1("the", "a"), 0.0));
    }

    #[test]
    fn groups_have_rules_of_their_own() {
        assert!(close(of_group("multi-hop", "cats, dogs", "dog, cat", true), 1.0));
        assert!(close(of_group("multi-hop", "cats", "dog, cat", true), 0.5));
        assert!(close(of_group("open-domain", "Yes", "Yes; she paints", true), 1.0));
        assert!(of_group("open-domain", "Yes", "Yes; she paints", false) < 1.0);
    }

    #[test]
    fn what_has_no_answer_is_to_be_declined() {
        let question = |category: &str, answer: Option<&str>| Question {
            id: "0".to_owned(),
            text: String::new(),
            category: category.to_owned(),
            unit: Unit::Turn,
            evidence: Vec::new(),
            before_session: None,
            asked_at: None,
            superseded: Vec::new(),
            current: Vec::new(),
            answer: answer.map(str::to_owned),
        };
        let given = |answer: Option<&str>| ShortAnswer {
            case: "c".to_owned(),
            question: "0".to_owned(),
            answer: answer.map(str::to_owned),
            confidence: 0.73,
        };
        let mut scores = AnswerScores::default();
        scores.add(&question("temporal", Some("May 2023")), &given(Some("May 2023")), true);
        scores.add(&question("temporal", Some("May 2023")), &given(None), true);
        scores.add(&question("adversarial", None), &given(None), true);
        scores.add(&question("adversarial", None), &given(Some("Rome")), true);
        assert!(close(scores.groups["answerable"].mean_f1().unwrap(), 0.5));
        assert!(close(scores.groups["adversarial"].share_declined(), 0.5));
        assert_eq!(scores.groups["adversarial"].mean_f1(), None);
        assert_eq!(scores.reliability[7], Reliability { answers: 2, right: 1 });
    }
}

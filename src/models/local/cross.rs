//! Cross-encoders (Nogueira and Cho, "Passage Re-ranking with BERT", 2019): the model reads a question and a text together,
//! and says how well the one answers the other.

use std::path::Path;
use std::time::{Duration, Instant};

use lorebase_query::rerank::{Failed, Reranker};
use rayon::prelude::*;

use super::bert::Tokens;
use super::encoder::{Encoder, Head};
use super::linear::Precision;
use crate::error::Error;

/// Texts that one core reads before it is asked again whether there is time for more.
const ROUND: usize = 4;

/// A cross-encoder in memory.
pub struct CrossEncoder {
    name: String,
    encoder: Encoder,
    head: Head,
}

impl CrossEncoder {
    /// Reads the model in a directory: `config.json`, `tokenizer.json` and its weights, as they are published. `name` is
    /// what answers call it. Of a question and a text together, at most `most_tokens` are read.
    ///
    /// # Errors
    /// [`Error::Model`] where a file is missing, damaged, or of a kind that cannot be run here.
    pub fn open(
        directory: &Path,
        name: &str,
        most_tokens: Option<usize>,
        precision: Precision,
    ) -> Result<Self, Error> {
        let refuse = |problem| Error::Model { place: directory.display().to_string(), problem };
        let (encoder, head) = Encoder::with_head(directory, most_tokens, precision).map_err(refuse)?;
        Ok(Self { name: name.to_owned(), encoder, head })
    }

    /// The scores of some texts, side by side.
    fn read(&self, pairs: &[Tokens]) -> Result<Vec<f32>, Failed> {
        // One batch a core. They are dealt out by length, so that all batches have about as many tokens.
        let cores = rayon::current_num_threads().min(pairs.len());
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|place| pairs[*place].ids.len());
        let shares: Vec<Vec<usize>> =
            (0..cores).map(|core| order.iter().copied().skip(core).step_by(cores).collect()).collect();
        let run = |places: &Vec<usize>| {
            let batch: Vec<&Tokens> = places.iter().map(|place| &pairs[*place]).collect();
            self.encoder.heads(&self.head, &batch)
        };
        let found: Result<Vec<Vec<f32>>, String> = shares.par_iter().map(run).collect();
        let found = found.map_err(|problem| self.failed(problem))?;
        let mut scores = vec![0.0; pairs.len()];
        for (place, score) in shares.into_iter().flatten().zip(found.into_iter().flatten()) {
            scores[place] = score;
        }
        Ok(scores)
    }

    fn failed(&self, problem: String) -> Failed {
        Failed { model: self.name.clone(), problem }
    }
}

impl Reranker for CrossEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn scores(
        &self,
        question: &str,
        texts: &[String],
        budget: Option<&mut Duration>,
    ) -> Result<Vec<f32>, Failed> {
        let begin = Instant::now();
        let pairs = self.encoder.pairs(question, texts).map_err(|problem| self.failed(problem))?;
        let threads = rayon::current_num_threads();
        let mut scores = Vec::with_capacity(pairs.len());
        // The first round only finds out how long a text takes.
        let mut next = if budget.is_some() { threads } else { pairs.len() };
        while scores.len() < pairs.len() {
            let round = &pairs[scores.len()..pairs.len().min(scores.len() + next)];
            let start = Instant::now();
            scores.extend(self.read(round)?);
            if let Some(budget) = &budget {
                let left = budget.saturating_sub(begin.elapsed());
                next = ROUND.min(fitting(left, start.elapsed(), round.len().div_ceil(threads))) * threads;
                if next == 0 {
                    break;
                }
            }
        }
        if let Some(budget) = budget {
            *budget = budget.saturating_sub(begin.elapsed());
        }
        Ok(scores)
    }
}

/// How many texts a core can read in the time that is left, where as many as `read` took so long.
fn fitting(left: Duration, took: Duration, read: usize) -> usize {
    (left.as_secs_f64() * read as f64 / took.as_secs_f64().max(1e-9)) as usize
}

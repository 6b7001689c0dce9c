//! What can be typed where something is asked.

use std::time::Duration;

use clap::Args;
use lorebase::engine::model::time::SourceTime;
use lorebase::query::fade::Fade;
use lorebase::query::question::Question;
use lorebase::query::rerank::{Rerank, Reranker};

use super::{Detail, DrawingArgs, MomentArgs};

#[derive(Debug, Args)]
pub(crate) struct RecallArgs {
    /// The question.
    pub(crate) question: String,
    /// How many hits, at most 1000.
    #[arg(long, default_value_t = 10)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) sight: SightArgs,
    /// Show how each score came about.
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) rerank: RerankArgs,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}

impl RecallArgs {
    pub(crate) fn detail(&self) -> Detail {
        if self.explain { Detail::Explained } else { Detail::Brief }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ContextArgs {
    /// The question.
    pub(crate) question: String,
    /// The most tokens that it may have, estimated at four bytes a token.
    #[arg(long, default_value_t = 2000)]
    pub(crate) tokens: usize,
    #[command(flatten)]
    pub(crate) sight: SightArgs,
    #[command(flatten)]
    pub(crate) rerank: RerankArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// The question.
    pub(crate) question: String,
    #[command(flatten)]
    pub(crate) horizon: HorizonArgs,
    /// Show what kind of answer was looked for, and how sure it is.
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
    #[command(flatten)]
    pub(crate) rerank: RerankArgs,
}

/// Which turns are looked at.
#[derive(Debug, Args)]
pub(crate) struct HorizonArgs {
    /// Only what was said up to this time; newer sessions count for more.
    #[arg(long, value_name = "TIME", value_parser = super::parse_time, allow_hyphen_values = true)]
    as_of: Option<SourceTime>,
    /// Only what the memory had been told by this time.
    #[arg(long, value_name = "TIME", value_parser = super::parse_time, allow_hyphen_values = true)]
    known_at: Option<SourceTime>,
}

impl HorizonArgs {
    /// A question that is asked with it.
    pub(crate) fn question<'q>(&self, text: &'q str, rerank: Option<Rerank<'q>>) -> Question<'q> {
        Question {
            as_of: self.as_of.map(|at| at.instant),
            known_at: self.known_at.map(|at| at.instant),
            rerank,
            ..Question::new(text)
        }
    }
}

/// Which turns are looked at, and whether old ones count for less.
#[derive(Debug, Args)]
pub(crate) struct SightArgs {
    #[command(flatten)]
    horizon: HorizonArgs,
    /// Let what is old, matters little and was of no use before rank lower, and note what is given as of use.
    /// Without it the same question has the same answer tomorrow.
    #[arg(long)]
    fade: bool,
}

impl SightArgs {
    /// A question that is asked with it.
    pub(crate) fn question<'q>(&self, text: &'q str, rerank: Option<Rerank<'q>>) -> Question<'q> {
        Question { fade: self.fade.then(Fade::default), ..self.horizon.question(text, rerank) }
    }
}

/// How hits are looked at again.
#[derive(Debug, Args)]
pub(crate) struct RerankArgs {
    /// Let a cross-encoder read the first 40 hits together with the question, and order them anew: a model of
    /// `lore model list`, or without a name the only one of its kind there.
    #[arg(long, value_name = "MODEL", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) rerank: Option<String>,
    /// How long it may read, in milliseconds. Hits that it has not read by then follow as they were found.
    #[arg(long, value_name = "MS", requires = "rerank", default_value_t = 250)]
    pub(crate) rerank_budget: u64,
}

impl RerankArgs {
    /// What a model is to do.
    pub(crate) fn of<'m>(&self, model: &'m dyn Reranker) -> Rerank<'m> {
        Rerank { budget: Some(Duration::from_millis(self.rerank_budget)), ..Rerank::new(model) }
    }
}

#[derive(Debug, Args)]
pub(crate) struct FactsArgs {
    /// Only facts of which this entity is an end.
    #[arg(long, value_name = "ENTITY")]
    pub(crate) about: Option<String>,
    /// Only facts with this predicate.
    #[arg(long)]
    pub(crate) predicate: Option<String>,
    /// Also what follows from them where no entity is named: of each in turn.
    #[arg(long)]
    pub(crate) derived: bool,
    /// Only what was stated.
    #[arg(long, conflicts_with = "derived")]
    pub(crate) stated: bool,
    /// End each line with the fact's id, by which it is edited and forgotten.
    #[arg(long)]
    pub(crate) ids: bool,
    #[command(flatten)]
    pub(crate) moment: MomentArgs,
}

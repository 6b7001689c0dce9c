//! What can be typed where a pattern is asked for.

use clap::Args;
use lorebase::query::pattern::Limits;

use super::MomentArgs;

#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    /// The pattern, or - to read it from standard input.
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// How many rows are shown at most; LIMIT in the pattern asks for fewer.
    #[arg(long, value_name = "N", default_value_t = Limits::default().rows)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) moment: MomentArgs,
}

impl MatchArgs {
    /// How far the pattern is followed.
    pub(crate) fn limits(&self) -> Limits {
        Limits { rows: self.limit, ..Limits::default() }
    }
}

//! What can be typed of what is to be forgotten, and ids that are cut short.

use clap::Args;
use lorebase::engine::model::time::SourceTime;

/// Digits of a whole id, and the fewest that are taken for one.
const DIGITS: usize = 32;
const FEWEST: usize = 8;

/// An id, or its first digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Id(String);

impl Id {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is all of the id.
    pub(crate) fn is_whole(&self) -> bool {
        self.0.len() == DIGITS
    }
}

#[derive(Debug, Args)]
pub(crate) struct ForgetArgs {
    #[command(flatten)]
    pub(crate) what: ForgetWhat,
    /// Only tell what would go: how much, and the first turns and facts of it.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// What is to be forgotten: at least one of these, or a namespace; several add up.
#[derive(Debug, Args)]
pub(crate) struct ForgetWhat {
    /// The episodes with these ids.
    #[arg(long, value_name = "ID", num_args = 1.., value_parser = parse_id)]
    pub(crate) episode: Vec<Id>,
    /// All episodes of these sessions.
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub(crate) session: Vec<String>,
    /// All episodes that name these entities, say something about them, or are said by them.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) entity: Vec<String>,
    /// These facts, and the sentences that state them.
    #[arg(long, value_name = "ID", num_args = 1.., value_parser = parse_id)]
    pub(crate) fact: Vec<Id>,
    /// All episodes that have every content word of a text.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) about: Vec<String>,
    /// All episodes that were said before this time.
    #[arg(long, value_name = "TIME", value_parser = super::parse_time, allow_hyphen_values = true)]
    pub(crate) before: Option<SourceTime>,
    /// Let what was forgotten come again: ids of episodes or facts. It is taken in again where it is told
    /// again.
    #[arg(long, value_name = "ID", num_args = 1.., value_parser = parse_id,
          conflicts_with_all = ["episode", "session", "entity", "fact", "about", "before", "dry_run"])]
    pub(crate) lift: Vec<Id>,
}

impl ForgetWhat {
    /// Whether nothing in particular is named.
    pub(crate) fn names_nothing(&self) -> bool {
        self.episode.is_empty()
            && self.session.is_empty()
            && self.entity.is_empty()
            && self.fact.is_empty()
            && self.about.is_empty()
            && self.before.is_none()
            && self.lift.is_empty()
    }
}

pub(super) fn parse_id(text: &str) -> Result<Id, String> {
    let digits =
        text.len() >= FEWEST && text.len() <= DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if digits {
        return Ok(Id(text.to_ascii_lowercase()));
    }
    Err(format!(
        "\"{text}\" is no id; ids have {DIGITS} hexadecimal digits, of which the first {FEWEST} or more will do"
    ))
}

//! What can be typed of facts given by hand, of their history, and of how long things are kept.

use clap::{Args, Subcommand};
use lorebase::engine::model::fact::FactKind;
use lorebase::engine::model::time::{Moment, SourceTime, Timestamp};

use super::forget::{Id, parse_id};

/// From when the memory is looked at.
#[derive(Debug, Args)]
pub(crate) struct MomentArgs {
    /// Only what held at this time, or had happened by then.
    #[arg(long, value_name = "TIME", value_parser = super::parse_time, allow_hyphen_values = true)]
    pub(crate) as_of: Option<SourceTime>,
    /// Only by what the memory had been told by this time.
    #[arg(long, value_name = "TIME", value_parser = super::parse_time, allow_hyphen_values = true)]
    pub(crate) known_at: Option<SourceTime>,
}

impl MomentArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.as_of.is_some() || self.known_at.is_some()
    }

    pub(crate) fn moment(&self) -> Moment {
        let instant = |at: Option<SourceTime>| at.map(|at| at.instant);
        Moment { as_of: instant(self.as_of), known_at: instant(self.known_at), now: None }
    }
}

/// How long something is shown.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct ExpiryArgs {
    /// Do not show it any more from this time on.
    #[arg(long, value_name = "TIME", value_parser = super::parse_time, allow_hyphen_values = true)]
    pub(crate) expires_at: Option<SourceTime>,
    /// Do not show it any more after this long, such as 12h, 30d or 8w.
    #[arg(long, value_name = "TIME", value_parser = parse_span)]
    pub(crate) ttl: Option<u64>,
}

impl ExpiryArgs {
    /// When it expires, seen from `now`.
    pub(crate) fn at(&self, now: Timestamp) -> anyhow::Result<Option<Timestamp>> {
        let after = |millis: u64| {
            let millis = i64::try_from(millis).unwrap_or(i64::MAX);
            Timestamp::from_millis(now.as_millis().saturating_add(millis))
        };
        Ok(match (self.expires_at, self.ttl) {
            (Some(at), _) => Some(at.instant),
            (None, ttl) => ttl.map(after).transpose()?,
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct AssertArgs {
    /// Of whom: a name.
    pub(crate) subject: String,
    /// Which relation, such as `works_at`; the vocabulary is open.
    pub(crate) predicate: String,
    /// To what: a name, or a plain value.
    pub(crate) object: String,
    /// From when on it holds. [default: from when it is said]
    #[arg(long, value_name = "TIME", value_parser = super::parse_time, allow_hyphen_values = true)]
    pub(crate) from: Option<SourceTime>,
    /// Until when it held: the first instant at which it does not any more.
    #[arg(long, value_name = "TIME", value_parser = super::parse_time, allow_hyphen_values = true)]
    pub(crate) to: Option<SourceTime>,
    /// When it was said, and the memory told. [default: now]
    #[arg(long, value_name = "TIME", value_parser = super::parse_time, allow_hyphen_values = true)]
    pub(crate) at: Option<SourceTime>,
    /// When the memory was told, where that is not when it was said.
    #[arg(long, value_name = "TIME", value_parser = super::parse_time, allow_hyphen_values = true)]
    pub(crate) told: Option<SourceTime>,
    /// Where it comes from: the words that say it, or one word that names the source.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) source: Option<String>,
    #[command(flatten)]
    pub(crate) expiry: ExpiryArgs,
}

#[derive(Debug, Args)]
pub(crate) struct EditArgs {
    /// The fact's id, as `facts --ids` tells it, or its first digits.
    #[arg(value_name = "FACT", value_parser = parse_id)]
    pub(crate) fact: Id,
    #[command(flatten)]
    pub(crate) what: EditWhat,
    /// With --object, why; alone, a note that stands beside the fact.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) note: Option<String>,
}

/// What is done to a fact, where that is more than a note.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct EditWhat {
    /// The right object, in the place of the wrong one, for all the time that the fact was said to hold.
    #[arg(long, value_name = "OBJECT", allow_hyphen_values = true)]
    pub(crate) object: Option<String>,
    /// Do not let it expire.
    #[arg(long)]
    pub(crate) pin: bool,
    /// Let it expire as others do.
    #[arg(long)]
    pub(crate) unpin: bool,
    /// Do not show it any more from this time on; `never` takes that back.
    #[arg(long, value_name = "TIME", value_parser = parse_expiry, allow_hyphen_values = true)]
    pub(crate) expires_at: Option<Expiry>,
}

/// When something expires, if it does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expiry(pub(crate) Option<Timestamp>);

#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// An entity by name; without one, what was done by hand is listed.
    pub(crate) entity: Option<String>,
    /// Only this relation.
    pub(crate) predicate: Option<String>,
    #[command(flatten)]
    pub(crate) moment: MomentArgs,
    /// Draw the line of changes into this file, as SVG.
    #[arg(long, value_name = "FILE", requires = "entity")]
    pub(crate) svg: Option<std::path::PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// What to take back: an id of `lore history`, or its first digits. [default: what was done last]
    #[arg(value_name = "ID", value_parser = parse_id)]
    pub(crate) id: Option<Id>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RetainCommand {
    /// Show facts of a kind for so long after they were last said, and not any more then. A fact that is
    /// pinned stays.
    #[command(after_help = "Example:\n  lore --store mem retain set plan 90d")]
    Set {
        /// A kind of fact: fact, preference, event, plan, decision, commitment, opinion, instruction or
        /// skill.
        #[arg(value_parser = parse_kind)]
        kind: FactKind,
        /// How long, such as 12h, 30d or 8w; `ever` takes the limit away.
        #[arg(value_name = "TIME", value_parser = parse_span_or_ever)]
        time: Span,
    },
    /// List how long facts of each kind are shown.
    #[command(after_help = "Example:\n  lore --store mem retain list --json")]
    List,
}

/// A length of time in milliseconds, if there is a limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span(pub(crate) Option<u64>);

fn parse_span_or_ever(text: &str) -> Result<Span, String> {
    if text == "ever" { Ok(Span(None)) } else { parse_span(text).map(|millis| Span(Some(millis))) }
}

fn parse_expiry(text: &str) -> Result<Expiry, String> {
    if text == "never" {
        return Ok(Expiry(None));
    }
    super::parse_time(text).map(|at| Expiry(Some(at.instant)))
}

fn parse_kind(text: &str) -> Result<FactKind, String> {
    let kinds = || FactKind::ALL.map(|(_, name)| name).join(", ");
    let found = FactKind::ALL.iter().find(|(_, name)| *name == text);
    found.map(|(kind, _)| *kind).ok_or_else(|| format!("use one of {}", kinds()))
}

/// A length of time in milliseconds: a number and a unit.
fn parse_span(text: &str) -> Result<u64, String> {
    const UNITS: [(char, f64); 5] = [('s', 1e3), ('m', 6e4), ('h', 36e5), ('d', 864e5), ('w', 6048e5)];
    let text = text.trim();
    let unit = UNITS.iter().find(|(unit, _)| text.ends_with(*unit));
    let number = unit.and_then(|(_, times)| {
        let number: f64 = text[..text.len() - 1].trim().parse().ok()?;
        (0.0..=1e6).contains(&number).then_some((number * times) as u64)
    });
    number.filter(|millis| *millis > 0).ok_or_else(|| "write it like 45m, 12h, 30d or 8w".to_owned())
}

//! Patterns over entities and facts.

use std::io::{self, Read as _};

use anyhow::Context as _;
use lorebase::error::Error;
use lorebase::query::pattern::ast::Pattern;
use lorebase::query::pattern::{InvalidPattern, PATTERN_MAX_BYTES};

use super::args::MatchArgs;
use super::{Outcome, Store, output, render};
use crate::wire;

/// How much of a line is shown before the place that is wrong, and behind it.
const AROUND: usize = 60;

impl Store {
    pub(super) fn match_pattern(&self, args: &MatchArgs) -> anyhow::Result<Outcome> {
        let text = if args.pattern == "-" { standard_input()? } else { args.pattern.clone() };
        let pattern = text.parse::<Pattern>().map_err(|error| told(&error))?;
        let (memory, namespace) = (self.open()?, self.namespace()?);
        let found = memory.matches(&namespace, &pattern, args.moment.moment(), args.limits())?;
        self.show(|| wire::patterns::table(&found), || render::patterns::table(&found))?;
        if found.more_follows {
            let problem = if found.rows.len() < args.limit {
                "more may follow: not everything was looked at; begin with a name, or name relations"
            } else {
                "more may follow; --limit shows more rows"
            };
            output::note(problem);
        }
        self.found(found.rows.len())
    }
}

/// What comes on standard input, as far as a pattern goes. What is no text is pointed at as all else that is wrong.
fn standard_input() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let most = PATTERN_MAX_BYTES as u64 + 1;
    io::stdin().lock().take(most).read_to_end(&mut bytes).context("cannot read standard input")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Shows the place that is wrong.
fn told(error: &InvalidPattern) -> Error {
    for line in pointed_at(error) {
        output::note(&line);
    }
    Error::Argument { argument: "the pattern", problem: format!("is wrong {error}") }
}

/// The line that is wrong, and below it a sign at the place.
fn pointed_at(error: &InvalidPattern) -> [String; 2] {
    let before: String = error.text.chars().take(error.at - 1).collect();
    let column = before.chars().rev().take_while(|c| *c != '\n').count();
    let start = column.saturating_sub(AROUND);
    let line = error.text.lines().nth(before.matches('\n').count()).unwrap_or_default();
    let shown = line.chars().skip(start).take(2 * AROUND).map(|c| if c == '\t' { ' ' } else { c });
    [shown.collect(), format!("{}^", " ".repeat(column - start))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_stands_below_the_place_that_is_wrong() {
        for (text, shown) in [
            ("MATCH (a) RETURN b", ["MATCH (a) RETURN b", "                 ^"]),
            ("MATCH (a)\n\tWHERE a.nam = 'x' RETURN a", [" WHERE a.nam = 'x' RETURN a", "         ^"]),
            ("MATCH (a) RETURN\n", ["", "^"]),
            ("", ["", "^"]),
        ] {
            assert_eq!(pointed_at(&text.parse::<Pattern>().unwrap_err()), shown);
        }
        let long = format!("MATCH (a) RETURN a{} x", " ".repeat(100));
        let [line, sign] = pointed_at(&long.parse::<Pattern>().unwrap_err());
        assert_eq!(line.chars().nth(sign.chars().count() - 1), Some('x'));
    }
}

//! Facts drawn at random from conversations, with what a reader needs to judge them by hand.

use std::fmt;
use std::path::Path;

use lorebase_engine::model::episode::Episode;
use lorebase_engine::model::fact::{Polarity, Triple};
use lorebase_engine::model::time::{SourceTime, Timestamp};
use lorebase_extract::extractor::Extractor;

use super::conversations::read_sessions;
use super::overlap::shown;
use super::texts::episodes;
use crate::error::Error;

/// A fact with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledFact {
    /// Kind, subject, relation and object, whether it is denied or doubted, and whose words it is.
    pub fact: String,
    /// From when to when it holds, where the text tells.
    pub valid: Option<String>,
    /// The piece that states it.
    pub stated: String,
    /// Who says it.
    pub speaker: String,
    /// When it is said.
    pub at: String,
    /// The turn that it stands in.
    pub turn: String,
    /// The turn before, with its speaker.
    pub before: Option<String>,
}

impl fmt::Display for SampledFact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.fact)?;
        if let Some(valid) = &self.valid {
            writeln!(out, "  when    {valid}")?;
        }
        writeln!(out, "  stated  {}", self.stated)?;
        writeln!(out, "  turn    {} at {}: {}", self.speaker, self.at, self.turn)?;
        match &self.before {
            Some(before) => writeln!(out, "  before  {before}"),
            None => writeln!(out, "  before  (it is the first)"),
        }
    }
}

/// Draws `count` facts of those that an extractor finds in the conversations; the same seed draws the same of the same
/// facts.
pub fn draw(
    extractor: &dyn Extractor,
    directory: &Path,
    (count, seed): (usize, u64),
) -> Result<Vec<SampledFact>, Error> {
    let mut all = Vec::new();
    for session in read_sessions(directory)? {
        let episodes = episodes(session);
        for (place, found) in extractor.extract(&episodes).into_iter().enumerate() {
            let item = || episodes[place].source_id.clone().unwrap_or_default();
            let found =
                found.map_err(|problem| Error::Extractor { set: "the sample", item: item(), problem })?;
            let before = place.checked_sub(1).map(|place| &episodes[place]);
            all.extend(found.triples.iter().map(|fact| sampled(fact, &episodes[place], before)));
        }
    }
    let drawn = fastrand::Rng::with_seed(seed).choose_multiple(all, count);
    Ok(drawn)
}

fn sampled(fact: &Triple, episode: &Episode, before: Option<&Episode>) -> SampledFact {
    let denied = if fact.polarity == Polarity::Negated { "not: " } else { "" };
    let doubted = if fact.hedged { " (doubted)" } else { "" };
    let words_of = fact.attributed_to.as_ref().map_or_else(String::new, |name| format!(" (says {name})"));
    let speaker = |episode: &Episode| episode.speaker.clone().unwrap_or_else(|| "(nobody)".to_owned());
    let end = |end: Option<Timestamp>| end.map_or_else(String::new, |at| at.civil().to_string());
    let valid = (fact.valid.from.is_some() || fact.valid.to.is_some())
        .then(|| format!("{} to {}", end(fact.valid.from), end(fact.valid.to)));
    SampledFact {
        fact: format!("{denied}{}{doubted}{words_of}", shown(fact)),
        valid,
        stated: fact.span.slice(&episode.text).unwrap_or_default().to_owned(),
        speaker: speaker(episode),
        at: episode.occurred_at.map_or_else(|| "no time".to_owned(), SourceTime::to_the_minute),
        turn: episode.text.clone(),
        before: before.map(|episode| format!("{}: {}", speaker(episode), episode.text)),
    }
}

#[cfg(test)]
mod tests {
    use lorebase_engine::model::fact::FactKind;

    use super::*;
    use crate::extraction::testing::{Fixed, fact};

    #[test]
    fn the_same_seed_draws_the_same_facts_with_their_places() {
        let directory = tempfile::tempdir().unwrap();
        for folder in ["locomo", "cases"] {
            std::fs::create_dir(directory.path().join(folder)).unwrap();
        }
        let turns = "[{\"speaker\": \"Ana\", \"dia_id\": \"D1:1\", \"text\": \"I paint boats.\"}, \
                     {\"speaker\": \"Ben\", \"dia_id\": \"D1:2\", \"text\": \"Nice!\"}]";
        let locomo = format!(
            "[{{\"sample_id\": \"c\", \"qa\": [], \"conversation\": {{\"speaker_a\": \"Ana\", \
             \"speaker_b\": \"Ben\", \"session_1_date_time\": \"1:56 pm on 8 May, 2023\", \"session_1\": {turns}}}}}]"
        );
        std::fs::write(directory.path().join("locomo/locomo-dev.json"), locomo).unwrap();
        let case = "{\"case\": \"r\", \"sessions\": [{\"id\": \"D1\", \"at\": null, \"turns\": []}], \"questions\": []}\n";
        std::fs::write(directory.path().join("cases/realtalk-dev.jsonl"), case).unwrap();
        let found = Fixed::facts(vec![fact("Ana", "paints", "boats", FactKind::Fact, (2, 5))]);
        let drawn = draw(&found, directory.path(), (1, 7)).unwrap();
        assert_eq!(drawn, draw(&found, directory.path(), (1, 7)).unwrap());
        let mut all = draw(&found, directory.path(), (9, 0)).unwrap();
        all.sort_by(|one, other| one.speaker.cmp(&other.speaker));
        assert_eq!(
            all.iter().map(|fact| fact.before.as_deref()).collect::<Vec<_>>(),
            [None, Some("Ana: I paint boats.")]
        );
        assert_eq!((all[0].stated.as_str(), all[0].at.as_str()), ("pai", "2023-05-08 13:56"));
        assert!(all[1].to_string().contains("[fact] Ana paints boats"));
    }
}

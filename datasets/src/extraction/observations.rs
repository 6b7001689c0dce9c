//! LoCoMo's observations: sentences on a speaker with the turns that show them, and which of them a fact of the same
//! turn covers.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use lorebase_engine::model::extraction::Extraction;
use lorebase_extract::extractor::Extractor;
use lorebase_extract::formats::format::Format;
use serde::{Deserialize, Serialize};

use super::overlap::{Words, shown};
use super::scores::Share;
use super::texts::episodes;
use super::{Item, Tell};
use crate::error::Error;
use crate::files::read_json;

const SET: &str = "observations";

/// How many observations are covered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObservationsReport {
    /// By one fact of a turn that the observation cites.
    pub covered: Share,
    /// Those of which a cited turn has any fact.
    pub with_fact: Share,
    /// Those that a cited turn would cover if all of it and its speaker were one fact: the most that can be.
    pub within_reach: Share,
    /// Facts of all turns.
    pub facts: usize,
    /// By conversation.
    pub conversations: BTreeMap<String, Share>,
}

#[derive(Deserialize)]
struct Sample {
    sample_id: String,
    #[serde(default)]
    observation: BTreeMap<String, BTreeMap<String, Vec<(String, Turns)>>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Turns {
    One(String),
    Many(Vec<String>),
}

impl Turns {
    fn ids(&self) -> &[String] {
        match self {
            Self::One(id) => std::slice::from_ref(id),
            Self::Many(ids) => ids,
        }
    }
}

/// What a turn says and what was found in it.
struct Said {
    text: String,
    speaker: String,
    found: Extraction,
}

#[derive(Default)]
struct Tally {
    observations: usize,
    covered: usize,
    with_fact: usize,
    within_reach: usize,
}

/// Scores an extractor on a file in LoCoMo's official format.
pub fn score(
    extractor: &dyn Extractor,
    path: &Path,
    tell: &mut Tell<'_>,
) -> Result<ObservationsReport, Error> {
    let documents = lorebase_extract::formats::read(path, Some(Format::LoCoMo))?;
    let samples: Vec<Sample> = read_json(path)?;
    let (mut all, mut facts, mut conversations) = (Tally::default(), 0, BTreeMap::new());
    for (sample, document) in samples.into_iter().zip(documents) {
        let mut turns = HashMap::new();
        for session in document.transcript.sessions {
            read_session(extractor, session, &mut turns)?;
        }
        facts += turns.values().map(|said| said.found.triples.len()).sum::<usize>();
        let tally = score_sample(&sample, &turns, tell);
        conversations.insert(sample.sample_id, Share::of(tally.covered, tally.observations));
        all.observations += tally.observations;
        all.covered += tally.covered;
        all.with_fact += tally.with_fact;
        all.within_reach += tally.within_reach;
    }
    Ok(ObservationsReport {
        covered: Share::of(all.covered, all.observations),
        with_fact: Share::of(all.with_fact, all.observations),
        within_reach: Share::of(all.within_reach, all.observations),
        facts,
        conversations,
    })
}

fn read_session(
    extractor: &dyn Extractor,
    session: lorebase_extract::transcript::TranscriptSession,
    turns: &mut HashMap<String, Said>,
) -> Result<(), Error> {
    let episodes = episodes(session);
    let found = extractor.extract(&episodes);
    for (episode, found) in episodes.into_iter().zip(found) {
        let Some(id) = episode.source_id else { continue };
        let found = found.map_err(|problem| Error::Extractor { set: SET, item: id.clone(), problem })?;
        turns.insert(id, Said { text: episode.text, speaker: episode.speaker.unwrap_or_default(), found });
    }
    Ok(())
}

fn score_sample(sample: &Sample, turns: &HashMap<String, Said>, tell: &mut Tell<'_>) -> Tally {
    let mut tally = Tally::default();
    let observations = sample.observation.values().flat_map(BTreeMap::values).flatten();
    for (text, cited) in observations {
        let cited_turns: Vec<&Said> = cited.ids().iter().filter_map(|id| turns.get(id)).collect();
        let label = Words::of(text);
        let facts =
            || cited_turns.iter().flat_map(|said| said.found.triples.iter().map(move |fact| (said, fact)));
        let covered = facts().any(|(said, fact)| label.covered_by(&Words::of_fact(fact, &said.text)));
        let whole = |said: &&Said| Words::of(&format!("{} {}", said.speaker, said.text));
        tally.observations += 1;
        tally.covered += usize::from(covered);
        tally.with_fact += usize::from(facts().next().is_some());
        tally.within_reach += usize::from(cited_turns.iter().any(|said| label.covered_by(&whole(said))));
        let told: Vec<String> =
            cited_turns.iter().map(|said| format!("{}: {}", said.speaker, said.text)).collect();
        tell(&Item {
            set: SET,
            language: None,
            id: &format!("{} {}", sample.sample_id, cited.ids().join(" ")),
            text: &told.join("\n"),
            missed: if covered { Vec::new() } else { vec![text.clone()] },
            extra: Vec::new(),
            found: facts().map(|(_, fact)| shown(fact)).collect(),
        });
    }
    tally
}

#[cfg(test)]
mod tests {
    use lorebase_engine::model::fact::FactKind;

    use super::*;
    use crate::extraction::testing::{Fixed, fact};

    #[test]
    fn only_facts_of_the_cited_turn_cover() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let content = r#"[{"sample_id": "c", "qa": [],
            "conversation": {"speaker_a": "Ana", "speaker_b": "Ben",
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": "I paint boats."},
                              {"speaker": "Ben", "dia_id": "D1:2", "text": "Nice!"}]},
            "observation": {"session_1_observation": {
                "Ana": [["Ana paints boats.", "D1:1"], ["Ana dislikes green vegetables.", ["D1:2", "D1:1"]]],
                "Ben": [["Ben finds painting nice.", "D1:9"]]}}}]"#;
        std::fs::write(file.path(), content).unwrap();
        let found = Fixed::facts(vec![fact("Ana", "paints", "boats", FactKind::Fact, (0, 0))]);
        let mut missed = Vec::new();
        let report =
            score(&found, file.path(), &mut |item: &Item<'_>| missed.extend(item.missed.clone())).unwrap();
        assert_eq!((report.covered.covered, report.covered.of), (1, 3));
        assert_eq!((report.with_fact.covered, report.within_reach.covered, report.facts), (2, 1, 2));
        assert_eq!(missed, ["Ana dislikes green vegetables.", "Ben finds painting nice."]);
    }
}

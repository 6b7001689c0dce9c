//! Changes: everything one commit writes. The only way into the store.

use rustc_hash::FxHashSet;

use crate::error::Error;
use crate::model::episode::Episode;
use crate::model::extraction::Reading;
use crate::model::fact::{Triple, TripleObject};
use crate::model::id::{EpisodeId, Namespace};

/// The longest text of an episode, in bytes.
pub const TEXT_MAX_BYTES: usize = 16 << 20;
/// The longest name (of a session, speaker, entity, predicate, or a source's id) and plain value, in bytes.
pub const NAME_MAX_BYTES: usize = 1024;
/// The most text that one commit carries, in bytes.
pub const COMMIT_MAX_BYTES: usize = 256 << 20;

/// The most mentions and triples that one commit carries: with the longest names less than 4 GiB.
pub const FOUND_MAX: usize = 1 << 20;

/// What one commit writes into one namespace. It is stored whole or not at all.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    /// Episodes; those that the store already holds are passed over.
    pub episodes: Vec<Episode>,
    /// What was read in episodes, of this commit or of earlier ones.
    pub readings: Vec<Reading>,
}

impl Changes {
    /// Checks sizes, spans and confidences before anything is written.
    ///
    /// # Errors
    /// [`Error::InvalidChanges`] naming the first thing that breaks an invariant.
    pub fn validate(&self, namespace: &Namespace) -> Result<(), Error> {
        let refuse = |problem: String| Error::InvalidChanges { namespace: namespace.clone(), problem };
        let total: usize = self.episodes.iter().map(|episode| episode.text.len()).sum();
        if total > COMMIT_MAX_BYTES {
            return Err(refuse(format!(
                "it carries {total} bytes of text; {COMMIT_MAX_BYTES} are allowed in one commit"
            )));
        }
        let ends =
            self.readings.iter().map(|reading| reading.found.mentions.len() + reading.found.triples.len());
        let found: usize = ends.sum();
        if found > FOUND_MAX {
            let problem =
                format!("it carries {found} mentions and facts; {FOUND_MAX} are allowed in one commit");
            return Err(refuse(problem));
        }
        let repeated = first_repeated(self.episodes.iter().map(|episode| episode.id))
            .or_else(|| first_repeated(self.readings.iter().map(|reading| reading.episode)));
        if let Some(id) = repeated {
            return Err(refuse(format!("it tells of episode {id} twice")));
        }
        self.episodes.iter().try_for_each(|episode| check_episode(episode).map_err(refuse))?;
        self.readings.iter().try_for_each(|reading| check_reading(reading).map_err(refuse))
    }
}

fn first_repeated(ids: impl Iterator<Item = EpisodeId>) -> Option<EpisodeId> {
    let mut seen = FxHashSet::default();
    ids.into_iter().find(|id| !seen.insert(*id))
}

fn check_episode(episode: &Episode) -> Result<(), String> {
    if episode.text.len() > TEXT_MAX_BYTES {
        let size = episode.text.len();
        return Err(format!("episode {} has {size} bytes of text; {TEXT_MAX_BYTES} are allowed", episode.id));
    }
    let names = [Some(episode.session.as_str()), episode.speaker.as_deref(), episode.source_id.as_deref()];
    names.into_iter().flatten().try_for_each(check_name)
}

fn check_reading(reading: &Reading) -> Result<(), String> {
    check_name(&reading.extractor)?;
    for mention in &reading.found.mentions {
        check_name(&mention.name)?;
        if mention.span.start > mention.span.end {
            return Err(format!(
                "a mention of \"{}\" in episode {} ends before it begins",
                mention.name, reading.episode
            ));
        }
    }
    reading.found.triples.iter().try_for_each(check_triple)
}

fn check_triple(triple: &Triple) -> Result<(), String> {
    check_name(&triple.subject.name)?;
    check_name(triple.predicate.as_str())?;
    check_name(match &triple.object {
        TripleObject::Entity(named) => &named.name,
        TripleObject::Value(text) => text,
    })?;
    if triple.span.start > triple.span.end || !(0.0..=1.0).contains(&triple.confidence) {
        return Err(format!(
            "a fact about \"{}\" has a span or a confidence out of range",
            triple.subject.name
        ));
    }
    Ok(())
}

fn check_name(name: &str) -> Result<(), String> {
    if name.len() > NAME_MAX_BYTES {
        let start: String = name.chars().take(40).collect();
        return Err(format!("the name \"{start}…\" has {} bytes; {NAME_MAX_BYTES} are allowed", name.len()));
    }
    Ok(())
}

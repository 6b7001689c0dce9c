//! Walks the journal and holds the working store against it, commit by commit.

use std::collections::HashMap;

use super::Store;
use super::journal::Position;
use super::record::TextRef;
use super::working::decode_commit;
use crate::error::Error;
use crate::model::id::{EpisodeId, Namespace};

impl Store {
    /// Everything in which journal and working store do not agree, a line each; empty where all is well.
    ///
    /// # Errors
    /// Where the walk itself cannot go on: the system's errors.
    pub(crate) fn verify(&self) -> Result<Vec<String>, Error> {
        let mut problems = Vec::new();
        let expected = match self.journal_contents(&mut problems) {
            Ok(expected) => expected,
            Err(damage @ Error::Damaged { .. }) => {
                problems.push(damage.to_string());
                return Ok(problems);
            }
            Err(other) => return Err(other),
        };
        let namespaces = self.working.namespaces()?;
        for namespace in &namespaces {
            if !expected.contains_key(namespace) {
                problems.push(format!(
                    "the working store has namespace {namespace}, of which the journal tells nothing"
                ));
            }
        }
        for (namespace, episodes) in &expected {
            self.verify_namespace(namespace, episodes, &mut problems);
        }
        Ok(problems)
    }

    fn journal_contents(
        &self,
        problems: &mut Vec<String>,
    ) -> Result<HashMap<Namespace, HashMap<EpisodeId, TextRef>>, Error> {
        let mut found: HashMap<Namespace, HashMap<EpisodeId, TextRef>> = HashMap::new();
        let writer = self.writer.lock();
        writer.journal.replay(Position::START, |frame| {
            let damaged = |problem| Error::Damaged {
                path: self.segments.path(frame.at.segment),
                offset: frame.at.offset,
                problem,
            };
            let (commit, texts) = decode_commit(frame).map_err(damaged)?;
            let episodes = found.entry(Namespace::new(&commit.namespace)?).or_default();
            for (episode, text) in commit.episodes.iter().zip(texts) {
                if episodes.insert(EpisodeId::from_bytes(episode.id), text).is_some() {
                    problems.push(format!("commit {} repeats an episode", frame.header.sequence));
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn verify_namespace(
        &self,
        namespace: &Namespace,
        expected: &HashMap<EpisodeId, TextRef>,
        problems: &mut Vec<String>,
    ) {
        let loaded = match self.load(namespace) {
            Ok(loaded) => loaded,
            Err(error) => {
                problems.push(format!("namespace {namespace}: {error}"));
                return;
            }
        };
        if loaded.len() != expected.len() {
            problems.push(format!(
                "namespace {namespace}: the journal has {} episodes, the working store {}",
                expected.len(),
                loaded.len()
            ));
        }
        for stored in &loaded {
            let id = stored.episode.id;
            if expected.get(&id) != Some(&stored.text) {
                problems.push(format!(
                    "namespace {namespace}: episode {id} lies elsewhere than the journal says"
                ));
            }
            self.verify_episode(namespace, stored, problems);
        }
    }

    fn verify_episode(&self, namespace: &Namespace, stored: &super::Loaded, problems: &mut Vec<String>) {
        let episode = &stored.episode;
        match self.text(&stored.text) {
            Err(error) => problems.push(format!("namespace {namespace}: {error}")),
            Ok(text) => {
                let said = (episode.speaker.as_deref(), episode.occurred_at);
                let id = crate::model::episode::Episode::id_of(
                    namespace,
                    &episode.session,
                    episode.position,
                    said,
                    &text,
                );
                if id != episode.id {
                    problems.push(format!(
                        "namespace {namespace}: episode {} does not match its content",
                        episode.id
                    ));
                }
                let length = text.chars().count() as u32;
                let found = stored.reading.iter().flat_map(|reading| {
                    let mentions = reading.found.mentions.iter().map(|mention| mention.span);
                    mentions.chain(reading.found.triples.iter().map(|triple| triple.span))
                });
                let outside = found.filter(|span| span.end > length).count();
                if outside > 0 {
                    problems.push(format!(
                        "namespace {namespace}: episode {}: {outside} spans reach past its text",
                        episode.id
                    ));
                }
            }
        }
    }
}

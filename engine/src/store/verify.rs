//! Walks the journal and holds the working store against it, commit by commit.

use std::collections::HashMap;

use super::Store;
use super::journal::Position;
use super::record::{EpisodeV1, ReadingV1, TextRef};
use super::working::{StoredEpisode, decode_commit};
use crate::error::Error;
use crate::model::episode::Episode;
use crate::model::id::{EpisodeId, Namespace};

/// What the journal says of one episode.
#[derive(PartialEq)]
struct Told {
    episode: EpisodeV1,
    text: TextRef,
    /// The last of its readings.
    reading: Option<ReadingV1>,
}

type Contents = HashMap<Namespace, HashMap<EpisodeId, Told>>;

impl Store {
    /// Everything in which journal and working store do not agree, a line each; empty where all is well.
    ///
    /// # Errors
    /// Where the walk itself cannot go on: the system's errors.
    pub(crate) fn verify(&self) -> Result<Vec<String>, Error> {
        let mut problems = Vec::new();
        let told = match self.journal_contents(&mut problems) {
            Ok(told) => told,
            Err(damage @ Error::Damaged { .. }) => {
                problems.push(damage.to_string());
                return Ok(problems);
            }
            Err(other) => return Err(other),
        };
        let working = self.working.read();
        match working.namespaces() {
            Err(error) => problems.push(error.to_string()),
            Ok(namespaces) => {
                let untold = namespaces.iter().filter(|known| !told.contains_key(known));
                problems.extend(
                    untold.map(|namespace| format!("the journal tells nothing of namespace {namespace}")),
                );
            }
        }
        for (namespace, episodes) in &told {
            let mut found = Vec::new();
            match working.load(namespace) {
                Err(error) => found.push(error.to_string()),
                Ok(stored) => self.compare(namespace, episodes, &stored, &mut found)?,
            }
            problems.extend(found.into_iter().map(|problem| format!("namespace {namespace}: {problem}")));
        }
        Ok(problems)
    }

    fn journal_contents(&self, problems: &mut Vec<String>) -> Result<Contents, Error> {
        let mut contents = Contents::new();
        let writer = self.writer.lock();
        let applied = self.working.read().applied()?.map_or(0, |applied| applied.sequence);
        if applied != writer.journal.sequence() {
            problems.push(format!("{applied} of {} commits were applied", writer.journal.sequence()));
        }
        writer.journal.replay(Position::START, |frame| {
            let damaged = |problem| Error::Damaged {
                path: self.segments.path(frame.at.segment),
                offset: frame.at.offset,
                problem,
            };
            let (commit, texts) = decode_commit(frame).map_err(damaged)?;
            let episodes = contents.entry(Namespace::new(&commit.namespace)?).or_default();
            for (episode, text) in commit.episodes.into_iter().zip(texts) {
                let told = Told { episode, text, reading: None };
                if episodes.insert(EpisodeId::from_bytes(told.episode.id), told).is_some() {
                    problems.push(format!("commit {} repeats an episode", frame.header.sequence));
                }
            }
            for reading in commit.readings {
                match episodes.get_mut(&EpisodeId::from_bytes(reading.episode)) {
                    Some(told) => told.reading = Some(reading),
                    None => {
                        problems.push(format!("commit {} reads an unknown episode", frame.header.sequence));
                    }
                }
            }
            Ok(())
        })?;
        Ok(contents)
    }

    fn compare(
        &self,
        namespace: &Namespace,
        told: &HashMap<EpisodeId, Told>,
        stored: &[StoredEpisode],
        problems: &mut Vec<String>,
    ) -> Result<(), Error> {
        if stored.len() != told.len() {
            problems.push(format!(
                "the journal has {} episodes, the working store {}",
                told.len(),
                stored.len()
            ));
        }
        for row in stored {
            let id = EpisodeId::from_bytes(row.episode.id);
            let same = told.get(&id).is_some_and(|told| {
                (&told.episode, &told.text, &told.reading) == (&row.episode, &row.text, &row.reading)
            });
            if !same {
                problems.push(format!("episode {id} is not what the journal says of it"));
            }
            match self.text(&row.text) {
                Err(error @ Error::Damaged { .. }) => problems.push(error.to_string()),
                Err(other) => return Err(other),
                Ok(text) => problems.extend(check_content(namespace, row, &text)),
            }
        }
        Ok(())
    }
}

/// Whether the id is that of the content, and all spans lie inside the text.
fn check_content(namespace: &Namespace, row: &StoredEpisode, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let id = EpisodeId::from_bytes(row.episode.id);
    match row.episode.clone().with_text(String::new()) {
        Err(problem) => problems.push(format!("episode {id}: {problem}")),
        Ok(episode) => {
            let said = (episode.speaker.as_deref(), episode.occurred_at);
            if Episode::id_of(namespace, &episode.session, episode.position, said, text) != id {
                problems.push(format!("episode {id} does not match its content"));
            }
        }
    }
    let length = text.chars().count() as u32;
    let ends = row.reading.iter().flat_map(|reading| {
        let mentions = reading.mentions.iter().map(|mention| mention.span.1);
        mentions.chain(reading.triples.iter().map(|triple| triple.span.1))
    });
    let outside = ends.filter(|end| *end > length).count();
    if outside > 0 {
        problems.push(format!("episode {id}: {outside} spans reach past its text"));
    }
    problems
}

//! Walks the journal and holds the working store against it, commit by commit.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Store;
use super::load::{LoadedCommit, decode_commit};
use super::record::CommitRowV2;
use super::segments::{Frame, Position};
use crate::error::Error;
use crate::model::episode::{Episode, Span};
use crate::model::extraction::Reading;
use crate::model::id::{EpisodeId, Namespace};
use crate::model::ruling::Matter;

/// What the journal has told of one namespace so far.
#[derive(Default)]
struct Told {
    rows: Vec<(u64, CommitRowV2)>,
    episodes: FxHashSet<EpisodeId>,
    forgotten: FxHashSet<EpisodeId>,
    /// Commits that read episodes that none before them tells, with these.
    unknown: Vec<(u64, EpisodeId)>,
    /// Commits are lost that may have told of more.
    incomplete: bool,
}

impl Store {
    /// Everything in which journal and working store do not agree, a line each; empty where all is well.
    ///
    /// # Errors
    /// Where the walk itself cannot go on: the system's errors.
    pub(crate) fn verify(&self) -> Result<Vec<String>, Error> {
        let mut problems = Vec::new();
        let writer = self.writer.lock();
        let mut told: FxHashMap<Namespace, Told> = FxHashMap::default();
        let mut lost = false;
        let walked = writer.journal.replay(Position::START, 0, |frame| {
            let damaged = |problem| self.segments.damaged(frame.at, problem);
            if let Some((namespace, commit)) = decode_commit(frame).map_err(damaged)? {
                let told = told.entry(namespace.clone()).or_default();
                // What is read in an episode may be there still where the episode is lost.
                told.incomplete = lost;
                check_commit(frame, &namespace, &commit, told, &mut problems);
            } else {
                lost = true;
            }
            Ok(())
        });
        match walked {
            Ok(()) => {}
            Err(damage @ Error::Damaged { .. }) => {
                problems.push(damage.to_string());
                return Ok(problems);
            }
            Err(other) => return Err(other),
        }
        self.compare(&told, &writer.journal, &mut problems)?;
        Ok(problems)
    }

    /// What the working store holds other than the journal has told.
    fn compare(
        &self,
        told: &FxHashMap<Namespace, Told>,
        journal: &super::Journal,
        problems: &mut Vec<String>,
    ) -> Result<(), Error> {
        let working = self.working.read();
        let applied = working.applied()?.unwrap_or_default();
        if applied.sequence != journal.sequence() {
            problems.push(format!("{} of {} commits were applied", applied.sequence, journal.sequence()));
        }
        if applied.generation != journal.generation() && applied.sequence > 0 {
            problems.push("the working store was made from another journal".to_owned());
        }
        match working.namespaces() {
            Err(error) => problems.push(error.to_string()),
            Ok(namespaces) => {
                let untold = namespaces.iter().filter(|known| !told.contains_key(known));
                problems.extend(
                    untold.map(|namespace| format!("the journal tells nothing of namespace {namespace}")),
                );
            }
        }
        for (namespace, told) in told {
            // What is forgotten later on may be gone where it was told and still stand where it was read, if a
            // compaction was cut short.
            let unknown = told.unknown.iter().filter(|(_, id)| !told.forgotten.contains(id));
            problems.extend(unknown.map(|(number, id)| {
                format!("namespace {namespace}: commit {number}: it reads episode {id}, which is not known")
            }));
            match working.commits(namespace, None) {
                Err(error) => problems.push(error.to_string()),
                Ok(found) if found.as_ref().is_some_and(|found| found.rows == told.rows) => {}
                Ok(_) => problems.push(format!(
                    "namespace {namespace}: the working store's commits are not those of the journal"
                )),
            }
        }
        Ok(())
    }
}

/// Whether a commit says nothing that cannot be, after those before it.
fn check_commit(
    frame: &Frame,
    namespace: &Namespace,
    commit: &LoadedCommit,
    told: &mut Told,
    problems: &mut Vec<String>,
) {
    let mut found = Vec::new();
    for episode in &commit.episodes {
        if !told.episodes.insert(episode.id) || told.forgotten.contains(&episode.id) {
            found.push(format!("it repeats episode {}", episode.id));
        }
        let said = (episode.speaker.as_deref(), episode.occurred_at);
        let id = Episode::id_of(namespace, &episode.session, episode.position, said, &episode.text);
        if id != episode.id {
            found.push(format!("episode {} does not match its content", episode.id));
        }
    }
    let texts: FxHashMap<EpisodeId, &str> =
        commit.episodes.iter().map(|episode| (episode.id, episode.text.as_str())).collect();
    for reading in &commit.readings {
        let known = told.episodes.contains(&reading.episode) || told.forgotten.contains(&reading.episode);
        if !known && !told.incomplete {
            told.unknown.push((commit.sequence, reading.episode));
        }
        found.extend(texts.get(&reading.episode).and_then(|text| spans_outside(reading, text)));
    }
    for id in &commit.forgets {
        told.episodes.remove(id);
        told.forgotten.insert(*id);
    }
    for ruling in &commit.rulings {
        if let Matter::Lift { id } = &ruling.matter {
            told.forgotten.remove(id);
        }
    }
    told.rows.push((
        commit.sequence,
        CommitRowV2 {
            segment: frame.at.segment,
            offset: frame.at.offset,
            episodes: commit.episodes.len() as u32,
            readings: commit.readings.len() as u32,
            forgets: commit.forgets.len() as u32,
        },
    ));
    let number = commit.sequence;
    problems.extend(
        found.into_iter().map(|problem| format!("namespace {namespace}: commit {number}: {problem}")),
    );
}

/// Says where spans of a reading reach past its text.
fn spans_outside(reading: &Reading, text: &str) -> Option<String> {
    let length = text.chars().count() as u32;
    let mentions = reading.found.mentions.iter().map(|mention| mention.span);
    let spans = mentions.chain(reading.found.triples.iter().map(|triple| triple.span));
    let outside = spans.filter(|Span { end, .. }| *end > length).count();
    (outside > 0).then(|| format!("episode {}: {outside} spans reach past its text", reading.episode))
}

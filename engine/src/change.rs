//! Changes: everything one commit writes. The only way into the store.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::Error;
use crate::model::episode::{Episode, ExtractionStatus, Span};
use crate::model::extraction::{Extraction, Reading};
use crate::model::fact::{Triple, TripleObject};
use crate::model::id::{EpisodeId, Namespace};
use crate::model::ruling::{Matter, Names, Ruling};

/// The longest text of an episode, in bytes.
pub const TEXT_MAX_BYTES: usize = 16 << 20;
/// The longest name (of a session, speaker, entity, predicate, or a source's id) and plain value, in bytes.
pub const NAME_MAX_BYTES: usize = 1024;
/// The furthest offset from UTC, in minutes: what a time can be written with.
pub const OFFSET_MAX_MINUTES: u16 = 25 * 60 + 59;
/// The most text that one commit carries, in bytes.
pub const COMMIT_MAX_BYTES: usize = 256 << 20;

/// The most bytes that all names in one commit have together.
pub const COMMIT_NAMES_MAX_BYTES: usize = 256 << 20;
/// The most episodes, readings or ids that one commit carries.
pub const COMMIT_MAX: usize = 1 << 20;
/// The most mentions and triples that one commit carries.
pub const FOUND_MAX: usize = 1 << 20;

/// The most rulings that one commit carries.
pub const RULINGS_MAX: usize = 1 << 16;

/// The most claims of one fact that a ruling names: one for each pair of names that its two ends are called
/// by.
pub const CLAIMS_MAX: usize = 1 << 10;

/// What one commit writes into one namespace. It is stored whole or not at all, and tells something, forgets,
/// or rules.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    /// Episodes; those that the store already holds are passed over.
    pub episodes: Vec<Episode>,
    /// What was read in episodes, of this commit or of earlier ones.
    pub readings: Vec<Reading>,
    /// Episodes that are taken out, with everything that no other episode supports, and not taken in again.
    /// Their texts are gone from disk once the store is compacted.
    pub forgets: Vec<EpisodeId>,
    /// What is settled about names: that two are names of one entity, or are not.
    pub rulings: Vec<Ruling>,
}

impl Changes {
    /// Cuts them, in order, into changes that each keep within what one commit may carry, as far as single
    /// episodes and readings do: a reading goes with its episode where both are new. Mostly that is one.
    pub fn parts(self) -> Vec<Self> {
        let mut readings: FxHashMap<EpisodeId, Reading> = FxHashMap::default();
        let mut earlier = Vec::new();
        let new: FxHashSet<EpisodeId> = self.episodes.iter().map(|episode| episode.id).collect();
        for reading in self.readings {
            if new.contains(&reading.episode) {
                readings.insert(reading.episode, reading);
            } else {
                earlier.push(reading);
            }
        }
        let mut parts = Parts::default();
        for episode in self.episodes {
            let reading = readings.remove(&episode.id);
            parts.push(Some(episode), reading);
        }
        for reading in earlier {
            parts.push(None, Some(reading));
        }
        parts.whole.push(parts.open);
        let forgets = self.forgets.chunks(COMMIT_MAX).map(<[EpisodeId]>::to_vec);
        parts.whole.extend(forgets.map(|forgets| Self { forgets, ..Self::default() }));
        let rulings = self.rulings.chunks(RULINGS_MAX).map(<[Ruling]>::to_vec);
        parts.whole.extend(rulings.map(|rulings| Self { rulings, ..Self::default() }));
        parts.whole.retain(|part| *part != Self::default());
        parts.whole
    }

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
        let counts = [self.episodes.len(), self.readings.len(), self.forgets.len()];
        if let Some(most) = counts.into_iter().find(|count| *count > COMMIT_MAX) {
            let problem = format!("it tells of {most} episodes; {COMMIT_MAX} are allowed in one commit");
            return Err(refuse(problem));
        }
        let does = [counts[0] + counts[1], counts[2], self.rulings.len()];
        if does.into_iter().filter(|count| *count > 0).count() > 1 {
            let problem =
                "it does more than one of telling, forgetting and ruling; commit one after the other";
            return Err(refuse(problem.to_owned()));
        }
        if self.rulings.len() > RULINGS_MAX {
            let problem = format!("it rules {} times; {RULINGS_MAX} are allowed in one commit", does[2]);
            return Err(refuse(problem));
        }
        self.rulings.iter().try_for_each(check_ruling).map_err(refuse)?;
        let found: usize = self.readings.iter().map(|reading| found_in(&reading.found)).sum();
        if found > FOUND_MAX {
            let problem =
                format!("it carries {found} mentions and facts; {FOUND_MAX} are allowed in one commit");
            return Err(refuse(problem));
        }
        let names: usize = self.names().map(|(_, name)| name.len()).sum();
        if names > COMMIT_NAMES_MAX_BYTES {
            let problem =
                format!("its names have {names} bytes; {COMMIT_NAMES_MAX_BYTES} are allowed in one commit");
            return Err(refuse(problem));
        }
        let repeated = first_repeated(self.episodes.iter().map(|episode| episode.id))
            .or_else(|| first_repeated(self.readings.iter().map(|reading| reading.episode)))
            .or_else(|| first_repeated(self.forgets.iter().copied()));
        if let Some(id) = repeated {
            return Err(refuse(format!("it tells of episode {id} twice")));
        }
        self.names().try_for_each(check_name).map_err(refuse)?;
        self.episodes.iter().try_for_each(|episode| check_episode(namespace, episode).map_err(refuse))?;
        let texts: FxHashMap<EpisodeId, &str> =
            self.episodes.iter().map(|episode| (episode.id, episode.text.as_str())).collect();
        self.readings.iter().try_for_each(|reading| {
            check_reading(reading).map_err(refuse)?;
            texts.get(&reading.episode).map_or(Ok(()), |text| check_spans(reading, text)).map_err(refuse)
        })
    }

    /// Checks one episode and its reading by the same rules.
    ///
    /// # Errors
    /// What breaks an invariant, in words.
    pub fn validate_one(
        namespace: &Namespace,
        episode: &Episode,
        reading: Option<&Reading>,
    ) -> Result<(), String> {
        let found = reading.map_or(0, |reading| found_in(&reading.found));
        if found > FOUND_MAX {
            return Err(format!("its reading has {found} mentions and facts; {FOUND_MAX} are allowed"));
        }
        let names = || names_of_episode(episode).chain(reading.into_iter().flat_map(names_of_reading));
        let bytes: usize = names().map(|(_, name)| name.len()).sum();
        if bytes > COMMIT_NAMES_MAX_BYTES {
            return Err(format!("its names have {bytes} bytes; {COMMIT_NAMES_MAX_BYTES} are allowed"));
        }
        names().try_for_each(check_name)?;
        check_episode(namespace, episode)?;
        reading.map_or(Ok(()), |reading| {
            check_reading(reading).and_then(|()| check_spans(reading, &episode.text))
        })
    }

    /// Every name, predicate and plain value, as often as it stands there, with what it is.
    fn names(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.episodes.iter().flat_map(names_of_episode).chain(self.readings.iter().flat_map(names_of_reading))
    }
}

/// Changes that are being cut.
#[derive(Default)]
struct Parts {
    whole: Vec<Changes>,
    open: Changes,
    load: Load,
}

/// How much of what is limited in a commit there is.
#[derive(Default, Clone, Copy)]
struct Load {
    text: usize,
    names: usize,
    found: usize,
    things: usize,
}

impl Load {
    fn of(episode: Option<&Episode>, reading: Option<&Reading>) -> Self {
        let names = episode.into_iter().flat_map(names_of_episode);
        let names = names.chain(reading.into_iter().flat_map(names_of_reading));
        Self {
            text: episode.map_or(0, |episode| episode.text.len()),
            names: names.map(|(_, name)| name.len()).sum(),
            found: reading.map_or(0, |reading| found_in(&reading.found)),
            things: 1,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            text: self.text + other.text,
            names: self.names + other.names,
            found: self.found + other.found,
            things: self.things + other.things,
        }
    }

    fn fits(self) -> bool {
        self.text <= COMMIT_MAX_BYTES
            && self.names <= COMMIT_NAMES_MAX_BYTES
            && self.found <= FOUND_MAX
            && self.things <= COMMIT_MAX
    }
}

impl Parts {
    fn push(&mut self, episode: Option<Episode>, reading: Option<Reading>) {
        let load = Load::of(episode.as_ref(), reading.as_ref());
        if !self.load.and(load).fits() {
            self.whole.push(std::mem::take(&mut self.open));
            self.load = Load::default();
        }
        self.load = self.load.and(load);
        self.open.episodes.extend(episode);
        self.open.readings.extend(reading);
    }
}

/// The names of an episode, with what they are.
pub fn names_of_episode(episode: &Episode) -> impl Iterator<Item = (&'static str, &str)> {
    let names = [
        ("session", Some(episode.session.as_str())),
        ("speaker", episode.speaker.as_deref()),
        ("source id", episode.source_id.as_deref()),
    ];
    names.into_iter().filter_map(|(what, name)| Some((what, name?)))
}

fn names_of_reading(reading: &Reading) -> impl Iterator<Item = (&'static str, &str)> {
    let mentions = reading.found.mentions.iter().map(|mention| ("mention", mention.name.as_str()));
    let triples = reading.found.triples.iter().flat_map(|triple| {
        let object = match &triple.object {
            TripleObject::Entity(named) => &named.name,
            TripleObject::Value(text) => text,
        };
        let (subject, predicate) = (triple.subject.name.as_str(), triple.predicate.as_str());
        let said = [("subject of a claim", subject), ("predicate", predicate), ("object of a claim", object)];
        said.into_iter().chain(triple.attributed_to.as_deref().map(|name| ("source of a claim", name)))
    });
    std::iter::once(("extractor", reading.extractor.as_str())).chain(mentions).chain(triples)
}

fn first_repeated(ids: impl Iterator<Item = EpisodeId>) -> Option<EpisodeId> {
    let mut seen = FxHashSet::default();
    ids.into_iter().find(|id| !seen.insert(*id))
}

fn check_episode(namespace: &Namespace, episode: &Episode) -> Result<(), String> {
    if let Some(offset) = episode.occurred_at.and_then(|at| at.offset_minutes)
        && offset.unsigned_abs() > OFFSET_MAX_MINUTES
    {
        return Err(format!(
            "episode {} was said {offset} minutes east of UTC; from -{OFFSET_MAX_MINUTES} to {OFFSET_MAX_MINUTES} are allowed",
            episode.id
        ));
    }
    if episode.text.len() > TEXT_MAX_BYTES {
        let size = episode.text.len();
        return Err(format!("episode {} has {size} bytes of text; {TEXT_MAX_BYTES} are allowed", episode.id));
    }
    let said = (episode.speaker.as_deref(), episode.occurred_at);
    let id = Episode::id_of(namespace, &episode.session, episode.position, said, &episode.text);
    if id == episode.id {
        Ok(())
    } else {
        Err(format!("episode {} must have the id of its content, which is {id}", episode.id))
    }
}

fn check_reading(reading: &Reading) -> Result<(), String> {
    let found = &reading.found;
    if reading.status != ExtractionStatus::Done && !found.is_empty() {
        return Err(format!(
            "the reading of episode {} is not done, and holds mentions or claims",
            reading.episode
        ));
    }
    if let Some(span) = marked(found).find(|span| span.start > span.end) {
        return Err(format!(
            "what is refused or flagged at {} in episode {} ends before it begins",
            span.start, reading.episode
        ));
    }
    if let Some(mention) = reading.found.mentions.iter().find(|mention| mention.span.start > mention.span.end)
    {
        return Err(format!(
            "a mention of \"{}\" in episode {} ends before it begins",
            mention.name, reading.episode
        ));
    }
    reading.found.triples.iter().try_for_each(check_triple)
}

/// Where something is refused or flagged.
fn marked(found: &Extraction) -> impl Iterator<Item = Span> {
    let refused = found.refused.iter().map(|refusal| refusal.span);
    refused.chain(found.flags.iter().map(|flag| flag.span))
}

/// How much of what is limited in a commit was found.
fn found_in(found: &Extraction) -> usize {
    found.mentions.len() + found.triples.len() + found.refused.len() + found.flags.len()
}

/// No span reaches past the text that was read.
fn check_spans(reading: &Reading, text: &str) -> Result<(), String> {
    let mentions = reading.found.mentions.iter().map(|mention| mention.span.end);
    let ends = mentions.chain(reading.found.triples.iter().map(|triple| triple.span.end));
    let ends = ends.chain(marked(&reading.found).map(|span| span.end));
    let (last, length) = (ends.max().unwrap_or(0), text.chars().count());
    if last as usize > length {
        let id = reading.episode;
        return Err(format!(
            "a span in the reading of episode {id} ends at {last}, and its text at {length}"
        ));
    }
    Ok(())
}

fn check_ruling(ruling: &Ruling) -> Result<(), String> {
    match &ruling.matter {
        Matter::Names(Names { one, other, .. }) if one == other => {
            return Err(format!("it rules on entity {one} and itself"));
        }
        Matter::Rename { name, .. } if name.trim().is_empty() => {
            return Err("it gives an entity an empty name".to_owned());
        }
        Matter::Rename { name, .. } => check_name(("name that a ruling gives", name))?,
        Matter::Rule { text } => {
            check_name(("rule", text))?;
        }
        Matter::Fact { claims, .. } if claims.is_empty() || claims.len() > CLAIMS_MAX => {
            return Err(format!(
                "it rules on {} claims of a fact; 1 to {CLAIMS_MAX} are allowed",
                claims.len()
            ));
        }
        _ => {}
    }
    if !(0.0..=1.0).contains(&ruling.evidence.score) {
        return Err("the score of a ruling is out of range".to_owned());
    }
    ruling.evidence.note.iter().try_for_each(|note| check_name(("note of a ruling", note)))
}

fn check_triple(triple: &Triple) -> Result<(), String> {
    if triple.span.start > triple.span.end || !(0.0..=1.0).contains(&triple.confidence) {
        return Err(format!(
            "a fact about \"{}\" has a span or a confidence out of range",
            triple.subject.name
        ));
    }
    triple
        .problem()
        .map_or(Ok(()), |problem| Err(format!("a claim about \"{}\" {problem}", triple.subject.name)))
}

fn check_name((what, name): (&str, &str)) -> Result<(), String> {
    if name.len() > NAME_MAX_BYTES {
        let start: String = name.chars().take(40).collect();
        return Err(format!(
            "the {what} \"{start}…\" has {} bytes; {NAME_MAX_BYTES} are allowed",
            name.len()
        ));
    }
    Ok(())
}

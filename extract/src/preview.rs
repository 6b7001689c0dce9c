//! What would be stored of a session, without a store: each turn as it would stand there, with what is read in it.

use lorebase_engine::dates::{self, Found, Meaning};
use lorebase_engine::model::episode::{Episode, ExtractionStatus, Span};
use lorebase_engine::model::extraction::{Extraction, NamedSpan};
use lorebase_engine::model::fact::Triple;
use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_engine::model::time::{Interval, SourceTime, Timestamp};
use rayon::prelude::*;

use crate::extractor::Extractor;
use crate::gate::mask::{self, Masked};
use crate::ingest;
use crate::memories::{self, Statement};
use crate::transcript::{TranscriptSession, Turn};

/// A turn as it would be stored. Spans are those of the text that would be stored, see [`Preview::given`].
#[derive(Debug, Clone)]
pub struct Preview {
    /// The id that the source gave the turn.
    pub source_id: Option<String>,
    /// Who said it.
    pub speaker: Option<String>,
    /// When it was said.
    pub at: Option<SourceTime>,
    /// The text that would be stored.
    pub text: String,
    /// What is masked in it.
    pub masked: Option<Masked>,
    /// Whether it could be read.
    pub status: ExtractionStatus,
    /// What is read in it.
    pub found: Extraction,
    /// Everything that tells of time.
    pub times: Vec<Found>,
    /// What it says that is worth remembering.
    pub memories: Vec<Statement>,
}

const PRONOUNS: [&str; 27] = [
    "i", "me", "my", "mine", "myself", "you", "your", "yours", "he", "him", "his", "she", "her", "hers",
    "it", "its", "we", "us", "our", "ours", "they", "them", "their", "theirs", "this", "that", "who",
];

/// Reads sessions, on all cores, and tells their turns in order.
pub fn preview_all(extractor: &dyn Extractor, sessions: Vec<TranscriptSession>) -> Vec<Preview> {
    sessions.into_par_iter().flat_map_iter(|session| preview(extractor, session)).collect()
}

/// Reads the turns of a session.
pub fn preview(extractor: &dyn Extractor, session: TranscriptSession) -> Vec<Preview> {
    let TranscriptSession { id, at, turns } = session;
    let (episodes, masks): (Vec<Episode>, Vec<Option<Masked>>) =
        (0..).zip(turns).map(|(position, turn)| stored(&id, at, position, turn)).unzip();
    let readings = ingest::read_session(extractor, &episodes);
    let turns = episodes.into_iter().zip(masks).zip(readings);
    turns
        .map(|((episode, masked), reading)| of_turn(episode, masked, reading.status, reading.found))
        .collect()
}

fn stored(
    session: &SessionId,
    at: Option<SourceTime>,
    position: u32,
    mut turn: Turn,
) -> (Episode, Option<Masked>) {
    let mut masked = mask::mask(&turn.text);
    if let Some(masked) = &mut masked {
        turn.text.clone_from(&masked.text);
    }
    let never = Timestamp::from_millis(0).expect("1970 is in range");
    (turn.into_episode((&Namespace::default(), session, position), at, never), masked)
}

fn of_turn(episode: Episode, masked: Option<Masked>, status: ExtractionStatus, found: Extraction) -> Preview {
    let Episode { source_id, speaker, text, occurred_at: at, .. } = episode;
    let times = dates::read(&text, at.map(SourceTime::civil), None);
    let memories = memories::statements(&text, speaker.as_deref(), &found);
    Preview { source_id, speaker, at, text, masked, status, found, times, memories }
}

impl Preview {
    /// The span of the text as it was given that a span of the stored text stands for.
    pub fn given(&self, span: Span) -> Span {
        self.masked.as_ref().map_or(span, |masked| masked.given(span))
    }

    /// What is named in the text, each piece once: without the speaker, whom no piece names, and without pronouns.
    pub fn entities(&self) -> Vec<&NamedSpan> {
        let names = |mention: &&NamedSpan| {
            let piece = mention.span.slice(&self.text).unwrap_or_default();
            !piece.is_empty() && !PRONOUNS.iter().any(|pronoun| piece.eq_ignore_ascii_case(pronoun))
        };
        let mut named: Vec<&NamedSpan> = Vec::new();
        for mention in self.found.mentions.iter().filter(names) {
            let known = |other: &&NamedSpan| (other.span, &other.name) == (mention.span, &mention.name);
            if !named.iter().any(known) {
                named.push(mention);
            }
        }
        named
    }

    /// The expression of time that a fact's time was read from: the first within its span, or else one that says the
    /// same.
    pub fn time_of(&self, triple: &Triple) -> Option<&Found> {
        let intervals = |found: &Found| match found.meaning {
            Meaning::Time { exact, meant, .. } => vec![exact, meant.map_or(exact, |meant| meant.interval)],
            Meaning::Duration { .. } | Meaning::Repetition(_) => Vec::new(),
        };
        let inside = |time: &&Found| triple.span.start <= time.span.start && time.span.end <= triple.span.end;
        let same = |time: &&Found| {
            let ends = |told: Interval| [(told.from, triple.valid.from), (told.to, triple.valid.to)];
            intervals(time).into_iter().flat_map(ends).any(|(told, valid)| told.is_some() && told == valid)
        };
        let within = self.times.iter().filter(inside);
        within.clone().find(same).or_else(|| self.times.iter().find(same)).or_else(|| within.clone().next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleExtractor;

    fn read(text: &str) -> Preview {
        let turn = Turn { source_id: None, speaker: Some("Ana".to_owned()), at: None, text: text.to_owned() };
        let at = "2024-05-08T10:00:00".parse().ok();
        let session = TranscriptSession { id: SessionId::new("s"), at, turns: vec![turn] };
        preview(&RuleExtractor, session).remove(0)
    }

    #[test]
    fn a_turn_is_told_as_it_would_be_stored() {
        let text = "My PIN is 4821. I moved to Porto last week.";
        let told = read(text);
        assert_eq!(told.text, "My PIN is [refused: PIN]. I moved to Porto last week.");
        let shown = |span: Span| told.given(span).slice(text).unwrap().to_owned();
        let named: Vec<String> = told.entities().iter().map(|named| shown(named.span)).collect();
        assert!(named.contains(&"Porto".to_owned()) && !named.contains(&"4821".to_owned()), "{named:?}");
        assert_eq!(told.times.iter().map(|time| shown(time.span)).collect::<Vec<_>>(), ["last week"]);
        assert_eq!(
            told.found.refused.iter().map(|refusal| shown(refusal.span)).collect::<Vec<_>>(),
            ["4821"]
        );
        assert!(told.memories.iter().any(|memory| memory.content.starts_with("Ana moved to Porto")));
        assert!(told.memories.iter().all(|memory| !memory.content.contains("4821")));
    }
}

//! Remembering one text: the next turn of a session, read with those before it.

use lorebase_engine::change::Changes;
use lorebase_engine::graph::EpisodeIx;
use lorebase_engine::model::episode::Episode;
use lorebase_engine::model::id::{EpisodeId, Namespace, SessionId};
use lorebase_engine::model::time::{SourceTime, Timestamp};
use lorebase_extract::gate::mask::Tally;
use lorebase_extract::ingest;

use crate::error::Error;
use crate::memory::{DEFAULT_SESSION, Memory, now};
use crate::view::{FactView, Viewer};

/// How many episodes before a new one its reading looks at: enough to know who is speaking with whom.
pub(crate) const READING_WINDOW: usize = 16;

/// What is to be remembered.
#[derive(Debug, Clone)]
pub struct Remember<'t> {
    /// What was said.
    pub text: &'t str,
    /// Who said it.
    pub speaker: Option<&'t str>,
    /// When it was said; `None` for now.
    pub at: Option<SourceTime>,
    /// The session that it continues; [`DEFAULT_SESSION`] for `None`.
    pub session: Option<&'t str>,
    /// From when on it is not shown any more; `None` for never.
    pub expires_at: Option<Timestamp>,
}

impl<'t> Remember<'t> {
    /// A text without a speaker, said now, in the default session.
    pub fn new(text: &'t str) -> Self {
        Self { text, speaker: None, at: None, session: None, expires_at: None }
    }
}

/// What remembering one text came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// The episode's id.
    pub episode: EpisodeId,
    /// Whether it was new: the same text by the same speaker at the same time in the same session is not.
    pub new: bool,
    /// The facts that it states.
    pub facts: Vec<FactView>,
    /// What was masked in it.
    pub masked: Tally,
}

impl Memory {
    /// Stores one text as the next episode of a session and reads it for facts.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty text and for one that was forgotten, and the store's.
    pub fn remember(&self, namespace: &Namespace, what: &Remember<'_>) -> Result<Remembered, Error> {
        if what.text.trim().is_empty() {
            let problem = "is empty; give the words that are to be remembered".to_owned();
            return Err(Error::Argument { argument: "the text", problem });
        }
        if what.session == Some(SessionId::BY_HAND) {
            let problem = "\"by hand\" is kept for facts that are given by hand; name another".to_owned();
            return Err(Error::Argument { argument: "the session", problem });
        }
        let mut masked = Tally::new();
        let text = self.secrets().applied_to(what.text.to_owned(), &mut masked);
        let what = &Remember { text: &text, ..what.clone() };
        let recorded_at = now();
        let at = what.at.unwrap_or(SourceTime { instant: recorded_at, offset_minutes: Some(0) });
        let session = SessionId::new(what.session.unwrap_or(DEFAULT_SESSION));
        let _next = self.turn_in(namespace, &session);
        let (mut window, known) = self.session_so_far(namespace, &session, what, at)?;
        if let Some(ix) = known {
            let reader = self.engine().reader(namespace)?;
            let id = reader.state().episode(ix).id;
            return Ok(Remembered {
                episode: id,
                new: false,
                facts: Viewer::of(&reader).facts_stated_in(&id),
                masked,
            });
        }
        let position = window.last().map_or(0, |last| last.position + 1);
        let id = Episode::id_of(namespace, &session, position, (what.speaker, Some(at)), what.text);
        window.push(Episode {
            id,
            session,
            position,
            speaker: what.speaker.map(str::to_owned),
            text: what.text.to_owned(),
            occurred_at: Some(at),
            recorded_at,
            source_id: None,
            expires_at: what.expires_at,
            told_at: None,
        });
        let readings = ingest::read_session(self.extractor(), &window).pop().into_iter().collect();
        let changes =
            Changes { episodes: window.pop().into_iter().collect(), readings, ..Changes::default() };
        if self.engine().commit(namespace, changes)?.stay_forgotten > 0 {
            let problem = "was forgotten, as said by this speaker at this time in this session, and is not taken in again; \
                           give another session or time, or let it come again by `lore forget --lift`";
            return Err(Error::Argument { argument: "the text", problem: problem.to_owned() });
        }
        let facts = Viewer::of(&self.engine().reader(namespace)?).facts_stated_in(&id);
        Ok(Remembered { episode: id, new: true, facts, masked })
    }

    /// The last episodes of a session, and the one that already is what is to be remembered.
    fn session_so_far(
        &self,
        namespace: &Namespace,
        session: &SessionId,
        what: &Remember<'_>,
        at: SourceTime,
    ) -> Result<(Vec<Episode>, Option<EpisodeIx>), Error> {
        let reader = self.engine().reader(namespace)?;
        let state = reader.state();
        let Some(ix) = state.find_session(session) else { return Ok((Vec::new(), None)) };
        let list = &state.session(ix).episodes;
        let same_time = |ix: &&EpisodeIx| state.episode(**ix).occurred_at == Some(at);
        for &ix in list.iter().filter(same_time) {
            let episode = reader.episode(ix)?;
            if episode.text == what.text && episode.speaker.as_deref() == what.speaker {
                return Ok((Vec::new(), Some(ix)));
            }
        }
        let window = &list[list.len().saturating_sub(READING_WINDOW)..];
        let episodes = window.iter().map(|ix| reader.episode(*ix)).collect::<Result<_, _>>()?;
        Ok((episodes, None))
    }
}

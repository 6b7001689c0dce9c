//! How transcripts and files of them come into a memory: turn by turn, commit by commit, and never whole
//! where they are large.

use lorebase_engine::model::id::{Namespace, SessionId};
use lorebase_extract::formats::outline::Outline;
use lorebase_extract::formats::told::Told;
use lorebase_extract::gate::mask::Tally;
use lorebase_extract::ingest::{self, Assembly, Counts, Expected, Refusal};
use lorebase_extract::transcript::{Transcript, Turn};

use crate::error::Error;
use crate::memory::{Memory, now};

/// What ingesting one transcript or file came to.
#[derive(Debug, Clone, Default)]
pub struct Ingested {
    /// Sessions in it.
    pub sessions: usize,
    /// Episodes in it: stored now, or forgotten before.
    pub episodes: usize,
    /// Episodes among them that were new.
    pub new_episodes: usize,
    /// Claims that were read in the new ones.
    pub facts: usize,
    /// Episodes among those in it that were forgotten here, and stay so.
    pub stay_forgotten: usize,
    /// Turns that could not be stored: the first [`ingest::REFUSALS_TOLD`] of them.
    pub refused: Vec<Refusal>,
    /// Turns that could not be stored beyond those.
    pub more_refused: usize,
    /// What was masked in what was stored, or was masked before.
    pub masked: Tally,
}

impl Memory {
    /// Stores a transcript and reads it for facts, commit by commit; each is durable before the next begins,
    /// and what is already stored is passed over. `progress` is told how many episodes are done.
    ///
    /// # Errors
    /// The store's; the commits before stand.
    pub fn ingest(
        &self,
        namespace: &Namespace,
        transcript: Transcript,
        mut progress: impl FnMut(usize),
    ) -> Result<Ingested, Error> {
        let expected = transcript.sessions.iter().map(|session| Expected {
            id: session.id.clone(),
            at: session.at,
            turns: session.turns.len() as u32,
        });
        let mut intake = Intake::new(self, namespace, &mut progress);
        intake.begin(expected.collect())?;
        for (number, session) in transcript.sessions.into_iter().enumerate() {
            session.turns.into_iter().try_for_each(|turn| intake.push(number, turn))?;
        }
        intake.finish()
    }

    /// Reads a file of transcripts for the second time and stores them, as [`Memory::ingest`] does. What is
    /// held at a time does not grow with the file, but for its list of sessions.
    ///
    /// # Errors
    /// The store's, and those of a file that was changed since it was read first; the commits before stand.
    pub fn ingest_file(
        &self,
        namespace: &Namespace,
        file: &Outline,
        mut progress: impl FnMut(usize),
    ) -> Result<Ingested, Error> {
        let mut intake = Intake::new(self, namespace, &mut progress);
        let mut documents = file.documents.iter();
        let (mut document, mut session) = (None, None);
        file.stream::<Error>(&mut |told| match told {
            Told::Document { .. } => {
                document = documents.next();
                let sessions = document.map_or(&[][..], |document| &document.sessions).iter();
                let expected = sessions.map(|session| Expected {
                    id: SessionId::new(&session.id),
                    at: session.at,
                    turns: session.turns,
                });
                intake.begin(expected.collect())
            }
            Told::Session { id, .. } => {
                session = document.and_then(|document| document.number(id));
                Ok(())
            }
            Told::Turn(turn) => match session {
                Some(session) => intake.push(session, turn),
                None => Err(changed(file)),
            },
        })?;
        intake.finish()
    }
}

fn changed(file: &Outline) -> Error {
    let problem = format!("{} was changed while it was read; ingest it again", file.path.display());
    Error::Argument { argument: "the file", problem }
}

/// What goes on while turns come in.
struct Intake<'m> {
    memory: &'m Memory,
    namespace: &'m Namespace,
    progress: &'m mut dyn FnMut(usize),
    assembly: Option<Assembly<'m>>,
    told: Ingested,
}

impl<'m> Intake<'m> {
    fn new(memory: &'m Memory, namespace: &'m Namespace, progress: &'m mut dyn FnMut(usize)) -> Self {
        Self { memory, namespace, progress, assembly: None, told: Ingested::default() }
    }

    /// Ends the transcript before and begins another.
    fn begin(&mut self, sessions: Vec<Expected>) -> Result<(), Error> {
        self.end()?;
        self.told.sessions += sessions.len();
        self.assembly =
            Some(Assembly::new(self.namespace, now(), sessions).with_secrets(self.memory.secrets()));
        Ok(())
    }

    fn push(&mut self, session: usize, turn: Turn) -> Result<(), Error> {
        let Some(assembly) = &mut self.assembly else { return Ok(()) };
        assembly.push(session, turn);
        while let Some(unit) = self.assembly.as_mut().and_then(Assembly::next_unit) {
            self.commit(unit)?;
        }
        Ok(())
    }

    fn commit(&mut self, unit: Vec<Vec<lorebase_engine::model::episode::Episode>>) -> Result<(), Error> {
        let mut changes = ingest::read(self.memory.extractor(), unit);
        for episode in &mut changes.episodes {
            episode.expires_at = self.memory.expiry();
        }
        let episodes = changes.episodes.len();
        for part in changes.parts() {
            let receipt = self.memory.engine().commit(self.namespace, part)?;
            self.told.new_episodes += receipt.episodes;
            self.told.facts += receipt.facts;
            self.told.stay_forgotten += receipt.stay_forgotten;
        }
        (self.progress)(episodes);
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        let Some(assembly) = self.assembly.take() else { return Ok(()) };
        let (units, Counts { episodes, refused, more_refused, masked }) = assembly.finish();
        units.into_iter().try_for_each(|unit| self.commit(unit))?;
        let told = &mut self.told;
        told.episodes += episodes;
        told.more_refused += more_refused;
        for (reason, count) in masked {
            *told.masked.entry(reason).or_insert(0) += count;
        }
        let room = ingest::REFUSALS_TOLD.saturating_sub(told.refused.len());
        told.more_refused += refused.len().saturating_sub(room);
        told.refused.extend(refused.into_iter().take(room));
        Ok(())
    }

    fn finish(mut self) -> Result<Ingested, Error> {
        self.end()?;
        Ok(self.told)
    }
}

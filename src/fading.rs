//! What was of use, and hits that fade by it: noted and read beside the journal.

use lorebase_engine::Uses;
use lorebase_engine::engine::Reader;
use lorebase_engine::model::id::{EpisodeId, Namespace};
use lorebase_query::fade::{self, Fade};
use lorebase_query::question::Question;
use lorebase_query::recall::Hit;

use crate::error::Error;
use crate::memory::{Memory, now};

impl Memory {
    /// Notes that episodes were of use just now: what fades does so more slowly then. It is a cache, which
    /// may be lost at no cost but that, and goes with what is forgotten.
    ///
    /// # Errors
    /// The system's.
    pub fn note_use(&self, namespace: &Namespace, episodes: &[EpisodeId]) -> Result<(), Error> {
        Ok(self.engine().note_use(namespace, episodes, now())?)
    }

    /// Lets hits fade, where the question asks for that.
    pub(crate) fn let_fade(
        &self,
        namespace: &Namespace,
        question: &Question<'_>,
        (reader, hits): (&Reader, &mut [Hit]),
    ) -> Result<(), Error> {
        let Some(asked) = question.fade else { return Ok(()) };
        let uses = if asked.uses.is_some() { Uses::default() } else { self.engine().uses(namespace)? };
        let now = asked.now.or(question.as_of).or(question.now).unwrap_or_else(now);
        fade::lower(reader.state(), &Fade { now: Some(now), uses: asked.uses.or(Some(&uses)) }, hits);
        Ok(())
    }
}

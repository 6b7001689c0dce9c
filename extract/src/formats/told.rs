//! What a reader tells while it reads, piece by piece, and how the pieces become transcripts again where all of them are
//! wanted at once.

use lorebase_engine::model::time::SourceTime;

use crate::formats::sessions::Sessions;
use crate::transcript::{Document, Turn};

/// A piece of what a file holds, in its order.
#[derive(Debug)]
pub enum Told<'t> {
    /// A transcript begins; what follows belongs to it.
    Document {
        /// The sample, question or case that it belongs to, or `None` where a file holds just one transcript.
        name: Option<&'t str>,
    },
    /// A session begins or goes on; the turns that follow belong to it.
    Session {
        /// As the source names it.
        id: &'t str,
        /// When it began. The first one that is told counts.
        at: Option<SourceTime>,
    },
    /// A turn.
    Turn(Turn),
}

/// Pieces put together.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    documents: Vec<(Option<String>, Sessions)>,
    /// The session that turns belong to.
    current: usize,
}

impl Collected {
    pub(crate) fn take(&mut self, told: Told<'_>) {
        if let Told::Document { name } = told {
            self.documents.push((name.map(str::to_owned), Sessions::default()));
            return;
        }
        let (_, sessions) = self.documents.last_mut().expect("a reader tells a document first");
        match told {
            Told::Document { .. } => {}
            Told::Session { id, at } => self.current = sessions.open(id, at),
            Told::Turn(turn) => sessions.push(self.current, turn),
        }
    }

    pub(crate) fn into_documents(self) -> Vec<Document> {
        let document = |(name, sessions): (Option<String>, Sessions)| Document {
            name,
            transcript: sessions.into_transcript(),
        };
        self.documents.into_iter().map(document).collect()
    }
}

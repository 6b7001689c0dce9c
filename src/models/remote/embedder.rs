//! The embedder: texts in requests that the endpoint takes, which are made smaller where it does not.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use lorebase_engine::embed::{Embedder, ModelIdentity};
use lorebase_engine::error::Error as EngineError;

use super::client::Trouble;
use super::settings::Settings;
use super::worker::{Haste, Worker};
use crate::error::Error;

/// The shortest beginning of a text that is sent instead of all of it, in bytes.
const BEGINNING: usize = 64;
/// How much of a text is told where it is refused, in characters.
const TOLD: usize = 40;

/// A model behind an endpoint. Its first vector starts a thread, which ends with it.
pub struct RemoteEmbedder {
    identity: ModelIdentity,
    endpoint: Endpoint,
}

/// Where the vectors come from, and what was learned of it.
struct Endpoint {
    settings: Settings,
    dimensions: Option<usize>,
    worker: OnceLock<Result<Worker, String>>,
    /// The most texts in a request that it takes.
    most: AtomicUsize,
    /// Texts of which only the beginning was sent, since the last time that this was told.
    cut: AtomicUsize,
    /// Why texts have no vectors at all, since then.
    refused: Mutex<Vec<String>>,
}

impl RemoteEmbedder {
    /// A model with vectors of so many numbers. Nothing is asked yet.
    ///
    /// # Errors
    /// As [`Settings::check`].
    pub fn new(settings: &Settings, dimensions: usize) -> Result<Self, Error> {
        settings.check()?;
        let endpoint = Endpoint::new(settings, Some(dimensions));
        Ok(Self { identity: settings.identity(dimensions), endpoint })
    }

    /// A model that is asked for a vector first, which tells how many numbers they have.
    ///
    /// # Errors
    /// As [`Settings::check`], and the endpoint's: [`Error::Model`] where somebody must do something, [`Error::Endpoint`]
    /// where it may help to try again.
    pub fn tried(settings: &Settings, text: &str) -> Result<Self, Error> {
        settings.check()?;
        let endpoint = Endpoint::new(settings, settings.dimensions);
        let place = || format!("{} at {}", settings.model, settings.url);
        let refuse = |problem| Error::Model { place: place(), problem };
        let mut vectors =
            endpoint.ask(&[text.to_owned()], Haste::Question).map_err(|trouble| match trouble {
                Trouble::Again(problem, _) => Error::Endpoint { problem },
                Trouble::TooMuch(problem) | Trouble::Refused(problem) => refuse(problem),
            })?;
        let vector = vectors.pop().unwrap_or(Ok(Vec::new())).map_err(refuse)?;
        Self::new(settings, vector.len())
    }

    fn vectors(&self, prefix: &str, texts: &[&str], haste: Haste) -> Result<Vec<Vec<f32>>, EngineError> {
        self.endpoint.vectors(prefix, texts, haste, self.identity.dimensions).map_err(|trouble| {
            let model = self.identity.name.clone();
            match trouble {
                Trouble::Again(problem, _) => EngineError::EmbedderAway { model, problem },
                Trouble::TooMuch(problem) | Trouble::Refused(problem) => {
                    EngineError::Embedder { model, problem: format!("no vectors: {problem}") }
                }
            }
        })
    }
}

impl Endpoint {
    fn new(settings: &Settings, dimensions: Option<usize>) -> Self {
        let most = AtomicUsize::new(settings.batch);
        Self {
            settings: settings.clone(),
            dimensions,
            worker: OnceLock::new(),
            most,
            cut: AtomicUsize::new(0),
            refused: Mutex::default(),
        }
    }

    fn worker(&self) -> Result<&Worker, Trouble> {
        let worker = self.worker.get_or_init(|| Worker::start(&self.settings));
        worker.as_ref().map_err(|problem| Trouble::Refused(problem.clone()))
    }

    fn vectors(
        &self,
        prefix: &str,
        texts: &[&str],
        haste: Haste,
        dimensions: usize,
    ) -> Result<Vec<Vec<f32>>, Trouble> {
        // There is nothing to see in a blank text, and some endpoints refuse it.
        let mut vectors = vec![vec![0.0; dimensions]; texts.len()];
        let mut request = Request::default();
        for (place, text) in texts.iter().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            let text = self.begin(format!("{prefix}{text}"));
            if request.texts.len() == self.most.load(Ordering::Relaxed).max(1)
                || !request.texts.is_empty() && request.bytes + text.len() > self.settings.batch_bytes
            {
                self.fill(std::mem::take(&mut request), haste, &mut vectors)?;
            }
            request.bytes += text.len();
            request.places.push(place);
            request.texts.push(text);
        }
        if !request.texts.is_empty() {
            self.fill(request, haste, &mut vectors)?;
        }
        Ok(vectors)
    }

    /// As much of a text as is ever sent.
    fn begin(&self, mut text: String) -> String {
        if text.len() > self.settings.text_bytes {
            text.truncate(text.floor_char_boundary(self.settings.text_bytes).max(1));
            self.cut.fetch_add(1, Ordering::Relaxed);
        }
        text
    }

    /// Puts the vectors of a request in their places. A text that the endpoint takes in no length, while it takes others, has
    /// none: it keeps nobody else from theirs, and words find it.
    fn fill(&self, request: Request, haste: Haste, vectors: &mut [Vec<f32>]) -> Result<(), Trouble> {
        let mut come = self.ask(&request.texts, haste)?;
        if come.iter().all(Result::is_err) {
            return come.pop().map_or(Ok(()), |refused| refused.map(|_| ()).map_err(Trouble::Refused));
        }
        for (place, vector) in request.places.into_iter().zip(come) {
            match vector {
                Ok(vector) => vectors[place] = vector,
                Err(problem) => self.refused.lock().unwrap_or_else(PoisonError::into_inner).push(problem),
            }
        }
        Ok(())
    }

    /// Asks for the vectors of texts. Where they are too many together, by halves; where one is too long alone, for that of
    /// its beginning. A text that is not even taken then has a problem in the place of its vector.
    fn ask(&self, texts: &[String], haste: Haste) -> Result<Vec<Vector>, Trouble> {
        match self.worker()?.ask(texts.to_vec(), self.dimensions, haste) {
            Ok(vectors) => Ok(vectors.into_iter().map(Ok).collect()),
            Err(Trouble::TooMuch(problem)) => match texts {
                [] => Ok(Vec::new()),
                [text] => Ok(vec![self.ask_for_beginning(text, problem, haste)?]),
                texts => {
                    let cut = self.cut.load(Ordering::Relaxed);
                    let (one, other) = texts.split_at(texts.len().div_ceil(2));
                    let mut vectors = self.ask(one, haste)?;
                    vectors.extend(self.ask(other, haste)?);
                    // Nothing but their number was wrong, so the next will be fewer at once.
                    if self.cut.load(Ordering::Relaxed) == cut && vectors.iter().all(Result::is_ok) {
                        self.most.fetch_min(one.len(), Ordering::Relaxed);
                    }
                    Ok(vectors)
                }
            },
            Err(trouble) => Err(trouble),
        }
    }

    fn ask_for_beginning(&self, text: &str, mut problem: String, haste: Haste) -> Result<Vector, Trouble> {
        let mut beginning = text;
        loop {
            beginning = &beginning[..beginning.floor_char_boundary(beginning.len() / 2)];
            if beginning.len() < BEGINNING {
                let told: String = text.chars().take(TOLD).collect();
                return Ok(Err(format!("{problem}; the text begins with \"{}\"", told.escape_debug())));
            }
            match self.worker()?.ask(vec![beginning.to_owned()], self.dimensions, haste) {
                Err(Trouble::TooMuch(again)) => problem = again,
                Err(trouble) => return Err(trouble),
                Ok(mut vectors) => {
                    self.cut.fetch_add(1, Ordering::Relaxed);
                    return Ok(Ok(vectors.pop().unwrap_or_default()));
                }
            }
        }
    }
}

/// The vector of a text, or why it has none.
type Vector = Result<Vec<f32>, String>;

/// Texts that are asked for together, with their places.
#[derive(Default)]
struct Request {
    texts: Vec<String>,
    places: Vec<usize>,
    bytes: usize,
}

impl Embedder for RemoteEmbedder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn at_a_time(&self) -> usize {
        self.endpoint.most.load(Ordering::Relaxed).max(1)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EngineError> {
        self.vectors(&self.endpoint.settings.passage_prefix, texts, Haste::Patient)
    }

    fn embed_question(&self, question: &str) -> Result<Vec<f32>, EngineError> {
        let mut vectors = self.vectors(&self.endpoint.settings.query_prefix, &[question], Haste::Question)?;
        Ok(vectors.pop().unwrap_or_default())
    }

    fn take_notice(&self) -> Option<String> {
        let cut = self.endpoint.cut.swap(0, Ordering::Relaxed);
        let refused =
            std::mem::take(&mut *self.endpoint.refused.lock().unwrap_or_else(PoisonError::into_inner));
        let mut told = Vec::new();
        if cut > 0 {
            let name = &self.identity.name;
            let texts = if cut == 1 { "text is" } else { "texts are" };
            told.push(format!(
                "{cut} {texts} longer than {name} takes: vectors are those of beginnings, and words find the rest"
            ));
        }
        if let Some(problem) = refused.first() {
            let texts = if refused.len() == 1 { "text has" } else { "texts have" };
            told.push(format!(
                "{} {texts} no vector and will be found by words alone: {problem}",
                refused.len()
            ));
        }
        (!told.is_empty()).then(|| told.join("; "))
    }
}

//! The thread that asks: a small runtime of its own, so that anybody can wait for it, also from within another runtime. It tries
//! again with pauses that grow, as the endpoint asks, and keeps to so many requests a minute. It ends with its owner.

use std::hash::{BuildHasher, RandomState};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Interval, MissedTickBehavior};

use super::client::{Client, Trouble};
use super::settings::Settings;

/// The longest pause of our own, and the longest that an endpoint may ask for.
const PAUSE_MAX: Duration = Duration::from_mins(1);
const ASKED_MAX: Duration = Duration::from_mins(5);

/// Who waits for vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Haste {
    /// Somebody who asks: all tries together take no longer than one may.
    Question,
    /// Nobody.
    Patient,
}

type Reply = Result<Vec<Vec<f32>>, Trouble>;

struct Job {
    texts: Vec<String>,
    dimensions: Option<usize>,
    haste: Haste,
    reply: SyncSender<Reply>,
}

/// Where jobs go.
pub(super) struct Worker {
    jobs: UnboundedSender<Job>,
}

/// What all jobs share.
struct Desk {
    client: Client,
    settings: Settings,
    /// Ticks when another request may go.
    pace: Option<tokio::sync::Mutex<Interval>>,
}

impl Worker {
    pub(super) fn start(settings: &Settings) -> Result<Self, String> {
        let client = Client::new(settings)?;
        let refuse =
            |error: std::io::Error| format!("a thread for {} cannot be started: {error}", settings.url);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(refuse)?;
        let (jobs, waiting) = unbounded_channel();
        let settings_there = settings.clone();
        let run = move || runtime.block_on(work(client, settings_there, waiting));
        thread::Builder::new().name("lore-remote".to_owned()).spawn(run).map_err(refuse)?;
        Ok(Self { jobs })
    }

    /// Waits for the vectors of texts.
    pub(super) fn ask(&self, texts: Vec<String>, dimensions: Option<usize>, haste: Haste) -> Reply {
        let (reply, come) = sync_channel(1);
        // Where the thread is gone, so is the other end of the reply.
        let _ = self.jobs.send(Job { texts, dimensions, haste, reply });
        let gone =
            || Trouble::Refused("whoever asked the endpoint has stopped; open the store again".to_owned());
        come.recv().map_err(|_| gone())?
    }
}

async fn work(client: Client, settings: Settings, mut waiting: UnboundedReceiver<Job>) {
    let pace = settings.requests_per_minute.map(|most| {
        let mut pace = tokio::time::interval(Duration::from_mins(1) / most);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        tokio::sync::Mutex::new(pace)
    });
    let desk = Arc::new(Desk { client, settings, pace });
    while let Some(Job { texts, dimensions, haste, reply }) = waiting.recv().await {
        let desk = Arc::clone(&desk);
        tokio::spawn(async move {
            // Whoever asked may have gone.
            let _ = reply.send(desk.ask(&texts, dimensions, haste).await);
        });
    }
}

impl Desk {
    async fn ask(&self, texts: &[String], dimensions: Option<usize>, haste: Haste) -> Reply {
        let last = Mutex::new(None);
        let tries = self.tries(texts, dimensions, &last);
        if haste == Haste::Patient {
            return tries.await;
        }
        tokio::time::timeout(self.within(), tries).await.unwrap_or_else(|_| {
            let last = last.lock().unwrap_or_else(PoisonError::into_inner).take();
            Err(last.unwrap_or_else(|| self.silence()))
        })
    }

    /// How long one try may take.
    fn within(&self) -> Duration {
        Duration::from_millis(self.settings.timeout_ms)
    }

    fn silence(&self) -> Trouble {
        Trouble::Again(format!("{} does not answer within {:?}", self.settings.url, self.within()), None)
    }

    /// Tries until there are vectors, or it is no use. What was in the way last is noted for whoever does not wait so long.
    async fn tries(
        &self,
        texts: &[String],
        dimensions: Option<usize>,
        last: &Mutex<Option<Trouble>>,
    ) -> Reply {
        let mut failures = 0;
        loop {
            if let Some(pace) = &self.pace {
                pace.lock().await.tick().await;
            }
            let come = tokio::time::timeout(self.within(), self.client.ask(texts, dimensions)).await;
            let trouble = match come.unwrap_or_else(|_| Err(self.silence())) {
                Err(trouble @ Trouble::Again(..)) => trouble,
                done => return done,
            };
            let Trouble::Again(problem, asked) = &trouble else { return Err(trouble) };
            if failures == self.settings.retries || asked.is_some_and(|asked| asked > ASKED_MAX) {
                let tries =
                    if failures == 0 { String::new() } else { format!(", after {} tries", failures + 1) };
                let pause = asked.map(|asked| format!(", and asks for a pause of {asked:?}"));
                return Err(Trouble::Again(format!("{problem}{}{tries}", pause.unwrap_or_default()), None));
            }
            let pause = self.pause(failures).max(asked.unwrap_or_default());
            *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(trouble);
            failures += 1;
            tokio::time::sleep(pause).await;
        }
    }

    /// The pause after so many failures before: of many that failed at once, not all come again at once.
    fn pause(&self, failures: u32) -> Duration {
        let usual = Duration::from_millis(self.settings.backoff_ms).saturating_mul(1 << failures.min(16));
        let dice = RandomState::new().hash_one(failures) % 512;
        usual.min(PAUSE_MAX).mul_f64(0.75 + dice as f64 / 1024.0)
    }
}

//! A thread that takes what was forgotten off the disk while nobody waits for it. It begins with the first
//! that is forgotten, and ends with its memory, when it is done.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lorebase_engine::engine::Engine;

use crate::process::give_memory_back;

/// How long nothing is forgotten before it begins, and how many times something may be until it does not wait
/// for that any more.
const CALM: Duration = Duration::from_millis(200);
const MOST: usize = 1000;

/// The thread, if there is one yet.
#[derive(Default)]
pub(crate) struct Eraser(Mutex<Option<(Sender<()>, JoinHandle<()>)>>);

impl Eraser {
    /// Lets the thread compact, soon. What it fails at stays noted in the store, and is tried again with the
    /// next that is forgotten and at the next opening.
    pub(crate) fn erase(&self, engine: &Arc<Engine>) {
        let mut thread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.as_ref().is_some_and(|(due, _)| due.send(()).is_ok()) {
            return;
        }
        let (due, wanted) = channel();
        // A thread that cannot be started is one that failed.
        let engine = Arc::clone(engine);
        let started = thread::Builder::new().name("eraser".to_owned()).spawn(move || work(&engine, &wanted));
        if let Ok(handle) = started {
            let _ = due.send(());
            *thread = Some((due, handle));
        }
    }
}

fn work(engine: &Engine, wanted: &Receiver<()>) {
    while wanted.recv().is_ok() {
        // Whatever is forgotten together goes in one.
        let _together = (1..MOST).take_while(|_| wanted.recv_timeout(CALM).is_ok()).count();
        if engine.compact().is_ok() {
            give_memory_back();
        }
    }
}

impl Drop for Eraser {
    fn drop(&mut self) {
        let thread = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((due, handle)) = thread {
            drop(due);
            // One that panicked has nothing left to do.
            let _ = handle.join();
        }
    }
}

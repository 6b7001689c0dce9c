//! Trials of the whole engine on disks that lose power and disks that fail: a scripted history is run on a disk that
//! keeps a log, and what the store makes of every state that it could be left in is held against a naive model.
//! Tests only.

mod dice;
mod faults;
mod history;
mod image;
mod model;
mod platter;
mod power;
mod random;
mod recorder;
mod strained;

pub(crate) use self::strained::Strained;

use std::io::Write;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Panics that are caught and told as errors are not printed, which takes long.
fn quiet() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !crate::panic_is_contained() {
                usual(panic);
            }
        }));
    });
}

/// Tries each of `all`, some at a time, and returns the problems. The threads are not rayon's, of which the engine has
/// need while a trial waits for it.
fn problems<T: Sync>(all: &[T], attempt: impl Fn(&T) -> Result<(), String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(attempt(one).err());
        }
        found
    };
    std::thread::scope(|scope| {
        let count = std::thread::available_parallelism().map_or(2, usize::from);
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// Tells something on standard error, past the capture of the test harness.
fn tell(what: &str) {
    writeln!(std::io::stderr(), "{what}").unwrap();
}

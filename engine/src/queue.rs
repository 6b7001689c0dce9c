//! The queue of those who want something done by one at a time: whoever comes first does it for all that wait. It
//! knows nothing of commits, so that its locks can be tried in every order (feature `shuttle`).

use std::sync::Arc;

#[cfg(feature = "shuttle")]
use self::modelled::{Mutex, MutexGuard};
#[cfg(not(feature = "shuttle"))]
use parking_lot::{Mutex, MutexGuard};

/// A queue of items, each with an outcome.
pub(crate) struct Queue<T, R> {
    waiting: Mutex<Vec<Arc<Ticket<T, R>>>>,
    /// Held by the thread that works for all that wait.
    leader: Mutex<()>,
}

/// An item that waits for its turn.
struct Ticket<T, R> {
    item: Mutex<Option<T>>,
    outcome: Mutex<Option<R>>,
}

impl<T, R> Queue<T, R> {
    /// Nobody waits.
    pub(crate) fn new() -> Self {
        Self { waiting: Mutex::new(Vec::new()), leader: Mutex::new(()) }
    }

    /// Waits until an item was worked on, by this thread or by another, and returns its outcome. `work` is given all
    /// items that wait, in the order in which they came, and gives an outcome for each. `None` where the thread that
    /// worked on the item panicked.
    pub(crate) fn submit(&self, item: T, work: impl FnOnce(Vec<T>) -> Vec<R>) -> Option<R> {
        let ticket = Arc::new(Ticket { item: Mutex::new(Some(item)), outcome: Mutex::new(None) });
        self.waiting.lock().push(Arc::clone(&ticket));
        let _leader = self.lead();
        // Whoever had the leader's place before took all tickets that were waiting, so this one was among them, or
        // is still to be worked on.
        if ticket.item.lock().is_some() {
            let tickets = std::mem::take(&mut *self.waiting.lock());
            let items = tickets.iter().filter_map(|ticket| ticket.item.lock().take()).collect();
            for (ticket, outcome) in tickets.iter().zip(work(items)) {
                *ticket.outcome.lock() = Some(outcome);
            }
        }
        ticket.outcome.lock().take()
    }

    /// How many wait for whoever has the leader's place.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.lock().len()
    }

    /// Takes the leader's place: nothing is worked on until it is let go.
    pub(crate) fn lead(&self) -> MutexGuard<'_, ()> {
        self.leader.lock()
    }
}

/// The model checker's lock, with the face of the one that is used else.
#[cfg(feature = "shuttle")]
mod modelled {
    use std::sync::PoisonError;

    pub(super) use shuttle::sync::MutexGuard;

    pub(super) struct Mutex<T>(shuttle::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(super) fn new(value: T) -> Self {
            Self(shuttle::sync::Mutex::new(value))
        }

        pub(super) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

#[cfg(all(test, not(feature = "shuttle")))]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn an_item_gets_its_outcome() {
        let queue = Queue::new();
        assert_eq!(queue.submit(2, |items| items.into_iter().map(|item| item * 10).collect()), Some(20));
    }

    #[test]
    fn a_leader_that_panics_leaves_the_others_without_outcome_and_the_queue_in_use() {
        let queue: Queue<u32, u32> = Queue::new();
        let fail = |_: Vec<u32>| -> Vec<u32> { panic!("as the test wants") };
        assert!(catch_unwind(AssertUnwindSafe(|| queue.submit(1, fail))).is_err());
        assert_eq!(queue.submit(2, |items| items), Some(2));
    }
}

#[cfg(all(test, feature = "shuttle"))]
mod modelled_tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use shuttle::sync::Mutex as Log;
    use shuttle::thread;

    use super::*;

    /// How many schedules are tried.
    const SCHEDULES: usize = 5_000;
    const THREADS: u32 = 3;
    const ITEMS: u32 = 3;

    /// Every item is worked on once, its submitter gets its own outcome, and what one submits stays in order.
    #[test]
    fn no_item_is_lost_or_worked_on_twice_and_each_submitter_is_served_in_order() {
        shuttle::check_random(
            || {
                let queue: Arc<Queue<(u32, u32), (u32, u32)>> = Arc::new(Queue::new());
                let log = Arc::new(Log::new(Vec::new()));
                let submit = |thread| {
                    let (queue, log) = (Arc::clone(&queue), Arc::clone(&log));
                    move || {
                        for number in 0..ITEMS {
                            let work = |items: Vec<(u32, u32)>| {
                                log.lock().unwrap().extend(items.iter().copied());
                                thread::yield_now();
                                items
                            };
                            assert_eq!(queue.submit((thread, number), work), Some((thread, number)));
                        }
                    }
                };
                let threads: Vec<_> = (0..THREADS).map(|number| thread::spawn(submit(number))).collect();
                threads.into_iter().for_each(|thread| thread.join().unwrap());
                let log = log.lock().unwrap();
                for thread in 0..THREADS {
                    let served = log.iter().filter(|(by, _)| *by == thread).map(|(_, number)| *number);
                    assert_eq!(served.collect::<Vec<_>>(), (0..ITEMS).collect::<Vec<_>>());
                }
            },
            SCHEDULES,
        );
    }

    /// A thread that panics over the items of all takes their outcomes with it, and nothing else.
    #[test]
    fn a_panic_is_told_to_all_whose_items_it_met_and_blocks_nobody() {
        shuttle::check_random(
            || {
                let queue: Arc<Queue<u32, u32>> = Arc::new(Queue::new());
                let met = Arc::new(Log::new(Vec::new()));
                let submit = |number| {
                    let (queue, met) = (Arc::clone(&queue), Arc::clone(&met));
                    move || {
                        let work = |items: Vec<u32>| {
                            if items.contains(&0) {
                                met.lock().unwrap().extend(items);
                                std::panic::resume_unwind(Box::new("as the test wants"));
                            }
                            items
                        };
                        let outcome = catch_unwind(AssertUnwindSafe(|| queue.submit(number, work)));
                        (number, outcome.unwrap_or(None))
                    }
                };
                let threads: Vec<_> = (0..THREADS).map(|number| thread::spawn(submit(number))).collect();
                for thread in threads {
                    let (number, outcome) = thread.join().unwrap();
                    let lost = met.lock().unwrap().contains(&number);
                    assert_eq!(outcome, (!lost).then_some(number));
                }
            },
            SCHEDULES,
        );
    }

    /// Who takes the leader's place for something else is alone.
    #[test]
    fn nothing_is_worked_on_while_the_place_is_taken() {
        shuttle::check_random(
            || {
                let queue: Arc<Queue<u32, u32>> = Arc::new(Queue::new());
                let busy = Arc::new(Log::new(false));
                let alone = |busy: &Log<bool>| {
                    assert!(!std::mem::replace(&mut *busy.lock().unwrap(), true));
                    thread::yield_now();
                    *busy.lock().unwrap() = false;
                };
                let (other, theirs) = (Arc::clone(&queue), Arc::clone(&busy));
                let taker = thread::spawn(move || {
                    let _leader = other.lead();
                    alone(&theirs);
                });
                let outcome = queue.submit(1, |items| {
                    alone(&busy);
                    items
                });
                assert_eq!(outcome, Some(1));
                taker.join().unwrap();
            },
            SCHEDULES,
        );
    }
}

//! A thread pool for password hashes, which are slow by design and must block neither readers nor the writer.
//!
//! A hash takes a thread tens of milliseconds and 19 MiB. Few run at once, few are queued, and the rest is refused. Attempts from
//! devices on which the account has signed in before have a queue with priority, so that guesses cannot lock them out.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use settlekit_service::{PasswordTask, Prepared, Seed};
use tokio::sync::oneshot;

/// Concurrent hashes.
const THREADS: usize = 2;

/// Hashes per queue: about half a second of work.
const QUEUE: usize = 32;

/// The threads with their queues; they end on drop.
pub(crate) struct Passwords {
    shared: Arc<Shared>,
}

struct Shared {
    queues: Mutex<Queues>,
    woken: Condvar,
}

#[derive(Default)]
struct Queues {
    known: VecDeque<Job>,
    others: VecDeque<Job>,
    is_ending: bool,
}

struct Job {
    task: PasswordTask,
    seed: Seed,
    asker: oneshot::Sender<Prepared>,
}

/// The queue is full.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Passwords {
    pub(crate) fn start() -> io::Result<Self> {
        let shared = Arc::new(Shared {
            queues: Mutex::default(),
            woken: Condvar::new(),
        });
        let passwords = Self {
            shared: Arc::clone(&shared),
        };
        for number in 1..=THREADS {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new()
                .name(format!("passwords {number}"))
                .spawn(move || shared.run())?;
        }
        Ok(passwords)
    }

    pub(crate) async fn run(&self, task: PasswordTask, seed: Seed) -> Result<Prepared, Full> {
        if !task.is_slow() {
            return Ok(task.run(seed));
        }
        let (asker, answer) = oneshot::channel();
        {
            let mut queues = self.shared.lock();
            let queue = if task.is_known_device() {
                &mut queues.known
            } else {
                &mut queues.others
            };
            // Callers that have gone free their slots.
            queue.retain(|job| !job.asker.is_closed());
            if queue.len() >= QUEUE {
                return Err(Full);
            }
            queue.push_back(Job { task, seed, asker });
        }
        self.shared.woken.notify_one();
        // The sender is dropped only when the server stops.
        answer.await.map_err(|_| Full)
    }
}

impl Drop for Passwords {
    fn drop(&mut self) {
        self.shared.lock().is_ending = true;
        self.shared.woken.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        while let Some(job) = self.next() {
            if job.asker.is_closed() {
                continue;
            }
            let prepared = job.task.run(job.seed);
            // The caller may have gone.
            let _told = job.asker.send(prepared);
        }
    }

    /// Waits for a job; `None` when the server stops.
    fn next(&self) -> Option<Job> {
        let mut queues = self.lock();
        loop {
            if queues.is_ending {
                return None;
            }
            let next = queues.known.pop_front();
            if let Some(job) = next.or_else(|| queues.others.pop_front()) {
                return Some(job);
            }
            queues = self
                .woken
                .wait(queues)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

//! Transactions for the server: connections, threads, queues and durability.
//!
//! Work is a closure over a database. It may run more than once (PostgreSQL may require it), so its only side effect must be on
//! the database. This module knows neither product rules nor HTTP.

mod group;
mod job;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc as std_mpsc};
use std::thread::JoinHandle;

use settlekit_service::Mode;
use settlekit_service::store::mode;
use settlekit_service::store::sql::{Access, Database, StoreError, roll_back_to};
use settlekit_service::store::sqlite::Sqlite;
use tokio::sync::{mpsc, oneshot};

pub use job::Ending;
use job::{Job, Message, Request, begin, next};

use crate::metrics::Metrics;
use crate::{private_file, tls};

/// The address of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// `postgres://…`, in the format of PostgreSQL's clients.
    Postgres(String),
}

/// Read connections per process.
const SQLITE_READERS: usize = 4;
/// PostgreSQL allows 100 connections by default, for all processes.
const POSTGRES_READERS: usize = 7;

/// Requests per queue; further ones wait before entering it.
const QUEUE: usize = 1024;

/// The connections and their threads. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

struct Shared {
    reads: mpsc::Sender<Message>,
    writes: mpsc::Sender<Message>,
    threads: Mutex<Threads>,
}

/// The threads behind `reads` and `writes`.
#[derive(Default)]
struct Threads {
    readers: Vec<JoinHandle<()>>,
    writers: Vec<JoinHandle<()>>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl Engine {
    /// Opens the database in a mode, migrates it and starts the threads.
    ///
    /// # Errors
    /// Any error of the store; no thread is left running then.
    pub fn open(address: &Address, mode: Mode, metrics: &Arc<Metrics>) -> Result<Self, StoreError> {
        match address.clone() {
            Address::Sqlite(file) => {
                private_file::create_database(&file);
                let beside = file.clone();
                let read = move || Sqlite::open_reader(&beside);
                let write = move || Sqlite::open(&file);
                Self::over((mode, metrics), write, SQLITE_READERS, read)
            }
            Address::Postgres(server) => {
                let connect = move || tls::open(&server);
                Self::over((mode, metrics), connect.clone(), POSTGRES_READERS, connect)
            }
        }
    }

    /// Starts one write connection and several read connections, each with a thread.
    ///
    /// Write transactions run one after another, on PostgreSQL across processes: each waits for its turn when it begins. So none
    /// conflicts and reruns, and a group of requests shares the cost of the wait.
    fn over<W, R>(
        (mode, metrics): (Mode, &Arc<Metrics>),
        open_writer: impl FnOnce() -> Result<W, StoreError> + Send + 'static,
        readers: usize,
        open_reader: impl Fn() -> Result<R, StoreError> + Clone + Send + 'static,
    ) -> Result<Self, StoreError>
    where
        W: Database + 'static,
        R: Database + 'static,
    {
        let (writes, queue) = mpsc::channel(QUEUE);
        let counted = Arc::clone(metrics);
        let open = move || {
            let mut database = open_writer()?;
            mode::open(&mut database, mode)?;
            Ok(database)
        };
        let writer = start("writer", open, move |mut database| {
            group::write(&mut database, queue, &counted);
        })?;

        let (reads, queue) = mpsc::channel(QUEUE);
        let queue = Arc::new(Mutex::new(queue));
        let reader = |number| {
            let queue = Arc::clone(&queue);
            let name = format!("reader {number}");
            start(&name, open_reader.clone(), move |mut database| {
                while let Some(job) = take(&queue) {
                    read(&mut database, job);
                }
            })
        };
        let threads = Threads {
            readers: (1..=readers).map(reader).collect::<Result<_, _>>()?,
            writers: vec![writer],
        };
        Ok(Self {
            shared: Arc::new(Shared {
                reads,
                writes,
                threads: Mutex::new(threads),
            }),
        })
    }

    /// Runs read-only work.
    pub async fn read<T, W>(&self, mut work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnMut(&mut dyn Database) -> Result<T, StoreError> + Send + 'static,
    {
        let work = move |database: &mut dyn Database| work(database).map(Ending::RollBack);
        self.ask(&self.shared.reads, work).await
    }

    /// Runs writing work. When this returns, committed changes are durable.
    pub async fn write<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnMut(&mut dyn Database) -> Result<Ending<T>, StoreError> + Send + 'static,
    {
        self.ask(&self.shared.writes, work).await
    }

    /// Finishes running and queued work, and closes the connections.
    pub async fn stop(&self) {
        let threads = match self.shared.threads.lock() {
            Ok(mut threads) => std::mem::take(&mut *threads),
            Err(_) => return,
        };
        for (queue, threads) in [
            (&self.shared.writes, threads.writers),
            (&self.shared.reads, threads.readers),
        ] {
            // Fails if the threads have ended already.
            let _sent = queue.send(Message::Stop).await;
            let joined = tokio::task::spawn_blocking(|| {
                threads.into_iter().all(|thread| thread.join().is_ok())
            })
            .await;
            if !matches!(joined, Ok(true)) {
                tracing::error!("database thread failed");
            }
        }
    }

    async fn ask<T, W>(&self, queue: &mpsc::Sender<Message>, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnMut(&mut dyn Database) -> Result<Ending<T>, StoreError> + Send + 'static,
    {
        let stopping = || StoreError::Unreachable("the server is stopping".to_owned());
        let (caller, answer) = oneshot::channel();
        let job = Box::new(Request {
            work,
            value: None,
            caller,
        });
        queue
            .send(Message::Work(job))
            .await
            .map_err(|_| stopping())?;
        answer.await.map_err(|_| stopping())?
    }
}

/// Starts a thread that opens its own connection, and waits for it: PostgreSQL's client must be created on its thread, off the
/// async runtime.
fn start<D, O, L>(name: &str, open: O, serve: L) -> Result<JoinHandle<()>, StoreError>
where
    D: Database + 'static,
    O: FnOnce() -> Result<D, StoreError> + Send + 'static,
    L: FnOnce(D) + Send + 'static,
{
    let (tell, told) = std_mpsc::channel();
    let thread = std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || match open() {
            Ok(database) => {
                if tell.send(Ok(())).is_ok() {
                    serve(database);
                }
            }
            // The starter still waits for this message.
            Err(error) => drop(tell.send(Err(error))),
        });
    let thread = thread
        .map_err(|error| StoreError::Broken(format!("no thread for the database: {error}")))?;
    told.recv()
        .map_err(|_| StoreError::Broken("the database's thread panicked".to_owned()))??;
    Ok(thread)
}

/// Takes the next work from a queue shared by several threads.
fn take(queue: &Mutex<mpsc::Receiver<Message>>) -> Option<Box<dyn Job>> {
    next(&mut *queue.lock().ok()?)
}

/// Runs read-only work and answers it.
fn read(database: &mut dyn Database, mut job: Box<dyn Job>) {
    if job.abandoned() {
        return;
    }
    let mut look = || {
        let run = begin(database, Access::Read).and_then(|()| job.run(database));
        (run, roll_back_to(database, 0))
    };
    let (mut run, mut ended) = look();
    // A migration elsewhere changed the result type of a statement.
    if run == Err(StoreError::Conflict) && ended.is_ok() {
        (run, ended) = look();
    }
    job.finish(run.and(ended));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_on_its_way_into_the_queue_at_the_stop_is_answered() {
        let folder = tempfile::tempdir().expect("a folder");
        let address = Address::Sqlite(folder.path().join("book.db"));
        let engine = Engine::open(&address, Mode::Sandbox, &Arc::default()).expect("an engine");
        let (caller, mut answer) = oneshot::channel();
        let job = Box::new(Request {
            work: |_: &mut dyn Database| Ok(Ending::Commit(7)),
            value: None,
            caller,
        });
        // A sender that holds a slot of the queue and is about to fill it.
        let place = engine.shared.writes.reserve().await.expect("a place");
        let stopping = tokio::spawn({
            let engine = engine.clone();
            async move { engine.stop().await }
        });
        engine.shared.writes.closed().await;
        place.send(Message::Work(job));
        stopping.await.expect("a stop");
        assert_eq!(answer.try_recv(), Ok(Ok(7)));
    }
}

//! Writing in groups: one writer per process, one commit for all that waits.
//!
//! A commit waits for the disk once, however many requests it contains. So the writer takes all waiting requests, runs them
//! in one transaction, commits once and only then answers. Under load the requests share the wait, and no power loss can undo
//! an answered request.
//!
//! Savepoints cost SQLite a sixth of the work and PostgreSQL more, and few requests need a rollback. So a group first runs
//! without savepoints. If a request must be rolled back after it wrote, or the commit fails, the whole group runs again, each
//! request in a savepoint.

use std::time::{Duration, Instant};

use settlekit_service::store::sql::{Access, Database, StoreError};
use tokio::sync::mpsc;

use super::{Job, Message, begin, next};
use crate::metrics::Metrics;

/// The most requests in one commit.
const GROUP: usize = 128;

/// A group is closed after this long, so that neither its first request nor another process waits for ever newer ones.
const GROUP_TIME: Duration = Duration::from_millis(20);

/// Runs what comes, group by group, until it is told to stop.
pub(super) fn write(
    database: &mut dyn Database,
    mut queue: mpsc::Receiver<Message>,
    metrics: &Metrics,
) {
    while let Some(first) = next(&mut queue) {
        group(database, first, &mut queue, metrics);
    }
}

/// Runs and commits the first request and those that wait behind it.
fn group(
    database: &mut dyn Database,
    first: Box<dyn Job>,
    queue: &mut mpsc::Receiver<Message>,
    metrics: &Metrics,
) {
    if let Err(error) = begin(database, |database| database.begin_without_savepoints()) {
        first.finish(Err(error));
        return;
    }
    let since = Instant::now();
    let mut done: Vec<Box<dyn Job>> = Vec::new();
    let mut job = first;
    loop {
        if let Err(error) = take(database, job, &mut done, metrics) {
            undo(database);
            if error == StoreError::Conflict {
                again(database, done, metrics);
            } else {
                tell(done, &Err(error));
            }
            return;
        }
        if done.len() >= GROUP || since.elapsed() >= GROUP_TIME {
            break;
        }
        job = match queue.try_recv() {
            Ok(Message::Work(job)) => job,
            Ok(Message::Stop) => {
                queue.close();
                break;
            }
            Err(_) => break,
        };
    }
    match database.commit() {
        Err(StoreError::Conflict) => again(database, done, metrics),
        end => tell_all(done, &end, metrics),
    }
}

/// Runs a group again of which something had to be undone, each request with a mark to go back to.
fn again(database: &mut dyn Database, jobs: Vec<Box<dyn Job>>, metrics: &Metrics) {
    if let Err(error) = begin(database, |database| database.begin(Access::Write)) {
        tell(jobs, &Err(error));
        return;
    }
    let mut done: Vec<Box<dyn Job>> = Vec::new();
    let mut jobs = jobs.into_iter();
    while let Some(job) = jobs.next() {
        if let Err(error) = take(database, job, &mut done, metrics) {
            undo(database);
            done.extend(jobs);
            tell(done, &Err(error));
            return;
        }
    }
    let end = database.commit();
    tell_all(done, &end, metrics);
}

/// Runs a request and puts it to those that are done, unless it failed alone: then it is told so. An error is the whole
/// group's.
fn take(
    database: &mut dyn Database,
    mut job: Box<dyn Job>,
    done: &mut Vec<Box<dyn Job>>,
    metrics: &Metrics,
) -> Result<(), StoreError> {
    if job.abandoned() {
        return Ok(());
    }
    let mut ran = run(database, job.as_mut());
    if matches!(ran, Err(Failure::OfTheRequest(StoreError::Conflict))) {
        metrics.conflicted();
        ran = run(database, job.as_mut());
    }
    match ran {
        Ok(()) => done.push(job),
        Err(Failure::OfTheRequest(error)) => job.finish(Err(error)),
        Err(Failure::OfTheGroup(error)) => {
            done.push(job);
            return Err(error);
        }
    }
    Ok(())
}

fn tell_all(done: Vec<Box<dyn Job>>, end: &Result<(), StoreError>, metrics: &Metrics) {
    if end.is_ok() {
        metrics.committed(done.len());
    }
    tell(done, end);
}

fn undo(database: &mut dyn Database) {
    if let Err(error) = database.rollback() {
        tracing::error!(%error, "rollback failed");
    }
}

enum Failure {
    /// Undone to its savepoint; the others of the group are untouched.
    OfTheRequest(StoreError),
    /// The whole transaction is lost.
    OfTheGroup(StoreError),
}

fn run(database: &mut dyn Database, job: &mut dyn Job) -> Result<(), Failure> {
    let before = database.savepoints();
    database.savepoint().map_err(Failure::OfTheGroup)?;
    let run = job.run(database);
    let ended = end(database, before, run == Ok(true));
    match (run, ended) {
        (Ok(_), Ok(())) => Ok(()),
        (Err(error), Ok(())) => Err(Failure::OfTheRequest(error)),
        // To be done again, whatever this request would have said: it will say it then, and the others will not hear of it.
        (_, Err(StoreError::Conflict)) => Err(Failure::OfTheGroup(StoreError::Conflict)),
        // What failed first says more than that the transaction is gone.
        (Err(error), Err(_)) => Err(Failure::OfTheGroup(error)),
        // What waited to be written was refused only now, and is undone like anything else.
        (Ok(_), Err(error)) => Err(match end(database, before, false) {
            Ok(()) => Failure::OfTheRequest(error),
            Err(_) => Failure::OfTheGroup(error),
        }),
    }
}

/// Ends the request's savepoint, and those inside that a panic left open.
fn end(database: &mut dyn Database, before: u32, keep: bool) -> Result<(), StoreError> {
    while database.savepoints() > before {
        if keep {
            database.release()?;
        } else {
            database.rollback_to_savepoint()?;
        }
    }
    Ok(())
}

fn tell(done: Vec<Box<dyn Job>>, end: &Result<(), StoreError>) {
    for job in done {
        job.finish(end.clone());
    }
}

//! Group commit: one writer per process commits all waiting requests at once.
//!
//! A commit syncs the disk once, however many requests it contains. So the writer runs all waiting requests in one transaction,
//! commits once and only then answers. Under load the requests share the wait, and no power loss can undo an answered request.
//!
//! Savepoints cost SQLite a sixth of the work and PostgreSQL more, and few requests need a rollback. So a group first runs in an
//! optimistic transaction. If a request must be rolled back after it wrote, it runs again alone, in a transaction with savepoints,
//! and the others once more together. If those fail as well, or the commit, each runs in a savepoint.

use std::time::{Duration, Instant};

use settlekit_service::store::sql::{Access, Database, StoreError, roll_back_to};
use tokio::sync::mpsc;

use super::job::{Job, Message, begin, next};
use crate::metrics::Metrics;

/// Maximum requests per commit.
const GROUP: usize = 128;

/// Maximum duration of a group, so that neither its first request nor another process waits for ever newer ones.
const GROUP_TIME: Duration = Duration::from_millis(20);

/// Runs queued requests, group by group, until the server stops.
pub(super) fn write(
    database: &mut dyn Database,
    mut queue: mpsc::Receiver<Message>,
    metrics: &Metrics,
) {
    while let Some(first) = next(&mut queue) {
        group(database, first, &mut queue, metrics);
    }
}

/// Runs and commits the first request and those queued behind it.
fn group(
    database: &mut dyn Database,
    first: Box<dyn Job>,
    queue: &mut mpsc::Receiver<Message>,
    metrics: &Metrics,
) {
    if let Err(error) = begin(database, Access::Optimistic) {
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
                // The last one is at fault: it runs alone, and the others as before.
                let alone = done.pop();
                again(
                    database,
                    alone.into_iter().collect(),
                    Access::Write,
                    metrics,
                );
                again(database, done, Access::Optimistic, metrics);
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
        Err(StoreError::Conflict) => again(database, done, Access::Write, metrics),
        end => tell_all(done, &end, metrics),
    }
}

/// Reruns requests of a failed group. If an optimistic rerun fails as well, reruns each in a savepoint.
fn again(database: &mut dyn Database, jobs: Vec<Box<dyn Job>>, access: Access, metrics: &Metrics) {
    if jobs.is_empty() {
        return;
    }
    if let Err(error) = begin(database, access) {
        tell(jobs, &Err(error));
        return;
    }
    let mut done: Vec<Box<dyn Job>> = Vec::new();
    let mut jobs = jobs.into_iter();
    while let Some(job) = jobs.next() {
        if let Err(error) = take(database, job, &mut done, metrics) {
            undo(database);
            done.extend(jobs);
            match (error, access) {
                (StoreError::Conflict, Access::Optimistic) => {
                    again(database, done, Access::Write, metrics);
                }
                (error, _) => tell(done, &Err(error)),
            }
            return;
        }
    }
    match (database.commit(), access) {
        (Err(StoreError::Conflict), Access::Optimistic) => {
            again(database, done, Access::Write, metrics);
        }
        (end, _) => tell_all(done, &end, metrics),
    }
}

/// Runs a request and adds it to `done`, unless it fails alone, which is answered at once. Returns an error of the whole group.
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
    if let Err(error) = roll_back_to(database, 0) {
        tracing::error!(%error, "rollback failed");
    }
}

enum Failure {
    /// Rolled back to its savepoint; the other requests are unaffected.
    OfTheRequest(StoreError),
    /// The whole transaction is lost.
    OfTheGroup(StoreError),
}

fn run(database: &mut dyn Database, job: &mut dyn Job) -> Result<(), Failure> {
    let before = database.depth();
    database.begin(Access::Write).map_err(Failure::OfTheGroup)?;
    let run = job.run(database);
    let keep = run == Ok(true);
    // A panic leaves inner savepoints open.
    let mut ended = roll_back_to(database, before + 1);
    if ended.is_ok() {
        ended = match keep {
            true => database.commit(),
            false => database.rollback(),
        };
    }
    match (run, ended) {
        (Ok(_), Ok(())) => Ok(()),
        (Err(error), Ok(())) => Err(Failure::OfTheRequest(error)),
        // The group reruns, and with it this request: do not report its result.
        (_, Err(StoreError::Conflict)) => Err(Failure::OfTheGroup(StoreError::Conflict)),
        // The first error is more specific than the loss of the transaction.
        (Err(error), Err(_)) => Err(Failure::OfTheGroup(error)),
        // A deferred write failed only now; the commit rolled the request back.
        (Ok(_), Err(error)) => Err(Failure::OfTheRequest(error)),
    }
}

fn tell(done: Vec<Box<dyn Job>>, end: &Result<(), StoreError>) {
    for job in done {
        job.finish(end.clone());
    }
}

//! PostgreSQL: a pool of connections, each with a thread, all taking from one queue.
//!
//! Write transactions are serializable. When two of them meet, PostgreSQL refuses one, which then runs again from its
//! start: the caller never sees it. Those that run again do so one after another, or they would go on meeting.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use settlekit_service::store::migrate;

use settlekit_service::store::sql::{Access, Database, StoreError};
use tokio::sync::mpsc;

use super::{Engine, Job, QUEUE, Threads, next, start};
use crate::metrics::Metrics;
use crate::tls;

/// Connections per server process. PostgreSQL's own default allows a hundred for all.
const POOL: usize = 8;

/// How often a transaction runs again before its caller is told to come back.
const ATTEMPTS: u32 = 12;

pub(super) fn open(address: &str, metrics: &Arc<Metrics>) -> Result<Engine, StoreError> {
    let (queue, receiver) = mpsc::channel(QUEUE);
    let receiver = Arc::new(Mutex::new(receiver));
    let turn = Arc::new(Mutex::new(()));
    let mut readers = Vec::with_capacity(POOL);
    for number in 1..=POOL {
        let (address, receiver, turn, metrics) = (
            address.to_owned(),
            Arc::clone(&receiver),
            Arc::clone(&turn),
            Arc::clone(metrics),
        );
        let open = move || {
            let mut database = tls::open(&address)?;
            if number == 1 {
                migrate::migrate(&mut database)?;
            }
            Ok(database)
        };
        readers.push(start(
            &format!("connection {number}"),
            open,
            move |mut database| {
                while let Some((access, job)) = next(&receiver) {
                    serve(&mut database, access, job, &turn, &metrics);
                }
            },
        )?);
    }
    Ok(Engine::new(
        queue.clone(),
        queue,
        Threads {
            readers,
            writers: Vec::new(),
        },
    ))
}

fn serve(
    database: &mut dyn Database,
    access: Access,
    mut job: Box<dyn Job>,
    turn: &Mutex<()>,
    metrics: &Metrics,
) {
    if job.abandoned() {
        return;
    }
    let mut end = once(database, access, job.as_mut());
    if end == Err(StoreError::Conflict) {
        // Nothing is behind this lock that a panic could have left half done.
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        for attempt in 1..=ATTEMPTS {
            metrics.conflicted();
            end = once(database, access, job.as_mut());
            if end != Err(StoreError::Conflict) {
                break;
            }
            std::thread::sleep(pause(attempt));
        }
    }
    if access == Access::Write && end.is_ok() {
        metrics.committed(1);
    }
    job.finish(match end {
        // Still in somebody's way: come back later.
        Err(StoreError::Conflict) => Err(StoreError::Busy),
        end => end,
    });
}

/// One transaction from its start to its end. After an error nothing of it is kept.
fn once(database: &mut dyn Database, access: Access, job: &mut dyn Job) -> Result<(), StoreError> {
    if let Err(StoreError::Unreachable(_)) = database.begin(access) {
        // A connection that was cut while idle is noticed only now; nothing was done on it, so a new one may try.
        database.begin(access)?;
    }
    let ended = match job.run(database) {
        Ok(true) => return database.commit(),
        Ok(false) => Ok(()),
        Err(error) => Err(error),
    };
    let undone = database.rollback();
    ended.and(undone)
}

/// Longer each time, and different for each, so that those who met do not meet again.
fn pause(attempt: u32) -> Duration {
    let most = 1u64 << attempt.min(7);
    let mut byte = [0];
    // Without randomness the pauses are the longest ones, which is slower and no worse.
    let share = getrandom::fill(&mut byte).map_or(255, |()| u64::from(byte[0]));
    Duration::from_micros(most * 1_000 * (share + 1) / 256)
}

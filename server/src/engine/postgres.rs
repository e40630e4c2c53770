//! PostgreSQL: a pool of connections, each with a thread, all taking from one queue.
//!
//! Write transactions are serializable. When two of them meet, PostgreSQL refuses one, which then runs again from its
//! start: the caller never sees it. Who meets another one again runs while nobody else writes, in any process, or they would
//! go on meeting.

use std::sync::{Arc, Mutex};

use settlekit_service::store::migrate;

use settlekit_service::store::sql::{Access, Database, StoreError};
use tokio::sync::mpsc;

use super::{Engine, Job, QUEUE, Threads, next, start};
use crate::metrics::Metrics;
use crate::tls;

/// Connections per server process. PostgreSQL's own default allows a hundred for all.
const POOL: usize = 8;

/// How often a transaction runs again before its caller is told to come back.
const ATTEMPTS: u32 = 4;

pub(super) fn open(address: &str, metrics: &Arc<Metrics>) -> Result<Engine, StoreError> {
    let (queue, receiver) = mpsc::channel(QUEUE);
    let receiver = Arc::new(Mutex::new(receiver));
    let mut readers = Vec::with_capacity(POOL);
    for number in 1..=POOL {
        let (address, receiver, metrics) = (
            address.to_owned(),
            Arc::clone(&receiver),
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
                    serve(&mut database, access, job, &metrics);
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

fn serve(database: &mut dyn Database, access: Access, mut job: Box<dyn Job>, metrics: &Metrics) {
    if job.abandoned() {
        return;
    }
    let mut end = once(database, access, job.as_mut());
    if end == Err(StoreError::Conflict) {
        end = again(database, access, job.as_mut(), metrics);
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

/// Runs a transaction again that met another one: at once, then alone.
fn again(
    database: &mut dyn Database,
    access: Access,
    job: &mut dyn Job,
    metrics: &Metrics,
) -> Result<(), StoreError> {
    let mut end = Err(StoreError::Conflict);
    for attempt in 1..=ATTEMPTS {
        metrics.conflicted();
        let access = match access {
            Access::Write if attempt > 1 => Access::Alone,
            access => access,
        };
        end = once(database, access, job);
        if end != Err(StoreError::Conflict) {
            break;
        }
    }
    end
}

/// One transaction from its start to its end. After an error nothing of it is kept.
fn once(database: &mut dyn Database, access: Access, job: &mut dyn Job) -> Result<(), StoreError> {
    match database.begin(access) {
        // A connection that was cut while idle is noticed only now; nothing was done on it, so a new one may try.
        Err(StoreError::Unreachable(_)) => database.begin(access)?,
        begun => begun?,
    }
    let ended = match job.run(database) {
        Ok(true) => return database.commit(),
        Ok(false) => Ok(()),
        Err(error) => Err(error),
    };
    let undone = database.rollback();
    ended.and(undone)
}

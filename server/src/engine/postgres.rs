//! PostgreSQL: one connection that writes and others that read, each with a thread.
//!
//! Writing transactions run one after another, in whatever process: each waits for its turn when it begins. So none meets
//! another one and has to run again, and the turn is worth its wait because a group of requests shares it.

use std::sync::{Arc, Mutex};

use settlekit_service::store::migrate;
use settlekit_service::store::sql::StoreError;
use tokio::sync::mpsc;

use super::{Engine, QUEUE, Threads, group, next, read, start};
use crate::metrics::Metrics;
use crate::tls;

/// Reading connections per server process. PostgreSQL's own default allows a hundred for all.
const READERS: usize = 7;

pub(super) fn open(address: &str, metrics: &Arc<Metrics>) -> Result<Engine, StoreError> {
    let (writes, queue) = mpsc::channel(QUEUE);
    let (server, counted) = (address.to_owned(), Arc::clone(metrics));
    let open = move || {
        let mut database = tls::open(&server)?;
        migrate::migrate(&mut database)?;
        Ok(database)
    };
    let writer = start("writer", open, move |mut database| {
        group::write(&mut database, queue, &counted);
    })?;

    let (reads, queue) = mpsc::channel(QUEUE);
    let queue = Arc::new(Mutex::new(queue));
    let mut readers = Vec::with_capacity(READERS);
    for number in 1..=READERS {
        let (server, queue) = (address.to_owned(), Arc::clone(&queue));
        readers.push(start(
            &format!("reader {number}"),
            move || tls::open(&server),
            move |mut database| {
                while let Some(job) = next(&queue) {
                    read(&mut database, job);
                }
            },
        )?);
    }
    Ok(Engine::new(
        reads,
        writes,
        Threads {
            readers,
            writers: vec![writer],
        },
    ))
}

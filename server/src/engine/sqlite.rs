//! SQLite: one writer and readers beside it.

use std::path::Path;
use std::sync::{Arc, Mutex};

use settlekit_service::store::migrate;
use settlekit_service::store::sql::StoreError;
use settlekit_service::store::sqlite::Sqlite;
use tokio::sync::mpsc;

use super::{Engine, QUEUE, Threads, group, next, read, start};
use crate::metrics::Metrics;

const READERS: usize = 4;

pub(super) fn open(path: &Path, metrics: &Arc<Metrics>) -> Result<Engine, StoreError> {
    let (writes, queue) = mpsc::channel(QUEUE);
    let (file, counted) = (path.to_owned(), Arc::clone(metrics));
    let open = move || {
        let mut database = Sqlite::open(&file)?;
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
        let (file, queue) = (path.to_owned(), Arc::clone(&queue));
        readers.push(start(
            &format!("reader {number}"),
            move || Sqlite::open_reader(&file),
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

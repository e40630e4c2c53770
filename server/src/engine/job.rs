//! Work with its caller, as it waits in a queue.

use std::panic::{AssertUnwindSafe, catch_unwind};

use settlekit_service::store::sql::{Access, Database, StoreError};
use tokio::sync::{mpsc, oneshot};

/// The result of writing work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending<T> {
    /// Commit the changes.
    Commit(T),
    /// Roll the changes back; the value is returned all the same.
    RollBack(T),
}

pub(super) enum Message {
    Work(Box<dyn Job>),
    Stop,
}

/// Work with its caller.
pub(super) trait Job: Send {
    /// The caller has gone.
    fn abandoned(&self) -> bool;
    /// Runs the work; true to commit its changes.
    fn run(&mut self, database: &mut dyn Database) -> Result<bool, StoreError>;
    /// Reports the result to the caller.
    fn finish(self: Box<Self>, end: Result<(), StoreError>);
}

/// A closure with the caller that waits for its result.
pub(super) struct Request<T, W> {
    pub(super) work: W,
    pub(super) value: Option<T>,
    pub(super) caller: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, W> Job for Request<T, W>
where
    T: Send,
    W: FnMut(&mut dyn Database) -> Result<Ending<T>, StoreError> + Send,
{
    fn abandoned(&self) -> bool {
        self.caller.is_closed()
    }

    fn run(&mut self, database: &mut dyn Database) -> Result<bool, StoreError> {
        // A panic is a defect of one request and must not end the connection's thread.
        let kept = catch_unwind(AssertUnwindSafe(|| (self.work)(database)))
            .unwrap_or_else(|_| Err(StoreError::Broken("the work panicked".to_owned())))?;
        let (value, keep) = match kept {
            Ending::Commit(value) => (value, true),
            Ending::RollBack(value) => (value, false),
        };
        self.value = Some(value);
        Ok(keep)
    }

    fn finish(self: Box<Self>, end: Result<(), StoreError>) {
        let Self { value, caller, .. } = *self;
        let unrun = || StoreError::Broken("the work did not run".to_owned());
        // The caller may have gone.
        let _sent = caller.send(end.and_then(|()| value.ok_or_else(unrun)));
    }
}

/// The next work; `None` once the queue is stopped and drained.
///
/// On stop the queue closes, and ends when it is empty. Dropping the receiver instead would lose a message that a sender is about
/// to add, and its caller would wait forever.
pub(super) fn next(queue: &mut mpsc::Receiver<Message>) -> Option<Box<dyn Job>> {
    loop {
        match queue.blocking_recv()? {
            Message::Work(job) => return Some(job),
            Message::Stop => queue.close(),
        }
    }
}

/// Opens a transaction, with one retry: a connection cut while idle is noticed only now, before any work.
pub(super) fn begin(database: &mut dyn Database, access: Access) -> Result<(), StoreError> {
    match database.begin(access) {
        Err(StoreError::Unreachable(_)) => database.begin(access),
        begun => begun,
    }
}

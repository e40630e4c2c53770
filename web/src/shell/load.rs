//! Records on a page: loaded, and refreshed after events of the organisation.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::de::DeserializeOwned;
use settlekit_core::call::Call;
use settlekit_core::operation::Operation;
use settlekit_core::page::Page;
use settlekit_core::validate::ValidationError;

use crate::api::{self, Answered, Prepared};
use crate::call_failure::CallFailure;
use crate::query_errors;
use crate::remote::Remote;
use crate::session::Session;
use crate::shell::live::Live;

/// Pause before a failed refresh is retried.
const REPEAT: Duration = Duration::from_secs(5);

/// A record that is kept current.
pub(crate) struct Loaded<T: 'static> {
    pub(crate) state: RwSignal<Remote<T>>,
    /// Whether the record belongs to an earlier request than the URL now asks for.
    pub(crate) busy: RwSignal<bool>,
    again: RwSignal<u32>,
}

impl<T> Clone for Loaded<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Loaded<T> {}

impl<T: Send + Sync + 'static> Loaded<T> {
    /// The record, once loaded.
    pub(crate) fn ready(self) -> Memo<Option<T>>
    where
        T: Clone + PartialEq,
    {
        Memo::new(move |_| self.state.with(|state| state.ready().cloned()))
    }

    /// What `read` finds in the record; none until it is loaded. Tracked.
    pub(crate) fn read<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        self.state.with(|state| state.ready().map(read))
    }

    /// Failure of the load, if any.
    pub(crate) fn failed(self) -> Memo<Option<CallFailure>> {
        Memo::new(move |_| self.state.with(|state| state.failed().cloned()))
    }

    /// Whether it is loading for the first time.
    pub(crate) fn is_loading(self) -> Signal<bool> {
        Signal::derive(move || self.state.with(Remote::is_loading))
    }

    /// Reloads at an interval while `on`.
    pub(crate) fn reload_while(self, on: impl Fn() -> bool + 'static, every: Duration) {
        Effect::new(move |_| {
            if on()
                && let Ok(timer) = set_interval_with_handle(move || self.reload(), every)
            {
                on_cleanup(move || timer.clear());
            }
        });
    }

    pub(crate) fn reload(self) {
        self.again.update(|again| *again += 1);
    }

    /// [`Self::reload`] as a callback for a button.
    pub(crate) fn retry(self) -> Callback<()> {
        Callback::new(move |()| {
            self.state.update(|state| {
                if state.failed().is_some() {
                    *state = Remote::Loading;
                }
            });
            self.reload();
        })
    }

    /// Takes a response. Returns whether it says nothing about the record, in which case a refresh keeps the previous record. An
    /// error of the service is a response too.
    fn receive(self, newer: Remote<T>) -> bool
    where
        T: PartialEq,
    {
        let busy = self.busy.try_get_untracked().unwrap_or_default();
        let shown = self
            .state
            .try_with_untracked(|state| (*state == newer, state.ready().is_some()));
        let Some((same, ready)) = shown else {
            return false;
        };
        let lost = newer.failed().is_some_and(CallFailure::is_passing);
        let keeps = lost && ready && !busy;
        if !same && !keeps {
            self.state.try_set(newer);
        }
        if busy {
            self.busy.try_set(false);
        }
        keeps
    }

    /// Sets a record just returned by the service.
    pub(crate) fn put(self, record: T) {
        self.state.set(Remote::Ready(record));
    }
}

impl<T: Clone + Send + Sync + 'static> Loaded<Page<T>> {
    /// The listed records.
    pub(crate) fn items(self) -> Signal<Remote<Vec<T>>> {
        Signal::derive(move || {
            self.state
                .with(|state| state.map(|page| page.items.clone()))
        })
    }

    /// Number of records on all pages.
    pub(crate) fn total(self) -> Signal<Option<u64>> {
        Signal::derive(move || self.read(|page| page.total))
    }

    /// Number of records on this page.
    pub(crate) fn shown(self) -> Signal<usize> {
        Signal::derive(move || self.read(|page| page.items.len()).unwrap_or(0))
    }
}

/// Loads the record of `ask`'s call; reloads it when the call changes, after events of the organisation, and on request. The
/// previous record stays until the new one is loaded.
pub(crate) fn load<O: Operation>(
    ask: impl Fn() -> Option<Call<O>> + Send + Sync + 'static,
) -> Loaded<O::Response>
where
    O::Response: PartialEq + Send + Sync,
{
    load_by(ask, api::read_answer::<O>)
}

/// [`load`], with only the fields of `T`: the decoder of the whole record is not loaded with the page.
pub(crate) fn load_as<O: Operation, T>(
    ask: impl Fn() -> Option<Call<O>> + Send + Sync + 'static,
) -> Loaded<T>
where
    T: DeserializeOwned + PartialEq + Send + Sync + 'static,
{
    load_by(ask, api::read_answer_as::<O, T>)
}

/// [`load`], with additional data for each loaded record.
pub(crate) fn load_with<O: Operation>(
    ask: impl Fn() -> Option<Call<O>> + Send + Sync + 'static,
    add: impl Fn(O::Response) -> O::Response + Send + Sync + 'static,
) -> Loaded<O::Response>
where
    O::Response: PartialEq + Send + Sync,
{
    load_by(ask, move |session, answered| {
        api::read_answer::<O>(session, answered).map(&add)
    })
}

/// [`load`], with a function that reads the response.
fn load_by<O: Operation, T>(
    ask: impl Fn() -> Option<Call<O>> + Send + Sync + 'static,
    read: impl Fn(Session, Result<Answered, CallFailure>) -> Result<T, CallFailure>
    + Send
    + Sync
    + 'static,
) -> Loaded<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    let session = Session::from_context();
    let loaded = Loaded {
        state: RwSignal::new(Remote::Loading),
        busy: RwSignal::new(false),
        again: RwSignal::new(0),
    };
    let ask: BuildRequest = Arc::new(move || {
        // Another sub-merchant makes it a different request.
        let whom = session.acting_for.get().filter(|_| O::DELEGATED);
        match query_errors::collect(&ask) {
            Ok(call) => call.map(|call| {
                let target = format!("{} {}", whom.unwrap_or_default(), call.target());
                let prepared =
                    api::with_sub_merchant(session, O::DELEGATED, api::prepare(call.to_http("")));
                (target, prepared)
            }),
            Err(unread) => {
                let sentences = unread.errors().iter().map(ValidationError::sentence);
                Some((sentences.collect(), Err(unread)))
            }
        }
    });
    let settle: TakeResponse = Arc::new(move |answered| {
        let newer = match answered.map(|answered| read(session, answered)) {
            Some(Ok(record)) => Remote::Ready(record),
            Some(Err(failure)) => Remote::Failed(failure),
            None => Remote::Loading,
        };
        // After an expired session, the previous record stays until the user signs in again.
        if untrack(|| session.is_expired()) {
            return false;
        }
        loaded.receive(newer)
    });
    keep_current(session, loaded.busy, loaded.again, ask, settle);
    loaded
}

/// Builds a request and its identity.
type BuildRequest = Arc<dyn Fn() -> Option<(String, Prepared)> + Send + Sync>;

/// Takes a response, or none if there is nothing to request. Returns whether to retry.
type TakeResponse = Arc<dyn Fn(Option<Result<Answered, CallFailure>>) -> bool + Send + Sync>;

/// Sends the request whenever needed. Not generic, so that it is compiled once.
fn keep_current(
    session: Session,
    busy: RwSignal<bool>,
    again: RwSignal<u32>,
    ask: BuildRequest,
    settle: TakeResponse,
) {
    let live = Live::from_context();
    let asked = ask.clone();
    let target = Memo::new(move |_| asked().map(|(target, _)| target));
    let turn = StoredValue::new(0_u32);
    let waits = StoredValue::new(false);
    let mark = live.stale_mark();
    Effect::new(move |before: Option<(Option<String>, i64)>| {
        let target = target.get();
        let revision = live.revision.get();
        again.track();
        // The first revision is no news for a request still in progress.
        if let Some((asked, 0)) = &before
            && revision != 0
            && *asked == target
            && waits.get_value()
        {
            return (target, revision);
        }
        let settle = settle.clone();
        // Invalidate earlier requests, even if there is no new one.
        let mine = turn.try_update_value(|turn| {
            *turn += 1;
            *turn
        });
        let Some((_, prepared)) = untrack(&*ask) else {
            waits.set_value(false);
            mark.set(false);
            settle(None);
            return (target, revision);
        };
        if before.is_some_and(|(before, _)| before != target) {
            busy.set(true);
        }
        waits.set_value(true);
        spawn_local(async move {
            let answered = api::send(session, prepared).await;
            // A later request was sent, or the page is gone.
            if turn.try_get_value() != mine {
                return;
            }
            waits.try_set_value(false);
            let lost = settle(Some(answered));
            mark.set(lost);
            if lost {
                let repeat = move || {
                    again.try_update(|again| *again += 1);
                };
                set_timeout(repeat, REPEAT);
            }
        });
        (target, revision)
    });
}

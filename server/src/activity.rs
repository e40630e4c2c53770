//! Tracks the requests of one connection, and detects exceeded limits.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::time::Instant;

use crate::connection_limits::{ConnectionLimits, Version};

/// The chunk size of answers, so that an unread one is noticed.
const CHUNK_BYTES: usize = 16 << 10;

/// Requests per connection that may be reset, in excess of the answered ones (CVE-2023-44487).
const ABANDONED_MAX: u64 = 100;

/// The activity of one connection.
#[derive(Debug)]
pub(crate) struct Activity(Mutex<State>);

#[derive(Debug)]
struct State {
    is_http1: bool,
    /// Requests whose answer is not written completely.
    under_way: usize,
    idle_since: Instant,
    /// The time of the first byte of a request's head.
    head_since: Option<Instant>,
    /// By request number: when a chunk of its answer was handed over that is still unwritten.
    handed_over: BTreeMap<u64, Instant>,
    begun: u64,
    answered: u64,
    abandoned: u64,
    /// All bytes received.
    bytes: u64,
}

/// Why a connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    /// Idle for too long.
    Idle,
    /// The head of a request takes too long.
    Head,
    /// The peer does not read an answer.
    Unread,
    /// Too many requests are reset.
    Abandoned,
    /// More bytes than its requests can need: pings, settings, window updates.
    Flood,
}

impl Activity {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(State {
            is_http1: false,
            under_way: 0,
            idle_since: Instant::now(),
            head_since: None,
            handed_over: BTreeMap::new(),
            begun: 0,
            answered: 0,
            abandoned: 0,
            bytes: 0,
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the version of HTTP.
    pub(crate) fn set_version(&self, version: Version) {
        self.state().is_http1 = version == Version::Http1;
    }

    /// Records received bytes.
    pub(crate) fn read(&self, bytes: usize) {
        let mut state = self.state();
        state.bytes = state.bytes.saturating_add(bytes as u64);
        if state.is_http1 && state.under_way == 0 {
            state.head_since.get_or_insert_with(Instant::now);
        }
    }

    /// Records a new request.
    pub(crate) fn begin(self: &Arc<Self>) -> UnderWay {
        let mut state = self.state();
        state.under_way += 1;
        state.begun += 1;
        state.head_since = None;
        UnderWay {
            activity: Arc::clone(self),
            number: state.begun,
            is_answered: false,
        }
    }

    /// The exceeded limit, if any.
    pub(crate) fn excess(&self, limits: &ConnectionLimits) -> Option<Excess> {
        let state = self.state();
        let is_over = |since: &Instant, limit: Duration| since.elapsed() >= limit;
        // A chunk waits behind the buffer before it, which a peer at the lowest rate may take its time to read.
        let unread = |since: &Instant| is_over(since, limits.write * 2);
        if state.abandoned > state.answered + ABANDONED_MAX {
            Some(Excess::Abandoned)
        } else if state.bytes > limits.bytes_needed(state.begun) {
            Some(Excess::Flood)
        } else if state.handed_over.values().any(unread) {
            Some(Excess::Unread)
        } else if state.under_way > 0 {
            None
        } else if state
            .head_since
            .is_some_and(|since| is_over(&since, limits.head))
        {
            Some(Excess::Head)
        } else {
            is_over(&state.idle_since, limits.idle).then_some(Excess::Idle)
        }
    }
}

/// A request, until its answer is written or it is reset.
pub(crate) struct UnderWay {
    activity: Arc<Activity>,
    number: u64,
    is_answered: bool,
}

impl UnderWay {
    /// Wraps the body of the answer.
    pub(crate) fn answer(mut self, body: Body) -> Body {
        self.is_answered = true;
        Body::new(Answer {
            body,
            rest: Bytes::new(),
            under_way: self,
        })
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.activity.state();
        state.under_way -= 1;
        state.handed_over.remove(&self.number);
        state.idle_since = Instant::now();
        if self.is_answered {
            state.answered += 1;
        } else {
            state.abandoned += 1;
        }
    }
}

/// An answer's body in chunks.
struct Answer {
    body: Body,
    /// The rest of a larger chunk.
    rest: Bytes,
    under_way: UnderWay,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let activity = Arc::clone(&this.under_way.activity);
        // The previous chunk was written, or there is room for another.
        activity.state().handed_over.remove(&this.under_way.number);
        if this.rest.is_empty() {
            match ready!(Pin::new(&mut this.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => this.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                end => return Poll::Ready(end),
            }
        }
        let piece = this.rest.split_to(this.rest.len().min(CHUNK_BYTES));
        let mut state = activity.state();
        state
            .handed_over
            .insert(this.under_way.number, Instant::now());
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let of_body = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(of_body.lower() + rest);
        if let Some(upper) = of_body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

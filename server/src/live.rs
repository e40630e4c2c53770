//! Records as server-sent events (WHATWG HTML, section 9.2), so that pages need not poll: the overview for the dashboard, a payment
//! for its payer.
//!
//! The path of a stream is that of a GET operation and `/live`. Each message is the answer of the operation to the same caller, so a
//! signed-out session or revoked key receives no more. The service decides the content; this module only decides when to query it.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Response, Uri};
use axum::response::IntoResponse;
use axum::response::sse::{Event, Sse};
use futures_util::stream;
use serde_json::Value;
use settlekit_core::error::Reason;
use settlekit_core::header;
use settlekit_core::operation::Auth;
use settlekit_service::{DecodedRequest, MatchedOperation};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::Host;
use crate::answer::{FullRequest, answer_decoded};
use crate::host_error::failed;
use crate::limit::{Caller, Holder};
use crate::slots::{Full, Slot};

/// Maximum open streams of dashboards, and of payers.
pub(crate) const STREAMS_MAX: usize = 4096;

/// Maximum open streams of one key or session, or at one address.
pub(crate) const STREAMS_OF_ONE_MAX: usize = 32;

/// The polling interval for changes by other processes.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// The pace and the end of a stream.
struct StreamLimits {
    /// The minimum interval between two questions to the service, however much changes.
    interval: Duration,
    /// Whether a message is the last one.
    is_final: fn(&Value) -> bool,
}

static DASHBOARD: StreamLimits = StreamLimits {
    interval: Duration::from_millis(250),
    is_final: |_| false,
};

/// Anybody opens these, so they are slower, and end with their payment. An expired one may still be paid.
static PAYER: StreamLimits = StreamLimits {
    interval: Duration::from_secs(1),
    is_final: |message| {
        let status = message.pointer("/data/status").and_then(Value::as_str);
        status.is_some_and(|status| {
            let ends = ["Confirmed", "Canceled", "Refunded", "PartialRefunded"];
            ends.contains(&status)
        })
    },
};

/// The interval after which an unchanged message is repeated, so that both ends detect a broken connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The delay before a browser reconnects.
const RECONNECT_DELAY: Duration = Duration::from_secs(2);

/// The end of a stream's path.
const LIVE: &str = "/live";

/// Members that differ between two answers although nothing has changed.
const CLOCKS: [&str; 3] = [
    "/data/now",
    "/data/server_time",
    "/data/authorization/valid_before",
];

/// An open stream.
struct Listener {
    host: Arc<Host>,
    request: Arc<FullRequest>,
    decoded: Arc<DecodedRequest>,
    changed: watch::Receiver<()>,
    stopping: watch::Receiver<bool>,
    /// The latest message, without its clocks.
    latest: Value,
    sent_at: Instant,
    /// When the service was last asked.
    asked_at: Instant,
    limits: &'static StreamLimits,
    /// The initial answer.
    first: Option<Vec<u8>>,
    _slot: Slot<Holder>,
}

/// The path of the operation whose answers a stream sends.
pub(crate) fn operation_path(path: &str) -> &str {
    path.strip_suffix(LIVE).unwrap_or(path)
}

/// Opens a stream of an operation's answers, or answers with an error.
pub(crate) async fn open(
    host: &Arc<Host>,
    caller: &Caller,
    route: Arc<MatchedOperation>,
    request: Request,
) -> Response<Body> {
    let holder = host.limiter.holder(caller);
    let most_of_one = holder.share(STREAMS_MAX, STREAMS_OF_ONE_MAX);
    let (slots, limits) = match route.auth() {
        Auth::Public => (&host.payer_streams, &PAYER),
        _ => (&host.streams, &DASHBOARD),
    };
    let slot = match slots.take(holder, most_of_one) {
        Ok(slot) => slot,
        Err(Full::Whole) => return failed(Reason::Unavailable, "too many streams are open"),
        Err(Full::One) => {
            let message = "one caller has too many streams open: close one first";
            return failed(Reason::RateLimited, message);
        }
    };
    let (mut parts, _) = request.into_parts();
    let Ok(target) = operation_path(parts.uri.path()).parse::<Uri>() else {
        return failed(Reason::Internal, "the stream has no address");
    };
    parts.uri = target;
    parts.headers.remove(header::REQUEST_ID);
    parts.extensions.clear();
    let request = Arc::new(axum::http::Request::from_parts(parts, Vec::new()));
    let (changed, stopping) = (host.changed.subscribe(), host.stopping.subscribe());
    let decoded = Arc::new(route.decode(&request));
    let asked = (Arc::clone(&request), Arc::clone(&decoded));
    let first = match answer_decoded(host, asked.0, asked.1).await {
        Ok(response) if response.status().is_success() => response.into_body(),
        Ok(response) => return response.map(Body::from),
        Err(error) => {
            tracing::warn!(%error, "event stream failed");
            return failed(
                Reason::Unavailable,
                "the service cannot answer at the deadline",
            );
        }
    };
    let listener = Listener {
        host: Arc::clone(host),
        request,
        decoded,
        changed,
        stopping,
        latest: Value::Null,
        sent_at: Instant::now(),
        asked_at: Instant::now(),
        limits,
        first: Some(first),
        _slot: slot,
    };
    let events = stream::unfold(listener, |mut listener| async move {
        let news = listener.next().await?;
        let event = Event::default()
            .retry(RECONNECT_DELAY)
            .data(String::from_utf8_lossy(&news));
        listener.latest = without_clocks(&news);
        listener.sent_at = Instant::now();
        Some((Ok::<_, Infallible>(event), listener))
    });
    let mut response = Sse::new(events).into_response();
    // A buffering proxy would hold messages back.
    response
        .headers_mut()
        .insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// A message as JSON, without what differs each time.
fn without_clocks(message: &[u8]) -> Value {
    let mut json: Value = serde_json::from_slice(message).unwrap_or_default();
    for clock in CLOCKS {
        if let Some(time) = json.pointer_mut(clock) {
            *time = Value::Null;
        }
    }
    json
}

impl Listener {
    /// The next message; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Vec<u8>> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        if (self.limits.is_final)(&self.latest) {
            return None;
        }
        loop {
            {
                let mut stopping = self.stopping.clone();
                let mut stopped = pin!(stopping.wait_for(|stopping| *stopping));
                sleep_until_or(self.asked_at + self.limits.interval, &mut stopped).await?;
                tokio::select! {
                    _ = &mut stopped => return None,
                    _ = self.changed.changed() => {}
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                }
            }
            self.asked_at = Instant::now();
            let asked = (Arc::clone(&self.request), Arc::clone(&self.decoded));
            let answered = answer_decoded(&self.host, asked.0, asked.1).await;
            // End the stream: the browser reconnects and gets the error.
            let news = answered
                .ok()
                .filter(|response| response.status().is_success())?
                .into_body();
            if without_clocks(&news) != self.latest || self.sent_at.elapsed() >= KEEP_ALIVE {
                return Some(news);
            }
        }
    }
}

/// Sleeps until a time; `None` if the server stops first.
async fn sleep_until_or(deadline: Instant, stopped: impl Future) -> Option<()> {
    tokio::select! {
        _ = stopped => None,
        () = sleep_until(deadline) => Some(()),
    }
}

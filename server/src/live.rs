//! The overview as a stream of server-sent events (WHATWG HTML, section 9.2), so that a dashboard need not ask.
//!
//! Every message is the answer of `GET /overview` to the same caller, so a caller who signs out or whose key is revoked gets no
//! more of them. The service decides what the overview contains; this module only decides when to ask for it.

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
use settlekit_core::error::Reason;
use settlekit_core::operation::Operation;
use settlekit_core::overview::GetOverview;
use settlekit_core::{PREFIX, header};
use settlekit_service::DecodedRequest;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::Host;
use crate::answer::{FullRequest, answer_decoded};
use crate::host_error::failed;
use crate::limit::{Caller, Full, Place};

/// How many streams are open at most.
pub(crate) const STREAMS_MAX: usize = 4096;

/// How many of them one key or one session may have.
pub(crate) const STREAMS_OF_ONE_MAX: usize = 32;

/// How often another process may have changed something that this one was not told of.
const LOOK: Duration = Duration::from_secs(2);

/// However much happens, a stream says no more than this often.
const REST: Duration = Duration::from_millis(250);

/// A stream without news repeats itself, so that both ends see that the other is there.
const SILENT: Duration = Duration::from_secs(15);

/// How long a browser waits before it comes back.
const RETRY: Duration = Duration::from_secs(2);

/// One listener.
struct Listener {
    host: Arc<Host>,
    request: Arc<FullRequest>,
    decoded: Arc<DecodedRequest>,
    changed: watch::Receiver<()>,
    stopping: watch::Receiver<bool>,
    said: Vec<u8>,
    said_at: Instant,
    /// What the first question was answered.
    first: Option<Vec<u8>>,
    _place: Place,
}

/// Opens a stream, or answers why not.
pub(crate) async fn open(host: &Arc<Host>, caller: &Caller, request: Request) -> Response<Body> {
    let place = match host.streams.take(caller) {
        Ok(place) => place,
        Err(Full::Whole) => return failed(Reason::Unavailable, "too many streams are open"),
        Err(Full::One) => {
            let message = "one caller has too many streams open: close one first";
            return failed(Reason::RateLimited, message);
        }
    };
    let (mut parts, _) = request.into_parts();
    let Ok(target) = format!("{PREFIX}{}", GetOverview::PATH).parse::<Uri>() else {
        return failed(Reason::Internal, "the overview has no address");
    };
    parts.uri = target;
    parts.headers.remove(header::REQUEST_ID);
    parts.extensions.clear();
    let request = Arc::new(axum::http::Request::from_parts(parts, Vec::new()));
    let (changed, stopping) = (host.changed.subscribe(), host.stopping.subscribe());
    let route = host.service.route(request.method(), request.uri().path());
    let decoded = Arc::new(route.decode(&request));
    let asked = (Arc::clone(&request), Arc::clone(&decoded));
    let first = match answer_decoded(host, asked.0, asked.1).await {
        Ok(response) if response.status().is_success() => response.into_body(),
        Ok(response) => return response.map(Body::from),
        Err(error) => {
            tracing::warn!(%error, "event stream failed");
            return failed(
                Reason::Unavailable,
                "the service cannot answer at the moment",
            );
        }
    };
    let listener = Listener {
        host: Arc::clone(host),
        request,
        decoded,
        changed,
        stopping,
        said: Vec::new(),
        said_at: Instant::now(),
        first: Some(first),
        _place: place,
    };
    let events = stream::unfold(listener, |mut listener| async move {
        let news = listener.next().await?;
        let event = Event::default()
            .retry(RETRY)
            .data(String::from_utf8_lossy(&news));
        listener.said = news;
        listener.said_at = Instant::now();
        Some((Ok::<_, Infallible>(event), listener))
    });
    let mut response = Sse::new(events).into_response();
    // A proxy that gathers an answer before it passes it on would pass on nothing.
    response
        .headers_mut()
        .insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

impl Listener {
    /// What is to be said next; nothing when the stream is over.
    async fn next(&mut self) -> Option<Vec<u8>> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            {
                let mut stopping = self.stopping.clone();
                let mut stopped = pin!(stopping.wait_for(|stopping| *stopping));
                sleep_until_or(self.said_at + REST, &mut stopped).await?;
                tokio::select! {
                    _ = &mut stopped => return None,
                    _ = self.changed.changed() => {}
                    () = tokio::time::sleep(LOOK) => {}
                }
            }
            let asked = (Arc::clone(&self.request), Arc::clone(&self.decoded));
            let answered = answer_decoded(&self.host, asked.0, asked.1).await;
            // The browser comes back and is told by the answer to that.
            let news = answered
                .ok()
                .filter(|response| response.status().is_success())?
                .into_body();
            if news != self.said || self.said_at.elapsed() >= SILENT {
                return Some(news);
            }
        }
    }
}

/// Waits until a time; nothing when the server stops before.
async fn sleep_until_or(moment: Instant, stopped: impl Future) -> Option<()> {
    tokio::select! {
        _ = stopped => None,
        () = sleep_until(moment) => Some(()),
    }
}

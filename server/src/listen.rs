//! Listening sockets: accepts connections, and closes them at their limits.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tower_http::add_extension::AddExtension;

use crate::activity::{Activity, Excess};
use crate::connection::{ConnectionLimits, Stream, Version};
use crate::limit::{Peer, subscriber};
use crate::metrics::Metrics;
use crate::open_files;
use crate::slots::Slots;

/// The interval of HTTP/2 pings on a silent connection, and the time allowed for the answer.
const PING: Duration = Duration::from_secs(30);
const PONG: Duration = Duration::from_secs(10);

/// Maximum size of a request head, in bytes.
const HEAD_BYTES_MAX: usize = 64 << 10;

/// Maximum size of an HTTP/2 header list, in bytes after decompression and continuation.
const HEADERS_BYTES_MAX: u32 = 32 << 10;

/// Concurrent requests per HTTP/2 connection.
const STREAMS_MAX: u32 = 100;

/// Streams per HTTP/2 connection that were reset before they were accepted, and that were reset for an error of the peer.
const RESETS_MAX: usize = 20;
const ERRORS_MAX: usize = 256;

/// Bytes that one HTTP/2 stream may have buffered for writing.
const SEND_BUFFER: usize = 64 << 10;

/// The time for open connections to end when the server stops, and for an idle one that was asked to end.
const LAST: Duration = Duration::from_secs(10);

/// Default limit of connections per address.
const ADDRESS_CONNECTIONS_MAX: usize = 1_024;

/// The interval between log lines about refused connections, so that an attacker cannot fill the log.
const WARN_EVERY: Duration = Duration::from_secs(60);

/// The initial and maximum backoff when the system lacks descriptors or memory for a connection.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// Binds a listener.
///
/// # Errors
/// A message with the address and what to do.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address)
        .await
        .map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => format!(
                "{address} is in use: stop the program that listens there, or choose another with --listen"
            ),
            io::ErrorKind::PermissionDenied => format!(
                "{address} is not for ordinary programs: choose a port from 1024 up with --listen"
            ),
            io::ErrorKind::AddrNotAvailable => format!(
                "{address} is no address of this machine: choose another with --listen"
            ),
            _ => format!("{address} cannot be listened on: {error}"),
        })
}

/// Accepts connections until `stop` resolves, then lets open ones finish their requests.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    metrics: Arc<Metrics>,
    stop: impl Future<Output = ()>,
) {
    let open_files = open_files::raise();
    let most = limits
        .connections
        .map_or(open_files::connections(open_files), NonZeroUsize::get);
    let most_of_address = limits
        .connections_of_address
        .unwrap_or_else(|| (most / 4).clamp(1, ADDRESS_CONNECTIONS_MAX));
    let slots = Slots::new(most);
    let most_of_one = NonZeroUsize::new(most_of_address).map_or(usize::MAX, NonZeroUsize::get);
    tracing::info!(
        open_files,
        connections = most,
        connections_per_address = most_of_address,
        "connection limits"
    );
    let mut warned: Option<Instant> = None;
    let serving = Serving {
        builder: builder(&limits),
        router,
        limits,
        stopping: watch::channel(false).0,
    };
    let (open, mut closed) = mpsc::channel::<()>(1);
    let mut stop = pin!(stop);
    let mut back_off = BACK_OFF.0;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // The peer left before it was accepted; the next one is not affected.
                if is_of_one_connection(&error) {
                    continue;
                }
                tracing::warn!(%error, ?back_off, "accept failed");
                tokio::time::sleep(back_off).await;
                back_off = (back_off * 2).min(BACK_OFF.1);
                continue;
            }
        };
        back_off = BACK_OFF.0;
        let Ok(slot) = slots.take(subscriber(peer.ip()), most_of_one) else {
            metrics.connection_refused();
            if warned.is_none_or(|at| at.elapsed() >= WARN_EVERY) {
                tracing::warn!(%peer, "connection limit reached");
                warned = Some(Instant::now());
            }
            continue;
        };
        metrics.connection_opened();
        let (serving, open, metrics) = (serving.clone(), open.clone(), Arc::clone(&metrics));
        tokio::spawn(async move {
            if let Err(error) = serving.connection(stream, peer).await {
                tracing::debug!(%error, "connection failed");
            }
            drop(slot);
            metrics.connection_closed();
            drop(open);
        });
    }
    drop(listener);
    drop(open);
    serving.stopping.send_replace(true);
    // Nothing is sent: the receiver ends when the last connection drops its sender.
    if tokio::time::timeout(LAST, closed.recv()).await.is_err() {
        tracing::warn!("open connections closed");
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
    )
}

fn builder(limits: &ConnectionLimits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .max_buf_size(HEAD_BYTES_MAX)
        // Covers the time between two requests too; `Activity` limits the head alone.
        .header_read_timeout(limits.idle);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING.min(limits.idle))
        .keep_alive_timeout(PONG.min(limits.idle))
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEADERS_BYTES_MAX)
        .max_pending_accept_reset_streams(RESETS_MAX)
        .max_local_error_reset_streams(ERRORS_MAX)
        .max_send_buf_size(SEND_BUFFER);
    builder
}

/// The parts that serve a connection.
#[derive(Clone)]
struct Serving {
    builder: Builder<TokioExecutor>,
    router: Router,
    limits: ConnectionLimits,
    stopping: watch::Sender<bool>,
}

type Error = Box<dyn std::error::Error + Send + Sync>;

impl Serving {
    async fn connection(self, stream: TcpStream, peer: SocketAddr) -> Result<(), Error> {
        // Answers must not wait for a full packet; a failure only makes them slower.
        let _set = stream.set_nodelay(true);
        let mut stopping = self.stopping.subscribe();
        let activity = Activity::new();
        let begun = Stream::begin(stream, Arc::clone(&activity), self.limits);
        let (stream, version) = tokio::select! {
            begun = begun => begun?,
            _ = stopping.wait_for(|stopping| *stopping) => return Ok(()),
        };
        let router = AddExtension::new(self.router, Arc::clone(&activity));
        let service = TowerToHyperService::new(AddExtension::new(router, Peer(peer)));
        let builder = match version {
            Version::Http1 => self.builder.http1_only(),
            Version::Http2 => self.builder.http2_only(),
        };
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
        let mut checks = tokio::time::interval(self.limits.check_interval());
        // The deadline after which it is cut, once asked to end.
        let mut last: Option<Instant> = None;
        loop {
            tokio::select! {
                ended = connection.as_mut() => return ended,
                _ = stopping.wait_for(|stopping| *stopping), if last.is_none() => {
                    connection.as_mut().graceful_shutdown();
                    last = Some(Instant::now() + LAST);
                }
                _ = checks.tick() => match (activity.excess(&self.limits), last) {
                    (None, _) => {}
                    (Some(Excess::Idle), None) => {
                        connection.as_mut().graceful_shutdown();
                        last = Some(Instant::now() + LAST);
                    }
                    (Some(Excess::Idle), Some(last)) if last > Instant::now() => {}
                    (Some(excess), _) => return Err(format!("past a limit: {excess:?}").into()),
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_counted_by_subscriber_and_released() {
        let slots = Slots::new(3);
        let take = |text: &str| slots.take(subscriber(text.parse().expect(text)), 2);
        let first = take("2001:db8:0:1::1").expect("a slot");
        let _second = take("2001:db8:0:1:ffff::2").expect("a slot");
        assert!(take("2001:db8:0:1::3").is_err());
        let _third = take("2001:db8:0:2::1").expect("a slot");
        assert!(take("192.0.2.1").is_err(), "all are taken");
        drop(first);
        assert!(take("2001:db8:0:1::3").is_ok());
    }
}

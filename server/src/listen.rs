//! Sockets: listening, accepting, and letting go of those that do not speak.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tower_http::add_extension::AddExtension;

use crate::limit::Peer;

/// How long a connection may take to say what it wants, and to stay idle between two requests.
const HEAD: Duration = Duration::from_secs(60);

/// How often a silent HTTP/2 connection is asked whether it is still there.
const PING: Duration = Duration::from_secs(30);

/// How long open connections may take to end when the server stops.
const LAST: Duration = Duration::from_secs(10);

/// Starts to listen.
///
/// # Errors
/// With the address in the text, and what to do about it.
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

/// Accepts connections until `stop` is ready, then lets those that are open finish their requests.
pub(crate) async fn serve(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING);
    let open = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                // Out of file descriptors, most likely: others have to end first.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // An answer must not wait for a full packet; without this it is only slower.
        let _set = stream.set_nodelay(true);
        let service = TowerToHyperService::new(AddExtension::new(router.clone(), Peer(peer)));
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        let connection = open.watch(connection.into_owned());
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke off");
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(LAST, open.shutdown()).await.is_err() {
        tracing::warn!("connections still open were cut");
    }
}

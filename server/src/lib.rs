//! The host of the Settlekit service: sockets, threads, timers, outbound HTTP, configuration.
//!
//! The service is a function and never waits; everything that waits is here. No rule of the product enters this crate:
//! what a request means is decided in `settlekit_service`.

mod activity;
mod admin;
mod answer;
mod assets;
pub mod config;
pub mod connection;
mod connection_limits;
mod deliver;
mod demo;
mod durable;
mod edge;
pub mod engine;
mod guard;
mod host_error;
mod http;
pub mod key;
pub mod limit;
mod listen;
mod live;
mod log;
pub mod metrics;
mod open_files;
mod passwords;
mod private_file;
mod security;
mod tls;

use std::fmt;
use std::future::Future;
use std::num::NonZeroUsize;
use std::sync::Arc;

use axum::Router;
use settlekit_service::store::sql::StoreError;
use settlekit_service::{Mode, Options, Service};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};

pub use admin::run;
pub use listen::listen;

use crate::config::{MasterKey, MetricsToken};
use crate::connection::ConnectionLimits;
use crate::engine::{Address, Engine};
use crate::limit::{Limiter, Limits, Places};
use crate::metrics::Metrics;
use crate::passwords::Passwords;

/// Connections to the metrics' own listener.
const METRICS_CONNECTIONS: usize = 32;

/// The memory of every program that has the server in it.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a server needs to know. `config` reads it from the command line.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Where the data is.
    pub database: Address,
    /// Seals secrets at rest.
    pub master_key: MasterKey,
    /// Where others reach the service, without a slash at the end.
    pub public_url: String,
    /// Play money or real money: that of the database.
    pub mode: Mode,
    /// Whether webhooks may go to plain http and private addresses.
    pub allow_private_webhooks: bool,
    /// How often a caller may ask.
    pub limits: Limits,
    /// How many connections there may be, and how long each may take.
    pub connections: ConnectionLimits,
    /// What reads `/metrics` at the main address; without it they are not there.
    pub metrics_token: Option<MetricsToken>,
}

impl Setup {
    /// The service these settings make.
    fn service(&self) -> Service {
        Service::new(Options {
            master_key: self.master_key.0,
            mode: self.mode,
            allow_private_webhooks: self.allow_private_webhooks,
            public_url: self.public_url.clone(),
        })
    }
}

/// What every request handler and worker shares.
pub(crate) struct Host {
    service: Service,
    engine: Engine,
    metrics: Arc<Metrics>,
    passwords: Passwords,
    /// Woken when a webhook may have become due.
    due: Notify,
    /// Told when something was changed by this process.
    changed: watch::Sender<()>,
    /// Told when the server stops.
    stopping: watch::Sender<bool>,
    /// The streams that are open.
    streams: Arc<Places>,
    files: assets::Source,
    https: bool,
    allow_private: bool,
    limiter: Limiter,
    connections: ConnectionLimits,
    metrics_token: Option<MetricsToken>,
}

/// A server that is ready: its database open and up to date, its routes made, nothing listening yet.
pub struct Server {
    host: Arc<Host>,
    router: Router,
    metrics: Option<TcpListener>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}

/// Opens the database and makes the routes.
///
/// # Errors
/// What the store says.
pub fn build(setup: &Setup) -> Result<Server, StoreError> {
    let metrics = Arc::new(Metrics::default());
    let engine = Engine::open(&setup.database, setup.mode, &metrics)?;
    let passwords = Passwords::start()
        .map_err(|error| StoreError::Broken(format!("no thread for passwords: {error}")))?;
    let host = Arc::new(Host {
        service: setup.service(),
        engine,
        metrics,
        passwords,
        due: Notify::new(),
        changed: watch::Sender::new(()),
        stopping: watch::Sender::new(false),
        streams: Places::new(live::STREAMS_MAX, live::STREAMS_OF_ONE_MAX),
        files: assets::embedded,
        https: setup.public_url.starts_with("https://"),
        allow_private: setup.allow_private_webhooks,
        limiter: Limiter::new(setup.limits, &setup.public_url),
        connections: setup.connections,
        metrics_token: setup.metrics_token.clone(),
    });
    Ok(Server {
        router: http::router(Arc::clone(&host)),
        host,
        metrics: None,
    })
}

impl Server {
    /// The routes, for callers in the same process.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Serves the metrics on a listener of their own, too.
    #[must_use]
    pub fn with_metrics_on(self, listener: TcpListener) -> Self {
        Self {
            metrics: Some(listener),
            ..self
        }
    }

    /// Serves until `stop` is ready, then finishes what is in hand. Webhooks are delivered meanwhile.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()> + Send) {
        let (tell, told) = watch::channel(false);
        let deliveries = tokio::spawn(deliver::run(Arc::clone(&self.host), told));
        let stopping = async {
            stop.await;
            // Streams end only when they are told to.
            self.host.stopping.send_replace(true);
        };
        let metrics = Arc::clone(&self.host.metrics);
        let beside = self.metrics.map(|listener| {
            let router = http::metrics_router(Arc::clone(&self.host));
            let limits = ConnectionLimits {
                connections: NonZeroUsize::new(METRICS_CONNECTIONS),
                ..self.host.connections
            };
            let mut stopping = self.host.stopping.subscribe();
            let stop = async move {
                // An error says that the server is gone.
                let _stopped = stopping.wait_for(|stopping| *stopping).await;
            };
            let metrics = Arc::clone(&metrics);
            tokio::spawn(listen::serve(listener, router, limits, metrics, stop))
        });
        listen::serve(
            listener,
            self.router,
            self.host.connections,
            metrics,
            stopping,
        )
        .await;
        if let Some(beside) = beside
            && beside.await.is_err()
        {
            tracing::error!("metrics listener failed");
        }
        // The deliveries may have ended already.
        tell.send_replace(true);
        if deliveries.await.is_err() {
            tracing::error!("webhook delivery task failed");
        }
        self.host.engine.stop().await;
    }

    /// Closes the database of a server that never listened.
    pub async fn close(self) {
        self.host.engine.stop().await;
    }
}

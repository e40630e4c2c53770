//! The host of the Settlekit service: sockets, threads, timers, outbound HTTP, configuration.
//!
//! The service is a function and never waits; everything that waits is here. This crate has no product rules: `settlekit_service`
//! decides what a request means.

mod activity;
mod admin;
mod answer;
mod assets;
pub mod chain;
mod chain_metrics;
pub mod config;
pub mod connection;
mod connection_limits;
mod contract_reader;
mod conversions;
mod deliver;
mod demo;
mod durable;
mod edge;
pub mod engine;
mod exchange_metrics;
mod exchange_rounds;
mod guard;
mod host;
mod host_error;
mod http;
pub mod key;
pub mod limit;
mod listen;
mod live;
mod log;
mod market_rounds;
pub mod metrics;
mod notes;
mod open_files;
mod outbound_error;
mod passwords;
mod pool_reader;
mod price_feed;
mod price_metrics;
mod private_file;
mod rounds;
mod security;
mod slots;
mod tls;
mod venue_metrics;
mod web_client;

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
pub(crate) use host::Host;
pub use listen::listen;

use crate::chain::host::HostChains;
use crate::chain::provider::Timing;
use crate::chain::{outbox, supervise};
use crate::config::{MasterKey, MetricsToken};
use crate::connection::ConnectionLimits;
use crate::contract_reader::ContractReader;
use crate::engine::{Address, Engine};
use crate::limit::{Limiter, Limits};
use crate::metrics::Metrics;
use crate::notes::Notes;
use crate::passwords::Passwords;
use crate::slots::Slots;

/// Connections of the metrics listener.
const METRICS_CONNECTIONS: usize = 32;

/// The allocator of all programs that contain the server.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The configuration of a server; `config` reads it from the command line.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The address of the database.
    pub database: Address,
    /// Seals secrets at rest.
    pub master_key: MasterKey,
    /// The public base URL, without a trailing slash.
    pub public_url: String,
    /// The mode of the database.
    pub mode: Mode,
    /// Allows webhooks to plain http and private addresses.
    pub allow_private_webhooks: bool,
    /// The rate limits.
    pub limits: Limits,
    /// The limits of connections.
    pub connections: ConnectionLimits,
    /// The token for `/metrics` at the main address, which does not exist without one.
    pub metrics_token: Option<MetricsToken>,
}

impl Setup {
    fn service(&self) -> Service {
        Service::new(Options {
            master_key: self.master_key.0,
            mode: self.mode,
            allow_private_webhooks: self.allow_private_webhooks,
            public_url: self.public_url.clone(),
        })
    }
}

/// A server ready to listen: the database is open and migrated, the routes are built.
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

/// Opens the database and builds the routes.
///
/// # Errors
/// Any error of the store.
pub fn build(setup: &Setup) -> Result<Server, StoreError> {
    let metrics = Arc::new(Metrics::default());
    let engine = Engine::open(&setup.database, setup.mode, &metrics)?;
    let passwords = Passwords::start()
        .map_err(|error| StoreError::Broken(format!("no thread for passwords: {error}")))?;
    let host = Arc::new(Host {
        service: setup.service(),
        engine,
        is_database_shared: matches!(setup.database, Address::Postgres(_)),
        metrics,
        passwords,
        due: Notify::new(),
        notes: Notes::default(),
        changed: watch::Sender::new(()),
        chains: Arc::default(),
        stopping: watch::Sender::new(false),
        streams: Slots::new(live::STREAMS_MAX),
        payer_streams: Slots::new(live::STREAMS_MAX),
        waiting_payers: Slots::new(answer::WAITING_MAX),
        waiting_merchants: Slots::new(answer::WAITING_MAX),
        files: assets::embedded,
        https: setup.public_url.starts_with("https://"),
        allow_private: setup.allow_private_webhooks,
        limiter: Limiter::new(setup.limits, &setup.public_url),
        connections: setup.connections,
        metrics_token: setup.metrics_token.clone(),
        contracts: ContractReader::default(),
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

    /// Also serves the metrics on a listener of their own.
    #[must_use]
    pub fn with_metrics_on(self, listener: TcpListener) -> Self {
        Self {
            metrics: Some(listener),
            ..self
        }
    }

    /// Serves and delivers webhooks until `stop` resolves, then finishes pending requests.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()> + Send) {
        let (stop_sender, stopped) = watch::channel(false);
        let (host, stop_signal) = (|| Arc::clone(&self.host), || stop_sender.subscribe());
        let tasks = [
            (
                "webhook deliveries",
                tokio::spawn(deliver::run(host(), stopped)),
            ),
            ("chains", tokio::spawn(run_chains(host(), stop_signal()))),
            (
                "prices",
                tokio::spawn(price_feed::run(host(), stop_signal())),
            ),
            (
                "pools",
                tokio::spawn(pool_reader::run(host(), stop_signal())),
            ),
            (
                "conversions",
                tokio::spawn(conversions::run(host(), stop_signal())),
            ),
            (
                "exchange accounts",
                tokio::spawn(exchange_rounds::run(host(), stop_signal())),
            ),
            (
                "order books",
                tokio::spawn(market_rounds::run(host(), stop_signal())),
            ),
        ];
        let stopping = async {
            stop.await;
            // Streams end only when told to.
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
                // An error means that the server is gone.
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
        stop_sender.send_replace(true);
        for (task, handle) in tasks {
            if handle.await.is_err() {
                tracing::error!(task, "task failed");
            }
        }
        close_database(&self.host).await;
    }

    /// Closes the database of a server that never listened.
    pub async fn close(self) {
        close_database(&self.host).await;
    }
}

/// Writes what is still to be written, and closes the database.
async fn close_database(host: &Host) {
    answer::write_notes(host).await;
    host.engine.stop().await;
}

/// Watches chains and sends on them until the server stops; in a sandbox, chains are simulated.
async fn run_chains(host: Arc<Host>, stop: watch::Receiver<bool>) {
    if host.service.options().mode.is_sandbox() {
        return;
    }
    let health = Arc::clone(&host.chains);
    let store = match HostChains::new(host) {
        Ok(store) => Arc::new(store),
        Err(error) => {
            tracing::error!(%error, "chain watch failed to start");
            return;
        }
    };
    let timing = Timing::default();
    let watching = supervise::run(Arc::clone(&store), timing, health, stop.clone());
    let sending = outbox::run(Arc::clone(&store), timing.limits, stop);
    tokio::join!(watching, sending);
    store.end_leases().await;
}

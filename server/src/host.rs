//! The state shared by all request handlers and workers.

use std::sync::Arc;

use settlekit_service::Service;
use tokio::sync::{Notify, watch};

use crate::assets;
use crate::chain::health::Health;
use crate::config::MetricsToken;
use crate::connection::ConnectionLimits;
use crate::contract_reader::ContractReader;
use crate::engine::Engine;
use crate::limit::{Holder, Limiter};
use crate::metrics::Metrics;
use crate::notes::Notes;
use crate::passwords::Passwords;
use crate::slots::Slots;

/// The state shared by all request handlers and workers.
pub(crate) struct Host {
    pub(crate) service: Service,
    pub(crate) engine: Engine,
    /// Whether other servers may use the database, too.
    pub(crate) is_database_shared: bool,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) passwords: Passwords,
    /// Notes of read requests that are still to be written.
    pub(crate) notes: Notes,
    /// Notified when a webhook may have become due.
    pub(crate) due: Notify,
    /// Notified of each change by this process.
    pub(crate) changed: watch::Sender<()>,
    /// The health of the watched chains.
    pub(crate) chains: Arc<Health>,
    /// Set when the server stops.
    pub(crate) stopping: watch::Sender<bool>,
    /// The open streams of dashboards, and of payers.
    pub(crate) streams: Arc<Slots<Holder>>,
    pub(crate) payer_streams: Arc<Slots<Holder>>,
    /// Requests of payers that wait for a block.
    pub(crate) waiting_payers: Arc<Slots<Holder>>,
    /// Requests of merchants that do. Payers take no slot from them.
    pub(crate) waiting_merchants: Arc<Slots<Holder>>,
    pub(crate) files: assets::Source,
    pub(crate) https: bool,
    pub(crate) allow_private: bool,
    pub(crate) limiter: Limiter,
    pub(crate) connections: ConnectionLimits,
    pub(crate) metrics_token: Option<MetricsToken>,
    pub(crate) contracts: ContractReader,
}

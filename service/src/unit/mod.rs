//! The unit of work: the database, the time and the random bytes of an operation.

pub(crate) mod caller;
pub(crate) mod due_job;
pub(crate) mod received;
pub(crate) mod refusal;

pub(crate) use received::Received;
pub(crate) use refusal::{Outcome, Refusal};

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use http::header::HeaderName;
use http::{Request, StatusCode};
use settlekit_core::error::Reason;
use settlekit_core::value::{ChainId, Currency, OrganisationId, PaylinkId, Timestamp};

use crate::evm::node_calls::{ContractAnswers, NodeCalls};
use crate::mode::Simulation;
use crate::random::Random;
use crate::secret::master_key;
use crate::store::price::SourcePrice;
use crate::store::sql::{Access, Database, StoreError};
use crate::{CallerNetwork, Options, Service, secret};

/// A request whose password is looked up, on a connection that may be read-only.
pub(crate) struct PasswordLookup<'a> {
    pub(crate) service: &'a Service,
    pub(crate) database: &'a mut dyn Database,
    pub(crate) request: &'a Request<Vec<u8>>,
    pub(crate) now: Timestamp,
}

/// The database in a transaction, the time, the random bytes, and data for the answer.
pub(crate) struct Unit<'a> {
    pub(crate) service: &'a Service,
    pub(crate) database: &'a mut dyn Database,
    /// The time of the call, constant while it runs.
    pub(crate) now: Timestamp,
    /// The host's time: a sandbox's clock can be ahead of it.
    pub(crate) host_now: Timestamp,
    pub(crate) random: Random,
    /// The network of the request, if the host provides it.
    pub(crate) network: Option<CallerNetwork>,
    /// Answers of contracts, as far as the host has asked.
    pub(crate) contract_answers: ContractAnswers,
    /// The calls that the host has to make before the request can be answered.
    pub(crate) asked: Vec<NodeCalls>,
    /// The authorization that the host waits for, before it answers the request again.
    pub(crate) awaits: Option<i64>,
    /// The authorization that the host has waited for, when it answers the request again.
    pub(crate) awaited: Option<i64>,
    /// Whether a retry with the same idempotency key gets this answer.
    pub(crate) is_final: bool,
    /// The status of the answer, if it is not the operation's.
    pub(crate) status: Option<StatusCode>,
    /// Whether the connection may write. Requests certain to be refused are answered on a read-only one.
    pub(crate) may_write: bool,
    /// The bucket of a failed password attempt, counted after the rollback of the operation so that the count stays.
    pub(crate) failed_attempt: Option<[u8; 32]>,
    /// Additional headers of the answer.
    pub(crate) headers: Vec<(HeaderName, String)>,
    /// The payment link whose page was opened.
    pub(crate) visited: Option<(OrganisationId, PaylinkId)>,
    /// Failed due jobs, for the operator's log.
    pub(crate) failures: Vec<String>,
    /// The prices of the sources, as far as they were read.
    pub(crate) prices: BTreeMap<Currency, Vec<SourcePrice>>,
    /// The set prices of a sandbox in millionths of a US dollar, once read.
    pub(crate) set_prices: Option<BTreeMap<Currency, i64>>,
    /// The organisations' own currencies, as far as they were read.
    pub(crate) reporting_currencies: BTreeMap<OrganisationId, Option<Currency>>,
    /// The test networks, once read.
    pub(crate) test_networks: Option<BTreeSet<ChainId>>,
}

impl<'a> Unit<'a> {
    pub(crate) fn new(
        service: &'a Service,
        database: &'a mut dyn Database,
        now: Timestamp,
        random: Random,
    ) -> Self {
        Self {
            service,
            database,
            now,
            host_now: now,
            random,
            network: None,
            contract_answers: ContractAnswers::default(),
            asked: Vec::new(),
            awaits: None,
            awaited: None,
            is_final: true,
            status: None,
            may_write: true,
            failed_attempt: None,
            headers: Vec::new(),
            visited: None,
            failures: Vec::new(),
            prices: BTreeMap::new(),
            set_prices: None,
            reporting_currencies: BTreeMap::new(),
            test_networks: None,
        }
    }

    pub(crate) fn options(&self) -> &'a Options {
        &self.service.options
    }

    /// Refuses in live mode, as the router does before.
    pub(crate) fn need_simulation(&self) -> Outcome<Simulation> {
        let simulation = self.options().mode.simulation();
        simulation.ok_or_else(|| {
            Refusal::because(Reason::SandboxOnly, "this exists in sandbox mode only")
        })
    }

    /// Seals a secret for the row of `context`.
    ///
    /// # Errors
    /// If the master key was rotated: a secret sealed with the old one could never be opened.
    pub(crate) fn seal(&mut self, context: &str, secret: &[u8]) -> Result<Vec<u8>, StoreError> {
        if !master_key::is_current(self.service, self.database)? {
            return Err(StoreError::Broken(
                "the master key was rotated: restart this server with the new one".to_owned(),
            ));
        }
        let key = &self.service.options.master_key;
        Ok(secret::seal(key, context, secret, &mut self.random))
    }

    /// Opens a secret sealed for the row of `context`; `None` if it is another's.
    pub(crate) fn open(&self, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        secret::open(&self.options().master_key, context, sealed)
    }

    /// Runs a step in a savepoint: a refusal, also for an error of stored data, rolls the step back. Any other failure of the
    /// database loses the transaction.
    pub(crate) fn attempt<T>(
        &mut self,
        step: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Result<Outcome<T>, StoreError> {
        self.database.begin(Access::Write)?;
        let outcome = step(self);
        if outcome.is_err() {
            return self.undo(outcome);
        }
        self.database.commit()?;
        Ok(outcome)
    }

    /// Runs a step in a savepoint and rolls it back, also when it succeeds: it fails where the step would.
    pub(crate) fn dry_run<T>(&mut self, step: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.database.begin(Access::Write)?;
        let outcome = step(self);
        self.undo(outcome)?
    }

    /// Rolls back a step with this outcome.
    fn undo<T>(&mut self, outcome: Outcome<T>) -> Result<Outcome<T>, StoreError> {
        let undone = self.database.rollback();
        match outcome {
            Err(Refusal::Store(error)) if !error.is_data_error() => Err(error),
            outcome => undone.map(|()| outcome),
        }
    }

    /// Whether a time is before today in every time zone.
    pub(crate) fn is_before_today(&self, at: Timestamp) -> bool {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        at < self.now.minus(DAY)
    }

    /// Refuses an `expires_at` in the past for a new record.
    pub(crate) fn check_expiry(&self, expires_at: Option<Timestamp>) -> Outcome<()> {
        if expires_at.is_some_and(|at| at <= self.now) {
            return Err(Refusal::field(
                "expires_at",
                Reason::NotInFuture,
                "must be in the future",
            ));
        }
        Ok(())
    }

    pub(crate) fn id_bytes(&mut self) -> [u8; 10] {
        self.random.bytes()
    }
}

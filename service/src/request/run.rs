//! The entry points of the service: each runs in one transaction, which reruns after a conflict.
//!
//! `answer` answers an HTTP request; `work` runs due work and returns the webhook calls to make; `next_due` returns the time of
//! the next due work; `report` records the result of a webhook call. Each takes the database, the time and, where it needs
//! randomness, a seed. The calls of a host that reads real chains are in `chains::entry_points`.

use std::sync::Arc;

use http::{Method, Request, Response};
use settlekit_core::value::Timestamp;

use super::serve::{Admission, Answer, Awaited};
use super::touch::{Noted, Touch};
use crate::due::delivery::{self, DeliveryOutcome, Message, Outbound};
use crate::random::{Random, Seed};
use crate::request::decode::{Content, DecodedRequest, Lane, MatchedOperation};
use crate::request::router::Action;
use crate::request::serve;
use crate::secret::password::{PasswordTask, Prepared};
use crate::store::paylink_day::PaylinkStep;
use crate::store::sql::{Access, Database, StoreError, transaction};
use crate::unit::refusal::{error_response, store_failure};
use crate::unit::{PasswordLookup, Unit};
use crate::{Service, due, sandbox, store};

/// Maximum runs of a conflicting transaction.
const RUNS_MAX: u32 = 5;

impl Service {
    /// The operation of a method and a path. A host routes a request once, and decodes it with the result.
    pub fn route(&self, method: &Method, path: &str) -> Arc<MatchedOperation> {
        Arc::new(MatchedOperation::find(&self.options, method, path))
    }

    /// Authenticates the caller on a read-only connection. A host calls this before it decodes the body of an unknown caller.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn authenticate_caller(
        &self,
        database: &mut dyn Database,
        request: &Request<Vec<u8>>,
        route: &MatchedOperation,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Admission, StoreError> {
        let mut unit = self.unit(database, now, seed)?;
        unit.may_write = false;
        serve::authenticate_caller(&mut unit, request, route)
    }

    /// Finds the stored hash for a request's password, on a connection that may be read-only.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn find_password(
        &self,
        database: &mut dyn Database,
        request: &Request<Vec<u8>>,
        decoded: &DecodedRequest,
        now: Timestamp,
    ) -> Result<PasswordTask, StoreError> {
        let Content::Action(Action {
            find_password: Some(find),
            ..
        }) = &decoded.content
        else {
            return Ok(PasswordTask::none());
        };
        let now = self.now(database, now)?;
        find(PasswordLookup {
            service: self,
            database,
            request,
            now,
        })
    }

    /// Answers a request inside the host's transaction, which is read-only if the lane is
    /// [`Lane::Read`] or the password is [blocked](Prepared::is_blocked).
    ///
    /// # Errors
    /// If the database failed: the host rolls back, and on [`StoreError::Conflict`] runs the request again.
    pub fn answer_in(
        &self,
        database: &mut dyn Database,
        request: &Request<Vec<u8>>,
        decoded: &DecodedRequest,
        prepared: Prepared,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Answer, StoreError> {
        let mut unit = self.unit(database, now, seed)?;
        unit.network = request.extensions().get().cloned();
        let answers = request.extensions().get().cloned();
        unit.contract_answers = answers.unwrap_or_default();
        let awaited: Option<&Awaited> = request.extensions().get();
        unit.awaited = awaited.map(|awaited| awaited.0);
        unit.may_write = decoded.lane() != Lane::Read && !prepared.is_blocked();
        serve::serve(&mut unit, request, decoded, prepared)
    }

    /// Answers a request in its own transaction.
    pub fn answer(
        &self,
        database: &mut dyn Database,
        request: &Request<Vec<u8>>,
        now: Timestamp,
        seed: Seed,
    ) -> Response<Vec<u8>> {
        let route = self.route(request.method(), request.uri().path());
        let decoded = route.decode(request);
        let outcome = self.transact(database, |database| {
            let task = self.find_password(database, request, &decoded, now)?;
            let answer = self.answer_in(database, request, &decoded, task.run(seed), now, seed)?;
            if let Some(touch) = answer.touch {
                self.touch(database, touch, 1, now)?;
            }
            Ok(answer.response)
        });
        outcome.unwrap_or_else(|error| error_response(&store_failure(&error)))
    }

    /// Whether a block has what an answer awaits, or none ever will: the request can be answered again.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn has_ended(
        &self,
        database: &mut dyn Database,
        awaited: Awaited,
    ) -> Result<bool, StoreError> {
        Ok(!store::authorization::is_under_way(database, awaited.0)?)
    }

    /// Writes the note of an earlier request, or of a number of them.
    ///
    /// # Errors
    /// If the database failed.
    pub fn touch(
        &self,
        database: &mut dyn Database,
        touch: Touch,
        times: u32,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let now = self.now(database, now)?;
        match touch.0 {
            Noted::KeyUsed(key) => store::api_key::touch(database, key, now),
            Noted::FaultMet(organisation, fault) => {
                store::fault::met(database, organisation, fault)
            }
            Noted::LinkVisited(organisation, link, day) => {
                let visits = (PaylinkStep::Visit, times);
                store::paylink_day::add(database, (organisation, link), day, visits)
            }
        }
    }

    /// Advances the simulated chains, runs due jobs (expiry, renewals, payouts), and claims due webhooks.
    ///
    /// # Errors
    /// If the database failed; nothing was claimed then.
    pub fn work(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<Outbound>, StoreError> {
        let (calls, _) = self.run_due_jobs(database, now, seed)?;
        Ok(calls)
    }

    /// As [`Service::work`]; also returns the failed due jobs, which are retried after an hour, as text for the log.
    ///
    /// # Errors
    /// As [`Service::work`].
    pub fn run_due_jobs(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(Vec<Outbound>, Vec<String>), StoreError> {
        self.transact(database, |database| {
            let mut unit = self.unit(database, now, seed)?;
            due::run_due(&mut unit)?;
            let calls = delivery::claim(&mut unit)?;
            Ok((calls, unit.failures))
        })
    }

    /// The host's time at which [`Service::work`] is next due; `None` if nothing is scheduled.
    ///
    /// # Errors
    /// If the database failed.
    pub fn next_due(
        &self,
        database: &mut dyn Database,
        host: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        let now = self.now(database, host)?;
        let next = store::due::next(database, now)?;
        Ok(next.map(|next| host.plus(next.since(now))))
    }

    /// Records the result of an outbound call.
    ///
    /// # Errors
    /// If the database failed; the call is then made again after its claim expires.
    pub fn report(
        &self,
        database: &mut dyn Database,
        message: &Message,
        outcome: &DeliveryOutcome,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(), StoreError> {
        self.transact(database, |database| {
            delivery::report(&mut self.unit(database, now, seed)?, message, outcome)
        })
    }

    /// A unit of work at the service's time.
    pub(crate) fn unit<'a>(
        &'a self,
        database: &'a mut dyn Database,
        host: Timestamp,
        seed: Seed,
    ) -> Result<Unit<'a>, StoreError> {
        let now = self.now(database, host)?;
        let mut unit = Unit::new(self, database, now, Random::new(seed));
        unit.host_now = host;
        Ok(unit)
    }

    /// The service's time: a sandbox's clock can be ahead of the host's.
    fn now(&self, database: &mut dyn Database, host: Timestamp) -> Result<Timestamp, StoreError> {
        if self.options.mode.is_sandbox() {
            sandbox::now(database, host)
        } else {
            Ok(host)
        }
    }

    /// Runs work in one transaction: first in an optimistic one, after a conflict again. In an open transaction, runs it once, as
    /// only the whole can run again.
    pub(crate) fn transact<T>(
        &self,
        database: &mut dyn Database,
        mut run: impl FnMut(&mut dyn Database) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let is_part = database.depth() > 0;
        let mut outcome = transaction(database, Access::Optimistic, &mut run);
        for _ in 1..RUNS_MAX {
            if !matches!(outcome, Err(StoreError::Conflict)) || is_part {
                break;
            }
            outcome = transaction(database, Access::Write, &mut run);
        }
        outcome
    }
}

//! The requests of exchange accounts: for balances, and about orders.
//!
//! An account has one round at a time. The nonces of its requests only go up, so one that overtakes another has that one refused.
//! An exchange that asks for fewer requests gets none for a while, whatever they are about.

use settlekit_core::value::Timestamp;

use super::access::{Access, credentials_of, next_nonce};
use super::{ExchangeError, SignedRequest, balances, kraken, order_rounds};
use crate::Service;
use crate::mode::Mode;
use crate::money::web_answer::WebAnswer;
use crate::random::{Random, Seed};
use crate::secret::master_key;
use crate::store::exchange;
use crate::store::exchange_order::{self, ExchangeOrderStatus};
use crate::store::poll_state::BACK_OFF_MAX;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// The most orders that an account ends in search of one that it can send or ask about.
const SKIPPED_MAX: usize = 50;

/// What a round is about.
#[derive(Debug, Clone)]
enum Task {
    /// Reads the balances.
    Balances,
    /// Places the order of this id.
    Place(String),
    /// Asks for the order of this id.
    Query(String),
}

/// Requests of an exchange account to send now, one after the other.
#[derive(Debug, Clone)]
pub struct ExchangeRound {
    /// The account's name.
    pub account: String,
    task: Task,
    requests: Vec<SignedRequest>,
    asked_at: Timestamp,
}

impl ExchangeRound {
    /// The requests, in their order.
    pub fn requests(&self) -> &[SignedRequest] {
        &self.requests
    }

    /// The id of the order that it is about; none for balances.
    pub fn order(&self) -> Option<&str> {
        match &self.task {
            Task::Balances => None,
            Task::Place(order) | Task::Query(order) => Some(order),
        }
    }
}

impl Service {
    /// Whether rounds are due. It only reads: check it before [`Service::exchange_rounds`].
    ///
    /// # Errors
    /// If the database failed.
    pub fn has_due_exchanges(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        if self.options().mode != Mode::Live {
            return Ok(false);
        }
        Ok(exchange::has_due(database, now)? || order_rounds::has_expired(database, now)?)
    }

    /// The rounds to ask now, and what an operator has to look at, for the log. Each is asked again after a minute unless it is
    /// reported, so that of several servers one asks.
    ///
    /// # Errors
    /// If the database failed, or has another master key.
    pub fn exchange_rounds(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(Vec<ExchangeRound>, Vec<String>), StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            order_rounds::refuse_expired(&mut unit)?;
            let mut rounds = Vec::new();
            for account in exchange::all(unit.database)? {
                rounds.extend(next_round(&mut unit, &account.name)?);
            }
            Ok((rounds, unit.failures))
        })
    }

    /// Takes the answers of a round, in the order of its requests. Returns what an operator has to look at, for the log.
    ///
    /// # Errors
    /// If the database failed; the exchange is asked again.
    pub fn report_exchange(
        &self,
        database: &mut dyn Database,
        round: &ExchangeRound,
        answers: &[WebAnswer],
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<String>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            report(&mut unit, round, answers)?;
            Ok(unit.failures)
        })
    }
}

/// The next round of an account, if one is due and none is under way.
fn next_round(unit: &mut Unit<'_>, name: &str) -> Result<Option<ExchangeRound>, StoreError> {
    let now = unit.now;
    let account = exchange::lock(unit.database, name)?;
    let Some(account) = account.filter(|account| account.is_free(now)) else {
        return Ok(None);
    };
    for _ in 0..SKIPPED_MAX {
        let order = exchange_order::lock_next(unit.database, name, now)?;
        let are_balances_due = account.state.is_due(now);
        if order.is_none() && !are_balances_due {
            return Ok(None);
        }
        // Also a server with another key comes here.
        master_key::require_current(unit.service, unit.database)?;
        let Some(credentials) = credentials_of(unit, &account) else {
            let error = ExchangeError::CredentialsDamaged;
            match order {
                Some(order) => order_rounds::record_no_credentials(unit, order, error)?,
                None => {
                    balances::record_failure(unit, &account, (error, BACK_OFF_MAX))?;
                    return Ok(None);
                }
            }
            continue;
        };
        let nonce = next_nonce(now, account.nonce);
        let access = Access {
            url: &account.url,
            credentials: &credentials,
            nonce,
        };
        let (task, requests) = match order {
            Some(order) if order.status == ExchangeOrderStatus::New => {
                if !account.trading {
                    order_rounds::refuse(unit, order, "trading was switched off")?;
                    continue;
                }
                let id = order.id.clone();
                (Task::Place(id), order_rounds::place(unit, order, access)?)
            }
            Some(order) if !are_balances_due || order.state.due_at <= account.state.due_at => {
                let id = order.id.clone();
                (Task::Query(id), order_rounds::query(unit, order, access)?)
            }
            _ => (Task::Balances, balances::request(unit, &account, access)?),
        };
        let last_nonce = nonce + requests.len() as u64 - 1;
        exchange::begin_request(unit.database, name, last_nonce, now)?;
        return Ok(Some(ExchangeRound {
            account: account.name,
            task,
            requests,
            asked_at: now,
        }));
    }
    Ok(None)
}

fn report(
    unit: &mut Unit<'_>,
    round: &ExchangeRound,
    answers: &[WebAnswer],
) -> Result<(), StoreError> {
    let account = exchange::lock(unit.database, &round.account)?;
    if let Some(account) = &account
        && account.requested_at == round.asked_at
    {
        let is_limited = answers.iter().any(kraken::is_rate_limited);
        let paused_until = match is_limited {
            true => unit.now.plus(BACK_OFF_MAX),
            false => account.paused_until,
        };
        exchange::end_request(unit.database, &account.name, paused_until)?;
    }
    match (&round.task, answers, account) {
        (Task::Balances, [answer], Some(account)) => {
            balances::record(unit, &account, (round.asked_at, answer))
        }
        // Disconnected, which an account with an order under way is not.
        (Task::Balances, [_], None) => Ok(()),
        (Task::Place(order), [answer], _) => {
            order_rounds::record_placement(unit, (order, round.asked_at), answer)
        }
        (Task::Query(order), [closed, open], _) => {
            order_rounds::record_query(unit, (order, round.asked_at), (closed, open))
        }
        _ => Err(StoreError::Broken(
            "a round of an exchange account has an answer for each request".to_owned(),
        )),
    }
}

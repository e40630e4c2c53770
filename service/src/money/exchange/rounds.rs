//! The requests of exchange accounts: for balances, and about orders and withdrawals.
//!
//! An account has one round at a time. Nonces must increase: if a later request arrives first, the earlier one is refused.
//! An exchange that asks for fewer requests gets none for a while, whatever they are about.

use settlekit_core::value::Timestamp;

use super::access::{Access, credentials_of, next_nonce};
use super::withdrawal_rounds::{self, WithdrawalTask};
use super::{
    ExchangeError, SignedRequest, balances, kraken, order_rounds, withdrawal_check,
    withdrawal_outcome,
};
use crate::Service;
use crate::mode::Mode;
use crate::money::web_answer::WebAnswer;
use crate::random::{Random, Seed};
use crate::secret::master_key;
use crate::store::exchange::{self, StoredAccount};
use crate::store::exchange_order::{self, ExchangeOrderStatus, StoredOrder};
use crate::store::exchange_withdrawal::{self, ExchangeWithdrawalStatus, StoredWithdrawal};
use crate::store::poll_state::BACK_OFF_MAX;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// The most orders and withdrawals that an account ends in search of one that it can send or ask about.
const SKIPPED_MAX: usize = 50;

/// The subject of a round.
#[derive(Debug, Clone)]
enum Task {
    /// Reads the balances.
    Balances,
    /// Places the order of this id.
    Place(String),
    /// Asks for the order of this id.
    Query(String),
    /// Checks, sends or finds the withdrawal of this id.
    Withdrawal(WithdrawalTask, String),
}

/// Requests of an exchange account to send now, one after the other.
#[derive(Debug, Clone)]
pub struct ExchangeRound {
    /// The account's name.
    pub account: String,
    task: Task,
    requests: Vec<SignedRequest>,
    asked_at: Timestamp,
    /// Of the first request.
    nonce: u64,
}

impl ExchangeRound {
    /// The requests, in their order.
    pub fn requests(&self) -> &[SignedRequest] {
        &self.requests
    }

    /// The id of the order that it is about, if any.
    pub fn order(&self) -> Option<&str> {
        match &self.task {
            Task::Balances | Task::Withdrawal(..) => None,
            Task::Place(order) | Task::Query(order) => Some(order),
        }
    }

    /// The id of the withdrawal that it is about, if any.
    pub fn withdrawal(&self) -> Option<&str> {
        match &self.task {
            Task::Balances | Task::Place(_) | Task::Query(_) => None,
            Task::Withdrawal(_, withdrawal) => Some(withdrawal),
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

    /// The rounds to ask now, and the failures to log. Each is asked again after a minute unless it is reported, so that of several
    /// servers one asks.
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
            for account in exchange::all_accounts(unit.database)? {
                rounds.extend(next_round(&mut unit, &account.name)?);
            }
            Ok((rounds, unit.failures))
        })
    }

    /// Takes the answers of a round, in the order of its requests. Returns the failures to log.
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

/// The subject of an account's next round.
enum Subject {
    Order(StoredOrder),
    Withdrawal(StoredWithdrawal),
    Balances,
}

/// The next due subject: a new order first, then a queued withdrawal, then the one that has been due longest.
fn next_subject(
    unit: &mut Unit<'_>,
    account: &StoredAccount,
) -> Result<Option<Subject>, StoreError> {
    let now = unit.now;
    let order = match exchange_order::lock_next(unit.database, &account.name, now)? {
        Some(order) if order.status == ExchangeOrderStatus::New => {
            return Ok(Some(Subject::Order(order)));
        }
        order => order,
    };
    let are_balances_due = account.state.is_due(now);
    // After an outage the balance is too old to withdraw from, and after an order it is another one.
    let reads_first = match account.shows_ended_orders() {
        true => are_balances_due && balances::are_old(account.state.succeeded_at, now),
        false => are_balances_due || account.state.failures == 0,
    };
    let withdrawal = match exchange_withdrawal::lock_next(unit.database, &account.name, now)? {
        Some(withdrawal) if withdrawal.status == ExchangeWithdrawalStatus::Queued => {
            return Ok(Some(match reads_first {
                true => Subject::Balances,
                false => Subject::Withdrawal(withdrawal),
            }));
        }
        withdrawal => withdrawal,
    };
    let order = order.map(|order| (order.state.due_at, Subject::Order(order)));
    let withdrawal = withdrawal.map(|one| (one.state.due_at, Subject::Withdrawal(one)));
    let balances = are_balances_due.then_some((account.state.due_at, Subject::Balances));
    let due = [order, withdrawal, balances].into_iter().flatten();
    Ok(due.min_by_key(|(at, _)| *at).map(|(_, subject)| subject))
}

/// The next round of an account, if one is due and none is under way.
fn next_round(unit: &mut Unit<'_>, name: &str) -> Result<Option<ExchangeRound>, StoreError> {
    let now = unit.now;
    let account = exchange::lock(unit.database, name)?;
    let Some(account) = account.filter(|account| account.is_free(now)) else {
        return Ok(None);
    };
    for _ in 0..SKIPPED_MAX {
        let Some(subject) = next_subject(unit, &account)? else {
            return Ok(None);
        };
        // Also a server with another key comes here.
        master_key::require_current(unit.service, unit.database)?;
        let Some(credentials) = credentials_of(unit, &account) else {
            record_no_credentials(unit, &account)?;
            return Ok(None);
        };
        let access = Access {
            url: &account.url,
            credentials: &credentials,
            nonce: next_nonce(now, account.nonce),
        };
        let Some((task, requests)) = begin(unit, subject, (&account, access))? else {
            continue;
        };
        let last_nonce = access.nonce + requests.len() as u64 - 1;
        exchange::begin_request(unit.database, name, last_nonce, now)?;
        return Ok(Some(ExchangeRound {
            account: account.name,
            task,
            requests,
            asked_at: now,
            nonce: access.nonce,
        }));
    }
    Ok(None)
}

/// Records that the credentials are damaged, for everything that is due.
fn record_no_credentials(unit: &mut Unit<'_>, account: &StoredAccount) -> Result<(), StoreError> {
    let (error, now) = (ExchangeError::CredentialsDamaged, unit.now);
    for _ in 0..SKIPPED_MAX {
        let order = exchange_order::lock_next(unit.database, &account.name, now)?;
        let withdrawal = exchange_withdrawal::lock_next(unit.database, &account.name, now)?;
        if order.is_none() && withdrawal.is_none() {
            break;
        }
        if let Some(order) = order {
            order_rounds::record_no_credentials(unit, order, error)?;
        }
        if let Some(withdrawal) = withdrawal {
            withdrawal_rounds::record_no_credentials(unit, withdrawal, error)?;
        }
    }
    match account.state.is_due(now) {
        true => balances::record_failure(unit, account, (error, BACK_OFF_MAX)),
        false => Ok(()),
    }
}

/// The task with its requests; `None` if the order or the withdrawal has ended.
fn begin(
    unit: &mut Unit<'_>,
    subject: Subject,
    (account, access): (&StoredAccount, Access<'_>),
) -> Result<Option<(Task, Vec<SignedRequest>)>, StoreError> {
    match subject {
        Subject::Order(order) if order.status == ExchangeOrderStatus::New => {
            if !account.trading {
                order_rounds::refuse(unit, order, "trading was switched off")?;
                return Ok(None);
            }
            let id = order.id.clone();
            let requests = order_rounds::place(unit, order, access)?;
            Ok(Some((Task::Place(id), requests)))
        }
        Subject::Order(order) => {
            let id = order.id.clone();
            let requests = order_rounds::query(unit, order, access)?;
            Ok(Some((Task::Query(id), requests)))
        }
        Subject::Withdrawal(withdrawal) => {
            let id = withdrawal.id.clone();
            let begun = withdrawal_rounds::begin(unit, withdrawal, (account, access))?;
            Ok(begun.map(|(task, requests)| (Task::Withdrawal(task, id), requests)))
        }
        Subject::Balances => {
            let requests = balances::request(unit, account, access)?;
            Ok(Some((Task::Balances, requests)))
        }
    }
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
            balances::record(unit, &account, ((round.asked_at, round.nonce), answer))
        }
        // Disconnected, which an account with an order or a withdrawal under way is not.
        (Task::Balances, [_], None) => Ok(()),
        (Task::Place(order), [answer], _) => {
            order_rounds::record_placement(unit, (order, round.asked_at), answer)
        }
        (Task::Query(order), [closed, open], _) => {
            order_rounds::record_query(unit, (order, round.asked_at), (closed, open))
        }
        (Task::Withdrawal(task, id), answers, _) => {
            let of = (id.as_str(), round.asked_at);
            match (task, answers) {
                (WithdrawalTask::Check, [addresses, info, listed]) => {
                    withdrawal_check::record(unit, of, [addresses, info, listed])
                }
                (WithdrawalTask::Send, [answer]) => {
                    withdrawal_rounds::record_sent(unit, of, answer)
                }
                (WithdrawalTask::Find, [listed]) => withdrawal_outcome::record(unit, of, listed),
                _ => Err(lacks_answers()),
            }
        }
        _ => Err(lacks_answers()),
    }
}

fn lacks_answers() -> StoreError {
    StoreError::Broken("a round of an exchange account has an answer for each request".to_owned())
}

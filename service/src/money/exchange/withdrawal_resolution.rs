//! Withdrawals from exchange accounts that an operator resolves, when the exchange's list does not.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::balances::is_subtracted;
use super::instruction::ABSENCES_MIN;
use super::kraken::is_id;
use super::withdrawal_error::ExchangeWithdrawalError;
use super::withdrawal_state::{is_known_before, sent_at};
use super::withdrawals::WithdrawalOutcome;
use crate::Service;
use crate::store::exchange::{self, StoredAccount};
use crate::store::exchange_withdrawal::{
    self, ExchangeIdSource, ExchangeWithdrawalStatus, StoredWithdrawal,
};
use crate::store::poll_state::PollState;
use crate::store::sql::{Database, StoreError};

/// The time after which a request can no longer arrive, whatever the exchange says.
const ON_ITS_WAY_MAX: Duration = Duration::from_secs(24 * 60 * 60);

impl Service {
    /// Enters what the operator has found at the exchange about a withdrawal in doubt. One that was accepted is asked about until it has
    /// arrived.
    ///
    /// # Errors
    /// All of [`ExchangeWithdrawalError`] but those of a new withdrawal.
    pub fn resolve_exchange_withdrawal(
        &self,
        database: &mut dyn Database,
        id: &str,
        outcome: &WithdrawalOutcome,
        now: Timestamp,
    ) -> Result<(), ExchangeWithdrawalError> {
        self.transact(database, |database| {
            let not_in_doubt = || Ok(Err(ExchangeWithdrawalError::NotInDoubt(id.to_owned())));
            let Some(found) = exchange_withdrawal::find(database, id)? else {
                return not_in_doubt();
            };
            // In the order of a server's report.
            let account = exchange::lock(database, &found.account)?;
            let withdrawal = exchange_withdrawal::lock(database, id)?;
            let (Some(account), Some(withdrawal)) = (account, withdrawal.filter(is_in_doubt))
            else {
                return not_in_doubt();
            };
            let resolved = match outcome {
                WithdrawalOutcome::Accepted(exchange_id) => {
                    accepted(database, (withdrawal, &account), exchange_id, now)?
                }
                WithdrawalOutcome::NotSent => not_sent(withdrawal, &account, now),
                WithdrawalOutcome::Completed => completed(withdrawal, &account),
                WithdrawalOutcome::Failed => failed(withdrawal, &account, now),
            };
            match resolved {
                Ok(resolved) => exchange_withdrawal::update(database, &resolved).map(Ok),
                Err(error) => Ok(Err(error)),
            }
        })?
    }
}

/// Whether the operator may resolve it. One that the exchange has accepted is in doubt if it is not listed so, again and again.
fn is_in_doubt(withdrawal: &StoredWithdrawal) -> bool {
    match withdrawal.status {
        ExchangeWithdrawalStatus::Unknown => true,
        ExchangeWithdrawalStatus::Accepted => withdrawal.absences >= ABSENCES_MIN,
        _ => false,
    }
}

/// Whether the request of a withdrawal has no effect if it still arrives. Answers to later questions with its key prove that a request
/// of a lower nonce is refused. Another key has nonces of its own: then, and if nothing is answered, a day must pass.
fn is_over(withdrawal: &StoredWithdrawal, account: &StoredAccount, now: Timestamp) -> bool {
    let is_answered = withdrawal.absences >= ABSENCES_MIN;
    let is_of_key = withdrawal.sent_key == Some(account.key_changes);
    let state = &withdrawal.state;
    let is_failing = |since| now.since(since) > ON_ITS_WAY_MAX;
    let asks_in_vain =
        state.failures >= ABSENCES_MIN && state.failing_since.is_some_and(is_failing);
    let is_old = now.since(sent_at(withdrawal)) > ON_ITS_WAY_MAX;
    (is_answered && is_of_key) || (is_old && (is_answered || asks_in_vain))
}

/// The withdrawal as one that the exchange never got.
fn not_sent(
    withdrawal: StoredWithdrawal,
    account: &StoredAccount,
    now: Timestamp,
) -> Result<StoredWithdrawal, ExchangeWithdrawalError> {
    if withdrawal.exchange_id.is_some() {
        return Err(ExchangeWithdrawalError::Sent(withdrawal.id));
    }
    match is_over(&withdrawal, account, now) {
        true => Ok(ended(withdrawal, ExchangeWithdrawalStatus::NotSent)),
        false => Err(ExchangeWithdrawalError::TooEarly(withdrawal.id)),
    }
}

/// The withdrawal as one whose money has left, once the stored balances are less by it.
fn completed(
    withdrawal: StoredWithdrawal,
    account: &StoredAccount,
) -> Result<StoredWithdrawal, ExchangeWithdrawalError> {
    if withdrawal.exchange_id.is_none() {
        return Err(ExchangeWithdrawalError::NotAccepted(withdrawal.id));
    }
    match is_subtracted(withdrawal.accepted_nonce, account.balances_nonce) {
        true => Ok(ended(withdrawal, ExchangeWithdrawalStatus::Completed)),
        false => Err(ExchangeWithdrawalError::NotSubtracted(withdrawal.id)),
    }
}

/// The withdrawal as one whose money stays in the account.
fn failed(
    withdrawal: StoredWithdrawal,
    account: &StoredAccount,
    now: Timestamp,
) -> Result<StoredWithdrawal, ExchangeWithdrawalError> {
    if withdrawal.exchange_id.is_none() {
        return Err(ExchangeWithdrawalError::NotAccepted(withdrawal.id));
    }
    // An id that the operator has entered does not prove that the request has arrived.
    let is_entered = withdrawal.id_source == Some(ExchangeIdSource::Operator);
    match is_entered && !is_over(&withdrawal, account, now) {
        true => Err(ExchangeWithdrawalError::TooEarly(withdrawal.id)),
        false => Ok(ended(withdrawal, ExchangeWithdrawalStatus::Failed)),
    }
}

fn ended(withdrawal: StoredWithdrawal, status: ExchangeWithdrawalStatus) -> StoredWithdrawal {
    StoredWithdrawal {
        status,
        ..withdrawal
    }
}

/// The withdrawal as the exchange's one of an id.
fn accepted(
    database: &mut dyn Database,
    (withdrawal, account): (StoredWithdrawal, &StoredAccount),
    exchange_id: &str,
    now: Timestamp,
) -> Result<Result<StoredWithdrawal, ExchangeWithdrawalError>, StoreError> {
    let id = exchange_id.to_owned();
    if withdrawal.id_source == Some(ExchangeIdSource::Answer) {
        return Ok(Err(ExchangeWithdrawalError::IdAnswered(withdrawal.id)));
    }
    if !is_id(exchange_id) {
        return Ok(Err(ExchangeWithdrawalError::ExchangeId(id)));
    }
    if is_known_before(&withdrawal, exchange_id)? {
        return Ok(Err(ExchangeWithdrawalError::KnownBefore(id)));
    }
    if exchange_withdrawal::is_of_another(database, &withdrawal, exchange_id)? {
        return Ok(Err(ExchangeWithdrawalError::OfAnother(id)));
    }
    Ok(Ok(StoredWithdrawal {
        status: ExchangeWithdrawalStatus::Accepted,
        exchange_id: Some(id),
        id_source: Some(ExchangeIdSource::Operator),
        refusal: None,
        absences: 0,
        accepted_nonce: Some(account.nonce),
        state: PollState::due_at(now),
        ..withdrawal
    }))
}

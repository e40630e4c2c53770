//! Sends the withdrawals from exchange accounts: each at most once, and its outcome is asked for until it is known.
//!
//! A withdrawal is Sending in the database before its request leaves. The exchange takes no client id, so listed ids are
//! stored before sending. After a lost answer, the single new entry with the same terms is ours. Otherwise the operator decides.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::access::Access;
use super::instruction::{ASK_INTERVAL, distance};
use super::kraken::retry_delay;
use super::withdrawal_error::joined;
use super::withdrawal_state::{
    ask_at, is_known_before, named, reason, record_doubt, record_failure, refuse,
};
use super::withdrawals::faults_of_queued;
use super::{ExchangeError, SignedRequest, kraken_withdrawals};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange::{self, StoredAccount};
use crate::store::exchange_withdrawal::{
    self, ExchangeIdSource, ExchangeWithdrawalStatus, StoredWithdrawal,
};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// How long a withdrawal waits for a server: the operator does not expect it any more.
const QUEUED_MAX: Duration = Duration::from_secs(60 * 60);

/// How old address, fee and list may be when the request leaves.
const CHECK_MAX: Duration = Duration::from_secs(30);

/// The purpose of a round about a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WithdrawalTask {
    /// Asks for address, fee and list.
    Check,
    /// Sends it.
    Send,
    /// Looks for it in the list.
    Find,
}

/// The next task about a withdrawal with its requests; `None` if the withdrawal has ended.
pub(super) fn begin(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    (account, access): (&StoredAccount, Access<'_>),
) -> Result<Option<(WithdrawalTask, Vec<SignedRequest>)>, StoreError> {
    let now = unit.now;
    let state = withdrawal.state.after_request(now);
    let asked = StoredWithdrawal {
        state,
        ..withdrawal.clone()
    };
    if withdrawal.status != ExchangeWithdrawalStatus::Queued {
        let status = match withdrawal.status {
            // No server has reported the answer.
            ExchangeWithdrawalStatus::Sending => ExchangeWithdrawalStatus::Unknown,
            status => status,
        };
        exchange_withdrawal::update(unit.database, &StoredWithdrawal { status, ..asked })?;
        let requests = vec![kraken_withdrawals::list(access, 0, &withdrawal)];
        return Ok(Some((WithdrawalTask::Find, requests)));
    }
    if distance(now, withdrawal.created_at) > QUEUED_MAX {
        let late = "no server sent it within an hour of its time";
        let late = match &withdrawal.state.last_error {
            Some(error) => format!("{late}; the last error: {error}"),
            None => late.to_owned(),
        };
        refuse(unit, withdrawal, &late)?;
        return Ok(None);
    }
    // The balances cannot be read now, and an order has ended since.
    if !account.shows_ended_orders() {
        ask_at(unit, withdrawal, account.state.due_at)?;
        return Ok(None);
    }
    let faults = faults_of_queued(unit.database, (&withdrawal, account), now)?;
    if !faults.is_empty() {
        refuse(unit, withdrawal, &joined(&faults))?;
        return Ok(None);
    }
    let checked_at = withdrawal.checked_at;
    if checked_at.is_none_or(|at| distance(now, at) > CHECK_MAX) {
        exchange_withdrawal::update(unit.database, &asked)?;
        let requests = kraken_withdrawals::check(access, &withdrawal);
        return Ok(Some((WithdrawalTask::Check, requests)));
    }
    let sending = StoredWithdrawal {
        status: ExchangeWithdrawalStatus::Sending,
        sent_at: Some(now),
        sent_key: Some(account.key_changes),
        ..asked
    };
    exchange_withdrawal::update(unit.database, &sending)?;
    let requests = vec![kraken_withdrawals::withdraw(access, &sending)];
    Ok(Some((WithdrawalTask::Send, requests)))
}

/// Records that a withdrawal can be neither sent nor asked for: the credentials of its account are damaged.
pub(super) fn record_no_credentials(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    error: ExchangeError,
) -> Result<(), StoreError> {
    match withdrawal.status {
        ExchangeWithdrawalStatus::Queued => refuse(unit, withdrawal, &error.to_string()),
        // The operator may resolve it.
        ExchangeWithdrawalStatus::Sending => {
            let unknown = StoredWithdrawal {
                status: ExchangeWithdrawalStatus::Unknown,
                ..withdrawal
            };
            record_failure(unit, unknown, (error, Duration::ZERO))
        }
        _ => record_failure(unit, withdrawal, (error, Duration::ZERO)),
    }
}

/// Records the answer to the request that withdraws, in the round of its id and this time. An accepted withdrawal is followed, whenever
/// the answer comes; every other one is looked for.
pub(super) fn record_sent(
    unit: &mut Unit<'_>,
    (id, asked_at): (&str, Timestamp),
    answer: &WebAnswer,
) -> Result<(), StoreError> {
    let withdrawal = exchange_withdrawal::lock(unit.database, id)?;
    let is_of_round = |withdrawal: &StoredWithdrawal| withdrawal.sent_at == Some(asked_at);
    let Some(withdrawal) = withdrawal.filter(is_of_round) else {
        return Ok(());
    };
    let parsed = kraken_withdrawals::parse_accepted(answer);
    match (withdrawal.status, parsed) {
        (
            ExchangeWithdrawalStatus::Sending | ExchangeWithdrawalStatus::Unknown,
            Ok(exchange_id),
        ) => record_accepted(unit, withdrawal, exchange_id),
        (ExchangeWithdrawalStatus::Sending, Err(error)) => {
            let unknown = StoredWithdrawal {
                status: ExchangeWithdrawalStatus::Unknown,
                ..withdrawal
            };
            if !error.is_final() {
                return record_failure(unit, unknown, (error, retry_delay(answer, error)));
            }
            // A repeated request may have been refused, and the first one not.
            let refused = StoredWithdrawal {
                refusal: Some(reason(answer, error)),
                ..unknown
            };
            ask_at(unit, refused, unit.now.plus(ASK_INTERVAL))
        }
        (_, Ok(exchange_id)) => record_late(unit, withdrawal, exchange_id),
        _ => Ok(()),
    }
}

/// Records an answer that names an id when the withdrawal has one, or has ended. The exchange's answer counts more than a search and an
/// operator.
fn record_late(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    exchange_id: String,
) -> Result<(), StoreError> {
    let is_accepted = withdrawal.status == ExchangeWithdrawalStatus::Accepted;
    if withdrawal.exchange_id.as_ref() == Some(&exchange_id) {
        let answered = StoredWithdrawal {
            id_source: Some(ExchangeIdSource::Answer),
            ..withdrawal
        };
        return exchange_withdrawal::update(unit.database, &answered);
    }
    let known = match (&withdrawal.exchange_id, withdrawal.status) {
        (Some(known), _) => format!("was taken for {known}"),
        (None, ExchangeWithdrawalStatus::NotSent) => "was entered as not sent".to_owned(),
        (None, _) => "was recorded as refused".to_owned(),
    };
    unit.failures.push(format!(
        "the exchange accepted {} as {exchange_id}, but it {known}: look at the exchange",
        named(&withdrawal)
    ));
    let is_replaced = is_accepted
        && withdrawal.id_source != Some(ExchangeIdSource::Answer)
        && !is_reused(unit, &withdrawal, &exchange_id)?;
    match is_replaced {
        true => accept(unit, withdrawal, exchange_id),
        false => Ok(()),
    }
}

/// Records the exchange's id, unless it is of another withdrawal.
fn record_accepted(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    exchange_id: String,
) -> Result<(), StoreError> {
    if is_reused(unit, &withdrawal, &exchange_id)? {
        let unknown = StoredWithdrawal {
            status: ExchangeWithdrawalStatus::Unknown,
            ..withdrawal
        };
        let error = format!("the exchange answered with {exchange_id}, which is another one");
        return record_doubt(unit, unknown, error);
    }
    accept(unit, withdrawal, exchange_id)
}

/// Whether an id is that of another withdrawal.
fn is_reused(
    unit: &mut Unit<'_>,
    withdrawal: &StoredWithdrawal,
    exchange_id: &str,
) -> Result<bool, StoreError> {
    Ok(is_known_before(withdrawal, exchange_id)?
        || exchange_withdrawal::is_of_another(unit.database, withdrawal, exchange_id)?)
}

/// Follows the withdrawal by the id of the exchange's answer.
fn accept(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    exchange_id: String,
) -> Result<(), StoreError> {
    let now = unit.now;
    let accepted = StoredWithdrawal {
        status: ExchangeWithdrawalStatus::Accepted,
        exchange_id: Some(exchange_id),
        id_source: Some(ExchangeIdSource::Answer),
        hash: None,
        absences: 0,
        accepted_nonce: exchange::last_nonce(unit.database, &withdrawal.account)?,
        state: withdrawal.state.after_success(now, now, None),
        ..withdrawal
    };
    exchange_withdrawal::update(unit.database, &accepted)
}

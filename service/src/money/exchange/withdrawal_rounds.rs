//! Sends the withdrawals from exchange accounts: each at most once, and its outcome is asked for until it is known.
//!
//! A withdrawal is Sending in the database before its request leaves. The exchange takes no id of ours, so the ids that it lists are
//! stored before: after a lost answer, the only new one with the same terms is ours. Otherwise the operator decides.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::access::Access;
use super::instruction::{self, ABSENCES_MIN, ASK_INTERVAL, ask_interval, distance};
use super::kraken::{refusal_text, retry_delay};
use super::withdrawal_error::joined;
use super::withdrawal_outcome::is_known_before;
use super::withdrawals::faults_of_queued;
use super::{ExchangeError, SignedRequest, kraken_withdrawals};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange::StoredAccount;
use crate::store::exchange_withdrawal::{self, ExchangeWithdrawalStatus, StoredWithdrawal};
use crate::store::poll_state::BACK_OFF_MAX;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// How long a withdrawal waits for a server: the operator does not expect it any more.
const QUEUED_MAX: Duration = Duration::from_secs(60 * 60);

/// How old address, fee and list may be when the request leaves.
const CHECK_MAX: Duration = Duration::from_secs(30);

/// What a round about a withdrawal does.
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
        refuse(
            unit,
            withdrawal,
            "no server sent it within an hour of its time",
        )?;
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
        _ => record_failure(unit, withdrawal, (error, Duration::ZERO)),
    }
}

/// The withdrawal, if the question of this time is the latest about it.
pub(super) fn lock_asked(
    unit: &mut Unit<'_>,
    (id, asked_at): (&str, Timestamp),
) -> Result<Option<StoredWithdrawal>, StoreError> {
    let withdrawal = exchange_withdrawal::lock(unit.database, id)?;
    Ok(withdrawal.filter(|withdrawal| withdrawal.state.asked_at == asked_at))
}

/// The error, with the exchange's own text if it is a refusal.
pub(super) fn reason(answer: &WebAnswer, error: ExchangeError) -> String {
    match refusal_text(answer) {
        Some(text) => format!("{error}: {text}"),
        None => error.to_string(),
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
        (ExchangeWithdrawalStatus::NotSent, Ok(exchange_id)) => {
            unit.failures.push(format!(
                "the exchange accepted withdrawal {id} from {} as {exchange_id}, which was entered as not sent: look at the exchange",
                withdrawal.account
            ));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Records the exchange's id, unless it is of another withdrawal.
fn record_accepted(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    exchange_id: String,
) -> Result<(), StoreError> {
    let is_reused = is_known_before(&withdrawal, &exchange_id)?
        || exchange_withdrawal::is_of_another(unit.database, &withdrawal, &exchange_id)?;
    if is_reused {
        let unknown = StoredWithdrawal {
            status: ExchangeWithdrawalStatus::Unknown,
            ..withdrawal
        };
        let error = format!("the exchange answered with {exchange_id}, which is another one");
        return record_doubt(unit, unknown, error);
    }
    let now = unit.now;
    let accepted = StoredWithdrawal {
        status: ExchangeWithdrawalStatus::Accepted,
        exchange_id: Some(exchange_id),
        accepted_at: Some(now),
        state: withdrawal.state.after_success(now, now, None),
        ..withdrawal
    };
    exchange_withdrawal::update(unit.database, &accepted)
}

/// When the request left, at the earliest.
pub(super) fn sent_at(withdrawal: &StoredWithdrawal) -> Timestamp {
    withdrawal.sent_at.unwrap_or(withdrawal.created_at)
}

/// Names a withdrawal in the log.
pub(super) fn named(withdrawal: &StoredWithdrawal) -> String {
    format!(
        "withdrawal {} of {} {} from {}",
        withdrawal.id, withdrawal.amount, withdrawal.currency, withdrawal.account
    )
}

/// Records an answer that does not tell which withdrawal it is, and asks again. The operator is told when it may be the operator's to
/// decide.
pub(super) fn record_doubt(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    error: String,
) -> Result<(), StoreError> {
    let now = unit.now;
    let absences = withdrawal.absences.saturating_add(1);
    if absences == ABSENCES_MIN {
        unit.failures.push(format!(
            "{} is in doubt: {error}: look for it at the exchange, then use `settlekit exchange resolve-withdrawal`",
            named(&withdrawal)
        ));
    }
    let at = now.plus(ask_interval(absences, BACK_OFF_MAX));
    let doubted = StoredWithdrawal {
        absences,
        state: withdrawal.state.after_success(now, at, Some(error)),
        ..withdrawal
    };
    exchange_withdrawal::update(unit.database, &doubted)
}

/// Records that the exchange could not be asked; asks again after a back-off.
pub(super) fn record_failure(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    (error, pause): (ExchangeError, Duration),
) -> Result<(), StoreError> {
    let error = error.to_string();
    let state = withdrawal.state.after_refusal(unit.now, &error, pause);
    if state.failures == 1 {
        let what = match withdrawal.status {
            ExchangeWithdrawalStatus::Queued => "cannot be checked yet",
            _ => "has no known outcome yet",
        };
        unit.failures
            .push(format!("{} {what}: {error}", named(&withdrawal)));
    }
    exchange_withdrawal::update(
        unit.database,
        &StoredWithdrawal {
            state,
            ..withdrawal
        },
    )
}

/// Asks again at a time, after an answer.
fn ask_at(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    at: Timestamp,
) -> Result<(), StoreError> {
    let state = instruction::asked_again_at(&withdrawal.state, unit.now, at);
    exchange_withdrawal::update(
        unit.database,
        &StoredWithdrawal {
            state,
            ..withdrawal
        },
    )
}

/// Ends a withdrawal that has moved no money.
pub(super) fn refuse(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    error: &str,
) -> Result<(), StoreError> {
    unit.failures
        .push(format!("{} is refused: {error}", named(&withdrawal)));
    let status = ExchangeWithdrawalStatus::Refused;
    end(unit, withdrawal, (status, Some(error)))
}

pub(super) fn end(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    (status, error): (ExchangeWithdrawalStatus, Option<&str>),
) -> Result<(), StoreError> {
    let now = unit.now;
    let error = error.map(str::to_owned);
    let ended = StoredWithdrawal {
        status,
        state: withdrawal.state.after_success(now, now, error),
        ..withdrawal
    };
    exchange_withdrawal::update(unit.database, &ended)
}

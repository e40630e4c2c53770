//! The steps of a withdrawal that its check, its sending and the search for its outcome share.

use std::collections::BTreeSet;
use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::ExchangeError;
use super::instruction::{self, ABSENCES_MIN, ask_interval};
use super::kraken::refusal_text;
use crate::money::web_answer::WebAnswer;
use crate::store::exchange_withdrawal::{self, ExchangeWithdrawalStatus, StoredWithdrawal};
use crate::store::poll_state::BACK_OFF_MAX;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The withdrawal, if it has a status and the question of this time is the latest about it.
pub(super) fn lock_asked(
    unit: &mut Unit<'_>,
    (id, asked_at): (&str, Timestamp),
    statuses: &[ExchangeWithdrawalStatus],
) -> Result<Option<StoredWithdrawal>, StoreError> {
    let withdrawal = exchange_withdrawal::lock(unit.database, id)?;
    let is_latest = |withdrawal: &StoredWithdrawal| {
        statuses.contains(&withdrawal.status) && withdrawal.state.asked_at == asked_at
    };
    Ok(withdrawal.filter(is_latest))
}

/// The error, with the exchange's own text if it is a refusal.
pub(super) fn reason(answer: &WebAnswer, error: ExchangeError) -> String {
    match refusal_text(answer) {
        Some(text) => format!("{error}: {text}"),
        None => error.to_string(),
    }
}

/// Whether the exchange listed an id before the withdrawal was sent.
pub(super) fn is_known_before(
    withdrawal: &StoredWithdrawal,
    exchange_id: &str,
) -> Result<bool, StoreError> {
    Ok(known_ids(withdrawal)?.contains(exchange_id))
}

/// The ids that the exchange listed before a withdrawal was sent.
pub(super) fn known_ids(withdrawal: &StoredWithdrawal) -> Result<BTreeSet<String>, StoreError> {
    let damaged = || StoreError::Damaged("a sent withdrawal has no list of before".to_owned());
    let ids = withdrawal.known_ids.as_deref().ok_or_else(damaged)?;
    serde_json::from_str(ids).map_err(|_| damaged())
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

/// Records an answer that does not identify the withdrawal, and asks again. The operator is told when it may be the operator's to
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
pub(super) fn ask_at(
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

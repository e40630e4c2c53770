//! Reads the outcome of a withdrawal from the exchange's list: by its id, or by a new entry after a lost answer.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::balances::is_subtracted;
use super::instruction::{ABSENCES_MIN, ASK_INTERVAL};
use super::kraken::retry_delay;
use super::kraken_withdrawals::{self, ListedStatus, ListedWithdrawal, OLDER_MAX};
use super::withdrawal_state::{
    end, known_ids, lock_asked, named as withdrawal_named, record_doubt, record_failure, refuse,
    sent_at,
};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange;
use crate::store::exchange_withdrawal::{
    self, ExchangeIdSource, ExchangeWithdrawalStatus, StoredWithdrawal,
};
use crate::store::poll_state::PollState;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The interval between two questions about a withdrawal that the exchange is working on.
const FOLLOW_INTERVAL: Duration = Duration::from_secs(30);

/// The most withdrawals that may be ours: an error names them.
const CANDIDATES_MAX: usize = 5;

/// Records the exchange's list, in the round of a withdrawal's id and this time.
pub(super) fn record(
    unit: &mut Unit<'_>,
    round: (&str, Timestamp),
    answer: &WebAnswer,
) -> Result<(), StoreError> {
    let statuses = [
        ExchangeWithdrawalStatus::Unknown,
        ExchangeWithdrawalStatus::Accepted,
    ];
    let Some(withdrawal) = lock_asked(unit, round, &statuses)? else {
        return Ok(());
    };
    let listed = match kraken_withdrawals::parse_list(answer) {
        Ok(listed) => listed,
        Err(error) => {
            let delay = retry_delay(answer, error);
            return record_failure(unit, withdrawal, (error, delay));
        }
    };
    match withdrawal.exchange_id.clone() {
        Some(exchange_id) => record_followed(unit, withdrawal, (&exchange_id, &listed)),
        None => record_search(unit, withdrawal, &listed),
    }
}

/// Records the state of a withdrawal whose id is known.
fn record_followed(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    (exchange_id, listed): (&str, &[ListedWithdrawal]),
) -> Result<(), StoreError> {
    match listed.iter().find(|one| one.id == exchange_id) {
        Some(one) if one.has_terms_of(&withdrawal) => follow(unit, withdrawal, one),
        Some(_) => {
            let error = format!("the exchange lists {exchange_id} with other terms");
            record_doubt(unit, withdrawal, error)
        }
        None => {
            let error = format!("the exchange does not list {exchange_id}");
            record_doubt(unit, withdrawal, error)
        }
    }
}

/// Looks for a withdrawal whose answer was lost.
fn record_search(
    unit: &mut Unit<'_>,
    withdrawal: StoredWithdrawal,
    listed: &[ListedWithdrawal],
) -> Result<(), StoreError> {
    let known = known_ids(&withdrawal)?;
    let earliest = sent_at(&withdrawal).minus(OLDER_MAX).seconds();
    let new = listed.iter().filter(|one| {
        one.time >= earliest && !known.contains(&one.id) && one.has_terms_of(&withdrawal)
    });
    let mut candidates = Vec::new();
    for one in new {
        if !exchange_withdrawal::is_of_another(unit.database, &withdrawal, &one.id)? {
            candidates.push(one);
        }
        // More would change nothing.
        if candidates.len() == CANDIDATES_MAX {
            break;
        }
    }
    let named = || {
        let ids = candidates.iter().map(|one| one.id.as_str());
        ids.collect::<Vec<_>>().join(", ")
    };
    match (candidates.as_slice(), withdrawal.refusal.clone()) {
        // A list may lag.
        ([], Some(refusal)) if withdrawal.absences == 0 => record_doubt(unit, withdrawal, refusal),
        ([], Some(refusal)) => refuse(unit, withdrawal, &refusal),
        ([], None) => {
            let error = withdrawal.state.last_error.clone();
            let error = error.unwrap_or_else(|| "no server reported the answer".to_owned());
            record_doubt(unit, withdrawal, error)
        }
        ([one], None) => {
            let accepted = StoredWithdrawal {
                status: ExchangeWithdrawalStatus::Accepted,
                exchange_id: Some(one.id.clone()),
                id_source: Some(ExchangeIdSource::List),
                accepted_nonce: exchange::last_nonce(unit.database, &withdrawal.account)?,
                ..withdrawal
            };
            follow(unit, accepted, one)
        }
        (_, None) => {
            let error = format!(
                "the exchange lists several new withdrawals like it: {}",
                named()
            );
            record_doubt(unit, withdrawal, error)
        }
        (_, Some(refusal)) => {
            let error = format!("{refusal}; but the exchange lists {}", named());
            unit.failures
                .push(format!("{}: {error}", withdrawal_named(&withdrawal)));
            // A list may lag: a withdrawal that was listed once was not refused.
            let doubted = StoredWithdrawal {
                refusal: None,
                ..withdrawal
            };
            record_doubt(unit, doubted, error)
        }
    }
}

/// Records the exchange's entry of an accepted withdrawal.
fn follow(
    unit: &mut Unit<'_>,
    accepted: StoredWithdrawal,
    listed: &ListedWithdrawal,
) -> Result<(), StoreError> {
    let now = unit.now;
    let at = now.plus(FOLLOW_INTERVAL);
    let absences = accepted.absences.saturating_add(1);
    let known = StoredWithdrawal {
        hash: listed.hash.or(accepted.hash),
        fee: Some(listed.fee),
        absences: 0,
        state: accepted.state.after_success(now, at, None),
        ..accepted
    };
    let wait = match listed.status {
        // An ended one is subtracted from no balance.
        ListedStatus::Success => wait_for_balances(unit, &known)?,
        ListedStatus::UnderWay | ListedStatus::Failure => None,
    };
    if let Some(wait) = wait {
        let state = known.state.after_success(now, now.plus(wait), None);
        return exchange_withdrawal::update(unit.database, &StoredWithdrawal { state, ..known });
    }
    match listed.status {
        ListedStatus::UnderWay => exchange_withdrawal::update(unit.database, &known),
        // The transaction may be listed a little later.
        ListedStatus::Success if known.hash.is_none() && absences < ABSENCES_MIN => {
            let waiting = StoredWithdrawal { absences, ..known };
            exchange_withdrawal::update(unit.database, &waiting)
        }
        ListedStatus::Success => end(unit, known, (ExchangeWithdrawalStatus::Completed, None)),
        ListedStatus::Failure => {
            let error = "the exchange has given it up; the money stays in the account";
            unit.failures
                .push(format!("{}: {error}", withdrawal_named(&known)));
            end(unit, known, (ExchangeWithdrawalStatus::Failed, Some(error)))
        }
    }
}

/// How long an accepted withdrawal waits until the stored balances of the account are less by it; `None` if they are. They are read next,
/// unless the exchange has not answered about them: then it is left alone for a while.
fn wait_for_balances(
    unit: &mut Unit<'_>,
    withdrawal: &StoredWithdrawal,
) -> Result<Option<Duration>, StoreError> {
    let account = exchange::lock(unit.database, &withdrawal.account)?;
    let Some(account) = account else {
        return Ok(Some(FOLLOW_INTERVAL));
    };
    if is_subtracted(withdrawal.accepted_nonce, account.balances_nonce) {
        return Ok(None);
    }
    if account.state.failures > 0 {
        return Ok(Some(FOLLOW_INTERVAL));
    }
    let state = PollState {
        due_at: unit.now,
        ..account.state
    };
    exchange::set_state(unit.database, &account.name, &state)?;
    Ok(Some(ASK_INTERVAL))
}

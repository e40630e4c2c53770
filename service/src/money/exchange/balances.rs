//! Reads the balances of exchange accounts, each at its own pace.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::access::Access;
use super::{ExchangeError, SignedRequest, kraken};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange::{self, StoredAccount};
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The time from one success to the next round.
const READ_INTERVAL: Duration = Duration::from_secs(60);

pub(super) fn request(
    unit: &mut Unit<'_>,
    account: &StoredAccount,
    access: Access<'_>,
) -> Result<Vec<SignedRequest>, StoreError> {
    let state = account.state.after_request(unit.now);
    exchange::set_state(unit.database, &account.name, &state)?;
    let Access {
        url,
        credentials,
        nonce,
    } = access;
    Ok(vec![kraken::balances_request(url, credentials, nonce)])
}

/// Records the answer to the question of a time.
pub(super) fn record(
    unit: &mut Unit<'_>,
    account: &StoredAccount,
    (asked_at, answer): (Timestamp, &WebAnswer),
) -> Result<(), StoreError> {
    // Replaced, or asked again.
    if account.state.asked_at != asked_at {
        return Ok(());
    }
    match kraken::parse_balances(answer) {
        Ok(balances) => {
            exchange::set_balances(unit.database, &account.name, &balances)?;
            let due_at = unit.now.plus(READ_INTERVAL);
            let state = account.state.after_success(unit.now, due_at, None);
            exchange::set_state(unit.database, &account.name, &state)
        }
        Err(error) => record_failure(unit, account, (error, kraken::retry_delay(answer, error))),
    }
}

pub(super) fn record_failure(
    unit: &mut Unit<'_>,
    account: &StoredAccount,
    (error, pause): (ExchangeError, Duration),
) -> Result<(), StoreError> {
    let name = &account.name;
    let state = account
        .state
        .after_refusal(unit.now, &error.to_string(), pause);
    if state.failures == 1 {
        unit.failures
            .push(format!("the balances of {name} cannot be read: {error}"));
    }
    exchange::set_state(unit.database, name, &state)
}

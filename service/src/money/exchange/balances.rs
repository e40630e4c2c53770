//! Reads the balances of exchange accounts, each at its own pace.

use std::time::Duration;

use settlekit_core::value::{Amount, Timestamp};

use super::access::Access;
use super::instruction::distance;
use super::{ExchangeError, Side, SignedRequest, kraken};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange::{self, StoredAccount};
use crate::store::exchange_order::{self, Given};
use crate::store::exchange_withdrawal;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// The time from one success to the next round.
const READ_INTERVAL: Duration = Duration::from_secs(60);

/// The age from which a balance covers no quote: five rounds.
const AGE_MAX: Duration = Duration::from_secs(5 * 60);

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

/// Whether balances of a time cover nothing any more. A time ahead is another clock's.
pub(super) fn are_old(read_at: Option<Timestamp>, now: Timestamp) -> bool {
    read_at.is_none_or(|at| distance(now, at) >= AGE_MAX)
}

/// The free balance of an account in a currency: less the part that open orders hold, the amounts that orders under way may give, and
/// the withdrawals that the balance does not show yet. `None` if the balance is unknown or old.
pub(crate) fn free_balance(
    database: &mut dyn Database,
    (account, currency): (&str, &str),
    now: Timestamp,
) -> Result<Option<Amount>, StoreError> {
    let Some((balance, read_at)) = exchange::balance(database, (account, currency))? else {
        return Ok(None);
    };
    if are_old(read_at, now) {
        return Ok(None);
    }
    let given = exchange_order::given(database, account)?;
    let mut given = given.iter().filter(|given| currency_of(given) == currency);
    let free = balance.total.minus(balance.reserved).ok();
    // An amount that cannot be computed covers nothing.
    let free = given
        .try_fold(free, |free, given| {
            Some(free?.minus(amount_of(given)?).ok())
        })
        .flatten();
    let leaving = exchange_withdrawal::under_way(database, account)?;
    let mut leaving = leaving.iter().filter(|leaving| {
        // The exchange subtracts a withdrawal when it accepts it.
        let is_subtracted = leaving.accepted_at.is_some_and(|at| read_at > Some(at));
        leaving.currency.as_str() == currency && !is_subtracted
    });
    Ok(leaving
        .try_fold(free, |free, leaving| Some(free?.minus(leaving.amount).ok()))
        .flatten())
}

/// The currency that an order gives.
fn currency_of(given: &Given) -> &str {
    let symbols = given.market.split_once('/').unwrap_or_default();
    match given.side {
        Side::Sell => symbols.0,
        Side::Buy => symbols.1,
    }
}

/// The most that an order gives, without the fee.
fn amount_of(given: &Given) -> Option<Amount> {
    let units = |amount: Amount| amount.to_units(amount.scale()).ok();
    match given.side {
        Side::Sell => Some(given.volume),
        Side::Buy => {
            let cost = units(given.volume)?.checked_mul(units(given.price)?)?;
            let scale = given.volume.scale().checked_add(given.price.scale())?;
            Amount::from_units(cost, scale).ok()
        }
    }
}

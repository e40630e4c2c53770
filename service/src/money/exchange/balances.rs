//! Reads the balances of exchange accounts, each at its own pace.

use std::time::Duration;

use settlekit_core::value::{Amount, Timestamp};

use super::access::Access;
use super::instruction::distance;
use super::{ExchangeError, Side, SignedRequest, kraken};
use crate::money::web_answer::WebAnswer;
use crate::store::exchange::{self, StoredAccount};
use crate::store::exchange_market;
use crate::store::exchange_order::{self, OpenOrderTerms};
use crate::store::exchange_withdrawal;
use crate::store::execution::OrderTerms;
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

/// Records the answer to the question of a time, which had a nonce.
pub(super) fn record(
    unit: &mut Unit<'_>,
    account: &StoredAccount,
    ((asked_at, nonce), answer): ((Timestamp, u64), &WebAnswer),
) -> Result<(), StoreError> {
    // Replaced, or asked again.
    if account.state.asked_at != asked_at || nonce <= account.balances_nonce {
        return Ok(());
    }
    match kraken::parse_balances(answer) {
        Ok(balances) => {
            exchange::set_balances(unit.database, (&account.name, nonce), &balances)?;
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

/// Whether balances of a request show a withdrawal, by the account's last nonce when the exchange's acceptance was recorded. A later
/// request has a higher nonce on every clock.
pub(super) fn is_subtracted(accepted_nonce: Option<u64>, balances_nonce: u64) -> bool {
    accepted_nonce.is_some_and(|nonce| balances_nonce > nonce)
}

/// The available balance of an account in a currency: less the part that open orders hold, the amounts that orders in progress may give,
/// and the withdrawals that the balance does not show yet. `None` if the balance is unknown or old.
pub(crate) fn available_balance(
    database: &mut dyn Database,
    of: (&str, &str),
    now: Timestamp,
) -> Result<Option<Amount>, StoreError> {
    available_balance_beside(database, of, now, &[])
}

/// The available balance of an account in a currency, less the amounts that other orders may give.
pub(crate) fn available_balance_beside(
    database: &mut dyn Database,
    (account, currency): (&str, &str),
    now: Timestamp,
    others: &[&OrderTerms],
) -> Result<Option<Amount>, StoreError> {
    let Some(read) = exchange::balance(database, (account, currency))? else {
        return Ok(None);
    };
    if are_old(read.read_at, now) {
        return Ok(None);
    }
    let mut given = exchange_order::given(database, account)?;
    let others = others.iter().filter(|terms| terms.account == account);
    given.extend(others.map(|terms| OpenOrderTerms {
        market: terms.market.clone(),
        side: Side::of_terms(terms),
        volume: terms.volume,
        price: terms.limit,
    }));
    let mut available = read.balance.total.minus(read.balance.reserved).ok();
    for given in given.iter().filter(|given| currency_of(given) == currency) {
        let of = (account, given.market.as_str());
        let market = exchange_market::find(database, of)?;
        let fee = market.map_or(0, |market| market.terms.fee);
        // An amount that cannot be computed covers nothing.
        let amount = amount_of(given, fee);
        available = available
            .zip(amount)
            .and_then(|(available, amount)| available.minus(amount).ok());
    }
    let leaving = exchange_withdrawal::under_way(database, account)?;
    let mut leaving = leaving.iter().filter(|leaving| {
        // The exchange subtracts a withdrawal when it accepts it.
        let is_subtracted = is_subtracted(leaving.accepted_nonce, read.nonce);
        leaving.currency.as_str() == currency && !is_subtracted
    });
    Ok(leaving
        .try_fold(available, |available, leaving| {
            Some(available?.minus(leaving.amount).ok())
        })
        .flatten())
}

/// The currency that an order gives.
fn currency_of(given: &OpenOrderTerms) -> &str {
    let symbols = given.market.split_once('/').unwrap_or_default();
    match given.side {
        Side::Sell => symbols.0,
        Side::Buy => symbols.1,
    }
}

/// The most that an order gives. A buyer pays the fee, in millionths of the cost, on top of it.
fn amount_of(given: &OpenOrderTerms, fee: u32) -> Option<Amount> {
    let units = |amount: Amount| amount.to_units(amount.scale()).ok();
    match given.side {
        Side::Sell => Some(given.volume),
        Side::Buy => {
            let cost = units(given.volume)?.checked_mul(units(given.price)?)?;
            let scale = given.volume.scale().checked_add(given.price.scale())?;
            let fee = units_of_fee(cost, fee)?;
            Amount::from_units(cost.checked_add(fee)?, scale).ok()
        }
    }
}

/// The fee of a cost, rounded up.
fn units_of_fee(cost: i128, fee: u32) -> Option<i128> {
    let millionths = cost.checked_mul(i128::from(fee))?;
    Some(millionths.checked_add(999_999)? / 1_000_000)
}

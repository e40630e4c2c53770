//! The daily volume: what came from outside the organisation, and what left it. A transfer between its accounts counts neither way, even over
//! a chain.

use settlekit_core::account::Account;
use settlekit_core::value::ChainId;

use crate::money::test_network::is_test_network;
use crate::store;
use crate::store::movement::Worth;
use crate::store::own_transfer::{self, ChainTransfer};
use crate::store::sql::StoreError;
use crate::store::volume::Day;
use crate::unit::Unit;

/// Counts a booked deposit, unless an account of the organisation sent it.
pub(crate) fn count_deposit(
    unit: &mut Unit<'_>,
    transfer: &ChainTransfer<'_>,
    worth: &Worth,
) -> Result<(), StoreError> {
    if own_transfer::take(unit.database, transfer)? {
        return Ok(());
    }
    let change = Day {
        in_usd: worth.usd.unwrap_or(0),
        ..counted(unit, transfer.chain, worth.usd)?
    };
    let day = unit.now.day_number();
    store::volume::add(unit.database, transfer.organisation, day, &change)
}

/// Counts a booked withdrawal of an account, unless it goes to an account of the organisation. Then its deposit does not count either: it is
/// taken out of its day, or not counted when it is booked.
pub(crate) fn count_withdrawal(
    unit: &mut Unit<'_>,
    account: &Account,
    transfer: &ChainTransfer<'_>,
    worth: &Worth,
) -> Result<(), StoreError> {
    // The money of an unproven wallet is not the organisation's.
    if !account.may_receive() {
        return Ok(());
    }
    if !is_to_own_account(unit, transfer)? {
        let change = Day {
            out_usd: worth.usd.unwrap_or(0),
            ..counted(unit, transfer.chain, worth.usd)?
        };
        let day = unit.now.day_number();
        return store::volume::add(unit.database, transfer.organisation, day, &change);
    }
    own_transfer::delete_old(unit.database, transfer.organisation, unit.now)?;
    let Some((at, usd)) = own_transfer::booked_deposit(unit.database, transfer)? else {
        return own_transfer::insert(unit.database, transfer, unit.now);
    };
    let deposit = counted(unit, transfer.chain, usd)?;
    let change = Day {
        in_usd: -usd.unwrap_or(0),
        out_usd: 0,
        movements: -deposit.movements,
        unpriced: -deposit.unpriced,
    };
    let day = at.day_number();
    store::volume::add(unit.database, transfer.organisation, day, &change)
}

/// A movement without its worth. Money of a test network has none by itself.
fn counted(unit: &mut Unit<'_>, chain: ChainId, usd: Option<i128>) -> Result<Day, StoreError> {
    let is_unpriced = usd.is_none() && !is_test_network(unit, chain)?;
    Ok(Day {
        movements: 1,
        unpriced: i64::from(is_unpriced),
        ..Day::default()
    })
}

/// Whether a transfer goes to an account whose deposits count.
fn is_to_own_account(
    unit: &mut Unit<'_>,
    transfer: &ChainTransfer<'_>,
) -> Result<bool, StoreError> {
    let (organisation, to) = (transfer.organisation, (transfer.chain, transfer.to));
    let target = store::account::account_of_address(unit.database, organisation, to)?;
    let Some(target) = target else {
        return Ok(false);
    };
    let target = store::account::LISTING.find(unit.database, organisation, target)?;
    Ok(target.is_some_and(|target| target.may_receive()))
}

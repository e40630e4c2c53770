//! Books the fees of fee-on-transfer tokens on sweeps and on transfers from a retired hot wallet.
//!
//! The merchant's deposit keeps its amount. A fee on a sweep to the hot wallet is the operator's cost, like gas. A fee on a sweep to a
//! merchant's own wallet is the merchant's: an Adjustment.

use super::adjustment;
use super::followed::Followed;
use crate::resources::account::book::Money;
use crate::store;
use crate::store::held_transfer::HeldTransfer;
use crate::store::holding::Holding;
use crate::store::outgoing::Purpose;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The operator's cost if a token keeps this transfer, entered at the hot wallet in use: the operator makes up for it
/// there. A proxy pays its destination only: any other transfer from it is the token's fee.
pub(super) fn of_service(
    unit: &mut Unit<'_>,
    followed: &Followed,
    transfer: &HeldTransfer,
) -> Result<Option<Holding>, StoreError> {
    let (from, to) = (transfer.from, transfer.to);
    if followed.is_service_address(to) {
        return Ok(None);
    }
    let is_kept = match followed.proxy(from) {
        Some(_) => followed.is_operators(unit.database, from)?,
        None => {
            let sent = store::outgoing::by_hash(unit.database, transfer.hash)?;
            sent.is_some_and(|sent| {
                let is_sent_on = matches!(sent.purpose(), Purpose::SweepDerived | Purpose::Move);
                is_sent_on && sent.sender == from
            })
        }
    };
    let wallet = match is_kept {
        true => store::wallet::current_wallet(unit.database)?,
        false => None,
    };
    Ok(wallet.map(|wallet| Holding {
        address: wallet.address,
        currency: transfer.currency.clone(),
        units: -transfer.units,
    }))
}

/// Whether a token keeps this transfer from a proxy of a merchant's own wallet.
pub(super) fn is_of_own_wallet(
    unit: &mut Unit<'_>,
    followed: &Followed,
    transfer: &HeldTransfer,
) -> Result<bool, StoreError> {
    let Some(proxy) = followed.proxy(transfer.from) else {
        return Ok(false);
    };
    let is_kept = transfer.to != proxy.destination;
    Ok(is_kept && !followed.is_operators(unit.database, transfer.from)?)
}

/// Books a token's fee as an Adjustment of the account that has the proxy. A reorganisation may bring the same sweep again, so the
/// Adjustment is at most the excess of the books over the holding.
pub(super) fn book_for_own_wallet(
    unit: &mut Unit<'_>,
    transfer: &HeldTransfer,
) -> Result<(), StoreError> {
    let (chain, currency) = (transfer.chain, &transfer.currency);
    let proxy = format!("{:#x}", transfer.from);
    for target in store::account::by_address(unit.database, chain, currency, &proxy)? {
        let account = target.account;
        let owner = (account.org_id, account.id);
        let booked = store::ledger::balances(unit.database, owner.0, Some(owner.1))?;
        let mut booked = booked.iter();
        let booked = booked
            .find(|booked| booked.currency == *currency)
            .map_or(0, |booked| booked.posted);
        let held = store::holding::of_account(unit.database, chain, owner, currency)?;
        let kept = booked.saturating_sub(held).min(transfer.units);
        if kept > 0 {
            adjustment::book(unit, &account, &Money::new(currency, -kept))?;
        }
    }
    Ok(())
}

//! Shares of a deposit, sent as soon as it is booked.

use settlekit_core::account::{Account, DepositSplit};
use settlekit_core::value::{Amount, ChainId, Currency, WalletAddress};

use super::book::{self, Money};
use super::on_chain;
use super::split::{key_of, part, splits_of};
use crate::resources::payout::{self, NewPayout};
use crate::store;
use crate::store::destination::Destination;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// Sends the shares of a booked deposit. A share that cannot be sent stays on the account; deposits to the merchant's own wallet
/// are not shared.
pub(crate) fn share_out(
    unit: &mut Unit<'_>,
    account: &Account,
    (units, scale): (i128, u32),
    currency: &Currency,
) -> Result<(), StoreError> {
    if !account.is_held() {
        return Ok(());
    }
    let splits = splits_of(unit, account)?;
    let mut shares = Vec::with_capacity(splits.len());
    for split in splits {
        if let Some(share) = part(units, split.pct).filter(|share| *share > 0) {
            shares.push((split, share));
        }
    }
    // The fees of one share must not reduce another.
    let mut to_come: i128 = shares.iter().map(|(_, share)| share).sum();
    for (split, share) in shares {
        to_come -= share;
        let amount = Share {
            units: share,
            scale,
            currency,
            to_come,
        };
        // A refused share stays on the account.
        if let Err(Refusal::Store(error)) =
            unit.attempt(|unit| send(unit, account, &split, &amount))?
        {
            return Err(error);
        }
    }
    Ok(())
}

/// One split's share of a deposit.
struct Share<'a> {
    units: i128,
    scale: u32,
    currency: &'a Currency,
    /// The sum of the later shares.
    to_come: i128,
}

fn send(
    unit: &mut Unit<'_>,
    source: &Account,
    split: &DepositSplit,
    share: &Share<'_>,
) -> Outcome<()> {
    // Always on the deposit's own chain: no implicit swap or bridge.
    let Some(chain) = source.chain_id else {
        return Ok(());
    };
    if let Some(address) = &split.address {
        return send_outside(unit, source, (chain, address), share);
    }
    // The reference may have gained the merchant's own wallet since: a share for an account never leaves the service.
    let Some(key) = key_of(split) else {
        return Ok(());
    };
    let target = on_chain(unit, source.org_id, &key, chain)?;
    let Some(target) = target.filter(|target| target.id != source.id && target.is_held()) else {
        return Ok(());
    };
    let money = Money::new(share.currency, share.units);
    book::transfer(unit, source, &target, &money)
}

/// Sends a share to an external wallet on the deposit's chain. A suspended organisation sends none.
fn send_outside(
    unit: &mut Unit<'_>,
    source: &Account,
    (chain, address): (ChainId, &str),
    share: &Share<'_>,
) -> Outcome<()> {
    let known = store::chain::find(unit.database, chain)?
        .ok_or_else(|| StoreError::Damaged("an account is of an unknown chain".into()))?;
    let is_of_chain = address
        .parse::<WalletAddress>()
        .is_ok_and(|address| address.family() == known.family);
    if !is_of_chain || store::organisation::is_suspended(unit.database, source.org_id)? {
        return Ok(());
    }
    let amount = Amount::from_units(share.units, share.scale)
        .map_err(|_| StoreError::Damaged("a share is malformed".into()))?;
    let order = NewPayout::automatic(Destination::recorded(address), None);
    let asked = (amount, share.currency);
    payout::send_all(unit, source, asked, share.to_come, order)
}

//! Shares of a deposit: what a virtual account's splits send on, as soon as the deposit is booked.

use settlekit_core::account::{Account, AccountType, DepositSplit};
use settlekit_core::paylink::Source;
use settlekit_core::value::{Amount, ChainId, Currency, WalletAddress};

use super::book::{self, Money};
use super::circle::key_of;
use super::on_chain;
use crate::outflow::Destination;
use crate::payout::{self, Order};
use crate::refusal::{Outcome, Refusal};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;
use crate::venue::Rounding;
use crate::venue::market::multiply_divide;

/// Shares out a deposit that was booked on an account. A share that cannot be sent stays where it is, and so does all that came to a
/// wallet of the merchant's own.
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
    // What the fees of one share cost must not be taken from another.
    let mut to_come: i128 = shares.iter().map(|(_, share)| share).sum();
    for (split, share) in shares {
        to_come -= share;
        let amount = Share {
            units: share,
            scale,
            currency,
            to_come,
        };
        // A share that is refused stays where it is.
        if let Err(Refusal::Store(error)) =
            unit.attempt(|unit| send(unit, account, &split, &amount))?
        {
            return Err(error);
        }
    }
    Ok(())
}

/// What is shared out of an account's deposits, by its own splits or those of the virtual account above it.
pub(super) fn splits_of(
    unit: &mut Unit<'_>,
    account: &Account,
) -> Result<Vec<DepositSplit>, StoreError> {
    Ok(match (&account.deposit_splits, account.parent_id) {
        (Some(splits), _) => splits.clone(),
        (None, Some(parent)) => store::account::find(unit.database, account.org_id, parent)?
            .filter(|parent| parent.account_type == AccountType::Virtual)
            .and_then(|parent| parent.deposit_splits)
            .unwrap_or_default(),
        (None, None) => Vec::new(),
    })
}

/// What one split is to have of a deposit.
struct Share<'a> {
    units: i128,
    scale: u32,
    currency: &'a Currency,
    /// What the splits after it are to have.
    to_come: i128,
}

/// A percentage of an amount, rounded down: the shares never come to more than the whole.
pub(super) fn part(units: i128, pct: Amount) -> Option<i128> {
    let scale = pct.scale();
    let pct = pct.to_units(scale).ok()?;
    let whole = 10_i128.checked_pow(scale)?.checked_mul(100)?;
    multiply_divide(units, pct, whole, Rounding::Down)
}

fn send(
    unit: &mut Unit<'_>,
    source: &Account,
    split: &DepositSplit,
    share: &Share<'_>,
) -> Outcome<()> {
    // On the deposit's own chain: nothing is swapped or bridged behind the merchant's back.
    let Some(chain) = source.chain_id else {
        return Ok(());
    };
    if let Some(address) = &split.address {
        return send_outside(unit, source, (chain, address), share);
    }
    // A reference may have got a wallet of the merchant's own since: a share for an account never leaves.
    let Some(key) = key_of(split) else {
        return Ok(());
    };
    let target = on_chain(unit, source.org_id, &key, chain)?;
    let Some(target) = target.filter(|target| target.id != source.id && target.is_held()) else {
        return Ok(());
    };
    let money = Money {
        currency: share.currency.clone(),
        units: share.units,
    };
    book::transfer(unit, source, &target, &money)
}

/// Sends a share to a wallet outside, if that is one of the deposit's chain. Whoever is suspended sends nothing out.
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
    let order = Order {
        to: Destination::recorded(address),
        called: None,
        reference: None,
        metadata: None,
        source: Source::Automation,
        properties: None,
    };
    let asked = (amount, share.currency);
    payout::send_all(unit, source, asked, share.to_come, order)
}

#[cfg(test)]
mod tests {
    use settlekit_core::value::amount::UNITS_MAX;

    use super::*;

    #[test]
    fn shares_are_rounded_down() {
        for (units, pct, expected) in [
            (100, "33.3", 33),
            (1, "99", 0),
            (1_000_000, "2.5", 25_000),
            (7, "100", 7),
            (0, "50", 0),
            // A third as other programs write it, of a token with eighteen places.
            (
                1_000_000_000_000_000_000,
                "33.33333333333333333333333333",
                333_333_333_333_333_333,
            ),
            (
                UNITS_MAX,
                "1.2345678901",
                978_125_454_317_352_344_165_356_661,
            ),
            (UNITS_MAX, "100", UNITS_MAX),
        ] {
            let pct = pct.parse().expect("an amount");
            assert_eq!(part(units, pct), Some(expected), "{units} {pct}");
        }
    }
}

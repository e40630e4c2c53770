//! Deposit splits: the splits of an account, and the amount of a share.

use settlekit_core::account::{Account, AccountType, DepositSplit};
use settlekit_core::value::{AccountKey, Amount};

use crate::money::rounding::{Rounding, multiply_divide};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// The splits of an account, its own or its virtual parent's.
pub(super) fn splits_of(
    unit: &mut Unit<'_>,
    account: &Account,
) -> Result<Vec<DepositSplit>, StoreError> {
    Ok(match (&account.deposit_splits, account.parent_id) {
        (Some(splits), _) => splits.clone(),
        (None, Some(parent)) => store::account::LISTING
            .find(unit.database, account.org_id, parent)?
            .filter(|parent| parent.account_type == AccountType::Virtual)
            .and_then(|parent| parent.deposit_splits)
            .unwrap_or_default(),
        (None, None) => Vec::new(),
    })
}

/// The account of a split; `None` for an external wallet.
pub(super) fn key_of(split: &DepositSplit) -> Option<AccountKey> {
    match (split.account_id, &split.account_ref) {
        (Some(id), _) => Some(AccountKey::Id(id)),
        (None, Some(reference)) => reference.parse().ok().map(AccountKey::Reference),
        (None, None) => None,
    }
}

/// A percentage of an amount, rounded down, so that the shares never exceed the whole.
pub(super) fn part(units: i128, pct: Amount) -> Option<i128> {
    let scale = pct.scale();
    let pct = pct.to_units(scale).ok()?;
    let whole = 10_i128.checked_pow(scale)?.checked_mul(100)?;
    multiply_divide(units, pct, whole, Rounding::Down)
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
            // A third as other programs write it, of a token with 18 decimals.
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

//! Pending transfers from merchants' own wallets, among the transactions observed on chains.

use alloy_primitives::Address;
use settlekit_core::account::Account;
use settlekit_core::value::{Currency, PaymentId};

use super::columns;
use super::sql::{Database, StoreError};

/// The payouts of an amount from an account to an address whose transaction a reorganisation took away.
pub(crate) fn reorganised_payouts(
    database: &mut dyn Database,
    account: &Account,
    to: &str,
    units: i128,
) -> Result<Vec<PaymentId>, StoreError> {
    const REORGANISED: &str = "SELECT payment_id FROM chain_transactions WHERE chain_id = ?1 AND block IS NULL AND status = 'Pending' \
         AND source = 'Observed' AND org_id = ?2 AND account_id = ?3 AND direction = 'OUT' AND payment_id IS NOT NULL \
         AND to_address = ?4 AND amount = ?5 ORDER BY id";
    let to = to.to_ascii_lowercase();
    let values = [
        account.chain_id.into(),
        account.org_id.into(),
        account.id.into(),
        (&to).into(),
        units.into(),
    ];
    let rows = database.query(REORGANISED, &values)?;
    rows.iter().map(|row| columns::get(row, 0)).collect()
}

/// Amounts of an account's pending withdrawals in a currency, each with its sending address: in a block, or taken out of one by a
/// reorganisation.
pub(crate) fn pending_amounts(
    database: &mut dyn Database,
    account: &Account,
    currency: &Currency,
) -> Result<Vec<(Address, i128)>, StoreError> {
    // An index has those in blocks, another one those without.
    const PENDING: &str = "SELECT from_address, amount FROM chain_transactions WHERE chain_id = ?1 AND block IS NOT NULL AND status = 'Pending' \
         AND org_id = ?2 AND account_id = ?3 AND direction = 'OUT' AND currency = ?4 \
         UNION ALL SELECT from_address, amount FROM chain_transactions WHERE chain_id = ?1 AND block IS NULL AND status = 'Pending' \
         AND source = 'Observed' AND org_id = ?2 AND account_id = ?3 AND direction = 'OUT' AND currency = ?4";
    let values = [
        account.chain_id.into(),
        account.org_id.into(),
        account.id.into(),
        currency.as_str().into(),
    ];
    columns::all(&database.query(PENDING, &values)?)
}

//! Accounts on test networks at a paylink: their money has no value, and must not pay a price in real money.

use std::collections::BTreeSet;

use settlekit_core::account::Account;
use settlekit_core::value::{AccountId, OrganisationId};

use crate::money::test_network::is_test_network;
use crate::store;
use crate::store::paylink::SettlementAccounts;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// Accounts on test networks that the paylink hides: all that it does not list, unless the organisation has never had an account on
/// another network. Disabled and deleted accounts count: neither change may open another network to payers.
pub(crate) fn hidden_test_accounts(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    accounts: &[Account],
    settlement: &SettlementAccounts,
) -> Result<BTreeSet<AccountId>, StoreError> {
    let mut hidden = BTreeSet::new();
    for account in accounts {
        if is_on_test_network(unit, account)? && !settlement.names(account.id) {
            hidden.insert(account.id);
        }
    }
    if hidden.is_empty() || store::chain::has_real_account(unit.database, organisation)? {
        return Ok(hidden);
    }
    Ok(BTreeSet::new())
}

fn is_on_test_network(unit: &mut Unit<'_>, account: &Account) -> Result<bool, StoreError> {
    match account.chain_id {
        Some(chain) => is_test_network(unit, chain),
        None => Ok(false),
    }
}

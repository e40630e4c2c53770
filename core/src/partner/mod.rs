//! What a partner does for its sub-merchants (contract, "Partner operations").

mod get_partner_account;
mod list_partner_balances;
mod list_sub_merchants;

pub use get_partner_account::{GetPartnerAccount, PartnerAccountPath};
pub use list_partner_balances::{Balances, ListPartnerBalances, ListPartnerBalancesPath};
pub use list_sub_merchants::{ListSubMerchants, SubMerchant};

use crate::chain::Chain;
use crate::value::record::record;
use crate::value::{AccountId, Amount, Currency};

record! {
    /// What an account holds in one currency on one chain.
    Balance {
        /// The account.
        account_id: AccountId,
        /// The currency.
        currency: Currency,
        /// The token's contract; absent for the native asset.
        token_address?: String,
        /// The chain.
        chain: Chain,
        /// What can be used: posted less reserved.
        amount: Amount,
        /// The same in US dollars.
        amount_usd?: Amount,
    }
}

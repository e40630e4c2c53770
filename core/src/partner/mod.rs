//! Partner operations on sub-merchants (contract, "Partner operations").

mod get_partner_account;
mod list_partner_balances;
mod list_sub_merchants;

pub use get_partner_account::{GetPartnerAccount, PartnerAccountPath};
pub use list_partner_balances::{Balances, ListPartnerBalances, ListPartnerBalancesPath};
pub use list_sub_merchants::{ListSubMerchants, ListSubMerchantsQuery, SubMerchant};

use crate::chain::Chain;
use crate::value::record::record;
use crate::value::{AccountId, Amount, Currency};

record! {
    /// Balance of an account in one currency on one chain.
    Balance {
        /// Account id.
        account_id: AccountId,
        /// Currency symbol.
        currency: Currency,
        /// Contract address of the token; absent for the native asset.
        token_address?: String,
        /// Chain.
        chain: Chain,
        /// Available balance: posted minus reserved.
        amount: Amount,
        /// `amount` in US dollars; absent without a price, and on a test network.
        amount_usd?: Amount,
    }
}

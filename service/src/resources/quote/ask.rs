//! What a quote is asked for, whichever operation asks.

use settlekit_core::paylink::Source;
use settlekit_core::quote::DepositMethod;
use settlekit_core::value::{AccountId, AccountKey, Amount, ChainId, Currency, WalletAddress};

/// What the caller calls the fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names {
    pub(crate) account: &'static str,
    pub(crate) buy_amount: &'static str,
    pub(crate) buy_chain: &'static str,
    pub(crate) buy_currency: &'static str,
    pub(crate) buy_token: &'static str,
    pub(crate) sell_amount: &'static str,
    pub(crate) sell_chain: &'static str,
    pub(crate) sell_currency: &'static str,
    pub(crate) sell_token: &'static str,
    /// Of what is sold, those that are lists with an entry for each currency.
    pub(crate) listed: &'static [&'static str],
}

/// Something to be sold.
#[derive(Debug, Clone)]
pub(crate) struct Sale {
    pub(crate) currency: Currency,
    pub(crate) chain: Option<ChainId>,
    pub(crate) token: Option<String>,
    pub(crate) amount: Option<Amount>,
}

/// What a quote is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) names: Names,
    pub(crate) sales: Vec<Sale>,
    pub(crate) buy_currency: Currency,
    pub(crate) buy_chain: Option<ChainId>,
    pub(crate) buy_token: Option<String>,
    /// What is to be bought exactly; counts only where no amount is to be sold.
    pub(crate) buy_amount: Option<Amount>,
    pub(crate) funding: Option<AccountKey>,
    pub(crate) method: DepositMethod,
    pub(crate) settlement_account: Option<AccountId>,
    pub(crate) settlement_address: Option<WalletAddress>,
    pub(crate) estimate: bool,
    /// Where the caller asks from.
    pub(crate) source: Source,
}

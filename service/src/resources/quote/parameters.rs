//! The parameters of a quote, for all operations that request one.

use settlekit_core::paylink::Source;
use settlekit_core::quote::DepositMethod;
use settlekit_core::value::{AccountId, AccountKey, Amount, ChainId, Currency, WalletAddress};

/// The field names of the operation.
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
    /// The fields about sold assets that are lists, with one entry per asset.
    pub(crate) listed: &'static [&'static str],
}

/// An asset to sell.
#[derive(Debug, Clone)]
pub(crate) struct Sale {
    pub(crate) currency: Currency,
    pub(crate) chain: Option<ChainId>,
    pub(crate) token: Option<String>,
    pub(crate) amount: Option<Amount>,
}

/// The parameters of a quote.
#[derive(Debug, Clone)]
pub(crate) struct QuoteParameters {
    pub(crate) names: Names,
    pub(crate) sales: Vec<Sale>,
    pub(crate) buy_currency: Currency,
    pub(crate) buy_chain: Option<ChainId>,
    pub(crate) buy_token: Option<String>,
    /// The exact amount to buy, if no amount to sell is given.
    pub(crate) buy_amount: Option<Amount>,
    pub(crate) funding: Option<AccountKey>,
    pub(crate) method: DepositMethod,
    pub(crate) settlement_account: Option<AccountId>,
    pub(crate) settlement_address: Option<WalletAddress>,
    pub(crate) estimate: bool,
    /// The source of the request.
    pub(crate) source: Source,
}

//! `POST /accounts`.

use super::{Account, AccountType};
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::{
    AccountKey, AccountReference, ChainId, Currency, ExtendedPublicKey, WalletAddress,
};

/// Maximum length of an account name, in characters.
pub const NAME_CHARS_MAX: usize = 200;

body! {
    /// A new settlement account.
    CreateAccountBody {
        /// Supported currency symbols.
        currencies: Vec<Currency>,
        /// Merchant-defined reference.
        reference: Option<AccountReference>,
        /// Only `CryptoPayIn`.
        r#type: Option<AccountType>,
        /// Address of the self-custody wallet; `address` or `xpub` is required if `managed_account` is false.
        address: Option<WalletAddress>,
        /// Extended public key of the self-custody wallet, from which each payment gets an address of its own.
        xpub: Option<ExtendedPublicKey>,
        /// Chain id.
        chain_id: ChainId,
        /// Display name.
        name: Option<String>,
        /// Parent settlement account, by id or reference.
        parent_account_id: Option<AccountKey>,
        /// Whether the service holds the wallet's keys; by default true without `address` and `xpub`, else false.
        managed_account: Option<bool>,
    }
}

impl Validate for CreateAccountBody {
    fn validate(&self, report: &mut Report) {
        report.currencies("currencies", &self.currencies);
        if self
            .r#type
            .as_ref()
            .is_some_and(|kind| *kind != AccountType::CryptoPayIn)
        {
            report.add_error("type", Reason::UnknownValue, "must be CryptoPayIn");
        }
        if self.address.is_some() && self.xpub.is_some() {
            report.add_error("xpub", Reason::Excluded, "must be absent with `address`");
        }
        let is_own = self.address.is_some() || self.xpub.is_some();
        if !is_own && self.managed_account == Some(false) {
            report.add_error(
                "address",
                Reason::Required,
                "is required when `managed_account` is false",
            );
        }
        if is_own && self.managed_account == Some(true) {
            let field = match self.address {
                Some(_) => "address",
                None => "xpub",
            };
            report.add_error(
                field,
                Reason::Excluded,
                "must be absent when `managed_account` is true",
            );
        }
        report.optional_text("name", self.name.as_ref(), NAME_CHARS_MAX);
    }
}

operation! {
    /// Creates a CryptoPayIn settlement account.
    /// Deprecated for payout destinations.
    CreateAccount in "account": POST "/accounts",
    body: CreateAccountBody,
    response: Account,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
    OUTFLOW: true,
    DEPRECATED: Some(1_767_225_600),
}

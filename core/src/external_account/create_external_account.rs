//! `POST /accounts/external-account`.

use super::{BeneficiaryType, ExternalAccount, ExternalAccountType, PaymentRail};
use crate::account::create_account::NAME_CHARS_MAX;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::{ChainId, Currency, WalletAddress};

/// Minimum and maximum length of a bank account number (ISO 13616: at most 34).
const NUMBER_CHARS: std::ops::RangeInclusive<usize> = 4..=34;

body! {
    /// A new payout destination: a wallet or a bank account.
    CreateExternalAccountBody {
        /// Digital or fiat.
        r#type: ExternalAccountType,
        /// Merchant-defined reference.
        reference: Option<String>,
        /// Display name.
        name: Option<String>,
        /// Wallet address; digital only.
        address: Option<WalletAddress>,
        /// Chain of the address; digital only.
        chain_id: Option<ChainId>,
        /// Accepted currency symbols.
        currencies: Vec<Currency>,
        /// Payment rail; fiat only.
        payment_rail: Option<PaymentRail>,
        /// Bank name.
        bank_name: Option<String>,
        /// Country of the bank, ISO 3166 alpha-2.
        country: Option<String>,
        /// Type of the beneficiary.
        beneficiary_type: Option<BeneficiaryType>,
        /// Full name of the account holder; answers show only a hint.
        account_holder_name: Option<String>,
        /// Full account number; answers show only a hint.
        account_number: Option<String>,
    }
}

impl Validate for CreateExternalAccountBody {
    fn validate(&self, report: &mut Report) {
        let digital = self.r#type == ExternalAccountType::Digital;
        let known = !matches!(self.r#type, ExternalAccountType::Other(_));
        if !known {
            report.add_error("type", Reason::UnknownValue, "must be Digital or Fiat");
        }
        report.optional_text("reference", self.reference.as_ref(), 128);
        report.optional_text("name", self.name.as_ref(), NAME_CHARS_MAX);
        let kind = self.r#type.as_str();
        let mut belongs = |name: &str, given: bool, wanted: bool, required: bool| {
            if !known {
                // Without a known type, no field is required or excluded.
            } else if given && !wanted {
                report.add_error(name, Reason::Excluded, format!("must be absent for {kind}"));
            } else if !given && wanted && required {
                report.add_error(name, Reason::Required, format!("is required for {kind}"));
            }
        };
        belongs("address", self.address.is_some(), digital, true);
        belongs("chain_id", self.chain_id.is_some(), digital, true);
        belongs("payment_rail", self.payment_rail.is_some(), !digital, true);
        belongs("bank_name", self.bank_name.is_some(), !digital, false);
        belongs("country", self.country.is_some(), !digital, true);
        belongs(
            "beneficiary_type",
            self.beneficiary_type.is_some(),
            !digital,
            true,
        );
        belongs(
            "account_holder_name",
            self.account_holder_name.is_some(),
            !digital,
            true,
        );
        belongs(
            "account_number",
            self.account_number.is_some(),
            !digital,
            true,
        );
        report.currencies("currencies", &self.currencies);
        report.known("payment_rail", self.payment_rail.as_ref());
        report.optional_text("bank_name", self.bank_name.as_ref(), NAME_CHARS_MAX);
        if self.country.as_ref().is_some_and(|country| {
            country.len() != 2 || !country.bytes().all(|byte| byte.is_ascii_uppercase())
        }) {
            report.add_error(
                "country",
                Reason::UnknownValue,
                "must be a two-letter ISO 3166 country code such as DE",
            );
        }
        if let Some(BeneficiaryType::Other(_)) = self.beneficiary_type {
            report.add_error(
                "beneficiary_type",
                Reason::UnknownValue,
                "must be individual or business",
            );
        }
        report.optional_text(
            "account_holder_name",
            self.account_holder_name.as_ref(),
            NAME_CHARS_MAX,
        );
        if self.account_number.as_ref().is_some_and(|number| {
            !NUMBER_CHARS.contains(&number.len())
                || !number.bytes().all(|byte| byte.is_ascii_alphanumeric())
        }) {
            report.add_error(
                "account_number",
                Reason::AccountNumberMalformed,
                "must be 4 to 34 letters and digits without spaces",
            );
        }
    }
}

operation! {
    /// Adds a payout destination.
    CreateExternalAccount in "external_account": POST "/accounts/external-account",
    body: CreateExternalAccountBody,
    response: ExternalAccount,
    AUTH: Auth::Signed,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Payout,
    STEP_UP: true,
}

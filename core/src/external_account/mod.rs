//! External accounts: where payouts go (contract, "External account").

pub mod create_external_account;
mod delete_external_account;
mod get_external_account;
mod list_external_accounts;

pub use create_external_account::{CreateExternalAccount, CreateExternalAccountBody};
pub use delete_external_account::{DeleteExternalAccount, DeleteExternalAccountPath};
pub use get_external_account::{GetExternalAccount, GetExternalAccountPath};
pub use list_external_accounts::ListExternalAccounts;

use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{ChainId, Currency, ExternalAccountId, Timestamp};

open_enum! {
    /// What kind of money an external account takes.
    ExternalAccountType { Digital, Fiat }
}

open_enum! {
    /// How a payout reaches a bank.
    PaymentRail { SEPA, SWIFT, ACH, FPS }
}

open_enum! {
    /// Whom an external account belongs to.
    BeneficiaryType { Individual = "individual", Business = "business" }
}

record! {
    /// A destination of payouts. Of a holder and a number only hints are ever shown.
    ExternalAccount {
        /// Unique id.
        id: ExternalAccountId,
        /// The merchant's own name for it.
        reference?: String,
        /// For people.
        name?: String,
        /// What kind of money it takes.
        r#type: ExternalAccountType,
        /// The wallet's address.
        address?: String,
        /// The chain of the address.
        chain_id?: ChainId,
        /// Supported currency symbols.
        currencies: Vec<Currency>,
        /// Whether payouts may name it.
        enabled: bool,
        /// How a payout reaches the bank.
        payment_rail?: PaymentRail,
        /// The bank.
        bank_name?: String,
        /// The bank's country.
        country?: String,
        /// Whom it belongs to.
        beneficiary_type?: BeneficiaryType,
        /// The beginning of the holder's name.
        account_holder_name_hint?: String,
        /// The end of the account's number.
        account_number_hint?: String,
        /// When it was made.
        created_at: Timestamp,
    }
}

//! External accounts: payout destinations (contract, "External account").

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
    /// Digital or fiat.
    ExternalAccountType { Digital, Fiat }
}

open_enum! {
    /// Payment rail of a bank payout.
    PaymentRail { SEPA, SWIFT, ACH, FPS }
}

open_enum! {
    /// Type of a beneficiary.
    BeneficiaryType { Individual = "individual", Business = "business" }
}

record! {
    /// A payout destination. Holder name and account number are shown as hints only.
    ExternalAccount {
        /// Unique id.
        id: ExternalAccountId,
        /// Merchant-defined reference.
        reference?: String,
        /// Display name.
        name?: String,
        /// Digital or fiat.
        r#type: ExternalAccountType,
        /// Wallet address.
        address?: String,
        /// Chain of the address.
        chain_id?: ChainId,
        /// Supported currency symbols.
        currencies: Vec<Currency>,
        /// Whether payouts may name it.
        enabled: bool,
        /// Payment rail.
        payment_rail?: PaymentRail,
        /// Bank name.
        bank_name?: String,
        /// Country of the bank.
        country?: String,
        /// Type of the beneficiary.
        beneficiary_type?: BeneficiaryType,
        /// First characters of the holder's name.
        account_holder_name_hint?: String,
        /// Last characters of the account number.
        account_number_hint?: String,
        /// Creation time.
        created_at: Timestamp,
    }
}

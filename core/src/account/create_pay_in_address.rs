//! `POST /accounts/{account}/pay-in-addresses`.

use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::record::record;
use crate::value::{AccountId, AccountKey, ChainId, Currency, CustomerId, Timestamp};

body! {
    /// A new permanent pay-in address.
    CreatePayInAddressBody {
        /// Chain id.
        chain_id: ChainId,
        /// Customer whose payments it receives.
        customer_id: Option<CustomerId>,
        /// Merchant-defined reference.
        reference: Option<String>,
    }
}

impl Validate for CreatePayInAddressBody {
    fn validate(&self, report: &mut Report) {
        report.optional_text("reference", self.reference.as_ref(), 128);
    }
}

record! {
    /// A permanent address, valid for the lifetime of its account.
    PayInAddress {
        /// The wallet's address.
        address: String,
        /// Chain id.
        chain_id: ChainId,
        /// Account credited with its payments.
        account_id: AccountId,
        /// Accepted currency symbols.
        currencies: Vec<Currency>,
        /// Customer whose payments it receives.
        customer_id?: CustomerId,
        /// Merchant-defined reference.
        reference?: String,
        /// Creation time.
        created_at: Timestamp,
    }
}

operation! {
    /// Creates a permanent pay-in address of an account.
    CreatePayInAddress in "account": POST "/accounts/{account}/pay-in-addresses",
    path: CreatePayInAddressPath {
        /// The account's id or reference.
        account: AccountKey,
    },
    body: CreatePayInAddressBody,
    response: PayInAddress,
    AUTH: Auth::Signed,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
}

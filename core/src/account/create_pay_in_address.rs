//! `POST /accounts/{account}/pay-in-addresses`.

use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::record::record;
use crate::value::{AccountId, AccountKey, ChainId, Currency, CustomerId, Timestamp};

body! {
    /// What a new permanent address is for.
    CreatePayInAddressBody {
        /// The chain it is on.
        chain_id: ChainId,
        /// Whose payments it takes.
        customer_id: Option<CustomerId>,
        /// The merchant's own name for it.
        reference: Option<String>,
    }
}

impl Validate for CreatePayInAddressBody {
    fn validate(&self, report: &mut Report) {
        report.maybe_text("reference", self.reference.as_ref(), 128);
    }
}

record! {
    /// An address that takes payments for as long as its account does.
    PayInAddress {
        /// The wallet's address.
        address: String,
        /// The chain it is on.
        chain_id: ChainId,
        /// The account that its payments are booked to.
        account_id: AccountId,
        /// The currency symbols it takes.
        currencies: Vec<Currency>,
        /// Whose payments it takes.
        customer_id?: CustomerId,
        /// The merchant's own name for it.
        reference?: String,
        /// When it was made.
        created_at: Timestamp,
    }
}

operation! {
    /// Creates a permanent address that takes payments to an account.
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

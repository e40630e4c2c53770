//! `PATCH /customers/{customer_id}`.

use super::Customer;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, Wire, operation};
use crate::validate::{Report, Validate};
use crate::value::CustomerId;
use crate::value::address::WalletAddress;

/// Maximum length of a customer reference, in characters.
pub const REFERENCE_CHARS_MAX: usize = 128;

body! {
    /// Changes to a customer; absent and empty fields stay unchanged.
    UpdateCustomerBody {
        /// Merchant-defined reference.
        customer_ident: Option<String>,
        /// Discord name, stored in the customer's properties.
        discord: Option<String>,
        /// E-mail address.
        email: Option<String>,
        /// Display name.
        name: Option<String>,
        /// Phone number, E.164 preferred.
        number: Option<String>,
        /// Twitter name, stored in the customer's properties.
        twitter: Option<String>,
        /// Wallet address.
        wallet_address: Option<String>,
    }
}

impl Validate for UpdateCustomerBody {
    fn validate(&self, report: &mut Report) {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        report.optional_text(
            "customer_ident",
            given(&self.customer_ident).as_ref(),
            REFERENCE_CHARS_MAX,
        );
        report.optional_text("discord", given(&self.discord).as_ref(), 100);
        if let Some(email) = given(&self.email) {
            report.email("email", &email);
        }
        report.optional_text("name", given(&self.name).as_ref(), 200);
        if let Some(number) = given(&self.number) {
            report.phone("number", &number);
        }
        report.optional_text("twitter", given(&self.twitter).as_ref(), 100);
        if let Some(Err(error)) =
            given(&self.wallet_address).map(|text| text.parse::<WalletAddress>())
        {
            report.add_error(
                "wallet_address",
                Reason::AddressMalformed,
                error.to_string(),
            );
        }
    }
}

operation! {
    /// Updates a customer.
    /// The answer is the bare record, without envelope.
    UpdateCustomer in "customer": PATCH "/customers/{customer_id}",
    path: UpdateCustomerPath {
        /// The customer's id, with its prefix or as a raw UUID.
        customer_id: CustomerId,
    },
    body: UpdateCustomerBody,
    response: Customer,
    WIRE: Wire::Bare,
    SCOPE: Scope::Write,
}

//! `PATCH /customers/{customer_id}`.

use super::Customer;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, Wire, operation};
use crate::validate::{Report, Validate};
use crate::value::CustomerId;
use crate::value::address::WalletAddress;

/// The longest reference of a customer, in characters.
pub const REFERENCE_CHARS_MAX: usize = 128;

body! {
    /// What is to change about a customer. What is absent or empty stays as it is.
    UpdateCustomerBody {
        /// The merchant's own name for them.
        customer_ident: Option<String>,
        /// Kept in the customer's properties.
        discord: Option<String>,
        /// E-mail address.
        email: Option<String>,
        /// For people.
        name: Option<String>,
        /// Phone number, E.164 preferred.
        number: Option<String>,
        /// Kept in the customer's properties.
        twitter: Option<String>,
        /// Their wallet.
        wallet_address: Option<String>,
    }
}

impl Validate for UpdateCustomerBody {
    fn validate(&self, report: &mut Report) {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        report.maybe_text(
            "customer_ident",
            given(&self.customer_ident).as_ref(),
            REFERENCE_CHARS_MAX,
        );
        report.maybe_text("discord", given(&self.discord).as_ref(), 100);
        if let Some(email) = given(&self.email) {
            report.email("email", &email);
        }
        report.maybe_text("name", given(&self.name).as_ref(), 200);
        if let Some(number) = given(&self.number) {
            report.phone("number", &number);
        }
        report.maybe_text("twitter", given(&self.twitter).as_ref(), 100);
        if let Some(Err(error)) =
            given(&self.wallet_address).map(|text| text.parse::<WalletAddress>())
        {
            report.complain(
                "wallet_address",
                Reason::AddressMalformed,
                error.to_string(),
            );
        }
    }
}

operation! {
    /// Changes what is known about a customer. The answer is the record alone, without envelope.
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

//! `POST /events/test`.

use super::Event;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::open::open_enum;

open_enum! {
    /// Subject of a test event: each type that the service records.
    TestEventType {
        Payment, Customer, Plan, MerchantContract, Subscription, Invoice, Transaction, CryptoTransaction, Account, Org,
    }
}

body! {
    /// A test event.
    CreateTestEventBody {
        /// Subject.
        r#type: TestEventType,
    }
}

impl Validate for CreateTestEventBody {
    fn validate(&self, report: &mut Report) {
        report.known("type", Some(&self.r#type));
    }
}

operation! {
    /// Records an event with an example record, marked as a test, and sends it to the webhook endpoint.
    /// The record does not exist.
    CreateTestEvent in "event": POST "/events/test",
    body: CreateTestEventBody,
    response: Event,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Manage,
}

//! `POST /paylinks`.

#![allow(non_snake_case, reason = "the contract spells `intervalCount` so")]

use super::{AfterCompletion, Paylink};
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::plan::product::Product;
pub use crate::plan::product::{
    DESCRIPTION_CHARS_MAX, METADATA_KEYS_MAX, NAME_CHARS_MAX, QUANTITY_MAX, REFERENCE_CHARS_MAX,
};
use crate::plan::{PlanType, RecurringInterval};
use crate::validate::{Report, Validate};
use crate::value::{AccountId, AccountReference, Amount, Currency, Object, Timestamp};

/// Maximum number of accounts that a link may settle to.
pub const ACCOUNTS_MAX: usize = 50;

body! {
    /// A new paylink and the plan it sells.
    CreatePaylinkBody {
        /// Price.
        amount: Amount,
        /// Currency of the price.
        currency: Currency,
        /// Product name.
        name: String,
        /// Accounts that may receive the payment, by id; every account that supports it when absent. In live mode an account on a
        /// test network is offered only if it is listed here, or if the organisation has never had others.
        account_ids: Option<Vec<AccountId>>,
        /// Accounts that may receive the payment, by reference.
        account_ref: Option<AccountReference>,
        /// What the payer sees after paying.
        after_completion: Option<AfterCompletion>,
        /// Quantity for sale; unlimited if absent.
        available_quantity: Option<i64>,
        /// Product description shown to the payer.
        description: Option<String>,
        /// The link stops accepting payments at this time.
        expires_at: Option<Timestamp>,
        /// Product image URL, shown to the payer.
        image_url: Option<String>,
        /// Number of intervals in a billing period.
        intervalCount: Option<i64>,
        /// Interval of a billing period; recurring plans only.
        interval: Option<RecurringInterval>,
        /// Free-form JSON object. `customer_ident_collection`, `shipping_address_collection` and `tax_ident_collection` set to
        /// true request these data from the payer.
        metadata: Option<Object>,
        /// Merchant-defined reference.
        reference: Option<String>,
        /// Free trial before the first period, ISO 8601 (`P14D`).
        trial_period: Option<String>,
        /// One-time or recurring.
        r#type: Option<PlanType>,
    }
}

impl Validate for CreatePaylinkBody {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
        report.text("name", &self.name, NAME_CHARS_MAX);
        if let Some(accounts) = &self.account_ids {
            report.not_empty(
                "account_ids",
                accounts,
                "must list at least one account, or be absent",
            );
            report.distinct("account_ids", accounts, ACCOUNTS_MAX);
        }
        if self.account_ids.is_some() && self.account_ref.is_some() {
            report.excluded("account_ref", "account_ids");
        }
        if let Some(after) = &self.after_completion {
            after.check("after_completion", report);
        }
        Product {
            available_quantity: self.available_quantity,
            description: self.description.as_ref(),
            image_url: self.image_url.as_ref(),
            interval: ("interval", self.interval.as_ref()),
            count: ("intervalCount", self.intervalCount),
            metadata: self.metadata.as_ref(),
            reference: self.reference.as_ref(),
            trial_period: self.trial_period.as_deref(),
            kind: self.r#type.as_ref(),
        }
        .check(report);
    }
}

operation! {
    /// Creates a payment link and the plan it sells.
    /// In live mode it offers an account on a test network, whose money has no value, only if `account_ids` lists it, or if all accounts
    /// of the organisation are on test networks.
    CreatePaylink in "paylink": POST "/paylinks",
    body: CreatePaylinkBody,
    response: Paylink,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
}

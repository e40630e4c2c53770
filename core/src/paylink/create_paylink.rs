//! `POST /paylinks`.

#![allow(non_snake_case, reason = "the contract spells `intervalCount` so")]

use super::{AfterCompletion, Paylink};
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::plan::period::{Period, check_period};
use crate::plan::{PlanType, RecurringInterval};
use crate::validate::{Report, Scheme, Validate};
use crate::value::{AccountId, AccountReference, Amount, Currency, Object, Timestamp};

/// The longest name a payer sees, in characters.
pub const NAME_CHARS_MAX: usize = 200;
/// The longest description a payer sees, in characters.
pub const DESCRIPTION_CHARS_MAX: usize = 2000;
/// The longest reference, in characters.
pub const REFERENCE_CHARS_MAX: usize = 128;
/// The most accounts that one link may settle to.
pub const ACCOUNTS_MAX: usize = 50;
/// The most keys of a free-form map.
pub const METADATA_KEYS_MAX: usize = 50;
/// The most that may be sold.
pub const QUANTITY_MAX: i64 = 1_000_000_000;

body! {
    /// What a new paylink sells, for how much, and what happens after.
    CreatePaylinkBody {
        /// The price.
        amount: Amount,
        /// The currency of the price.
        currency: Currency,
        /// What is sold.
        name: String,
        /// The accounts that may receive the payment; every account that supports it when absent.
        account_ids: Option<Vec<AccountId>>,
        /// The accounts that may receive the payment, by reference.
        account_ref: Option<AccountReference>,
        /// What happens after a payment.
        after_completion: Option<AfterCompletion>,
        /// How many may be sold; unlimited when absent.
        available_quantity: Option<i64>,
        /// For the payer.
        description: Option<String>,
        /// When it stops taking payments.
        expires_at: Option<Timestamp>,
        /// A picture for the payer.
        image_url: Option<String>,
        /// How many intervals a billing period has.
        intervalCount: Option<i64>,
        /// The length of a billing period, for a recurring plan.
        interval: Option<RecurringInterval>,
        /// Free-form; `customer_ident_collection`, `shipping_address_collection` and `tax_ident_collection` set to true ask the payer.
        metadata: Option<Object>,
        /// The merchant's own name for it.
        reference: Option<String>,
        /// How long the first period is free, ISO 8601 (`P14D`).
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
            if accounts.is_empty() {
                report.complain(
                    "account_ids",
                    Reason::Empty,
                    "must name at least one account, or be absent",
                );
            }
            report.items("account_ids", accounts.len(), ACCOUNTS_MAX);
            for (place, account) in accounts.iter().take(ACCOUNTS_MAX).enumerate() {
                if accounts[..place].contains(account) {
                    report.complain(
                        &format!("account_ids[{place}]"),
                        Reason::Repeated,
                        "must not be named twice",
                    );
                }
            }
        }
        if self.account_ids.is_some() && self.account_ref.is_some() {
            report.complain(
                "account_ref",
                Reason::Excluded,
                "must be absent when `account_ids` is given",
            );
        }
        if let Some(after) = &self.after_completion {
            after.check("after_completion", report);
        }
        report.quantity(
            "available_quantity",
            self.available_quantity,
            1..=QUANTITY_MAX,
        );
        report.maybe_text(
            "description",
            self.description.as_ref(),
            DESCRIPTION_CHARS_MAX,
        );
        if let Some(url) = &self.image_url {
            report.web_address("image_url", url, Scheme::Https);
        }
        check_period(
            Period {
                interval: ("interval", self.interval.as_ref()),
                count: ("intervalCount", self.intervalCount),
                kind: self.r#type.as_ref(),
                has_trial: self.trial_period.is_some(),
            },
            report,
        );
        if let Some(metadata) = &self.metadata {
            report.items("metadata", metadata.len(), METADATA_KEYS_MAX);
        }
        report.maybe_text("reference", self.reference.as_ref(), REFERENCE_CHARS_MAX);
        report.period("trial_period", self.trial_period.as_deref());
        if let Some(PlanType::Other(_) | PlanType::Unknown) = &self.r#type {
            report.complain("type", Reason::UnknownValue, "must be OneTime or Recurring");
        }
    }
}

operation! {
    /// Creates a payment link together with the plan it sells.
    CreatePaylink in "paylink": POST "/paylinks",
    body: CreatePaylinkBody,
    response: Paylink,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
}

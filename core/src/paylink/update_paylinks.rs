//! `PATCH /paylinks/batch`.

use super::create_paylink::{DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX};
use super::{AfterCompletion, Paylink};
use crate::decode::body_record;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Scheme, Validate};
use crate::value::PaylinkId;

/// Maximum number of paylinks in a batch, equal to the page size.
pub const ITEMS_MAX: usize = 100;
/// Maximum number of `customer_fields` and of `payment_method_types`.
const WORDS_MAX: usize = 50;

body_record! {
    /// Changes to one paylink; absent fields stay unchanged.
    PaylinkUpdate {
        /// Paylink id.
        id: PaylinkId,
        /// What the payer sees after paying.
        after_completion?: AfterCompletion,
        /// Whether it accepts payments.
        enabled?: bool,
        /// Metadata to set; other keys stay unchanged.
        metadata?: PaylinkMetadata,
        /// Changes to the product shown to the payer.
        plan?: PaylinkPlanUpdate,
    }
}

body_record! {
    /// Paylink metadata keys with a defined meaning.
    PaylinkMetadata {
        /// What the payer sees after paying.
        after_completion?: AfterCompletion,
        /// Data requested from the payer.
        customer_fields?: Vec<String>,
        /// Whether a duplicate payment needs no confirmation by the payer.
        omit_possible_duplicate_acknowledgement?: bool,
        /// Allowed payment methods.
        payment_method_types?: Vec<String>,
        /// Whether the payer chooses the amount.
        variable_mode_only?: bool,
    }
}

body_record! {
    /// Changes to the product shown to the payer.
    PaylinkPlanUpdate {
        /// Product description.
        description?: String,
        /// Product image URL.
        image_url?: String,
        /// Product name.
        name?: String,
    }
}

body! {
    /// A batch of paylink changes.
    UpdatePaylinksBody {
        /// One item per paylink. The batch is all or nothing.
        items: Vec<PaylinkUpdate>,
    }
}

impl Validate for UpdatePaylinksBody {
    fn validate(&self, report: &mut Report) {
        report.not_empty("items", &self.items, "must list at least one paylink");
        report.items("items", self.items.len(), ITEMS_MAX);
        for (place, item) in self.items.iter().take(ITEMS_MAX).enumerate() {
            let earlier = &self.items[..place];
            item.check(&format!("items[{place}]"), earlier, report);
        }
    }
}

impl PaylinkUpdate {
    fn check(&self, field: &str, earlier: &[Self], report: &mut Report) {
        if earlier.iter().any(|item| item.id == self.id) {
            report.add_error(&format!("{field}.id"), Reason::Repeated, "is listed twice");
        }
        if let Some(after) = &self.after_completion {
            after.check(&format!("{field}.after_completion"), report);
        }
        if let Some(metadata) = &self.metadata {
            if let Some(after) = &metadata.after_completion {
                after.check(&format!("{field}.metadata.after_completion"), report);
            }
            for (name, words) in [
                ("customer_fields", &metadata.customer_fields),
                ("payment_method_types", &metadata.payment_method_types),
            ] {
                let words = words.as_deref().unwrap_or_default();
                report.items(&format!("{field}.metadata.{name}"), words.len(), WORDS_MAX);
                for (place, word) in words.iter().enumerate() {
                    report.text(&format!("{field}.metadata.{name}[{place}]"), word, 64);
                }
            }
        }
        if let Some(plan) = &self.plan {
            report.optional_text(
                &format!("{field}.plan.description"),
                plan.description.as_ref(),
                DESCRIPTION_CHARS_MAX,
            );
            if let Some(url) = &plan.image_url {
                report.web_address(&format!("{field}.plan.image_url"), url, Scheme::Https);
            }
            report.optional_text(
                &format!("{field}.plan.name"),
                plan.name.as_ref(),
                NAME_CHARS_MAX,
            );
        }
    }
}

operation! {
    /// Updates several paylinks atomically.
    /// The answer follows the order of the items.
    UpdatePaylinks in "paylink": PATCH "/paylinks/batch",
    body: UpdatePaylinksBody,
    response: Vec<Paylink>,
    SCOPE: Scope::Write,
}

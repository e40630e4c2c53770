//! `PATCH /paylinks/batch`.

use super::create_paylink::{DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX};
use super::{AfterCompletion, Paylink};
use crate::error::Reason;
use crate::field::body;
use crate::given::given_record;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Scheme, Validate};
use crate::value::PaylinkId;
use crate::value::record::record;

/// The most paylinks of one batch: as many as a page holds.
pub const ITEMS_MAX: usize = 100;
/// The most fields a payer may be asked for, and the most methods they may be offered.
const WORDS_MAX: usize = 50;

record! {
    /// What is to change about one paylink; absent fields stay as they are.
    PaylinkUpdate {
        /// The paylink.
        id: PaylinkId,
        /// What happens after a payment.
        after_completion?: AfterCompletion,
        /// Whether it takes payments.
        enabled?: bool,
        /// What its metadata says from now on; other keys stay.
        metadata?: PaylinkMetadata,
        /// What the payer reads about what is sold.
        plan?: PaylinkPlanUpdate,
    }
}

given_record!(PaylinkUpdate {
    id,
    after_completion,
    enabled,
    metadata,
    plan
});

record! {
    /// The keys of a paylink's metadata that have a meaning.
    PaylinkMetadata {
        /// What happens after a payment.
        after_completion?: AfterCompletion,
        /// What the payer is asked for.
        customer_fields?: Vec<String>,
        /// Whether a payer may pay twice without being asked.
        omit_possible_duplicate_acknowledgement?: bool,
        /// How a payer may pay.
        payment_method_types?: Vec<String>,
        /// Whether the payer chooses the amount.
        variable_mode_only?: bool,
    }
}

given_record!(PaylinkMetadata {
    after_completion,
    customer_fields,
    omit_possible_duplicate_acknowledgement,
    payment_method_types,
    variable_mode_only
});

record! {
    /// What a payer reads about what is sold.
    PaylinkPlanUpdate {
        /// For the payer.
        description?: String,
        /// A picture for the payer.
        image_url?: String,
        /// What is sold.
        name?: String,
    }
}

given_record!(PaylinkPlanUpdate {
    description,
    image_url,
    name
});

body! {
    /// Which paylinks are to change, and how.
    UpdatePaylinksBody {
        /// One for each paylink; all are changed or none.
        items: Vec<PaylinkUpdate>,
    }
}

impl Validate for UpdatePaylinksBody {
    fn validate(&self, report: &mut Report) {
        if self.items.is_empty() {
            report.complain("items", Reason::Empty, "must name at least one paylink");
        }
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
            report.complain(
                &format!("{field}.id"),
                Reason::Repeated,
                "must not be named twice",
            );
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
            report.maybe_text(
                &format!("{field}.plan.description"),
                plan.description.as_ref(),
                DESCRIPTION_CHARS_MAX,
            );
            if let Some(url) = &plan.image_url {
                report.web_address(&format!("{field}.plan.image_url"), url, Scheme::Https);
            }
            report.maybe_text(
                &format!("{field}.plan.name"),
                plan.name.as_ref(),
                NAME_CHARS_MAX,
            );
        }
    }
}

operation! {
    /// Changes several paylinks at once: every one of them, or none. The answer has them in the order of the items.
    UpdatePaylinks in "paylink": PATCH "/paylinks/batch",
    body: UpdatePaylinksBody,
    response: Vec<Paylink>,
    SCOPE: Scope::Write,
}

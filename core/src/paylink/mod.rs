//! Payment links (contract, "Paylink").

pub mod create_paylink;
mod delete_paylink;
mod get_paylink;
mod list_paylinks;
pub mod update_paylinks;

pub use create_paylink::{CreatePaylink, CreatePaylinkBody};
pub use delete_paylink::{DeletePaylink, DeletePaylinkPath};
pub use get_paylink::{GetPaylink, PaylinkPath};
pub use list_paylinks::{ListPaylinks, ListPaylinksQuery};
pub use update_paylinks::{
    PaylinkMetadata, PaylinkPlanUpdate, PaylinkUpdate, UpdatePaylinks, UpdatePaylinksBody,
};

use crate::decode::body_record;
use crate::error::Reason;
use crate::plan::Plan;
use crate::validate::{Report, Scheme, text_error};
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Amount, InvoiceId, Object, PaylinkId, PlanId, Timestamp};
use crate::web_address;

open_enum! {
    /// Origin of a record.
    Source { Api, Dashboard, Checkout, Subscription, Automation, X402 }
}

open_enum! {
    /// State of a paylink. `Paid` applies to paylinks of invoices whose payment has been received or is in progress.
    PaylinkState { Open, Disabled, Expired, SoldOut, Paid, Deleted }
}

open_enum! {
    /// Action after a payment.
    AfterCompletionType {
        /// Redirect the payer.
        Redirect = "redirect",
    }
}

body_record! {
    /// Message and redirects for the payer after paying.
    AfterCompletion {
        /// Action.
        r#type?: AfterCompletionType,
        /// Redirect URL after success.
        redirect_url?: String,
        /// Redirect URL after failure.
        failure_redirect_url?: String,
        /// Message to the payer.
        custom_message?: String,
    }
}

impl AfterCompletion {
    /// Reports invalid URLs and texts, each under `field`.
    pub(crate) fn check(&self, field: &str, report: &mut Report) {
        let redirects = self.r#type == Some(AfterCompletionType::Redirect);
        if redirects && self.redirect_url.is_none() {
            report.add_error(
                &format!("{field}.redirect_url"),
                Reason::Required,
                "is required for a redirect",
            );
        }
        // Valid links format no field names.
        for (name, url) in [
            ("redirect_url", &self.redirect_url),
            ("failure_redirect_url", &self.failure_redirect_url),
        ] {
            let error = url
                .as_ref()
                .and_then(|url| web_address::error(url, Scheme::HttpOrHttps));
            if let Some((reason, message)) = error {
                report.add_error(&format!("{field}.{name}"), reason, message);
            }
        }
        if let Some(message) = &self.custom_message
            && let Some((reason, requirement)) = text_error(message, 2000)
        {
            report.add_error(&format!("{field}.custom_message"), reason, requirement);
        }
    }
}

record! {
    /// A payment link.
    Paylink {
        /// Unique id.
        id: PaylinkId,
        /// Id of the plan it sells.
        plan_id: PlanId,
        /// The plan it sells, where embedded.
        plan?: Plan,
        /// URL of the payer's page.
        url: String,
        /// Whether the link is enabled.
        enabled: bool,
        /// Whether it accepts payments at the time of the answer, given `enabled` and its plan. Absent in embedded records.
        state?: PaylinkState,
        /// Visits, checkouts and payments of the last 30 days (UTC, today included). Only in the answer for one paylink; absent without any.
        statistics?: PaylinkStatistics,
        /// What the payer sees after paying.
        after_completion?: AfterCompletion,
        /// Whether the payer is asked for their identity.
        customer_ident_collection: bool,
        /// Whether the payer is asked for a shipping address.
        shipping_address_collection: bool,
        /// Whether the payer is asked for a tax number.
        tax_ident_collection: bool,
        /// Invoice it collects; absent if none.
        invoice_id?: InvoiceId,
        /// Free-form JSON object.
        metadata?: Object,
        /// Free-form JSON object.
        properties?: Object,
        /// Origin of the record.
        source?: Source,
        /// Creation time.
        created_at: Timestamp,
        /// User or API key that created it.
        created_by?: String,
        /// Time of the last change.
        updated_at: Timestamp,
        /// User or API key that last changed it.
        updated_by?: String,
        /// Deletion time; absent unless deleted.
        deleted_at?: Timestamp,
    }
}

record! {
    /// How often a paylink was opened, checked out and paid.
    PaylinkStatistics {
        /// Number of times its page was opened.
        visits: u64,
        /// Number of checkouts that were started.
        checkouts_started: u64,
        /// Number of payments that were confirmed.
        payments: u64,
        /// `payments` in percent of `checkouts_started`, to two decimal places; absent if no checkout was started.
        conversion_pct?: Amount,
        /// The days on which something happened, oldest first.
        days: Vec<PaylinkDay>,
    }
}

record! {
    /// How often a paylink was opened, checked out and paid on one day.
    PaylinkDay {
        /// Day in UTC, `2026-11-21`.
        date: String,
        /// Number of times its page was opened.
        visits: u64,
        /// Number of checkouts that were started.
        checkouts_started: u64,
        /// Number of payments that were confirmed.
        payments: u64,
    }
}

//! Payment links (contract, "Paylink").

pub mod create_paylink;
mod delete_paylink;
mod get_paylink;
mod list_paylinks;
pub mod update_paylinks;

pub use create_paylink::{CreatePaylink, CreatePaylinkBody};
pub use delete_paylink::{DeletePaylink, DeletePaylinkPath};
pub use get_paylink::{GetPaylink, PaylinkPath};
pub use list_paylinks::ListPaylinks;
pub use update_paylinks::{
    PaylinkMetadata, PaylinkPlanUpdate, PaylinkUpdate, UpdatePaylinks, UpdatePaylinksBody,
};

use crate::error::Reason;
use crate::given::given_record;
use crate::plan::Plan;
use crate::validate::{Report, Scheme};
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{InvoiceId, Object, PaylinkId, PlanId, Timestamp};

open_enum! {
    /// Where a record came from.
    Source { Api, Dashboard, Checkout, Subscription, Automation }
}

open_enum! {
    /// Whether a paylink takes payments. `Paid` is that of an invoice, whose money has come or is on its way.
    PaylinkState { Open, Disabled, Expired, SoldOut, Paid, Deleted }
}

open_enum! {
    /// What happens after a payment.
    AfterCompletionType {
        /// The payer is sent on.
        Redirect = "redirect",
    }
}

record! {
    /// What the payer sees or where they go after paying.
    AfterCompletion {
        /// What happens.
        r#type?: AfterCompletionType,
        /// Where the payer goes after success.
        redirect_url?: String,
        /// Where the payer goes after failure.
        failure_redirect_url?: String,
        /// What the payer reads.
        custom_message?: String,
    }
}

given_record!(AfterCompletion {
    r#type,
    redirect_url,
    failure_redirect_url,
    custom_message
});

impl AfterCompletion {
    /// Complains about addresses and texts, each under `field`.
    pub(crate) fn check(&self, field: &str, report: &mut Report) {
        let redirects = self.r#type == Some(AfterCompletionType::Redirect);
        if redirects && self.redirect_url.is_none() {
            report.complain(
                &format!("{field}.redirect_url"),
                Reason::Required,
                "is required for a redirect",
            );
        }
        for (name, url) in [
            ("redirect_url", &self.redirect_url),
            ("failure_redirect_url", &self.failure_redirect_url),
        ] {
            if let Some(url) = url {
                report.web_address(&format!("{field}.{name}"), url, Scheme::HttpOrHttps);
            }
        }
        report.maybe_text(
            &format!("{field}.custom_message"),
            self.custom_message.as_ref(),
            2000,
        );
    }
}

record! {
    /// A payment link.
    Paylink {
        /// Unique id.
        id: PaylinkId,
        /// The plan it sells.
        plan_id: PlanId,
        /// The plan it sells, where it is embedded.
        plan?: Plan,
        /// The payer's page.
        url: String,
        /// Whether it takes payments.
        enabled: bool,
        /// The same with what its plan says, at the time of the answer. Records inside others come without.
        state?: PaylinkState,
        /// What happens after a payment.
        after_completion?: AfterCompletion,
        /// Whether the payer is asked who they are.
        customer_ident_collection: bool,
        /// Whether the payer is asked where to send goods.
        shipping_address_collection: bool,
        /// Whether the payer is asked for a tax number.
        tax_ident_collection: bool,
        /// The invoice it collects, if any.
        invoice_id?: InvoiceId,
        /// Free-form.
        metadata?: Object,
        /// Free-form.
        properties?: Object,
        /// Where it came from.
        source?: Source,
        /// When it was made.
        created_at: Timestamp,
        /// Who made it.
        created_by?: String,
        /// When it last changed.
        updated_at: Timestamp,
        /// Who changed it last.
        updated_by?: String,
        /// When it was deleted, if it was.
        deleted_at?: Timestamp,
    }
}

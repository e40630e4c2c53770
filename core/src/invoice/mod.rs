//! Invoices: what a customer owes for one period (contract, "Invoice").

pub mod create_invoice;
mod get_invoice;
mod list_invoices;
mod state;

pub use create_invoice::{CreateInvoice, CreateInvoiceBody, CreateInvoicePath};
pub use get_invoice::{GetInvoice, GetInvoicePath};
pub use list_invoices::{ListInvoices, ListInvoicesQuery};
pub use state::{DUNNING_MOVES, PAYMENT_MOVES};

use crate::paylink::Source;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Amount, Currency, CustomerId, InvoiceId, Object, OrganisationId, Timestamp};

open_enum! {
    /// Where an invoice stands as a document.
    InvoiceStatus { Unknown, Draft, Finalized, Voided }
}

open_enum! {
    /// Where the payment of an invoice stands.
    InvoicePaymentStatus { Unknown, Pending, Succeeded, Failed }
}

open_enum! {
    /// What has been done about an invoice that is overdue.
    DunningStatus { Unknown, None, Overdue, Reminded, GivenUp }
}

record! {
    /// An invoice.
    Invoice {
        /// Unique id.
        id: InvoiceId,
        /// Its number: `INV-` and its place among the organisation's invoices.
        reference?: String,
        /// Who owes it.
        customer_id: CustomerId,
        /// The organisation it is owed to.
        org_id: OrganisationId,
        /// What is owed, in `currency`.
        amount: Amount,
        /// The currency of `amount`.
        currency: Currency,
        /// Where it stands as a document.
        status: InvoiceStatus,
        /// Where its payment stands.
        payment_status: InvoicePaymentStatus,
        /// What has been done about it being overdue.
        dunning_status: DunningStatus,
        /// When it must be paid.
        due_at: Timestamp,
        /// When it is issued, or was.
        issuing_at: Timestamp,
        /// Where it came from.
        source?: Source,
        /// Free-form.
        properties?: Object,
        /// When it was made.
        created_at: Timestamp,
        /// When it last changed.
        updated_at: Timestamp,
    }
}

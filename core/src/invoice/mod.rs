//! Invoices: the amount a customer owes for one period (contract, "Invoice").

pub mod create_invoice;
mod get_invoice;
mod list_invoices;
mod state;

pub use create_invoice::{CreateInvoice, CreateInvoiceBody, CreateInvoicePath};
pub use get_invoice::{GetInvoice, GetInvoicePath};
pub use list_invoices::{ListInvoices, ListInvoicesQuery};
pub use state::{DUNNING_TRANSITIONS, PAYMENT_TRANSITIONS};

use crate::paylink::Source;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Amount, Currency, CustomerId, InvoiceId, Object, OrganisationId, Timestamp};

open_enum! {
    /// Document status of an invoice.
    InvoiceStatus { Unknown, Draft, Finalized, Voided }
}

open_enum! {
    /// Payment status of an invoice.
    InvoicePaymentStatus { Unknown, Pending, Succeeded, Failed }
}

open_enum! {
    /// Dunning status of an overdue invoice.
    DunningStatus { Unknown, None, Overdue, Reminded, GivenUp }
}

record! {
    /// An invoice.
    Invoice {
        /// Unique id.
        id: InvoiceId,
        /// Invoice number: `INV-` and a sequence number within the organisation.
        reference?: String,
        /// Customer who owes it.
        customer_id: CustomerId,
        /// Organisation it is owed to.
        org_id: OrganisationId,
        /// Amount due, in `currency`.
        amount: Amount,
        /// Currency of `amount`.
        currency: Currency,
        /// Document status.
        status: InvoiceStatus,
        /// Payment status.
        payment_status: InvoicePaymentStatus,
        /// Dunning status.
        dunning_status: DunningStatus,
        /// Due date.
        due_at: Timestamp,
        /// Issue date, past or planned.
        issuing_at: Timestamp,
        /// Origin of the record.
        source?: Source,
        /// Free-form JSON object.
        properties?: Object,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
    }
}

//! `GET /customers`.

use crate::operation::{Wire, operation};
use crate::page::{Page, list_query};
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Amount, CustomerId, Object, OrganisationId, Timestamp};

open_enum! {
    /// New or returning customer.
    VisitType { FirstTime = "first-time", Repeat = "repeat" }
}

record! {
    /// A customer, as listed.
    CustomerItem {
        /// Unique id.
        id: CustomerId,
        /// Merchant-defined reference.
        customer_ident?: String,
        /// Display name.
        name?: String,
        /// E-mail address.
        email?: String,
        /// Phone number.
        phone?: String,
        /// Wallet address.
        wallet_address?: String,
        /// Whether the customer paid without giving an identity.
        guest: bool,
        /// Whether the record was deleted.
        is_deleted: bool,
        /// Time of the last payment.
        last_payment_date?: Timestamp,
        /// Number of payments.
        payments_count: u64,
        /// What they paid in US dollars: the worth of the deposits of confirmed payments when they were booked, less what was refunded.
        /// Deposits that had no price then are left out; absent without a price source.
        spent_usd?: Amount,
        /// Organisation that owns the record.
        organisation_id: OrganisationId,
        /// Free-form JSON object.
        metadata?: Object,
        /// Free-form JSON object.
        properties?: Object,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
    }
}

list_query! {
    /// Filters of the customer list.
    ListCustomersQuery {
        /// Part of a name, e-mail or reference; ignores case and accents.
        search: Option<String>,
        /// First-time or repeat customers only.
        visit_type: Option<VisitType>,
    }
}

operation! {
    /// Lists customers with number and time of their payments.
    ListCustomers in "customer": GET "/customers",
    query: ListCustomersQuery,
    response: Page<CustomerItem>,
    WIRE: Wire::List,
}

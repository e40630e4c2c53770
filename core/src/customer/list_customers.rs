//! `GET /customers`.

use crate::field::query;
use crate::operation::{Wire, operation};
use crate::page::{ListQuery, Page, Paged};
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{CustomerId, Object, OrganisationId, Timestamp};

open_enum! {
    /// Whether a customer has come back.
    VisitType { FirstTime = "first-time", Repeat = "repeat" }
}

record! {
    /// A customer as listed.
    CustomerItem {
        /// Unique id.
        id: CustomerId,
        /// The merchant's own name for them.
        customer_ident?: String,
        /// For people.
        name?: String,
        /// E-mail address.
        email?: String,
        /// Phone number.
        phone?: String,
        /// Their wallet.
        wallet_address?: String,
        /// Whether they paid without saying who they are.
        guest: bool,
        /// Whether the record was deleted.
        is_deleted: bool,
        /// When they last paid.
        last_payment_date?: Timestamp,
        /// How often they paid.
        payments_count: u64,
        /// The organisation they belong to.
        organisation_id: OrganisationId,
        /// Free-form.
        metadata?: Object,
        /// Free-form.
        properties?: Object,
        /// When they were first seen.
        created_at: Timestamp,
        /// When the record last changed.
        updated_at: Timestamp,
    }
}

query! {
    /// Which customers to list.
    ListCustomersQuery {
        /// The shared parameters.
        list: ListQuery,
        /// Part of a name, e-mail or reference, ignoring case and accents.
        search: Option<String>,
        /// First-time or repeat customers only.
        visit_type: Option<VisitType>,
    }
    names &["limit", "page", "since", "until", "sort", "search", "visit_type"]
}

operation! {
    /// Lists customers with how often and when they last paid.
    ListCustomers in "customer": GET "/customers",
    query: ListCustomersQuery,
    response: Page<CustomerItem>,
    WIRE: Wire::List,
}

impl Paged for ListCustomersQuery {
    fn list_mut(&mut self) -> &mut ListQuery {
        &mut self.list
    }
}

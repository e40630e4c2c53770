//! Customers: who pays (contract, "Customer").

mod get_customer;
mod list_customers;
pub mod update_customer;

pub use get_customer::{CustomerPath, GetCustomer};
pub use list_customers::{CustomerItem, ListCustomers, ListCustomersQuery, VisitType};
pub use update_customer::{UpdateCustomer, UpdateCustomerBody, UpdateCustomerPath};

use crate::value::record::record;
use crate::value::{CustomerId, Object, OrganisationId, Timestamp};

record! {
    /// A customer, as returned by an update and embedded in other records.
    Customer {
        /// Unique id.
        id: CustomerId,
        /// The merchant's own name for them.
        reference?: String,
        /// For people.
        name?: String,
        /// E-mail address.
        email?: String,
        /// Phone number, E.164 preferred.
        phone?: String,
        /// Their wallet.
        wallet_address?: String,
        /// The organisation they belong to.
        org_id: OrganisationId,
        /// Free-form.
        metadata?: Object,
        /// Free-form.
        properties?: Object,
        /// When they were first seen.
        created_at: Timestamp,
        /// When the record last changed.
        updated_at: Timestamp,
        /// When the record was deleted, if it was.
        deleted_at?: Timestamp,
    }
}

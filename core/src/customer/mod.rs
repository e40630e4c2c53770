//! Customers (contract, "Customer").

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
        /// Merchant-defined reference.
        reference?: String,
        /// Display name.
        name?: String,
        /// E-mail address.
        email?: String,
        /// Phone number, E.164 preferred.
        phone?: String,
        /// Wallet address.
        wallet_address?: String,
        /// Organisation that owns the record.
        org_id: OrganisationId,
        /// Free-form JSON object.
        metadata?: Object,
        /// Free-form JSON object.
        properties?: Object,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
        /// Deletion time; absent unless deleted.
        deleted_at?: Timestamp,
    }
}

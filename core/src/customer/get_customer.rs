//! `GET /customers/{customer_id}`.

use super::Customer;
use crate::operation::operation;
use crate::value::CustomerId;

operation! {
    /// Reads one customer.
    GetCustomer in "customer": GET "/customers/{customer_id}",
    path: CustomerPath {
        /// The customer's id, with its prefix or as a raw UUID.
        customer_id: CustomerId,
    },
    response: Customer,
}

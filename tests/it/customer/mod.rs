//! Customers.

mod get_customer;
mod list_customers;
mod update_customer;

use serde_json::json;
use settlekit_tests::world::{Shop, World};

/// Somebody who has begun to pay.
pub(crate) fn customer(world: &mut World, shop: &Shop, name: &str, email: &str) -> String {
    world.customer(shop, json!({ "name": name, "email": email }))
}

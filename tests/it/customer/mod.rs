//! Customers.

mod get_customer;
mod list_customers;
mod update_customer;

use serde_json::{Value, json};
use settlekit_tests::world::{Shop, World, text};

/// Somebody who has begun to pay.
pub(crate) fn customer(world: &mut World, shop: &Shop, name: &str, email: &str) -> String {
    let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
    let link = world.post(shop, "/v1/paylinks", link).id();
    let body = json!({ "chain_id": 8453, "currency": "USDC", "name": name, "email": email });
    let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), body);
    assert_eq!(started.status, 201, "{}", started.body);
    let found = world.read(shop, "/v1/customers?limit=1");
    text(&found["items"][0], "id")
}

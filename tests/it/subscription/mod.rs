//! Subscriptions: their fixtures; invoices and plans use them too.

mod cancel_subscription;
mod create_subscription;
mod dunning;
mod get_subscription;
mod list_subscriptions;
mod pause_subscription;
mod renewal;
mod resume_subscription;

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{Answer, Shop, World, text};

/// A shop with a customer and a monthly plan.
pub(crate) struct Club {
    pub(crate) shop: Shop,
    pub(crate) customer: String,
}

pub(crate) fn club(world: &mut World) -> Club {
    let shop = world.shop_with_till("Club");
    let customer = world.customer(&shop, json!({ "email": "ada@tea.example" }));
    Club { shop, customer }
}

pub(crate) fn plan(world: &mut World, club: &Club, change: Value) -> String {
    let mut body = json!({ "name": "Box", "price": "19.90", "currency": "USDC", "type": "Recurring", "recurring_interval": "Month" });
    for (name, value) in change.as_object().expect("fields") {
        body[name] = value.clone();
    }
    world.post(&club.shop, "/v1/plan", body).id()
}

pub(crate) fn subscribe(world: &mut World, club: &Club, body: Value) -> Answer {
    let mut given = json!({ "customer_id": club.customer });
    for (name, value) in body.as_object().expect("fields") {
        given[name] = value.clone();
    }
    world.keyed(&club.shop, "POST", "/v1/subscriptions", given)
}

pub(crate) fn status(world: &mut World, club: &Club, id: &str) -> String {
    text(
        &world.read(&club.shop, &format!("/v1/subscriptions/{id}")),
        "status",
    )
}

pub(crate) fn invoices(world: &mut World, club: &Club) -> u64 {
    world.read(&club.shop, "/v1/invoices")["total"]
        .as_u64()
        .expect("a total")
}

/// Pays an invoice through its paylink.
pub(crate) fn pay(world: &mut World, club: &Club, invoice: &Value) {
    let link = text(&invoice["properties"], "payment_link_id");
    let chosen = json!({ "chain_id": 8453, "currency": "USDC", "email": "ada@tea.example" });
    let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
    assert_eq!(started.status, 201, "{}", started.body);
    let pay = format!(
        "/v1/sandbox/checkout/payments/{}/pay",
        text(started.data(), "payment_id")
    );
    world.public("POST", &pay, json!({}));
    world.advance(&club.shop, Duration::ZERO);
    world.pass_and_work(Duration::from_secs(10));
}

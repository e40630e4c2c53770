//! Checkout.

mod authorize_payment;
mod get_checkout;
mod get_checkout_payment;
mod pay_from_test_wallet;
mod start_checkout;
mod subscription;
mod test_networks;

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{DAY, Shop, World, items, text};

/// A merchant on Ethereum and Polygon, and a paylink over an amount of a currency.
fn link(world: &mut World, amount: &str, currency: &str) -> String {
    let shop = world.shop("Prints", None);
    world.account(&shop, "prints", 1, &["USDC", "ETH"]);
    world.account(&shop, "prints", 137, &["USDC", "POL"]);
    let body = json!({ "amount": amount, "currency": currency, "name": "A print" });
    world.post(&shop, "/v1/paylinks", body).id()
}

/// A shop and a recurring paylink with additional fields.
fn club(world: &mut World, fields: &Value) -> (Shop, String) {
    let shop = world.shop_with_till("Club");
    let mut body = json!({ "amount": "5", "currency": "USDC", "name": "Tea club", "type": "Recurring", "interval": "Month" });
    for (name, value) in fields.as_object().expect("fields") {
        body[name] = value.clone();
    }
    let id = world.post(&shop, "/v1/paylinks", body).id();
    (shop, id)
}

fn start(world: &mut World, link: &str) -> Value {
    let payer = json!({ "chain_id": 8453, "currency": "USDC", "email": "ada@tea.example" });
    let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), payer);
    assert_eq!(started.status, 201, "{}", started.body);
    started.data().clone()
}

fn pay(world: &mut World, payment: &Value) {
    let id = text(payment, "payment_id");
    let path = format!("/v1/sandbox/checkout/payments/{id}/pay");
    let paid = world.public("POST", &path, json!({}));
    assert_eq!(paid.status, 201, "{}", paid.body);
    world.pass_and_work(Duration::from_secs(10));
}

fn list(world: &mut World, shop: &Shop, path: &str) -> Vec<Value> {
    let page = world.read(shop, path);
    items(&page).to_vec()
}

/// Waits for a club's next invoice; gives the link it is paid by.
fn next_invoice(world: &mut World, shop: &Shop) -> String {
    world.advance(shop, DAY * 31);
    let invoice = list(world, shop, "/v1/invoices?limit=1").remove(0);
    let link = invoice["properties"]["payment_link_id"].as_str();
    link.expect("a link").to_owned()
}

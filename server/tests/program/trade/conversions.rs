//! Automations that convert what comes in by a swap.

use serde_json::json;

use super::{Shop, units};
use crate::place::{Place, wait_for};
use crate::prices::until_price;
use crate::real_chain::text;

const PATH: &str = "/partners/accounts/id/till/automations/convert-balance";
const LIST: &str = "/partners/accounts/till/automations";

fn what_comes_in_is_converted(shop: &Shop) {
    let feeds = shop.feeds(&[
        ("EURC", 110_000_000),
        ("USDC", 100_000_000),
        ("ETH", 200_000_000_000),
    ]);
    shop.connect_feeds(&[&feeds[0], &feeds[1], &feeds[2]]);
    until_price(&shop.market.place, "ETH", "2000");
    until_price(&shop.market.place, "EURC", "1.1");
    until_price(&shop.market.place, "USDC", "1");
    let convert = |max_cost_bps: u32| {
        let body = json!({
            "currency": "USDC", "to_currency": "EURC", "threshold_amount": 50, "max_cost_bps": max_cost_bps,
        });
        shop.signed("POST", PATH, &body)
    };
    let first = convert(1);
    shop.earn(100);
    // The slippage alone costs more.
    shop.mine_until("the conversion costs too much", || {
        let list = shop.signed("GET", LIST, &json!(null));
        list["items"][0]["reason"] == "CostTooHigh"
    });
    assert_eq!(shop.balance("USDC"), ("100".to_owned(), "0".to_owned()));
    let path = format!("/partners/automations/{}", first["id"]);
    shop.signed("DELETE", &path, &json!(null));
    let second = convert(500);
    shop.earn(10);
    wait_for("the conversion has an order", || {
        shop.get("/trade/orders")["total"] == 1
    });
    let order = text(&shop.get("/trade/orders")["items"][0], "order_id");
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert_eq!(ended["from_amount"], "110", "{ended}");
    assert_eq!(shop.balance("USDC"), ("0".to_owned(), "0".to_owned()));
    assert_eq!(
        units(&json!(shop.balance("EURC").0)),
        units(&ended["to_amount"])
    );
    let quote = shop.get(&format!("/trade/quote/{}", text(&ended, "quote_id")));
    assert_eq!(
        quote["properties"]["automation_id"], second["id"],
        "{quote}"
    );
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn what_comes_in_is_converted_by_a_swap_within_its_cost_limit_with_sqlite() {
    what_comes_in_is_converted(&Shop::new(Place::live()));
}

#[test]
fn what_comes_in_is_converted_by_a_swap_within_its_cost_limit_with_postgresql() {
    what_comes_in_is_converted(&Shop::new(Place::live_postgres()));
}

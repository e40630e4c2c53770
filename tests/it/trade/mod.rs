//! Trading: quick trades, orders, markets. Tests of quotes use the fixtures too.

mod baskets;
mod create_quick_trade;
mod get_currencies;
mod get_order;
mod list_instruments;
mod list_orders;
mod list_tradable_assets;
mod settlement;

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_tests::world::{Shop, World, text};

/// A merchant with a thousand USDC on Base, where it takes ETH too, and an empty account on Polygon.
pub(crate) fn trader(world: &mut World) -> (Shop, i64, i64) {
    let shop = world.otc_shop("Trader");
    let base = world.account(&shop, "base", 8453, &["USDC", "ETH"]);
    let polygon = world.account(&shop, "polygon", 137, &["USDC", "POL"]);
    world.deposit(&shop, base, 8453, "USDC", "1000");
    (shop, base, polygon)
}

pub(crate) fn quote(world: &mut World, shop: &Shop, query: &str) -> Value {
    world.read(shop, &format!("/v1/trade/quote?{query}"))
}

pub(crate) fn accept(world: &mut World, shop: &Shop, quote: &Value) -> Result<Value, String> {
    let path = format!("/v1/trade/quote/{}/accept", text(quote, "id"));
    let answer = world.signed(shop, None, "POST", &path, json!({ "reference": "hedge" }));
    if answer.status == 201 {
        Ok(answer.data().clone())
    } else {
        Err(answer.refusal())
    }
}

pub(crate) fn order(world: &mut World, shop: &Shop, order: &Value) -> Value {
    let path = format!("/v1/trade/orders/{}", text(order, "order_id"));
    world.read(shop, &path)
}

pub(crate) fn status(world: &mut World, shop: &Shop, of: &Value) -> String {
    let found = order(world, shop, of);
    text(&found, "status")
}

/// The posted and available balance of a currency on a chain.
pub(crate) fn balance(
    world: &mut World,
    shop: &Shop,
    chain: i64,
    currency: &str,
) -> (String, String) {
    let overview = world.read(shop, "/v1/overview");
    overview["balances"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|balance| balance["chain"]["id"] == chain && balance["currency"] == currency)
        .map_or(("0".into(), "0".into()), |balance| {
            (text(balance, "posted"), text(balance, "available"))
        })
}

/// Waits for the slowest venue.
pub(crate) fn settle(world: &mut World) {
    world.work();
    world.pass_and_work(Duration::from_secs(30));
}

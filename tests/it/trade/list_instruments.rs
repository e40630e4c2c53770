//! `GET /trade/instruments`.

use std::time::Duration;

use serde_json::Value;
use settlekit_tests::database;
use settlekit_tests::world::World;

use super::{quote, trader};

#[test]
fn history_and_instruments_are_for_the_otc_organisation() {
    let mut world = World::new(database::sqlite());
    let (trader, _, _) = trader(&mut world);
    let plain = world.shop("Plain", None);
    for path in ["/v1/trade/quote/history", "/v1/trade/instruments"] {
        let refusal = world.keyed(&plain, "GET", path, Value::Null).refusal();
        assert_eq!(refusal, "403 FEATURE_MISSING", "{path}");
    }
    for amount in 1..=3 {
        let query = format!("sell_currency=USDC&sell_amount={amount}0&buy_currency=ETH");
        quote(&mut world, &trader, &query);
    }
    let path = "/v1/trade/quote/history?limit=2&page=2&sort=asc";
    let page = world.read(&trader, path);
    assert_eq!(page["total"], 3);
    assert_eq!(page["items"][0]["sell_assets"][0]["amount"], 30);
    let all = world.keyed(&trader, "GET", "/v1/trade/instruments", Value::Null);
    let all = all.data().as_array().expect("instruments").len();
    assert_eq!(all, 5 + 21);
    let path = "/v1/trade/instruments?venue_id=1&base=ETH&quote=USDC";
    let one = world.read(&trader, path);
    assert_eq!(one.as_array().map(Vec::len), Some(1));
    let price = &one[0]["last_price"];
    assert_ne!(*price, 3200, "it swings");
    world.pass(Duration::from_secs(600));
    let later = world.read(&trader, path);
    assert_eq!(later[0]["last_price"], *price, "and comes back");
    world.pass(Duration::from_secs(100));
    let later = world.read(&trader, path);
    assert_ne!(later[0]["last_price"], *price);
}

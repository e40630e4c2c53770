//! Quotes that an order at an exchange account covers, on a real node with another exchange.

use serde_json::json;
use settlekit_tests::kraken::Kraken;

use super::{Shop, WHOLE, units};
use crate::place::{Place, refused, wait_for};
use crate::real_chain::text;

const QUERY: &str = "sell_currency=USDC&sell_amount=105&buy_currency=EURC";

/// A shop whose operator has euros in the hot wallet, and some dollars at an exchange that sells euros for 1.05 each.
pub(super) fn with_an_account(place: Place, dollars: &str) -> (Shop, Kraken) {
    let shop = Shop::new(place);
    let account = Kraken::start();
    account.set_balance("USDC", dollars, "0");
    account.set_depth("EURCUSDC", 105, 10_000_000);
    let place = &shop.market.place;
    let add = ["exchange", "market", "add", "EURC/USDC", "--margin", "10"];
    let text = refused(&place.run(&add));
    assert!(
        text.contains("no exchange account Kraken is connected"),
        "{text}"
    );
    let connect = ["exchange", "connect", "--url", &account.url()];
    let connected = place.run_with_input(&connect, &Kraken::credentials());
    assert!(connected.status.success());
    let text = refused(&place.run(&["exchange", "market", "add", "ETH/USDC"]));
    assert!(text.contains("no such market"), "{text}");
    assert!(place.run(&add).status.success());
    assert!(place.run(&["exchange", "trading", "on"]).status.success());
    let exchange = &shop.market.exchange;
    exchange.give(shop.market.wallet, exchange.euro, 1_000 * WHOLE);
    shop.earn(1_000);
    shop.mine_until("the exchange account has a price", || {
        let quote = shop.quote(QUERY);
        quote["properties"]["offers"][0]["venue"] == "Kraken"
    });
    (shop, account)
}

fn a_quote_is_covered(place: Place) {
    let (mut shop, account) = with_an_account(place, "10000");
    let quote = shop.quote(QUERY);
    let offers = quote["properties"]["offers"].as_array().expect("a list");
    assert!(
        offers.len() > 1,
        "the exchange on the chain has offers, too: {quote}"
    );
    // 105 × 0.999 / (1.05 × 1.0025), in lots of a hundredth.
    assert_eq!(quote["buy_asset"]["amount"], 99.65, "{quote}");
    let ended = shop.ended(&shop.accept(&quote));
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert_eq!(shop.balance("USDC"), ("895".to_owned(), "0".to_owned()));
    assert_eq!(shop.balance("EURC"), ("99.65".to_owned(), "0".to_owned()));
    assert_eq!(account.placements(), 1);
    shop.until_compared();

    // The server is killed after the exchange took the order, and before it answered.
    account.set_silent(true);
    let order = shop.accept(&shop.quote(QUERY));
    wait_for("the order is placed", || account.placements() == 2);
    shop.kill(0);
    account.set_silent(false);
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert_eq!(shop.balance("EURC"), ("199.3".to_owned(), "0".to_owned()));
    assert_eq!(account.placements(), 2, "it is sent once");
    shop.until_compared();

    // Refused: nothing is sold.
    account.refuse_orders("EOrder:Insufficient funds");
    let order = shop.accept(&shop.quote(QUERY));
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Failed", "{ended}");
    assert_eq!(ended["reason"], "VenueRefused", "{ended}");
    assert_eq!(shop.balance("USDC"), ("790".to_owned(), "0".to_owned()));
    assert_eq!(
        units(&json!(shop.balance("EURC").0)).to_string(),
        "199300000"
    );
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn a_quote_is_covered_by_an_order_at_an_exchange_with_sqlite() {
    a_quote_is_covered(Place::live());
}

#[test]
fn a_quote_is_covered_by_an_order_at_an_exchange_with_postgresql() {
    a_quote_is_covered(Place::live_postgres());
}

#[test]
fn a_dry_run_of_a_quick_trade_places_no_order_and_the_trade_places_one() {
    let (shop, account) = with_an_account(Place::live(), "10000");
    let dry = shop.quick_trade("105", "EURC", true);
    assert_eq!(dry.get("order_id"), None, "{dry}");
    assert_eq!(dry["to_amount"], "99.65", "{dry}");
    let offers = dry["properties"]["offers"].as_array().expect("a list");
    assert_eq!(offers[0]["venue"], "Kraken", "{dry}");
    // The server has looked for due orders since.
    for _ in 0..4 {
        shop.market.exchange.node.mine(1);
        shop.market.until_followed();
    }
    assert_eq!(account.placements(), 0);
    assert_eq!(shop.balance("USDC"), ("1000".to_owned(), "0".to_owned()));
    assert_eq!(shop.get("/trade/orders")["total"], 0);

    let made = shop.quick_trade("105", "EURC", false);
    let order = text(&made, "order_id");
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert_eq!(account.placements(), 1);
    let moved = ["OUT 105 USDC", "IN 99.65 EURC"];
    assert_eq!(shop.movements(&order), moved);
    assert_eq!(shop.balance("USDC"), ("895".to_owned(), "0".to_owned()));
    shop.until_compared();
    shop.market.place.is_sound();
}

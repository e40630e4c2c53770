//! Baskets of an order at an exchange account and a swap, on a real node with another exchange.

use super::at_exchange::with_an_account;
use super::{Shop, shown_fee, units};

use crate::place::{Place, wait_for};
use crate::prices::until_price;
use crate::real_chain::text;

/// The account has dollars for one part: the other one is a swap.
const QUERY: &str = "sell_currency=USDC,USDC&sell_amount=105,105&buy_currency=EURC";

fn venues(shop: &Shop) -> Vec<String> {
    let quote = shop.quote(QUERY);
    let offers = quote["properties"]["offers"].as_array().expect("a list");
    let chosen = offers.iter().filter(|offer| offer["chosen"] == true);
    chosen.map(|offer| text(offer, "venue")).collect()
}

fn a_basket_settles(place: Place) {
    let (mut shop, account) = with_an_account(place, "150");
    let feeds = shop.feeds(&[("EURC", 108_000_000), ("USDC", 100_000_000)]);
    shop.connect_feeds(&[&feeds[0], &feeds[1]]);
    until_price(&shop.market.place, "EURC", "1.08");
    until_price(&shop.market.place, "USDC", "1");
    let venues = venues(&shop);
    assert_eq!(venues.len(), 2, "{venues:?}");
    assert_eq!(venues[0], "Kraken", "{venues:?}");
    assert!(venues[1].starts_with("Uniswap"), "{venues:?}");

    // The exchange takes the order and does not answer, while the swap settles.
    account.set_silent(true);
    let quote = shop.quote(QUERY);
    let height = shop.market.exchange.node.height();
    let order = shop.accept(&quote);
    wait_for("the order is placed", || account.placements() == 1);
    shop.mine_until("the swap is booked", || shop.balance("EURC").0 != "0");
    assert_eq!(shop.order(&order)["status"], "Processing");
    assert_eq!(
        shop.balance("USDC"),
        ("895".to_owned(), "105".to_owned()),
        "one part is sold, and one reserved"
    );
    let swapped = units(&shop.balance("EURC").0.into());
    shop.until_compared();

    // The server is killed between the outcomes of the parts.
    shop.kill(0);
    account.set_silent(false);
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert_eq!(shop.balance("USDC"), ("790".to_owned(), "0".to_owned()));
    let bought = units(&shop.balance("EURC").0.into());
    assert_eq!(bought, units(&ended["to_amount"]), "{ended}");
    // 99.65 euros of the exchange account.
    assert_eq!((bought - swapped).to_string(), "99650000");
    assert!(bought >= units(&quote["buy_asset"]["amount"]), "{quote}");
    assert_eq!(account.placements(), 1, "it is sent once");
    assert!(shop.allowance().is_zero());
    // Both routes together cost the network's fee of the swap, and no more than was shown before the yes.
    let paid = shop.fees_after(height);
    assert!(
        !paid.is_zero() && paid <= shown_fee(&quote),
        "{paid} {quote}"
    );
    shop.until_compared();
    shop.market.place.is_sound();
}

#[test]
fn a_basket_of_an_order_and_a_swap_settles_after_a_crash_between_them_with_sqlite() {
    a_basket_settles(Place::live());
}

#[test]
fn a_basket_of_an_order_and_a_swap_settles_after_a_crash_between_them_with_postgresql() {
    a_basket_settles(Place::live_postgres());
}

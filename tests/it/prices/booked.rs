//! What live prices are used for, and what is refused without one.

use serde_json::{Value, json};
use settlekit_service::price_sources::PriceSource;
use settlekit_tests::chain::USDC;
use settlekit_tests::world::{Answer, Shop, text};

use super::feed::Feed;

/// A shop with a till for USDC, and a market where a euro is worth 1.08 dollars.
pub(super) fn shop(feed: &mut Feed) -> Shop {
    let shop = feed.connected.world.shop("Shop", None);
    feed.connected.world.account(&shop, "till", 8453, &["USDC"]);
    for (symbol, price) in [
        ("ETH", "3000"),
        ("USDC", "0.9998"),
        ("EUR", "1.08"),
        ("GBP", "1.27"),
        ("CAD", "1.37"),
        ("CHF", "0.9"),
    ] {
        feed.say(PriceSource::Kraken, symbol, price);
    }
    shop
}

fn link() -> Value {
    json!({ "amount": "5", "currency": "EUR", "name": "Tea" })
}

fn refused_link(feed: &mut Feed, shop: &Shop) -> Answer {
    let world = &mut feed.connected.world;
    world.keyed(shop, "POST", "/v1/paylinks", link())
}

#[test]
fn a_paylink_in_euros_is_paid_at_the_price_of_the_start() {
    Feed::each(&[PriceSource::Kraken], |kind, mut feed| {
        let shop = shop(&mut feed);
        // Connected, and nothing said yet.
        let refused = refused_link(&mut feed, &shop);
        assert_eq!(refused.status, 422, "{kind}: {}", refused.body);
        feed.answer();
        let link = feed
            .connected
            .world
            .create(&shop, "/v1/paylinks", link())
            .id();
        let start = format!("/v1/checkout/{link}/payments");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let started = feed.connected.world.public("POST", &start, chosen);
        // 5 * 1.08 / 0.9998, rounded up to the last of six places.
        assert_eq!(text(started.data(), "amount"), "5.401081", "{kind}");
        let id = text(started.data(), "payment_id");
        let payment = feed
            .connected
            .world
            .read(&shop, &format!("/v1/payments/{id}"));
        assert_eq!(payment["amount_usd"], "5.40", "{kind}");
    });
}

#[test]
fn without_a_fresh_price_nothing_is_sold_in_another_currency() {
    Feed::each(&[PriceSource::Kraken], |kind, mut feed| {
        let shop = shop(&mut feed);
        feed.answer();
        let known = feed
            .connected
            .world
            .create(&shop, "/v1/paylinks", link())
            .id();
        let overview = feed.connected.world.read(&shop, "/v1/overview");
        assert_eq!(overview["total_usd"], "0.00", "{kind}");
        let bodies = [
            (502, "<html>"),
            (200, "<html>Just a moment</html>"),
            (
                200,
                r#"{"error":[],"result":{"XXBTZUSD":{"a":["1"],"b":["1"],"c":["1"]}}}"#,
            ),
            (429, ""),
        ];
        for (status, body) in bodies {
            feed.pass(3_600);
            feed.answer_all(status, body, None);
            let refused = refused_link(&mut feed, &shop);
            assert_eq!(
                refused.refusal(),
                "409 RATE_UNAVAILABLE currency",
                "{kind}: {}",
                refused.body
            );
            let start = format!("/v1/checkout/{known}/payments");
            let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
            let refused = feed.connected.world.public("POST", &start, chosen);
            assert_eq!(
                refused.refusal(),
                "409 RATE_UNAVAILABLE currency",
                "{kind}: {}",
                refused.body
            );
        }
        // A price in the paid currency needs no rate; what it is worth is left out.
        let own = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let own = feed.connected.world.create(&shop, "/v1/paylinks", own).id();
        let start = format!("/v1/checkout/{own}/payments");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let started = feed.connected.world.public("POST", &start, chosen);
        let id = text(started.data(), "payment_id");
        let payment = feed
            .connected
            .world
            .read(&shop, &format!("/v1/payments/{id}"));
        assert!(payment.get("amount_usd").is_none(), "{kind}: {payment}");
    });
}

#[test]
fn a_price_is_shown_in_the_payers_currency_only_while_it_has_a_fresh_price() {
    Feed::each(&[PriceSource::Kraken], |kind, mut feed| {
        let shop = shop(&mut feed);
        feed.answer();
        let link = json!({ "amount": "12.50", "currency": "USDC", "name": "Tea" });
        let link = feed
            .connected
            .world
            .create(&shop, "/v1/paylinks", link)
            .id();
        let path = format!("/v1/checkout/{link}?currency=EUR,GBP");
        let page = feed.connected.world.public("GET", &path, Value::Null);
        // 12.50 * 0.9998 / 1.08 and / 1.27, rounded.
        let shown = json!([
            { "currency": "EUR", "amount": "11.57" },
            { "currency": "GBP", "amount": "9.84" },
        ]);
        assert_eq!(page.data()["amounts_in"], shown, "{kind}");
        feed.pass(3_600);
        feed.answer_all(502, "<html>", None);
        let page = feed.connected.world.public("GET", &path, Value::Null);
        assert_eq!(page.data()["amount"], "12.50", "{kind}");
        assert!(page.data().get("amounts_in").is_none(), "{kind}");
    });
}

#[test]
fn an_organisation_counts_in_a_currency_that_has_a_price() {
    Feed::each(&[PriceSource::Ecb], |kind, mut feed| {
        let shop = shop(&mut feed);
        feed.say(PriceSource::Ecb, "EUR", "1.08");
        feed.answer();
        let mut set = |currency: &str| {
            let body = json!({ "currency": currency });
            feed.connected.world.keyed(&shop, "PUT", "/v1/orgs", body)
        };
        for currency in ["SEK", "USD"] {
            assert_eq!(set(currency).status, 200, "{kind}: {currency}");
        }
        let unknown = set("XYZ");
        assert_eq!(unknown.refusal(), "422 NOT_SUPPORTED currency", "{kind}");
        feed.pass(5 * 24 * 60 * 60);
        let body = json!({ "currency": "GBP" });
        let stale = feed.connected.world.keyed(&shop, "PUT", "/v1/orgs", body);
        assert_eq!(stale.refusal(), "409 RATE_UNAVAILABLE currency", "{kind}");
    });
}

#[test]
fn a_movement_is_worth_what_the_sources_said_when_it_was_booked_or_nothing_is_said() {
    Feed::each(&[PriceSource::Kraken], |kind, mut feed| {
        let shop = shop(&mut feed);
        feed.answer();
        let till = feed.connected.world.read(&shop, "/v1/accounts/till");
        let address = text(&till, "address").parse().expect("an address");
        let body = json!({ "currency": "EUR" });
        let set = feed.connected.world.keyed(&shop, "PUT", "/v1/orgs", body);
        assert_eq!(set.status, 200, "{kind}: {}", set.body);
        for pause in [0, 3_600] {
            feed.pass(pause);
            let connected = &mut feed.connected;
            connected.chain.transfer(Some(USDC), address, 10_000_000);
            connected.blocks(3);
        }
        let list = feed.connected.world.read(&shop, "/v1/movements?sort=asc");
        let movements = &list["items"];
        assert_eq!(movements[0]["amount_usd"], "9.998", "{kind}");
        // 10 * 0.9998 / 1.08
        assert_eq!(movements[0]["reporting_amount"], "9.257407", "{kind}");
        assert_eq!(movements[0]["reporting_currency"], "EUR", "{kind}");
        // An hour later no price is fresh. The money is booked all the same.
        assert_eq!(movements[1]["status"], "Confirmed", "{kind}");
        for name in ["amount_usd", "reporting_amount", "reporting_currency"] {
            assert_eq!(movements[1].get(name), None, "{kind}: {name}");
        }
        // The total needs a price of now; the volume is what was booked.
        let overview = feed.connected.world.read(&shop, "/v1/overview");
        assert_eq!(overview.get("total_usd"), None, "{kind}: {overview}");
        let days = overview["volume"].as_array().expect("days").iter();
        let worth: Vec<String> = days.map(|day| text(day, "in_usd")).collect();
        let booked = worth.iter().filter(|worth| *worth == "10.00").count();
        assert_eq!(booked, 1, "{kind}: {worth:?}");
    });
}

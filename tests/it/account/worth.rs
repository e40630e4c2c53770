//! What movements were worth when they were booked.

use serde_json::{Value, json};
use settlekit_core::value::Amount;
use settlekit_tests::world::{Shop, World, text};

use super::observe_deposit;

fn set_price(world: &mut World, shop: &Shop, currency: &str, usd: &str) {
    let body = json!({ "currency": currency, "usd": usd });
    let answer = world.keyed(shop, "POST", "/v1/sandbox/prices", body);
    assert_eq!(answer.status, 200, "{}", answer.body);
}

fn report_in(world: &mut World, shop: &Shop, currency: &str) {
    let set = world.keyed(shop, "PUT", "/v1/orgs", json!({ "currency": currency }));
    assert_eq!(set.status, 200, "{}", set.body);
}

fn movements(world: &mut World, shop: &Shop) -> Vec<Value> {
    let list = world.read(shop, "/v1/movements?sort=asc");
    list["items"].as_array().expect("movements").clone()
}

/// The worth of each movement, oldest first: in US dollars, and in the organisation's own currency.
fn worths(world: &mut World, shop: &Shop) -> Vec<String> {
    let movements = movements(world, shop).into_iter();
    let shown = |movement: &Value, name: &str| match &movement[name] {
        Value::String(text) => text.clone(),
        _ => "-".to_owned(),
    };
    let worths = movements.map(|movement| {
        let names = ["amount_usd", "reporting_amount", "reporting_currency"];
        names.map(|name| shown(&movement, name)).join(" ")
    });
    worths.collect()
}

#[test]
fn a_movement_keeps_what_it_was_worth_when_it_was_booked() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["ETH"]);
        for price in ["3000", "1234.567891"] {
            set_price(&mut world, &shop, "ETH", price);
            world.deposit(&shop, till, 8453, "ETH", "0.5");
            world.settle();
        }
        set_price(&mut world, &shop, "ETH", "1");
        let expected = ["1500 1500 USD", "617.283946 617.283946 USD"];
        assert_eq!(worths(&mut world, &shop), expected, "{kind}");
        let listed = movements(&mut world, &shop);
        let path = format!("/v1/movements/{}", listed[0]["id"]);
        assert_eq!(world.read(&shop, &path), listed[0], "{kind}");
    });
}

#[test]
fn a_movement_has_a_worth_in_the_reporting_currency_of_its_time() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["ETH", "USDC"]);
        set_price(&mut world, &shop, "ETH", "2700");
        set_price(&mut world, &shop, "EUR", "1.08");
        for currency in ["EUR", "USD", "ETH"] {
            report_in(&mut world, &shop, currency);
            world.deposit(&shop, till, 8453, "ETH", "0.123456789");
            world.settle();
        }
        set_price(&mut world, &shop, "EUR", "2");
        report_in(&mut world, &shop, "EUR");
        // 0.123456789 * 2700 / 1.08 is 308.6419725, rounded half to even.
        let expected = [
            "333.33333 308.641972 EUR",
            "333.33333 333.33333 USD",
            "333.33333 0.123457 ETH",
        ];
        assert_eq!(worths(&mut world, &shop), expected, "{kind}");
    });
}

#[test]
fn what_is_not_booked_is_worth_nothing_yet() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        set_price(&mut world, &shop, "USDC", "2");
        observe_deposit(&mut world, &shop, till, "0xaa", 1);
        assert_eq!(worths(&mut world, &shop), ["- - -"], "{kind}");
        // The price of the booking counts, not that of the first block.
        set_price(&mut world, &shop, "USDC", "3");
        observe_deposit(&mut world, &shop, till, "0xaa", 100);
        assert_eq!(worths(&mut world, &shop), ["3 3 USD"], "{kind}");
    });
}

#[test]
fn each_part_of_a_transfer_a_fee_and_a_withdrawal_has_its_worth() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["ETH", "USDC"]);
        set_price(&mut world, &shop, "USDC", "0.5");
        world.deposit(&shop, till, 8453, "USDC", "100");
        world.deposit(&shop, till, 8453, "ETH", "1");
        let body = json!({
            "account": "till", "amount": "40", "currency": "USDC", "chain_id": 8453,
            "address": settlekit_tests::world::OTHER_WALLET,
        });
        let made = world.signed(&shop, None, "POST", "/v1/payouts", body);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        world.settle();
        let movements = movements(&mut world, &shop);
        for movement in &movements {
            let units = |name: &str, scale: u32| {
                let amount: Amount = text(movement, name).parse().expect("exact");
                amount.to_units(scale).expect("exact")
            };
            // In millionths of a US dollar.
            let price = match text(movement, "currency").as_str() {
                "USDC" => 500_000,
                _ => 3_200_000_000,
            };
            let exact = units("amount", 18) * price;
            let worth = units("amount_usd", 6) * 10_i128.pow(18);
            // Rounded to the millionth.
            let difference = (exact - worth).abs();
            assert!(difference <= 10_i128.pow(18) / 2, "{kind}: {movement}");
        }
        let today = world.read(&shop, "/v1/overview")["volume"][29].clone();
        let sum = |direction: &str| {
            let kinds = ["Deposit", "Withdraw"];
            let counted = movements.iter().filter(|movement| {
                movement["direction"] == direction
                    && kinds.contains(&text(movement, "type").as_str())
            });
            let worths = counted.map(|movement| text(movement, "amount_usd"));
            let worths = worths.map(|worth| worth.parse::<Amount>().expect("exact"));
            worths.fold(Amount::ZERO, |sum, worth| sum.plus(worth).expect("exact"))
        };
        // Reports add up what movements were worth.
        let reported = |name: &str| text(&today, name).parse::<Amount>().expect("exact");
        assert_eq!(sum("IN"), reported("in_usd"), "{kind}");
        assert_eq!(sum("OUT"), reported("out_usd"), "{kind}");
        assert_eq!(sum("OUT").to_string(), "20", "{kind}");
    });
}

//! The payer's page: what it asks for.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::World;

/// A merchant on Ethereum and Polygon, and a link over an amount of a currency.
fn link(world: &mut World, amount: &str, currency: &str) -> String {
    let shop = world.shop("Prints", None);
    world.account(&shop, "prints", 1, &["USDC", "ETH"]);
    world.account(&shop, "prints", 137, &["USDC", "POL"]);
    let body = json!({ "amount": amount, "currency": currency, "name": "A print" });
    let link = world.keyed(&shop, "POST", "/v1/paylinks", body);
    assert_eq!(link.status, 201, "{}", link.body);
    link.data()["id"].as_str().expect("an id").to_owned()
}

#[test]
fn whoever_has_sent_a_part_is_asked_for_the_rest() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let link = link(&mut world, "10.00", "USDC");
        let chosen = json!({ "chain_id": 1, "currency": "USDC" });
        let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), chosen);
        let asked = |answer: &Value| {
            let uri = answer["payment_uri"]
                .as_str()
                .expect("an address")
                .to_owned();
            uri.rsplit('=').next().expect("an amount").to_owned()
        };
        assert_eq!(asked(started.data()), "10000000", "{kind}");
        let id = started.data()["payment_id"].as_str().expect("an id");
        let pay = format!("/v1/sandbox/checkout/payments/{id}/pay");
        let paid = world.public("POST", &pay, json!({ "amount": "4.25" }));
        assert_eq!(asked(paid.data()), "5750000", "{kind}");
        let rest = world.public("POST", &pay, json!({}));
        assert_eq!(rest.data()["paid_amount"], "10", "{kind}");
        assert_eq!(
            asked(rest.data()),
            "10000000",
            "{kind}: the whole, when nothing is due"
        );
    });
}

#[test]
fn a_price_in_another_currency_is_rounded_up_to_eight_places_and_in_its_own_is_as_written() {
    let mut world = World::new(database::sqlite());
    let link = link(&mut world, "12.50", "USDC");
    let shown = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
    let options: Vec<String> = shown.data()["options"]
        .as_array()
        .expect("options")
        .iter()
        .map(|option| {
            let text = |value: &Value| value.as_str().expect("text").to_owned();
            format!("{} {}", text(&option["amount"]), text(&option["currency"]))
        })
        .collect();
    // 12.50 / 3200 is exact; 12.50 / 0.45 is 27.777…
    assert_eq!(
        options,
        [
            "12.50 USDC",
            "0.00390625 ETH",
            "12.50 USDC",
            "27.77777778 POL"
        ]
    );
}

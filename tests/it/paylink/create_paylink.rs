//! `POST /paylinks`.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::World;

#[test]
fn a_paylink_lists_an_account_once() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let till = world.account(&shop, "till", 8453, &["USDC"]);
    let body =
        json!({ "amount": "5", "currency": "USDC", "name": "Tea", "account_ids": [till, till] });
    let refused = world.keyed(&shop, "POST", "/v1/paylinks", body);
    assert_eq!(refused.refusal(), "400 REPEATED account_ids[1]");
}

#[test]
fn a_paylink_with_an_unpayable_price_is_refused() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let till = world.account(&shop, "till", 8453, &["USDC"]);
    let wide = world.account(&shop, "wide", 8453, &["ETH", "USDC"]);
    let ether = world.account(&shop, "ether", 1, &["ETH"]);
    let mut offer = |currency: &str, amount: &str, accounts: Value| {
        let body = json!({ "amount": amount, "currency": currency, "name": "Tea", "account_ids": accounts });
        let made = world.keyed(&shop, "POST", "/v1/paylinks", body);
        if made.status != 201 {
            return Err(made.refusal());
        }
        let id = made.id();
        let seen = world.public("GET", &format!("/v1/checkout/{id}"), Value::Null);
        let options = seen.data()["options"].as_array().map_or(0, Vec::len);
        Ok(options)
    };
    let too_fine = Err("422 AMOUNT_TOO_MANY_DECIMALS amount".to_owned());
    assert_eq!(offer("USDC", "0.000001", json!([till])), Ok(1));
    assert_eq!(offer("USDC", "0.0000010", json!([till])), Ok(1));
    assert_eq!(offer("USDC", "0.0000001", json!([till])), too_fine);
    // In ether it is rounded up, and can be paid.
    assert_eq!(offer("USDC", "0.0000001", json!([wide])), Ok(1));
    assert_eq!(offer("USDC", "0.0000001", json!([till, wide])), Ok(1));
    assert_eq!(offer("EUR", "0.0000001", json!([till])), Ok(1));
    // The converted price overflows.
    let too_much = Err("422 NOT_SUPPORTED currency".to_owned());
    let most = "79000000000000000000000000000";
    assert_eq!(offer("EUR", most, json!([till])), too_much);
    assert_eq!(offer("USD", "200000000000000", json!([ether])), Ok(1));
    assert_eq!(offer("USD", "300000000000000", json!([ether])), too_much);
}

#[test]
fn a_virtual_account_takes_a_price_in_its_currencies_or_with_a_rate() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let body = json!({ "reference": "eu", "name": "eu", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] });
    let account = world.post(&shop, "/v1/accounts/virtual", body);
    for (currency, refusal) in [
        ("USDC", None),
        ("EUR", None),
        ("XYZ", Some("422 NOT_SUPPORTED currency")),
    ] {
        let body = json!({ "amount": "5", "currency": currency, "name": "Tea", "account_ids": [account.id_number()] });
        let made = world.keyed(&shop, "POST", "/v1/paylinks", body);
        let refused = (made.status != 201).then(|| made.refusal());
        assert_eq!(refused.as_deref(), refusal, "{currency}");
    }
}

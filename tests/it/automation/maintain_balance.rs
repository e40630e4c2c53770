//! `POST /partners/accounts/id/{account}/automations/maintain-balance`.

use serde_json::{Value, json};
use settlekit_service::step::{Command, Reply};
use settlekit_tests::database;
use settlekit_tests::world::{WALLET, World};

use super::{maintain, pair};

#[test]
fn a_suspended_partner_cannot_act_for_sub_merchants() {
    let mut world = World::new(database::sqlite());
    let pair = pair(&mut world);
    let suspend = Command::Suspend {
        organisation: pair.partner.id,
        kind: Some("Compliance".to_owned()),
    };
    assert_eq!(world.call(suspend), Reply::Done);
    let refused = maintain(&mut world, &pair, 10, 20);
    assert_eq!(refused.refusal(), "403 SUSPENDED");
    let org = Some(pair.shop.id);
    let list = "/v1/partners/accounts/till/automations";
    let listed = world.signed(&pair.partner, org, "GET", list, Value::Null);
    assert_eq!(listed.data()["total"], 0, "it reads as before");
    let plan = json!({ "name": "Box", "price": "1", "currency": "USDC", "type": "OneTime" });
    // Its merchants are not suspended.
    world.post(&pair.shop, "/v1/plan", plan);
}

#[test]
fn only_the_partner_automates_a_sub_merchants_balances() {
    World::each(|kind, mut world| {
        let pair = pair(&mut world);
        let stranger = world.shop("Stranger", None);
        let path = format!(
            "/v1/partners/accounts/id/{}/automations/maintain-balance",
            pair.account
        );
        let body = |address: &str| json!({ "currency": "USDC", "minimum_threshold_amount": 1, "payout_address": address, "payout_threshold_amount": 2 });
        let foreign = world.signed(&stranger, Some(pair.shop.id), "POST", &path, body(WALLET));
        assert_eq!(foreign.refusal(), "404 NOT_FOUND", "{kind}");
        let unsigned = world.keyed(&pair.shop, "POST", &path, body(WALLET));
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        let org = Some(pair.shop.id);
        let tron = world.signed(
            &pair.partner,
            org,
            "POST",
            &path,
            body("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
        );
        assert_eq!(
            tron.refusal(),
            "422 ADDRESS_MALFORMED payout_address",
            "{kind}"
        );
        let mut other = body(WALLET);
        other["currency"] = "EURC".into();
        let other = world.signed(&pair.partner, org, "POST", &path, other);
        assert_eq!(other.refusal(), "422 NOT_SUPPORTED currency", "{kind}");
    });
}

#[test]
fn a_balance_has_one_automation() {
    World::each(|kind, mut world| {
        let mut pair = pair(&mut world);
        let body = json!({ "chain_id": 8453, "currencies": ["USDC", "ETH"] });
        let nameless = world.keyed(&pair.shop, "POST", "/v1/accounts", body);
        pair.account = nameless.id_number();
        assert_eq!(maintain(&mut world, &pair, 10, 20).status, 201, "{kind}");
        let again = maintain(&mut world, &pair, 5, 9);
        assert_eq!(again.refusal(), "409 ALREADY_EXISTS currency", "{kind}");
        // Each currency has its own balance.
        let path = format!(
            "/v1/partners/accounts/id/{}/automations/maintain-balance",
            pair.account
        );
        let ether = json!({ "currency": "ETH", "minimum_threshold_amount": 1, "payout_address": WALLET, "payout_threshold_amount": 2 });
        let ether = world.signed(&pair.partner, Some(pair.shop.id), "POST", &path, ether);
        assert_eq!(ether.status, 201, "{kind}: {}", ether.body);

        let list = format!(
            "/v1/partners/accounts/{}/automations?sort=asc",
            pair.account
        );
        let listed = world.signed(&pair.partner, Some(pair.shop.id), "GET", &list, Value::Null);
        let items = listed.items().to_vec();
        assert_eq!(listed.data()["total"], 2, "{kind}: {}", listed.body);
        assert_eq!(items[0]["condition"]["amount"], "10", "{kind}");
        // A deleted automation does nothing.
        let first = format!("/v1/partners/automations/{}", items[0]["id"]);
        let gone = world.signed(
            &pair.partner,
            Some(pair.shop.id),
            "DELETE",
            &first,
            Value::Null,
        );
        assert_eq!(gone.status, 200, "{kind}: {}", gone.body);
        assert_eq!(maintain(&mut world, &pair, 5, 9).status, 201, "{kind}");

        // A reference lists the automations of sub-accounts without a reference too.
        let body = json!({ "chain_id": 10, "currencies": ["USDC"], "parent_account_id": "till" });
        let below = world.post(&pair.shop, "/v1/accounts", body);
        pair.account = below.id_number();
        assert_eq!(maintain(&mut world, &pair, 10, 20).status, 201, "{kind}");
        let list = "/v1/partners/accounts/till/automations";
        let listed = world.signed(&pair.partner, Some(pair.shop.id), "GET", list, Value::Null);
        assert_eq!(listed.data()["total"], 1, "{kind}: {}", listed.body);
        assert_eq!(
            listed.data()["items"][0]["account_id"],
            pair.account,
            "{kind}"
        );
    });
}

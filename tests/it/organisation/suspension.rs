//! Suspended organisations.

use serde_json::{Value, json};
use settlekit_service::step::{Command, Reply};
use settlekit_tests::world::{Shop, WALLET, World, text};

use super::ledger;

fn suspend(world: &mut World, shop: &Shop, kind: Option<&str>) {
    let done = world.call(Command::Suspend {
        organisation: shop.id,
        kind: kind.map(str::to_owned),
    });
    assert_eq!(done, Reply::Done);
}

#[test]
fn a_suspended_organisation_is_read_only() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = world.post(&shop, "/v1/paylinks", link).id();
        let chosen = json!({ "chain_id": 8453, "currency": "USDC", "email": "ada@tea.example" });
        let start = format!("/v1/checkout/{link}/payments");
        let started = world.public("POST", &start, chosen.clone());
        let payment = text(started.data(), "payment_id");

        suspend(&mut world, &shop, Some("Compliance"));
        let shown = world.read(&shop, "/v1/orgs");
        let properties = &shown["properties"];
        assert_eq!(
            (&properties["is_suspended"], &properties["suspension_type"]),
            (&json!(true), &json!("Compliance")),
            "{kind}"
        );
        let seen = world.read(&shop, "/v1/overview");
        assert_eq!(seen.get("kyc_status"), None, "{kind}");
        let event = (&seen["is_suspended"], &seen["suspension_type"]);
        assert_eq!(event, (&json!(true), &json!("Compliance")), "{kind}");
        for (method, path, body) in [
            (
                "POST",
                "/v1/paylinks",
                json!({ "amount": "5", "currency": "USDC", "name": "Tea" }),
            ),
            (
                "POST",
                "/v1/plan",
                json!({ "name": "Box", "price": "1", "currency": "USDC" }),
            ),
            (
                "POST",
                "/v1/trade/quicktrade",
                json!({ "amount": "1", "currency": "USDC", "to_currency": "ETH" }),
            ),
        ] {
            let refused = world.keyed(&shop, method, path, body);
            assert_eq!(refused.refusal(), "403 SUSPENDED", "{kind}: {path}");
        }
        let payout = json!({ "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": WALLET });
        let payout = world.signed(&shop, None, "POST", "/v1/payouts", payout);
        assert_eq!(payout.refusal(), "403 SUSPENDED", "{kind}");
        let page = world.public("GET", &format!("/v1/checkout/{link}"), Value::Null);
        assert_eq!(page.data()["state"], "Disabled", "{kind}");
        let again = world.public("POST", &start, chosen.clone());
        assert_eq!(again.refusal(), "409 PAYLINK_CLOSED", "{kind}");

        // Pending payments complete: no money is lost.
        world.pay(&payment);
        world.settle();
        assert_eq!(ledger(&mut world, &shop, till), ["Deposit IN 5"], "{kind}");
        // Settings and keys can still be changed.
        world.post(&shop, "/v1/api-keys", json!({ "name": "new" }));

        suspend(&mut world, &shop, None);
        assert_eq!(world.public("POST", &start, chosen).status, 201, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

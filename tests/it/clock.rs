//! Due work of all organisations runs in one transaction: no row may block the others.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::Seed;
use settlekit_tests::world::{Shop, WALLET, World};

/// A payment over 10 USDC; returns its id.
fn due(world: &mut World, shop: &Shop) -> String {
    let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
    world.post(shop, "/v1/payments", body).id()
}

fn status(world: &mut World, shop: &Shop, payment: &str) -> Value {
    let path = format!("/v1/payments/{payment}");
    world.keyed(shop, "GET", &path, Value::Null).data()["status"].clone()
}

#[test]
fn a_failing_job_is_logged_retried_later_and_blocks_no_other() {
    World::each(|kind, mut world| {
        let shops = [world.shop("Damaged", None), world.shop("Sound", None)];
        let payments = shops.each_ref().map(|shop| {
            world.account(shop, "till", 8453, &["USDC"]);
            due(&mut world, shop)
        });
        let damage = format!(
            "UPDATE payments SET record = replace(record, 'ProxyWallet', 'Payout') WHERE id = '{}'",
            payments[0]
        );
        world.parts().1.script(&damage).expect("damaged");
        world.pass(Duration::from_secs(31 * 60));
        let (now, seed) = (world.now, Seed([9; 32]));
        let (service, database) = world.parts();
        let (_, troubles) = service
            .run_due_jobs(database, now, seed)
            .expect("work is done");
        assert_eq!(troubles.len(), 1, "{kind}: {troubles:?}");
        assert!(troubles[0].contains(&payments[0]), "{kind}: {troubles:?}");
        assert_eq!(status(&mut world, &shops[1], &payments[1]), "Expired");
        assert_eq!(status(&mut world, &shops[0], &payments[0]), "Processing");

        let look = |world: &mut World| {
            let (now, seed) = (world.now, Seed([8; 32]));
            let (service, database) = world.parts();
            let done = service.run_due_jobs(database, now, seed);
            done.expect("work is done").1.len()
        };
        assert_eq!(look(&mut world), 0, "{kind}: it waits");
        world.pass(Duration::from_secs(60 * 60));
        assert_eq!(look(&mut world), 1, "{kind}: retried");
    });
}

#[test]
fn thresholds_and_balances_of_any_precision_are_paid_out_in_chain_units() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let chains = json!([{ "chain_id": 8453, "currencies": ["USDC"] }, { "chain_id": 56, "currencies": ["USDC"] }]);
        let body = json!({ "reference": "till", "chains": chains });
        let till = world.keyed(&shop, "POST", "/v1/accounts/virtual", body);
        let path = format!(
            "/v1/partners/accounts/id/{}/automations/maintain-balance",
            till.data()["id"]
        );
        let keep = |minimum: &str| {
            let body = r#"{ "currency": "USDC", "minimum_threshold_amount": MINIMUM, "payout_address": "WALLET", "payout_threshold_amount": 50 }"#;
            let body = body.replace("MINIMUM", minimum).replace("WALLET", WALLET);
            serde_json::from_str::<Value>(&body).expect("JSON")
        };
        let finest = "0.0000000000000000000000000001";
        let refused = world.signed(&shop, None, "POST", &path, keep(finest));
        assert_eq!(
            refused.refusal(),
            "422 AMOUNT_TOO_MANY_DECIMALS minimum_threshold_amount",
            "{kind}"
        );
        // As fine as the finer chain, finer than the other can send.
        world.create(&shop, &path, keep("0.000000000000000001"));
        let below = till.data()["sub_accounts"].as_array().expect("accounts");
        let base = below.iter().find(|one| one["chain_id"] == 8453);
        let base = base.expect("an account")["id"].as_i64().expect("an id");
        world.deposit(&shop, base, 8453, "USDC", "100");
        world.work();
        let payouts = world.keyed(&shop, "GET", "/v1/payouts", Value::Null);
        assert_eq!(
            payouts.data()["items"][0]["amount"],
            "99.979999",
            "{kind}: {}",
            payouts.body
        );
        // An amount that overflows stays on the account.
        world.deposit(&shop, base, 8453, "USDC", "70000000000000000000000");
        let fine = below.iter().find(|one| one["chain_id"] == 56);
        let fine = fine.expect("an account")["id"].as_i64().expect("an id");
        world.deposit(&shop, fine, 56, "USDC", "0.000000000000000001");
        world.pass_and_work(Duration::from_secs(120));
        let payment = due(&mut world, &shop);
        world.pass_and_work(Duration::from_secs(31 * 60));
        assert_eq!(status(&mut world, &shop, &payment), "Expired", "{kind}");
    });
}

#[test]
fn a_deposit_above_the_largest_balance_blocks_nothing() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let payment = due(&mut world, &shop);
        let pay = format!("/v1/sandbox/checkout/payments/{payment}/pay");
        for _ in 0..2 {
            let sent = world.public("POST", &pay, json!({ "amount": "70000000000000000000000" }));
            assert_eq!(sent.status, 201, "{kind}: {}", sent.body);
        }
        world.pass_and_work(Duration::from_secs(10));
        let path = format!("/v1/payments/{payment}");
        let read = world.keyed(&shop, "GET", &path, Value::Null);
        let (paid, reason) = (&read.data()["paid_amount"], &read.data()["reason"]);
        assert_eq!(
            (paid, reason),
            (&json!("70000000000000000000000"), &json!("Overpaid")),
            "{kind}: {}",
            read.body
        );
        assert!(world.differences().is_empty(), "{kind}");
    });
}

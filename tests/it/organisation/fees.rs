//! The service's fees on deposits and payouts.

use serde_json::{Value, json};
use settlekit_service::step::Reply;
use settlekit_tests::database;
use settlekit_tests::world::{WALLET, World};

use super::{ledger, set_fees};

#[test]
fn a_percentage_of_each_deposit_is_charged_before_its_shares() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let taxes = world.account(&shop, "taxes", 8453, &["USDC"]);
        let body = json!({ "reference": "till", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }],
            "deposit_splits": [{ "account_ref": "taxes", "pct": "50" }] });
        let made = world.keyed(&shop, "POST", "/v1/accounts/virtual", body);
        let (above, below) = (&made.data()["id"], &made.data()["sub_accounts"][0]["id"]);
        let (above, below) = (
            above.as_i64().expect("an id"),
            below.as_i64().expect("an id"),
        );
        assert_eq!(
            set_fees(&mut world, &shop, above, "1.5", "0"),
            Reply::Done,
            "{kind}"
        );
        let log = "/v1/events?type=Account&action=Updated&limit=1";
        let event = world.keyed(&shop, "GET", log, Value::Null);
        let event = &event.data()["items"][0]["data"];
        assert_eq!(event["id"], above, "{kind}");
        assert_eq!(event["payin_fee_pct"], json!(1.5), "{kind}");
        let shown = world.keyed(&shop, "GET", &format!("/v1/accounts/{above}"), Value::Null);
        assert!(
            shown.body.to_string().contains("\"payin_fee_pct\":1.5"),
            "{kind}: {}",
            shown.body
        );

        world.deposit(&shop, below, 8453, "USDC", "10.000001");
        world.settle();
        assert_eq!(
            ledger(&mut world, &shop, below),
            [
                "Deposit IN 10.000001",
                "ServiceFee OUT 0.15",
                "Transfer OUT 4.925"
            ],
            "{kind}: rounded down, and half of the rest"
        );
        assert_eq!(
            ledger(&mut world, &shop, taxes),
            ["Transfer IN 4.925"],
            "{kind}"
        );
        // An account's own fee overrides its parent's.
        set_fees(&mut world, &shop, below, "0", "0");
        world.deposit(&shop, below, 8453, "USDC", "2");
        world.settle();
        assert_eq!(
            ledger(&mut world, &shop, below)[3..],
            ["Deposit IN 2", "Transfer OUT 1"],
            "{kind}"
        );
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

/// Gross, fee and net of a payment.
fn net_of(payment: &Value) -> Value {
    let fields = ["gross_amount", "fee_amount", "net_amount"];
    json!(fields.map(|field| payment[field].clone()))
}

#[test]
fn a_payment_shows_gross_fee_and_net_of_what_is_confirmed() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let asked = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
        let pay = |world: &mut World| {
            let id = world.post(&shop, "/v1/payments", asked.clone()).id();
            world.pay(&id);
            format!("/v1/payments/{id}")
        };
        let free = pay(&mut world);
        world.settle();
        set_fees(&mut world, &shop, till, "1.5", "0");
        let charged = pay(&mut world);
        let open = net_of(&world.read(&shop, &charged));
        assert_eq!(open, json!([null, null, null]), "{kind}");
        world.settle();
        for (path, expected) in [
            (&free, json!(["10", "0", "10"])),
            (&charged, json!(["10", "0.15", "9.85"])),
        ] {
            assert_eq!(net_of(&world.read(&shop, path)), expected, "{kind}");
        }
        // A list does without.
        let listed = world.read(&shop, "/v1/payments")["items"][0].clone();
        assert_eq!(net_of(&listed), json!([null, null, null]), "{kind}");
    });
}

#[test]
fn a_percentage_of_each_payout_is_reserved_with_it_and_charged_when_it_is_sent() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        world.deposit(&shop, till, 8453, "USDC", "100");
        world.settle();
        set_fees(&mut world, &shop, till, "0", "2");
        let estimate = world.read(
            &shop,
            "/v1/payouts/estimate?account=till&chain_id=8453&currency=USDC&amount=50",
        );
        assert_eq!(
            (&estimate["service_fee"], &estimate["fee"]),
            (&json!("1"), &json!("0.02")),
            "{kind}"
        );
        let pay = |amount: &str| json!({ "account": "till", "amount": amount, "currency": "USDC", "chain_id": 8453, "address": WALLET });
        // With the fees it exceeds the balance.
        let refused = world.signed(&shop, None, "POST", "/v1/payouts", pay("98.1"));
        assert_eq!(refused.refusal(), "422 INSUFFICIENT_FUNDS amount", "{kind}");
        let payout = world.create(&shop, "/v1/payouts", pay("50")).id();
        let path = format!("/v1/payments/{payout}");
        assert_eq!(
            net_of(&world.read(&shop, &path)),
            json!([null, null, null]),
            "{kind}"
        );
        let overview = world.read(&shop, "/v1/overview");
        let held = overview["balances"]
            .as_array()
            .expect("balances")
            .iter()
            .find(|held| held["currency"] == "USDC")
            .expect("the balance")
            .clone();
        assert_eq!(held["available"], "48.98", "{kind}");
        world.settle();
        assert_eq!(
            ledger(&mut world, &shop, till)[1..],
            ["Withdraw OUT 50", "ServiceFee OUT 1"],
            "{kind}"
        );
        assert_eq!(
            net_of(&world.read(&shop, &path)),
            json!(["51.02", "1.02", "50"]),
            "{kind}: the fees come on top"
        );
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_percentage_is_from_0_to_100_and_belongs_to_an_account_of_the_organisation() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let stranger = world.shop("Stranger", None);
    let till = world.account(&shop, "till", 8453, &["USDC"]);
    for wrong in ["-1", "100.1", "1e1", "", "0.00000000001", "a"] {
        let reply = set_fees(&mut world, &shop, till, wrong, "0");
        assert!(matches!(reply, Reply::Failed(_)), "{wrong}: {reply:?}");
    }
    let reply = set_fees(&mut world, &stranger, till, "1", "1");
    assert_eq!(reply, Reply::Failed("no account with this id".into()));
}

//! Accounts beyond the first: virtual ones with a chain each, permanent addresses, deletion.

use serde_json::{Value, json};
use settlekit_tests::database;
use settlekit_tests::world::{Answer, Shop, World};

fn virtual_account(world: &mut World, shop: &Shop, reference: &str) -> Answer {
    let body = json!({ "reference": reference, "name": "Till",
        "chains": [{ "chain_id": 1, "currencies": ["USDC", "ETH"] }, { "chain_id": 8453, "currencies": ["USDC"] }] });
    world.keyed(shop, "POST", "/v1/accounts/virtual", body)
}

/// The accounts below a virtual account, as chain and id.
fn chains(account: &Value) -> Vec<(i64, i64)> {
    let below = account["sub_accounts"].as_array().expect("sub-accounts");
    below
        .iter()
        .map(|account| {
            let number = |name: &str| account[name].as_i64().expect("a number");
            (number("chain_id"), number("id"))
        })
        .collect()
}

#[test]
fn a_virtual_account_has_an_account_on_each_chain_and_one_ledger_over_all() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let made = virtual_account(&mut world, &shop, "till");
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let account = made.data().clone();
        assert_eq!(account["account_type"], "Virtual", "{kind}");
        assert_eq!(account["currencies"], json!(["ETH", "USDC"]), "{kind}");
        let below = chains(&account);
        let on: Vec<i64> = below.iter().map(|(chain, _)| *chain).collect();
        assert_eq!(on, [1, 8453], "{kind}");

        world.deposit(&shop, below[0].1, 1, "USDC", "10");
        world.deposit(&shop, below[1].1, 8453, "USDC", "2.5");
        let movements = world.keyed(&shop, "GET", "/v1/accounts/till/movement", Value::Null);
        let shown: Vec<(&str, &str, i64)> = movements.data()["items"]
            .as_array()
            .expect("items")
            .iter()
            .map(|item| {
                (
                    item["amount"].as_str().expect("an amount"),
                    item["status"].as_str().expect("a status"),
                    item["account_id"].as_i64().expect("an account"),
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("2.5", "Confirmed", below[1].1),
                ("10", "Confirmed", below[0].1)
            ],
            "{kind}"
        );
        let balances = world.signed(
            &shop,
            None,
            "GET",
            "/v1/partners/accounts/till/balances",
            Value::Null,
        );
        let amounts: Vec<String> = balances.data()["balances"]
            .as_array()
            .expect("balances")
            .iter()
            .map(|balance| {
                let text = |name: &str| balance[name].as_str().expect("text").to_owned();
                format!("{} {}", text("amount"), text("currency"))
            })
            .collect();
        assert_eq!(amounts, ["0 ETH", "10 USDC", "2.5 USDC"], "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn the_chains_of_a_virtual_account_are_added_enabled_and_disabled() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        virtual_account(&mut world, &shop, "till");
        let change = |world: &mut World, body: Value| {
            world.keyed(&shop, "PATCH", "/v1/accounts/virtual", body)
        };
        // Without a reference it is the organisation's first.
        let added = change(
            &mut world,
            json!({ "chains": [{ "chain_id": 137, "currencies": ["POL"] }, { "chain_id": 8453, "currencies": ["ETH"] }] }),
        );
        assert_eq!(added.status, 200, "{kind}: {}", added.body);
        let below = added.data()["sub_accounts"].clone();
        assert_eq!(
            below[1]["currencies"],
            json!(["ETH", "USDC"]),
            "{kind}: added, not replaced"
        );
        assert_eq!(below[2]["chain_id"], 137, "{kind}");

        let disabled = change(&mut world, json!({ "disable_chains": [8453] }));
        assert_eq!(
            disabled.data()["sub_accounts"][1]["enabled"],
            false,
            "{kind}"
        );
        let pay = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453, "account": "till" });
        let refused = world.keyed(&shop, "POST", "/v1/payments", pay.clone());
        assert_eq!(refused.refusal(), "422 NOT_SUPPORTED account", "{kind}");

        let enabled = change(
            &mut world,
            json!({ "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] }),
        );
        assert_eq!(enabled.data()["sub_accounts"][1]["enabled"], true, "{kind}");
        assert_eq!(
            world.keyed(&shop, "POST", "/v1/payments", pay).status,
            201,
            "{kind}"
        );

        for (body, refusal) in [
            (
                json!({ "disable_chains": [10, 1] }),
                "422 REFERENCE_UNKNOWN disable_chains[0]",
            ),
            (
                json!({ "chains": [{ "chain_id": 99, "currencies": ["ETH"] }, { "chain_id": 10, "currencies": ["ETH", "DOGE"] }] }),
                "422 NOT_SUPPORTED chains[0].chain_id, NOT_SUPPORTED chains[1].currencies[1]",
            ),
            (
                json!({ "deposit_splits": [{ "account_ref": "nobody", "pct": "10" }] }),
                "422 REFERENCE_UNKNOWN deposit_splits[0].account_ref",
            ),
            (
                json!({ "reference": "other", "disable_chains": [1] }),
                "404 NOT_FOUND",
            ),
        ] {
            assert_eq!(
                change(&mut world, body.clone()).refusal(),
                refusal,
                "{kind} {body}"
            );
        }
        let again = virtual_account(&mut world, &shop, "till");
        assert_eq!(again.refusal(), "409 ALREADY_EXISTS reference", "{kind}");
    });
}

#[test]
fn a_deposit_is_shared_out_as_told_and_what_cannot_be_sent_stays() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let taxes = world.account(&shop, "taxes", 8453, &["USDC"]);
        let far = world.account(&shop, "far", 137, &["USDC"]);
        let account = virtual_account(&mut world, &shop, "till").data().clone();
        let splits = json!({ "deposit_splits": [
            { "account_ref": "taxes", "pct": "19" },
            { "account_id": far, "pct": "10.5" },
            { "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "pct": "30" },
        ] });
        let set = world.signed(&shop, None, "PATCH", "/v1/accounts/virtual", splits);
        assert_eq!(set.status, 200, "{kind}: {}", set.body);
        world.deposit(&shop, chains(&account)[1].1, 8453, "USDC", "10.000001");
        for _ in 0..2 {
            world.work();
            world.pass(std::time::Duration::from_secs(10));
        }
        world.work();
        let held = |world: &mut World, reference: &str| {
            let path = format!("/v1/partners/accounts/{reference}/balances");
            let balances = world.signed(&shop, None, "GET", &path, Value::Null);
            let list = balances.data()["balances"]
                .as_array()
                .expect("balances")
                .clone();
            let usdc = list.into_iter().filter(|one| one["currency"] == "USDC");
            let amounts: Vec<String> = usdc
                .map(|one| one["amount"].as_str().expect("an amount").to_owned())
                .collect();
            amounts
        };
        assert_eq!(held(&mut world, "taxes"), ["1.9"], "{kind}: rounded down");
        // Nothing goes to another chain; the wallet gets its share, and the network its fee.
        assert_eq!(held(&mut world, "far"), ["0"], "{kind}");
        assert_eq!(held(&mut world, "till"), ["0", "5.080001"], "{kind}");
        let ledger = format!("/v1/accounts/{taxes}/movement");
        let ledger = world.keyed(&shop, "GET", &ledger, Value::Null);
        assert_eq!(ledger.data()["items"][0]["type"], "Transfer", "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_permanent_address_takes_payments_again_and_again() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let account = virtual_account(&mut world, &shop, "till").data().clone();
        let path = "/v1/accounts/till/pay-in-addresses";
        let wanted = json!({ "chain_id": 8453, "reference": "vip" });
        let unsigned = world.keyed(&shop, "POST", path, wanted.clone());
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        let made = world.signed(&shop, None, "POST", path, wanted);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        assert_eq!(made.data()["account_id"], chains(&account)[1].1, "{kind}");
        let elsewhere = world.signed(&shop, None, "POST", path, json!({ "chain_id": 137 }));
        assert_eq!(elsewhere.refusal(), "422 NOT_SUPPORTED chain_id", "{kind}");
        let of_nobody =
            json!({ "chain_id": 1, "customer_id": "cus_019cade5a0007000800000000000dead" });
        let of_nobody = world.signed(&shop, None, "POST", path, of_nobody);
        assert_eq!(
            of_nobody.refusal(),
            "422 REFERENCE_UNKNOWN customer_id",
            "{kind}"
        );

        let address = made.data()["address"]
            .as_str()
            .expect("an address")
            .to_owned();
        for number in 1..=2 {
            world.see(&address, &format!("0xdeed{number}"), "1500000", 3);
        }
        let movements = world.keyed(&shop, "GET", "/v1/accounts/till/movement", Value::Null);
        assert_eq!(movements.data()["total"], 2, "{kind}");
        assert_eq!(
            movements.data()["items"][0]["status"],
            "Confirmed",
            "{kind}"
        );
        let listed = world.keyed(&shop, "GET", path, Value::Null);
        assert_eq!(listed.data()["items"][0]["address"], *address, "{kind}");
    });
}

#[test]
fn an_account_is_deleted_when_it_is_empty_and_idle() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let account = virtual_account(&mut world, &shop, "till").data().clone();
        let below = chains(&account)[1].1;
        let delete =
            |world: &mut World| world.keyed(&shop, "DELETE", "/v1/accounts/till", Value::Null);

        let pay = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453, "account": "till" });
        let payment = world.keyed(&shop, "POST", "/v1/payments", pay).data()["id"].clone();
        assert_eq!(delete(&mut world).refusal(), "409 WORK_UNDER_WAY", "{kind}");
        let cancel = format!("/v1/payments/{}", payment.as_str().expect("an id"));
        assert_eq!(
            world.keyed(&shop, "DELETE", &cancel, Value::Null).status,
            200,
            "{kind}"
        );

        let deposit =
            json!({ "account": below, "chain_id": 8453, "currency": "USDC", "amount": "1" });
        world.keyed(&shop, "POST", "/v1/sandbox/deposits", deposit);
        assert_eq!(
            delete(&mut world).refusal(),
            "409 WORK_UNDER_WAY",
            "{kind}: money is on its way"
        );
        world.pass(std::time::Duration::from_secs(60));
        world.work();
        assert_eq!(
            delete(&mut world).refusal(),
            "409 ACCOUNT_NOT_EMPTY",
            "{kind}"
        );

        let other = world.account(&shop, "spare", 1, &["USDC"]);
        let gone = world.keyed(
            &shop,
            "DELETE",
            &format!("/v1/accounts/{other}"),
            Value::Null,
        );
        assert_eq!(gone.data()["state"], "Deleted", "{kind}");
        let again = world.keyed(&shop, "DELETE", "/v1/accounts/spare", Value::Null);
        assert_eq!(again.refusal(), "404 NOT_FOUND", "{kind}");
        // The reference is free again.
        world.account(&shop, "spare", 1, &["USDC"]);
    });
}

#[test]
fn a_virtual_account_takes_no_longer_what_a_deleted_chain_took() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let made = virtual_account(&mut world, &shop, "till");
        let ethereum = chains(made.data())[0].1;
        let path = format!("/v1/accounts/{ethereum}");
        let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        let till = world.keyed(&shop, "GET", "/v1/accounts/till", Value::Null);
        assert_eq!(till.data()["currencies"], json!(["USDC"]), "{kind}");
        let log = "/v1/events?type=Account&action=Updated&limit=1";
        let told = world.keyed(&shop, "GET", log, Value::Null);
        let told = &told.data()["items"][0]["data"];
        assert_eq!(told["id"], made.data()["id"], "{kind}");
    });
}

#[test]
fn a_chain_that_is_added_says_who_added_it() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        virtual_account(&mut world, &shop, "till");
        let other = Shop {
            key: world.another_key(shop.id),
            ..shop.clone()
        };
        let body = json!({ "chains": [{ "chain_id": 137, "currencies": ["USDC"] }] });
        let added = world.keyed(&other, "PATCH", "/v1/accounts/virtual", body);
        let (_, added) = chains(added.data())[2];
        let own = world.account(&other, "own", 137, &["USDC"]);
        let by = |world: &mut World, id: i64| {
            let path = format!("/v1/accounts/{id}");
            let found = world.keyed(&shop, "GET", &path, Value::Null);
            found.data()["created_by"].clone()
        };
        assert_eq!(by(&mut world, added), by(&mut world, own), "{kind}");
    });
}

#[test]
fn an_account_that_an_order_settles_on_is_not_deleted_before() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let savings = world.account(&shop, "savings", 8453, &["ETH"]);
        world.deposit(&shop, till, 8453, "USDC", "50");
        let order = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453, "account_id": till,
            "to_currency": "ETH", "to_chain_id": 8453, "settlement_account_id": savings });
        let order = world.keyed(&shop, "POST", "/v1/trade/quicktrade", order);
        assert_eq!(order.status, 201, "{kind}: {}", order.body);
        let path = format!("/v1/accounts/{savings}");
        let refused = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(refused.refusal(), "409 WORK_UNDER_WAY", "{kind}");
        for _ in 0..2 {
            world.work();
            world.pass(std::time::Duration::from_secs(60));
        }
        world.work();
        let id = order.data()["order_id"].as_str().expect("an id");
        let path_of_order = format!("/v1/trade/orders/{id}");
        let order = world.keyed(&shop, "GET", &path_of_order, Value::Null);
        assert_eq!(order.data()["status"], "Settled", "{kind}: {}", order.body);
        let refused = world.keyed(&shop, "DELETE", &path, Value::Null);
        assert_eq!(refused.refusal(), "409 ACCOUNT_NOT_EMPTY", "{kind}");
    });
}

#[test]
fn what_comes_to_an_account_after_its_deletion_is_paid_out_by_its_id() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let path = format!("/v1/accounts/{till}");
        let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
        let address = deleted.data()["address"].as_str().expect("an address");
        world.see(address, "0xdeed", "5000000", 3);
        let out = |account: Value| {
            json!({ "account": account, "amount": "4", "currency": "USDC", "chain_id": 8453,
                "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" })
        };
        let by_name = world.signed(&shop, None, "POST", "/v1/payouts", out(json!("till")));
        assert_eq!(by_name.refusal(), "422 REFERENCE_UNKNOWN account", "{kind}");
        let sent = world.signed(&shop, None, "POST", "/v1/payouts", out(json!(till)));
        assert_eq!(sent.status, 201, "{kind}: {}", sent.body);
        for _ in 0..3 {
            world.work();
            world.pass(std::time::Duration::from_secs(60));
        }
        let balances = format!("{path}/balances");
        let balances = world.keyed(&shop, "GET", &balances, Value::Null);
        assert_eq!(balances.data()[0]["posted"], "0.98", "{kind}");
        // It takes no payments.
        let pay = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453, "account": till });
        let refused = world.keyed(&shop, "POST", "/v1/payments", pay);
        assert_eq!(refused.refusal(), "422 REFERENCE_UNKNOWN account", "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn balances_of_an_account_are_those_of_it_and_of_the_accounts_below_it() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let made = virtual_account(&mut world, &shop, "till");
        let below = chains(made.data());
        world.deposit(&shop, below[1].1, 8453, "USDC", "2.5");
        let balances = world.keyed(&shop, "GET", "/v1/accounts/till/balances", Value::Null);
        let text = |item: &Value, name: &str| item[name].as_str().unwrap_or_default().to_owned();
        let shown: Vec<_> = balances
            .data()
            .as_array()
            .expect("a list")
            .iter()
            .map(|item| {
                (
                    item["account_id"].as_i64(),
                    text(item, "currency"),
                    text(item, "posted"),
                    text(item, "reserved"),
                    text(item, "available"),
                )
            })
            .collect();
        let row = |account: i64, currency: &str, held: &str| {
            let text = str::to_owned;
            (
                Some(account),
                text(currency),
                text(held),
                text("0"),
                text(held),
            )
        };
        assert_eq!(
            shown,
            [
                row(below[0].1, "ETH", "0"),
                row(below[0].1, "USDC", "0"),
                row(below[1].1, "USDC", "2.5"),
            ],
            "{kind}"
        );
        let other = world.shop("Other", None);
        let hidden = world.keyed(
            &other,
            "GET",
            &format!("/v1/accounts/{}/balances", below[0].1),
            Value::Null,
        );
        assert_eq!(hidden.status, 404, "{kind}");
    });
}

#[test]
fn a_deposit_past_what_can_be_shown_fails_with_its_transaction_and_counts_into_no_payment() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let account = world.account(&shop, "till", 8453, &["USDC"]);
        let path = format!("/v1/accounts/{account}");
        let of_account = world.keyed(&shop, "GET", &path, Value::Null);
        let of_account = of_account.data()["address"].as_str().expect("an address");
        let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
        let payment = world.keyed(&shop, "POST", "/v1/payments", body);
        let of_payment = payment.data()["deposit_address"]
            .as_str()
            .expect("an address");
        let mut see = |to: &str, hash: &str, units: &str| world.see(to, hash, units, 3);
        // The account holds all that can be shown but for one unit.
        see(of_account, "0xfeed1", "79228162514264337593543950334");
        see(of_payment, "0xfeed2", "10000000");
        let id = payment.data()["id"].as_str().expect("an id");
        let paid = world.keyed(&shop, "GET", &format!("/v1/payments/{id}"), Value::Null);
        let paid = paid.data();
        assert_eq!(paid["crypto_transactions"][0]["status"], "Failed", "{kind}");
        assert_eq!(
            (&paid["status"], &paid["paid_amount"]),
            (&json!("Processing"), &json!("0")),
            "{kind}"
        );
        let movements = world.keyed(
            &shop,
            "GET",
            "/v1/accounts/till/movement?sort=asc",
            Value::Null,
        );
        let statuses: Vec<&Value> = movements.data()["items"]
            .as_array()
            .expect("items")
            .iter()
            .map(|movement| &movement["status"])
            .collect();
        assert_eq!(statuses, ["Confirmed", "Failed"], "{kind}");
        let overview = world.keyed(&shop, "GET", "/v1/overview", Value::Null);
        assert_eq!(overview.data()["movements_failed"], 1, "{kind}");
        let failed = &overview.data()["failed_account_id"];
        assert_eq!(
            *failed,
            movements.data()["items"][1]["account_id"],
            "{kind}"
        );
        assert!(world.differences().is_empty(), "{kind}");
    });
}

//! `GET /find`.

use serde_json::{Value, json};
use settlekit_tests::world::{Shop, WALLET, World, text};

/// The found records.
fn described(world: &mut World, shop: &Shop, text: &str) -> Value {
    world.read(shop, &format!("/v1/find?text={text}"))
}

/// Kinds and ids of the found records.
fn found(world: &mut World, shop: &Shop, text: &str) -> Value {
    let found = described(world, shop, text);
    let found = found.as_array().expect("a list").iter();
    found
        .map(|one| json!({ "kind": one["kind"], "id": one["id"] }))
        .collect()
}

#[test]
fn a_payment_is_found_by_address_and_transaction() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let other = world.shop("Other", None);
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = world.post(&shop, "/v1/paylinks", link).id();
        let start = json!({ "chain_id": 8453, "currency": "USDC" });
        let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), start);
        let payment = started.data()["payment_id"].clone();
        let id = payment.as_str().expect("an id").to_owned();
        world.pay(&id);
        let read = world.read(&shop, &format!("/v1/payments/{id}"));
        let address = text(&read, "deposit_address");
        let transactions = &read["crypto_transactions"];
        let hash = text(&transactions[0], "transaction_hash");

        let expected = json!([{ "kind": "Payment", "id": payment }]);
        for text in [&address, &address.to_ascii_lowercase(), &hash] {
            assert_eq!(found(&mut world, &shop, text), expected, "{kind}: {text}");
            assert_eq!(found(&mut world, &other, text), json!([]), "{kind}: {text}");
        }
        // The beginning of an address or a hash, and nothing else of it.
        for part in [&address[..8], &address[..20], &hash[..8]] {
            assert_eq!(found(&mut world, &shop, part), expected, "{kind}: {part}");
            assert_eq!(found(&mut world, &other, part), json!([]), "{kind}: {part}");
        }
        for part in [&address[..7], &address[2..20], &hash[..7]] {
            assert_eq!(found(&mut world, &shop, part), json!([]), "{kind}: {part}");
        }
    });
}

#[test]
fn records_are_found_by_id() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        world.deposit(&shop, till, 8453, "USDC", "3");
        let body = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453 });
        let payment = world.keyed(&shop, "POST", "/v1/payments", body).id();
        let plan = json!({ "name": "Tea", "price": "5", "currency": "USDC" });
        let plan = world.keyed(&shop, "POST", "/v1/plan", plan).id();
        let movements = world.read(&shop, "/v1/movements");
        let movement = movements["items"][0]["id"].to_string();
        let account = till.to_string();
        for (id, record) in [
            (&payment, "Payment"),
            (&plan, "Plan"),
            (&movement, "Movement"),
            (&account, "Account"),
        ] {
            // Integer ids of different kinds may be equal.
            let is_it = |one: &Value| one["kind"] == record && one["id"] == id.as_str();
            let all = found(&mut world, &shop, id);
            let all = all.as_array().expect("a list");
            assert!(all.iter().any(is_it), "{kind}: {id}: {all:?}");
            let foreign = found(&mut world, &other, id);
            assert_eq!(foreign, json!([]), "{kind}: {id}");
        }
        for nothing in ["pay_01a1fdef0632715bae95f074c12c2829", "99999999"] {
            assert_eq!(found(&mut world, &shop, nothing), json!([]), "{kind}");
        }
    });
}

#[test]
fn accounts_customers_and_deposits_are_found() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        world.deposit(&shop, till, 8453, "USDC", "3");
        let account = json!([{ "kind": "Account", "id": till.to_string(), "title": "till" }]);
        assert_eq!(
            found(&mut world, &shop, "till")[0]["id"],
            account[0]["id"],
            "{kind}"
        );
        let movements = format!("/v1/accounts/{till}/movement");
        let movements = world.read(&shop, &movements);
        let movement = &movements["items"][0];
        let hash = text(movement, "transaction_hash");
        let by_hash = described(&mut world, &shop, &hash);
        assert_eq!(by_hash[0]["kind"], "Movement", "{kind}");
        assert_eq!(by_hash[0]["id"], movement["id"].to_string(), "{kind}");
        assert_eq!(by_hash[0]["account_id"], json!(till), "{kind}");
        let nothing = world.keyed(&shop, "GET", "/v1/find?text=", Value::Null);
        assert_eq!(nothing.status, 422, "{kind}: {}", nothing.body);
    });
}

#[test]
fn payments_plans_and_subscriptions_are_found_by_reference() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let payment = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "reference": "order 4711/a" });
        let payment = world.keyed(&shop, "POST", "/v1/payments", payment);
        let payment = payment.data()["id"].clone();
        let plan = json!({ "name": "Tea", "price": "5", "currency": "USDC", "type": "Recurring",
            "recurring_interval": "Month", "reference": "tea-club" });
        let plan = world.keyed(&shop, "POST", "/v1/plan", plan).data()["id"].clone();
        assert_eq!(
            found(&mut world, &shop, "order%204711%2Fa"),
            json!([{ "kind": "Payment", "id": payment }]),
            "{kind}"
        );
        assert_eq!(
            found(&mut world, &shop, "tea-club"),
            json!([{ "kind": "Plan", "id": plan }]),
            "{kind}"
        );
        let other = world.shop("Other", None);
        assert_eq!(found(&mut world, &other, "tea-club"), json!([]), "{kind}");
        // A payment creates a customer.
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = world.post(&shop, "/v1/paylinks", link).id();
        let start = json!({ "chain_id": 8453, "currency": "USDC", "name": "Bo", "email": "bo@tea.example" });
        world.public("POST", &format!("/v1/checkout/{link}/payments"), start);
        let customers = world.read(&shop, "/v1/customers?limit=1");
        let customer = customers["items"][0]["id"].clone();
        let subscription =
            json!({ "customer_id": customer, "plan_ids": [plan], "reference": "tea-club" });
        let subscription = world.keyed(&shop, "POST", "/v1/subscriptions", subscription);
        let both = json!([{ "kind": "Plan", "id": plan }, { "kind": "Subscription", "id": subscription.data()["id"] }]);
        assert_eq!(found(&mut world, &shop, "tea-club"), both, "{kind}");
    });
}

#[test]
fn refunds_and_permanent_addresses_are_found() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
        let body = json!({ "amount": "50", "currency": "USDC", "chain_id": 8453 });
        let payment = world.keyed(&shop, "POST", "/v1/payments", body);
        let id = payment.id();
        let to = payment.data()["deposit_address"].as_str().expect("text");
        world.observe_deposit(to, "0xfeed", "50000000", 3);
        let wallet = WALLET;
        let back = json!({ "amount": "1", "address": wallet });
        let path = format!("/v1/payments/{id}/refunds");
        world.create(&shop, &path, back);
        world.work();
        let latest = |world: &mut World| {
            let movements = world.read(&shop, "/v1/accounts/till/movement?limit=1");
            text(&movements["items"][0], "transaction_hash")
        };
        let hash = latest(&mut world);
        // The payment, and the payout that refunds it.
        let payout = world.read(&shop, "/v1/payouts")["items"][0]["id"].clone();
        let expected =
            json!([{ "kind": "Payment", "id": id }, { "kind": "Payment", "id": payout }]);
        assert_eq!(found(&mut world, &shop, &hash), expected, "{kind}");

        let trade = json!({ "amount": "20", "currency": "USDC", "to_currency": "ETH", "account_id": till,
            "settlement_address": wallet });
        let trade = world.create(&shop, "/v1/trade/quicktrade", trade);
        for _ in 0..2 {
            world.work();
            world.pass(std::time::Duration::from_secs(60));
        }
        world.work();
        let hash = latest(&mut world);
        let payout = world.read(&shop, "/v1/payouts")["items"][0]["id"].clone();
        let expected = json!([
            { "kind": "Order", "id": trade.data()["order_id"] },
            { "kind": "Payment", "id": payout },
        ]);
        assert_eq!(found(&mut world, &shop, &hash), expected, "{kind}");

        let address = json!({ "chain_id": 8453, "reference": "table-7" });
        let path = "/v1/accounts/till/pay-in-addresses";
        world.create(&shop, path, address);
        let expected = json!([{ "kind": "Account", "id": till.to_string() }]);
        assert_eq!(found(&mut world, &shop, "table-7"), expected, "{kind}");
    });
}

#[test]
fn the_newest_records_whose_id_begins_with_a_text_are_found() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        let body = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453 });
        let mut ids = Vec::new();
        for _ in 0..7 {
            world.pass(std::time::Duration::from_millis(1));
            ids.push(
                world
                    .keyed(&shop, "POST", "/v1/payments", body.clone())
                    .id(),
            );
        }
        ids.reverse();
        let keys = |ids: &[String]| -> Value {
            let keys = ids.iter().map(|id| json!({ "kind": "Payment", "id": id }));
            keys.collect()
        };
        let begin = &ids[0][..10];
        assert_eq!(found(&mut world, &shop, begin), keys(&ids[..5]), "{kind}");
        let upper = begin.to_ascii_uppercase();
        assert_eq!(found(&mut world, &shop, &upper), keys(&ids[..5]), "{kind}");
        for id in &ids {
            for length in [16, 20, 35] {
                let one = found(&mut world, &shop, &id[..length]);
                assert_eq!(one, keys(std::slice::from_ref(id)), "{kind}: {length}");
            }
        }
        assert_eq!(found(&mut world, &shop, &ids[0][..9]), json!([]), "{kind}");
        assert_eq!(found(&mut world, &other, begin), json!([]), "{kind}");
        let plan = json!({ "name": "Tea", "price": "5", "currency": "USDC" });
        let plan = world.keyed(&shop, "POST", "/v1/plan", plan).id();
        let expected = json!([{ "kind": "Plan", "id": plan }]);
        assert_eq!(found(&mut world, &shop, &plan[..20]), expected, "{kind}");
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = world.post(&shop, "/v1/paylinks", link).id();
        let expected = json!([{ "kind": "Paylink", "id": link }]);
        assert_eq!(found(&mut world, &shop, &link[..20]), expected, "{kind}");
        assert_eq!(found(&mut world, &shop, &link), expected, "{kind}");
    });
}

#[test]
fn accounts_plans_and_destinations_are_found_by_a_part_of_their_name() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        let account = world.account(&shop, "zurich-till", 8453, &["USDC"]);
        let plan = json!({ "name": "Zürich tea", "price": "5", "currency": "USDC" });
        let plan = world.keyed(&shop, "POST", "/v1/plan", plan).id();
        let wallet = json!({ "type": "Digital", "reference": "ZURICH-cold", "address": WALLET, "chain_id": 8453,
            "currencies": ["USDC"] });
        let path = "/v1/accounts/external-account";
        let wallet = world.create(&shop, path, wallet).data()["id"].to_string();
        let expected = json!([
            { "kind": "Account", "id": account.to_string() },
            { "kind": "Plan", "id": plan },
            { "kind": "ExternalAccount", "id": wallet },
        ]);
        assert_eq!(found(&mut world, &shop, "z%C3%BCrich"), expected, "{kind}");
        assert_eq!(found(&mut world, &shop, "RICH"), expected, "{kind}");
        assert_eq!(
            found(&mut world, &shop, "zu"),
            json!([]),
            "{kind}: too short"
        );
        assert_eq!(found(&mut world, &shop, "z_rich"), json!([]), "{kind}");
        assert_eq!(found(&mut world, &other, "zurich"), json!([]), "{kind}");
        let tea = found(&mut world, &shop, "rich%20tea");
        assert_eq!(tea, json!([{ "kind": "Plan", "id": plan }]), "{kind}");
        let removed = format!("{path}/{wallet}");
        let removed = world.signed(&shop, None, "DELETE", &removed, Value::Null);
        assert!(removed.status < 300, "{kind}: {}", removed.body);
        assert_eq!(found(&mut world, &shop, "cold"), json!([]), "{kind}");
    });
}

#[test]
fn found_records_say_their_amount_and_status() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        world.deposit(&shop, till, 8453, "USDC", "3");
        let body =
            json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "reference": "order-7" });
        let payment = world.keyed(&shop, "POST", "/v1/payments", body).id();
        let expected = json!([{ "kind": "Payment", "id": payment, "title": "order-7", "amount": "5", "currency": "USDC",
            "status": "Processing" }]);
        for text in ["order-7", payment.as_str(), &payment[..20]] {
            assert_eq!(
                described(&mut world, &shop, text),
                expected,
                "{kind}: {text}"
            );
        }
        let chain = world.read(&shop, &format!("/v1/accounts/{till}"))["chain"].clone();
        let account = json!([{ "kind": "Account", "id": till.to_string(), "title": "till", "amount": "3.00", "currency": "USD",
            "status": "Active", "chain": chain }]);
        assert_eq!(described(&mut world, &shop, "till"), account, "{kind}");
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = world.post(&shop, "/v1/paylinks", link).id();
        let expected = json!([{ "kind": "Paylink", "id": link, "title": "Tea", "amount": "5", "currency": "USDC", "status": "Open" }]);
        assert_eq!(described(&mut world, &shop, &link), expected, "{kind}");
    });
}

//! Ids of another organisation in bodies and queries: refused as if they did not exist, and nothing of their owner changes.

use serde_json::{Value, json};
use settlekit_tests::wallet::Wallet;
use settlekit_tests::world::{Answer, Shop, World, text};

/// The records of an organisation, by id.
struct Records {
    shop: Shop,
    till: i64,
    savings: i64,
    customer: String,
    plan: String,
    link: String,
    destination: i64,
    payment: String,
}

fn records(world: &mut World, name: &str, seed: u8) -> Records {
    let shop = world.otc_shop(name);
    let till = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
    let savings = world.account(&shop, "savings", 8453, &["ETH"]);
    world.deposit(&shop, till, 8453, "USDC", "100");
    let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
    let link = world.keyed(&shop, "POST", "/v1/paylinks", link).id();
    let payer = json!({ "chain_id": 8453, "currency": "USDC", "email": "ada@tea.example" });
    let begun = world.public("POST", &format!("/v1/checkout/{link}/payments"), payer);
    assert_eq!(begun.status, 201, "{}", begun.body);
    let customers = world.read(&shop, "/v1/customers");
    let payments = world.read(&shop, "/v1/payments?limit=1");
    let plan = json!({ "name": "Club", "price": "5", "currency": "USDC", "type": "Recurring", "recurring_interval": "Month" });
    let plan = world.keyed(&shop, "POST", "/v1/plan", plan).id();
    let wallet = Wallet::new([seed; 32]).address();
    let wallet =
        json!({ "type": "Digital", "address": wallet, "chain_id": 8453, "currencies": ["USDC"] });
    let path = "/v1/accounts/external-account";
    let destination = world.signed(&shop, None, "POST", path, wallet).id_number();
    Records {
        till,
        savings,
        customer: text(&customers["items"][0], "id"),
        plan,
        link,
        destination,
        payment: text(&payments["items"][0], "id"),
        shop,
    }
}

/// Requests that name one record of `theirs`, and otherwise their own: name, method, path and body.
fn requests(own: &Records, theirs: &Records) -> Vec<(&'static str, &'static str, String, Value)> {
    let quote = |account: i64, settlement: i64| {
        format!(
            "/v1/trade/quote?sell_currency=USDC&sell_amount=2&buy_currency=ETH&deposit_method=Balance\
             &account_id={account}&settlement_account_id={settlement}"
        )
    };
    let trade = |account: i64, settlement: i64| {
        json!({ "account_id": account, "amount": "2", "currency": "USDC", "to_currency": "ETH",
            "settlement_account_id": settlement })
    };
    let share = json!({ "reference": "shared", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }],
        "deposit_splits": [{ "account_id": theirs.till, "pct": "50" }] });
    let payment = |name: &str, id: Value| {
        let mut body = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453 });
        body[name] = id;
        body
    };
    let payout = |account: i64, destination: i64| json!({ "account": account, "amount": "1", "currency": "USDC", "external_account_id": destination });
    let joined =
        |customer: &str, plan: &str| json!({ "customer_id": customer, "plan_ids": [plan] });
    let below = json!({ "chain_id": 10, "currencies": ["USDC"], "parent_account_id": theirs.till });
    let link =
        json!({ "amount": "5", "currency": "USDC", "name": "Tea", "account_ids": [theirs.till] });
    let changed = json!({ "items": [{ "id": theirs.link, "enabled": false }] });
    let deposit =
        json!({ "account": theirs.till, "chain_id": 8453, "currency": "USDC", "amount": "1" });
    let bodies = [
        ("a parent account", "POST", "/v1/accounts", below),
        ("a share", "POST", "/v1/accounts/virtual", share),
        (
            "a payment's account",
            "POST",
            "/v1/payments",
            payment("account", theirs.till.into()),
        ),
        (
            "a payment's customer",
            "POST",
            "/v1/payments",
            payment("customer_id", json!(theirs.customer)),
        ),
        ("a link's account", "POST", "/v1/paylinks", link),
        ("a changed link", "PATCH", "/v1/paylinks/batch", changed),
        (
            "a payout's account",
            "POST",
            "/v1/payouts",
            payout(theirs.till, own.destination),
        ),
        (
            "a payout's destination",
            "POST",
            "/v1/payouts",
            payout(own.till, theirs.destination),
        ),
        (
            "a subscription's customer",
            "POST",
            "/v1/subscriptions",
            joined(&theirs.customer, &own.plan),
        ),
        (
            "a subscription's plan",
            "POST",
            "/v1/subscriptions",
            joined(&own.customer, &theirs.plan),
        ),
        (
            "a trade's account",
            "POST",
            "/v1/trade/quicktrade",
            trade(theirs.till, own.savings),
        ),
        (
            "a trade's settlement",
            "POST",
            "/v1/trade/quicktrade",
            trade(own.till, theirs.savings),
        ),
        (
            "a deposit's account",
            "POST",
            "/v1/sandbox/deposits",
            deposit,
        ),
    ];
    let queries = [
        ("a quote's account", quote(theirs.till, own.savings)),
        ("a quote's settlement", quote(own.till, theirs.savings)),
    ];
    let bodies = bodies.map(|(what, method, path, body)| (what, method, path.to_owned(), body));
    let queries = queries.map(|(what, path)| (what, "GET", path, Value::Null));
    bodies.into_iter().chain(queries).collect()
}

/// Lists filtered by one record.
fn lists(theirs: &Records) -> [String; 3] {
    [
        format!("/v1/payments?customer_id={}", theirs.customer),
        format!("/v1/payments?paylink_id={}", theirs.link),
        format!("/v1/events?document_id={}", theirs.payment),
    ]
}

fn ask(world: &mut World, shop: &Shop, (method, path): (&str, &str), body: &Value) -> Answer {
    world.signed(shop, None, method, path, body.clone())
}

/// All that an organisation can read of itself.
fn shown(world: &mut World, of: &Records) -> Vec<Value> {
    let lists = [
        "accounts",
        "movements",
        "payments",
        "paylinks",
        "customers",
        "subscriptions",
        "events",
    ];
    lists
        .map(|list| world.read(&of.shop, &format!("/v1/{list}?limit=100")))
        .to_vec()
}

#[test]
fn an_id_of_another_organisation_in_a_body_or_a_query_does_not_exist() {
    World::each(|kind, mut world| {
        let victim = records(&mut world, "Victim", 0x51);
        let own = records(&mut world, "Stranger", 0x52);
        let before = shown(&mut world, &victim);
        for (what, method, path, body) in requests(&own, &victim) {
            let refused = ask(&mut world, &own.shop, (method, &path), &body);
            assert!(
                matches!(refused.status, 404 | 409 | 422),
                "{kind}: {what}: {} {}",
                refused.status,
                refused.body
            );
        }
        for path in lists(&victim) {
            assert_eq!(world.read(&own.shop, &path)["total"], 0, "{kind}: {path}");
        }
        assert_eq!(shown(&mut world, &victim), before, "{kind}");
        // With the caller's own ids each succeeds, so the id was the reason.
        for (what, method, path, body) in requests(&own, &own) {
            let done = ask(&mut world, &own.shop, (method, &path), &body);
            assert!(
                matches!(done.status, 200 | 201),
                "{kind}: {what}: {} {}",
                done.status,
                done.body
            );
        }
        for path in lists(&own) {
            assert_ne!(world.read(&own.shop, &path)["total"], 0, "{kind}: {path}");
        }
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

//! What the operator agrees with an organisation: percentages of what comes in and goes out, and suspension.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::value::{AccountId, OrganisationId, Timestamp};
use settlekit_service::Seed;
use settlekit_service::step::{Command, Reply};
use settlekit_tests::database;
use settlekit_tests::world::{PASSWORD, Shop, World, request};

const WALLET: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

fn set_fees(world: &mut World, shop: &Shop, account: i64, payin: &str, payout: &str) -> Reply {
    world.call(Command::SetFees {
        organisation: shop.id,
        account: AccountId::new(account).expect("an id"),
        payin: Some(payin.into()),
        payout: Some(payout.into()),
    })
}

fn suspend(world: &mut World, shop: &Shop, kind: Option<&str>) {
    let done = world.call(Command::Suspend {
        organisation: shop.id,
        kind: kind.map(str::to_owned),
    });
    assert_eq!(done, Reply::Done);
}

fn settle(world: &mut World) {
    for _ in 0..4 {
        world.work();
        world.pass(Duration::from_secs(10));
    }
    world.work();
}

/// Type, direction and amount of an account's movements, the oldest first.
fn ledger(world: &mut World, shop: &Shop, account: i64) -> Vec<String> {
    let path = format!("/v1/accounts/{account}/movement?sort=asc");
    let listed = world.keyed(shop, "GET", &path, Value::Null);
    let text = |item: &Value, name: &str| item[name].as_str().unwrap_or("-").to_owned();
    let items = listed.data()["items"].as_array().expect("items").clone();
    items
        .iter()
        .map(|item| {
            format!(
                "{} {} {}",
                text(item, "type"),
                text(item, "direction"),
                text(item, "amount")
            )
        })
        .collect()
}

#[test]
fn a_percentage_of_what_comes_in_is_charged_before_it_is_shared_out() {
    database::each(|kind, database| {
        let mut world = World::new(database);
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
        let told = world.keyed(&shop, "GET", log, Value::Null);
        let told = &told.data()["items"][0]["data"];
        assert_eq!(told["id"], above, "{kind}");
        assert_eq!(told["payin_fee_pct"], json!(1.5), "{kind}");
        let shown = world.keyed(&shop, "GET", &format!("/v1/accounts/{above}"), Value::Null);
        assert!(
            shown.body.to_string().contains("\"payin_fee_pct\":1.5"),
            "{kind}: {}",
            shown.body
        );

        world.deposit(&shop, below, 8453, "USDC", "10.000001");
        settle(&mut world);
        assert_eq!(
            ledger(&mut world, &shop, below),
            [
                "Deposit IN 10.000001",
                "ServiceFee OUT 0.15",
                "Transfer OUT 4.925"
            ],
            "{kind}: rounded down, and half of what is left"
        );
        assert_eq!(
            ledger(&mut world, &shop, taxes),
            ["Transfer IN 4.925"],
            "{kind}"
        );
        // A percentage of its own goes before that of the account above.
        set_fees(&mut world, &shop, below, "0", "0");
        world.deposit(&shop, below, 8453, "USDC", "2");
        settle(&mut world);
        assert_eq!(
            ledger(&mut world, &shop, below)[3..],
            ["Deposit IN 2", "Transfer OUT 1"],
            "{kind}"
        );
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_percentage_of_what_goes_out_is_set_aside_with_it_and_charged_when_it_is_sent() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        world.deposit(&shop, till, 8453, "USDC", "100");
        settle(&mut world);
        set_fees(&mut world, &shop, till, "0", "2");
        let estimate = world.keyed(
            &shop,
            "GET",
            "/v1/payouts/estimate?account=till&chain_id=8453&currency=USDC&amount=50",
            Value::Null,
        );
        assert_eq!(
            (&estimate.data()["service_fee"], &estimate.data()["fee"]),
            (&json!("1"), &json!("0.02")),
            "{kind}"
        );
        let pay = |amount: &str| json!({ "account": "till", "amount": amount, "currency": "USDC", "chain_id": 8453, "address": WALLET });
        // With the fees it is more than there is.
        let refused = world.signed(&shop, None, "POST", "/v1/payouts", pay("98.1"));
        assert_eq!(refused.refusal(), "422 INSUFFICIENT_FUNDS amount", "{kind}");
        let paid = world.signed(&shop, None, "POST", "/v1/payouts", pay("50"));
        assert_eq!(paid.status, 201, "{kind}: {}", paid.body);
        let overview = world.keyed(&shop, "GET", "/v1/overview", Value::Null);
        let held = overview.data()["balances"]
            .as_array()
            .expect("balances")
            .iter()
            .find(|held| held["currency"] == "USDC")
            .expect("the balance")
            .clone();
        assert_eq!(held["available"], "48.98", "{kind}");
        settle(&mut world);
        assert_eq!(
            ledger(&mut world, &shop, till)[1..],
            ["Withdraw OUT 50", "ServiceFee OUT 1"],
            "{kind}"
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
    assert_eq!(reply, Reply::Failed("there is no such account".into()));
}

#[test]
fn a_zone_is_kept_by_its_name_taken_away_by_an_empty_one_and_refused_when_it_is_none() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let mut set = |zone: &str| {
            let body = json!({ "time_zone": zone });
            world.keyed(&shop, "PUT", "/v1/orgs", body)
        };
        for zone in [
            "Europe/Berlin",
            "America/Argentina/Buenos_Aires",
            "UTC",
            "Etc/GMT+3",
        ] {
            let kept = set(zone);
            assert_eq!(kept.data()["properties"]["time_zone"], zone, "{kind}");
        }
        for zone in ["Europe/", "/", "Berlin, Germany", "+02:00", &"A".repeat(65)] {
            assert_eq!(
                set(zone).refusal(),
                "400 UNKNOWN_VALUE time_zone",
                "{kind}: {zone}"
            );
        }
        let none = set("");
        assert_eq!(none.data()["properties"].get("time_zone"), None, "{kind}");
    });
}

#[test]
fn what_was_found_out_about_an_organisation_stands_in_its_record_until_something_else_is() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let review =
            |world: &mut World, kyc: Option<&str>, company: Option<&str>, kyb: Option<&str>| {
                let done = world.call(Command::Review {
                    organisation: shop.id,
                    kyc_status: kyc.map(str::to_owned),
                    company_name: company.map(str::to_owned),
                    kyb_status: kyb.map(str::to_owned),
                });
                assert_eq!(done, Reply::Done, "{kind}");
                let shown = world.keyed(&shop, "GET", "/v1/orgs", Value::Null);
                let seen = world.keyed(&shop, "GET", "/v1/overview", Value::Null);
                let properties = &shown.data()["properties"];
                (
                    [
                        &properties["kyc"]["status"],
                        &properties["kyb"]["info"]["companyInfo"]["companyName"],
                    ]
                    .map(Clone::clone),
                    [&seen.data()["kyc_status"], &seen.data()["kyb_status"]].map(Clone::clone),
                )
            };
        let begun = review(&mut world, Some("pending"), Some("Tea Ltd"), None);
        let expected = (
            [json!("pending"), json!("Tea Ltd")],
            [json!("pending"), Value::Null],
        );
        assert_eq!(begun, expected, "{kind}");
        let ended = review(&mut world, Some("approved"), None, Some("GREEN"));
        let expected = (
            [json!("approved"), json!("Tea Ltd")],
            [json!("approved"), json!("GREEN")],
        );
        assert_eq!(ended, expected, "{kind}");
        let nobody = world.call(Command::Review {
            organisation: OrganisationId::new(Timestamp::from_micros(0), [7; 10]),
            kyc_status: None,
            company_name: None,
            kyb_status: None,
        });
        assert_eq!(
            nobody,
            Reply::Failed("there is no such organisation".to_owned()),
            "{kind}"
        );
    });
}

#[test]
fn where_the_payer_pays_the_fees_the_price_is_what_is_left() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let free = world.account(&shop, "free", 137, &["USDC"]);
        assert_eq!(set_fees(&mut world, &shop, till, "1", "0"), Reply::Done);
        let link = json!({ "amount": "5.00", "currency": "USDC", "name": "Tea" });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", link);
        let path = format!(
            "/v1/checkout/{}",
            link.data()["id"].as_str().expect("an id")
        );
        let prices = |world: &mut World| -> Vec<(i64, String)> {
            let page = world.public("GET", &path, Value::Null);
            assert_eq!(page.data()["amount"], "5.00", "{kind}");
            let options = page.data()["options"].as_array().expect("options").iter();
            let price = |option: &Value| option["amount"].as_str().expect("an amount").to_owned();
            options
                .map(|option| {
                    (
                        option["chain"]["id"].as_i64().expect("an id"),
                        price(option),
                    )
                })
                .collect()
        };
        let same = [(8453, "5.00".to_owned()), (137, "5.00".to_owned())];
        assert_eq!(prices(&mut world), same, "{kind}: the merchant pays");
        let payer = json!({ "fee_payer": "payer" });
        assert_eq!(world.keyed(&shop, "PUT", "/v1/orgs", payer).status, 200);
        // 5 / 0.99, rounded up.
        let raised = [(8453, "5.050506".to_owned()), (137, "5.00".to_owned())];
        assert_eq!(prices(&mut world), raised, "{kind}: {free} is free of fees");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let started = world.public("POST", &format!("{path}/payments"), chosen);
        assert_eq!(started.data()["amount"], "5.050506", "{kind}");
        let payment = started.data()["payment_id"].as_str().expect("an id");
        let pay = format!("/v1/sandbox/checkout/payments/{payment}/pay");
        assert_eq!(world.public("POST", &pay, json!({})).status, 201, "{kind}");
        settle(&mut world);
        let booked = ["Deposit IN 5.050506", "ServiceFee OUT 0.050505"];
        assert_eq!(ledger(&mut world, &shop, till), booked, "{kind}");
        // Where everything is taken, nothing is left however much comes in.
        set_fees(&mut world, &shop, till, "100", "0");
        assert_eq!(prices(&mut world), raised[1..], "{kind}");
    });
}

#[test]
fn a_tolerance_in_a_currency_says_which() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let mut set = |thresholds: Value| {
        let body = json!({ "underpay_thresholds": thresholds });
        world.keyed(&shop, "PUT", "/v1/orgs", body)
    };
    assert_eq!(
        set(json!({ "underpay_tolerance_amount": 1 })).refusal(),
        "422 REQUIRED underpay_thresholds.underpay_tolerance_currency"
    );
    let whole = json!({ "underpay_tolerance_amount": 1, "underpay_tolerance_currency": "USDC" });
    assert_eq!(set(whole).status, 200);
    assert_eq!(set(json!({ "underpay_tolerance_usd": 1 })).status, 200);
}

#[test]
fn who_is_suspended_reads_everything_and_sells_trades_and_sends_nothing() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", link);
        let link = link.data()["id"].as_str().expect("an id").to_owned();
        let chosen = json!({ "chain_id": 8453, "currency": "USDC", "email": "ada@tea.example" });
        let start = format!("/v1/checkout/{link}/payments");
        let started = world.public("POST", &start, chosen.clone());
        let payment = started.data()["payment_id"]
            .as_str()
            .expect("an id")
            .to_owned();

        suspend(&mut world, &shop, Some("Compliance"));
        let shown = world.keyed(&shop, "GET", "/v1/orgs", Value::Null);
        let properties = &shown.data()["properties"];
        assert_eq!(
            (&properties["is_suspended"], &properties["suspension_type"]),
            (&json!(true), &json!("Compliance")),
            "{kind}"
        );
        let seen = world.keyed(&shop, "GET", "/v1/overview", Value::Null);
        assert_eq!(seen.data().get("kyc_status"), None, "{kind}");
        let told = (
            &seen.data()["is_suspended"],
            &seen.data()["suspension_type"],
        );
        assert_eq!(told, (&json!(true), &json!("Compliance")), "{kind}");
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

        // What was begun is finished: nobody's money is lost.
        let pay = format!("/v1/sandbox/checkout/payments/{payment}/pay");
        assert_eq!(world.public("POST", &pay, json!({})).status, 201, "{kind}");
        settle(&mut world);
        assert_eq!(ledger(&mut world, &shop, till), ["Deposit IN 5"], "{kind}");
        // Settings and keys stay the organisation's own.
        let key = world.keyed(&shop, "POST", "/v1/api-keys", json!({ "name": "new" }));
        assert_eq!(key.status, 201, "{kind}: {}", key.body);

        suspend(&mut world, &shop, None);
        assert_eq!(world.public("POST", &start, chosen).status, 201, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn the_operator_corrects_an_account_out_of_what_the_service_has_taken() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        set_fees(&mut world, &shop, till, "10", "0");
        world.deposit(&shop, till, 8453, "USDC", "50");
        let adjust = |world: &mut World, text: &str, currency: &str| {
            let (account, now) = (AccountId::new(till).expect("an id"), world.now);
            let (amount, currency) = (text.parse(), currency.parse());
            let (amount, currency) = (amount.expect("an amount"), currency.expect("a symbol"));
            let (service, database) = world.parts();
            let mut seed = [9; 32];
            seed[..text.len()].copy_from_slice(text.as_bytes());
            let named = (shop.id, account);
            let done = service.adjust(database, named, (amount, &currency), now, Seed(seed));
            done.expect("a database")
        };
        assert_eq!(adjust(&mut world, "1.5", "USDC"), Ok(()), "{kind}");
        assert_eq!(adjust(&mut world, "-0.5", "USDC"), Ok(()), "{kind}");
        assert_eq!(
            ledger(&mut world, &shop, till),
            [
                "Deposit IN 50",
                "ServiceFee OUT 5",
                "Adjustment IN 1.5",
                "Adjustment OUT 0.5",
            ],
            "{kind}"
        );
        for (amount, currency) in [
            ("4.000001", "USDC"),
            ("-46.000001", "USDC"),
            ("0", "USDC"),
            ("0.0000001", "USDC"),
            ("1", "DOGE"),
        ] {
            let refused = adjust(&mut world, amount, currency);
            assert!(refused.is_err(), "{kind} {amount} {currency}");
        }
        assert_eq!(ledger(&mut world, &shop, till).len(), 4, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn the_organisations_currency_is_one_that_has_a_rate_and_a_keys_scopes_are_named_once() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let set = |world: &mut World, currency: &str| {
            world.keyed(&shop, "PUT", "/v1/orgs", json!({ "currency": currency }))
        };
        let set_to = set(&mut world, "EUR");
        assert_eq!(set_to.data()["properties"]["currency"], "EUR", "{kind}");
        let refused = set(&mut world, "ZZZ");
        assert_eq!(refused.refusal(), "422 NOT_SUPPORTED currency", "{kind}");

        let key = json!({ "name": "Till", "scopes": ["write", "read", "write", "read"] });
        let key = world.keyed(&shop, "POST", "/v1/api-keys", key);
        assert_eq!(
            key.data()["scopes"],
            json!(["write", "read"]),
            "{kind}: {}",
            key.body
        );
    });
}

#[test]
fn a_key_gives_no_other_key_more_than_it_may_do_itself() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let mut make = |by: &Shop, scopes: Value| {
            let body = json!({ "name": "Till", "scopes": scopes });
            world.keyed(by, "POST", "/v1/api-keys", body)
        };
        let made = make(&shop, json!(["read", "manage"]));
        let key = made.data()["key"].as_str().expect("a key").to_owned();
        let narrow = Shop { key, ..shop };
        let more = make(&narrow, json!(["read", "payout"]));
        assert_eq!(more.refusal(), "403 SCOPE_MISSING", "{kind}");
        let all = make(&narrow, Value::Null);
        assert_eq!(
            all.refusal(),
            "403 SCOPE_MISSING",
            "{kind}: it may not write"
        );
        let same = make(&narrow, json!(["manage", "read"]));
        assert_eq!(same.status, 201, "{kind}: {}", same.body);
    });
}

#[test]
fn a_share_for_an_outside_wallet_needs_the_scope_that_sends_money_out() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let body = json!({ "name": "Till", "scopes": ["read", "write"] });
        let made = world.keyed(&shop, "POST", "/v1/api-keys", body);
        let key = made.data()["key"].as_str().expect("a key").to_owned();
        let till = Shop {
            key,
            ..shop.clone()
        };
        let path = "/v1/accounts/virtual";
        let share = |pct: &str| json!([{ "address": WALLET, "pct": pct }]);
        let mut body = json!({ "reference": "till", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] });
        body["deposit_splits"] = share("100");
        let refused = world.signed(&till, None, "POST", path, body.clone());
        assert_eq!(refused.refusal(), "403 SCOPE_MISSING", "{kind}");
        body["deposit_splits"] = share("10");
        let unsigned = world.keyed(&shop, "POST", path, body.clone());
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        let made = world.signed(&shop, None, "POST", path, body);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let mut change = |pct: &str| {
            let body = json!({ "reference": "till", "deposit_splits": share(pct) });
            world.signed(&till, None, "PATCH", path, body)
        };
        assert_eq!(change("10").status, 200, "{kind}: as it was");
        assert_eq!(change("11").refusal(), "403 SCOPE_MISSING", "{kind}");
        let twice = [share("10"), share("10")].map(|one| one[0].clone());
        let twice = json!({ "reference": "till", "deposit_splits": twice });
        let more = world.signed(&till, None, "PATCH", path, twice.clone());
        assert_eq!(more.refusal(), "403 SCOPE_MISSING", "{kind}: once more");
        let owner = world.sign_in(&shop, "owner@example.com");
        let more = world.session(&owner, "PATCH", path, twice.clone());
        assert_eq!(more.refusal(), "401 STEP_UP_REQUIRED", "{kind}: once more");
        let unsigned = world.keyed(&shop, "PATCH", path, twice.clone());
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        let signed = world.signed(&shop, None, "PATCH", path, twice);
        assert_eq!(signed.status, 200, "{kind}: {}", signed.body);
    });
}

#[test]
fn an_address_for_webhooks_is_https_however_its_scheme_is_written() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let guarded = settlekit_service::Service::new(settlekit_service::Options {
        master_key: [7; 32],
        mode: settlekit_service::Mode::Sandbox,
        allow_private_webhooks: false,
        public_url: "http://127.0.0.1:8080".to_owned(),
    });
    let now = world.now;
    let (_, database) = world.parts();
    for (url, status, random) in [
        ("http://hooks.example/x", 422, 1),
        ("HTTP://hooks.example/x", 422, 2),
        ("https://hooks.example/x", 200, 3),
        ("HTTPS://hooks.example/x", 200, 4),
    ] {
        let request = http::Request::put("/v1/orgs")
            .header(settlekit_core::header::API_KEY, &shop.key)
            .body(json!({ "webhook_url": url }).to_string().into_bytes())
            .expect("a request");
        let seed = Seed([random; 32]);
        let answer = guarded.answer(database, &request, now, seed);
        assert_eq!(answer.status(), status, "{url}");
    }
}

#[test]
fn a_session_proves_afresh_who_it_is_before_money_goes_out_by_any_way() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
        world.deposit(&shop, till, 8453, "USDC", "100");
        let owner = world.sign_in(&shop, "owner@example.com");
        let trade = json!({ "amount": "20", "currency": "USDC", "to_currency": "ETH", "settlement_address": WALLET });
        let share = json!({ "reference": "shared", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }],
            "deposit_splits": [{ "address": WALLET, "pct": "5" }] });
        let wish = format!(
            "/v1/trade/quote?sell_currency=USDC&sell_amount=20&buy_currency=ETH&settlement_address={WALLET}"
        );
        let held = world.session(&owner, "GET", &wish, Value::Null);
        let held = held.data()["id"].as_str().expect("an id").to_owned();
        let accept = format!("/v1/trade/quote/{held}/accept");
        let acts = [
            ("/v1/trade/quicktrade", trade),
            ("/v1/accounts/virtual", share),
            (accept.as_str(), json!({})),
        ];
        let headers = |of: &str| {
            let key = (header::IDEMPOTENCY_KEY.to_owned(), format!("once {of}"));
            [owner.headers(), vec![key]].concat()
        };
        for (path, body) in &acts {
            let refused = world.send(request("POST", path, body, headers(path)));
            assert_eq!(refused.refusal(), "401 STEP_UP_REQUIRED", "{kind} {path}");
        }
        // What stays asks for nothing.
        let own = json!({ "amount": "20", "currency": "USDC", "to_currency": "ETH" });
        let own = world.session(&owner, "POST", "/v1/trade/quicktrade", own);
        assert_eq!(own.status, 201, "{kind}: {}", own.body);
        let proof = json!({ "password": PASSWORD });
        let proof = world.session(&owner, "POST", "/v1/sessions/step-up", proof);
        let token = proof.data()["token"].as_str().expect("a token").to_owned();
        for (path, body) in &acts {
            let mut headers = headers(path);
            headers.push((header::STEP_UP.to_owned(), token.clone()));
            let done = world.send(request("POST", path, body, headers));
            assert_eq!(done.status, 201, "{kind} {path}: {}", done.body);
        }
    });
}

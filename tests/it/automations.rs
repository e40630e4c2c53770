//! Automations: a balance kept between two thresholds, by a partner for its sub-merchant.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::value::Timestamp;
use settlekit_service::step::{Command, Reply};
use settlekit_tests::database;
use settlekit_tests::world::{PASSWORD, Shop, World, request};

const WALLET: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// A partner, its sub-merchant, and the sub-merchant's virtual account on two chains.
struct Pair {
    partner: Shop,
    shop: Shop,
    account: i64,
    below: Vec<i64>,
}

fn pair(world: &mut World) -> Pair {
    let partner = world.shop("Partner", None);
    let shop = world.shop("Shop", Some(partner.id));
    let body = json!({ "reference": "till", "chains": [{ "chain_id": 137, "currencies": ["USDC"] }, { "chain_id": 8453, "currencies": ["USDC"] }] });
    let made = world.keyed(&shop, "POST", "/v1/accounts/virtual", body);
    assert_eq!(made.status, 201, "{}", made.body);
    let below = made.data()["sub_accounts"].as_array().expect("accounts");
    Pair {
        account: made.data()["id"].as_i64().expect("an id"),
        below: below
            .iter()
            .map(|one| one["id"].as_i64().expect("an id"))
            .collect(),
        partner,
        shop,
    }
}

fn maintain(
    world: &mut World,
    pair: &Pair,
    minimum: u32,
    threshold: u32,
) -> settlekit_tests::world::Answer {
    let path = format!(
        "/v1/partners/accounts/id/{}/automations/maintain-balance",
        pair.account
    );
    let body = json!({ "currency": "USDC", "minimum_threshold_amount": minimum, "payout_address": WALLET, "payout_threshold_amount": threshold });
    world.signed(&pair.partner, Some(pair.shop.id), "POST", &path, body)
}

fn payouts(world: &mut World, pair: &Pair) -> Vec<String> {
    let listed = world.keyed(&pair.shop, "GET", "/v1/payouts?sort=asc", Value::Null);
    let items = listed.data()["items"].as_array().expect("items");
    items
        .iter()
        .map(|item| {
            format!(
                "{} {}",
                item["amount"].as_str().expect("text"),
                item["chain_id"]
            )
        })
        .collect()
}

/// The automation of the till.
fn automation(world: &mut World, pair: &Pair) -> Value {
    let list = "/v1/partners/accounts/till/automations";
    let listed = world.signed(&pair.partner, Some(pair.shop.id), "GET", list, Value::Null);
    listed.data()["items"][0].clone()
}

fn path_of(automation: &Value) -> String {
    format!("/v1/partners/automations/{}", automation["id"])
}

fn low(world: &mut World, pair: &Pair) -> Value {
    let log = "/v1/events?action=LowBalanceDetected";
    world.keyed(&pair.shop, "GET", log, Value::Null).data()["total"].clone()
}

#[test]
fn what_lies_above_is_paid_out_once_and_what_lies_below_is_told_once() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let pair = pair(&mut world);
        let made = maintain(&mut world, &pair, 100, 150);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        assert_eq!(made.data()["payout_account"]["address"], WALLET, "{kind}");
        world.work();
        assert_eq!(low(&mut world, &pair), 1, "{kind}: it begins empty");
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "90");
        world.work();
        assert_eq!(
            low(&mut world, &pair),
            1,
            "{kind}: still low, not told again"
        );
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "60");
        world.work();
        assert!(
            payouts(&mut world, &pair).is_empty(),
            "{kind}: at the threshold, not above"
        );
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "70");
        for _ in 0..3 {
            world.work();
            world.pass(Duration::from_secs(10));
        }
        // 220 together; 120 go, from the fuller account first, the fee out of what is sent.
        assert_eq!(payouts(&mut world, &pair), ["119.98 8453"], "{kind}");
        world.work();
        assert_eq!(payouts(&mut world, &pair).len(), 1, "{kind}: once");
        assert_eq!(
            low(&mut world, &pair),
            1,
            "{kind}: what is left is the minimum"
        );
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn an_automation_is_listed_changed_disabled_and_ended() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let pair = pair(&mut world);
        maintain(&mut world, &pair, 10, 20);
        world.work();
        let org = Some(pair.shop.id);
        let item = automation(&mut world, &pair);
        assert_eq!(item["action_type"], "MaintainBalance", "{kind}: {item}");
        assert_eq!(item["condition"]["amount"], "10", "{kind}");
        assert!(item["last_run_at"].is_string(), "{kind}");
        let path = path_of(&item);
        let too_high = json!({ "amount": "20" });
        let too_high = world.signed(&pair.partner, org, "PATCH", &path, too_high);
        assert_eq!(too_high.refusal(), "400 OUT_OF_RANGE amount", "{kind}");
        let off = world.signed(
            &pair.partner,
            org,
            "PATCH",
            &path,
            json!({ "enabled": false }),
        );
        assert_eq!(off.data()["enabled"], false, "{kind}");
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "50");
        world.work();
        assert!(payouts(&mut world, &pair).is_empty(), "{kind}: it is off");
        world.signed(
            &pair.partner,
            org,
            "PATCH",
            &path,
            json!({ "enabled": true }),
        );
        world.work();
        assert_eq!(payouts(&mut world, &pair), ["39.98 137"], "{kind}");
        let ended = world.signed(&pair.partner, org, "DELETE", &path, Value::Null);
        assert_eq!(ended.status, 200, "{kind}");
        assert!(ended.data()["deleted_at"].is_string(), "{kind}");
        let again = world.signed(&pair.partner, org, "DELETE", &path, Value::Null);
        assert_eq!(again.refusal(), "404 NOT_FOUND", "{kind}");
    });
}

#[test]
fn an_automation_of_the_account_on_one_chain_is_listed_by_its_reference() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let pair = pair(&mut world);
        let polygon = Pair {
            account: pair.below[0],
            ..pair
        };
        maintain(&mut world, &polygon, 10, 20);
        world.pass(Duration::from_secs(1));
        let between = world.now;
        let above = world.keyed(&polygon.shop, "GET", "/v1/accounts/till", Value::Null);
        let above = Pair {
            account: above.data()["id"].as_i64().expect("an id"),
            ..polygon
        };
        world.pass(Duration::from_secs(1));
        maintain(&mut world, &above, 10, 20);
        let mut list = |query: &str| {
            let target = format!("/v1/partners/accounts/till/automations?{query}");
            let org = Some(above.shop.id);
            let listed = world.signed(&above.partner, org, "GET", &target, Value::Null);
            let items = listed.data()["items"].as_array().expect("items").iter();
            let accounts: Vec<i64> = items.filter_map(|one| one["account_id"].as_i64()).collect();
            let next = listed.data()["next"].as_i64();
            (accounts, listed.data()["total"].as_i64(), next)
        };
        let (one, all) = (above.below[0], above.account);
        assert_eq!(list(""), (vec![all, one], Some(2), None), "{kind}");
        assert_eq!(list("sort=asc&limit=1"), (vec![one], Some(2), Some(2)));
        assert_eq!(list("sort=asc&limit=1&page=2"), (vec![all], Some(2), None));
        assert_eq!(list("page=9"), (vec![], Some(2), None), "{kind}");
        let since = format!("since={between}");
        assert_eq!(list(&since), (vec![all], Some(1), None), "{kind}");
        let until = format!("until={between}");
        assert_eq!(list(&until), (vec![one], Some(1), None), "{kind}");
    });
}

#[test]
fn what_rested_while_an_organisation_was_suspended_is_looked_at_when_that_ends() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let pair = pair(&mut world);
        maintain(&mut world, &pair, 10, 20);
        world.work();
        let suspend = |suspension: Option<&str>| Command::Suspend {
            organisation: pair.shop.id,
            kind: suspension.map(str::to_owned),
        };
        let org = Some(pair.shop.id);
        let path = path_of(&automation(&mut world, &pair));
        let enable = |world: &mut World, enabled: bool| {
            let body = json!({ "enabled": enabled });
            let set = world.signed(&pair.partner, org, "PATCH", &path, body);
            assert_eq!(set.status, 200, "{kind}: {}", set.body);
        };
        enable(&mut world, false);
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "50");
        enable(&mut world, true);
        assert_eq!(world.call(suspend(Some("Compliance"))), Reply::Done);
        world.work();
        assert!(payouts(&mut world, &pair).is_empty(), "{kind}");
        assert_eq!(world.call(suspend(None)), Reply::Done);
        world.work();
        assert_eq!(payouts(&mut world, &pair), ["39.98 137"], "{kind}");
    });
}

#[test]
fn a_partner_that_is_suspended_acts_for_nobody() {
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
    let own = world.keyed(&pair.shop, "POST", "/v1/plan", plan);
    assert_eq!(own.status, 201, "its merchants are not: {}", own.body);
}

#[test]
fn only_the_partner_of_a_sub_merchant_keeps_its_balances() {
    database::each(|kind, database| {
        let mut world = World::new(database);
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
fn a_balance_is_kept_by_one_automation_which_is_found_by_the_accounts_id_too() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let mut pair = pair(&mut world);
        let body = json!({ "chain_id": 8453, "currencies": ["USDC", "ETH"] });
        let nameless = world.keyed(&pair.shop, "POST", "/v1/accounts", body);
        pair.account = nameless.data()["id"].as_i64().expect("an id");
        assert_eq!(maintain(&mut world, &pair, 10, 20).status, 201, "{kind}");
        let again = maintain(&mut world, &pair, 5, 9);
        assert_eq!(again.refusal(), "409 ALREADY_EXISTS currency", "{kind}");
        // Another currency has a balance of its own.
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
        let items = listed.data()["items"].as_array().expect("items").clone();
        assert_eq!(listed.data()["total"], 2, "{kind}: {}", listed.body);
        assert_eq!(items[0]["condition"]["amount"], "10", "{kind}");
        // What is deleted keeps nothing any more.
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

        // By a reference those of accounts below are in the list that have none.
        let body = json!({ "chain_id": 10, "currencies": ["USDC"], "parent_account_id": "till" });
        let below = world.keyed(&pair.shop, "POST", "/v1/accounts", body);
        assert_eq!(below.status, 201, "{kind}: {}", below.body);
        pair.account = below.data()["id"].as_i64().expect("an id");
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

#[test]
fn with_nothing_to_be_kept_all_of_it_is_swept_and_the_list_says_where_to() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let pair = pair(&mut world);
        assert_eq!(maintain(&mut world, &pair, 0, 150).status, 201, "{kind}");
        world.work();
        assert_eq!(low(&mut world, &pair), 0, "{kind}: there is no minimum");
        let org = Some(pair.shop.id);
        let shown = |world: &mut World| automation(world, &pair);
        let item = shown(&mut world);
        assert_eq!(
            (
                &item["action_type"],
                &item["condition"]["comparison"],
                &item["condition"]["amount"]
            ),
            (&json!("Sweep"), &json!("GreaterThan"), &json!("150")),
            "{kind}: {item}"
        );
        let action = |threshold: &str| json!({ "minimum_threshold_amount": "0", "payout_threshold_amount": threshold, "payout_address": WALLET });
        assert_eq!(item["action"], action("150"), "{kind}");
        let path = path_of(&item);
        let change = |world: &mut World, amount: &str| {
            let body = json!({ "amount": amount });
            world.signed(&pair.partner, org, "PATCH", &path, body)
        };
        let none = change(&mut world, "0");
        assert_eq!(none.refusal(), "400 OUT_OF_RANGE amount", "{kind}");
        assert_eq!(change(&mut world, "80").status, 200, "{kind}");
        assert_eq!(shown(&mut world)["action"], action("80"), "{kind}");
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "80");
        world.work();
        assert!(payouts(&mut world, &pair).is_empty(), "{kind}");
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "10");
        world.work();
        assert_eq!(payouts(&mut world, &pair), ["89.98 137"], "{kind}: all");
    });
}

#[test]
fn an_automation_runs_when_its_schedule_comes_round_and_not_while_it_rests() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let pair = pair(&mut world);
        maintain(&mut world, &pair, 10, 20);
        world.work();
        let org = Some(pair.shop.id);
        let last_run = |world: &mut World| automation(world, &pair)["last_run_at"].clone();
        let path = path_of(&automation(&mut world, &pair));
        let hourly = json!({ "schedule": { "frequency": "Hourly", "time": "00:30" } });
        let set = world.signed(&pair.partner, org, "PATCH", &path, hourly);
        assert_eq!(set.status, 200, "{kind}: {}", set.body);
        world.work();
        let begun = last_run(&mut world);
        // It is nine o'clock.
        world.pass(Duration::from_secs(29 * 60));
        world.work();
        assert_eq!(last_run(&mut world), begun, "{kind}: not yet");
        for _ in 0..2 {
            world.pass(Duration::from_secs(60 * 60));
            world.work();
            let now = world.now.to_string();
            assert_eq!(last_run(&mut world), now, "{kind}: its time has come");
        }
        let suspend = Command::Suspend {
            organisation: pair.shop.id,
            kind: Some("Compliance".to_owned()),
        };
        let ran = last_run(&mut world);
        assert_eq!(world.call(suspend), Reply::Done);
        world.pass(Duration::from_secs(60 * 60));
        world.work();
        assert_eq!(last_run(&mut world), ran, "{kind}: it rests");
    });
}

/// Has the payout that was made last fail on the chain.
fn fail_last(world: &mut World, pair: &Pair) {
    let last = world.read(&pair.shop, "/v1/payouts?limit=1")["items"][0].clone();
    let body = json!({ "payment_id": last["id"] });
    let failed = world.keyed(&pair.shop, "POST", "/v1/sandbox/payout-failures", body);
    assert_eq!(failed.data()["status"], "Failed", "{}", failed.body);
}

#[test]
fn after_a_payout_that_failed_an_automation_waits_longer_each_time_and_after_five_it_is_disabled() {
    const MINUTE: u64 = 60;
    database::each(|kind, database| {
        let mut world = World::new(database);
        let pair = pair(&mut world);
        maintain(&mut world, &pair, 0, 150);
        let hourly = json!({ "schedule": { "frequency": "Hourly" } });
        let path = path_of(&automation(&mut world, &pair));
        let org = Some(pair.shop.id);
        world.signed(&pair.partner, org, "PATCH", &path, hourly);
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "300");
        world.work();
        let pauses = [15, 60, 6 * 60, 24 * 60].map(|minutes| Duration::from_secs(minutes * MINUTE));
        for (tried, pause) in (1..).zip(pauses) {
            assert_eq!(payouts(&mut world, &pair).len(), tried, "{kind}");
            fail_last(&mut world, &pair);
            let until = world.now.plus(pause);
            let shown = automation(&mut world, &pair);
            assert_eq!(shown["reason"], "PayoutFailed", "{kind}: {shown}");
            assert_eq!(shown["paused_until"], until.to_string(), "{kind}: {shown}");
            assert_eq!(shown["enabled"], true, "{kind}");
            // Neither a change of the balance nor the clock has it try before.
            world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "1");
            world.work();
            world.now = Timestamp::from_micros(until.micros() - 1);
            world.work();
            assert_eq!(payouts(&mut world, &pair).len(), tried, "{kind}");
            world.now = until;
            world.work();
        }
        assert_eq!(payouts(&mut world, &pair).len(), 5, "{kind}");
        fail_last(&mut world, &pair);
        let shown = automation(&mut world, &pair);
        assert_eq!(
            (&shown["enabled"], &shown["reason"], &shown["paused_until"]),
            (&json!(false), &json!("PayoutFailed"), &Value::Null),
            "{kind}"
        );
        let told = world.read(&pair.shop, "/v1/events?type=Account&action=Disabled");
        assert_eq!(
            (&told["total"], &told["items"][0]["data"]),
            (&json!(1), &shown),
            "{kind}"
        );
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "1");
        world.pass(Duration::from_secs(48 * 60 * MINUTE));
        world.work();
        assert_eq!(payouts(&mut world, &pair).len(), 5, "{kind}: it is off");

        let on = json!({ "enabled": true });
        let on = world.signed(&pair.partner, org, "PATCH", &path, on);
        assert_eq!(on.data()["reason"], Value::Null, "{kind}: {}", on.body);
        world.work();
        assert_eq!(payouts(&mut world, &pair).len(), 6, "{kind}: at once");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_payout_that_arrives_ends_what_failed_before_it_and_other_accounts_never_wait() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let pair = pair(&mut world);
        maintain(&mut world, &pair, 0, 150);
        let quarter = Duration::from_secs(15 * 60);
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "300");
        world.work();
        fail_last(&mut world, &pair);
        world.deposit(&pair.shop, pair.below[0], 137, "USDC", "10");
        world.work();
        let made = payouts(&mut world, &pair);
        assert_eq!(made, ["299.98 8453", "9.98 137"], "{kind}");
        let last = world.read(&pair.shop, "/v1/payouts?limit=1")["items"][0].clone();
        let id = automation(&mut world, &pair)["id"].clone();
        assert_eq!(last["properties"]["automation_id"], id, "{kind}: {last}");
        for _ in 0..4 {
            world.pass(Duration::from_secs(60));
            world.work();
        }
        let shown = automation(&mut world, &pair);
        assert_eq!(
            shown["reason"], "PayoutFailed",
            "{kind}: that of the other account"
        );
        world.pass(quarter);
        world.work();
        assert_eq!(payouts(&mut world, &pair).len(), 3, "{kind}");
        for _ in 0..4 {
            world.pass(Duration::from_secs(60));
            world.work();
        }
        let shown = automation(&mut world, &pair);
        assert_eq!(
            (&shown["reason"], &shown["paused_until"]),
            (&Value::Null, &Value::Null),
            "{kind}: it arrived"
        );
        world.deposit(&pair.shop, pair.below[1], 8453, "USDC", "300");
        world.work();
        fail_last(&mut world, &pair);
        let until = world.now.plus(quarter).to_string();
        let shown = automation(&mut world, &pair);
        assert_eq!(shown["paused_until"], until, "{kind}: the first again");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_surplus_is_never_sent_to_the_account_that_it_comes_from() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let pair = pair(&mut world);
        let below = world.read(&pair.shop, &format!("/v1/accounts/{}", pair.below[1]));
        for account in [pair.account, pair.below[1]] {
            let path = format!("/v1/partners/accounts/id/{account}/automations/maintain-balance");
            let body = json!({ "currency": "USDC", "minimum_threshold_amount": 1,
                "payout_address": below["address"], "payout_threshold_amount": 2 });
            let made = world.signed(&pair.partner, Some(pair.shop.id), "POST", &path, body);
            assert_eq!(made.refusal(), "422 EXCLUDED payout_address", "{kind}");
        }
        assert_eq!(automation(&mut world, &pair), Value::Null, "{kind}");
    });
}

#[test]
fn an_automation_ends_with_its_account_and_its_end_is_told() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let pair = pair(&mut world);
        let made = maintain(&mut world, &pair, 10, 50);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let id = automation(&mut world, &pair)["id"].clone();
        let path = format!("/v1/accounts/{}", pair.account);
        let gone = world.keyed(&pair.shop, "DELETE", &path, Value::Null);
        assert_eq!(gone.status, 200, "{kind}: {}", gone.body);
        let told = world.read(&pair.shop, "/v1/events?type=Account&action=Disabled");
        let told = told["items"].as_array().expect("items");
        let end = told
            .iter()
            .find(|event| event["data"]["action_type"].is_string());
        let end = end.unwrap_or_else(|| panic!("{kind}: no event of its end"));
        assert_eq!(end["data"]["id"], id, "{kind}");
        assert_eq!(end["data"]["enabled"], false, "{kind}");
        assert!(end["data"]["deleted_at"].is_string(), "{kind}");
        let path = format!("/v1/partners/automations/{id}");
        let on = json!({ "enabled": true });
        let again = world.signed(&pair.partner, Some(pair.shop.id), "PATCH", &path, on);
        assert_eq!(again.status, 404, "{kind}: {}", again.body);
    });
}

#[test]
fn in_a_session_an_automation_begins_again_or_keeps_less_only_with_a_fresh_proof() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let path = format!("/v1/partners/accounts/id/{till}/automations/maintain-balance");
        let body = json!({ "currency": "USDC", "minimum_threshold_amount": 100, "payout_address": WALLET, "payout_threshold_amount": 200 });
        let made = world.signed(&shop, None, "POST", &path, body);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let list = |world: &mut World| {
            let path = "/v1/partners/accounts/till/automations";
            world.signed(&shop, None, "GET", path, Value::Null)
        };
        let listed = list(&mut world);
        let path = path_of(&listed.data()["items"][0]);
        let owner = world.sign_in(&shop, "owner@example.com");
        let off = world.session(&owner, "PATCH", &path, json!({ "enabled": false }));
        assert_eq!(off.status, 200, "{kind}: {}", off.body);
        let sends = [json!({ "enabled": true }), json!({ "amount": "0" })];
        for change in &sends {
            let refused = world.session(&owner, "PATCH", &path, change.clone());
            assert_eq!(refused.refusal(), "401 STEP_UP_REQUIRED", "{kind}");
        }
        let listed = list(&mut world);
        assert_eq!(listed.data()["items"][0]["enabled"], false, "{kind}");
        assert_eq!(
            listed.data()["items"][0]["condition"]["amount"],
            "100",
            "{kind}"
        );
        let proof = json!({ "password": PASSWORD });
        let proof = world.session(&owner, "POST", "/v1/sessions/step-up", proof);
        let token = proof.data()["token"].as_str().expect("a token").to_owned();
        for change in &sends {
            let proved = [
                owner.headers(),
                vec![(header::STEP_UP.to_owned(), token.clone())],
            ];
            let done = world.send(request("PATCH", &path, change, proved.concat()));
            assert_eq!(done.status, 200, "{kind}: {}", done.body);
        }
    });
}

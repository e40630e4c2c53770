//! Money out: destinations, payouts, refunds.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::step::{Command, Reply, WireObservation};
use settlekit_service::store::sql::Access;
use settlekit_tests::database;
use settlekit_tests::world::{Answer, Shop, World};

const WALLET: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// A shop with an account on Base that holds an amount.
fn shop(world: &mut World, usdc: &str) -> Shop {
    let shop = world.shop("Shop", None);
    let account = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
    world.deposit(&shop, account, 8453, "USDC", usdc);
    shop
}

fn payout(world: &mut World, shop: &Shop, amount: &str) -> Answer {
    let body = json!({ "account": "till", "amount": amount, "currency": "USDC", "chain_id": 8453, "address": WALLET });
    world.signed(shop, None, "POST", "/v1/payouts", body)
}

/// From now on the service takes a hundredth of what the account pays out.
fn agree_on_one_percent(world: &mut World, shop: &Shop) {
    let id = world.read(shop, "/v1/accounts/till")["id"].as_i64();
    let id = id.and_then(settlekit_core::value::AccountId::new);
    let agreed = (shop.id, id.expect("an id"));
    let (now, seed) = (world.now, settlekit_service::Seed([0x51; 32]));
    let (service, database) = world.parts();
    service
        .set_fees(database, agreed, None, "1".parse().ok(), now, seed)
        .expect("agreed");
}

fn available(world: &mut World, shop: &Shop, currency: &str) -> String {
    let path = "/v1/partners/accounts/till/balances";
    let balances = world.signed(shop, None, "GET", path, Value::Null);
    balances.data()["balances"]
        .as_array()
        .expect("balances")
        .iter()
        .find(|balance| balance["currency"] == currency)
        .map(|balance| balance["amount"].as_str().expect("text").to_owned())
        .expect("the currency")
}

#[test]
fn a_payout_is_set_aside_sent_and_booked_with_its_fee() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "100");
        let estimate = "/v1/payouts/estimate?account=till&amount=40&currency=USDC&chain_id=8453";
        let estimate = world.keyed(&shop, "GET", estimate, Value::Null);
        assert_eq!(
            *estimate.data(),
            json!({ "amount": "40", "currency": "USDC", "fee": "0.02", "fee_currency": "USDC", "service_fee": "0", "available": "100", "covered": true }),
            "{kind}"
        );
        let made = payout(&mut world, &shop, "40");
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        assert_eq!(made.data()["status"], "Pending", "{kind}");
        assert_eq!(
            available(&mut world, &shop, "USDC"),
            "59.98",
            "{kind}: set aside at once"
        );
        let path = format!(
            "/v1/payments/{}",
            made.data()["id"].as_str().expect("an id")
        );
        world.work();
        let sent = world.keyed(&shop, "GET", &path, Value::Null);
        assert_eq!(sent.data()["status"], "Processing", "{kind}");
        let hash = sent.data()["settlement_transaction"]["transaction_hash"].clone();
        assert!(hash.is_string(), "{kind}");
        world.pass(Duration::from_secs(10));
        world.work();
        let done = world.keyed(&shop, "GET", &path, Value::Null);
        assert_eq!(done.data()["status"], "Confirmed", "{kind}");
        assert_eq!(
            done.data()["settlement_transaction"]["status"],
            "Success",
            "{kind}"
        );

        let ledger = world.keyed(
            &shop,
            "GET",
            "/v1/accounts/till/movement?limit=1",
            Value::Null,
        );
        let movement = &ledger.data()["items"][0];
        for (name, value) in [
            ("type", "Withdraw"),
            ("direction", "OUT"),
            ("status", "Confirmed"),
            ("amount", "40"),
            ("fee", "0.02"),
            ("fee_currency", "USDC"),
            ("to_address", WALLET),
        ] {
            assert_eq!(movement[name], value, "{kind}: {name}");
        }
        assert_eq!(movement["transaction_hash"], hash, "{kind}");
        assert_eq!(available(&mut world, &shop, "USDC"), "59.98", "{kind}");
        let listed = world.keyed(&shop, "GET", "/v1/payouts", Value::Null);
        assert_eq!(listed.data()["total"], 1, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn gas_is_paid_in_the_chains_own_asset_where_the_account_has_it() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "10");
        let account = world
            .keyed(&shop, "GET", "/v1/accounts/till", Value::Null)
            .data()["id"]
            .as_i64()
            .expect("an id");
        world.deposit(&shop, account, 8453, "ETH", "1");
        // All of it can go: the fee is not taken from it.
        let made = payout(&mut world, &shop, "10");
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        for _ in 0..2 {
            world.work();
            world.pass(Duration::from_secs(10));
        }
        world.work();
        assert_eq!(available(&mut world, &shop, "USDC"), "0", "{kind}");
        assert_eq!(available(&mut world, &shop, "ETH"), "0.99999375", "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn nothing_is_sent_that_is_not_there_or_goes_nowhere() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "10");
        let refused = |world: &mut World, change: Value| {
            let mut body = json!({ "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": WALLET });
            for (name, value) in change.as_object().expect("fields") {
                body[name] = value.clone();
            }
            world
                .signed(&shop, None, "POST", "/v1/payouts", body)
                .refusal()
        };
        for (change, refusal) in [
            (json!({ "amount": "10" }), "422 INSUFFICIENT_FUNDS amount"),
            (
                json!({ "amount": "0.0000001" }),
                "422 AMOUNT_TOO_MANY_DECIMALS amount",
            ),
            (json!({ "currency": "DOGE" }), "422 NOT_SUPPORTED currency"),
            (json!({ "chain_id": 1 }), "422 REFERENCE_UNKNOWN account"),
            (json!({ "chain_id": 99 }), "422 NOT_SUPPORTED chain_id"),
            (
                json!({ "address": "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" }),
                "422 ADDRESS_MALFORMED address",
            ),
            (
                json!({ "address": null, "external_account_id": 7 }),
                "422 REFERENCE_UNKNOWN external_account_id",
            ),
        ] {
            assert_eq!(
                refused(&mut world, change.clone()),
                refusal,
                "{kind} {change}"
            );
        }
        let unsigned = json!({ "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": WALLET });
        let unsigned = world.keyed(&shop, "POST", "/v1/payouts", unsigned);
        assert_eq!(unsigned.refusal(), "401 SIGNATURE_MISSING", "{kind}");
        // Two that are each covered and together are not: the second is refused while the first waits.
        assert_eq!(payout(&mut world, &shop, "6").status, 201, "{kind}");
        assert_eq!(
            payout(&mut world, &shop, "6").refusal(),
            "422 INSUFFICIENT_FUNDS amount",
            "{kind}"
        );
        assert_eq!(available(&mut world, &shop, "USDC"), "3.98", "{kind}");
    });
}

#[test]
fn a_destination_shows_hints_only_and_is_not_paid_to_once_removed() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "10");
        let path = "/v1/accounts/external-account";
        let wallet = json!({ "type": "Digital", "reference": "cold", "address": WALLET, "chain_id": 8453, "currencies": ["USDC"] });
        let made = world.signed(&shop, None, "POST", path, wallet.clone());
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let again = world.signed(&shop, None, "POST", path, wallet);
        assert_eq!(again.refusal(), "409 ALREADY_EXISTS reference", "{kind}");
        let bank = json!({ "type": "Fiat", "currencies": ["EUR"], "payment_rail": "SEPA", "country": "DE",
            "beneficiary_type": "individual", "account_holder_name": "Ada Lovelace", "account_number": "DE89370400440532013000" });
        let bank = world.signed(&shop, None, "POST", path, bank);
        assert_eq!(bank.data()["account_holder_name_hint"], "A…", "{kind}");
        assert_eq!(bank.data()["account_number_hint"], "…3000", "{kind}");
        let listed = world.keyed(&shop, "GET", path, Value::Null);
        let events = world.keyed(&shop, "GET", "/v1/events", Value::Null);
        for shown in [&bank, &listed, &events] {
            let text = shown.body.to_string();
            assert!(
                !text.contains("Lovelace") && !text.contains("0532013"),
                "{kind}: {text}"
            );
        }

        let body = |id: &Value| json!({ "account": "till", "amount": "1", "currency": "USDC", "external_account_id": id });
        let id = made.data()["id"].clone();
        let paid = world.signed(&shop, None, "POST", "/v1/payouts", body(&id));
        assert_eq!(paid.status, 201, "{kind}: {}", paid.body);
        let sent_to = &paid.data()["payout_splits"][0];
        assert_eq!(
            sent_to["reference"], "cold",
            "{kind}: which of them it went to"
        );
        assert_eq!(sent_to["address"], made.data()["address"], "{kind}");
        let to_bank = world.signed(&shop, None, "POST", "/v1/payouts", body(&bank.data()["id"]));
        assert_eq!(
            to_bank.refusal(),
            "422 NOT_SUPPORTED external_account_id",
            "{kind}"
        );
        let one = format!("{path}/{id}");
        let removed = world.keyed(&shop, "DELETE", &one, Value::Null);
        assert_eq!(removed.data()["enabled"], false, "{kind}");
        assert_eq!(
            world.keyed(&shop, "DELETE", &one, Value::Null).refusal(),
            "404 NOT_FOUND",
            "{kind}"
        );
        let refused = world.signed(&shop, None, "POST", "/v1/payouts", body(&id));
        assert_eq!(
            refused.refusal(),
            "422 REFERENCE_UNKNOWN external_account_id",
            "{kind}"
        );
        // What was under way goes on.
        world.work();
        world.pass(Duration::from_secs(10));
        world.work();
        let path = format!(
            "/v1/payments/{}",
            paid.data()["id"].as_str().expect("an id")
        );
        assert_eq!(
            world.keyed(&shop, "GET", &path, Value::Null).data()["status"],
            "Confirmed",
            "{kind}"
        );
    });
}

#[test]
fn a_payment_is_sent_back_in_parts_until_nothing_is_left() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
        let payment = world.keyed(&shop, "POST", "/v1/payments", body);
        let id = payment.data()["id"].as_str().expect("an id").to_owned();
        let refunds = format!("/v1/payments/{id}/refunds");
        let refund =
            |world: &mut World, body: Value| world.signed(&shop, None, "POST", &refunds, body);
        assert_eq!(
            refund(&mut world, json!({})).refusal(),
            "409 STATE_FORBIDS",
            "{kind}: nothing was paid"
        );
        let pay = format!("/v1/sandbox/checkout/payments/{id}/pay");
        assert_eq!(world.public("POST", &pay, json!({})).status, 201, "{kind}");
        world.pass(Duration::from_secs(10));
        world.work();

        for (amount, status, refunded) in [
            ("2.5", "PartialRefunded", "2.5"),
            ("3", "PartialRefunded", "5.5"),
        ] {
            let reason = format!("{amount} too much");
            let part = refund(&mut world, json!({ "amount": amount, "reason": reason }));
            assert_eq!(part.status, 201, "{kind}: {}", part.body);
            assert_eq!(part.data()["status"], status, "{kind}");
            assert_eq!(part.data()["refunded_amount"], refunded, "{kind}");
        }
        let too_much = refund(&mut world, json!({ "amount": "4.51" }));
        assert_eq!(too_much.refusal(), "400 OUT_OF_RANGE amount", "{kind}");
        let rest = refund(&mut world, json!({}));
        assert_eq!(rest.data()["status"], "Refunded", "{kind}");
        assert_eq!(rest.data()["refunded_amount"], "10", "{kind}");
        let said = &rest.data()["properties"]["refunds"];
        assert_eq!(
            (&said[0]["amount"], &said[0]["reason"], &said[1]["reason"]),
            (&json!("2.5"), &json!("2.5 too much"), &json!("3 too much")),
            "{kind}: {said}"
        );
        assert!(said[2].is_null(), "{kind}: no reason was given");
        assert_eq!(
            refund(&mut world, json!({})).refusal(),
            "409 STATE_FORBIDS",
            "{kind}"
        );
        assert_eq!(available(&mut world, &shop, "USDC"), "0", "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_payout_that_fails_on_the_chain_gives_the_money_back_and_not_the_gas() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "100");
        agree_on_one_percent(&mut world, &shop);
        let made = payout(&mut world, &shop, "40");
        let id = made.data()["id"].as_str().expect("an id").to_owned();
        let path = format!("/v1/payments/{id}");
        world.work();
        let sent = world.keyed(&shop, "GET", &path, Value::Null);
        let hash = sent.data()["settlement_transaction"]["transaction_hash"]
            .as_str()
            .expect("a hash")
            .to_owned();
        assert_eq!(available(&mut world, &shop, "USDC"), "59.58", "{kind}");
        // The same hash on another chain is another transaction; told twice it fails once.
        for chain in ["137", "8453", "8453"] {
            let observation = WireObservation::Failed {
                chain: chain.parse().expect("a chain"),
                hash: hash.clone(),
                transfer: None,
                to: WALLET.to_owned(),
            };
            assert_eq!(
                world.call(Command::Observe { observation }),
                Reply::Done,
                "{kind}"
            );
        }
        let after = world.keyed(&shop, "GET", &path, Value::Null);
        assert_eq!(after.data()["status"], "Failed", "{kind}: {}", after.body);
        assert_eq!(
            after.data()["settlement_transaction"]["status"],
            "Failed",
            "{kind}"
        );
        assert_eq!(
            available(&mut world, &shop, "USDC"),
            "99.98",
            "{kind}: all but the gas"
        );
        let ledger = "/v1/accounts/till/movement?limit=2";
        let ledger = world.keyed(&shop, "GET", ledger, Value::Null);
        let shown: Vec<Value> = ledger.data()["items"]
            .as_array()
            .expect("items")
            .iter()
            .map(|item| {
                json!([
                    item["type"],
                    item["status"],
                    item["direction"],
                    item["amount"],
                    item["currency"],
                    item["entity_id"],
                    item["transaction_hash"]
                ])
            })
            .collect();
        assert_eq!(
            shown,
            [
                json!(["NetworkFee", "Confirmed", "OUT", "0.02", "USDC", id, hash]),
                json!(["Withdraw", "Failed", "OUT", "40", "USDC", id, hash]),
            ],
            "{kind}"
        );
        // It is over: its blocks confirm nothing any more.
        world.pass(Duration::from_secs(60));
        world.work();
        assert_eq!(available(&mut world, &shop, "USDC"), "99.98", "{kind}");
        let log = "/v1/events?type=Transaction&sort=desc&limit=1";
        let log = world.keyed(&shop, "GET", log, Value::Null);
        let last = &log.data()["items"][0];
        assert_eq!(
            (&last["action"], &last["data"]["type"]),
            (&json!("Settled"), &json!("NetworkFee")),
            "{kind}: {log:?}",
            log = log.body
        );
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_sandbox_has_a_payout_fail_whether_it_waits_or_is_under_way() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "100");
        let stranger = world.shop("Stranger", None);
        let fail = |world: &mut World, shop: &Shop, id: &Value| {
            let path = "/v1/sandbox/payout-failures";
            world.keyed(shop, "POST", path, json!({ "payment_id": id }))
        };
        for (under_way, left) in [(false, "99.98"), (true, "99.96")] {
            let made = payout(&mut world, &shop, "40");
            let id = made.data()["id"].clone();
            if under_way {
                world.work();
            }
            let foreign = fail(&mut world, &stranger, &id);
            let unknown = "422 REFERENCE_UNKNOWN payment_id";
            assert_eq!(foreign.refusal(), unknown, "{kind}");
            let failed = fail(&mut world, &shop, &id);
            assert_eq!(failed.status, 200, "{kind}: {}", failed.body);
            let data = failed.data();
            assert_eq!(
                (&data["status"], &data["settlement_transaction"]["status"]),
                (&json!("Failed"), &json!("Failed")),
                "{kind}: {data}"
            );
            world.pass(Duration::from_secs(60));
            world.work();
            assert_eq!(available(&mut world, &shop, "USDC"), left, "{kind}");
            let again = fail(&mut world, &shop, &id);
            assert_eq!(again.refusal(), "409 STATE_FORBIDS", "{kind}");
        }
        let sent = payout(&mut world, &shop, "1");
        for _ in 0..2 {
            world.work();
            world.pass(Duration::from_secs(60));
        }
        let late = fail(&mut world, &shop, &sent.data()["id"]);
        assert_eq!(late.refusal(), "409 STATE_FORBIDS", "{kind}: it is booked");
        let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
        let payment = world.keyed(&shop, "POST", "/v1/payments", body);
        let no_payout = fail(&mut world, &shop, &payment.data()["id"]);
        let unknown = "422 REFERENCE_UNKNOWN payment_id";
        assert_eq!(no_payout.refusal(), unknown, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn nothing_is_sent_to_the_address_of_zeros() {
    const NOBODY: &str = "0x0000000000000000000000000000000000000000";
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "10");
        let payout = json!({ "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": NOBODY });
        let to = json!({ "type": "Digital", "address": NOBODY, "chain_id": 8453, "currencies": ["USDC"] });
        let split = json!({ "reference": "shared", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }],
            "deposit_splits": [{ "address": NOBODY, "pct": "5" }] });
        let keep = json!({ "currency": "USDC", "minimum_threshold_amount": 1, "payout_address": NOBODY,
            "payout_threshold_amount": 2 });
        let trade = json!({ "amount": "2", "currency": "USDC", "to_currency": "ETH", "settlement_address": NOBODY });
        let automation = "/v1/partners/accounts/id/till/automations/maintain-balance";
        for (path, body, field) in [
            ("/v1/payouts", payout, "address"),
            ("/v1/accounts/external-account", to, "address"),
            ("/v1/accounts/virtual", split, "deposit_splits[0].address"),
            (automation, keep, "payout_address"),
            ("/v1/trade/quicktrade", trade, "settlement_address"),
        ] {
            let answer = world.signed(&shop, None, "POST", path, body);
            let refused = format!("422 ADDRESS_MALFORMED {field}");
            assert_eq!(answer.refusal(), refused, "{kind} {path}");
        }
        assert_eq!(available(&mut world, &shop, "USDC"), "10", "{kind}");
    });
}

#[test]
fn what_is_reserved_is_held_against_the_work_under_way() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = shop(&mut world, "100");
        agree_on_one_percent(&mut world, &shop);
        let made = payout(&mut world, &shop, "40");
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let none = Vec::<String>::new();
        assert_eq!(world.differences(), none, "{kind}: it waits");
        world.work();
        assert_eq!(world.differences(), none, "{kind}: it is on its way");
        let say = |world: &mut World, units: i128| {
            const SAY: &str = "UPDATE ledger_accounts SET reserved = ?1 WHERE kind = 'merchant' AND currency = 'USDC'";
            let (_, database) = world.parts();
            database.begin(Access::Write).expect("a beginning");
            database.execute(SAY, &[units.into()]).expect("written");
            database.commit().expect("an end");
        };
        // What is sent, a hundredth of it, and two cents for the network.
        say(&mut world, 40_420_001);
        let found = world.differences();
        assert_eq!(found.len(), 1, "{kind}: {found:?}");
        let told = "USDC: 40420001 is reserved, the work under way comes to 40420000";
        assert!(found[0].ends_with(told), "{kind}: {found:?}");
        say(&mut world, 40_420_000);
        for _ in 0..3 {
            world.pass(Duration::from_secs(600));
            world.work();
        }
        assert_eq!(world.differences(), none, "{kind}: it is there");
        say(&mut world, 1);
        let told = "USDC: 1 is reserved, the work under way comes to 0";
        assert!(world.differences()[0].ends_with(told), "{kind}");
    });
}

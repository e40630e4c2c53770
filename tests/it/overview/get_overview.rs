//! `GET /overview`.

use serde_json::{Value, json};
use settlekit_tests::world::{DAY, WALLET, World, items};

#[test]
fn overview_balances_are_summed_without_reserved_money() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let safe = world.account(&shop, "safe", 8453, &["USDC"]);
        world.deposit(&shop, till, 8453, "USDC", "100");
        world.deposit(&shop, safe, 8453, "USDC", "70");
        let payout = json!({ "account": "till", "amount": "40", "currency": "USDC", "chain_id": 8453, "address": WALLET });
        world.create(&shop, "/v1/payouts", payout);
        let seen = world.read(&shop, "/v1/overview");
        let base = json!({ "id": 8453, "name": "Base", "native_currency_symbol": "ETH" });
        // The network takes 0.02 of the payout.
        let sum = json!({ "currency": "USDC", "chain": base, "posted": "170", "reserved": "40.02",
            "available": "129.98", "amount_usd": "129.98" });
        assert_eq!(seen["balances"], json!([sum]), "{kind}");
        assert_eq!(seen["total_usd"], "129.98", "{kind}");
        assert_eq!(seen["reserved_usd"], "40.02", "{kind}");
        let account = |id: i64, name: &str, worth: &str| json!({ "account_id": id, "name": name, "reference": name, "chain": base, "amount_usd": worth });
        let fullest = json!([
            account(safe, "safe", "70.00"),
            account(till, "till", "59.98")
        ]);
        assert_eq!(seen["accounts"], fullest, "{kind}");
    });
}

#[test]
fn the_overview_shows_thirty_days_of_volume() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        let first = world.now;
        world.deposit(&shop, till, 8453, "USDC", "100");
        world.pass(DAY * 29);
        world.deposit(&shop, till, 8453, "USDC", "5");
        world.deposit(&shop, till, 8453, "USDC", "6");
        let volume = |world: &mut World| world.read(&shop, "/v1/overview")["volume"].clone();
        let shown = volume(&mut world);
        let days = shown.as_array().expect("days");
        assert_eq!(days.len(), 30, "{kind}");
        let day = |at: settlekit_core::value::Timestamp, amount: &str, count: u64| json!({ "date": at.day(), "in_usd": amount, "out_usd": "0.00", "count": count });
        assert_eq!(days[0], day(first, "100.00", 1), "{kind}");
        assert_eq!(days[29], day(world.now, "11.00", 2), "{kind}");
        for (number, between) in (1..29).zip(&days[1..29]) {
            let at = first.plus(DAY * number);
            assert_eq!(*between, day(at, "0.00", 0), "{kind}");
        }
        world.pass(DAY);
        let shown = volume(&mut world);
        assert_eq!(shown[28], days[29], "{kind}: a day later");
        assert_eq!(shown[29], day(world.now, "0.00", 0), "{kind}");
    });
}

#[test]
fn open_issues_are_counted_per_organisation() {
    World::each(|kind, mut world| {
        let (shop, other) = (world.shop("Shop", None), world.shop("Other", None));
        let till = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = world.create(&shop, "/v1/paylinks", link).id();
        let payment = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
        let payment = world.create(&shop, "/v1/payments", payment).id();
        let deposit =
            json!({ "account": till, "chain_id": 8453, "currency": "USDC", "amount": "1" });
        world.create(&shop, "/v1/sandbox/deposits", deposit);
        let quote = "/v1/trade/quote?sell_currency=USDC&sell_amount=10&buy_currency=ETH";
        let quote = world.read(&shop, quote);
        let counts = |world: &mut World, who| {
            let seen = world.read(who, "/v1/overview");
            let names = [
                "payments_processing",
                "movements_pending",
                "movements_failed",
                "paylinks_active",
                "quotes_open",
            ];
            names.map(|name| seen[name].as_u64().expect("a count"))
        };
        assert_eq!(counts(&mut world, &shop), [1, 1, 0, 1, 1], "{kind}");
        let seen = world.read(&shop, "/v1/overview");
        assert_eq!(seen["quote_expires_at"], quote["expires_at"], "{kind}");
        let of_other = world.read(&other, "/v1/overview");
        assert_eq!(counts(&mut world, &other), [0; 5], "{kind}");
        assert_eq!(of_other["balances"], json!([]), "{kind}");
        assert_eq!(of_other["accounts"], json!([]), "{kind}");
        assert_eq!(of_other["total_usd"], "0.00", "{kind}");

        world.pass_and_work(std::time::Duration::from_secs(60));
        for path in [format!("payments/{payment}"), format!("paylinks/{link}")] {
            let path = format!("/v1/{path}");
            let ended = world.keyed(&shop, "DELETE", &path, Value::Null);
            assert_eq!(ended.status, 200, "{kind}: {}", ended.body);
        }
        assert_eq!(
            counts(&mut world, &shop),
            [0; 5],
            "{kind}: everything is done"
        );
        let latest = world.read(&shop, "/v1/events?limit=1");
        let revision = &world.read(&shop, "/v1/overview")["revision"];
        assert_eq!(items(&latest)[0]["event_id"], *revision, "{kind}");
    });
}

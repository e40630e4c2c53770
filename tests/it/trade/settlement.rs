//! Orders by the clock: funded, settled, canceled, failed.

use std::time::Duration;

use serde_json::json;
use settlekit_tests::world::{WALLET, World, items};

use super::{accept, balance, order, quote, settle, status, trader};

#[test]
fn an_unfunded_deposit_order_is_canceled() {
    World::each(|kind, mut world| {
        let (shop, base, _) = trader(&mut world);
        let query = "sell_currency=USDC&sell_amount=1500&buy_currency=ETH";
        let first = quote(&mut world, &shop, query);
        assert_eq!(first["deposit_instruction"]["payment_method"], "Deposit");
        let made = accept(&mut world, &shop, &first).expect("an order");
        world.work();
        assert_eq!(status(&mut world, &shop, &made), "Open", "{kind}");
        world.deposit(&shop, base, 8453, "USDC", "500");
        settle(&mut world);
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, &made), "Settled", "{kind}");
        assert_eq!(balance(&mut world, &shop, 8453, "USDC").0, "0", "{kind}");

        let second = quote(&mut world, &shop, query);
        let made = accept(&mut world, &shop, &second).expect("an order");
        world.pass_and_work(Duration::from_secs(15 * 60));
        assert_eq!(status(&mut world, &shop, &made), "Canceled", "{kind}");
        let canceled = order(&mut world, &shop, &made);
        assert_eq!(canceled["reason"], "InsufficientFunds", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn automations_do_not_sweep_money_that_an_order_awaits() {
    World::each(|kind, mut world| {
        let shop = world.otc_shop("Trader");
        let base = world.account(&shop, "base", 8453, &["USDC", "ETH"]);
        let path = format!("/v1/partners/accounts/id/{base}/automations/maintain-balance");
        let sweep = json!({ "currency": "USDC", "minimum_threshold_amount": 0, "payout_threshold_amount": 10, "payout_address": WALLET });
        world.create(&shop, &path, sweep);
        world.work();
        let swept = |world: &mut World| {
            let listed = world.read(&shop, "/v1/payouts?sort=asc");
            let amounts = items(&listed).iter();
            let amounts = amounts.map(|payout| payout["amount"].as_str().map(str::to_owned));
            amounts.flatten().collect::<Vec<_>>()
        };
        let query = "sell_currency=USDC&sell_amount=500&buy_currency=ETH";
        let wanted = quote(&mut world, &shop, query);
        let made = accept(&mut world, &shop, &wanted).expect("an order");
        world.deposit(&shop, base, 8453, "USDC", "300");
        assert_eq!(swept(&mut world), Vec::<String>::new(), "{kind}: partly");
        world.deposit(&shop, base, 8453, "USDC", "250");
        settle(&mut world);
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, &made), "Settled", "{kind}");
        assert_eq!(swept(&mut world), ["49.98"], "{kind}: the surplus");

        let wanted = quote(&mut world, &shop, query);
        let made = accept(&mut world, &shop, &wanted).expect("an order");
        world.deposit(&shop, base, 8453, "USDC", "300");
        assert_eq!(swept(&mut world).len(), 1, "{kind}");
        world.pass_and_work(Duration::from_secs(15 * 60));
        assert_eq!(status(&mut world, &shop, &made), "Canceled", "{kind}");
        let freed = swept(&mut world);
        // The gas is paid with the bought ETH.
        assert_eq!(freed, ["49.98", "300"], "{kind}: when none is waiting");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_trade_that_cannot_be_booked_fails_and_frees_the_reserved_amount() {
    World::each(|kind, mut world| {
        let (shop, _, polygon) = trader(&mut world);
        // The account holds the largest amount.
        let all = "79228162514.264337593543950335";
        world.deposit(&shop, polygon, 137, "POL", all);
        let body = json!({ "amount": "100", "currency": "USDC", "to_currency": "POL", "settlement_account_id": polygon });
        let made = world.post(&shop, "/v1/trade/quicktrade", body);
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, made.data()), "Failed", "{kind}");
        let failed = order(&mut world, &shop, made.data());
        assert_eq!(
            failed["reason"], "AmountTooLarge",
            "{kind}: it says why: {failed}"
        );
        let event = world.read(&shop, "/v1/events?type=Transaction&action=Updated&limit=1");
        assert_eq!(event["items"][0]["data"], failed, "{kind}: and its event");
        let usdc = balance(&mut world, &shop, 8453, "USDC");
        assert_eq!(usdc, ("1000".into(), "1000".into()), "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn money_released_by_a_failed_order_triggers_automations() {
    World::each(|kind, mut world| {
        let (shop, base, polygon) = trader(&mut world);
        let all = "79228162514.264337593543950335";
        world.deposit(&shop, polygon, 137, "POL", all);
        let body = json!({ "amount": "100", "currency": "USDC", "to_currency": "POL", "settlement_account_id": polygon });
        let made = world.keyed(&shop, "POST", "/v1/trade/quicktrade", body);
        let path = format!("/v1/partners/accounts/id/{base}/automations/maintain-balance");
        let body = json!({ "currency": "USDC", "minimum_threshold_amount": 0, "payout_address": WALLET, "payout_threshold_amount": 950 });
        world.create(&shop, &path, body);
        world.work();
        let payouts = |world: &mut World| world.read(&shop, "/v1/payouts")["total"].clone();
        assert_eq!(payouts(&mut world), 0, "{kind}: 100 is reserved");
        settle(&mut world);
        assert_eq!(status(&mut world, &shop, made.data()), "Failed", "{kind}");
        world.work();
        assert_eq!(
            payouts(&mut world),
            1,
            "{kind}: the full amount is available"
        );
    });
}

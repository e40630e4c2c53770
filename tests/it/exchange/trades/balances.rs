//! The balances at the exchange that quotes count on, and several accounts.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::exchange::{
    Credentials, ExchangeWithdrawalError, NewAccount, NewExchangeWithdrawal, NewMarket,
    WithdrawalFault,
};
use settlekit_service::web_answer::{WebAnswer, WebError};
use settlekit_tests::world::{amount, currency, text};

use super::{PURCHASE, SALE, TradeWorld, book, described, eth_usdc};
use crate::exchange::{SEED, answered, new_account};

/// Too much for the balance.
const TOO_MUCH: &str = "422 SIZE_NOT_TRADED sell_amount[0]";

#[test]
fn a_balance_covers_quotes_for_five_minutes() {
    TradeWorld::each(|kind, mut world| {
        world.pass(Duration::from_secs(299));
        assert_eq!(world.quote(SALE)["buy_asset"]["amount"], 3964, "{kind}");
        world.world.pass(Duration::from_secs(1));
        assert_eq!(world.refusal(SALE), TOO_MUCH, "{kind}");
        world
            .world
            .read(&answered(&json!({ "XETH": { "balance": "2" } })));
        assert_eq!(world.quote(SALE)["buy_asset"]["amount"], 3964, "{kind}");
    });
}

#[test]
fn a_balance_covers_each_order_under_way_once() {
    TradeWorld::each(|kind, mut world| {
        world.pass(Duration::from_secs(60));
        let few = json!({ "XETH": { "balance": "3.5", "hold_trade": "0.5" }, "USDC": { "balance": "500" } });
        world.world.read(&answered(&few));
        let of_ether = |amount: &str| SALE.replace("=2&", &format!("={amount}&"));
        let of_dollars = |amount: &str| PURCHASE.replace("4000", amount);
        assert_eq!(world.refusal(&of_ether("3.01")), TOO_MUCH, "{kind}");
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        assert_eq!(world.refusal(&of_ether("1.01")), TOO_MUCH, "{kind}");
        world.quote(&of_ether("1"));
        // At most 0.19810811 × 2 011.05 = 398.41 for the quoted 400, and a fee of 0.4 %: 400.
        let quoted = world.quote(&of_dollars("400"));
        world.accept(&quoted);
        assert_eq!(world.refusal(&of_dollars("100.01")), TOO_MUCH, "{kind}");
        world.quote(&of_dollars("100"));
        // A sent order is under way, too.
        world.placed();
        assert_eq!(world.refusal(&of_ether("1.01")), TOO_MUCH, "{kind}");
        world.is_sound(kind);
    });
}

#[test]
fn a_withdrawal_under_way_covers_no_quote_and_takes_nothing_from_an_order() {
    TradeWorld::each(|kind, mut world| {
        let withdraw = |world: &mut TradeWorld, amount: &str| {
            let new = NewExchangeWithdrawal {
                account: "Kraken".to_owned(),
                currency: currency("ETH"),
                chain: "8453".parse().expect("a chain"),
                amount: amount.parse().expect("an amount"),
                key: "hot".to_owned(),
            };
            let now = world.world.connected.world.now;
            let (service, database) = world.world.connected.world.parts();
            service.withdraw_from_exchange(database, &new, now, SEED)
        };
        // An order gives 2 of 100 coins.
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        let refused = withdraw(&mut world, "98.000001");
        let Err(ExchangeWithdrawalError::Faults(faults)) = refused else {
            panic!("{kind}: {refused:?}");
        };
        let [WithdrawalFault::NotAvailable(_, _, Some(available))] = faults.as_slice() else {
            panic!("{kind}: {faults:?}");
        };
        assert_eq!(available.to_string(), "98", "{kind}");
        let of_ether = |amount: &str| SALE.replace("=2&", &format!("={amount}&"));
        world.quote(&of_ether("1"));
        assert!(withdraw(&mut world, "97.5").is_ok(), "{kind}");
        assert_eq!(world.refusal(&of_ether("1")), TOO_MUCH, "{kind}");
        // The order goes first, and settles.
        let (id, _) = world.placed();
        let check = world.world.rounds().remove(0);
        assert!(check.withdrawal().is_some(), "{kind}");
        let lost = [(); 3].map(|()| WebAnswer::Failed(WebError::TimedOut));
        world.report(&check, &lost);
        world.close(&id, ["2", "2", "4000"]);
        world.is_sound(kind);
    });
}

#[test]
fn a_withdrawal_waits_for_balances_that_are_read_after_the_last_order_has_ended() {
    TradeWorld::each(|kind, mut world| {
        let quoted = world.quote(SALE);
        world.accept(&quoted);
        let (id, _) = world.placed();
        world.close(&id, ["2", "2", "4000"]);
        // The old balance, with the coins that the order has sold.
        let all = NewExchangeWithdrawal {
            account: "Kraken".to_owned(),
            currency: currency("ETH"),
            chain: "8453".parse().expect("a chain"),
            amount: amount("100"),
            key: "hot".to_owned(),
        };
        let now = world.world.connected.world.now;
        let (service, database) = world.world.connected.world.parts();
        let queued = service.withdraw_from_exchange(database, &all, now, SEED);
        assert!(queued.is_ok(), "{kind}: {queued:?}");
        let read = world.world.rounds().remove(0);
        assert_eq!((read.order(), read.withdrawal()), (None, None), "{kind}");
        world.report(&read, &[answered(&json!({ "XETH": { "balance": "98" } }))]);
        let now = world.world.connected.world.now;
        let (service, database) = world.world.connected.world.parts();
        let rounds = service.exchange_rounds(database, now, SEED);
        let (rounds, failures) = rounds.expect("rounds");
        assert!(rounds.is_empty(), "{kind}: {rounds:?}");
        assert!(
            failures[0].contains("only 98 ETH are available"),
            "{kind}: {failures:?}"
        );
    });
}

#[test]
fn the_account_that_gives_most_fills_a_quote_and_the_offers_of_all_are_shown() {
    TradeWorld::each(|kind, mut world| {
        let now = world.world.connected.world.now;
        let second = NewAccount {
            name: "Treasury".to_owned(),
            credentials: Credentials::parse("other\nb3RoZXI=").expect("credentials"),
            ..new_account("b3RoZXI=", 1)
        };
        let (service, database) = world.world.connected.world.parts();
        let done = service.connect_exchange(database, &second, now, SEED);
        assert_eq!(done, Ok(()), "{kind}");
        let on = service.set_exchange_trading(database, "Treasury", true);
        assert_eq!(on, Ok(()), "{kind}");
        let market = NewMarket {
            account: "Treasury".to_owned(),
            ..eth_usdc()
        };
        assert_eq!(
            world.add(&market, &answered(&described())),
            Ok(()),
            "{kind}"
        );
        world
            .world
            .read(&answered(&json!({ "XETH": { "balance": "2" } })));
        let better = book(&[["2100", "3"]], &[["2101", "3"]]);
        world.read_book(&answered(&better));
        let quoted = world.quote(SALE);
        // 2 × 2 100, less 0.4 % and 0.5 %.
        assert_eq!(quoted["buy_asset"]["amount"], 4162.2, "{kind}");
        let venues = |quoted: &Value| {
            let offers = quoted["properties"]["offers"].as_array().expect("offers");
            let venues = offers.iter().map(|offer| text(offer, "venue").to_owned());
            venues.collect::<Vec<String>>()
        };
        assert_eq!(venues(&quoted), ["Treasury", "Kraken"], "{kind}");
        // More than the better account has.
        let more = world.quote(&SALE.replace("=2&", "=3&"));
        assert_eq!(venues(&more), ["Kraken"], "{kind}");
        let made = world.accept(&quoted);
        let round = world.round();
        assert_eq!(round.account, "Treasury", "{kind}");
        let id = round.order().expect("about an order").to_owned();
        world.report(&round, &[answered(&json!({ "txid": ["OABC-1"] }))]);
        world.close(&id, ["2", "2", "4200"]);
        assert_eq!(world.status(&made), "Settled", "{kind}");
        assert_eq!(world.balance("USDC").0, "14162.2", "{kind}");
        world.is_sound(kind);
    });
}

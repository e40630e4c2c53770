//! The markets in which merchants' quotes are traded, and their order books.

use std::time::Duration;

use serde_json::json;
use settlekit_service::exchange::{ExchangeMarketError, NewMarket};
use settlekit_service::web_answer::{WebAnswer, WebError};

use super::{SALE, TradeWorld, balances, book, described, eth_usdc, usual};
use crate::exchange::{answer, answered};

#[test]
fn prices_that_are_old_or_contradict_themselves_are_not_used() {
    TradeWorld::each(|kind, mut world| {
        for wrong in [
            answer(200, "<html>"),
            answer(503, ""),
            answered(&json!({})),
            answered(&book(&[["2001", "1"]], &[["2000", "1"]])),
            answered(&book(&[["2000", "1"], ["2001", "1"]], &[["2002", "1"]])),
            answered(&book(&[["0", "1"]], &[["2000", "1"]])),
            answered(&book(&[["2000", "-1"]], &[["2001", "1"]])),
            answered(
                &json!({ "ETHUSDC": { "bids": [], "asks": [] }, "OTHER": { "bids": [], "asks": [] } }),
            ),
            WebAnswer::Failed(WebError::TimedOut),
        ] {
            world.world.pass(Duration::from_secs(29));
            assert_eq!(world.quote(SALE)["buy_asset"]["amount"], 3964, "{kind}");
            world.read_book(&wrong);
            world.world.pass(Duration::from_secs(1));
            let refusal = world.refusal(SALE);
            assert_eq!(refusal, "409 VENUE_UNAVAILABLE", "{kind}: {wrong:?}");
            world.world.pass(Duration::from_secs(600));
            world.world.read(&answered(&balances()));
            world.read_book(&answered(&usual()));
        }
        assert_eq!(world.world.failures.len(), 9, "{kind}");
    });
}

#[test]
fn a_size_that_the_book_or_the_exchange_does_not_take_is_refused() {
    TradeWorld::each(|kind, mut world| {
        for size in ["0.0019", "55.1"] {
            let refusal = world.refusal(&SALE.replace("=2&", &format!("={size}&")));
            assert_eq!(
                refusal, "422 SIZE_NOT_TRADED sell_amount[0]",
                "{kind} {size}"
            );
        }
        // Beyond the best offer, at the price of the worst one that is needed.
        let quoted = world.quote(&SALE.replace("=2&", "=6&"));
        // 6 × 1 990, less 0.4 % and 0.5 %.
        assert_eq!(quoted["buy_asset"]["amount"], 11832.54, "{kind}");
        let refusal = world.refusal("sell_currency=ETH&sell_amount=1&buy_currency=EURC");
        assert!(refusal.starts_with("422 "), "{kind}: {refusal}");
    });
}

#[test]
fn only_markets_that_the_exchange_describes_are_added() {
    TradeWorld::each(|kind, mut world| {
        let other = |name: &str| NewMarket {
            market: name.to_owned(),
            ..eth_usdc()
        };
        assert_eq!(
            world.add(&other("ETHUSDC"), &answered(&described())),
            Err(ExchangeMarketError::Market),
            "{kind}"
        );
        for (market, described) in [
            ("BTC/USDC", described()),
            ("ETH/USDC", json!({})),
            ("ETH/USDC", json!({ "ETHUSDC": { "wsname": "ETH/USDC" } })),
        ] {
            let added = world.add(&other(market), &answered(&described));
            let is_malformed = matches!(added, Err(ExchangeMarketError::Exchange(_)));
            assert!(is_malformed, "{kind} {market}: {added:?}");
        }
        let unknown = NewMarket {
            account: "Other".to_owned(),
            ..eth_usdc()
        };
        assert_eq!(
            world.add(&unknown, &answered(&described())),
            Err(ExchangeMarketError::NotConnected("Other".to_owned())),
            "{kind}"
        );
        let (service, database) = world.world.connected.world.parts();
        let markets = service.exchange_markets(database).expect("markets");
        assert_eq!(markets.len(), 1, "{kind}");
        assert_eq!(
            (markets[0].fee, markets[0].market.margin),
            (4_000, 5_000),
            "{kind}"
        );
        let removed = service.remove_exchange_market(database, "Kraken", "ETH/USDC");
        assert_eq!(removed, Ok(()), "{kind}");
        assert_eq!(world.refusal(SALE), "409 VENUE_UNAVAILABLE", "{kind}");
    });
}

#[test]
fn one_failed_round_stops_no_quotes_and_an_outage_ends_within_half_a_minute() {
    TradeWorld::each(|kind, mut world| {
        world.world.pass(Duration::from_secs(10));
        for wait in [5, 10, 20, 30, 30] {
            world.read_book(&WebAnswer::Failed(WebError::TimedOut));
            world.world.pass(Duration::from_secs(wait - 1));
            let now = world.world.connected.world.now;
            let (service, database) = world.world.connected.world.parts();
            let is_due = service.has_due_markets(database, now);
            assert_eq!(is_due, Ok(false), "{kind} {wait}");
            if wait < 10 {
                assert_eq!(world.quote(SALE)["buy_asset"]["amount"], 3964, "{kind}");
            }
            world.world.pass(Duration::from_secs(1));
        }
        world.read_book(&answered(&usual()));
        assert_eq!(world.quote(SALE)["buy_asset"]["amount"], 3964, "{kind}");
    });
}

#[test]
fn an_order_that_contradicts_the_terms_of_its_market_stops_quotes_until_it_is_added_again() {
    TradeWorld::each(|kind, mut world| {
        for (error, shown) in [
            (
                "EOrder:Order minimum not met",
                "the order is smaller than the exchange takes",
            ),
            (
                "EOrder:Tick size check failed",
                "the exchange does not take this price",
            ),
            (
                "EService:Market in cancel_only mode",
                "the market takes no such orders now",
            ),
        ] {
            let quoted = world.quote(SALE);
            let made = world.accept(&quoted);
            let round = world.round();
            let refused = json!({ "error": [error] }).to_string();
            world.report(&round, &[answer(200, &refused)]);
            let expected = format!(
                "Kraken has refused an order in ETH/USDC: {shown}. The market has no quotes until `settlekit exchange market add` reads its terms again"
            );
            assert_eq!(world.world.failures, [expected], "{kind}");
            world.world.failures.clear();
            assert_eq!(world.refusal(SALE), "409 VENUE_UNAVAILABLE", "{kind}");
            let (service, database) = world.world.connected.world.parts();
            let markets = service.exchange_markets(database).expect("markets");
            assert_eq!(markets[0].refusal.as_deref(), Some(shown), "{kind}");
            world.pass(Duration::from_secs(10));
            let round = world.round();
            let empty = [json!({ "closed": {} }), json!({ "open": {} })];
            world.report(&round, &empty.map(|list| answered(&list)));
            world.work();
            assert_eq!(world.status(&made), "Failed", "{kind}");
            assert_eq!(world.add(&eth_usdc(), &answered(&described())), Ok(()));
            assert_eq!(world.quote(SALE)["buy_asset"]["amount"], 3964, "{kind}");
            world.is_sound(kind);
            world.pass(Duration::from_secs(60));
        }
    });
}

#[test]
fn a_refused_order_of_the_operator_stops_no_quotes() {
    TradeWorld::each(|kind, mut world| {
        world.order_by_hand(1);
        let round = world.round();
        let refused = answer(200, r#"{"error":["EOrder:Invalid price"]}"#);
        world.report(&round, &[refused]);
        assert_eq!(world.world.failures, [""; 0], "{kind}");
        assert_eq!(world.quote(SALE)["buy_asset"]["amount"], 3964, "{kind}");
    });
}

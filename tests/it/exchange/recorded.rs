//! All recorded answers of Kraken's account, served locally and fetched as a host does.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use settlekit_core::value::Amount;
use settlekit_service::Seed;
use settlekit_service::exchange::{
    ExchangeOrder, ExchangeOrderStatus, ExchangeRound, ExchangeWithdrawalStatus, NewExchangeOrder,
    NewExchangeWithdrawal, NewMarket, Side,
};
use settlekit_service::web_answer::{WebAnswer, WebError};
use settlekit_tests::price_host::PriceHost;
use settlekit_tests::world::{amount, currency};

use super::{ExchangeWorld, SEED, URL, answered};
use crate::prices::{fetch, unused_files};

/// All files, by the part of the test that serves them.
const FILES: [&[&str]; 5] = [
    &["balances.json"],
    ERRORS_OF_BALANCES,
    &[
        "book_eur.json",
        "book_usd.json",
        "market_btc_usd.json",
        "market_eth_btc.json",
        "market_eth_usdt.json",
    ],
    &[
        "closed_canceled.json",
        "closed_filled.json",
        "error_insufficient_funds.json",
        "open_partly.json",
        "open_two.json",
        "order_documented.json",
        "order_limit.json",
        "order_market.json",
    ],
    &[
        "addresses.json",
        "error_unknown_key.json",
        "withdrawal.json",
        "withdrawal_info.json",
        "withdrawals.json",
    ],
];

const ERRORS_OF_BALANCES: &[&str] = &[
    "balances_documented.json",
    "error_invalid_key.json",
    "error_invalid_nonce.json",
    "error_permission.json",
    "error_rate_limit.json",
    "error_unavailable.json",
];

/// The exchange, which serves the recorded answers.
struct Recorded {
    world: ExchangeWorld,
    host: PriceHost,
    orders: u8,
}

impl Recorded {
    /// The answer to a request of a round, from a file with the client's id of an order entered. Orders of that time had none.
    fn served(&self, url: &str, file: &str, order: &str) -> WebAnswer {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/exchange/fixtures");
        let body = std::fs::read_to_string(folder.join(file)).expect("a file");
        let id = json!(order);
        let body = body.replace("\"userref\"", &format!("\"cl_ord_id\":{id},\"userref\""));
        self.host.answer_all("200 OK", &body);
        let answer = fetch(&url.replace(URL, &self.host.url()), Some("nonce=1"));
        assert_eq!(self.host.take_paths().len(), 1, "{file}");
        answer
    }

    /// The next round, which is not of balances if it is of orders or withdrawals.
    fn round(&mut self, is_of_balances: bool) -> ExchangeRound {
        for _ in 0..100 {
            for round in self.world.rounds() {
                let is_of_other = round.order().is_some() || round.withdrawal().is_some();
                if is_of_other != is_of_balances {
                    return round;
                }
                let none = json!({ "USDC": { "balance": "1000" } });
                self.world.report(&round, &answered(&none));
            }
            self.world.pass(Duration::from_secs(5));
        }
        panic!("no round is due");
    }

    fn report(&mut self, round: &ExchangeRound, answers: &[WebAnswer]) {
        let now = self.world.connected.world.now;
        let (service, database) = self.world.connected.world.parts();
        let failures = service.report_exchange(database, round, answers, now, SEED);
        self.world.failures.extend(failures.expect("a report"));
    }

    /// Serves one file for each request of the next round about orders or withdrawals.
    fn answer(&mut self, files: &[&str]) {
        let round = self.round(false);
        let order = round.order().unwrap_or_default().to_owned();
        let requests = round.requests().iter().zip(files);
        let answers: Vec<WebAnswer> = requests
            .map(|(request, file)| self.served(&request.url, file, &order))
            .collect();
        assert_eq!(answers.len(), round.requests().len(), "{files:?}");
        self.report(&round, &answers);
    }

    fn order(&mut self, market: &str, (side, volume, price): (Side, &str, &str)) {
        self.orders += 1;
        let new = NewExchangeOrder {
            account: "Kraken".to_owned(),
            market: market.to_owned(),
            side,
            volume: amount(volume),
            price: amount(price),
        };
        let (now, seed) = (self.world.connected.world.now, Seed([self.orders; 32]));
        let (service, database) = self.world.connected.world.parts();
        let placed = service.order_at_exchange(database, &new, now, seed);
        placed.expect("an order");
    }

    fn latest(&mut self) -> ExchangeOrder {
        let (service, database) = self.world.connected.world.parts();
        service.exchange_orders(database).expect("orders").remove(0)
    }

    /// Status, the exchange's id and the executed volume, cost and fee of the latest order.
    fn outcome(&mut self) -> (ExchangeOrderStatus, Option<String>, Vec<String>) {
        let order = self.latest();
        let execution = order.execution.into_iter();
        let amounts = execution.flat_map(|one| [one.volume, one.cost, one.fee]);
        let amounts = amounts.map(|one| one.to_string()).collect();
        (order.status, order.exchange_id, amounts)
    }

    /// The answer to the order that is due is lost.
    fn lose(&mut self) {
        let round = self.round(false);
        self.report(&round, &[WebAnswer::Failed(WebError::TimedOut)]);
    }

    /// The exchange has canceled an order of its id and a volume.
    fn cancel(&mut self, id: &str, volume: &str) {
        let round = self.round(false);
        let order = round.order().expect("about the order").to_owned();
        let closed = json!({ "closed": { id: {
            "status": "canceled", "cl_ord_id": order, "vol": volume, "vol_exec": "0", "cost": "0", "fee": "0",
        } } });
        let open = answered(&json!({ "open": {} }));
        self.report(&round, &[answered(&closed), open]);
        assert_eq!(self.outcome().0, ExchangeOrderStatus::Closed, "{id}");
    }

    /// Best bid and ask of each market.
    fn best(&mut self) -> Vec<(Option<String>, Option<String>)> {
        let (service, database) = self.world.connected.world.parts();
        let markets = service.exchange_market_prices(database).expect("markets");
        let text = |price: Option<Amount>| price.map(|price| price.to_string());
        let prices = markets.into_iter().map(|(_, best)| best);
        prices.map(|(bid, ask)| (text(bid), text(ask))).collect()
    }
}

fn read_balances(recorded: &mut Recorded, kind: &str) {
    let round = recorded.round(true);
    let answer = recorded.served(&round.requests()[0].url, "balances.json", "");
    recorded.world.report(&round, &answer);
    let expected = [
        "BTC 0.00013394 0.00005",
        "ETH 0.00536132 0.002",
        "USDT 60.90852 13.63876",
    ];
    assert_eq!(recorded.world.balances(), expected, "{kind}");
    let errors = [
        // An amount that is no text may have been rounded on its way.
        "the answer is malformed",
        "the exchange does not know the API key",
        "a request with this API key had a higher nonce",
        "the API key lacks a permission",
        "too many requests",
        "the exchange is temporarily unavailable",
    ];
    for (file, error) in ERRORS_OF_BALANCES.iter().zip(errors) {
        recorded.world.pass(Duration::from_secs(600));
        let round = recorded.round(true);
        let answer = recorded.served(&round.requests()[0].url, file, "");
        recorded.world.report(&round, &answer);
        let last = recorded.world.account().last_error.unwrap_or_default();
        assert!(last.starts_with(error), "{kind} {file}: {last}");
        assert_eq!(recorded.world.balances(), expected, "{kind} {file}");
    }
    recorded.world.pass(Duration::from_secs(600));
}

fn read_markets(recorded: &mut Recorded, kind: &str) {
    for (market, file, fee, volume) in [
        ("ETH/USDT", "market_eth_usdt.json", 4_000, "0.002"),
        ("ETH/BTC", "market_eth_btc.json", 2_600, "0.01"),
        ("BTC/USD", "market_btc_usd.json", 2_600, "0.0001"),
    ] {
        let new = NewMarket {
            account: "Kraken".to_owned(),
            market: market.to_owned(),
            margin: 0,
        };
        let now = recorded.world.connected.world.now;
        let (service, database) = recorded.world.connected.world.parts();
        let url = service.exchange_market_url(database, &new).expect("a URL");
        let answer = recorded.served(&url, file, "");
        let (service, database) = recorded.world.connected.world.parts();
        let added = service.add_exchange_market(database, &new, &answer, now);
        assert_eq!(added, Ok(()), "{kind} {file}");
        let markets = service.exchange_markets(database).expect("markets");
        let mut markets = markets.iter();
        let added = markets.find(|one| one.market.market == market).expect("it");
        assert_eq!(
            (added.fee, added.volume_min),
            (fee, amount(volume)),
            "{kind} {file}"
        );
    }
    for (file, best) in [
        // The book of another market than the one that was asked for.
        ("book_eur.json", None),
        ("book_usd.json", Some(("30297", "30384.1"))),
    ] {
        recorded.world.pass(Duration::from_secs(600));
        let now = recorded.world.connected.world.now;
        let (service, database) = recorded.world.connected.world.parts();
        let rounds = service.market_rounds(database, now).expect("rounds");
        let mut rounds = rounds.iter();
        let round = rounds
            .find(|round| round.url.contains("pair=XBTUSD"))
            .expect("a round");
        let answer = recorded.served(&round.url, file, "");
        let (service, database) = recorded.world.connected.world.parts();
        let told = service.report_market(database, round, &answer, now, SEED);
        assert!(told.is_ok(), "{kind} {file}");
        let best = best.map(|(bid, ask)| (Some(bid.to_owned()), Some(ask.to_owned())));
        let expected = best.unwrap_or_default();
        assert_eq!(recorded.best()[0], expected, "{kind} {file}");
    }
}

fn follow_orders(recorded: &mut Recorded, kind: &str) {
    let none: [String; 0] = [];
    for (file, id) in [
        ("order_documented.json", "OUF4EM-FRGI2-MQMWZD"),
        ("order_limit.json", "OHMFXD-DVWOT-XTF4AU"),
        ("order_market.json", "OYNSAY-BFTRZ-RPATWJ"),
    ] {
        recorded.order("BTC/USDT", (Side::Sell, "0.00005", "110000"));
        recorded.answer(&[file]);
        let sent = (
            ExchangeOrderStatus::Sent,
            Some(id.to_owned()),
            none.to_vec(),
        );
        assert_eq!(recorded.outcome(), sent, "{kind} {file}");
        // Somebody else's orders are no answer about this one.
        recorded.answer(&["closed_filled.json", "open_two.json"]);
        assert_eq!(recorded.outcome(), sent, "{kind} {file}");
        recorded.cancel(id, "0.00005");
    }
    for (market, volume, limit, file, id, execution) in [
        (
            "LTC/USDT",
            "0.1",
            "80",
            "closed_filled.json",
            "OGMZCL-KC6MC-ZRBGM6",
            ["0.1", "7.105741", "0.018475"],
        ),
        (
            "BTC/GBP",
            "0.001",
            "23667",
            "closed_canceled.json",
            "O37652-RJWRT-IMO74O",
            ["0", "0", "0"],
        ),
    ] {
        recorded.order(market, (Side::Buy, volume, limit));
        recorded.lose();
        recorded.answer(&[file, "open_two.json"]);
        let closed = (
            ExchangeOrderStatus::Closed,
            Some(id.to_owned()),
            execution.map(str::to_owned).to_vec(),
        );
        assert_eq!(recorded.outcome(), closed, "{kind} {file}");
    }
    // Worse than its limit: no answer.
    recorded.order("LTC/USDT", (Side::Buy, "0.1", "70"));
    recorded.lose();
    recorded.answer(&["closed_filled.json", "open_two.json"]);
    assert_eq!(recorded.outcome().0, ExchangeOrderStatus::Sent, "{kind}");
    let round = recorded.round(false);
    let nothing = [json!({ "closed": {} }), json!({ "open": {} })].map(|list| answered(&list));
    recorded.report(&round, &nothing);
    for _ in 0..10 {
        let latest = recorded.latest();
        if latest.status != ExchangeOrderStatus::Sent {
            break;
        }
        recorded.world.pass(Duration::from_secs(60));
        let round = recorded.round(false);
        recorded.report(&round, &nothing);
    }
    assert_eq!(
        recorded.outcome().0,
        ExchangeOrderStatus::NotPlaced,
        "{kind}"
    );
    recorded.order("BTC/USD", (Side::Buy, "1.25", "30010"));
    recorded.answer(&["error_insufficient_funds.json"]);
    let round = recorded.round(false);
    let order = round.order().expect("about the order").to_owned();
    let open = recorded.served(&round.requests()[1].url, "open_partly.json", &order);
    recorded.report(&round, &[answered(&json!({ "closed": {} })), open]);
    let open = (
        ExchangeOrderStatus::Sent,
        Some("OQCLML-BW3P3-BUCMWZ".to_owned()),
        none.to_vec(),
    );
    assert_eq!(recorded.outcome(), open, "{kind}");
    recorded.cancel("OQCLML-BW3P3-BUCMWZ", "1.25");
}

fn follow_withdrawals(recorded: &mut Recorded, kind: &str) {
    let new = NewExchangeWithdrawal {
        account: "Kraken".to_owned(),
        currency: currency("USDC"),
        chain: "8453".parse().expect("a chain"),
        amount: amount("0.72505"),
        key: "btc-wallet-1".to_owned(),
    };
    // Reads the account's dollars first.
    let round = recorded.round(true);
    let dollars = json!({ "USDC": { "balance": "1000" } });
    recorded.world.report(&round, &answered(&dollars));
    for (seed, files, error) in [
        (
            1,
            ["addresses.json", "withdrawal_info.json", "withdrawals.json"],
            "the exchange's address book has no btc-wallet-1",
        ),
        (
            2,
            [
                "error_unknown_key.json",
                "error_unknown_key.json",
                "withdrawals.json",
            ],
            "Unknown withdraw key",
        ),
    ] {
        recorded.world.pass(Duration::from_secs(1));
        let now = recorded.world.connected.world.now;
        let (service, database) = recorded.world.connected.world.parts();
        let queued = service.withdraw_from_exchange(database, &new, now, Seed([seed; 32]));
        assert!(queued.is_ok(), "{kind} {queued:?}");
        recorded.answer(&files);
        let (service, database) = recorded.world.connected.world.parts();
        let latest = service
            .exchange_withdrawals(database)
            .expect("all")
            .remove(0);
        assert_eq!(
            latest.status,
            ExchangeWithdrawalStatus::Refused,
            "{kind} {files:?}"
        );
        let last = latest.last_error.unwrap_or_default();
        assert!(last.contains(error), "{kind} {files:?}: {last}");
    }
    // The address book has the key for dollars, and the fee of the recorded answer.
    recorded.world.pass(Duration::from_secs(1));
    let now = recorded.world.connected.world.now;
    let wallet = recorded.world.connected.wallet.to_string();
    let (service, database) = recorded.world.connected.world.parts();
    let queued = service.withdraw_from_exchange(database, &new, now, Seed([3; 32]));
    assert!(queued.is_ok(), "{kind} {queued:?}");
    let check = recorded.round(false);
    let method = "USDC - Base";
    let answers = [
        json!([{ "address": wallet, "asset": "USDC", "method": method, "key": "btc-wallet-1", "verified": true }]),
        json!({ "method": method, "limit": "332.00956139", "amount": "0.72485000", "fee": "0.00020000" }),
        json!([]),
    ];
    recorded.report(&check, &answers.map(|one| answered(&one)));
    recorded.answer(&["withdrawal.json"]);
    // The exchange lists the id with other terms: of bitcoin.
    recorded.world.pass(Duration::from_secs(60));
    recorded.answer(&["withdrawals.json"]);
    let (service, database) = recorded.world.connected.world.parts();
    let latest = service
        .exchange_withdrawals(database)
        .expect("all")
        .remove(0);
    let accepted = Some("FTQcuak-V6Za8qrWnhzTx67yYHz8Tg");
    assert_eq!(latest.exchange_id.as_deref(), accepted, "{kind}");
    assert_eq!(latest.status, ExchangeWithdrawalStatus::Accepted, "{kind}");
    let last = latest.last_error.unwrap_or_default();
    assert!(last.ends_with("with other terms"), "{kind}: {last}");
}

#[test]
fn each_recorded_answer_of_the_account_is_read_as_it_is_served() {
    let named = FILES.iter().flat_map(|part| part.iter().copied());
    assert_eq!(unused_files("exchange/fixtures", named), [""; 0]);
    ExchangeWorld::each(|kind, world| {
        let mut recorded = Recorded {
            world,
            host: PriceHost::start(),
            orders: 0,
        };
        read_balances(&mut recorded, kind);
        read_markets(&mut recorded, kind);
        let (service, database) = recorded.world.connected.world.parts();
        let on = service.set_exchange_trading(database, "Kraken", true);
        assert_eq!(on, Ok(()), "{kind}");
        follow_orders(&mut recorded, kind);
        follow_withdrawals(&mut recorded, kind);
    });
}

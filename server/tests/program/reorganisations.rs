//! Reorganisations of each depth from 1 to 20, before and after a payment is confirmed, on a real node.

use std::fs;

use alloy_primitives::{Address, B256};
use serde_json::Value;
use settlekit_service::FACTORY;
use settlekit_tests::anvil::{Transaction, abi, number, word};

use crate::place::{Place, Server, call, wait_for};
use crate::real_chain::Town;

const DEPTH_MAX: u64 = 20;

/// One unit of USDC, which every payment is of.
const UNIT: u64 = 1_000_000;

impl Town {
    /// A chain whose nodes are asked twice a second.
    fn connect_quick(&self, confirmations: &str) {
        let url = self.node.url();
        let words = ["--rpc", &url, "--confirmations", confirmations];
        self.connect_with(&[&words[..], &["--block-seconds", "1"]].concat());
    }

    /// Opens the till after the factory is deployed, deeper than any reorganisation takes blocks away.
    fn open_till_deep(&self, server: &Server) {
        wait_for("the factory is deployed", || {
            self.node.mine(1);
            !self.node.code(FACTORY).is_empty()
        });
        self.open_till(server);
        self.node.mine(DEPTH_MAX + 1);
        self.until_compared();
    }

    /// Pays one unit by an account that sends nothing else, so that the same transaction can come again after a reorganisation.
    fn send_unit(&self, to: Address) -> B256 {
        let mint = abi("mint(address,uint256)", &[word(to), number(UNIT)]);
        let from = self.node.account(5);
        (self.node).send(&Transaction::call(from, self.token, 0, mint))
    }

    /// The transaction of a payment; null before it is seen.
    fn transaction(&self, server: &Server, payment: &str) -> Value {
        self.payment(server, payment)["crypto_transactions"][0].clone()
    }

    /// The latest block that the server has recorded.
    fn recorded(&self) -> Value {
        let listed = self.place.json(&["chain", "list", "--json"]);
        listed[0]["block"].clone()
    }
}

#[test]
fn a_payment_that_a_reorganisation_of_any_depth_takes_away_is_credited_once_or_not_at_all() {
    const CONFIRMATIONS: u64 = DEPTH_MAX + 5;
    let town = Town::new(Place::live());
    town.connect_quick(&CONFIRMATIONS.to_string());
    let server = town.serve();
    town.open_till_deep(&server);
    let (mut again, mut lost) = (Vec::new(), Vec::new());
    for depth in 1..=DEPTH_MAX {
        let (payment, to) = town.create_payment(&server, UNIT);
        let first = town.send_unit(to);
        town.node.mine(depth);
        wait_for(&format!("the payment has {depth} confirmations"), || {
            town.transaction(&server, &payment)["confirmations"] == depth
        });
        let block = town.transaction(&server, &payment)["block_number"].clone();
        assert!(block.is_u64(), "{depth}: {block}");
        town.node.reorganise(depth);
        wait_for(&format!("{depth} blocks are taken away"), || {
            town.transaction(&server, &payment)["confirmations"] == 0
        });
        let shown = town.payment(&server, &payment);
        assert_eq!(shown["status"], "Processing", "{depth}: {shown}");
        if depth % 2 == 0 {
            assert_eq!(town.send_unit(to), first, "the same transaction");
            again.push(payment);
        } else {
            lost.push(payment);
        }
        // Deeper than the next reorganisation takes blocks away.
        town.node.mine(CONFIRMATIONS);
    }
    for payment in &again {
        town.mine_until(&server, payment, "Confirmed");
        let path = format!("/events?type=Payment&action=Settled&document_id={payment}");
        let events = call(&server.address, &town.shop.key, "GET", &path, Value::Null);
        assert_eq!(events["total"], 1, "{events}");
    }
    for payment in &lost {
        let shown = town.payment(&server, payment);
        assert_eq!(shown["status"], "Processing", "{shown}");
        let transaction = &shown["crypto_transactions"][0];
        assert_eq!(transaction["confirmations"], 0, "{shown}");
        assert_eq!(transaction["block_number"], Value::Null, "{shown}");
    }
    assert_eq!(town.till(&server), format!("{} 0", again.len()));
    town.until_compared();
}

#[test]
fn a_reorganisation_of_any_depth_after_confirmed_is_an_alarm_an_event_and_a_difference() {
    let town = Town::new(Place::live());
    town.connect_quick("1");
    let log = town.place.folder.path().join("log");
    let words = ["serve", "--listen", "127.0.0.1:0", "--log", "error"];
    let mut command = town.place.command(&words);
    command.stderr(fs::File::create(&log).expect("a log"));
    let server = Server::of(&mut command);
    town.open_till_deep(&server);
    let latest = || {
        let path = "/events?type=CryptoTransaction&limit=1";
        let list = call(&server.address, &town.shop.key, "GET", path, Value::Null);
        list["items"][0]["data"].clone()
    };
    for depth in 1..=DEPTH_MAX {
        let (payment, to) = town.create_payment(&server, UNIT);
        let first = town.send_unit(to);
        town.node.mine(depth);
        let height = town.node.height();
        wait_for("the payment is confirmed", || {
            town.payment(&server, &payment)["status"] == "Confirmed" && town.recorded() == height
        });
        town.node.reorganise(depth);
        wait_for(&format!("{depth} blocks are taken away"), || {
            latest()["confirmations"] == 0
        });
        assert_eq!(latest()["transaction_hash"], first.to_string(), "{depth}");
        let alarm = format!("took away transaction {first}, which was confirmed");
        wait_for("the alarm is logged", || {
            let said = fs::read_to_string(&log).expect("a log");
            said.contains(&alarm)
        });
        let shown = town.payment(&server, &payment);
        assert_eq!(shown["status"], "Confirmed", "{depth}: {shown}");
        assert_eq!(town.till(&server), format!("{depth} 0"), "no silent change");
        wait_for("the missing money is a difference", || {
            town.node.mine(1);
            let found = town.differences();
            found
                .iter()
                .any(|one| one.contains(": 1 USDC less is held"))
        });
        assert_eq!(town.send_unit(to), first, "the same transaction");
        town.until_compared();
        let back = town.transaction(&server, &payment);
        assert_eq!(back["confirmations"], 1, "{depth}: {back}");
        assert_eq!(town.till(&server), format!("{depth} 0"), "booked once");
    }
}

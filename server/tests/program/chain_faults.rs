//! A live server whose chain, hot wallet and nonces change under it, on a real EVM node.

use alloy_primitives::{U256, hex};
use serde_json::{Value, json};
use settlekit_core::value::Timestamp;
use settlekit_service::FACTORY;
use settlekit_tests::anvil::{abi, number, word};
use settlekit_tests::liar::Liar;

use crate::place::{Place, Server, call, now, wait_for};
use crate::real_chain::{SUPPLIER, Town};

/// One gwei, in wei.
const GWEI: u64 = 1_000_000_000;

/// One unit of USDC.
const UNIT: u64 = 1_000_000;

impl Town {
    /// A server whose till has 10 USDC, of which 9 lie in the hot wallet.
    fn with_money(&self) -> Server {
        self.connect();
        let server = self.serve();
        self.open_till(&server);
        let payment = self.pay(&server, 10 * UNIT);
        self.mine_until(&server, &payment, "Confirmed");
        let payout = self.pay_one(&server);
        self.mine_until(&server, &payout, "Confirmed");
        server
    }

    /// Creates a payout of 1 USDC.
    fn pay_one(&self, server: &Server) -> String {
        let body = json!({
            "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
        });
        self.signed(server, "/payouts", &body)
    }

    fn wait_for_pending(&self, count: u64) {
        let count = format!("{count:#x}");
        wait_for("the transactions are in the mempool", || {
            self.node.call("txpool_status", json!([]))["pending"] == count.as_str()
        });
    }

    /// Mines a block with a base fee.
    fn mine_at(&self, base_fee: u64) {
        let fee = format!("{base_fee:#x}");
        self.node
            .call("anvil_setNextBlockBaseFeePerGas", json!([fee]));
        self.node.mine(1);
    }

    /// Waits until the books agree with the chain, at a base fee.
    fn until_compared_at(&self, base_fee: u64) {
        wait_for("the books agree with the chain", || {
            self.mine_at(base_fee);
            self.differences().is_empty()
        });
    }
}

#[test]
fn a_queue_of_payouts_leaves_once_each_after_the_base_fee_has_grown_tenfold() {
    let town = Town::new(Place::live());
    let server = town.with_money();
    // So that the fees of the payouts are of this base fee.
    let payment = town.pay(&server, UNIT);
    wait_for("the server knows the base fee", || {
        town.mine_at(GWEI);
        town.payment(&server, &payment)["status"] == "Confirmed"
    });
    let payouts: Vec<String> = (0..3).map(|_| town.pay_one(&server)).collect();
    town.wait_for_pending(3);
    // The node forgets what its block has no use for.
    town.mine_at(10 * GWEI);
    assert_eq!(town.supplied(), U256::from(UNIT), "too cheap for the block");
    // The node refuses the old fees, and all are replaced at once.
    town.wait_for_pending(3);
    for payout in &payouts {
        wait_for("the payout is confirmed", || {
            town.mine_at(10 * GWEI);
            town.payment(&server, payout)["status"] == "Confirmed"
        });
    }
    assert_eq!(town.supplied(), U256::from(4 * UNIT));
    assert_eq!(town.till(&server), "7 0");
    town.until_compared();
}

#[test]
fn a_payout_whose_nonce_somebody_else_uses_leaves_once_by_the_next_one() {
    let town = Town::with_signer(Place::live());
    let server = town.with_money();
    let payout = town.pay_one(&server);
    town.wait_for_pending(1);
    // The same key signs another transaction with the same nonce and a higher fee.
    let count = town.node.call(
        "eth_getTransactionCount",
        json!([town.wallet.to_string(), "latest"]),
    );
    let stolen = town.node.call(
        "eth_sendTransaction",
        json!([{
            "from": town.wallet.to_string(),
            "to": town.node.account(3).to_string(),
            "value": "0x7",
            "gas": "0x5208",
            "nonce": count,
            "maxFeePerGas": "0x174876e800",
            "maxPriorityFeePerGas": "0x174876e800",
        }]),
    );
    town.node.mine(1);
    let receipt = town.node.call("eth_getTransactionReceipt", json!([stolen]));
    assert_eq!(receipt["status"], "0x1", "{receipt}");
    assert_eq!(town.supplied(), U256::from(UNIT));
    town.mine_until(&server, &payout, "Confirmed");
    assert_eq!(town.supplied(), U256::from(2 * UNIT));
    assert_eq!(town.till(&server), "8 0");
    // The coins that left are the operator's loss, and known.
    town.until_compared();
}

#[test]
fn a_payout_waits_for_gas_money_and_leaves_once_after_it_has_come() {
    let town = Town::new(Place::live());
    let server = town.with_money();
    // Counts the calls from now on.
    let calls = Liar::start(town.node.address());
    town.connect_with(&["--rpc", &calls.url(), "--confirmations", "3"]);
    town.until_compared();
    let shown = || {
        let shown = town.place.run(&["wallet", "show"]);
        String::from_utf8_lossy(&shown.stdout).into_owned()
    };
    // The operator withdraws nearly all of it.
    let to = town.node.account(4).to_string();
    let words = ["wallet", "withdraw", "--chain", "8453", "--currency", "ETH"];
    let options = ["--amount", "0.9985", "--to", &to, "--json"];
    town.place.json(&[&words[..], &options].concat());
    wait_for("the gas money has left", || {
        town.node.mine(1);
        shown().contains("  0.000")
    });
    wait_for("the rest is too little", || {
        town.mine_at(20 * GWEI);
        shown().contains("top it up now")
    });
    drop(calls.take_methods());
    let payout = town.pay_one(&server);
    wait_for("the payout is estimated", || {
        town.mine_at(20 * GWEI);
        let methods = calls.take_methods();
        methods.iter().any(|method| method == "eth_estimateGas")
    });
    town.until_compared_at(20 * GWEI);
    town.wait_for_pending(0);
    assert_eq!(town.supplied(), U256::from(UNIT));
    assert_eq!(town.till(&server), "9 1");
    assert_eq!(town.payment(&server, &payout)["status"], "Pending");
    town.node.call(
        "eth_sendTransaction",
        json!([{
            "from": town.node.account(0).to_string(),
            "to": town.wallet.to_string(),
            "value": "0xde0b6b3a7640000",
            "gas": "0x5208",
            "maxFeePerGas": "0x174876e800",
            "maxPriorityFeePerGas": "0x3b9aca00",
        }]),
    );
    town.mine_until(&server, &payout, "Confirmed");
    assert_eq!(town.supplied(), U256::from(2 * UNIT));
    town.until_compared();
}

#[test]
fn a_reorganisation_after_confirmed_is_an_event_and_a_difference_until_the_money_is_back() {
    let town = Town::new(Place::live());
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    // So that the reorganisation does not take its deployment away.
    wait_for("the factory is deployed", || {
        town.node.mine(1);
        !town.node.code(FACTORY).is_empty()
    });
    town.until_compared();
    let (payment, to) = town.create_payment(&server, 5 * UNIT);
    // Of somebody who sends nothing else, so that the same transaction can come again.
    let from = town.node.account(5);
    let mint = abi("mint(address,uint256)", &[word(to), number(5 * UNIT)]);
    let send = || {
        town.node.call(
            "eth_sendTransaction",
            json!([{
                "from": from.to_string(),
                "to": town.token.to_string(),
                "data": format!("0x{}", hex::encode(&mint)),
                "gas": "0x30000",
                "nonce": "0x0",
                "maxFeePerGas": "0x2540be400",
                "maxPriorityFeePerGas": "0x3b9aca00",
            }]),
        )
    };
    // Blocks that a deep reorganisation takes away, too.
    town.node.mine(6);
    let first = send();
    town.mine_until(&server, &payment, "Confirmed");
    town.until_compared();
    let transaction = || town.payment(&server, &payment)["crypto_transactions"][0].take();
    let latest = || {
        let path = "/events?type=CryptoTransaction&limit=1";
        let list = call(&server.address, &town.shop.key, "GET", path, Value::Null);
        list["items"][0]["data"].clone()
    };
    // Above its block, a reorganisation takes nothing from it.
    let told = latest();
    town.node.reorganise(2);
    town.until_compared();
    assert_eq!(latest(), told);
    assert_eq!(transaction()["confirmations"], 3);
    for below in [0, 5] {
        let block = transaction()["block_number"].as_u64().expect("a block");
        town.node.reorganise(town.node.height() - block + 1 + below);
        wait_for("the reorganisation is an event", || {
            town.node.mine(1);
            latest()["confirmations"] == 0
        });
        assert_eq!(latest()["transaction_hash"], first);
        assert_eq!(town.payment(&server, &payment)["status"], "Confirmed");
        assert_eq!(transaction()["confirmations"], 0);
        assert_eq!(town.till(&server), "5 0", "no silent change");
        wait_for("the missing money is a difference", || {
            town.node.mine(1);
            let found = town.differences();
            found.iter().any(|one| one.contains("5 USDC less is held"))
        });
        assert_eq!(send(), first, "the same transaction");
        town.until_compared();
        assert_eq!(transaction()["confirmations"], 3);
        assert_eq!(town.till(&server), "5 0", "booked once");
    }
}

#[test]
fn a_block_an_hour_or_a_day_later_than_the_one_before_brings_what_waited_and_expires_nothing() {
    let town = Town::new(Place::live());
    let server = town.with_money();
    let payment = town.pay(&server, UNIT);
    let payout = town.pay_one(&server);
    let (over, to) = town.create_payment(&server, UNIT);
    town.node.mint(town.token, to, 3 * UNIT);
    let (under, to) = town.create_payment(&server, 2 * UNIT);
    town.node.mint(town.token, to, UNIT);
    town.wait_for_pending(4);
    // The next block is an hour later than the one before.
    town.node.call("evm_increaseTime", json!([3600]));
    town.mine_until(&server, &payment, "Confirmed");
    town.mine_until(&server, &payout, "Confirmed");
    assert_eq!(town.supplied(), U256::from(2 * UNIT));
    town.mine_until(&server, &over, "Confirmed");
    assert_eq!(town.payment(&server, &over)["reason"], "Overpaid");
    let shown = town.payment(&server, &under);
    assert_eq!(shown["status"], "Processing", "{shown}");
    assert_eq!(shown["next_action"], "SendFunds", "{shown}");
    assert_eq!(shown["paid_amount"], "1", "{shown}");
    assert_eq!(town.till(&server), "13 0");
    town.node.mint(town.token, to, UNIT);
    town.mine_until(&server, &under, "Confirmed");
    assert_eq!(town.till(&server), "14 0");
    // The blocks are a day ahead from here on. Payments live by the clock of the server.
    let (open, to) = town.create_payment(&server, UNIT);
    let before = now();
    town.node.call("evm_increaseTime", json!([24 * 60 * 60]));
    town.node.mine(3);
    let later = town.pay(&server, UNIT);
    town.mine_until(&server, &later, "Confirmed");
    let shown = town.payment(&server, &later);
    assert_eq!(shown["reason"], Value::Null, "{shown}");
    let confirmed = shown["timeline"]
        .as_array()
        .and_then(|entries| entries.last());
    let confirmed = confirmed.expect("an entry")["at"].clone();
    let confirmed: Timestamp = serde_json::from_value(confirmed).expect("a time");
    assert!((before..=now()).contains(&confirmed), "{shown}");
    assert_eq!(town.payment(&server, &open)["status"], "Processing");
    town.node.mint(town.token, to, UNIT);
    town.mine_until(&server, &open, "Confirmed");
    assert_eq!(town.payment(&server, &open)["reason"], Value::Null);
    assert_eq!(town.till(&server), "16 0");
    town.until_compared();
}

//! `settlekit wallet cancel`, while a server runs on a real EVM node.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};

use crate::place::{Place, call, refused, wait_for};
use crate::real_chain::{SUPPLIER, Town, text};

/// The hot wallet's nonces by a node: of the next block's transactions, or of the mempool's next one.
pub(crate) fn nonce(town: &Town, block: &str) -> u64 {
    let params = json!([town.wallet.to_string(), block]);
    let count = town.node.call("eth_getTransactionCount", params);
    let count: U256 = count.as_str().expect("a count").parse().expect("a number");
    count.to()
}

#[test]
fn a_payout_that_no_block_takes_is_given_up_by_a_command_and_its_money_returns() {
    let town = Town::new(Place::live());
    town.connect();
    let server = town.serve();
    town.open_till(&server);
    let payment = town.pay(&server, 10_000_000);
    town.mine_until(&server, &payment, "Confirmed");
    let pay_out = |amount: &str| {
        let body = json!({
            "account": "till", "amount": amount, "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
        });
        town.signed(&server, "/payouts", &body)
    };
    let payout = pay_out("1");
    town.mine_until(&server, &payout, "Confirmed");
    let cancel = |nonce: u64| {
        let nonce = nonce.to_string();
        let words = ["wallet", "cancel", "--chain", "8453", "--nonce", &nonce];
        town.place.run(&words)
    };
    let next = nonce(&town, "latest");
    let unknown = refused(&cancel(next));
    assert!(unknown.contains(&next.to_string()), "{unknown}");

    let payout = pay_out("4");
    wait_for("the payout is in the mempool", || {
        nonce(&town, "pending") == next + 1 && {
            town.payment(&server, &payout)["status"] == "Processing"
        }
    });
    let canceled = cancel(next);
    assert!(canceled.status.success(), "{canceled:?}");
    let said = String::from_utf8_lossy(&canceled.stdout);
    assert!(
        said.contains("an empty transaction is to use its nonce"),
        "{said}"
    );
    let twice = refused(&cancel(next));
    assert!(twice.contains(&next.to_string()), "{twice}");
    // Its filler takes its place in the mempool.
    let wallet = town.wallet.to_string().to_lowercase();
    wait_for("the filler is in the mempool", || {
        let pool = town.node.call("txpool_content", json!([]));
        let senders = pool["pending"].as_object().expect("senders").iter();
        let mut own = senders.filter(|(sender, _)| sender.to_lowercase() == wallet);
        own.any(|(_, sent)| {
            let to = sent[next.to_string()]["to"].as_str();
            to.is_some_and(|to| to.to_lowercase() == wallet)
        })
    });
    town.mine_until(&server, &payout, "Failed");
    let path = "/accounts/till/balances";
    let held = call(&server.address, &town.shop.key, "GET", path, Value::Null);
    let mut held = held.as_array().expect("balances").iter();
    let held = held.find(|held| held["currency"] == "USDC").expect("USDC");
    assert_eq!(
        (text(held, "posted"), text(held, "reserved")),
        ("9".into(), "0".into())
    );
    let supplier: Address = SUPPLIER.parse().expect("an address");
    let paid = town
        .node
        .token_balance(town.token, supplier, town.node.height());
    assert_eq!(paid, U256::from(1_000_000), "only the first payout arrived");
    // The nonce is used, and the next payout leaves with the one after.
    let payout = pay_out("2");
    town.mine_until(&server, &payout, "Confirmed");
    let mined = refused(&cancel(next));
    assert!(mined.contains(&next.to_string()), "{mined}");
    town.until_compared();
}

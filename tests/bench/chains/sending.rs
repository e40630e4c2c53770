//! Payouts broadcast from one hot wallet.

use std::time::{Duration, Instant};

use alloy_primitives::{Address, U256};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use settlekit_tests::anvil::{Anvil, TOKEN, Transaction, abi, number, word};
use settlekit_tests::world::OTHER_WALLET;

use super::live::{CHAIN, Installation, Live};
use crate::row;

const PAYOUTS: u32 = 300;

/// Requests at once.
const CALLERS: usize = 16;

pub(crate) async fn run() {
    let node = Anvil::start(CHAIN);
    let token = node.deploy(TOKEN);
    let live = Installation::connect(&node, &node.url(), token)
        .serve()
        .await;
    let wallet = live.installation.wallet;
    fund(&node, token, &live).await;
    let before = sent(&node, wallet);
    let since = Instant::now();
    let payouts = (0..PAYOUTS).map(|_| live.call("POST", "/payouts", payout()));
    stream::iter(payouts)
        .buffer_unordered(CALLERS)
        .for_each(|_| async {})
        .await;
    while sent(&node, wallet) < before + u64::from(PAYOUTS) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let rate = f64::from(PAYOUTS) / since.elapsed().as_secs_f64();
    live.end().await;
    let alone = alone(&node, token);
    row(
        "payouts requested, signed and broadcast from one hot wallet",
        &format!("{rate:.0}/s"),
        &format!("the node alone takes such transfers, {alone:.0}/s"),
        rate / alone,
    );
}

/// Pays the account `till`. A first payout sweeps the money into the hot wallet; mines until it has arrived.
async fn fund(node: &Anvil, token: Address, live: &Live) {
    const BLOCKS: u32 = 200;
    live.open_till().await;
    let amount = PAYOUTS + 1;
    let to = live.payment(&amount.to_string()).await;
    node.mint(token, to, u64::from(amount) * 1_000_000);
    for _ in 0..5 {
        node.mine(1);
        live.until_head(node.height()).await;
    }
    live.call("POST", "/payouts", payout()).await;
    let receiver: Address = OTHER_WALLET.parse().expect("an address");
    for _ in 0..BLOCKS {
        if node.token_balance(token, receiver, node.height()) > U256::ZERO {
            return;
        }
        node.mine(1);
        live.until_head(node.height()).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the first payout did not arrive");
}

fn payout() -> Value {
    json!({
        "account": "till", "amount": "1", "currency": "USDC", "chain_id": CHAIN, "address": OTHER_WALLET,
    })
}

/// Transactions of an address, pending ones too.
fn sent(node: &Anvil, address: Address) -> u64 {
    let count = node.call(
        "eth_getTransactionCount",
        json!([address.to_string(), "pending"]),
    );
    let digits = count.as_str().and_then(|text| text.strip_prefix("0x"));
    u64::from_str_radix(digits.expect("a number in hex"), 16).expect("a number")
}

/// The rate at which the node takes transfers that it signs itself.
fn alone(node: &Anvil, token: Address) -> f64 {
    let to: Address = OTHER_WALLET.parse().expect("an address");
    node.mint(token, node.account(0), u64::from(PAYOUTS));
    node.mine(1);
    let call = abi("transfer(address,uint256)", &[word(to), number(1)]);
    let since = Instant::now();
    for _ in 0..PAYOUTS {
        node.send(&Transaction::call(node.account(0), token, 0, call.clone()));
    }
    f64::from(PAYOUTS) / since.elapsed().as_secs_f64()
}

//! A server that was down while a real node got a hundred thousand blocks.

use serde_json::json;
use settlekit_tests::anvil::{Anvil, TOKEN};

use crate::place::{Place, wait_for};
use crate::real_chain::Town;

/// One unit of USDC.
const UNIT: u64 = 1_000_000;

/// The payments that are made while no server runs.
const PAYMENTS: u64 = 20;

/// The blocks for each of these payments, which is in the middle of them.
const BLOCKS_EACH: u64 = 5_000;

#[test]
fn a_server_that_was_down_for_100_000_blocks_reads_them_all_and_books_each_payment_once() {
    let node = Anvil::start_with(8453, &["--no-request-size-limit"]);
    let token = node.deploy(TOKEN);
    let town = Town::over(Place::live(), node, token);
    // The node has no states of the blocks that it copies, so that it cannot trace them.
    let url = town.node.url();
    town.connect_with(&["--rpc", &url, "--confirmations", "3", "--no-traces"]);
    let mut server = town.serve();
    town.open_till(&server);
    let payment = town.pay(&server, UNIT);
    town.mine_until(&server, &payment, "Confirmed");
    town.until_compared();
    let payments = (0..PAYMENTS).map(|_| town.create_payment(&server, UNIT));
    let payments: Vec<_> = payments.collect();
    server.signal("TERM");
    assert!(server.child.wait().expect("an end").success());

    let before = town.node.height();
    let fast = Anvil::start_fast(8453);
    fast.copy_blocks(&town.node);
    for (_, to) in &payments {
        fast.mine(BLOCKS_EACH / 2);
        fast.mint(town.token, *to, UNIT);
        fast.mine(BLOCKS_EACH / 2);
    }
    town.node.copy_blocks(&fast);
    drop(fast);
    assert_eq!(town.node.height(), before + PAYMENTS * BLOCKS_EACH);
    // Each copied block is a second later than the one before.
    let seconds = json!([PAYMENTS * BLOCKS_EACH]);
    town.node.call("evm_increaseTime", seconds);

    let server = town.serve();
    for (payment, _) in &payments {
        wait_for("the next five thousand blocks are read", || {
            town.payment(&server, payment)["status"] == "Confirmed"
        });
    }
    let payment = town.pay(&server, UNIT);
    town.mine_until(&server, &payment, "Confirmed");
    assert_eq!(town.till(&server), format!("{} 0", PAYMENTS + 2));
    town.until_compared();
}

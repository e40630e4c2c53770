//! A live server killed at random while it watches, signs, broadcasts and settles on a real node.

use std::time::Duration;

use serde_json::json;

use crate::place::{Server, wait_for};
use crate::real_chain::{SUPPLIER, Town};

/// Default number of kills; set by `SETTLEKIT_CHAIN_KILLS`.
const KILLS: u32 = 50;

/// The units of each payout.
const UNITS: u64 = 1_000_000;

/// Blocks before and after a transfer that is made while no server runs. More than four are read by ranges.
const BATCH: u64 = 40;

#[test]
fn kills_at_any_time_neither_lose_nor_repeat_a_payment_or_a_payout() {
    let kills = std::env::var("SETTLEKIT_CHAIN_KILLS").ok();
    let kills = kills.map_or(KILLS, |kills| kills.parse().expect("a number"));
    let town = Town::new(crate::place::Place::live());
    town.connect();
    let (mut payments, mut payouts) = (Vec::new(), Vec::new());
    let mut server = town.serve();
    town.open_till(&server);
    for kill in 0..kills {
        // Answered, so neither may be lost.
        let (payment, address) = town.create_payment(&server, 2 * UNITS);
        payments.push(payment);
        let is_paid_while_down = kill % 5 == 0;
        if !is_paid_while_down {
            town.node.mint(town.token, address, 2 * UNITS);
        }
        if kill % 2 == 1 {
            let body = json!({
                "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
            });
            if let Some(payout) = town.try_signed(&server, "/payouts", &body) {
                payouts.push(payout);
            }
        }
        // From at once to a few polls, blocks and reports later. A server reads its first block after a second.
        for part in 0..4 {
            town.node.mine(1);
            let pause = u64::from((kill * 4 + part) * 137 % 700);
            std::thread::sleep(Duration::from_millis(pause));
        }
        server.signal("KILL");
        let _ended = server.child.wait();
        if is_paid_while_down {
            // The next server reads these in batches, and may be killed in the middle of one.
            town.node.mine(BATCH);
            town.node.mint(town.token, address, 2 * UNITS);
            town.node.mine(BATCH);
        }
        server = town.serve();
    }
    for id in payments.iter().chain(&payouts) {
        town.mine_until(&server, id, "Confirmed");
    }
    let supplier = SUPPLIER.parse().expect("an address");
    let paid = || {
        let height = town.node.height();
        town.node.token_balance(town.token, supplier, height)
    };
    let expected = payouts.len() as u64 * UNITS;
    assert_eq!(paid().to::<u64>(), expected, "every payout left once");
    wait_for("the books agree with the chain", || {
        town.node.mine(1);
        town.differences().is_empty()
    });
    drop::<Server>(server);
    assert_eq!(paid().to::<u64>(), expected);
    assert!(
        payouts.len() as u32 >= kills / 4,
        "{} payouts",
        payouts.len()
    );
}

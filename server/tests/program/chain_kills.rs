//! A live server killed at random while it watches, signs, broadcasts, sweeps and settles on a real node.

use std::time::Duration;

use alloy_primitives::{U256, keccak256};
use serde_json::json;
use settlekit_service::FACTORY;
use settlekit_tests::anvil::{Anvil, TOKEN};
use settlekit_tests::liar::{Fault, Liar, Lie};

use crate::cancel::nonce;
use crate::place::{Place, Server, now, wait_for};
use crate::real_chain::{SUPPLIER, Town};

/// Default number of kills; set by `SETTLEKIT_CHAIN_KILLS`.
const KILLS: u32 = 50;

/// The longest pause after a block, in milliseconds. Four of them are a few polls, blocks and reports.
const PAUSE_MAX: u64 = 1200;

/// Pauses from a seed, which `SETTLEKIT_SEED` sets. Tells it if the test fails.
struct Pauses {
    seed: u64,
    drawn: u64,
}

impl Pauses {
    fn new() -> Self {
        let seed = std::env::var("SETTLEKIT_SEED").ok();
        let seed = seed.map(|seed| seed.parse().expect("a number"));
        let seed = seed.unwrap_or_else(|| now().micros().unsigned_abs());
        Self { seed, drawn: 0 }
    }

    /// A number in `0..end`.
    fn below(&mut self, end: u64) -> u64 {
        self.drawn += 1;
        let text = format!("{} {}", self.seed, self.drawn);
        let [first, second, ..] = keccak256(text).0;
        u64::from(u16::from_be_bytes([first, second])) % end
    }

    /// The four pauses before a kill, each up to a drawn maximum.
    fn draw(&mut self) -> [Duration; 4] {
        let longest = self.below(PAUSE_MAX) + 1;
        [(); 4].map(|()| Duration::from_millis(self.below(longest)))
    }
}

impl Drop for Pauses {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("SETTLEKIT_SEED={} draws these pauses again", self.seed);
        }
    }
}

/// The units of each payout.
const UNITS: u64 = 1_000_000;

/// Blocks before and after a transfer that is made while no server runs. More than four are read by ranges.
const BATCH: u64 = 40;

#[test]
fn kills_at_any_time_neither_lose_nor_repeat_a_payment_or_a_payout() {
    let kills = std::env::var("SETTLEKIT_CHAIN_KILLS").ok();
    let kills = kills.map_or(KILLS, |kills| kills.parse().expect("a number"));
    let mut pauses = Pauses::new();
    // A server that is killed early reads nothing: hundreds of blocks wait, and their traces need their states.
    let node = Anvil::start_keeping(4096, 8453, &[]);
    let token = node.deploy(TOKEN);
    let town = Town::over(Place::live(), node, token);
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
        for pause in pauses.draw() {
            town.node.mine(1);
            std::thread::sleep(pause);
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

/// A payout is under way when the server is killed at a call of the node.
fn kill_at(
    town: &Town,
    liar: &Liar,
    server: Server,
    (method, fault): (&'static str, Fault),
) -> Server {
    let mut server = server;
    drop(liar.take_methods());
    liar.fail(move |called, _| (called == method).then_some(fault));
    let body = json!({
        "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
    });
    let payout = town.signed(&server, "/payouts", &body);
    town.node.mine(1);
    wait_for(method, || {
        liar.take_methods().iter().any(|called| called == method)
    });
    server.signal("KILL");
    let _ended = server.child.wait();
    liar.tell(Lie::None);
    let server = town.serve();
    town.mine_until(&server, &payout, "Confirmed");
    server
}

/// A server that reads its node through a proxy, with an account.
fn start() -> (Town, Liar, Server) {
    let town = Town::new(Place::live());
    let liar = Liar::start(town.node.address());
    town.connect_with(&["--rpc", &liar.url(), "--confirmations", "3"]);
    let server = town.serve();
    town.open_till(&server);
    (town, liar, server)
}

#[test]
fn a_kill_at_each_call_of_the_node_neither_loses_nor_repeats_a_payout() {
    let (town, liar, mut server) = start();
    let payment = town.pay(&server, 20 * UNITS);
    town.mine_until(&server, &payment, "Confirmed");
    let mut payouts = 0;
    for method in ["eth_estimateGas", "eth_sendRawTransaction", "eth_getLogs"] {
        // The node has never received the call, or has executed it.
        for fault in [Fault::Hang, Fault::Hold] {
            server = kill_at(&town, &liar, server, (method, fault));
            payouts += 1;
        }
    }
    town.until_compared();
    let supplier = SUPPLIER.parse().expect("an address");
    let height = town.node.height();
    let paid = town.node.token_balance(town.token, supplier, height);
    assert_eq!(paid, U256::from(payouts * UNITS), "every payout left once");
    drop(server);
}

/// How far a sweep has come when the server is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SweepStep {
    /// The node has not received the transaction.
    Signed,
    /// The node has it, and did not answer.
    Broadcast,
    /// It is in a block, without the confirmations.
    Mined,
}

/// Starts a sweep and kills the server at a step.
fn kill_in_sweep(town: &Town, liar: &Liar, mut server: Server, step: SweepStep) {
    const METHOD: &str = "eth_sendRawTransaction";
    let fault = match step {
        SweepStep::Signed => Some(Fault::Hang),
        SweepStep::Broadcast => Some(Fault::Hold),
        SweepStep::Mined => None,
    };
    if let Some(fault) = fault {
        liar.fail(move |called, _| (called == METHOD).then_some(fault));
    }
    drop(liar.take_methods());
    let before = nonce(town, "latest");
    town.place.json(&["wallet", "sweep", "--json"]);
    wait_for("the sweep is sent", || {
        liar.take_methods().iter().any(|called| called == METHOD)
    });
    if step == SweepStep::Signed {
        let pending = nonce(town, "pending");
        assert_eq!(pending, before, "the node has not received it");
    } else {
        wait_for("the sweep is in the mempool", || {
            nonce(town, "pending") == before + 1
        });
    }
    if step == SweepStep::Mined {
        town.node.mine(1);
    }
    server.signal("KILL");
    let _ended = server.child.wait();
    liar.tell(Lie::None);
}

#[test]
fn a_kill_at_each_step_of_a_sweep_neither_loses_nor_repeats_it() {
    let (town, liar, mut server) = start();
    wait_for("the factory is deployed", || {
        town.node.mine(1);
        !town.node.code(FACTORY).is_empty()
    });
    town.until_compared();
    let mut sent = nonce(&town, "latest");
    let mut swept = 0;
    for step in [SweepStep::Signed, SweepStep::Broadcast, SweepStep::Mined] {
        // Two proxies, which one transaction sweeps.
        let payments = [5, 2].map(|amount| town.pay(&server, amount * UNITS));
        for payment in &payments {
            town.mine_until(&server, payment, "Confirmed");
        }
        town.until_compared();
        let pending = nonce(&town, "pending");
        assert_eq!(pending, sent, "{step:?}: nothing else left");
        kill_in_sweep(&town, &liar, server, step);
        server = town.serve();
        swept += 7 * UNITS;
        sent += 1;
        wait_for("the proxies are swept", || {
            town.node.mine(1);
            town.received(town.wallet) == U256::from(swept)
        });
        town.until_compared();
        assert_eq!(nonce(&town, "pending"), sent, "{step:?}: once");
    }
    let body = json!({
        "account": "till", "amount": "21", "currency": "USDC", "chain_id": 8453, "address": SUPPLIER,
    });
    let payout = town.signed(&server, "/payouts", &body);
    town.mine_until(&server, &payout, "Confirmed");
    assert_eq!(town.supplied(), U256::from(swept));
    assert_eq!(town.till(&server), "0 0");
    town.until_compared();
    let pending = nonce(&town, "pending");
    assert_eq!(pending, sent + 1, "three sweeps and the payout");
}

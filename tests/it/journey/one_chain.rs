//! One chain, end to end: connected, a payment in a block, a reorganisation, a payout that is signed, broadcast and settled.
//!
//! Every call goes through the function frame, so the story gives the same bytes on every database. PostgreSQL may skip ids of
//! movements that a transaction reserved, from the third movement on: the story has two.

use alloy_primitives::{Address, keccak256};
use serde_json::json;
use settlekit_service::step::{
    Command, Reply, WireAsset, WireBalance, WireBlock, WireBlockId, WireBroadcast, WireConnection,
    WireEstimate, WireMined, WireNodeRequest, WireObserved, WirePendingTransfer, WireTransfer,
};
use settlekit_service::{Mode, TransferIndex};
use settlekit_tests::chain::WORDS;
use settlekit_tests::world::{OTHER_WALLET, Shop, World, currency, text};

use super::check_recording;

const TOKEN: Address = Address::repeat_byte(0xc0);
const PAYER: Address = Address::repeat_byte(0xaa);
const CONFIRMATIONS: u64 = 3;

/// The chain as the host reads it.
struct Chain {
    blocks: Vec<WireBlockId>,
    forks: u64,
    transfers: Vec<WireTransfer>,
    sent: Vec<WireMined>,
    wallet: String,
}

impl Chain {
    fn head(&self) -> WireBlockId {
        self.blocks.last().expect("a first block").clone()
    }

    /// Puts a transfer of the token into the next block.
    fn transfer(&mut self, hash: &str, from: &str, to: &str, units: u64) {
        self.transfers.push(WireTransfer {
            hash: hash.to_owned(),
            index: TransferIndex::Log(0),
            token: Some(TOKEN.to_string()),
            from: from.to_owned(),
            to: to.to_owned(),
            units: units.to_string(),
        });
    }

    /// Records the next blocks; the first has what was put into it.
    fn mine(&mut self, world: &mut World, count: u64) {
        for _ in 0..count {
            let parent = self.head();
            let number = parent.number + 1;
            let hash = keccak256(format!("{number} of fork {}", self.forks)).to_string();
            self.blocks.push(WireBlockId {
                number,
                hash: hash.clone(),
            });
            let block = WireBlock {
                chain: base(),
                number,
                hash,
                parent: parent.hash,
                mined_at: world.now,
                base_fee: "1000000000".to_owned(),
                transfers: std::mem::take(&mut self.transfers),
                tokens: vec![TOKEN.to_string()],
                sent: std::mem::take(&mut self.sent),
                untraced: Vec::new(),
                finalized: None,
            };
            let recorded = world.call(Command::ObserveBlock { block });
            assert_eq!(recorded, done());
        }
    }
}

fn done() -> Reply {
    Reply::Observed {
        outcome: WireObserved::Recorded,
        failures: Vec::new(),
    }
}

fn base() -> settlekit_core::value::ChainId {
    "8453".parse().expect("a chain")
}

/// A live service that is connected to a chain at height 100.
fn connect(world: &mut World) -> Chain {
    let words = WORDS.to_owned();
    let Reply::Wallet(wallet) = world.call(Command::ImportWallet { words }) else {
        panic!("no hot wallet");
    };
    let asset = |symbol, scale, token: Option<Address>| WireAsset {
        symbol: currency(symbol),
        scale,
        token: token.map(|token| token.to_string()),
    };
    let head = WireBlockId {
        number: 100,
        hash: keccak256("the first block").to_string(),
    };
    let connection = WireConnection {
        chain: base(),
        name: "Base".to_owned(),
        native: currency("ETH"),
        confirmations: u32::try_from(CONFIRMATIONS).expect("few"),
        finality: false,
        block_seconds: 2,
        providers: vec!["http://127.0.0.1:1".to_owned()],
        traces: true,
        mempool: true,
        has_factory: true,
        head: head.clone(),
        base_fee: "1000000000".to_owned(),
        priority_fee: "1000000".to_owned(),
        assets: vec![asset("ETH", 18, None), asset("USDC", 6, Some(TOKEN))],
        opening: vec![WireBalance {
            wallet: wallet.clone(),
            currency: currency("ETH"),
            units: "1000000000000000000".to_owned(),
        }],
        is_test: false,
    };
    let connected = world.call(Command::ConnectChain { connection });
    assert_eq!(connected, Reply::Done);
    Chain {
        blocks: vec![head],
        forks: 0,
        transfers: Vec::new(),
        sent: Vec::new(),
        wallet,
    }
}

fn requests(world: &mut World) -> Vec<WireNodeRequest> {
    match world.call(Command::NodeRequests { chain: base() }) {
        Reply::NodeRequests { requests, failures } => {
            assert_eq!(failures, Vec::<String>::new());
            requests
        }
        other => panic!("no requests: {other:?}"),
    }
}

/// Estimates, signs and broadcasts the only queued transaction, and settles it in a block.
fn send(world: &mut World, chain: &mut Chain, nonce: u64, (to, units): (&str, u64)) {
    world.work();
    let found = requests(world);
    let [WireNodeRequest::Estimate { id, .. }] = found.as_slice() else {
        panic!("not one estimate: {found:?}");
    };
    let estimate = WireEstimate::Succeeds {
        gas: 50_000,
        priority_fee: "2000000".to_owned(),
    };
    let reported = world.call(Command::ReportEstimate { id: *id, estimate });
    assert_eq!(reported, Reply::Reported(Vec::new()));
    let found = requests(world);
    let [WireNodeRequest::Broadcast { id, hash, .. }] = found.as_slice() else {
        panic!("not one broadcast: {found:?}");
    };
    let reported = world.call(Command::ReportBroadcast {
        id: *id,
        hash: hash.clone(),
        answer: WireBroadcast::Accepted,
    });
    assert_eq!(reported, Reply::Reported(Vec::new()));
    let wallet = chain.wallet.clone();
    chain.transfer(hash, &wallet, to, units);
    chain.sent.push(WireMined {
        hash: hash.clone(),
        from: wallet,
        nonce,
        succeeded: true,
        fee: "21000000000000".to_owned(),
    });
    chain.mine(world, CONFIRMATIONS);
}

fn status(world: &mut World, shop: &Shop, id: &str) -> String {
    let payment = world.read(shop, &format!("/v1/payments/{id}"));
    text(&payment, "status")
}

fn tell_story(world: &mut World) {
    let mut chain = connect(world);
    let shop = world.shop("Blue Bottle Books", None);
    world.account(&shop, "till", 8453, &["USDC", "ETH"]);
    let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
    let payment = world.post(&shop, "/v1/payments", body);
    let (id, address) = (payment.id(), text(payment.data(), "deposit_address"));

    // The mempool shows it first.
    let paid = keccak256("the payment").to_string();
    let transfers = vec![WirePendingTransfer {
        hash: paid.clone(),
        token: Some(TOKEN.to_string()),
        from: PAYER.to_string(),
        to: address.clone(),
        units: "10000000".to_owned(),
    }];
    let chain_id = base();
    let seen = world.call(Command::ObservePending {
        chain: chain_id,
        transfers,
    });
    assert_eq!(seen, Reply::Done);
    assert_eq!(status(world, &shop, &id), "Processing");

    // A block with the payment, which a reorganisation takes away, and another block brings again.
    chain.transfer(&paid, &PAYER.to_string(), &address, 10_000_000);
    chain.mine(world, 1);
    let shown = world.read(&shop, &format!("/v1/payments/{id}"));
    assert_eq!(shown["paid_amount"], "10", "{shown}");
    chain.blocks.pop();
    chain.forks += 1;
    let to = chain.head();
    let rewound = world.call(Command::Rewind { chain: base(), to });
    assert_eq!(rewound, done());
    chain.mine(world, 1);
    chain.transfer(&paid, &PAYER.to_string(), &address, 10_000_000);
    // A sweep of somebody else, which anybody can send.
    let (swept, wallet) = (keccak256("the sweep").to_string(), chain.wallet.clone());
    chain.transfer(&swept, &address, &wallet, 10_000_000);
    chain.mine(world, CONFIRMATIONS);
    assert_eq!(status(world, &shop, &id), "Confirmed");

    let body = json!({
        "account": "till", "amount": "4", "currency": "USDC", "chain_id": 8453, "address": OTHER_WALLET,
    });
    let payout = world.create(&shop, "/v1/payouts", body).id();
    send(world, &mut chain, 0, (OTHER_WALLET, 4_000_000));
    assert_eq!(status(world, &shop, &payout), "Confirmed");

    world.read(&shop, "/v1/accounts/till/movement?sort=asc");
    world.read(&shop, "/v1/accounts/till/balances");
    world.read(&shop, "/v1/events?limit=100&sort=asc");
    assert_eq!(world.differences(), Vec::<String>::new());
}

#[test]
fn one_chain_is_byte_identical_on_every_database() {
    check_recording("one_chain.jsonl", Mode::Live, tell_story);
}

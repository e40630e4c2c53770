//! The work of a block by the number of watched addresses.

use std::fs::{self, File};
use std::time::Instant;

use alloy_primitives::{Address, U256};
use serde_json::json;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::text;

use crate::{median, row};

const FEW: u32 = 100;
const MANY: u32 = 100_000;

/// Senders and receivers of a block.
const ADDRESSES: u64 = 400;

/// Payments that a block pays.
const PAID: usize = 4;

const BLOCKS: usize = 20;

pub(crate) fn run() {
    let (few, many) = (milliseconds(FEW), milliseconds(MANY));
    row(
        &format!(
            "a block of {ADDRESSES} addresses, {PAID} of them of {MANY} watched ones, at most 5 ms"
        ),
        &format!("{many:.2} ms"),
        &format!("of {FEW} watched ones, {few:.2} ms"),
        many / few,
    );
}

/// The median time in which a block is matched with the watched addresses and recorded in a file.
fn milliseconds(watched: u32) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Sqlite::open(&folder.path().join("bench.db")).expect("a file");
    let mut connected = Connected::live(Box::new(database));
    let shop = connected.world.shop("Shop", None);
    connected.world.account(&shop, "till", 8453, &["USDC"]);
    let mut unpaid = Vec::new();
    for number in 0..watched {
        let body =
            json!({ "amount": "1", "currency": "USDC", "chain_id": 8453, "account": "till" });
        let payment = connected.world.post(&shop, "/v1/payments", body);
        // The tests' recording of all calls.
        connected.world.recording.clear();
        if number % (watched / FEW) == 0 {
            let address = text(payment.data(), "deposit_address");
            unpaid.push(address.parse::<Address>().expect("an address"));
        }
    }
    // Otherwise the disk still writes the payments while the block is measured.
    for file in fs::read_dir(folder.path()).expect("the folder") {
        let path = file.expect("an entry").path();
        File::open(path)
            .and_then(|file| file.sync_all())
            .expect("a file");
    }
    let rounds = unpaid.chunks_exact(PAID).take(BLOCKS);
    median(rounds.map(|paid| measure(&mut connected, paid)).collect())
}

fn measure(connected: &mut Connected, paid: &[Address]) -> f64 {
    let strangers = (0..ADDRESSES - PAID as u64).map(|number| {
        let height = connected.chain.head().number;
        Address::from_word(U256::from(height * ADDRESSES + number).into())
    });
    let addresses: Vec<Address> = strangers.chain(paid.iter().copied()).collect();
    for to in paid {
        connected.chain.transfer(Some(USDC), *to, 1_000_000);
    }
    let block = connected.chain.block();
    let since = Instant::now();
    let (service, database) = connected.world.parts();
    let found = service.watched_among(database, block.chain, &addresses);
    assert_eq!(found.expect("addresses").len(), PAID);
    connected.observe(&block);
    since.elapsed().as_secs_f64() * 1e3
}

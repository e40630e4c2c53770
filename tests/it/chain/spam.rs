//! Dust: thousands of tiny transfers that anybody can make.

use std::time::{Duration, Instant};

use alloy_primitives::Address;
use settlekit_service::block::Observed;
use settlekit_tests::chain::{Connected, USDC};

use super::deposits::{posted, till};

const BLOCKS: u64 = 20;

/// Half of them to a known address.
const TRANSFERS_EACH: u64 = 500;

/// Far above what a block takes, for a busy machine and a build without optimisation.
const BLOCK_MAX: Duration = Duration::from_secs(10);

#[test]
fn ten_thousand_dust_transfers_are_booked_and_hold_up_no_block() {
    Connected::each(|kind, mut connected| {
        let (shop, address) = till(&mut connected);
        let mut slowest = Duration::ZERO;
        for _ in 0..BLOCKS {
            for number in 0..TRANSFERS_EACH / 2 {
                connected.chain.transfer(Some(USDC), address, 1);
                let unknown = Address::from_word(alloy_primitives::U256::from(number + 1).into());
                connected.chain.transfer(Some(USDC), unknown, 1);
            }
            let block = connected.chain.block();
            let since = Instant::now();
            assert_eq!(connected.observe(&block), Observed::Recorded, "{kind}");
            slowest = slowest.max(since.elapsed());
        }
        println!("the slowest of {BLOCKS} blocks took {slowest:?}");
        assert!(slowest < BLOCK_MAX, "{kind}: {slowest:?}");
        connected.blocks(2);
        // What an empty block costs does not depend on what came before.
        let since = Instant::now();
        connected.blocks(10);
        let empty = since.elapsed() / 10;
        assert!(empty < Duration::from_millis(500), "{kind}: {empty:?}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "0.005", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

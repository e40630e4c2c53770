//! A chain that is settled when the nodes call a block final.

use alloy_primitives::B256;
use settlekit_service::block::{BlockId, Transfer};
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::Shop;

use super::deposits::{movements, payment, posted, show, till};

/// A shop on a chain that is settled by finality, with a payment of 5 USDC in the next block but two.
fn paid(connected: &mut Connected) -> (Shop, String, Transfer) {
    connected.finality = true;
    connected.connect();
    let (shop, _) = till(connected);
    let (payment, address) = payment(connected, &shop);
    connected.blocks(2);
    let transfer = connected.chain.transfer(Some(USDC), address, 5_000_000);
    (shop, payment, transfer)
}

fn status(connected: &mut Connected, shop: &Shop, payment: &str) -> String {
    let shown = show(connected, shop, payment);
    shown["status"].as_str().expect("a status").to_owned()
}

fn settled(connected: &mut Connected) -> Option<u64> {
    connected.expected()[0].block
}

#[test]
fn a_payment_confirms_when_its_block_is_final_however_many_blocks_follow() {
    Connected::each(|kind, mut connected| {
        let (shop, payment, _) = paid(&mut connected);
        connected.blocks(20);
        let shown = show(&mut connected, &shop, &payment);
        assert_eq!(shown["status"], "Processing", "{kind}");
        // One confirmation of three is missing until the block is final.
        assert_eq!(
            shown["crypto_transactions"][0]["confirmations"], 2,
            "{kind}"
        );
        assert_eq!(posted(&mut connected, &shop, "USDC"), "0", "{kind}");
        // The block before it.
        connected.chain.finalized = Some(connected.chain.below(20));
        connected.blocks(1);
        assert_eq!(
            status(&mut connected, &shop, &payment),
            "Processing",
            "{kind}"
        );
        assert_eq!(settled(&mut connected), Some(102), "{kind}");
        connected.chain.finalized = Some(connected.chain.below(20));
        connected.blocks(1);
        assert_eq!(
            status(&mut connected, &shop, &payment),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(posted(&mut connected, &shop, "USDC"), "5", "{kind}");
        assert_eq!(settled(&mut connected), Some(103), "{kind}");
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_final_block_that_is_not_the_recorded_one_settles_nothing() {
    Connected::each(|kind, mut connected| {
        let (shop, payment, _) = paid(&mut connected);
        connected.blocks(5);
        for number in [103, 108] {
            let other = BlockId {
                number,
                hash: B256::repeat_byte(7),
            };
            connected.chain.finalized = Some(other);
            connected.blocks(1);
            assert_eq!(
                status(&mut connected, &shop, &payment),
                "Processing",
                "{kind}"
            );
            let alarms = std::mem::take(&mut connected.failures);
            assert!(
                alarms.len() == 1 && alarms[0].contains("another one is recorded"),
                "{kind}: {alarms:?}"
            );
        }
        // Ahead of what is recorded, as while catching up: what is recorded is final.
        connected.chain.finalized = Some(BlockId {
            number: 1000,
            hash: B256::repeat_byte(7),
        });
        connected.blocks(1);
        assert_eq!(
            status(&mut connected, &shop, &payment),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(settled(&mut connected), Some(110), "{kind}");
    });
}

#[test]
fn a_final_block_never_goes_back() {
    Connected::each(|kind, mut connected| {
        let (shop, payment, _) = paid(&mut connected);
        connected.blocks(5);
        connected.chain.finalized = Some(connected.chain.below(1));
        connected.blocks(1);
        assert_eq!(
            status(&mut connected, &shop, &payment),
            "Confirmed",
            "{kind}"
        );
        let before = settled(&mut connected);
        // A lagging node, and none at all.
        for finalized in [Some(connected.chain.below(5)), None] {
            connected.chain.finalized = finalized;
            connected.blocks(1);
            assert_eq!(settled(&mut connected), before, "{kind}");
        }
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_reorganisation_above_the_final_block_takes_back_and_one_below_is_an_alarm() {
    Connected::each(|kind, mut connected| {
        let (shop, payment, transfer) = paid(&mut connected);
        connected.blocks(1);
        connected.reorganise(1);
        connected.blocks(2);
        assert_eq!(
            status(&mut connected, &shop, &payment),
            "Processing",
            "{kind}"
        );
        connected.chain.include(transfer);
        connected.blocks(1);
        connected.chain.finalized = Some(connected.chain.head());
        connected.blocks(2);
        assert_eq!(
            status(&mut connected, &shop, &payment),
            "Confirmed",
            "{kind}"
        );
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
        let before = settled(&mut connected).expect("a block");
        // The nodes went back on their word.
        connected.reorganise(4);
        assert_eq!(
            connected.failures.len(),
            1,
            "{kind}: {:?}",
            connected.failures
        );
        let to = connected.chain.head().number;
        assert!(to < before, "{kind}");
        assert_eq!(settled(&mut connected), Some(to), "{kind}");
        // New blocks are not final because those that they replace were.
        connected.chain.finalized = Some(connected.chain.head());
        connected.blocks(6);
        assert_eq!(settled(&mut connected), Some(to), "{kind}");
        assert_eq!(movements(&mut connected, &shop).len(), 1, "{kind}");
    });
}

#[test]
fn a_chain_changes_between_depth_and_finality_and_nothing_is_settled_twice_or_taken_back() {
    Connected::each(|kind, mut connected| {
        let (shop, address) = till(&mut connected);
        connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(4);
        assert_eq!(settled(&mut connected), Some(102), "{kind}");
        connected.finality = true;
        connected.connect();
        connected.chain.transfer(Some(USDC), address, 1_000_000);
        connected.blocks(10);
        assert_eq!(settled(&mut connected), Some(102), "{kind}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "5", "{kind}");
        connected.finality = false;
        connected.connect();
        connected.blocks(1);
        assert_eq!(posted(&mut connected, &shop, "USDC"), "6", "{kind}");
        assert_eq!(settled(&mut connected), Some(113), "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

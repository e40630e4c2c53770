//! Payments that a node shows in its mempool: pending, and nothing else until a block has them.

use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_service::TransferIndex;
use settlekit_service::block::{PendingTransfer, Transfer};
use settlekit_tests::chain::{Connected, PAYER, USDC};

use super::deposits::{movements, payment, posted, show, till};
use super::sending::{funded, sent};

fn pending(connected: &mut Connected, to: Address, units: u64) -> PendingTransfer {
    PendingTransfer {
        hash: connected.chain.hash(),
        token: Some(USDC),
        from: PAYER,
        to,
        units: U256::from(units),
    }
}

/// The transfer in a block, at a position.
fn mined(pending: &PendingTransfer, index: TransferIndex) -> Transfer {
    Transfer {
        hash: pending.hash,
        index,
        token: pending.token,
        from: pending.from,
        to: pending.to,
        units: pending.units,
    }
}

#[test]
fn a_payment_in_the_mempool_is_pending_and_then_one_record_in_its_block() {
    // A token may log something else before.
    for index in [TransferIndex::Log(0), TransferIndex::Log(2)] {
        Connected::each(|kind, mut connected| {
            let (shop, _) = till(&mut connected);
            let (payment, address) = payment(&mut connected, &shop);
            let shown = pending(&mut connected, address, 5_000_000);
            for _ in 0..3 {
                connected.show_pending(std::slice::from_ref(&shown));
            }
            let seen = show(&mut connected, &shop, &payment);
            assert_eq!(seen["status"], "Processing", "{kind}");
            assert_eq!(seen["next_action"], "Wait", "{kind}: {seen}");
            let transactions = &seen["crypto_transactions"];
            assert_eq!(transactions.as_array().map(Vec::len), Some(1), "{kind}");
            assert_eq!(transactions[0]["confirmations"], 0, "{kind}");
            let all = movements(&mut connected, &shop);
            assert_eq!(all, ["5 USDC Pending"], "{kind}");
            assert_eq!(posted(&mut connected, &shop, "USDC"), "0", "{kind}");
            connected.chain.include(mined(&shown, index));
            connected.blocks(1);
            // A node that lags shows it still.
            connected.show_pending(std::slice::from_ref(&shown));
            let all = movements(&mut connected, &shop);
            assert_eq!(all, ["5 USDC Processing"], "{kind}");
            connected.blocks(2);
            let all = movements(&mut connected, &shop);
            assert_eq!(all, ["5 USDC Confirmed"], "{kind}");
            let seen = show(&mut connected, &shop, &payment);
            assert_eq!(seen["status"], "Confirmed", "{kind}");
            assert_eq!(posted(&mut connected, &shop, "USDC"), "5", "{kind}");
            assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        });
    }
}

#[test]
fn a_payment_that_is_no_longer_shown_vanishes_without_a_booking() {
    Connected::each(|kind, mut connected| {
        let (shop, _) = till(&mut connected);
        let (payment, address) = payment(&mut connected, &shop);
        let shown = pending(&mut connected, address, 5_000_000);
        connected.show_pending(std::slice::from_ref(&shown));
        for _ in 0..4 {
            connected.world.pass(Duration::from_secs(8 * 60));
            connected.show_pending(std::slice::from_ref(&shown));
            connected.blocks(1);
        }
        assert_eq!(
            movements(&mut connected, &shop),
            ["5 USDC Pending"],
            "{kind}"
        );
        connected.world.pass(Duration::from_secs(601));
        connected.blocks(1);
        let failed = ["5 USDC Failed"];
        assert_eq!(movements(&mut connected, &shop), failed, "{kind}");
        let seen = show(&mut connected, &shop, &payment);
        assert_eq!(seen["paid_amount"], "0", "{kind}");
        // Shown again, it stays away until a block has it.
        connected.show_pending(std::slice::from_ref(&shown));
        assert_eq!(movements(&mut connected, &shop), failed, "{kind}");
        connected
            .chain
            .include(mined(&shown, TransferIndex::Log(0)));
        connected.blocks(3);
        assert_eq!(posted(&mut connected, &shop, "USDC"), "5", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_payment_that_is_shown_for_ever_vanishes_after_an_hour() {
    Connected::each(|kind, mut connected| {
        let (shop, address) = till(&mut connected);
        let shown = pending(&mut connected, address, 5_000_000);
        for _ in 0..15 {
            connected.show_pending(std::slice::from_ref(&shown));
            connected.blocks(1);
            connected.world.pass(Duration::from_secs(5 * 60));
        }
        connected.blocks(1);
        assert_eq!(
            movements(&mut connected, &shop),
            ["5 USDC Failed"],
            "{kind}"
        );
    });
}

#[test]
fn a_liars_mempool_causes_nothing_but_pendings_that_vanish() {
    Connected::each(|kind, mut connected| {
        let (shop, address) = till(&mut connected);
        let real = connected.chain.transfer(Some(USDC), address, 2_000_000);
        connected.blocks(1);
        let mut lies = Vec::new();
        // Another amount for a known transaction, absurd and empty amounts, an unknown token, many.
        let mut lie = pending(&mut connected, address, 9_000_000);
        lie.hash = real.hash;
        lies.push(lie);
        for units in [U256::MAX, U256::ZERO] {
            let mut lie = pending(&mut connected, address, 0);
            lie.units = units;
            lies.push(lie);
        }
        let mut lie = pending(&mut connected, address, 1);
        lie.token = Some(Address::repeat_byte(0xbd));
        lies.push(lie);
        let (kept, other) = (pending(&mut connected, address, 1_000_000), 3_000_000);
        lies.push(kept.clone());
        connected.show_pending(&lies);
        // The block has another amount for it.
        let mut honest = mined(&kept, TransferIndex::Log(0));
        honest.units = U256::from(other);
        connected.chain.include(honest);
        connected.blocks(3);
        for _ in 0..8 {
            let flood: Vec<PendingTransfer> = (0..300)
                .map(|_| pending(&mut connected, address, 1_000_000))
                .collect();
            connected.show_pending(&flood);
        }
        let (service, database) = connected.world.parts();
        let count =
            "SELECT COUNT(*) FROM chain_transactions WHERE block IS NULL AND status = 'Pending'";
        let rows = database.query(count, &[]).expect("a count");
        assert_eq!(rows[0].int(0), Ok(1_000), "{kind}");
        let _ = service;
        connected.world.pass(Duration::from_secs(601));
        connected.blocks(3);
        assert_eq!(posted(&mut connected, &shop, "USDC"), "5", "{kind}");
        let all = movements(&mut connected, &shop);
        assert!(all.iter().all(|one| !one.ends_with("Pending")), "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn what_the_service_itself_sends_is_not_taken_from_the_mempool() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        connected.pay_out(&shop, "4");
        sent(&mut connected);
        let (_, to) = payment(&mut connected, &shop);
        let mut shown = pending(&mut connected, to, 4_000_000);
        shown.from = connected.wallet;
        connected.show_pending(&[shown]);
        let all = movements(&mut connected, &shop);
        assert!(all.iter().all(|one| one != "4 USDC Pending"), "{kind}");
    });
}

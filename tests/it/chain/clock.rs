//! A clock that jumps a year ahead and back.

use std::time::Duration;

use settlekit_core::value::Timestamp;
use settlekit_tests::chain::{Connected, USDC};

use super::deposits::{movements, payment, posted, show, till};

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Runs due work at a time.
fn at(connected: &mut Connected, now: Timestamp) {
    connected.world.now = now;
    connected.world.work();
}

#[test]
fn a_deposit_is_booked_once_whenever_the_clock_jumps() {
    Connected::each(|kind, mut connected| {
        let (shop, address) = till(&mut connected);
        let now = connected.world.now;
        for (blocks, unit) in [(1, 1_000_000), (2, 2_000_000), (4, 3_000_000)] {
            connected.chain.transfer(Some(USDC), address, unit);
            connected.blocks(blocks);
            at(&mut connected, now.plus(YEAR));
            connected.blocks(1);
            at(&mut connected, now);
            connected.blocks(1);
        }
        connected.blocks(3);
        let expected = ["1 USDC Confirmed", "2 USDC Confirmed", "3 USDC Confirmed"];
        assert_eq!(movements(&mut connected, &shop), expected, "{kind}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "6", "{kind}");
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_payment_that_expired_by_a_jump_is_paid_late_and_its_money_is_there() {
    Connected::each(|kind, mut connected| {
        let (shop, _) = till(&mut connected);
        let (payment, address) = payment(&mut connected, &shop);
        let now = connected.world.now;
        at(&mut connected, now.plus(YEAR));
        at(&mut connected, now);
        connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(4);
        let shown = show(&mut connected, &shop, &payment);
        assert_eq!(shown["paid_amount"], "5", "{kind}: {shown}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "5", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

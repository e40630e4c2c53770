//! Payments on a connected chain that get too little or too much.

use std::time::Duration;

use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::{Shop, text};

use super::deposits::{payment, posted, show, till};

/// Status, reason, what was paid, and the payer's next step.
fn state(connected: &mut Connected, shop: &Shop, payment: &str) -> String {
    let shown = show(connected, shop, payment);
    let word = |name: &str| shown[name].as_str().unwrap_or("-").to_owned();
    format!(
        "{} {} {} {}",
        text(&shown, "status"),
        word("reason"),
        text(&shown, "paid_amount"),
        word("next_action")
    )
}

#[test]
fn a_payment_that_got_too_little_fails_with_its_time_and_is_paid_late_by_the_rest() {
    Connected::each(|kind, mut connected| {
        let (shop, _) = till(&mut connected);
        let (payment, address) = payment(&mut connected, &shop);
        connected.chain.transfer(Some(USDC), address, 3_000_000);
        connected.blocks(3);
        let shown = state(&mut connected, &shop, &payment);
        assert_eq!(shown, "Processing - 3 SendFunds", "{kind}");
        connected.world.pass_and_work(Duration::from_secs(31 * 60));
        let shown = state(&mut connected, &shop, &payment);
        assert_eq!(shown, "Failed Underpaid 3 None", "{kind}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "3", "{kind}");
        connected.chain.transfer(Some(USDC), address, 2_000_000);
        connected.blocks(2);
        let shown = state(&mut connected, &shop, &payment);
        assert!(shown.starts_with("Failed "), "{kind}: {shown}");
        connected.blocks(1);
        let shown = state(&mut connected, &shop, &payment);
        assert_eq!(shown, "Confirmed PaidLate 5 None", "{kind}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "5", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_payment_is_overpaid_once_the_block_of_the_excess_is_settled() {
    Connected::each(|kind, mut connected| {
        let (shop, _) = till(&mut connected);
        let (payment, address) = payment(&mut connected, &shop);
        connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(1);
        let more = connected.chain.transfer(Some(USDC), address, 2_000_000);
        connected.blocks(2);
        let shown = state(&mut connected, &shop, &payment);
        assert_eq!(shown, "Confirmed - 7 None", "{kind}");
        // The block of the excess is lost, and another one has it.
        connected.reorganise(2);
        connected.blocks(2);
        let shown = state(&mut connected, &shop, &payment);
        assert!(shown.starts_with("Confirmed - "), "{kind}: {shown}");
        connected.chain.include(more);
        connected.blocks(3);
        let shown = state(&mut connected, &shop, &payment);
        assert_eq!(shown, "Confirmed Overpaid 7 None", "{kind}");
        assert_eq!(posted(&mut connected, &shop, "USDC"), "7", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

//! Limits on payouts beside a test network, whose money has the same symbols.

use serde_json::Value;
use settlekit_service::operator::LimitScope;
use settlekit_tests::chain::Connected;
use settlekit_tests::world::Shop;

use super::approve_payout::{decide, set_limit};
use crate::chain::sending::funded;

/// Connects the chain again: its money has value, or it has none.
fn connect(connected: &mut Connected, is_test: bool) {
    connected.is_test = is_test;
    connected.clears_test_network = !is_test;
    connected.connect();
}

/// Why a new payout waits, and its id.
fn pay_out(connected: &mut Connected, shop: &Shop, amount: &str) -> (Value, String) {
    let id = connected.pay_out(shop, amount);
    let payout = (connected.world).read(shop, &format!("/v1/payments/{id}"));
    (payout["reason"].clone(), id)
}

fn paid_out(connected: &mut Connected) -> Vec<String> {
    let now = connected.world.now;
    let (service, database) = connected.world.parts();
    let limits = service.payout_limits(database, now).expect("limits");
    let paid_out = limits.iter().map(|limit| limit.paid_out.to_string());
    paid_out.collect()
}

#[test]
fn payouts_on_a_test_network_neither_wait_nor_use_up_the_day() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let limits = (Some("3"), Some("3"));
        set_limit(&mut connected.world, LimitScope::Installation, limits);
        connect(&mut connected, true);
        let (reason, _) = pay_out(&mut connected, &shop, "4");
        assert_eq!(reason, Value::Null, "{kind}");
        assert_eq!(paid_out(&mut connected), ["0"], "{kind}");
        connect(&mut connected, false);
        let (reason, _) = pay_out(&mut connected, &shop, "3");
        assert_eq!(reason, Value::Null, "{kind}: the day is not used up");
        assert_eq!(paid_out(&mut connected), ["3"], "{kind}");
        let (reason, waiting) = pay_out(&mut connected, &shop, "1");
        assert_eq!(reason, "ApprovalRequired", "{kind}");
        // Nor does one that was created before and is approved now.
        connect(&mut connected, true);
        let ben = connected.world.sign_in(&shop, "ben@shop.example");
        let approved = decide(&mut connected.world, &ben, &waiting, "approve");
        assert_eq!(approved.status, 200, "{kind}: {}", approved.body);
        assert_eq!(paid_out(&mut connected), ["3"], "{kind}");
    });
}

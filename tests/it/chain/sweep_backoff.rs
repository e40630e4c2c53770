//! Sweeps that leave the money where it is, because its token refuses: tried again, less and less often.

use std::time::Duration;

use alloy_primitives::{Address, B256};
use settlekit_service::FACTORY;
use settlekit_service::outgoing::{Broadcast, NodeRequest};
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::{Shop, text};

use super::sending::{GAS, balance, funded};

const HOUR: u64 = 60 * 60;

/// A shop with 5 USDC at its proxy wallet, and the proxy wallet.
fn unswept(connected: &mut Connected) -> (Shop, Address) {
    let shop = funded(connected);
    let till = connected.world.read(&shop, "/v1/accounts/till");
    let proxy = text(&till, "address").parse().expect("an address");
    connected.chain.transfer(Some(USDC), proxy, 5_000_000);
    connected.blocks(3);
    (shop, proxy)
}

/// The sweep that is due, signed and taken by a node; `None` if none is.
fn sweep(connected: &mut Connected) -> Option<B256> {
    let requests = connected.requests();
    let id = match requests.as_slice() {
        [] => return None,
        [NodeRequest::Estimate { id, to, .. }] if *to == FACTORY => *id,
        other => panic!("not a sweep: {other:?}"),
    };
    connected.estimate(id, &GAS);
    let requests = connected.requests();
    let [NodeRequest::Broadcast { id, hash, .. }] = requests.as_slice() else {
        panic!("not one broadcast: {requests:?}");
    };
    connected.broadcast((*id, *hash), Broadcast::Accepted);
    Some(*hash)
}

/// Puts a sweep into the next block that moved an amount.
fn mine(connected: &mut Connected, (hash, nonce): (B256, u64), moved: Option<(Address, u64)>) {
    let to = connected.wallet;
    connected.mine((hash, to, nonce), true);
    if let Some((proxy, units)) = moved {
        connected.move_usdc(hash, (proxy, to), units);
    }
    connected.blocks(3);
}

#[test]
fn a_sweep_that_leaves_the_money_is_tried_again_after_twice_the_time_up_to_a_day() {
    Connected::each(|kind, mut connected| {
        let (shop, proxy) = unswept(&mut connected);
        assert_eq!(sweep(&mut connected), None, "{kind}");
        for (nonce, hours) in (0..).zip([1, 1, 2, 4, 8, 16, 24, 24]) {
            connected.world.pass(Duration::from_secs(hours * HOUR - 60));
            assert_eq!(sweep(&mut connected), None, "{kind}: {hours} h not over");
            connected.world.pass(Duration::from_secs(61));
            let hash = sweep(&mut connected);
            let hash = hash.unwrap_or_else(|| panic!("{kind}: no sweep after {hours} h"));
            mine(&mut connected, (hash, nonce), None);
            assert_eq!(balance(&mut connected, &shop), "15 0", "{kind}");
            assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        }
        // The token takes it at last: the money is there, and nothing is left to sweep.
        connected.world.pass(Duration::from_secs(24 * HOUR + 1));
        let hash = sweep(&mut connected).expect("a sweep");
        mine(&mut connected, (hash, 8), Some((proxy, 5_000_000)));
        connected.world.pass(Duration::from_secs(48 * HOUR));
        assert_eq!(sweep(&mut connected), None, "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_sweep_that_is_refused_before_it_is_signed_waits_as_long() {
    Connected::each(|kind, mut connected| {
        unswept(&mut connected);
        for hours in [1, 1, 2, 4] {
            connected.world.pass(Duration::from_secs(hours * HOUR - 60));
            assert_eq!(connected.requests(), [], "{kind}: {hours} h not over");
            connected.world.pass(Duration::from_secs(61));
            let requests = connected.requests();
            let [NodeRequest::Estimate { id, .. }] = requests.as_slice() else {
                panic!("{kind}: no sweep after {hours} h: {requests:?}");
            };
            let reverts = settlekit_service::outgoing::Estimate::Reverts;
            connected.estimate(*id, &reverts);
        }
    });
}

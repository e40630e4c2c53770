//! Operations of sandbox mode.

mod advance_clock;
mod create_deposit;
mod create_fault;
mod empty_inbox;
mod fail_payout;
mod list_inbox;
mod refuse_order;
mod reorganise_chain;
mod set_price;

use settlekit_tests::world::{Shop, World};

const INBOX: &str = "/v1/sandbox/inbox";

/// Works until an organisation has no pending event. No call leaves the service.
pub(crate) fn deliver_to_inbox(world: &mut World, shop: &Shop) {
    for _ in 0..100 {
        assert!(world.work().is_empty(), "a call for the host");
        let pending = world.read(shop, "/v1/events?delivery_status=pending&limit=1");
        if pending["total"] == 0 {
            return;
        }
    }
    panic!("events stay pending");
}

//! A server that is killed at each step of a swap.

use super::{QUERY, Shop};
use crate::place::{Server, wait_for};

/// How far a swap has come when the server is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    ApprovalSent,
    ApprovalMined,
    SwapSent,
    SwapMined,
    SwapConfirmed,
}

const STEPS: [Step; 5] = [
    Step::ApprovalSent,
    Step::ApprovalMined,
    Step::SwapSent,
    Step::SwapMined,
    Step::SwapConfirmed,
];

impl Shop {
    /// Waits for a transaction of the hot wallet.
    fn until_sent(&self, what: &str) {
        wait_for(what, || self.waiting() == 1);
    }

    /// Mines what waits, and waits until the server has recorded the block.
    fn until_mined(&self) {
        self.market.exchange.node.mine(1);
        self.market.until_followed();
    }

    /// Goes on with the swap of a new order up to a step.
    fn go_on(&self, step: Step) {
        self.until_sent("the approval waits for a block");
        if step == Step::ApprovalSent {
            return;
        }
        self.until_mined();
        if step == Step::ApprovalMined {
            return;
        }
        self.until_sent("the swap waits for a block");
        if step == Step::SwapSent {
            return;
        }
        self.until_mined();
        if step == Step::SwapConfirmed {
            self.until_mined();
        }
    }

    /// Kills the server, mines while none runs, and starts another one.
    pub(super) fn kill(&mut self, blocks: u64) {
        self.server.signal("KILL");
        let _ended = self.server.child.wait();
        if blocks > 0 {
            self.market.exchange.node.mine(blocks);
        }
        self.server = Server::live(&self.market.place);
    }
}

#[test]
fn a_server_that_is_killed_at_each_step_of_a_swap_swaps_once() {
    let mut shop = Shop::swept();
    let mut sold = 100;
    for step in STEPS {
        let order = shop.accept(&shop.quote(QUERY));
        shop.go_on(step);
        shop.kill(1);
        let ended = shop.ended(&order);
        assert_eq!(ended["status"], "Settled", "{step:?}: {ended}");
        sold += 100;
        let left = (1_000 - sold).to_string();
        assert_eq!(shop.balance("USDC"), (left, "0".to_owned()), "{step:?}");
        shop.until_compared();
    }
    let swaps = shop.swaps();
    assert_eq!(swaps.len(), 1 + STEPS.len(), "{swaps:?}");
    assert!(
        swaps.iter().all(|swap| swap["status"] == "0x1"),
        "{swaps:?}"
    );
    assert!(shop.allowance().is_zero());
    shop.market.place.is_sound();
}

#[test]
fn a_server_that_is_killed_at_every_step_of_one_swap_swaps_once() {
    let mut shop = Shop::swept();
    let order = shop.accept(&shop.quote(QUERY));
    shop.until_sent("the approval waits for a block");
    shop.kill(0);
    assert_eq!(shop.waiting(), 1, "the approval is not sent twice");
    shop.until_mined();
    shop.kill(0);
    shop.until_sent("the swap waits for a block");
    shop.kill(0);
    assert_eq!(shop.waiting(), 1, "the swap is not sent twice");
    shop.until_mined();
    shop.kill(1);
    shop.market.until_followed();
    shop.kill(0);
    let ended = shop.ended(&order);
    assert_eq!(ended["status"], "Settled", "{ended}");
    assert_eq!(shop.balance("USDC"), ("800".to_owned(), "0".to_owned()));
    assert_eq!(shop.swaps().len(), 2);
    assert!(shop.allowance().is_zero());
    shop.until_compared();
    shop.market.place.is_sound();
}

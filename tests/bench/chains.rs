//! Chains: the work of a block, catching up, and the time from a transfer to its webhook and from a payout to its broadcast.

mod block;
mod following;
mod live;
mod sending;

pub(crate) fn run() {
    block::run();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(following::run());
    runtime.block_on(sending::run());
}

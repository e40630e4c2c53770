//! The sandbox's own operations.

mod create_fault;
mod fail_payout;
mod reorganise_chain;

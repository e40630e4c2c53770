//! Operations of sandbox mode.

mod create_fault;
mod fail_payout;
mod reorganise_chain;

//! Operations of sandbox mode.

mod advance_clock;
mod create_deposit;
mod create_fault;
mod fail_payout;
mod refuse_order;
mod reorganise_chain;
mod set_price;

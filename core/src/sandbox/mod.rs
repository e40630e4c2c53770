//! What exists in sandbox mode only: money from nowhere, a chain that takes blocks back and fails payouts, and a clock that can be moved.

mod advance_clock;
mod create_deposit;
mod create_fault;
mod fail_payout;
mod reorganise_chain;

pub use advance_clock::{AdvanceClock, AdvanceClockBody, Clock};
pub use create_deposit::{CreateDeposit, CreateDepositBody, Deposit};
pub use create_fault::{CreateFault, CreateFaultBody, Fault};
pub use fail_payout::{FailPayout, FailPayoutBody};
pub use reorganise_chain::{ReorganiseChain, ReorganiseChainBody};

//! Operations of sandbox mode only: simulated deposits, reorganisations, failing payouts, faults, and a movable clock.

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

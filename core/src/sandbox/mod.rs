//! What exists in sandbox mode only: money from nowhere, and a clock that can be moved.

mod advance_clock;
mod create_deposit;
mod create_fault;

pub use advance_clock::{AdvanceClock, AdvanceClockBody, Clock};
pub use create_deposit::{CreateDeposit, CreateDepositBody, Deposit};
pub use create_fault::{CreateFault, CreateFaultBody, Fault};

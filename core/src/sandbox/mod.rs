//! What exists in sandbox mode only: money from nowhere, and a clock that can be moved.

mod advance_clock;
mod create_deposit;

pub use advance_clock::{AdvanceClock, AdvanceClockBody, Clock};
pub use create_deposit::{CreateDeposit, CreateDepositBody, Deposit};

//! Operations of sandbox mode only: simulated deposits, reorganisations, failing payouts, refused orders, faults, prices, a movable
//! clock, and an inbox of webhooks.

mod advance_clock;
mod create_deposit;
mod create_fault;
mod empty_inbox;
mod fail_payout;
mod list_inbox;
mod refuse_order;
mod reorganise_chain;
mod set_price;

pub use advance_clock::{AdvanceClock, AdvanceClockBody, Clock};
pub use create_deposit::{CreateDeposit, CreateDepositBody, Deposit};
pub use create_fault::{CreateFault, CreateFaultBody, Fault};
pub use empty_inbox::{EmptiedInbox, EmptyInbox};
pub use fail_payout::{FailPayout, FailPayoutBody};
pub use list_inbox::{INBOX_URL, InboxHeader, InboxMessage, ListInbox};
pub use refuse_order::{RefuseOrder, RefuseOrderBody};
pub use reorganise_chain::{ReorganiseChain, ReorganiseChainBody};
pub use set_price::{SetPrice, SetPriceBody, SimulatedPrice};

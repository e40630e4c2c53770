//! Payouts: payments out of an account, with method `Payout` (contract, "Authentication" 4).

mod approve_payout;
mod create_payout;
mod estimate_payout;
mod list_payouts;
mod refuse_payout;

pub use approve_payout::{ApprovePayout, ApprovePayoutPath};
pub use create_payout::{CreatePayout, CreatePayoutBody};
pub use estimate_payout::{EstimatePayout, EstimatePayoutQuery, PayoutEstimate};
pub use list_payouts::{ListPayouts, ListPayoutsQuery};
pub use refuse_payout::{RefusePayout, RefusePayoutPath};

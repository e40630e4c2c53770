//! Payouts: payments out of an account, with method `Payout` (contract, "Authentication" 4).

mod create_payout;
mod estimate_payout;
mod list_payouts;

pub use create_payout::{CreatePayout, CreatePayoutBody};
pub use estimate_payout::{EstimatePayout, EstimatePayoutQuery, PayoutEstimate};
pub use list_payouts::ListPayouts;

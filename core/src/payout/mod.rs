//! Payouts: money sent out of an account (contract, "Authentication" 4). A payout is a payment whose method is `Payout`.

mod create_payout;
mod estimate_payout;
mod list_payouts;

pub use create_payout::{CreatePayout, CreatePayoutBody};
pub use estimate_payout::{EstimatePayout, EstimatePayoutQuery, PayoutEstimate};
pub use list_payouts::ListPayouts;

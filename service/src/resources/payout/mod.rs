//! Payouts: queued with the money reserved, sent, confirmed, booked.

mod approval;
mod approve_payout;
mod create_payout;
mod estimate_payout;
mod limit;
mod list_payouts;
mod prepare;
mod prepared;
mod progress;
mod refuse_payout;
mod send;
mod sender;
mod terms;
mod transaction;

pub(crate) use approve_payout::approve_payout;
pub(crate) use create_payout::{create_payout, send_all, send_back, send_within};
pub(crate) use estimate_payout::estimate_payout;
pub(crate) use list_payouts::list_payouts;
pub(crate) use prepared::{find_prepared, finish_prepared, record_prepared_mined};
pub(crate) use progress::{
    broadcast, cancel_unsent, cancel_unsigned, has_failed, refused, settled, transaction_confirmed,
    transaction_dropped, unsettled,
};
pub(crate) use refuse_payout::refuse_payout;
pub(crate) use send::{advance, fail_on_chain};
pub(crate) use terms::NewPayout;
pub(crate) use transaction::with_transaction;

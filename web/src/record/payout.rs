//! The destination of payouts.

use settlekit_core::payment::Payment;

/// Name and address of the destination, as far as known.
pub(crate) fn destination(payout: &Payment) -> (Option<String>, Option<String>) {
    let mut splits = payout.payout_splits.iter().flatten();
    match splits.find(|split| split.address.is_some()) {
        Some(split) => (split.reference.clone(), split.address.clone()),
        None => (None, payout.deposit_address.clone()),
    }
}

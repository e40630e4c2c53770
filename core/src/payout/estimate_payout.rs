//! `GET /payouts/estimate`.

use crate::field::query_fields;
use crate::operation::operation;
use crate::validate::{Report, Validate};
use crate::value::record::record;
use crate::value::{AccountKey, Amount, ChainId, Currency};

query_fields! {
    /// The payout to estimate.
    EstimatePayoutQuery {
        /// Source account, by id or reference.
        account: AccountKey,
        /// Amount received by the destination.
        amount: Amount,
        /// Currency of `amount`.
        currency: Currency,
        /// Chain id.
        chain_id: ChainId,
    }
    names &["account", "amount", "currency", "chain_id"]
}

impl Validate for EstimatePayoutQuery {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
    }
}

record! {
    /// Cost of a payout.
    PayoutEstimate {
        /// Amount received by the destination.
        amount: Amount,
        /// Currency of `amount`.
        currency: Currency,
        /// Network fee.
        fee: Amount,
        /// Currency of `fee`.
        fee_currency: Currency,
        /// Service fee in `currency`: the account's payout percentage, rounded down.
        service_fee: Amount,
        /// Available balance of the account in `currency`; with an extended public key, the most that one address can pay.
        available: Amount,
        /// Whether the balance covers amount and fees.
        covered: bool,
    }
}

operation! {
    /// Estimates the current cost of a payout.
    EstimatePayout in "payout": GET "/payouts/estimate",
    query: EstimatePayoutQuery,
    response: PayoutEstimate,
}

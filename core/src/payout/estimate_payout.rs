//! `GET /payouts/estimate`.

use crate::field::query_fields;
use crate::operation::operation;
use crate::validate::{Report, Validate};
use crate::value::record::record;
use crate::value::{AccountKey, Amount, ChainId, Currency};

query_fields! {
    /// The payout to estimate.
    EstimatePayoutQuery {
        /// The account it is taken from, by id or reference.
        account: AccountKey,
        /// How much arrives.
        amount: Amount,
        /// The currency of `amount`.
        currency: Currency,
        /// The chain it is sent on.
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
    /// What a payout would take.
    PayoutEstimate {
        /// How much arrives.
        amount: Amount,
        /// The currency of `amount`.
        currency: Currency,
        /// What the network takes.
        fee: Amount,
        /// The currency of `fee`.
        fee_currency: Currency,
        /// What the service takes, in `currency`: the account's payout percentage, rounded down.
        service_fee: Amount,
        /// What the account holds of `currency` and may send.
        available: Amount,
        /// Whether the account covers amount and fees.
        covered: bool,
    }
}

operation! {
    /// Estimates what a payout would cost now.
    EstimatePayout in "payout": GET "/payouts/estimate",
    query: EstimatePayoutQuery,
    response: PayoutEstimate,
}

//! `POST /payouts`.

use crate::error::Reason;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::paylink::create_paylink::{METADATA_KEYS_MAX, REFERENCE_CHARS_MAX};
use crate::payment::Payment;
use crate::validate::{Report, Validate};
use crate::value::{
    AccountKey, Amount, ChainId, Currency, ExternalAccountId, Object, WalletAddress,
};

body! {
    /// What is sent out, from where and to whom.
    CreatePayoutBody {
        /// The account it is taken from, by id or reference.
        account: AccountKey,
        /// How much arrives; the network's fee is taken on top.
        amount: Amount,
        /// The currency of `amount`.
        currency: Currency,
        /// The chain it is sent on; that of the destination when absent.
        chain_id: Option<ChainId>,
        /// The destination, when it is on record.
        external_account_id: Option<ExternalAccountId>,
        /// The destination's address, when it is not.
        address: Option<WalletAddress>,
        /// The merchant's own name for it.
        reference: Option<String>,
        /// Free-form.
        metadata: Option<Object>,
    }
}

impl Validate for CreatePayoutBody {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
        match (&self.external_account_id, &self.address) {
            (None, None) => report.complain(
                "external_account_id",
                Reason::Required,
                "is required, or `address`",
            ),
            (Some(_), Some(_)) => report.complain(
                "address",
                Reason::Excluded,
                "must be absent when `external_account_id` is given",
            ),
            (None, Some(_)) if self.chain_id.is_none() => {
                report.complain("chain_id", Reason::Required, "is required with `address`")
            }
            _ => {}
        }
        report.maybe_text("reference", self.reference.as_ref(), REFERENCE_CHARS_MAX);
        if let Some(metadata) = &self.metadata {
            report.items("metadata", metadata.len(), METADATA_KEYS_MAX);
        }
    }
}

operation! {
    /// Sends money out of an account.
    CreatePayout in "payout": POST "/payouts",
    body: CreatePayoutBody,
    response: Payment,
    AUTH: Auth::Signed,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Payout,
    STEP_UP: true,
}

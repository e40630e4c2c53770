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
    /// A new payout.
    CreatePayoutBody {
        /// Source account, by id or reference.
        account: AccountKey,
        /// Amount received by the destination; fees are charged on top.
        amount: Amount,
        /// Currency of `amount`.
        currency: Currency,
        /// Chain id; the destination's chain when absent.
        chain_id: Option<ChainId>,
        /// Destination, by external account id.
        external_account_id: Option<ExternalAccountId>,
        /// Destination, by address.
        address: Option<WalletAddress>,
        /// Merchant-defined reference.
        reference: Option<String>,
        /// Free-form JSON object.
        metadata: Option<Object>,
    }
}

impl Validate for CreatePayoutBody {
    fn validate(&self, report: &mut Report) {
        report.positive("amount", self.amount);
        match (&self.external_account_id, &self.address) {
            (None, None) => report.add_error(
                "external_account_id",
                Reason::Required,
                "is required, or `address`",
            ),
            (Some(_), Some(_)) => report.excluded("address", "external_account_id"),
            (None, Some(_)) if self.chain_id.is_none() => {
                report.add_error("chain_id", Reason::Required, "is required with `address`")
            }
            _ => {}
        }
        report.optional_text("reference", self.reference.as_ref(), REFERENCE_CHARS_MAX);
        report.keys("metadata", self.metadata.as_ref(), METADATA_KEYS_MAX);
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

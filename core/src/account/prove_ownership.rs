//! `POST /accounts/{account}/ownership`.

use super::Account;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::AccountKey;

/// Length of a signature as text: `0x` and 65 bytes in hex.
const SIGNATURE_CHARS: usize = 2 + 2 * 65;

body! {
    /// Answer to an ownership challenge.
    ProveOwnershipBody {
        /// Signature by `personal_sign` (EIP-191): `0x` and 65 bytes in hex.
        signature: String,
    }
}

impl Validate for ProveOwnershipBody {
    fn validate(&self, report: &mut Report) {
        let is_hex = self
            .signature
            .strip_prefix("0x")
            .is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if !is_hex || self.signature.len() != SIGNATURE_CHARS {
            report.add_error(
                "signature",
                Reason::OwnershipUnproven,
                "must be 0x and 65 bytes in hex, as returned by personal_sign",
            );
        }
    }
}

operation! {
    /// Proves with a wallet signature that the merchant owns an account's address.
    /// Payments may be sent there from then on.
    ProveOwnership in "account": POST "/accounts/{account}/ownership",
    path: ProveOwnershipPath {
        /// The account's id or reference.
        account: AccountKey,
    },
    body: ProveOwnershipBody,
    response: Account,
    AUTH: Auth::Signed,
    SCOPE: Scope::Payout,
    STEP_UP: true,
}

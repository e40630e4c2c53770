//! `POST /accounts/{account}/ownership/challenge`.

use crate::operation::{Scope, operation};
use crate::value::record::record;
use crate::value::{AccountId, AccountKey, ChainId, Timestamp};

record! {
    /// A message that a wallet signs to prove ownership of an account's address.
    OwnershipChallenge {
        /// Account id.
        account_id: AccountId,
        /// The wallet's address.
        address: String,
        /// Chain id.
        chain_id: ChainId,
        /// Message to sign verbatim with `personal_sign` (EIP-191).
        message: String,
        /// Expiry time. A signature is accepted once, before this time.
        expires_at: Timestamp,
    }
}

operation! {
    /// Creates an ownership challenge for an account's wallet to sign.
    /// It replaces the previous challenge.
    CreateOwnershipChallenge in "account": POST "/accounts/{account}/ownership/challenge",
    path: CreateOwnershipChallengePath {
        /// The account's id or reference.
        account: AccountKey,
    },
    response: OwnershipChallenge,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
}

//! `POST /accounts/{account}/ownership/challenge`.

use crate::operation::{Scope, operation};
use crate::value::record::record;
use crate::value::{AccountId, AccountKey, ChainId, Timestamp};

record! {
    /// What a wallet signs to prove that an account's address is the merchant's own.
    OwnershipChallenge {
        /// The account.
        account_id: AccountId,
        /// The wallet's address.
        address: String,
        /// The chain it is on.
        chain_id: ChainId,
        /// The text to sign with `personal_sign` (EIP-191), exactly as it is.
        message: String,
        /// Until when a signature of it is taken, once.
        expires_at: Timestamp,
    }
}

operation! {
    /// Gives the text that the wallet of an account signs to prove whose it is. It replaces the one given before.
    CreateOwnershipChallenge in "account": POST "/accounts/{account}/ownership/challenge",
    path: CreateOwnershipChallengePath {
        /// The account's id or reference.
        account: AccountKey,
    },
    response: OwnershipChallenge,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
}

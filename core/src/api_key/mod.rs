//! API keys: shown once, stored as a hash (contract, "Authentication" 2).

mod create_api_key;
mod list_api_keys;
mod revoke_api_key;

pub use create_api_key::{CreateApiKey, CreateApiKeyBody};
pub use list_api_keys::ListApiKeys;
pub use revoke_api_key::{RevokeApiKey, RevokeApiKeyPath};

use crate::value::record::record;
use crate::value::{ApiKeyId, Timestamp};

record! {
    /// An API key.
    ApiKey {
        /// Unique id; not the secret.
        id: ApiKeyId,
        /// For people.
        name: String,
        /// How the secret begins.
        prefix: String,
        /// What it may do: `read`, `write`, `payout`, `manage`.
        scopes: Vec<String>,
        /// The secret itself, in the answer to its creation and never again.
        key?: String,
        /// In the answer to its creation: what its holder can do by the scopes `payout` and `manage`, if it has one.
        notice?: String,
        /// When it was made.
        created_at: Timestamp,
        /// When it was last used, to the minute.
        last_used_at?: Timestamp,
        /// When it stops working.
        expires_at?: Timestamp,
        /// When it was revoked, if it was.
        revoked_at?: Timestamp,
    }
}

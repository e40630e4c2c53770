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
        /// Display name.
        name: String,
        /// First characters of the secret.
        prefix: String,
        /// Scopes: `read`, `write`, `payout`, `manage`.
        scopes: Vec<String>,
        /// The secret; only in the answer to its creation.
        key?: String,
        /// Warning about the scopes `payout` and `manage`; only in the answer to its creation.
        notice?: String,
        /// Creation time.
        created_at: Timestamp,
        /// Time of last use, to the minute.
        last_used_at?: Timestamp,
        /// Expiry time.
        expires_at?: Timestamp,
        /// Revocation time; absent unless revoked.
        revoked_at?: Timestamp,
    }
}

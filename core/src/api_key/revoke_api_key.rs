//! `DELETE /api-keys/{key_id}`.

use super::ApiKey;
use crate::operation::{Scope, operation};
use crate::value::ApiKeyId;

operation! {
    /// Revokes an API key immediately and permanently.
    RevokeApiKey in "api_key": DELETE "/api-keys/{key_id}",
    path: RevokeApiKeyPath {
        /// The key's id.
        key_id: ApiKeyId,
    },
    response: ApiKey,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}

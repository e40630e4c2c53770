//! `POST /api-keys`.

use super::ApiKey;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::Timestamp;

body! {
    /// A new API key.
    CreateApiKeyBody {
        /// Display name.
        name: String,
        /// Scopes: `read`, `write`, `payout`, `manage`, at most those of the creator; `read` and `write` when absent.
        scopes: Option<Vec<String>>,
        /// Expiry time; never when absent.
        expires_at: Option<Timestamp>,
    }
}

impl Validate for CreateApiKeyBody {
    fn validate(&self, report: &mut Report) {
        report.text("name", &self.name, 100);
        if let Some(scopes) = &self.scopes {
            report.not_empty(
                "scopes",
                scopes,
                "must list at least one scope, or be absent",
            );
            for scope in scopes
                .iter()
                .filter(|scope| Scope::from_wire(scope).is_none())
            {
                report.add_error(
                    "scopes",
                    Reason::UnknownValue,
                    format!("contains the unknown scope {scope}"),
                );
            }
        }
    }
}

operation! {
    /// Creates an API key.
    /// The answer holds the secret, which is shown only once.
    CreateApiKey in "api_key": POST "/api-keys",
    body: CreateApiKeyBody,
    response: ApiKey,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}

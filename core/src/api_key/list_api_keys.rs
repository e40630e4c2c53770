//! `GET /api-keys`.

use super::ApiKey;
use crate::operation::{Scope, Wire, operation};
use crate::page::{ListQuery, Page};

operation! {
    /// Lists API keys, revoked ones included, without their secrets.
    ListApiKeys in "api_key": GET "/api-keys",
    query: ListQuery,
    response: Page<ApiKey>,
    WIRE: Wire::List,
    SCOPE: Scope::Manage,
}

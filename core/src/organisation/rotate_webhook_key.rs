//! `PATCH /orgs/webhook-secret`.

use super::Organisation;
use crate::operation::{Scope, operation};

operation! {
    /// Rotates the key that signs webhooks; for 24 hours the old key signs too.
    RotateWebhookKey in "organisation": PATCH "/orgs/webhook-secret",
    response: Organisation,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}

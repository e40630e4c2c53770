//! `PATCH /orgs/webhook-secret`.

use std::time::Duration;

use super::Organisation;
use crate::operation::{Scope, operation};

/// How long a replaced webhook key goes on signing beside its successor.
pub const ROTATION_OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);

operation! {
    /// Rotates the key that signs webhooks; for 24 hours the old key signs too.
    RotateWebhookKey in "organisation": PATCH "/orgs/webhook-secret",
    response: Organisation,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}

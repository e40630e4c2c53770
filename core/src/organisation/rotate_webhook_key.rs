//! `PATCH /orgs/webhook-secret`.

use std::time::Duration;

use super::Organisation;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};

/// How long a replaced webhook key goes on signing beside its successor, and a replaced signing secret verifying.
pub const ROTATION_OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);

body! {
    /// How the old keys end.
    RotateWebhookKeyBody {
        /// Whether the keys before the new one stop signing at once, because one has leaked; otherwise they sign for 24 hours.
        revoke_old: Option<bool>,
    }
}

impl Validate for RotateWebhookKeyBody {
    fn validate(&self, _: &mut Report) {}
}

operation! {
    /// Rotates the key that signs webhooks; for 24 hours the old key signs too, unless it is revoked.
    RotateWebhookKey in "organisation": PATCH "/orgs/webhook-secret",
    body: RotateWebhookKeyBody,
    response: Organisation,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}

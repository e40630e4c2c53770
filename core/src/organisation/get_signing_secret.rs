//! `GET /orgs/signing-secret`.

use crate::operation::{Scope, operation};
use crate::value::record::record;
use crate::value::{OrganisationId, Timestamp};

record! {
    /// The organisation with its request-signing secret, and without its settings.
    SigningSecret {
        /// Unique id.
        id: OrganisationId,
        /// For people.
        name: String,
        /// A picture.
        logo_url?: String,
        /// Who owns it.
        owner_user_id?: String,
        /// The partner that manages it, if any.
        partner_id?: OrganisationId,
        /// Where webhooks go.
        webhook_url?: String,
        /// SPKI PEM of the key that signs webhooks.
        webhook_public_key?: String,
        /// The secret that signs requests (HMAC-SHA256).
        signing_secret: String,
        /// Until when the secrets before it verify too, if there are any.
        signing_secret_overlap_until?: Timestamp,
        /// When it was made.
        created_at: Timestamp,
        /// When it last changed.
        updated_at: Timestamp,
    }
}

operation! {
    /// Reads the secret that signs requests.
    GetSigningSecret in "organisation": GET "/orgs/signing-secret",
    response: SigningSecret,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}

//! `GET /orgs/signing-secret`.

use crate::operation::{Scope, operation};
use crate::value::record::record;
use crate::value::{OrganisationId, Timestamp};

record! {
    /// The organisation with its signing secret, without `properties`.
    SigningSecret {
        /// Unique id.
        id: OrganisationId,
        /// Display name.
        name: String,
        /// Logo URL.
        logo_url?: String,
        /// User id of the owner.
        owner_user_id?: String,
        /// Managing partner; absent if none.
        partner_id?: OrganisationId,
        /// Webhook endpoint.
        webhook_url?: String,
        /// Public key for webhook signatures, SPKI PEM.
        webhook_public_key?: String,
        /// Secret for request signatures (HMAC-SHA256).
        signing_secret: String,
        /// Previous secrets stay valid until this time; absent if there are none.
        signing_secret_overlap_until?: Timestamp,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
    }
}

operation! {
    /// Reads the secret for request signatures.
    GetSigningSecret in "organisation": GET "/orgs/signing-secret",
    response: SigningSecret,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}

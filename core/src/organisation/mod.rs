//! The organisation: settings and secrets (contract, "Organisation").

mod get_organisation;
mod get_signing_secret;
mod properties;
mod rotate_signing_secret;
mod rotate_webhook_key;
mod update_organisation;

pub use get_organisation::GetOrganisation;
pub use get_signing_secret::{GetSigningSecret, SigningSecret};
pub use properties::{
    Kyb, KybInfo, KybReview, KybReviewResult, Kyc, NamedCompany, OrganisationProperties,
    UnderpayThresholds,
};
pub use rotate_signing_secret::{RotateSigningSecret, RotateSigningSecretBody};
pub use rotate_webhook_key::{ROTATION_OVERLAP, RotateWebhookKey, RotateWebhookKeyBody};
pub use update_organisation::{UpdateOrganisation, UpdateOrganisationBody};

use serde_json::Value;

use crate::value::record::record;
use crate::value::{OrganisationId, Timestamp};

record! {
    /// A merchant organisation.
    Organisation {
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
        /// Since when no webhooks are sent because the endpoint is gone; setting the address ends it.
        webhook_paused_at?: Timestamp,
        /// SPKI PEM of the key that signs webhooks, once configured.
        webhook_public_key?: String,
        /// Until when the key before that one signs too, if there was one.
        webhook_key_overlap_until?: Timestamp,
        /// Until when the signing secrets before the present one verify too, if there are any.
        signing_secret_overlap_until?: Timestamp,
        /// Without a stated type.
        v1?: Value,
        /// Settings.
        properties?: OrganisationProperties,
        /// When it was made.
        created_at: Timestamp,
        /// When it last changed.
        updated_at: Timestamp,
    }
}

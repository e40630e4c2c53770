//! The organisation: settings and secrets (contract, "Organisation").

mod checkout_style;
mod get_organisation;
mod get_signing_secret;
mod properties;
mod rotate_signing_secret;
mod rotate_webhook_key;
mod update_organisation;

pub use checkout_style::{
    Appearance, CheckoutStyle, DARK_BACKGROUND, LocalizedText, PAGE_TEXT_CHARS_MAX, PageLanguage,
    ResolvedCheckoutStyle,
};
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
        /// Time webhooks were paused because the endpoint is gone; setting the URL resumes them.
        webhook_paused_at?: Timestamp,
        /// Public key for webhook signatures, SPKI PEM; absent until configured.
        webhook_public_key?: String,
        /// The previous key also signs until this time; absent if there is none.
        webhook_key_overlap_until?: Timestamp,
        /// Previous signing secrets stay valid until this time; absent if there are none.
        signing_secret_overlap_until?: Timestamp,
        /// Type not stated by the contract.
        v1?: Value,
        /// Settings.
        properties?: OrganisationProperties,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
    }
}

//! `POST /installation/wallet-links`.

use super::WalletLinkTemplate;
use crate::field::body;
use crate::operation::{Auth, Scope, operation};
use crate::validate::{Report, Validate};

body! {
    /// A new wallet link.
    CreateWalletLinkBody {
        /// Name of the wallet, on the button.
        name: String,
        /// An https URL, or a URL with the wallet's own scheme, with at least one of the placeholders `{page_address}`, `{page_url}`,
        /// `{page_url_twice}` and `{payment_uri}`.
        template: String,
    }
}

impl Validate for CreateWalletLinkBody {
    fn validate(&self, report: &mut Report) {
        let link = WalletLinkTemplate {
            name: self.name.clone(),
            template: self.template.clone(),
        };
        link.validate(report);
    }
}

operation! {
    /// Adds a wallet link at the end of the list, which it answers; for operators of the installation.
    CreateWalletLink in "installation": POST "/installation/wallet-links",
    body: CreateWalletLinkBody,
    response: Vec<WalletLinkTemplate>,
    AUTH: Auth::Session,
    SCOPE: Scope::Manage,
    STEP_UP: true,
}

//! What a reading request leaves to be written.

use settlekit_core::value::{ApiKeyId, OrganisationId};

/// What a reading request leaves to be noted: the host tells the writer, when it can, by [`Service::touch`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch(pub(crate) Noted);

impl Touch {
    /// Whether it is to be noted before the answer is given: a fault that is to be met once must not be met by the next request.
    pub const fn comes_first(&self) -> bool {
        matches!(self.0, Noted::FaultMet(..))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noted {
    /// An API key was used.
    KeyUsed(ApiKeyId),
    /// A fault of the sandbox was met.
    FaultMet(OrganisationId, i64),
}

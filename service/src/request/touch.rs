//! Notes of read requests for the writer.

use settlekit_core::value::{ApiKeyId, OrganisationId};

/// A note of a read request: the host passes it to [`crate::Service::touch`] on the writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch(pub(crate) Noted);

impl Touch {
    /// Whether to write the note before answering: an injected fault for one call must not reach the next request.
    pub const fn comes_first(&self) -> bool {
        matches!(self.0, Noted::FaultMet(..))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noted {
    KeyUsed(ApiKeyId),
    FaultMet(OrganisationId, i64),
}

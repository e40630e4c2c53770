//! Notes of read requests for the writer.

use settlekit_core::value::{ApiKeyId, OrganisationId, PaylinkId};

/// A note of a read request: the host passes it to [`crate::Service::touch`] on the writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Touch(pub(crate) Noted);

impl Touch {
    /// Whether to write the note before answering: an injected fault for one call must not reach the next request.
    pub const fn comes_first(&self) -> bool {
        matches!(self.0, Noted::FaultMet(..))
    }

    /// Whether to collect equal notes for a while and write them as one, with their number: anybody can cause as many as they like.
    pub const fn is_collected(&self) -> bool {
        matches!(self.0, Noted::LinkVisited(..))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Noted {
    KeyUsed(ApiKeyId),
    FaultMet(OrganisationId, i64),
    /// The page of a payment link was opened on a UTC day.
    LinkVisited(OrganisationId, PaylinkId, i64),
}

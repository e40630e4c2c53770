//! `GET /orgs`.

use super::Organisation;
use crate::operation::operation;

operation! {
    /// Reads the organisation's settings and its webhook public key.
    GetOrganisation in "organisation": GET "/orgs",
    response: Organisation,
}

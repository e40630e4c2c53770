//! `GET /members`.

use super::Member;
use crate::operation::{Auth, Wire, operation};
use crate::page::{ListQuery, Page};

operation! {
    /// Lists members, including invited and removed ones.
    ListMembers in "member": GET "/members",
    query: ListQuery,
    response: Page<Member>,
    AUTH: Auth::Session,
    WIRE: Wire::List,
}

//! Routing and decoding of a request. Needs no database, so it runs before the request waits for the writer.

use std::sync::Arc;

use http::{Method, Request};
use settlekit_core::error::Reason;
use settlekit_core::header;
use settlekit_core::operation::{Auth, Operation};
use settlekit_core::x402::SettleX402;

use crate::Options;
use crate::request::authenticate::{has_credentials, repeated_header};
use crate::request::router::{self, Action, Found};
use crate::unit::Refusal;

/// The lane that answers a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// On a read connection, concurrent with the writer.
    Read,
    /// On the writer.
    Write,
    /// First [`crate::Service::find_password`] on a read connection and its task on a thread without one, then the writer.
    Slow,
}

/// The operation of a request, or why there is none.
pub struct MatchedOperation {
    pub(crate) found: Result<Found, Unknown>,
    /// The name of the session cookie.
    session_cookie: &'static str,
}

/// Why a request has no operation.
#[derive(Debug)]
pub(crate) struct Unknown {
    pub(crate) refusal: Refusal,
    /// The methods of the path, for `Allow`.
    pub(crate) allow: Option<String>,
}

impl MatchedOperation {
    pub(crate) fn find(options: &Options, method: &Method, path: &str) -> Self {
        Self {
            found: router::find(method, path).map_err(|refusal| Unknown {
                refusal,
                allow: router::allowed(method, path),
            }),
            session_cookie: header::session_cookie(&options.public_url),
        }
    }

    /// Whether the operation computes a password hash.
    pub fn hashes_password(&self) -> bool {
        self.found
            .as_ref()
            .is_ok_and(|found| found.route.hashes_password)
    }

    /// Whether it settles a payment of x402.
    pub fn is_settlement(&self) -> bool {
        self.found
            .as_ref()
            .is_ok_and(|found| found.route.description.id == SettleX402::ID)
    }

    /// Whether its answer may wait for a block.
    pub fn waits(&self) -> bool {
        self.found
            .as_ref()
            .is_ok_and(|found| found.route.description.room == SettleX402::ROOM)
    }

    /// The authentication of the operation; public if there is none.
    pub fn auth(&self) -> Auth {
        self.found
            .as_ref()
            .map_or(Auth::Public, |found| found.route.description.auth)
    }

    /// Decodes path, query and body. Without credentials the body is not read, because the request will be refused.
    pub fn decode(self: Arc<Self>, request: &Request<Vec<u8>>) -> DecodedRequest {
        let content = match &self.found {
            Err(_) => Content::Undecoded,
            Ok(found) => decode(found, self.session_cookie, request),
        };
        DecodedRequest {
            lane: lane(&self, &content, request),
            route: self,
            content,
        }
    }
}

impl std::fmt::Debug for MatchedOperation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let id = self.found.as_ref().map(|found| found.route.description.id);
        f.debug_tuple("MatchedOperation").field(&id).finish()
    }
}

/// A request decoded once, for all runs of its transaction.
#[derive(Debug)]
pub struct DecodedRequest {
    pub(crate) route: Arc<MatchedOperation>,
    pub(crate) content: Content,
    lane: Lane,
}

pub(crate) enum Content {
    /// The decoded call.
    Action(Action),
    /// Refused after authentication.
    Refused(Refusal),
    /// Refused for every caller.
    Ambiguous(Refusal),
    Undecoded,
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Action(_) => "Action",
            Self::Refused(_) => "Refused",
            Self::Ambiguous(_) => "Ambiguous",
            Self::Undecoded => "Undecoded",
        })
    }
}

impl DecodedRequest {
    /// The lane that answers it.
    pub const fn lane(&self) -> Lane {
        self.lane
    }
}

fn decode(found: &Found, session_cookie: &'static str, request: &Request<Vec<u8>>) -> Content {
    if let Some(name) = repeated_header(session_cookie, request) {
        return Content::Ambiguous(Refusal::because(
            Reason::Repeated,
            format!("{name} must be sent once"),
        ));
    }
    if !has_credentials(session_cookie, request, found.route.description.auth) {
        return Content::Undecoded;
    }
    match (found.route.decode)(request, &found.params) {
        Ok(action) => Content::Action(action),
        Err(report) => Content::Refused(Refusal::Invalid(report)),
    }
}

/// A request certain to be refused writes nothing and never waits for the writer.
fn lane(route: &MatchedOperation, content: &Content, request: &Request<Vec<u8>>) -> Lane {
    let (Ok(found), Content::Action(action)) = (&route.found, content) else {
        return Lane::Read;
    };
    let description = found.route.description;
    let reads = || description.method == Method::GET && !description.writes;
    let reads = action.writes.map_or_else(reads, |writes| !writes);
    if action.find_password.is_some() {
        Lane::Slow
    } else if reads && !request.headers().contains_key(header::SIGNATURE) {
        Lane::Read
    } else {
        Lane::Write
    }
}

//! Requests that a browser sends for another site: refused wherever the browser adds a cookie by itself or is given one.
//!
//! Login CSRF signs a victim in to the attacker's organisation without any cookie, so public writes are checked too. A
//! program that sends an API key is not a browser and is not checked.

use http::header::{CONTENT_TYPE, HOST, ORIGIN};
use http::{HeaderMap, Method, Request};
use settlekit_core::error::Reason;

use crate::Options;
use crate::unit::refusal::{Outcome, Refusal};

/// Fetch metadata: how the page that sends a request relates to this site (W3C Fetch Metadata, `Sec-Fetch-Site`).
const FETCH_SITE: &str = "sec-fetch-site";

/// Refuses a request that a page of another site makes a browser send, and a body that such a page could send without
/// asking first (a CORS preflight is needed for `application/json` alone).
pub(crate) fn refuse(options: &Options, request: &Request<Vec<u8>>) -> Outcome<()> {
    let headers = request.headers();
    let reads = request.method() == Method::GET;
    if let Some(site) = headers.get(FETCH_SITE) {
        // `none`: the address was typed, or is a bookmark.
        let is_own = site == "same-origin" || (reads && site == "none");
        if !is_own {
            return Err(foreign("Sec-Fetch-Site says that another site sent it"));
        }
    }
    if let Some(origin) = headers.get(ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        if !is_own(options, request, origin) {
            return Err(foreign("its Origin is not the address of this service"));
        }
    }
    if !request.body().is_empty() && !says_json(headers) {
        return Err(Refusal::because(
            Reason::ContentTypeNotJson,
            "the body must be JSON: send it with Content-Type: application/json",
        ));
    }
    Ok(())
}

fn foreign(why: &str) -> Refusal {
    Refusal::because(
        Reason::OriginForeign,
        format!("requests of other sites are refused: {why}"),
    )
}

/// Whether an origin is this service's: as it is configured, or as the request itself addresses it (a proxy may have
/// rewritten `Host`; a developer may use `localhost` for 127.0.0.1). Browsers write an origin in one form: lower case,
/// without a path and without the scheme's own port.
fn is_own(options: &Options, request: &Request<Vec<u8>>, origin: &str) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else {
        // `null`: a sandboxed frame or a local file.
        return false;
    };
    let configured = options.public_url.split_once("://");
    let is_configured = configured.is_some_and(|(own, rest)| {
        let rest = rest.split('/').next().unwrap_or_default();
        own.eq_ignore_ascii_case(scheme) && rest.eq_ignore_ascii_case(authority)
    });
    let named = request.headers().get(HOST);
    let named = named.and_then(|host| host.to_str().ok());
    let named = request
        .uri()
        .authority()
        .map(|name| name.as_str())
        .or(named);
    is_configured || named.is_some_and(|named| named.eq_ignore_ascii_case(authority))
}

/// Whether the body is JSON as far as its header says. A program may leave the header out; a browser always sends one
/// of `Origin` and `Content-Type` with a body.
fn says_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(CONTENT_TYPE) else {
        return !headers.contains_key(ORIGIN) && !headers.contains_key(FETCH_SITE);
    };
    let kind = kind.to_str().unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

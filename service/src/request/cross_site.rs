//! Cross-site requests (CSRF): refused where a browser adds or receives a cookie.
//!
//! Login CSRF signs a victim in to the attacker's organisation without any cookie, so public writes are checked too. A request
//! with an API key does not come from a browser and is not checked.

use http::header::{CONTENT_TYPE, HOST, ORIGIN};
use http::{HeaderMap, Method, Request};
use settlekit_core::error::Reason;

use crate::Options;
use crate::unit::{Outcome, Refusal};

/// How the sending page relates to this site (W3C Fetch Metadata, `Sec-Fetch-Site`).
const FETCH_SITE: &str = "sec-fetch-site";

/// Refuses a request from a page of another site, and a body that such a page could send without a CORS preflight (only
/// `application/json` needs one).
pub(crate) fn refuse(options: &Options, request: &Request<Vec<u8>>) -> Outcome<()> {
    let headers = request.headers();
    let reads = request.method() == Method::GET;
    if let Some(site) = headers.get(FETCH_SITE) {
        // `none`: typed address or bookmark.
        let is_own = site == "same-origin" || (reads && site == "none");
        if !is_own {
            return Err(foreign("the header Sec-Fetch-Site names another site"));
        }
    }
    if let Some(origin) = headers.get(ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        if !is_own(options, request, origin) {
            return Err(foreign("the header Origin is not the URL of this service"));
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
        format!("cross-site requests are refused: {why}"),
    )
}

/// Whether an origin is this service: as configured, or as the request addresses it (a proxy may rewrite `Host`; a developer may
/// use `localhost` for 127.0.0.1). Browsers serialise an origin in lower case, without path and default port.
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

/// Whether the body is declared as JSON. Programs may omit the header; a browser sends `Origin` or `Content-Type` with every
/// body.
fn says_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(CONTENT_TYPE) else {
        return !headers.contains_key(ORIGIN) && !headers.contains_key(FETCH_SITE);
    };
    let kind = kind.to_str().unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

//! The cookies of a request.

use http::Request;
use settlekit_core::header;

use crate::Options;

/// The session token in a request's cookies.
pub(crate) fn session_token<'a>(
    options: &Options,
    request: &'a Request<Vec<u8>>,
) -> Option<&'a str> {
    let name = header::session_cookie(&options.public_url);
    cookies(request, name).next()
}

/// The values of all cookies with a name.
pub(crate) fn cookies<'a>(
    request: &'a Request<Vec<u8>>,
    name: &'static str,
) -> impl Iterator<Item = &'a str> {
    request
        .headers()
        .get_all(http::header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(move |cookie| cookie.trim().strip_prefix(name)?.strip_prefix('='))
}

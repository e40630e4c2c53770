//! The cookies of a request and of an answer.

use http::Request;
use http::header::SET_COOKIE;
use settlekit_core::header;

use crate::Options;
use crate::unit::Unit;

/// The session token in a request's cookies.
pub(crate) fn session_token<'a>(
    options: &Options,
    request: &'a Request<Vec<u8>>,
) -> Option<&'a str> {
    let name = header::session_cookie(&options.public_url);
    cookies(request, name).next()
}

/// Sets a cookie that no script and no other site can use, and that is sent over https only if the service is reached by it.
pub(super) fn set_cookie(unit: &mut Unit<'_>, name: &str, value: &str, path: &str, seconds: u64) {
    let secure = if unit.options().public_url.starts_with("https://") {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!(
        "{name}={value}; Path={path}; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}"
    );
    unit.headers.push((SET_COOKIE, cookie));
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

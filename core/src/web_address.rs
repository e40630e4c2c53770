//! The form of URLs in requests. Their targets are checked when they are called.

use crate::error::Reason;

/// Schemes allowed in a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// https only.
    Https,
    /// http or https.
    HttpOrHttps,
}

const CHARS_MAX: usize = 2048;

/// Why a text is not an absolute URL with an allowed scheme.
pub(crate) fn error(text: &str, scheme: Scheme) -> Option<(Reason, &'static str)> {
    // `Uri` copies the text and looks at each part twice. Most URLs are plain.
    match plain(text).or_else(|| parsed(text)) {
        None => Some((
            Reason::UrlMalformed,
            "must be an absolute URL without user name or fragment",
        )),
        Some(Scheme::HttpOrHttps) if scheme == Scheme::Https => {
            Some((Reason::UrlNotHttps, "must start with https://"))
        }
        Some(_) => None,
    }
}

/// Scheme of a URL of the simplest form: a host and a path in ASCII letters, digits and `-._/`. [`parsed`] reads the others.
fn plain(text: &str) -> Option<Scheme> {
    let (scheme, rest) = match text.strip_prefix("https://") {
        Some(rest) => (Scheme::Https, rest),
        None => (Scheme::HttpOrHttps, text.strip_prefix("http://")?),
    };
    let is_plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'/');
    let has_host = !rest.is_empty() && !rest.starts_with('/');
    (has_host && text.len() <= CHARS_MAX && rest.bytes().all(is_plain)).then_some(scheme)
}

fn parsed(text: &str) -> Option<Scheme> {
    let uri: http::Uri = text
        .parse()
        .ok()
        .filter(|_| text.len() <= CHARS_MAX && !text.contains('#'))?;
    let authority = uri.authority()?;
    if authority.as_str().contains('@') || authority.host().is_empty() {
        return None;
    }
    match uri.scheme_str()? {
        "https" => Some(Scheme::Https),
        "http" => Some(Scheme::HttpOrHttps),
        _ => None,
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use proptest::prelude::*;

    use super::{parsed, plain};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn a_plain_url_is_read_as_by_the_parser(text in "(https?|ftp):/{1,3}[a-zA-Z0-9._/-]{0,12}[:/@#?%é ]{0,1}[a-zA-Z0-9._/-]{0,12}") {
            if let Some(scheme) = plain(&text) {
                prop_assert_eq!(Some(scheme), parsed(&text));
            }
        }
    }

    #[test]
    fn an_ordinary_url_is_plain_up_to_the_longest() {
        let url = |chars: usize| format!("https://tea.example/{}", "a".repeat(chars - 20));
        assert!(plain(&url(2048)).is_some() && parsed(&url(2048)).is_some());
        assert!(plain(&url(2049)).is_none() && parsed(&url(2049)).is_none());
    }
}

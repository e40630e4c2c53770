//! The files of dashboard and payer's page, embedded in the binary.
//!
//! Files with a hash in their name are immutable and cached by browsers; all others are revalidated each time.

use std::borrow::Cow;

use axum::http::header::{
    ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};

pub(crate) struct File {
    /// The content.
    pub(crate) bytes: Cow<'static, [u8]>,
    /// The hash of the content.
    pub(crate) digest: [u8; 32],
}

/// The source of files: the binary, or a test.
pub(crate) type Source = fn(&str) -> Option<File>;

/// The dashboard's page, for any of its paths.
const DASHBOARD: &str = "index.html";

/// The payer's page, for any paylink.
const PAYER: &str = "pay/pay.html";

/// The script that embeds the payer's page in pages of other origins.
const EMBED: &str = "embed.js";

/// Policy of the payer's page at its embedded address, the only page that others may frame.
const EMBEDDED: &str =
    "require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors *";

/// The payer's page as a preview, with a made-up payment, and its policy: the dashboard frames it.
const PREVIEW: (&str, &str) = (
    "embed/preview",
    "require-trusted-types-for 'script'; trusted-types 'none'; frame-ancestors 'self'",
);

/// Trusted Types policies of the pages: scripts cannot turn text into code. The dashboard's only policy is in
/// `web/boot/first.js`; the payer's page needs none, and the API reference generates markup all the time. The dashboard frames the
/// preview.
const TRUSTED: [(&str, &str); 2] = [
    (
        DASHBOARD,
        "require-trusted-types-for 'script'; trusted-types default; frame-src 'self'",
    ),
    (
        PAYER,
        "require-trusted-types-for 'script'; trusted-types 'none'",
    ),
];

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The page of the API reference.
const DOCUMENTS: &str = "docs/docs.html";

/// The guides beside it: the last segment of the path, and the page.
const GUIDES: [(&str, &str); 8] = [
    ("quickstart", "docs/quickstart.html"),
    ("authentication", "docs/authentication.html"),
    ("signing", "docs/signing.html"),
    ("webhooks", "docs/webhooks.html"),
    ("errors", "docs/errors.html"),
    ("idempotency", "docs/idempotency.html"),
    ("lists", "docs/lists.html"),
    ("sandbox", "docs/sandbox.html"),
];

/// Trusted Types policy of the guides, whose script writes text only.
const GUIDE_POLICY: &str = "require-trusted-types-for 'script'; trusted-types 'none'";

/// The embedded files; during development those of `dist`, if built.
#[cfg(feature = "dashboard")]
pub(crate) fn embedded(name: &str) -> Option<File> {
    #[derive(rust_embed::RustEmbed)]
    #[folder = "../dist"]
    struct Dist;
    match Dist::get(name) {
        Some(file) => Some(File {
            digest: file.metadata.sha256_hash(),
            bytes: file.data,
        }),
        None => absent(name),
    }
}

/// No embedded files: built without the dashboard.
#[cfg(not(feature = "dashboard"))]
pub(crate) fn embedded(name: &str) -> Option<File> {
    absent(name)
}

/// The page shown instead of a missing dashboard.
fn absent(name: &str) -> Option<File> {
    (name == DASHBOARD).then(|| File {
        bytes: Cow::Borrowed(ABSENT.as_bytes()),
        digest: [0; 32],
    })
}

#[cfg(feature = "dashboard")]
const ABSENT: &str = "<!doctype html><html lang=\"en\"><meta http-equiv=\"refresh\" content=\"5\"><title>Settlekit</title>\
    <h1>Settlekit</h1><p>The dashboard is still being built: the terminal says how far it is. This page loads it when it is \
    ready. The API answers already, under <code>/v1</code>.</p></html>";

#[cfg(not(feature = "dashboard"))]
const ABSENT: &str = "<!doctype html><html lang=\"en\"><title>Settlekit</title><h1>Settlekit</h1>\
    <p>This server was built without the dashboard. <code>cargo xtask run</code> builds both. The API is under \
    <code>/v1</code>.</p></html>";

pub(crate) fn answer(
    source: Source,
    method: &Method,
    path: &str,
    headers: &HeaderMap,
) -> Response<Cow<'static, [u8]>> {
    if method != Method::GET && method != Method::HEAD {
        return empty(StatusCode::METHOD_NOT_ALLOWED);
    }
    let path = path.trim_start_matches('/');
    let (name, file) = match source(path).filter(|_| !path.ends_with(".br")) {
        Some(file) => (path, file),
        None => match page(path).and_then(|name| Some((name, source(name)?))) {
            Some(found) => found,
            None => return empty(StatusCode::NOT_FOUND),
        },
    };
    let etag = HeaderValue::from_str(&etag(&file.digest))
        .unwrap_or_else(|_| HeaderValue::from_static("\"\""));
    let kept = match name {
        EMBED => "public, max-age=3600",
        _ if is_hashed(name) => "public, max-age=31536000, immutable",
        _ => "no-cache",
    };
    let mut response = Response::new(Cow::Borrowed([].as_slice()));
    let out = response.headers_mut();
    out.insert(CACHE_CONTROL, HeaderValue::from_static(kept));
    out.insert(VARY, HeaderValue::from_static("accept-encoding"));
    out.insert(ETAG, etag.clone());
    let is_preview = name == PAYER && path == PREVIEW.0;
    let is_embedded = name == PAYER && path.starts_with("embed/") && !is_preview;
    let more = match (is_preview, is_embedded) {
        (true, _) => Some(PREVIEW.1),
        (_, true) => Some(EMBEDDED),
        _ if GUIDES.iter().any(|(_, page)| *page == name) => Some(GUIDE_POLICY),
        _ => (TRUSTED.iter().find(|(page, _)| *page == name)).map(|(_, more)| *more),
    };
    if let Some(more) = more {
        // Applies in addition to the general policy.
        out.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(more));
    }
    if is_embedded || name == EMBED {
        out.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    }
    if name == EMBED {
        out.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    if headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .any(|known| names(known, &etag))
    {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    out.insert(CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    let small = accepts_brotli(headers)
        .then(|| source(&format!("{name}.br")))
        .flatten();
    let bytes = match small {
        Some(small) => {
            out.insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
            small.bytes
        }
        None => file.bytes,
    };
    *response.body_mut() = bytes;
    response
}

/// The page of a path that is not a file; a name with a dot is a missing file.
fn page(path: &str) -> Option<&'static str> {
    let mut segments = path.split('/');
    match (segments.next(), segments.next(), segments.next()) {
        (Some("pay" | "embed"), Some(paylink), None)
            if !paylink.is_empty() && !paylink.contains('.') =>
        {
            Some(PAYER)
        }
        (Some("docs"), None | Some(""), None) => Some(DOCUMENTS),
        (Some("docs"), Some(guide), None) if !guide.contains('.') => {
            let known = GUIDES.iter().find(|(name, _)| *name == guide);
            Some(known.map_or(DASHBOARD, |(_, page)| *page))
        }
        _ if path
            .rsplit('/')
            .next()
            .is_some_and(|last| last.contains('.')) =>
        {
            None
        }
        _ => Some(DASHBOARD),
    }
}

/// Whether a name contains a content hash, as in `app-3f2c9d1e8b7a6054.js` and `app-3f2c9d1e8b7a6054_bg.wasm`.
fn is_hashed(name: &str) -> bool {
    let stem = name
        .rsplit('/')
        .next()
        .unwrap_or(name)
        .split('.')
        .next()
        .unwrap_or_default();
    let stem = stem.strip_suffix("_bg").unwrap_or(stem);
    stem.rsplit_once('-').is_some_and(|(_, hash)| {
        hash.len() >= 8 && hash.bytes().all(|letter| letter.is_ascii_hexdigit())
    })
}

fn etag(digest: &[u8; 32]) -> String {
    let hex: String = digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    // Weak, because the compressed form has the same name.
    format!("W/\"{hex}\"")
}

fn names(known: &HeaderValue, etag: &HeaderValue) -> bool {
    let (Ok(known), Ok(etag)) = (known.to_str(), etag.to_str()) else {
        return false;
    };
    known
        .split(',')
        .any(|known| known.trim() == etag || known.trim() == "*")
}

fn accepts_brotli(headers: &HeaderMap) -> bool {
    let lists = headers
        .get_all(ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        parts.next() == Some("br")
            && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("json" | "webmanifest") => "application/json",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn empty(status: StatusCode) -> Response<Cow<'static, [u8]>> {
    let mut response = Response::new(Cow::Borrowed([].as_slice()));
    *response.status_mut() = status;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str) -> Option<File> {
        let text = match name {
            "index.html"
            | "pay/pay.html"
            | "pay/pay.css"
            | "embed.js"
            | "docs/docs.html"
            | "docs/signing.html"
            | "app-0123456789abcdef_bg.wasm" => name.to_owned(),
            "index.html.br" => "small".to_owned(),
            _ => return None,
        };
        Some(File {
            bytes: Cow::Owned(text.into_bytes()),
            digest: [7; 32],
        })
    }

    fn get(path: &str, headers: &[(&str, &str)]) -> (u16, String, HeaderMap) {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(
                name.parse::<axum::http::HeaderName>().expect("a name"),
                value.parse().expect("a value"),
            );
        }
        let response = answer(source, &Method::GET, path, &map);
        let (parts, body) = response.into_parts();
        (
            parts.status.as_u16(),
            String::from_utf8(body.into_owned()).expect("text"),
            parts.headers,
        )
    }

    #[test]
    fn any_path_without_a_dot_is_the_dashboard() {
        for path in ["/", "/payments", "/payments/pay_1"] {
            let (status, body, headers) = get(path, &[]);
            assert_eq!((status, body.as_str()), (200, "index.html"), "{path}");
            assert_eq!(headers[CACHE_CONTROL], "no-cache");
        }
        assert_eq!(get("/missing.js", &[]).0, 404);
        assert_eq!(get("/pay/missing.js", &[]).0, 404);
        assert_eq!(get("/index.html.br", &[]).0, 404);
    }

    #[test]
    fn a_missing_dashboard_shows_a_placeholder_page() {
        let get = |path| answer(absent, &Method::GET, path, &HeaderMap::new());
        let page = get("/payments");
        assert_eq!(page.status(), StatusCode::OK);
        // The dashboard appears as soon as it is built.
        assert_eq!(page.headers()[CACHE_CONTROL], "no-cache");
        assert!(String::from_utf8_lossy(page.body()).contains("<code>/v1</code>"));
        for missing in ["/first.js", "/pay/plink_1", "/docs"] {
            assert_eq!(get(missing).status(), StatusCode::NOT_FOUND, "{missing}");
        }
    }

    #[test]
    fn a_paylink_url_serves_the_payers_page() {
        assert_eq!(get("/pay/plink_1", &[]).1, "pay/pay.html");
        let (_, body, headers) = get("/pay/pay.css", &[]);
        assert_eq!(
            (body.as_str(), &headers[CONTENT_TYPE]),
            (
                "pay/pay.css",
                &HeaderValue::from_static("text/css; charset=utf-8")
            )
        );
        assert_eq!(headers[CACHE_CONTROL], "no-cache");
    }

    #[test]
    fn only_the_embedded_address_of_the_payers_page_may_be_framed() {
        let (_, body, headers) = get("/embed/plink_1", &[]);
        assert_eq!(body, "pay/pay.html");
        assert_eq!(headers[CONTENT_SECURITY_POLICY], EMBEDDED);
        assert_eq!(headers[RESOURCE_POLICY], "cross-origin");
        let others = ["/pay/plink_1", "/pay/pay.html", "/embed", "/embed/a/b", "/"];
        for path in others {
            let (status, _, headers) = get(path, &[]);
            assert_eq!(status, 200, "{path}");
            let policy = headers[CONTENT_SECURITY_POLICY].to_str().expect("text");
            assert!(!policy.contains("frame-ancestors"), "{path}: {policy}");
            assert!(!headers.contains_key(RESOURCE_POLICY), "{path}");
        }
        assert_eq!(get("/embed/missing.js", &[]).0, 404);
    }

    #[test]
    fn only_the_dashboard_may_frame_the_preview_and_frames_nothing_else() {
        let (_, body, headers) = get("/embed/preview", &[]);
        assert_eq!(body, "pay/pay.html");
        assert_eq!(headers[CONTENT_SECURITY_POLICY], PREVIEW.1);
        assert!(!headers.contains_key(RESOURCE_POLICY));
        let frames = |path| get(path, &[]).2[CONTENT_SECURITY_POLICY].clone();
        let of_dashboard = frames("/settings/checkout");
        let of_dashboard = of_dashboard.to_str().expect("text");
        assert!(
            of_dashboard.ends_with("; frame-src 'self'"),
            "{of_dashboard}"
        );
        for path in ["/pay/plink_1", "/embed/plink_1", "/embed/preview"] {
            let policy = frames(path);
            assert!(
                !policy.to_str().expect("text").contains("frame-src"),
                "{path}"
            );
        }
    }

    #[test]
    fn any_page_may_load_and_cache_the_embed_script() {
        let (_, body, headers) = get("/embed.js", &[]);
        assert_eq!(body, "embed.js");
        assert_eq!(headers[ACCESS_CONTROL_ALLOW_ORIGIN], "*");
        assert_eq!(headers[RESOURCE_POLICY], "cross-origin");
        assert_eq!(headers[CACHE_CONTROL], "public, max-age=3600");
        assert_eq!(
            headers[CONTENT_TYPE],
            HeaderValue::from_static("text/javascript; charset=utf-8")
        );
        let (_, _, other) = get("/pay/pay.css", &[]);
        assert!(!other.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN));
    }

    #[test]
    fn the_api_documentation_has_its_own_page() {
        assert_eq!(get("/docs", &[]).1, "docs/docs.html");
        assert_eq!(get("/docs/", &[]).1, "docs/docs.html");
        assert_eq!(get("/docs/missing.js", &[]).0, 404);
        assert_eq!(get("/documents", &[]).1, "index.html");
    }

    #[test]
    fn a_guide_has_a_path_without_its_ending() {
        let (_, body, headers) = get("/docs/signing", &[]);
        assert_eq!(body, "docs/signing.html");
        assert_eq!(headers[CONTENT_SECURITY_POLICY], GUIDE_POLICY);
        assert_eq!(get("/docs/no-such-guide", &[]).1, "index.html");
        // A guide that this server was built without.
        assert_eq!(get("/docs/errors", &[]).0, 404);
    }

    #[test]
    fn every_guide_is_in_the_sources() {
        for (name, page) in GUIDES {
            let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web");
            assert!(source.join(page).is_file(), "{name}");
            assert_eq!(page, format!("docs/{name}.html"));
        }
    }

    #[test]
    fn a_hashed_file_name_is_cached_forever() {
        let (_, _, headers) = get("/app-0123456789abcdef_bg.wasm", &[]);
        assert_eq!(
            headers[CACHE_CONTROL],
            "public, max-age=31536000, immutable"
        );
        assert_eq!(headers[CONTENT_TYPE], "application/wasm");
        for plain in ["pay/pay.js", "theme.js", "well-known.js", "a-face.js"] {
            assert!(!is_hashed(plain), "{plain}");
        }
    }

    #[test]
    fn a_matching_etag_answers_304() {
        let (_, _, headers) = get("/", &[]);
        let etag = headers[ETAG].to_str().expect("text").to_owned();
        let (status, body, _) = get("/", &[("if-none-match", &format!("\"x\", {etag}"))]);
        assert_eq!((status, body.as_str()), (304, ""));
    }

    #[test]
    fn compressed_files_are_sent_if_accepted() {
        let (_, body, headers) = get("/", &[("accept-encoding", "gzip, br;q=0.9")]);
        assert_eq!(
            (body.as_str(), &headers[CONTENT_ENCODING]),
            ("small", &HeaderValue::from_static("br"))
        );
        for refusing in ["gzip", "br;q=0", "brotli"] {
            assert_eq!(
                get("/", &[("accept-encoding", refusing)]).1,
                "index.html",
                "{refusing}"
            );
        }
    }
}

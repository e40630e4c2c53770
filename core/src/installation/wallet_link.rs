//! Templates of links that open a wallet on the payer's device, and the links that they become.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::error::Reason;
use crate::validate::Report;
use crate::value::record::record;
use crate::web_address::{self, Scheme};

/// The most links: a payer chooses among them on a phone.
pub const WALLET_LINKS_MAX: usize = 20;

const NAME_CHARS_MAX: usize = 40;
const TEMPLATE_CHARS_MAX: usize = 500;

/// Schemes that a browser does not hand to a wallet, or that run or show what the link contains.
const FOREIGN_SCHEMES: [&str; 15] = [
    "about",
    "blob",
    "chrome",
    "content",
    "data",
    "file",
    "filesystem",
    "ftp",
    "http",
    "intent",
    "javascript",
    "vbscript",
    "view-source",
    "ws",
    "wss",
];

/// Escapes all but the unreserved characters of RFC 3986.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

record! {
    /// A link that opens a wallet on the payer's device, with placeholders for the payment.
    WalletLinkTemplate {
        /// Name of the wallet, on the button.
        name: String,
        /// An https URL, or a URL with the wallet's own scheme. `{page_address}`, at the end of the path, is the address of the payer's
        /// page without `https://`, `{page_url}` its percent-encoded URL, `{page_url_twice}` the same encoded once more, for a link
        /// within a link, and `{payment_uri}` the percent-encoded EIP-681 link.
        template: String,
    }
}

/// What a template consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Placeholder(&'a str),
}

/// The text and the placeholders, in order; `None` if a brace has no counterpart.
fn parts(template: &str) -> Option<Vec<Part<'_>>> {
    let (mut parts, mut rest) = (Vec::new(), template);
    while let Some((text, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        parts.extend([Part::Text(text), Part::Placeholder(name)]);
        rest = after;
    }
    parts.push(Part::Text(rest));
    let is_whole = |part: &Part<'_>| match part {
        Part::Text(text) | Part::Placeholder(text) => !text.contains(['{', '}']),
    };
    parts.iter().all(is_whole).then_some(parts)
}

/// Why a text is no template.
fn template_error(template: &str) -> Option<(Reason, &'static str)> {
    const MALFORMED: (Reason, &str) = (
        Reason::UrlMalformed,
        "must be an https URL, or a URL with the wallet's own scheme, with placeholders in braces",
    );
    let Some(parts) = parts(template) else {
        return Some(MALFORMED);
    };
    let names = parts.iter().filter_map(|part| match part {
        Part::Placeholder(name) => Some(*name),
        Part::Text(_) => None,
    });
    let is_known = |name: &str| {
        matches!(
            name,
            "page_address" | "page_url" | "page_url_twice" | "payment_uri"
        )
    };
    if !names.clone().all(is_known) {
        return Some((
            Reason::UnknownValue,
            "may contain only the placeholders {page_address}, {page_url}, {page_url_twice} and {payment_uri}",
        ));
    }
    let Some(first) = names.clone().next() else {
        return Some((
            Reason::Required,
            "must name the page or the payment: {page_address}, {page_url}, {page_url_twice} or {payment_uri}",
        ));
    };
    let (before, after) = template.split_once('{').unwrap_or((template, ""));
    let Some((scheme, start)) = before.split_once("://") else {
        return Some(MALFORMED);
    };
    let scheme = scheme.to_ascii_lowercase();
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_lowercase())
        && scheme.chars().all(|char| {
            char.is_ascii_lowercase() || char.is_ascii_digit() || matches!(char, '+' | '-' | '.')
        });
    if !is_scheme {
        return Some(MALFORMED);
    }
    if FOREIGN_SCHEMES.contains(&scheme.as_str()) {
        return Some((
            Reason::UrlNotHttps,
            "must start with https:// or the wallet's own scheme",
        ));
    }
    // A placeholder does not choose where the link leads.
    if scheme == "https" && !start.contains(['/', '?']) {
        return Some(MALFORMED);
    }
    // The page's own query would begin within another one, or what follows would belong to it.
    let is_address_misplaced = names.clone().any(|name| name == "page_address")
        && !(first == "page_address" && after == "page_address}" && !start.contains('?'));
    if is_address_misplaced {
        return Some((
            Reason::UrlMalformed,
            "must end with {page_address}, in the path: in a query, use {page_url}",
        ));
    }
    let texts = parts.iter().map(|part| match part {
        Part::Text(text) => *text,
        Part::Placeholder(_) => "x",
    });
    let filled: String = texts.collect();
    let (_, rest) = filled.split_once("://")?;
    web_address::error(&format!("https://{rest}"), Scheme::Https).map(|_| MALFORMED)
}

impl WalletLinkTemplate {
    /// Reports a name or template that cannot be offered to payers.
    pub(super) fn validate(&self, report: &mut Report) {
        report.text("name", &self.name, NAME_CHARS_MAX);
        if self.name.chars().any(char::is_control) {
            report.add_error(
                "name",
                Reason::TextMalformed,
                "must have no control characters",
            );
        }
        report.text("template", &self.template, TEMPLATE_CHARS_MAX);
        if report.of("template").is_empty()
            && let Some((reason, message)) = template_error(&self.template)
        {
            report.add_error("template", reason, message);
        }
    }

    /// The link for a payment; `None` if it needs a page and there is none, or if the template is none.
    ///
    /// `page` is the URL of the payer's page, `payment_uri` the EIP-681 link.
    pub fn url(&self, page: Option<&str>, payment_uri: &str) -> Option<String> {
        let encoded = |text: &str| utf8_percent_encode(text, VALUE).to_string();
        let mut url = String::new();
        for part in parts(&self.template)? {
            match part {
                Part::Text(text) => url.push_str(text),
                Part::Placeholder("page_address") => url.push_str(page?.split_once("://")?.1),
                Part::Placeholder("page_url") => url.push_str(&encoded(page?)),
                Part::Placeholder("page_url_twice") => url.push_str(&encoded(&encoded(page?))),
                Part::Placeholder("payment_uri") => url.push_str(&encoded(payment_uri)),
                Part::Placeholder(_) => return None,
            }
        }
        Some(url)
    }
}

/// The wallets that payers are offered until the operator changes the list. Each link opens the page in the wallet's own browser.
pub fn usual_wallet_links() -> Vec<WalletLinkTemplate> {
    let usual = [
        ("MetaMask", "https://link.metamask.io/dapp/{page_address}"),
        (
            "Coinbase Wallet",
            "https://go.cb-w.com/dapp?cb_url={page_url}",
        ),
        (
            "Trust Wallet",
            "https://link.trustwallet.com/open_url?coin_id=60&url={page_url}",
        ),
        (
            "OKX Wallet",
            "https://web3.okx.com/download?deeplink=okx%3A%2F%2Fwallet%2Fdapp%2Furl%3FdappUrl%3D{page_url_twice}",
        ),
    ];
    let usual = usual
        .into_iter()
        .map(|(name, template)| WalletLinkTemplate {
            name: name.to_owned(),
            template: template.to_owned(),
        });
    usual.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(name: &str, template: &str) -> Vec<(String, Reason)> {
        let link = WalletLinkTemplate {
            name: name.to_owned(),
            template: template.to_owned(),
        };
        let mut report = Report::default();
        link.validate(&mut report);
        let errors = report.errors().iter();
        errors
            .map(|error| (error.field.clone().unwrap_or_default(), error.reason))
            .collect()
    }

    #[test]
    fn the_usual_links_and_a_wallets_own_scheme_are_templates() {
        for link in usual_wallet_links() {
            assert_eq!(errors(&link.name, &link.template), [], "{link:?}");
        }
        for template in [
            "trust://open_url?coin_id=60&url={page_url}",
            "metamask://dapp/{page_address}",
            "https://wallet.example/pay?uri={payment_uri}&page={page_url}",
            "https://wallet.example?uri={payment_uri}",
            "com.wallet+pay-2://x?uri={payment_uri}",
        ] {
            assert_eq!(errors("Wallet", template), [], "{template}");
        }
    }

    #[test]
    fn what_a_browser_would_run_or_show_is_no_template() {
        for scheme in FOREIGN_SCHEMES {
            for scheme in [scheme.to_owned(), scheme.to_uppercase()] {
                let template = format!("{scheme}://wallet.example/{{page_url}}");
                let refused = [("template".to_owned(), Reason::UrlNotHttps)];
                assert_eq!(errors("Wallet", &template), refused, "{template}");
            }
        }
        for template in [
            "javascript:alert({page_url})",
            "data:text/html,{page_url}",
            "file:/{page_url}",
            " javascript://wallet.example/{page_url}",
            "java\tscript://wallet.example/{page_url}",
            "java\nscript://wallet.example/{page_url}",
            "{page_url}",
            "{payment_uri}://wallet.example/",
            "https://{page_address}",
            "https://{page_url}/",
            "https://a.{page_url}/",
            "https://user@wallet.example/{page_url}",
            "https://wallet.example/{page_url}#x",
            "https://wallet.example/ {page_url}",
            "https:///{page_url}",
            "//wallet.example/{page_url}",
            "wallet.example/{page_url}",
            "1wallet://x/{page_url}",
            "https://wallet.example/{page_url",
            "https://wallet.example/page_url}",
            "https://wallet.example/{{page_url}}",
            "https://wallet.example/?url={page_address}",
            "https://wallet.example/{page_address}/x",
            "https://wallet.example/{page_url}/{page_address}",
        ] {
            let refused = [("template".to_owned(), Reason::UrlMalformed)];
            assert_eq!(errors("Wallet", template), refused, "{template}");
        }
    }

    #[test]
    fn a_template_has_known_placeholders_a_name_and_a_length() {
        let template = |reason| [("template".to_owned(), reason)];
        let unknown = "https://wallet.example/?url={page}";
        assert_eq!(errors("Wallet", unknown), template(Reason::UnknownValue));
        let none = "https://wallet.example/";
        assert_eq!(errors("Wallet", none), template(Reason::Required));
        let long = |chars: usize| {
            let start = "https://wallet.example/?url={page_url}&x=";
            format!("{start}{}", "a".repeat(chars - start.len()))
        };
        assert_eq!(errors("Wallet", &long(500)), []);
        assert_eq!(errors("Wallet", &long(501)), template(Reason::TooLong));
        let name = |reason| [("name".to_owned(), reason)];
        assert_eq!(errors(" ", &long(100)), name(Reason::Empty));
        assert_eq!(errors(&"a".repeat(41), &long(100)), name(Reason::TooLong));
        assert_eq!(errors("a\u{7}", &long(100)), name(Reason::TextMalformed));
        let both = [
            ("name".to_owned(), Reason::Empty),
            ("template".to_owned(), Reason::Empty),
        ];
        assert_eq!(errors("", ""), both);
    }

    #[test]
    fn each_value_is_encoded_as_its_place_needs() {
        let page = "https://pay.example/pay/pl?payment=1";
        let url = |template: &str, page| {
            let link = WalletLinkTemplate {
                name: "Wallet".to_owned(),
                template: template.to_owned(),
            };
            link.url(page, "ethereum:0xA@1?value=2")
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            url("https://w.example/{page_address}", Some(page)),
            some("https://w.example/pay.example/pay/pl?payment=1")
        );
        assert_eq!(
            url("https://w.example/?u={page_url}&x", Some(page)),
            some("https://w.example/?u=https%3A%2F%2Fpay.example%2Fpay%2Fpl%3Fpayment%3D1&x")
        );
        assert_eq!(
            url("w://x?u={page_url_twice}", Some(page)),
            some("w://x?u=https%253A%252F%252Fpay.example%252Fpay%252Fpl%253Fpayment%253D1")
        );
        assert_eq!(
            url("w://x?u={payment_uri}", None),
            some("w://x?u=ethereum%3A0xA%401%3Fvalue%3D2")
        );
        assert_eq!(url("https://w.example/{page_address}", None), None);
        assert_eq!(url("https://w.example/{page}", Some(page)), None);
    }
}

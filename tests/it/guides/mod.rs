//! The guides beside the API reference: their examples, links and heads, and the list of errors, which is printed.

mod webhook_sample;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use http::Request;
use serde_json::Value;
use settlekit_core::error::Reason;
use settlekit_core::sign;
use settlekit_core::value::Timestamp;
use settlekit_core::webhook::WebhookError;

use crate::documents::current;
use webhook_sample::check;

const GUIDES: [&str; 8] = [
    "quickstart",
    "authentication",
    "signing",
    "webhooks",
    "errors",
    "idempotency",
    "lists",
    "sandbox",
];

/// A page of the folder.
fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../web/docs/{name}.html"));
    fs::read_to_string(path).expect("a page")
}

/// The text of an example.
fn example(page: &str, name: &str) -> String {
    let start = format!("data-example=\"{name}\">");
    let (_, rest) = page.split_once(&start).expect("an example");
    let (text, _) = rest.split_once("</code>").expect("its end");
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

/// The values of an attribute.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    page.split(&start)
        .skip(1)
        .filter_map(|rest| rest.split_once('"').map(|(value, _)| value))
        .collect()
}

#[test]
fn the_signing_guide_shows_the_bytes_of_the_vectors() {
    let page = page("signing");
    let vectors: Value =
        serde_json::from_str(include_str!("../../vectors/signing.json")).expect("vectors");
    let requests = vectors["requests"].as_array().expect("requests");
    let vector = requests
        .iter()
        .find(|request| request["name"] == "a body")
        .expect("a request with a body");
    for name in ["body", "message", "signature"] {
        assert_eq!(vector[name], example(&page, name), "{name}");
    }
    for name in ["secret", "nonce"] {
        assert_eq!(vectors[name], example(&page, name), "{name}");
    }

    let request = Request::builder()
        .method("POST")
        .uri("https://pay.example/v1/paylinks")
        .body(example(&page, "body").into_bytes())
        .expect("a request");
    let message = sign::message(&request, &example(&page, "nonce"));
    assert_eq!(example(&page, "message"), message);
    assert_eq!(
        message.lines().last(),
        Some(example(&page, "digest").as_str())
    );
    let signature = sign::signature(&example(&page, "secret"), &message);
    assert_eq!(example(&page, "signature"), signature);
}

#[test]
fn the_webhook_guide_shows_a_delivery_that_verifies() {
    let page = page("webhooks");
    let vectors: Value =
        serde_json::from_str(include_str!("../../vectors/webhook.json")).expect("vectors");
    let delivery = &vectors["deliveries"][0];
    for name in ["id", "signature", "body"] {
        assert_eq!(delivery[name], example(&page, name), "{name}");
    }
    let timestamp = example(&page, "timestamp");
    assert_eq!(delivery["timestamp"].to_string(), timestamp);
    let key = example(&page, "key");
    assert_eq!(
        vectors["public_key"].as_str().map(str::trim),
        Some(key.as_str())
    );

    let headers = ["id", "timestamp", "signature"]
        .map(|name| (format!("webhook-{name}"), example(&page, name)));
    let now = Timestamp::from_millis(timestamp.parse::<i64>().expect("seconds") * 1_000);
    let checked = |body: &[u8]| {
        let value_of = |name: &str| {
            let found = headers.iter().find(|(known, _)| known == name);
            found.map_or("", |(_, value)| value.as_str())
        };
        check(value_of, body, &key, now)
    };
    assert_eq!(checked(example(&page, "body").as_bytes()), Ok(()));
    assert_eq!(checked(b"{}"), Err(WebhookError::SignatureInvalid));
}

#[test]
fn the_rust_example_is_the_one_that_is_compiled() {
    let source = include_str!("webhook_sample.rs").replace("pub(crate) fn", "pub fn");
    let (_, sample) = source.split_once("\n\n").expect("a comment on the file");
    assert_eq!(example(&page("webhooks"), "rust"), sample.trim_end());
}

/// Skip link and navigation of a page, without the mark of the current page.
fn head(page: &str) -> String {
    let (_, rest) = page.split_once("<body>").expect("a body");
    let (head, _) = rest.split_once("</header>").expect("a head");
    head.replace(" aria-current=\"page\"", "")
}

#[test]
fn every_page_has_the_same_head_and_marks_itself() {
    let reference = page("docs");
    for guide in GUIDES {
        let page = page(guide);
        assert_eq!(head(&page), head(&reference), "{guide}");
        let own = format!("<a href=\"/docs/{guide}\" aria-current=\"page\">");
        assert!(page.contains(&own), "{guide}");
        assert_eq!(page.matches("aria-current").count(), 1, "{guide}");
    }
    assert!(reference.contains("<a href=\"/docs\" aria-current=\"page\">"));
}

#[test]
fn every_section_is_in_the_table_of_contents() {
    for guide in GUIDES {
        let page = page(guide);
        let (_, rest) = page.split_once("class=\"contents\"").expect("contents");
        let (contents, text) = rest.split_once("</nav>").expect("their end");
        let sections: Vec<String> = text
            .split("<h2 id=\"")
            .skip(1)
            .filter_map(|rest| rest.split_once('"').map(|(id, _)| format!("#{id}")))
            .collect();
        assert!(sections.len() > 2, "{guide}");
        assert_eq!(values(contents, "href"), sections, "{guide}");
    }
}

#[test]
fn links_between_the_pages_lead_somewhere() {
    for guide in GUIDES {
        let own = page(guide);
        for href in values(&own, "href") {
            let (path, anchor) = href.split_once('#').unwrap_or((href, ""));
            let target = match path.strip_prefix("/docs/") {
                Some(file) if file.contains('.') => continue,
                Some(name) => {
                    assert!(GUIDES.contains(&name), "{guide}: {href}");
                    page(name)
                }
                None if path.is_empty() => own.clone(),
                None => continue,
            };
            let ids: BTreeSet<&str> = values(&target, "id").into_iter().collect();
            assert!(anchor.is_empty() || ids.contains(anchor), "{guide}: {href}");
        }
    }
}

/// A reason's description as markup.
fn markup(text: &str) -> String {
    let escaped = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let mut marked = String::new();
    for (index, part) in escaped.split('`').enumerate() {
        if index > 0 {
            marked.push_str(if index % 2 == 1 { "<code>" } else { "</code>" });
        }
        marked.push_str(part);
    }
    marked
}

#[test]
fn the_guide_to_errors_is_current() {
    const START: &str = "<!-- Printed from core/src/error.rs -->\n";
    const END: &str = "<!-- Printed until here -->\n";
    let page = page("errors");
    let (before, rest) = page.split_once(START).expect("the start of the list");
    let (_, after) = rest.split_once(END).expect("the end of the list");
    let mut list = String::from(
        "<div class=\"table\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">Reason</th><th scope=\"col\">Status</th>\
         <th scope=\"col\">Meaning</th></tr></thead><tbody>\n",
    );
    for reason in Reason::ALL {
        writeln!(
            list,
            "<tr id=\"{reason}\"><td><code>{reason}</code></td><td>{}</td><td>{}</td></tr>",
            reason.status().as_u16(),
            markup(reason.describe())
        )
        .expect("text grows");
    }
    list.push_str("</tbody></table></div>\n");
    current(
        "web/docs/errors.html",
        &format!("{before}{START}{list}{END}{after}"),
    );
}

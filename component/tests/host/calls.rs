//! Validation, requests and signatures.

use serde_json::{Map, Value};
use settlekit_calls::operation::find;
use settlekit_calls::request;
use settlekit_core::value::Timestamp;

use crate::bindings::exports::settlekit::core::calls::{Credentials, HttpRequest, NonceSeed, Part};
use crate::bindings::exports::settlekit::core::errors::{ErrorDetail, ErrorKind};
use crate::{Host, NOW_MS, OPERATIONS, arguments, credentials, json, lines, list, seed, text};

const REFUSALS: &str = include_str!("../../../tests/vectors/refusals.jsonl");
const SIGNING: &str = include_str!("../../../tests/vectors/signing.json");

fn details(details: &[ErrorDetail]) -> Value {
    let details = details.iter().map(|detail| {
        let mut fields = Map::new();
        fields.insert("domain".to_owned(), detail.domain.clone().into());
        fields.insert("reason".to_owned(), detail.reason.clone().into());
        fields.insert("message".to_owned(), detail.message.clone().into());
        if let Some(field) = &detail.field {
            fields.insert("field".to_owned(), field.clone().into());
        }
        Value::Object(fields)
    });
    details.collect()
}

fn header(request: &HttpRequest, wanted: &str) -> Option<String> {
    let mut headers = request.headers.iter();
    let (_, value) = headers.find(|(name, _)| name == wanted)?;
    Some(value.clone())
}

#[test]
fn every_recorded_refusal_of_the_service_is_made_by_validate_and_by_request() {
    let mut host = Host::new();
    let refusals = lines(REFUSALS);
    assert!(refusals.len() > 1_500, "{}", refusals.len());
    for line in refusals {
        let (operation, given) = (text(&line["operation"]), line["arguments"].to_string());
        let error = host.validate(operation, &given).unwrap_err();
        assert_eq!(details(&error.details), line["errors"], "{line}");
        let error = host.request(operation, &given, &seed()).unwrap_err();
        assert_eq!(details(&error.details), line["errors"], "{line}");
        assert_eq!((error.kind, error.status), (ErrorKind::Validation, None));
    }
}

#[test]
fn every_recorded_call_gives_the_request_of_the_native_core() {
    let mut host = Host::new();
    for line in lines(OPERATIONS) {
        let (operation, given) = (text(&line["operation"]), arguments(&line));
        host.validate(operation, &given).unwrap();
        let made = host.request(operation, &given, &seed()).unwrap();
        let native = request::Credentials {
            base_url: "https://pay.example/v1/".to_owned(),
            api_key: Some("sk_1".to_owned()),
            signing_secret: Some("a secret".to_owned()),
            ..request::Credentials::default()
        };
        let now = Timestamp::from_millis(NOW_MS);
        let native = find(operation)
            .unwrap()
            .request(&given, &native, now, &[7; 10])
            .unwrap();
        let headers: Vec<(String, String)> = native
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        assert_eq!(made.headers, headers, "{operation}");
        assert_eq!(made.url, native.uri().to_string(), "{operation}");
        assert_eq!(made.method, native.method().as_str(), "{operation}");
        let body = made.body.clone().unwrap_or_default();
        assert_eq!(body.as_bytes(), native.body(), "{operation}");
        let recorded = &line["request"];
        let target = made.url.strip_prefix("https://pay.example").unwrap();
        assert_eq!(target, text(&recorded["target"]), "{operation}");
        let body = made.body.as_deref().map_or(Value::Null, json);
        assert_eq!(body, recorded["body"], "{operation}");
    }
}

#[test]
fn signatures_equal_those_of_openssl() {
    let mut host = Host::new();
    let vectors = json(SIGNING);
    let nonce = text(&vectors["nonce"]);
    // The random bytes of a UUIDv7 follow its time; version and variant are set again.
    let random = hex::decode(nonce.replace('-', "")).unwrap()[6..].to_vec();
    let now_ms = vectors["nonce_at_ms"].as_i64().unwrap();
    let seed = NonceSeed { now_ms, random };
    for request in list(&vectors["requests"]) {
        let field = |name: &str| text(&request[name]);
        let org_id = Some(field("organisation")).filter(|id| !id.is_empty());
        let credentials = Credentials {
            signing_secret: Some(text(&vectors["secret"]).to_owned()),
            ..credentials(org_id)
        };
        let separator = if field("query").is_empty() { "" } else { "?" };
        let url = [
            "https://pay.example",
            field("path"),
            separator,
            field("query"),
        ]
        .concat();
        let signed = host
            .sign(field("method"), &url, field("body"), &credentials, &seed)
            .unwrap();
        assert_eq!(header(&signed, "x-api-nonce").as_deref(), Some(nonce));
        let signature = header(&signed, "x-api-signature");
        assert_eq!(signature.as_deref(), Some(field("signature")), "{request}");
    }
}

#[test]
fn a_field_is_validated_alone() {
    let mut host = Host::new();
    let mut reasons = |part, field, given: &str| -> Vec<String> {
        match host.validate_part("CreatePaylink", part, field, given) {
            Ok(()) => Vec::new(),
            Err(error) => error
                .details
                .into_iter()
                .map(|detail| detail.reason)
                .collect(),
        }
    };
    let given = r#"{"amount":"12."}"#;
    assert_eq!(
        reasons(Part::Body, Some("amount"), given),
        ["AMOUNT_MALFORMED"]
    );
    assert_eq!(reasons(Part::All, Some("name"), given), ["REQUIRED"]);
    assert!(reasons(Part::Query, None, "{}").is_empty());
}

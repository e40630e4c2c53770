//! Request signatures and webhooks against Node's crypto.

use http::Request;
use serde_json::Value;
use settlekit_core::header;
use settlekit_core::sign::{self, Nonce};
use settlekit_core::value::Timestamp;
use settlekit_core::webhook::{
    BODY_BYTES_MAX, PublicKey, Received, TOLERANCE, WebhookError, WebhookKey, verify,
};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap()
}

fn request(row: &Value) -> Request<Vec<u8>> {
    let query = text(row, "query");
    let target = if query.is_empty() {
        text(row, "path").to_owned()
    } else {
        format!("{}?{query}", text(row, "path"))
    };
    let mut request = Request::builder().method(text(row, "method")).uri(target);
    if !text(row, "organisation").is_empty() {
        request = request.header(header::ORGANISATION, text(row, "organisation"));
    }
    request.body(text(row, "body").as_bytes().to_vec()).unwrap()
}

#[test]
fn request_signatures_equal_those_of_another_implementation() {
    let vectors: Value =
        serde_json::from_str(include_str!("../../../tests/vectors/signing.json")).unwrap();
    let (secret, nonce) = (text(&vectors, "secret"), text(&vectors, "nonce"));
    let parsed: Nonce = nonce.parse().unwrap();
    assert_eq!(
        parsed.at().millis(),
        vectors["nonce_at_ms"].as_i64().unwrap()
    );
    for row in vectors["requests"].as_array().unwrap() {
        let mut signed = request(row);
        assert_eq!(
            sign::message(&signed, nonce),
            text(row, "message"),
            "{}",
            row["name"]
        );
        sign::sign(&mut signed, secret, parsed);
        assert_eq!(
            signed.headers()[header::SIGNATURE],
            text(row, "signature"),
            "{}",
            row["name"]
        );
        assert!(sign::verify(&signed, secret, nonce, text(row, "signature")));
        assert!(!sign::verify(
            &signed,
            "another secret",
            nonce,
            text(row, "signature")
        ));
        assert!(
            !sign::verify(
                &signed,
                secret,
                nonce,
                &text(row, "signature").to_uppercase()
            ),
            "one request, one signature"
        );
        signed.body_mut().push(b' ');
        assert!(
            !sign::verify(&signed, secret, nonce, text(row, "signature")),
            "{} altered",
            row["name"]
        );
    }
}

#[test]
fn a_nonce_is_a_version_7_uuid_within_five_minutes() {
    for odd in [
        "",
        "1",
        "019aa0b5c3f07c0d9f2e3b6a7d8c9e01",
        "019aa0b5-c3f0-4c0d-9f2e-3b6a7d8c9e01",
        "019aa0b5-c3f0-7c0d-9f2e",
    ] {
        assert!(odd.parse::<Nonce>().is_err(), "{odd:?}");
    }
    let now: Timestamp = "2026-11-21T09:00:00Z".parse().unwrap();
    let nonce = |seconds: i64| {
        Nonce::new(
            Timestamp::from_micros(now.micros() + seconds * 1_000_000),
            [9; 10],
        )
    };
    for (seconds, fresh) in [
        (0, true),
        (300, true),
        (-300, true),
        (301, false),
        (-301, false),
    ] {
        assert_eq!(nonce(seconds).is_fresh(now), fresh, "{seconds}");
    }
}

fn webhooks() -> Value {
    serde_json::from_str(include_str!("../../../tests/vectors/webhook.json")).unwrap()
}

fn time_of(row: &Value) -> Timestamp {
    Timestamp::from_micros(row["timestamp"].as_i64().unwrap() * 1_000_000)
}

fn check(
    row: &Value,
    keys: &[PublicKey],
    signature: &str,
    body: &str,
    seconds_later: i64,
) -> Result<Timestamp, WebhookError> {
    let timestamp = row["timestamp"].as_i64().unwrap().to_string();
    let received = Received {
        id: text(row, "id"),
        timestamp: &timestamp,
        signature,
        body: body.as_bytes(),
    };
    let now = Timestamp::from_micros(time_of(row).micros() + seconds_later * 1_000_000);
    verify(received, keys, now, TOLERANCE)
}

#[test]
fn webhook_signatures_equal_those_of_another_implementation() {
    let vectors = webhooks();
    let secret: [u8; 32] = hex(text(&vectors, "secret_hex")).try_into().unwrap();
    let key = WebhookKey::from_secret(&secret);
    assert_eq!(key.public().to_pem(), text(&vectors, "public_key"));
    let other = WebhookKey::from_secret(&[8; 32]).public();
    for row in vectors["deliveries"].as_array().unwrap() {
        let (body, signature) = (text(row, "body"), text(row, "signature"));
        assert_eq!(
            key.sign(
                text(row, "id"),
                row["timestamp"].as_i64().unwrap(),
                body.as_bytes()
            ),
            signature
        );
        let keys = [key.public()];
        assert_eq!(check(row, &keys, signature, body, 0), Ok(time_of(row)));
        assert_eq!(
            check(
                row,
                &[other.clone(), key.public()],
                &format!("v1,abc v1a,AAAA {signature}"),
                body,
                300
            ),
            Ok(time_of(row))
        );
        assert_eq!(
            check(row, std::slice::from_ref(&other), signature, body, 0),
            Err(WebhookError::SignatureInvalid)
        );
        assert_eq!(
            check(row, &keys, signature, &format!("{body} "), 0),
            Err(WebhookError::SignatureInvalid)
        );
        assert_eq!(
            check(row, &keys, signature, body, 301),
            Err(WebhookError::TooOld)
        );
        assert_eq!(check(row, &keys, signature, body, -300), Ok(time_of(row)));
        assert_eq!(
            check(row, &keys, signature, body, -301),
            Err(WebhookError::TooNew)
        );
        assert_eq!(
            check(row, &keys, "", body, 0),
            Err(WebhookError::SignatureInvalid)
        );
    }
}

#[test]
fn a_webhook_with_a_malformed_id_or_timestamp_is_refused_whatever_it_is_signed_with() {
    let key = WebhookKey::from_secret(&[7; 32]);
    let keys = [key.public()];
    let now: Timestamp = "2026-11-21T09:00:00Z".parse().unwrap();
    let seconds = now.seconds();
    let check = |id: &str, timestamp: &str| {
        let signature = key.sign(id, seconds, b"{}");
        let received = Received {
            id,
            timestamp,
            signature: &signature,
            body: b"{}",
        };
        verify(received, &keys, now, TOLERANCE)
    };
    let timestamp = seconds.to_string();
    assert_eq!(check("evt_1", &timestamp), Ok(now));
    for (id, timestamp) in [
        ("", timestamp.clone()),
        ("evt.1", timestamp.clone()),
        ("evt_1", String::new()),
        ("evt_1", format!("+{timestamp}")),
        ("evt_1", format!("{timestamp}.0")),
        ("evt_1", format!(" {timestamp}")),
        ("evt_1", format!("{timestamp}{timestamp}")),
    ] {
        assert_eq!(
            check(id, &timestamp),
            Err(WebhookError::HeaderMalformed),
            "{id:?} {timestamp:?}"
        );
    }
}

#[test]
fn a_webhook_of_a_mebibyte_is_read_and_a_larger_one_is_refused() {
    let key = WebhookKey::from_secret(&[7; 32]);
    let keys = [key.public()];
    let now: Timestamp = "2026-11-21T09:00:00Z".parse().unwrap();
    let timestamp = now.seconds().to_string();
    for (bytes, expected) in [
        (BODY_BYTES_MAX, Ok(now)),
        (BODY_BYTES_MAX + 1, Err(WebhookError::BodyTooLarge)),
        (BODY_BYTES_MAX * 2, Err(WebhookError::BodyTooLarge)),
    ] {
        let body = vec![b' '; bytes];
        let signature = key.sign("evt_1", now.seconds(), &body);
        let received = Received {
            id: "evt_1",
            timestamp: &timestamp,
            signature: &signature,
            body: &body,
        };
        assert_eq!(
            verify(received, &keys, now, TOLERANCE),
            expected,
            "{bytes} bytes"
        );
    }
}

#[test]
fn every_reason_to_reject_a_webhook_has_its_code() {
    for (error, code) in [
        (WebhookError::KeyMalformed, "KEY_MALFORMED"),
        (WebhookError::HeaderMalformed, "HEADER_MALFORMED"),
        (WebhookError::TooOld, "TOO_OLD"),
        (WebhookError::TooNew, "TOO_NEW"),
        (WebhookError::SignatureInvalid, "SIGNATURE_INVALID"),
        (WebhookError::BodyTooLarge, "BODY_TOO_LARGE"),
    ] {
        assert_eq!(error.as_str(), code);
    }
}

#[test]
fn the_published_signature_of_standard_webhooks_verifies() {
    let row = &webhooks()["published"];
    let secret: [u8; 32] = hex(text(row, "secret_hex")).try_into().unwrap();
    let key = WebhookKey::from_secret(&secret);
    let (body, signature) = (text(row, "body"), text(row, "signature"));
    assert_eq!(key.public().to_pem(), text(row, "public_key"));
    assert_eq!(
        key.sign(
            text(row, "id"),
            row["timestamp"].as_i64().unwrap(),
            body.as_bytes()
        ),
        signature
    );
    let read = PublicKey::from_pem(text(row, "public_key")).unwrap();
    assert_eq!(check(row, &[read], signature, body, 0), Ok(time_of(row)));
}

#[test]
fn a_public_key_is_read_with_any_line_breaks() {
    let vectors = webhooks();
    let key = PublicKey::from_pem(text(&vectors, "public_key")).unwrap();
    for variant in vectors["public_key_variants"].as_array().unwrap() {
        assert_eq!(
            PublicKey::from_pem(variant.as_str().unwrap()),
            Ok(key.clone()),
            "{variant}"
        );
    }
    for odd in vectors["not_keys"].as_array().unwrap() {
        assert_eq!(
            PublicKey::from_pem(odd.as_str().unwrap()),
            Err(WebhookError::KeyMalformed),
            "{odd}"
        );
    }
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

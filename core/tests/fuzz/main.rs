//! One target per decoder: any input is read or rejected without panic, and read values survive a round trip.
//!
//! Each target takes the lines of its file in `corpus/`, then random texts and random edits of those lines, for
//! `SETTLEKIT_FUZZ_SECONDS` (default two). Add the input of a failure as a line to the target's file.

#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fmt::Debug;
use std::time::Duration;

use http::{Request, Response};
use settlekit_core::call::{Failure, read};
use settlekit_core::envelope::{wrap, wrap_error};
use settlekit_core::field::{Body, Query, read_body, read_query};
use settlekit_core::operation::Operation;
use settlekit_core::sign::{self, Nonce};
use settlekit_core::validate::Report;
use settlekit_core::value::{
    AccountId, AccountKey, AccountReference, Amount, Currency, CustomerId, MovementId, Number,
    Param, PaymentId, SubscriptionId, Timestamp,
};
use settlekit_core::webhook::{PublicKey, Received, TOLERANCE, WebhookKey, verify};
use settlekit_core::{account, customer, event, paylink, payment, quote};

/// Runs one target: `decode` must hold for every text.
macro_rules! fuzz {
    ($corpus:literal, $decode:expr) => {
        let corpus = include_str!(concat!("corpus/", $corpus, ".txt"));
        let lines: Vec<&str> = corpus.lines().collect();
        lines.iter().for_each(|line| $decode(line));
        bolero::check!()
            .with_test_time(time())
            .with_iterations(usize::MAX)
            .for_each(|bytes: &[u8]| $decode(&input(&lines, bytes)));
    };
}

fn time() -> Duration {
    let seconds = std::env::var("SETTLEKIT_FUZZ_SECONDS").ok();
    Duration::from_secs(
        seconds
            .and_then(|seconds| seconds.parse().ok())
            .unwrap_or(2),
    )
}

/// Input text from random bytes: the bytes themselves, or an edited line of the corpus, which gets further into a decoder.
fn input(lines: &[&str], bytes: &[u8]) -> String {
    let [choice, line, edits @ ..] = bytes else {
        return String::from_utf8_lossy(bytes).into_owned();
    };
    if choice % 4 == 0 || lines.is_empty() {
        return String::from_utf8_lossy(edits).into_owned();
    }
    let mut text = lines[usize::from(*line) % lines.len()].as_bytes().to_vec();
    for edit in edits.chunks_exact(4).take(8) {
        let at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % (text.len() + 1);
        match edit[2] % 5 {
            0 => text.truncate(at),
            1 => text.insert(at, edit[3]),
            2 if at < text.len() => text[at] = edit[3],
            3 if at < text.len() => drop(text.remove(at)),
            _ => text.extend_from_within(at..),
        }
        // Bounds the doubling.
        text.truncate(1 << 14);
    }
    String::from_utf8_lossy(&text).into_owned()
}

fn param<T: Param + PartialEq + Debug>(text: &str) {
    if let Ok(value) = T::from_text(text) {
        assert_eq!(T::from_text(&value.to_text()).ok(), Some(value), "{text:?}");
    }
}

fn answer<O: Operation>(text: &str) {
    let response = |body: &[u8]| Response::builder().body(body.to_vec()).unwrap();
    if let Ok(record) = read::<O>(&response(text.as_bytes())) {
        let written = wrap(O::WIRE, &record, "OK").unwrap();
        let again = read::<O>(&response(&written)).unwrap();
        assert_eq!(wrap(O::WIRE, &again, "OK").unwrap(), written, "{text:?}");
    }
}

fn body<O: Operation>(text: &str) {
    let within = |bytes: &[u8]| {
        let mut report = Report::default();
        read_body::<O::Body>(bytes, &mut report).filter(|_| report.is_clean())
    };
    if let Some(written) = within(text.as_bytes()).and_then(|body| body.to_bytes()) {
        let again = within(&written).and_then(|body| body.to_bytes());
        assert_eq!(again, Some(written), "{text:?}");
    }
}

fn query<O: Operation>(text: &str) {
    let within = |text: &str| {
        let mut report = Report::default();
        let read = read_query::<O::Query>(text, &mut report).filter(|_| report.is_clean())?;
        let mut pairs = Vec::new();
        read.to_pairs(&mut pairs);
        Some(serde_urlencoded::to_string(pairs).unwrap())
    };
    if let Some(written) = within(text) {
        assert_eq!(within(&written), Some(written), "{text:?}");
    }
}

#[test]
fn page_envelopes() {
    fuzz!("page", |text: &str| {
        answer::<account::ListMovements>(text);
        answer::<customer::ListCustomers>(text);
        answer::<event::ListEvents>(text);
        answer::<payment::ListPayments>(text);
    });
}

#[test]
fn error_envelopes() {
    fuzz!("error", |text: &str| {
        let refused = |body: &[u8]| {
            let response = Response::builder().status(422).body(body.to_vec()).unwrap();
            match read::<payment::GetPayment>(&response) {
                Err(Failure::Refused(error)) => Some(error),
                Err(_) => None,
                Ok(_) => panic!("a refusal was read as a record: {text:?}"),
            }
        };
        if let Some(error) = refused(text.as_bytes()) {
            assert_eq!(refused(&wrap_error(&error)), Some(error), "{text:?}");
        }
    });
}

#[test]
fn amounts() {
    fuzz!("amount", |text: &str| {
        param::<Amount>(text);
        if let Ok(number) = serde_json::from_str::<Number>(text) {
            let written = serde_json::to_string(&number).unwrap();
            assert_eq!(
                serde_json::from_str::<Number>(&written).unwrap(),
                number,
                "{text:?}"
            );
        }
    });
}

#[test]
fn ids() {
    fuzz!("id", |text: &str| {
        param::<AccountId>(text);
        param::<CustomerId>(text);
        param::<MovementId>(text);
        param::<PaymentId>(text);
        param::<SubscriptionId>(text);
    });
}

#[test]
fn timestamps() {
    fuzz!("timestamp", |text: &str| param::<Timestamp>(text));
}

#[test]
fn references() {
    fuzz!("reference", |text: &str| {
        param::<AccountKey>(text);
        param::<AccountReference>(text);
        param::<Currency>(text);
    });
}

#[test]
fn webhook_headers() {
    let key = WebhookKey::from_secret(&[7; 32]).public();
    let other = WebhookKey::from_secret(&[8; 32]).public();
    let now = Timestamp::from_micros(1_763_718_000_000_000);
    fuzz!("webhook", |text: &str| {
        // Headers and body are separated by bars.
        let mut parts = text.splitn(4, '|');
        let mut part = || parts.next().unwrap_or_default();
        let received = Received {
            id: part(),
            timestamp: part(),
            signature: part(),
            body: part().as_bytes(),
        };
        let checked = verify(received, std::slice::from_ref(&key), now, TOLERANCE);
        if let Ok(at) = checked {
            assert_eq!(
                at.seconds().to_string().parse::<i64>().ok(),
                received.timestamp.parse().ok()
            );
        }
        assert!(verify(received, std::slice::from_ref(&other), now, TOLERANCE).is_err());
    });
}

#[test]
fn public_keys() {
    fuzz!("pem", |text: &str| {
        // The corpus escapes line breaks, like keys in environment variables.
        for text in [text, &text.replace("\\n", "\n")] {
            if let Ok(key) = PublicKey::from_pem(text) {
                let again = PublicKey::from_pem(&key.to_pem()).unwrap();
                assert_eq!(again.to_pem(), key.to_pem(), "{text:?}");
            }
        }
    });
}

#[test]
fn signature_headers() {
    const SECRET: &str = "ss_0123456789abcdef0123456789abcdef";
    fuzz!("signature", |text: &str| {
        let request = Request::builder().uri("/v1/orgs").body(Vec::new()).unwrap();
        let (nonce, given) = text.split_once('|').unwrap_or((text, ""));
        let right = sign::signature(SECRET, &sign::message(&request, nonce));
        assert!(sign::verify(&request, SECRET, nonce, &right), "{text:?}");
        assert_eq!(
            sign::verify(&request, SECRET, nonce, given),
            given.eq_ignore_ascii_case(&right),
            "{text:?}"
        );
        if let Ok(nonce) = nonce.parse::<Nonce>() {
            assert_eq!(nonce.to_string().parse::<Nonce>().ok(), Some(nonce));
        }
    });
}

#[test]
fn list_queries() {
    fuzz!("query", |text: &str| {
        query::<account::ListMovements>(text);
        query::<event::ListEvents>(text);
        query::<customer::ListCustomers>(text);
        query::<quote::RequestQuote>(text);
    });
}

#[test]
fn bodies() {
    fuzz!("body", |text: &str| {
        body::<paylink::CreatePaylink>(text);
        body::<customer::UpdateCustomer>(text);
        body::<account::CreateAccount>(text);
    });
}

//! Cost of hostile requests: work and response size are bounded by the size of the request, for every operation. Work is measured in bytes
//! allocated and errors compared, never in seconds.

#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use http::Request;
use settlekit_core::call::Call;
use settlekit_core::envelope::wrap_error;
use settlekit_core::field::Body;
use settlekit_core::operation::Operation;
use settlekit_core::validate::{ERRORS_MAX, Report};

/// Counts allocations per thread.
struct Counting;

thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    // A thread allocates after its counter is dropped.
    let _counted = ALLOCATED.try_with(|allocated| allocated.set(allocated.get() + bytes));
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller upholds the contract of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of this function.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        // SAFETY: the caller upholds the contract of this function.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Maximum size of an error response, in bytes.
const ANSWER_MAX: usize = 64 << 10;

/// Errors created and compared: allowed per request, and per byte of it.
const STEPS: (usize, usize) = (200_000, 4);

/// Bytes allocated: allowed per request, and per byte of it. The smallest JSON value takes two bytes of a body, and is stored as a
/// separate text.
const ALLOCATIONS: (usize, usize) = (1 << 20, 400);

fn list(entry: &str, bytes: usize) -> String {
    let entries = vec![entry; (bytes / (entry.len() + 1)).max(1)];
    format!("[{}]", entries.join(","))
}

fn object(bytes: usize, name: impl Fn(usize) -> String, value: &str) -> String {
    let mut text = String::from("{");
    let mut number = 0;
    while text.len() < bytes {
        if number > 0 {
            text.push(',');
        }
        text.push_str(&format!("\"{}\":{value}", name(number)));
        number += 1;
    }
    text + "}"
}

/// Values of about this size with as many errors as possible.
fn values(bytes: usize) -> Vec<String> {
    let long = "n".repeat(bytes / 2);
    let controls = "\\u0001".repeat(bytes / 12);
    let record = r#"{"chain_id":1,"currencies":["USDC","USDC"],"id":"pl_1","pct":"1","name":""}"#;
    vec![
        list("\"\\u0000\"", bytes),
        list("0", bytes),
        list("\"\"", bytes),
        list("{}", bytes),
        list("[]", bytes),
        list("null", bytes),
        list(record, bytes),
        list(
            r#"{"metadata":{"customer_fields":["",""]},"id":"x"}"#,
            bytes,
        ),
        list(r#"{"a":0,"b":0,"c":0}"#, bytes),
        list("8453", bytes),
        list("\"USDC\"", bytes),
        object(bytes, |number| format!("u{number}"), "0"),
        object(bytes, |number| format!("\\u0000{number}"), "\"\\u0000\""),
        format!("{{\"{long}\":{}}}", list("\"\\u0000\"", bytes / 2)),
        format!(
            "{{\"{long}\":{}}}",
            object(bytes / 2, |number| format!("\\u0000{number}"), "0")
        ),
        format!("{{\"{controls}\":{}}}", list("\"\\u0000\"", bytes / 2)),
        format!("{}\"\\u0000\"{}", "[".repeat(100), "]".repeat(100)),
        format!("\"{}\"", "x".repeat(bytes)),
        "9".repeat(bytes),
        format!("0.{}", "9".repeat(bytes)),
        format!("\"{}\"", "9".repeat(bytes)),
    ]
}

fn bodies(fields: &[&str], bytes: usize) -> Vec<String> {
    let unknown = [
        object(bytes, |number| format!("unknown_{number}"), "0"),
        object(bytes, |number| format!("\\u0000{number}"), "\"\\u0000\""),
        object(bytes, |number| format!("{number}{}", "x".repeat(300)), "0"),
        list("0", bytes),
        "[".repeat(bytes),
    ];
    let values = values(bytes);
    let within = fields.iter().chain(&["metadata"]).flat_map(|field| {
        let values = values.iter();
        values.map(move |value| format!("{{\"{field}\":{value}}}"))
    });
    unknown.into_iter().chain(within).collect()
}

fn queries(params: &[&str], bytes: usize) -> Vec<String> {
    let repeated = |pair: &str| vec![pair; bytes / (pair.len() + 1)].join("&");
    let each = params.iter().flat_map(|name| {
        [
            repeated(&format!("{name}=%00")),
            format!("{name}={}", "a,".repeat(bytes / 2)),
            format!("{name}={}", "9".repeat(bytes)),
        ]
    });
    let unknown: Vec<String> = (0..bytes / 12)
        .map(|number| format!("u{number}=%00"))
        .collect();
    each.chain([unknown.join("&"), repeated("unknown=1")])
        .collect()
}

fn hold<O: Operation>(query: &str, body: String) {
    let target = if query.is_empty() {
        "/".to_owned()
    } else {
        format!("/?{query}")
    };
    let sent = target.len() + body.len();
    let shown: String = format!("{} {target} {body}", O::ID)
        .chars()
        .take(160)
        .collect();
    let request = Request::builder()
        .uri(target)
        .body(body.into_bytes())
        .unwrap();
    let before = ALLOCATED.get();
    let refused = Call::<O>::from_http(&request, &|_| Some("1".to_owned()));
    let Err(report) = refused else { return };
    let answer = wrap_error(&report.to_error(O::ROOM).unwrap());
    let allocated = ALLOCATED.get() - before;
    let steps = report.steps();
    assert!(report.errors().len() <= ERRORS_MAX, "{shown}");
    assert!(
        answer.len() <= ANSWER_MAX,
        "{} bytes answered: {shown}",
        answer.len()
    );
    assert!(steps <= STEPS.0 + STEPS.1 * sent, "{steps} steps: {shown}");
    assert!(
        allocated <= ALLOCATIONS.0 + ALLOCATIONS.1 * sent,
        "{allocated} bytes allocated for {sent}: {shown}"
    );
}

fn hold_operation<O: Operation>() {
    for bytes in [2 << 10, 32 << 10] {
        for body in bodies(O::Body::FIELDS, bytes) {
            hold::<O>("", body);
        }
        let params = <O::Query as settlekit_core::field::Query>::FIELDS;
        for query in queries(params, bytes / 2) {
            hold::<O>(&query, String::new());
        }
    }
}

#[test]
fn work_and_response_size_are_bounded_by_the_request() {
    macro_rules! visit {
        ($operation:path) => {
            hold_operation::<$operation>();
        };
    }
    settlekit_core::for_each_operation!(visit);
}

#[test]
fn a_response_says_when_errors_are_omitted() {
    let mut report = Report::default();
    for number in 0..ERRORS_MAX {
        report.add_error(
            &number.to_string(),
            settlekit_core::error::Reason::Empty,
            "must not be empty",
        );
    }
    let message = report.to_error("x").unwrap().message;
    assert!(
        !report.has_more() && message.ends_with("`99` must not be empty"),
        "{message}"
    );
    report.add_error(
        "more",
        settlekit_core::error::Reason::Empty,
        "must not be empty",
    );
    let error = report.to_error("x").unwrap();
    assert_eq!(error.errors.len(), ERRORS_MAX);
    assert!(
        error
            .message
            .ends_with("only the first 100 errors are listed"),
        "{}",
        error.message
    );
}

//! The Settlekit contract as types: records, operations, validation, exact decimals, request signing, webhook signatures, requests
//! and responses as data.
//!
//! The service, the dashboard, the npm package and the Rust client are built on this crate, natively and as wasm32. A validation
//! with it returns the service's own errors. It has no clock, randomness, network, files or global state: times and random
//! bytes are arguments. To call a service over HTTP, use the crate `settlekit`.
//!
//! # Validate
//!
//! A body is read with all its errors at once, in field order.
//!
//! ```
//! use settlekit_core::field::read_body;
//! use settlekit_core::paylink::CreatePaylinkBody;
//! use settlekit_core::validate::Report;
//!
//! let mut report = Report::default();
//! let body = read_body::<CreatePaylinkBody>(br#"{ "amount": "-1", "currency": "USDC" }"#, &mut report);
//! assert!(body.is_none());
//! let errors: Vec<String> = report.errors().iter().map(|error| error.sentence()).collect();
//! assert_eq!(errors, ["`amount` must be greater than zero", "`name` is required"]);
//! ```
//!
//! An operation that is known by its name only, as in a form or a queue, takes loosely typed arguments.
//!
//! ```
//! use serde_json::json;
//! use settlekit_core::call::Arguments;
//! use settlekit_core::catalogue;
//!
//! let operation = catalogue::find("ListMovements").expect("an operation");
//! let given = json!({ "path": { "account": "till" }, "query": { "limit": 101 } });
//! let arguments: Arguments = serde_json::from_value(given)?;
//! let report = operation.outline.validate(&arguments);
//! assert_eq!(report.errors()[0].reason.as_str(), "OUT_OF_RANGE");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # A request and its response as data
//!
//! ```
//! use settlekit_core::call::{Call, read};
//! use settlekit_core::header;
//! use settlekit_core::payment::{GetPayment, PaymentPath};
//! use settlekit_core::sign::{Nonce, sign};
//! use settlekit_core::value::Timestamp;
//!
//! let payment_id = "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01".parse()?;
//! let mut request = Call::<GetPayment>::at(PaymentPath { payment_id })
//!     .to_http("https://pay.example")
//!     .expect("a valid call");
//! assert_eq!(request.uri().path(), "/v1/payments/pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01");
//! request.headers_mut().insert(header::API_KEY, "sk_…".parse()?);
//! // Signed with the caller's time and ten random bytes, never the same twice.
//! sign(&mut request, "signing secret", Nonce::new(Timestamp::from_millis(1_780_000_000_000), [7; 10]));
//!
//! // Sent by any transport. An error of the service keeps all its details.
//! let response = http::Response::builder()
//!     .status(404)
//!     .body(br#"{ "error": { "code": 404, "message": "payment not found", "errors": [] } }"#.to_vec())?;
//! assert_eq!(read::<GetPayment>(&response).unwrap_err().to_string(), "payment not found");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Verify a webhook
//!
//! ```
//! # #[cfg(feature = "webhook")] {
//! use settlekit_core::value::Timestamp;
//! use settlekit_core::webhook::{Received, TOLERANCE, WebhookKey, verify};
//!
//! let key = WebhookKey::from_secret(&[7; 32]);
//! let body = br#"{ "type": "payment.updated" }"#;
//! let signature = key.sign("evt_1", 1_780_000_000, body);
//! let received = Received { id: "evt_1", timestamp: "1780000000", signature: &signature, body };
//! let now = Timestamp::from_millis(1_780_000_001_000);
//! assert!(verify(received, &[key.public()], now, TOLERANCE).is_ok());
//! # }
//! ```
//!
//! # Values and states
//!
//! ```
//! use settlekit_core::payment::{PaymentStatus, TRANSITIONS};
//! use settlekit_core::value::{Amount, WalletAddress};
//!
//! let address: WalletAddress = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed".parse()?;
//! assert_eq!(address.as_str(), "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
//! assert_eq!("0.1".parse::<Amount>()?.plus("0.20".parse()?)?.to_string(), "0.30");
//! assert!(TRANSITIONS.allows(&PaymentStatus::Processing, &PaymentStatus::Canceled));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | Feature | Adds | Default |
//! |---|---|---|
//! | `webhook` | webhook signatures (module `webhook`), by `ed25519-dalek` and `base64` | yes |
//! | `qr` | QR codes of payment requests (`checkout::qr`), by `qrcodegen` | yes |
//! | `schema` | JSON Schema of every type and the OpenAPI document (module `openapi`), by `schemars` | no |
//!
//! Rust 1.95 or later. Every test runs with this version.

pub mod base_url;
pub mod call;
pub mod catalogue;
pub mod decode;
pub mod envelope;
pub mod error;
pub mod field;
pub mod header;
pub mod json;
#[cfg(feature = "schema")]
pub mod openapi;
pub mod operation;
pub mod page;
mod rules;
pub mod sign;
pub mod state;
pub mod validate;
pub mod value;
mod web_address;
#[cfg(feature = "webhook")]
pub mod webhook;

pub mod account;
pub mod api_key;
pub mod automation;
pub mod chain;
pub mod checkout;
pub mod customer;
pub mod event;
pub mod external_account;
pub mod find;
pub mod installation;
pub mod invoice;
pub mod member;
pub mod note;
pub mod organisation;
pub mod overview;
pub mod partner;
pub mod paylink;
pub mod payment;
pub mod payout;
pub mod plan;
pub mod quote;
pub mod rate;
pub mod sandbox;
pub mod saved_view;
pub mod session;
pub mod subscription;
pub mod trade;
pub mod x402;

/// Version prefix of every API path.
pub const PREFIX: &str = "/v1";

//! Settlekit for Rust: every operation of the service, typed, over HTTP.
//!
//! ```no_run
//! use settlekit::api::account::{ListMovements, ListMovementsPath};
//! use settlekit::api::value::AccountKey;
//! use settlekit::{Call, Client, Nothing};
//! use futures_util::TryStreamExt;
//!
//! # async fn read() -> Result<(), settlekit::Error> {
//! let client = Client::new("https://pay.example", "sk_…")?;
//! let movements = client.pages(Call::<ListMovements> {
//!     path: ListMovementsPath { account: AccountKey::Reference("shop-eu".parse().expect("a reference")) },
//!     query: Default::default(),
//!     body: Nothing {},
//! });
//! let mut items = std::pin::pin!(movements.items());
//! while let Some(movement) = items.try_next().await? {
//!     println!("{} {}", movement.amount, movement.currency);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Requests, records and errors are in [`api`], the crate that the service uses too. This crate adds network and clock: sending,
//! signing with a new nonce per attempt, waiting, retrying. It contains no rule of the contract.
//!
//! The service may be any that speaks the contract:
//!
//! - [`Scheme`] gives the signed message and the nonce, [`api::webhook::Scheme`] the signature of webhooks. The contract leaves both
//!   open.
//! - Ids may have any form. [`of_any_service`](api::value::PaylinkId::of_any_service) makes one from a stored text.
//! - Unknown values of an enumeration are `Other`. Unknown fields are read with [`Client::call_as`] into a type of yours.
//! - An operation that the service lacks is [`Error::Unsupported`], a missing record [`Error::Refused`].

mod client;
mod error;
mod listing;
mod scheme;

pub use client::{Client, Options, Settings};
pub use error::{Error, Refused};
pub use listing::Listing;
pub use scheme::{DefaultScheme, Scheme};
pub use settlekit_core as api;
pub use settlekit_core::call::Call;
pub use settlekit_core::field::Nothing;
pub use settlekit_core::operation::NoPath;

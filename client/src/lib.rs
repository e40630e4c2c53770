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

mod client;
mod error;
mod listing;

pub use client::{Client, Options, Settings};
pub use error::{Error, Refused};
pub use listing::Listing;
pub use settlekit_core as api;
pub use settlekit_core::call::Call;
pub use settlekit_core::field::Nothing;
pub use settlekit_core::operation::NoPath;

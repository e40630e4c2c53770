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
//! What is asked, what is answered and what is refused stands in [`api`], the same crate that the service itself uses.
//! Here is what needs a network and a clock: sending, signing with a fresh nonce for every attempt, waiting, trying again.
//! No rule of the contract is written down here.

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

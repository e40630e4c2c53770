//! Quotes: requested, accepted, listed.

mod accept_quote;
mod request_quote;

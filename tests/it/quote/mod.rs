//! Quotes: requested, accepted, listed.

mod accept_quote;
mod get_quote;
mod list_quotes;
mod reject_quote;
mod request_quote;

//! Quotes: requested, accepted, listed.

mod accept_quote;
mod get_quote;
mod list_quotes;
mod reject_quote;
mod request_quote;

/// A quote for 10 USDC, sold from the balance.
const QUERY: &str = "sell_currency=USDC&sell_amount=10&buy_currency=ETH&deposit_method=Balance";

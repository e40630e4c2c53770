//! Errors of an exchange.

use std::fmt;

use crate::money::web_answer::WebError;

/// An error of an exchange. It has no text of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeError {
    /// There is no whole answer.
    Web(WebError),
    /// The answer has another status than 200.
    Status(u16),
    /// The answer is not of the exchange's format.
    Malformed,
    /// The exchange asks for fewer requests.
    RateLimited,
    /// The exchange does not know the API key.
    KeyUnknown,
    /// The private key does not belong to the API key.
    SignatureWrong,
    /// The nonce is not higher than all before.
    NonceUsed,
    /// The API key may not do this.
    PermissionMissing,
    /// The exchange does not serve now.
    Unavailable,
    /// The stored credentials cannot be unsealed.
    CredentialsDamaged,
    /// The account has too little for the order.
    FundsMissing,
    /// The order is smaller than the exchange takes.
    BelowMinimum,
    /// The price has more digits than the market, or is far from it.
    PriceInvalid,
    /// The exchange has no such market.
    MarketUnknown,
    /// The market takes no such orders now.
    MarketClosed,
    /// The order reached the exchange too late.
    DeadlinePassed,
    /// The exchange does not take a field of the request.
    ArgumentInvalid,
    /// The exchange refuses the withdrawal.
    WithdrawalRefused,
    /// Another refusal.
    Refused,
}

impl ExchangeError {
    /// Whether the exchange has refused the request. Without a refusal, or with one that a repeated request gets, it may have been
    /// done.
    pub(super) const fn is_final(self) -> bool {
        match self {
            Self::KeyUnknown
            | Self::SignatureWrong
            | Self::PermissionMissing
            | Self::FundsMissing
            | Self::BelowMinimum
            | Self::PriceInvalid
            | Self::MarketUnknown
            | Self::MarketClosed
            | Self::DeadlinePassed
            | Self::ArgumentInvalid
            | Self::WithdrawalRefused => true,
            Self::Web(_)
            | Self::Status(_)
            | Self::Malformed
            | Self::RateLimited
            | Self::NonceUsed
            | Self::Unavailable
            | Self::CredentialsDamaged
            | Self::Refused => false,
        }
    }

    /// Whether the exchange refuses an order that the terms of its market allow, as they were read when the market was added.
    pub(super) const fn contradicts_terms(self) -> bool {
        matches!(
            self,
            Self::BelowMinimum
                | Self::PriceInvalid
                | Self::MarketUnknown
                | Self::MarketClosed
                | Self::ArgumentInvalid
        )
    }
}

impl fmt::Display for ExchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Web(error) => return error.fmt(f),
            Self::Status(status) => return write!(f, "HTTP status {status}"),
            Self::Malformed => "the answer is malformed",
            Self::RateLimited => "too many requests",
            Self::KeyUnknown => "the exchange does not know the API key",
            Self::SignatureWrong => "the private key does not belong to the API key",
            Self::NonceUsed => {
                "a request with this API key had a higher nonce: another program uses the key, or a clock was ahead. Create an API key for this service alone, with the nonce window 0"
            }
            Self::PermissionMissing => "the API key lacks a permission",
            Self::Unavailable => "the exchange is temporarily unavailable",
            Self::CredentialsDamaged => {
                "the stored credentials cannot be unsealed: connect the account again"
            }
            Self::FundsMissing => "the account has too little for the order",
            Self::BelowMinimum => "the order is smaller than the exchange takes",
            Self::PriceInvalid => "the exchange does not take this price",
            Self::MarketUnknown => "the exchange has no such market",
            Self::MarketClosed => "the market takes no such orders now",
            Self::DeadlinePassed => "the order reached the exchange too late",
            Self::ArgumentInvalid => "the exchange does not take a field of the request",
            Self::WithdrawalRefused => "the exchange refuses the withdrawal",
            Self::Refused => "the exchange refused the request",
        })
    }
}

impl std::error::Error for ExchangeError {}

//! Sources of prices, as pure parsing: the requests to make, and the prices in an answer.
//!
//! No answer is trusted: one that breaks the source's format is an error as a whole, and a price that cannot be right is an error
//! of its currency.

mod bitstamp;
mod book;
pub mod chainlink;
pub mod chainlink_feeds;
mod coinbase;
mod decimal;
mod ecb;
mod error;
mod kraken;
mod query;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use settlekit_core::value::{Currency, Timestamp};

pub use error::PriceError;
pub use query::{FIAT, PriceQuery, Quoted, Quotes};

/// The most bytes of an answer. All pairs of an exchange take a tenth of it.
pub const BODY_MAX: usize = 1024 * 1024;

/// A source of prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PriceSource {
    /// The exchange Kraken.
    Kraken,
    /// The exchange Coinbase.
    Coinbase,
    /// The exchange Bitstamp.
    Bitstamp,
    /// The reference rates of the European Central Bank.
    Ecb,
    /// Chainlink's feeds on a connected chain: [`chainlink`].
    Chainlink,
}

impl PriceSource {
    /// All sources.
    pub const ALL: [Self; 5] = [
        Self::Kraken,
        Self::Coinbase,
        Self::Bitstamp,
        Self::Ecb,
        Self::Chainlink,
    ];

    /// The sources with a URL of their own.
    pub const WEB: [Self; 4] = [Self::Kraken, Self::Coinbase, Self::Bitstamp, Self::Ecb];

    /// The name in databases, commands and metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kraken => "kraken",
            Self::Coinbase => "coinbase",
            Self::Bitstamp => "bitstamp",
            Self::Ecb => "ecb",
            Self::Chainlink => "chainlink",
        }
    }

    /// The base URL of the source itself; none of Chainlink, which is read through the nodes of a chain.
    pub const fn base_url(self) -> &'static str {
        match self {
            Self::Kraken => "https://api.kraken.com",
            Self::Coinbase => "https://api.exchange.coinbase.com",
            Self::Bitstamp => "https://www.bitstamp.net",
            Self::Ecb => "https://www.ecb.europa.eu",
            Self::Chainlink => "",
        }
    }

    /// The time from one success to the next request. Providers of nodes charge for each call.
    pub const fn pace(self) -> Duration {
        match self {
            Self::Kraken | Self::Coinbase | Self::Bitstamp => Duration::from_secs(15),
            Self::Ecb => Duration::from_secs(60 * 60),
            Self::Chainlink => Duration::from_secs(60),
        }
    }

    /// How old a price may be used by default: the central bank publishes none at weekends. That of a Chainlink feed is no older than
    /// its heartbeat when it is read.
    pub const fn max_age(self) -> Duration {
        match self {
            Self::Kraken | Self::Coinbase | Self::Bitstamp => Duration::from_secs(120),
            Self::Ecb => Duration::from_secs(4 * 24 * 60 * 60),
            Self::Chainlink => Duration::from_secs(5 * 60),
        }
    }

    /// Whether the age of a price counts from the source's own time instead of the time of the request.
    pub const fn counts_own_time(self) -> bool {
        matches!(self, Self::Ecb)
    }

    /// Whether the source may quote a currency in US dollars. A token is asked for until the source says that it does not trade it.
    pub fn may_quote(self, currency: &Currency) -> bool {
        let is_fiat = FIAT.contains(&currency.as_str());
        match self {
            Self::Kraken => !is_fiat || kraken::FIAT.contains(&currency.as_str()),
            Self::Coinbase => !is_fiat,
            Self::Bitstamp => !is_fiat || bitstamp::FIAT.contains(&currency.as_str()),
            Self::Ecb => is_fiat && currency.as_str() != "USD",
            // Its feeds are named when it is connected.
            Self::Chainlink => false,
        }
    }

    /// The requests to a source with a URL of its own for the prices of some currencies; `singly` makes one request for each.
    pub fn queries(self, base: &str, wanted: &[Currency], singly: bool) -> Vec<PriceQuery> {
        let base = base.trim_end_matches('/');
        let quoted = wanted.iter().filter(|currency| self.may_quote(currency));
        let wanted: Vec<Currency> = quoted.cloned().collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        match self {
            Self::Kraken if singly => wanted
                .into_iter()
                .map(|currency| kraken::query(base, vec![currency]))
                .collect(),
            Self::Kraken => vec![kraken::query(base, wanted)],
            Self::Coinbase => coinbase::queries(base, wanted),
            Self::Bitstamp => vec![bitstamp::query(base, wanted)],
            Self::Ecb => vec![ecb::query(base, wanted)],
            Self::Chainlink => Vec::new(),
        }
    }

    /// The prices in an answer to a query.
    ///
    /// # Errors
    /// The failure of the answer as a whole.
    pub fn read(
        self,
        query: &PriceQuery,
        status: u16,
        body: &[u8],
        now: Timestamp,
    ) -> Result<Quotes, PriceError> {
        let is_unknown = self == Self::Coinbase && matches!(status, 400 | 404);
        if is_unknown && body.len() <= BODY_MAX {
            return coinbase::unknown(&query.currencies, body);
        }
        check_answer(status, body)?;
        match self {
            Self::Kraken => kraken::read(&query.currencies, body),
            Self::Coinbase => coinbase::read(&query.currencies, body, now),
            Self::Bitstamp => bitstamp::read(&query.currencies, body, now),
            Self::Ecb => ecb::read(&query.currencies, body, now),
            // The answers of several nodes are read together.
            Self::Chainlink => Err(PriceError::Malformed),
        }
    }
}

/// Checks that an answer has a body to read.
pub(super) fn check_answer(status: u16, body: &[u8]) -> Result<(), PriceError> {
    match status {
        _ if body.len() > BODY_MAX => Err(PriceError::TooLarge),
        429 => Err(PriceError::RateLimited),
        200 if body.trim_ascii().is_empty() => Err(PriceError::Empty),
        200 => Ok(()),
        status => Err(PriceError::Status(status)),
    }
}

impl fmt::Display for PriceSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for PriceSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Self::ALL.into_iter();
        all.find(|source| source.as_str() == text).ok_or_else(|| {
            format!("{text:?} is none of kraken, coinbase, bitstamp, ecb and chainlink")
        })
    }
}

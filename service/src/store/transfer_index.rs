//! The position of a transfer within its transaction, which may contain several, even to one address.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The position of a transfer within its transaction.
///
/// Positions count within the transaction, not within the block as `logIndex` of nodes does: a transaction that a reorganisation
/// moves to another block keeps its positions, so its transfers keep their identity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TransferIndex {
    /// The transaction's own value in the native asset; at most one.
    #[default]
    Value,
    /// A token transfer: the position of its log in the receipt, from 0.
    Log(u32),
    /// A transfer of the native asset by a contract: its position among those of the transaction's trace, depth first, from 0.
    /// Calls that move nothing do not count, because nodes list some of them differently.
    Trace(u32),
    /// The network's fee for the transaction.
    Fee,
    /// A transfer that a reorganisation took away permanently: the id of its row. Its position is free for the transfer that replaced it.
    Lost(i64),
}

impl TransferIndex {
    /// The position of the only transfer of a transaction: of a token, or of the native asset.
    pub const fn of_plain_transfer(is_token: bool) -> Self {
        match is_token {
            true => Self::Log(0),
            false => Self::Value,
        }
    }

    /// Whether it may be the position of the only transfer of a transaction.
    pub const fn is_of_plain_transfer(self) -> bool {
        matches!(self, Self::Log(0) | Self::Value)
    }
}

/// A text that is no transfer index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransferIndexError;

impl fmt::Display for TransferIndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be `value`, `log:N` or `trace:N`")
    }
}

impl std::error::Error for TransferIndexError {}

impl fmt::Display for TransferIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value => f.write_str("value"),
            Self::Fee => f.write_str("fee"),
            Self::Log(index) => write!(f, "log:{index}"),
            Self::Trace(index) => write!(f, "trace:{index}"),
            Self::Lost(id) => write!(f, "lost:{id}"),
        }
    }
}

impl FromStr for TransferIndex {
    type Err = TransferIndexError;

    fn from_str(text: &str) -> Result<Self, TransferIndexError> {
        // Part of a key, hence canonical: no sign, no leading zero.
        let number = |text: &str| {
            let index: u32 = text.parse().map_err(|_| TransferIndexError)?;
            (index.to_string() == text)
                .then_some(index)
                .ok_or(TransferIndexError)
        };
        match text.split_once(':') {
            None if text == "value" => Ok(Self::Value),
            None if text == "fee" => Ok(Self::Fee),
            Some(("log", index)) => number(index).map(Self::Log),
            Some(("trace", index)) => number(index).map(Self::Trace),
            Some(("lost", id)) => id.parse().map(Self::Lost).map_err(|_| TransferIndexError),
            _ => Err(TransferIndexError),
        }
    }
}

impl TryFrom<String> for TransferIndex {
    type Error = TransferIndexError;

    fn try_from(text: String) -> Result<Self, TransferIndexError> {
        text.parse()
    }
}

impl From<TransferIndex> for String {
    fn from(index: TransferIndex) -> Self {
        index.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_read_as_it_is_written_and_nothing_else_is() {
        for index in [
            TransferIndex::Value,
            TransferIndex::Log(0),
            TransferIndex::Log(u32::MAX),
            TransferIndex::Trace(7),
        ] {
            assert_eq!(index.to_string().parse(), Ok(index));
        }
        for text in [
            "",
            "log",
            "log:",
            "log:-1",
            "log:+1",
            "log:01",
            "log:4294967296",
            "LOG:1",
            "value:0",
            "trace: 1",
        ] {
            assert_eq!(
                text.parse::<TransferIndex>(),
                Err(TransferIndexError),
                "{text}"
            );
        }
    }
}

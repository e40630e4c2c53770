//! Observations of the simulated chain as data.

use serde::{Deserialize, Serialize};
use settlekit_core::value::{ChainId, Currency};

use crate::chains::observe::Observation;
use crate::store::transfer_index::TransferIndex;

/// An observation of a chain, as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireObservation {
    /// A transfer to an address.
    Deposit {
        /// The chain.
        chain: ChainId,
        /// The transaction's hash.
        hash: String,
        /// The transfer within the transaction: `value`, `log:N` or `trace:N`.
        #[serde(default)]
        transfer: TransferIndex,
        /// The sender.
        #[serde(default)]
        from: Option<String>,
        /// The receiver.
        to: String,
        /// The currency.
        currency: Currency,
        /// The amount in the currency's smallest unit, an integer as text.
        units: String,
        /// The blocks on top, its own included.
        confirmations: u32,
    },
    /// A transaction will never confirm.
    Failed {
        /// The chain.
        chain: ChainId,
        /// The transaction's hash.
        hash: String,
        /// The transfer; all to the receiver if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transfer: Option<TransferIndex>,
        /// The receiver.
        to: String,
    },
    /// A reorganisation moved a transaction to a new block.
    Reorganised {
        /// The chain.
        chain: ChainId,
        /// The transaction's hash.
        hash: String,
        /// The transfer; all to the receiver if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transfer: Option<TransferIndex>,
        /// The receiver.
        to: String,
    },
}

impl WireObservation {
    pub(super) fn to_observation(&self) -> Option<Observation> {
        Some(match self.clone() {
            Self::Deposit {
                chain,
                hash,
                transfer,
                from,
                to,
                currency,
                units,
                confirmations,
            } => {
                let units = units.parse().ok()?;
                Observation::Deposit {
                    chain,
                    hash,
                    transfer,
                    from,
                    to,
                    currency,
                    units,
                    confirmations,
                    simulated: false,
                }
            }
            Self::Failed {
                chain,
                hash,
                transfer,
                to,
            } => Observation::Failed {
                chain,
                hash,
                transfer,
                to,
            },
            Self::Reorganised {
                chain,
                hash,
                transfer,
                to,
            } => Observation::Reorganised {
                chain,
                hash,
                transfer,
                to,
            },
        })
    }
}

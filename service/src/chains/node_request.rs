//! Requests that a host makes for transactions of hot wallets, to nodes and to external signers, and the answers that it reports.

use alloy_primitives::{Address, B256, U256};
use settlekit_core::value::ChainId;

use super::block::BlockId;

/// A request that the host makes to a node, and reports with its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeRequest {
    /// How much gas a transaction needs now (`eth_estimateGas`), and the priority fee.
    Estimate {
        /// The transaction.
        id: i64,
        /// The hot wallet.
        from: Address,
        /// The receiver or contract.
        to: Address,
        /// In wei.
        value: U256,
        /// The call of the contract.
        data: Vec<u8>,
    },
    /// Asks the external signer of a hot wallet for a signature (`eth_signTransaction`).
    Sign {
        /// The transaction.
        id: i64,
        /// Its form.
        number: u32,
        /// The URL of the signer.
        signer: String,
        /// The transaction to sign.
        transaction: UnsignedTransaction,
    },
    /// Broadcasts signed bytes (`eth_sendRawTransaction`).
    Broadcast {
        /// The transaction.
        id: i64,
        /// Its hash.
        hash: B256,
        /// The bytes.
        signed: Vec<u8>,
    },
    /// The balances of a merchant's own wallet at a settled block (`eth_getBalance`, `balanceOf`).
    Balances {
        /// The wallet.
        wallet: Address,
        /// The block, which is asked for by its hash.
        block: BlockId,
        /// The contracts of the tokens, and `None` for the native coin.
        tokens: Vec<Option<Address>>,
    },
}

/// A transaction for an external signer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsignedTransaction {
    /// The chain.
    pub chain: ChainId,
    /// The hot wallet.
    pub from: Address,
    /// Its number among the wallet's transactions.
    pub nonce: u64,
    /// The most gas.
    pub gas_limit: u64,
    /// The most wei per gas.
    pub max_fee: u128,
    /// The wei per gas for the block's proposer.
    pub priority_fee: u128,
    /// The receiver or contract.
    pub to: Address,
    /// In wei.
    pub value: U256,
    /// The call of the contract.
    pub data: Vec<u8>,
}

/// An external signer's answer to [`NodeRequest::Sign`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signature {
    /// The signed bytes, which are checked.
    Signed(Vec<u8>),
    /// It does not sign this transaction.
    Refused,
}

/// A node's answer to [`NodeRequest::Estimate`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Estimate {
    /// The transaction would succeed.
    Succeeds {
        /// The gas that it needs.
        gas: u64,
        /// The usual priority fee, in wei per gas.
        priority_fee: u128,
    },
    /// The contract would revert the transaction.
    Reverts,
    /// The hot wallet lacks the money for the transaction or its gas.
    Unaffordable,
}

/// A node's answer to [`NodeRequest::Broadcast`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broadcast {
    /// The node took the transaction, or has it already.
    Accepted,
    /// The fees are too low for the node, or for a replacement.
    Underpriced,
    /// The nonce has been used.
    NonceUsed,
    /// The hot wallet cannot pay for the gas.
    Unaffordable,
    /// A temporary error of the node, or an earlier nonce is missing.
    Failed,
    /// The node refuses the transaction, perhaps permanently.
    Refused,
}

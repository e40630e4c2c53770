//! Answers of nodes as types, checked for what each must be by itself.

use alloy_primitives::{Address, B256, FixedBytes, U256, b256, keccak256};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::encoding::Hex;

/// The topic of `Transfer(address,address,uint256)`.
pub const TRANSFER: B256 =
    b256!("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");

/// The header of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The height.
    pub number: u64,
    /// Its hash.
    pub hash: B256,
    /// The hash of the block before.
    pub parent: B256,
    /// The fee per gas that every transaction pays, in wei; 0 on a chain without one.
    pub base_fee: u128,
    /// The filter of the addresses and topics of its logs.
    pub bloom: Option<Box<FixedBytes<256>>>,
}

impl Header {
    /// Whether the block may contain a transfer of one of the tokens; it does not if the filter lacks it.
    pub fn may_transfer(&self, tokens: &[Address]) -> bool {
        let Some(bloom) = &self.bloom else {
            return false;
        };
        may_contain(bloom, TRANSFER.as_slice())
            && tokens
                .iter()
                .any(|token| may_contain(bloom, token.as_slice()))
    }
}

/// Whether all three bits of a value are set (Ethereum yellow paper, 4.3.1).
fn may_contain(bloom: &FixedBytes<256>, value: &[u8]) -> bool {
    let hash = keccak256(value);
    [0, 2, 4].into_iter().all(|at| {
        let bit = (usize::from(hash[at]) << 8 | usize::from(hash[at + 1])) & 2047;
        bloom[255 - bit / 8] & (1 << (bit % 8)) != 0
    })
}

/// A block with its transactions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullBlock {
    /// The header.
    pub header: Header,
    /// The transactions, in order.
    pub transactions: Vec<Transaction>,
}

/// A transaction of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// Its hash.
    pub hash: B256,
    /// The sender.
    pub from: Address,
    /// The receiver; `None` creates a contract.
    pub to: Option<Address>,
    /// The native coins sent along.
    pub value: U256,
    /// Its number among those of the sender.
    pub nonce: u64,
}

/// A transfer of a token, from its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenTransfer {
    /// The block's hash.
    pub block: B256,
    /// The transaction's hash.
    pub transaction: B256,
    /// The log's position within the block.
    pub log_index: u64,
    /// The token's contract.
    pub token: Address,
    /// The sender.
    pub from: Address,
    /// The receiver.
    pub to: Address,
    /// The amount in the smallest unit.
    pub units: U256,
}

/// The receipt of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The transaction's hash.
    pub transaction: B256,
    /// The position within the block.
    pub position: u64,
    /// The block's hash.
    pub block: B256,
    /// Whether the transaction succeeded.
    pub succeeded: bool,
    /// What the network took, in wei.
    pub fee: U256,
    /// The contract that the transaction created.
    pub created: Option<Address>,
    /// The transfers of the tokens asked for, each with the position of its log within the receipt.
    pub transfers: Vec<(u32, TokenTransfer)>,
}

/// A block, with its transactions read or ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BlockAnswer<T> {
    number: Hex<u64>,
    hash: Hex<B256>,
    parent_hash: Hex<B256>,
    base_fee_per_gas: Option<Hex<u128>>,
    logs_bloom: Option<Hex<FixedBytes<256>>>,
    transactions: T,
}

pub(super) type HeaderAnswer = BlockAnswer<IgnoredAny>;
pub(super) type FullBlockAnswer = BlockAnswer<Vec<TransactionAnswer>>;

impl<T> BlockAnswer<T> {
    pub(super) fn read_header(self) -> Header {
        self.split().0
    }

    fn split(self) -> (Header, T) {
        let header = Header {
            number: self.number.0,
            hash: self.hash.0,
            parent: self.parent_hash.0,
            base_fee: self.base_fee_per_gas.map_or(0, |fee| fee.0),
            bloom: self.logs_bloom.map(|bloom| Box::new(bloom.0)),
        };
        (header, self.transactions)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TransactionAnswer {
    hash: Hex<B256>,
    from: Hex<Address>,
    to: Option<Hex<Address>>,
    value: Hex<U256>,
    nonce: Hex<u64>,
    block_hash: Option<Hex<B256>>,
}

impl FullBlockAnswer {
    /// The block of a height.
    pub(super) fn read(self, number: u64) -> Result<FullBlock, String> {
        let (header, transactions) = self.split();
        if header.number != number {
            return Err(format!("block {} instead of {number}", header.number));
        }
        let read = |transaction: TransactionAnswer| match transaction.block_hash {
            Some(block) if block.0 != header.hash => {
                Err(format!("block {number} with a transaction of another"))
            }
            _ => Ok(Transaction {
                hash: transaction.hash.0,
                from: transaction.from.0,
                to: transaction.to.map(|to| to.0),
                value: transaction.value.0,
                nonce: transaction.nonce.0,
            }),
        };
        let transactions = transactions.into_iter().map(read);
        Ok(FullBlock {
            transactions: transactions.collect::<Result<_, _>>()?,
            header,
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogAnswer {
    address: Hex<Address>,
    topics: Vec<Hex<B256>>,
    data: Hex<Vec<u8>>,
    block_hash: Option<Hex<B256>>,
    transaction_hash: Option<Hex<B256>>,
    log_index: Option<Hex<u64>>,
    #[serde(default)]
    removed: bool,
}

impl LogAnswer {
    /// Whether it is a transfer of one of the tokens.
    fn is_transfer(&self, tokens: &[Address]) -> bool {
        tokens.contains(&self.address.0) && self.topics.first() == Some(&Hex(TRANSFER))
    }

    /// The transfer of a log that was asked for as one.
    pub(super) fn read(self, tokens: &[Address]) -> Result<TokenTransfer, String> {
        if !self.is_transfer(tokens) {
            return Err("a log that was not asked for".to_owned());
        }
        let (Some(block), Some(transaction), Some(log_index)) =
            (self.block_hash, self.transaction_hash, self.log_index)
        else {
            return Err("a log of no block".to_owned());
        };
        if self.removed {
            return Err("a log of a block that was removed".to_owned());
        }
        let [_, from, to] = self.topics.as_slice() else {
            return Err(format!(
                "a transfer of the token {} with {} topics instead of 3",
                self.address.0,
                self.topics.len()
            ));
        };
        let units = <[u8; 32]>::try_from(self.data.0)
            .map_err(|data| format!("a transfer of {} bytes", data.len()))?;
        Ok(TokenTransfer {
            block: block.0,
            transaction: transaction.0,
            log_index: log_index.0,
            token: self.address.0,
            from: address(from.0)?,
            to: address(to.0)?,
            units: U256::from_be_bytes(units),
        })
    }
}

fn address(topic: B256) -> Result<Address, String> {
    let (padding, address) = topic.split_at(12);
    if padding.iter().any(|byte| *byte != 0) {
        return Err(format!("the topic {topic} is no address"));
    }
    Ok(Address::from_slice(address))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReceiptAnswer {
    transaction_hash: Hex<B256>,
    transaction_index: Hex<u64>,
    block_hash: Hex<B256>,
    status: Hex<u64>,
    gas_used: Hex<u64>,
    effective_gas_price: Hex<u128>,
    l1_fee: Option<Hex<U256>>,
    contract_address: Option<Hex<Address>>,
    logs: Vec<LogAnswer>,
}

impl ReceiptAnswer {
    /// The receipt, with the transfers of the tokens.
    pub(super) fn read(self, tokens: &[Address]) -> Result<Receipt, String> {
        let (transaction, block) = (self.transaction_hash.0, self.block_hash.0);
        let succeeded = match self.status.0 {
            0 if self.logs.is_empty() => false,
            0 => return Err(format!("the transaction {transaction} failed with logs")),
            1 => true,
            status => return Err(format!("the status {status} of {transaction}")),
        };
        let mut transfers = Vec::new();
        let mut last = None;
        for (position, log) in (0..).zip(self.logs) {
            let index = log.log_index.as_ref().map(|index| index.0);
            if index <= last {
                return Err(format!("the logs of {transaction} are out of order"));
            }
            last = index;
            if log.is_transfer(tokens) {
                let transfer = log.read(tokens)?;
                if transfer.transaction != transaction || transfer.block != block {
                    return Err(format!("{transaction} with a log of another transaction"));
                }
                transfers.push((position, transfer));
            }
        }
        let gas = U256::from(self.gas_used.0) * U256::from(self.effective_gas_price.0);
        let l1_fee = self.l1_fee.map_or(U256::ZERO, |fee| fee.0);
        let fee = gas.checked_add(l1_fee);
        Ok(Receipt {
            transaction,
            position: self.transaction_index.0,
            block,
            succeeded,
            fee: fee.ok_or_else(|| format!("the fee of {transaction} is too large"))?,
            created: self.contract_address.map(|created| created.0),
            transfers,
        })
    }
}

//! Answers of nodes as types, checked for what each must be by itself.

use alloy_primitives::{Address, B256, FixedBytes, U256, b256, keccak256};
use alloy_sol_types::{SolEvent, sol};
use serde::Deserialize;
use serde::de::IgnoredAny;
use settlekit_core::value::Timestamp;
use settlekit_service::FACTORY;
use settlekit_service::block::UsedAuthorization;

use super::encoding::Hex;
use super::plain_transfer::TransferReceiver;

/// The topic of `Transfer(address,address,uint256)`.
pub const TRANSFER: B256 =
    b256!("ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");

sol! {
    /// A proxy wallet paid native coins, `contracts/src/Factory.sol`.
    event NativeSwept(address indexed wallet, uint256 amount);

    /// A token executed a transfer that its sender signed (EIP-3009).
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
}

/// The topic of the factory's `NativeSwept(address,uint256)`.
pub const NATIVE_SWEPT: B256 = NativeSwept::SIGNATURE_HASH;

/// The header of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The height.
    pub number: u64,
    /// Its hash.
    pub hash: B256,
    /// The hash of the block before.
    pub parent: B256,
    /// When it was mined.
    pub mined_at: Timestamp,
    /// The fee per gas that every transaction pays, in wei; 0 on a chain without one.
    pub base_fee: u128,
    /// The filter of the addresses and topics of its logs.
    pub bloom: Option<Box<FixedBytes<256>>>,
}

impl Header {
    /// Whether the block may contain a transfer of one of the tokens, or a sweep; it does not if the filter lacks it.
    pub fn may_log(&self, tokens: &[Address]) -> bool {
        let Some(bloom) = &self.bloom else {
            return false;
        };
        let has = |value: &[u8]| may_contain(bloom, value);
        let has_token = || tokens.iter().any(|token| has(token.as_slice()));
        has(TRANSFER.as_slice()) && has_token()
            || has(NATIVE_SWEPT.as_slice()) && has(FACTORY.as_slice())
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
    /// The receiver, if it is a plain transfer of any token.
    pub token_receiver: Option<Address>,
}

/// A log of a token, or of the factory of proxy wallets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The block's hash.
    pub block: B256,
    /// The transaction's hash.
    pub transaction: B256,
    /// The log's position within the block.
    pub log_index: u64,
    /// What it says.
    pub event: LogEvent,
}

/// What a log says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogEvent {
    /// A token moved.
    Transfer {
        /// The token's contract.
        token: Address,
        /// The sender.
        from: Address,
        /// The receiver.
        to: Address,
        /// The amount in the smallest unit.
        units: U256,
    },
    /// A proxy wallet paid native coins to its destination, which the log does not name.
    NativeSwept {
        /// The proxy wallet.
        wallet: Address,
        /// In wei.
        units: U256,
    },
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
    /// The network's fee, in wei.
    pub fee: U256,
    /// The contract that the transaction created.
    pub created: Option<Address>,
    /// The logs of the tokens asked for and of sweeps, each with its position within the receipt.
    pub logs: Vec<(u32, Log)>,
    /// The authorizations of those tokens that were used (EIP-3009).
    pub authorizations: Vec<UsedAuthorization>,
    /// The contract and receiver of each transfer of other tokens.
    pub unconfigured: Vec<(Address, Address)>,
}

/// A block, with its transactions read or ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BlockAnswer<T> {
    number: Hex<u64>,
    hash: Hex<B256>,
    parent_hash: Hex<B256>,
    timestamp: Hex<u64>,
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
        let seconds = i64::try_from(self.timestamp.0).unwrap_or(i64::MAX);
        let header = Header {
            number: self.number.0,
            hash: self.hash.0,
            parent: self.parent_hash.0,
            mined_at: Timestamp::from_millis(seconds.saturating_mul(1_000)),
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
    #[serde(default)]
    input: TransferReceiver,
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
                token_receiver: transaction.input.0,
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
    /// The log; `None` for another event of a contract that was asked for.
    pub(super) fn read_asked(self, tokens: &[Address]) -> Result<Option<Log>, String> {
        let address = self.address.0;
        let is_of_contract = tokens.contains(&address) || address == FACTORY;
        let topic = self.topics.first().map(|topic| topic.0);
        if !is_of_contract || ![Some(TRANSFER), Some(NATIVE_SWEPT)].contains(&topic) {
            return Err("a log that was not asked for".to_owned());
        }
        self.read(tokens)
    }

    /// The log; `None` for one that does not matter.
    fn read(self, tokens: &[Address]) -> Result<Option<Log>, String> {
        let address = self.address.0;
        let event = match self.topics.first().map(|topic| topic.0) {
            Some(TRANSFER) if tokens.contains(&address) => self.read_transfer()?,
            Some(NATIVE_SWEPT) if address == FACTORY => self.read_sweep()?,
            _ => return Ok(None),
        };
        let (Some(block), Some(transaction), Some(log_index)) =
            (self.block_hash, self.transaction_hash, self.log_index)
        else {
            return Err("a log of no block".to_owned());
        };
        if self.removed {
            return Err("a log of a block that was removed".to_owned());
        }
        Ok(Some(Log {
            block: block.0,
            transaction: transaction.0,
            log_index: log_index.0,
            event,
        }))
    }

    /// The contract and receiver of a transfer of another token. Those of contracts that are no plain tokens have other logs.
    fn unconfigured_transfer(&self, tokens: &[Address]) -> Option<(Address, Address)> {
        let token = self.address.0;
        let [topic, _, to] = self.topics.as_slice() else {
            return None;
        };
        if topic.0 != TRANSFER || tokens.contains(&token) {
            return None;
        }
        let units = self.read_units("transfer").ok()?;
        (!units.is_zero()).then_some((token, address(to.0).ok()?))
    }

    /// The authorization that a token says was used in a transaction.
    fn used_authorization(&self, hash: B256, tokens: &[Address]) -> Option<UsedAuthorization> {
        let token = self.address.0;
        let [topic, authorizer, nonce] = self.topics.as_slice() else {
            return None;
        };
        if topic.0 != AuthorizationUsed::SIGNATURE_HASH || !tokens.contains(&token) {
            return None;
        }
        Some(UsedAuthorization {
            hash,
            token,
            authorizer: address(authorizer.0).ok()?,
            nonce: nonce.0,
        })
    }

    fn read_transfer(&self) -> Result<LogEvent, String> {
        let [_, from, to] = self.topics.as_slice() else {
            return Err(format!(
                "a transfer of the token {} with {} topics instead of 3",
                self.address.0,
                self.topics.len()
            ));
        };
        Ok(LogEvent::Transfer {
            token: self.address.0,
            from: address(from.0)?,
            to: address(to.0)?,
            units: self.read_units("transfer")?,
        })
    }

    fn read_sweep(&self) -> Result<LogEvent, String> {
        let [_, wallet] = self.topics.as_slice() else {
            return Err(format!(
                "a sweep with {} topics instead of 2",
                self.topics.len()
            ));
        };
        Ok(LogEvent::NativeSwept {
            wallet: address(wallet.0)?,
            units: self.read_units("sweep")?,
        })
    }

    fn read_units(&self, what: &str) -> Result<U256, String> {
        let units = <[u8; 32]>::try_from(self.data.0.as_slice())
            .map_err(|_| format!("a {what} of {} bytes", self.data.0.len()))?;
        Ok(U256::from_be_bytes(units))
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
    /// The receipt, with the logs of the tokens and of sweeps.
    pub(super) fn read(self, tokens: &[Address]) -> Result<Receipt, String> {
        let (transaction, block) = (self.transaction_hash.0, self.block_hash.0);
        let succeeded = match self.status.0 {
            0 if self.logs.is_empty() => false,
            0 => return Err(format!("the transaction {transaction} failed with logs")),
            1 => true,
            status => return Err(format!("the status {status} of {transaction}")),
        };
        let (mut logs, mut authorizations) = (Vec::new(), Vec::new());
        let mut unconfigured = Vec::new();
        let mut last = None;
        for (position, log) in (0..).zip(self.logs) {
            let index = log.log_index.as_ref().map(|index| index.0);
            if index <= last {
                return Err(format!("the logs of {transaction} are out of order"));
            }
            last = index;
            authorizations.extend(log.used_authorization(transaction, tokens));
            unconfigured.extend(log.unconfigured_transfer(tokens));
            if let Some(log) = log.read(tokens)? {
                if log.transaction != transaction || log.block != block {
                    return Err(format!("{transaction} with a log of another transaction"));
                }
                logs.push((position, log));
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
            logs,
            authorizations,
            unconfigured,
        })
    }
}

//! A chain that executes transactions: balances, nonces, a mempool, forks.

use std::collections::BTreeMap;

use alloy_primitives::{Address, B256, U256, b256, keccak256};
use settlekit_service::block::{Mined, Transfer};
use settlekit_service::{FACTORY, TransferIndex};
use settlekit_tests::chain::PAYER;

use super::exchange::Swapped;

/// What the network takes for each transaction, in wei.
pub(super) const FEE: u128 = 21_000_000_000_000;

/// The hash of the code that deploys a proxy wallet (`contracts/factory.json`).
const PROXY_INIT_CODE_HASH: B256 =
    b256!("0x578444d9da1108b4cadebeb817cf609647fb543d4af67c7e9682b4072702582e");

/// The selectors of `transfer(address,uint256)` and of the factory's `sweep(address,bytes32[],address)`.
const TRANSFER: [u8; 4] = [0xa9, 0x05, 0x9c, 0xbb];
fn sweep() -> [u8; 4] {
    let hash = keccak256("sweep(address,bytes32[],address)");
    [hash[0], hash[1], hash[2], hash[3]]
}

/// A transaction, signed or not.
#[derive(Debug, Clone)]
pub(crate) struct Transaction {
    pub(super) hash: B256,
    pub(super) from: Address,
    /// Those of the service are counted.
    pub(super) nonce: Option<u64>,
    pub(super) to: Address,
    pub(super) value: u128,
    pub(super) data: Vec<u8>,
}

impl Transaction {
    /// A transfer of a token, or of the native coin without one.
    pub(crate) fn pay(
        hash: B256,
        from: Address,
        token: Option<Address>,
        to: Address,
        units: u128,
    ) -> Self {
        let (target, value, data) = match token {
            None => (to, units, Vec::new()),
            Some(token) => {
                let mut data = TRANSFER.to_vec();
                data.extend(to.into_word());
                data.extend(U256::from(units).to_be_bytes::<32>());
                (token, 0, data)
            }
        };
        Self {
            hash,
            from,
            nonce: None,
            to: target,
            value,
            data,
        }
    }
}

impl Transaction {
    /// The token, receiver and units of a plain transfer, as a node's mempool shows it.
    pub(super) fn shown(&self) -> Option<(Option<Address>, Address, u128)> {
        let data = self.data.as_slice();
        if data.is_empty() {
            return Some((None, self.to, self.value));
        }
        let is_plain = data.starts_with(&TRANSFER) && data.len() == 68;
        is_plain.then(|| {
            let to = Address::from_slice(&data[16..36]);
            (Some(self.to), to, U256::from_be_slice(&data[36..]).to())
        })
    }
}

/// What lies where after a block.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    balances: BTreeMap<(Address, Option<Address>), u128>,
    next_nonces: BTreeMap<Address, u64>,
    /// What the router may take, by owner and token.
    pub(crate) allowances: BTreeMap<(Address, Address), u128>,
    /// The swaps of the service.
    pub(crate) swapped: Vec<Swapped>,
    /// The time of the block, in Unix seconds.
    pub(crate) seconds: u64,
}

/// What a transaction did.
pub(crate) struct Execution {
    pub(super) transfers: Vec<Transfer>,
    pub(super) mined: Mined,
}

impl State {
    pub(super) fn balance(&self, address: Address, token: Option<Address>) -> u128 {
        self.balances.get(&(address, token)).copied().unwrap_or(0)
    }

    pub(crate) fn set(&mut self, address: Address, token: Option<Address>, units: u128) {
        self.balances.insert((address, token), units);
    }

    fn next_nonce(&self, address: Address) -> u64 {
        self.next_nonces.get(&address).copied().unwrap_or(0)
    }

    /// Executes a transaction; `None` if no block can have it now.
    pub(super) fn execute(&mut self, transaction: &Transaction) -> Option<Execution> {
        let from = transaction.from;
        if transaction
            .nonce
            .is_some_and(|nonce| nonce != self.next_nonce(from))
        {
            return None;
        }
        // Payers have money without end.
        if from != PAYER {
            let coins = self.balance(from, None);
            let left = coins.checked_sub(FEE + transaction.value)?;
            self.set(from, None, left + transaction.value);
        }
        if transaction.nonce.is_some() {
            *self.next_nonces.entry(from).or_default() += 1;
        }
        let before = self.clone();
        let transfers = self.call(transaction);
        if transfers.is_none() {
            *self = before;
        }
        Some(Execution {
            mined: Mined {
                hash: transaction.hash,
                from,
                nonce: transaction.nonce.unwrap_or(0),
                succeeded: transfers.is_some(),
                fee: U256::from(FEE),
            },
            transfers: transfers.unwrap_or_default(),
        })
    }

    /// The transfers of a transaction; `None` if it reverts.
    fn call(&mut self, transaction: &Transaction) -> Option<Vec<Transfer>> {
        let (hash, from) = (transaction.hash, transaction.from);
        let data = transaction.data.as_slice();
        let word = |place: usize| data.get(4 + place * 32..36 + place * 32);
        let address = |place: usize| word(place).map(|word| Address::from_slice(&word[12..]));
        let mut transfers = Vec::new();
        if data.is_empty() {
            let ends = (from, transaction.to);
            let moved = self.transfer(hash, TransferIndex::Value, None, ends, transaction.value)?;
            transfers.push(moved);
        } else if data.starts_with(&TRANSFER) {
            let units = U256::from_be_slice(word(1)?).to::<u128>();
            let (index, token) = (TransferIndex::Log(0), Some(transaction.to));
            transfers.push(self.transfer(hash, index, token, (from, address(0)?), units)?);
        } else if data.starts_with(&sweep()) && transaction.to == FACTORY {
            let destination = address(0)?;
            let token = address(2).filter(|token| *token != Address::ZERO);
            let count = U256::from_be_slice(word(3)?).to::<usize>();
            for place in 0..count {
                let salt = B256::from_slice(word(4 + place)?);
                let salt = keccak256([destination.into_word(), salt].concat());
                let proxy = FACTORY.create2(salt, PROXY_INIT_CODE_HASH);
                let units = self.balance(proxy, token);
                if units > 0 {
                    let at = u32::try_from(transfers.len()).expect("a small number");
                    let index = match token {
                        Some(_) => TransferIndex::Log(at),
                        None => TransferIndex::Trace(at),
                    };
                    let ends = (proxy, destination);
                    transfers.push(self.transfer(hash, index, token, ends, units)?);
                }
            }
        } else {
            return self.call_exchange(transaction);
        }
        Some(transfers)
    }

    pub(super) fn transfer(
        &mut self,
        hash: B256,
        index: TransferIndex,
        token: Option<Address>,
        (from, to): (Address, Address),
        units: u128,
    ) -> Option<Transfer> {
        if from != PAYER {
            let left = self.balance(from, token).checked_sub(units)?;
            self.set(from, token, left);
        }
        self.set(to, token, self.balance(to, token) + units);
        Some(Transfer {
            hash,
            index,
            token,
            from,
            to,
            units: U256::from(units),
        })
    }
}

/// The states after the latest blocks, the transactions in them, and those that no block has.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(super) states: BTreeMap<u64, State>,
    mined: BTreeMap<u64, Vec<Transaction>>,
    pub(crate) mempool: Vec<Transaction>,
}

impl Node {
    pub(crate) fn head(&self) -> &State {
        self.states.values().next_back().expect("a first block")
    }

    /// Adds a block of this time with some transactions of the mempool; returns what they did.
    pub(crate) fn mine(&mut self, seconds: u64, mut takes: impl FnMut() -> bool) -> Vec<Execution> {
        let (number, mut state) = {
            let (number, state) = self.states.last_key_value().expect("a first block");
            (number + 1, state.clone())
        };
        state.seconds = seconds;
        let (mut executions, mut mined) = (Vec::new(), Vec::new());
        self.mempool.retain(|transaction| {
            if !takes() {
                return true;
            }
            match state.execute(transaction) {
                Some(execution) => {
                    executions.push(execution);
                    mined.push(transaction.clone());
                    false
                }
                // A form of a mined transaction is dropped.
                None => transaction
                    .nonce
                    .is_none_or(|nonce| nonce >= state.next_nonce(transaction.from)),
            }
        });
        self.states.insert(number, state);
        self.mined.insert(number, mined);
        executions
    }

    /// Drops the latest blocks and returns their transactions.
    pub(crate) fn fork(&mut self, depth: usize) -> Vec<Transaction> {
        let mut dropped = Vec::new();
        for _ in 0..depth {
            self.states.pop_last();
            let (_, mined) = self.mined.pop_last().expect("a block");
            dropped.splice(0..0, mined);
        }
        dropped
    }
}

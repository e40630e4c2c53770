//! Pools and router of Uniswap's version 2 on the chain, and a token that replaces no allowance.

use alloy_primitives::{Address, B256, U256, keccak256};
use serde_json::json;
use settlekit_service::TransferIndex;
use settlekit_service::block::Transfer;
use settlekit_service::node_calls::{NodeAnswers, NodeCalls};
use settlekit_service::uniswap::{Uniswap, UniswapV2};
use settlekit_tests::chain::{PAYER, USDC};

use super::node::{State, Transaction};

pub(crate) const EURC: Address = Address::repeat_byte(0xe0);
pub(super) const ROUTER: Address = Address::repeat_byte(0xd1);
const WRAPPED: Address = Address::repeat_byte(0xd0);
const FACTORY: Address = Address::repeat_byte(0xd2);

/// The pools with their tokens, the lower address first.
const POOLS: [(Address, Address, Address); 2] = [
    (Address::repeat_byte(0xd3), USDC, EURC),
    (Address::repeat_byte(0xd4), USDC, WRAPPED),
];

/// The fee of the pools, in thousandths.
const FEE: u128 = 3;

/// A swap that succeeded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Swapped {
    pub(crate) sold: (Option<Address>, u128),
    pub(crate) bought: (Option<Address>, u128),
}

/// The contracts, as an operator connects them.
pub(crate) fn contracts() -> Uniswap {
    Uniswap {
        wrapped_native: WRAPPED,
        v2: Some(UniswapV2 {
            factory: FACTORY,
            router: ROUTER,
            fee: 3_000,
        }),
        v3: None,
    }
}

/// Fills the pools. The router holds the coins of the wrapped token.
pub(crate) fn fill(state: &mut State) {
    let [(euros, ..), (coins, ..)] = POOLS;
    state.set(euros, Some(USDC), 1_000_000_000);
    state.set(euros, Some(EURC), 900_000_000);
    state.set(coins, Some(USDC), 1_000_000_000);
    state.set(coins, Some(WRAPPED), 400_000_000_000_000_000);
    state.set(ROUTER, None, 400_000_000_000_000_000);
}

/// Somebody buys a fifth of the euros.
pub(crate) fn take_euros(state: &mut State) {
    let [(euros, ..), ..] = POOLS;
    state.set(euros, Some(USDC), 1_250_000_000);
    state.set(euros, Some(EURC), 720_000_000);
}

fn selector(signature: &str) -> [u8; 4] {
    let hash = keccak256(signature);
    [hash[0], hash[1], hash[2], hash[3]]
}

/// The words of a call after its selector.
struct Arguments<'a>(&'a [u8]);

impl Arguments<'_> {
    fn word(&self, place: usize) -> Option<U256> {
        let word = self.0.get(4 + place * 32..36 + place * 32)?;
        Some(U256::from_be_slice(word))
    }

    fn units(&self, place: usize) -> Option<u128> {
        self.word(place)?.try_into().ok()
    }

    fn address(&self, place: usize) -> Option<Address> {
        let word: [u8; 32] = self.word(place)?.to_be_bytes();
        Some(Address::from_word(word.into()))
    }

    /// An array of addresses, whose length is at this word.
    fn path(&self, length: usize) -> Option<Vec<Address>> {
        let count = usize::try_from(self.word(length)?).ok()?;
        let words = (1..=count).map(|place| self.address(length + place));
        words.collect()
    }
}

impl State {
    /// The transfers of a call of the exchange or of a token's `approve`; `None` if it reverts or is another call.
    pub(super) fn call_exchange(&mut self, transaction: &Transaction) -> Option<Vec<Transfer>> {
        let data = transaction.data.as_slice();
        let arguments = Arguments(data);
        let is = |signature: &str| data.starts_with(&selector(signature));
        if is("approve(address,uint256)") {
            let (owner, token) = (transaction.from, transaction.to);
            return self
                .approve((owner, token), arguments.units(1)?)
                .map(|()| Vec::new());
        }
        if transaction.to != ROUTER {
            return None;
        }
        if is("swapExactTokensForTokens(uint256,uint256,address[],address,uint256)") {
            let path = arguments.path(5)?;
            let ends = (path.first().copied(), path.last().copied());
            let amounts = (arguments.units(0)?, arguments.units(1)?);
            let terms = (arguments.address(3)?, arguments.word(4)?);
            self.swap(transaction, ends, (&path, amounts), terms)
        } else if is("swapExactTokensForETH(uint256,uint256,address[],address,uint256)") {
            let path = arguments.path(5)?;
            let ends = (path.first().copied(), None);
            let amounts = (arguments.units(0)?, arguments.units(1)?);
            let terms = (arguments.address(3)?, arguments.word(4)?);
            self.swap(transaction, ends, (&path, amounts), terms)
        } else if is("swapExactETHForTokens(uint256,address[],address,uint256)") {
            let path = arguments.path(4)?;
            let ends = (None, path.last().copied());
            let amounts = (transaction.value, arguments.units(0)?);
            let terms = (arguments.address(2)?, arguments.word(3)?);
            self.swap(transaction, ends, (&path, amounts), terms)
        } else {
            None
        }
    }

    /// As USDT, the tokens replace no allowance by another.
    fn approve(&mut self, of: (Address, Address), units: u128) -> Option<()> {
        let allowed = self.allowances.entry(of).or_default();
        if *allowed > 0 && units > 0 {
            return None;
        }
        *allowed = units;
        Some(())
    }

    /// Sells and buys the ends of a path; `None` is the native coin.
    fn swap(
        &mut self,
        transaction: &Transaction,
        (sold, bought): (Option<Address>, Option<Address>),
        (path, (units, least)): (&[Address], (u128, u128)),
        (recipient, deadline): (Address, U256),
    ) -> Option<Vec<Transfer>> {
        if U256::from(self.seconds) > deadline {
            return None;
        }
        let amounts = self.amounts(units, path)?;
        let output = *amounts.last()?;
        if output < least {
            return None;
        }
        let (hash, from) = (transaction.hash, transaction.from);
        if let Some(token) = sold
            && from != PAYER
        {
            let allowed = self.allowances.entry((from, token)).or_default();
            *allowed = allowed.checked_sub(units)?;
        }
        let pools: Vec<Address> = path
            .windows(2)
            .map(|pair| pool(pair[0], pair[1]))
            .collect::<Option<_>>()?;
        let (first, last) = (*pools.first()?, *pools.last()?);
        let mut transfers = Vec::new();
        match sold {
            Some(_) => {
                let index = TransferIndex::Log(0);
                transfers.push(self.transfer(hash, index, sold, (from, first), units)?);
            }
            None => {
                let ends = (from, ROUTER);
                transfers.push(self.transfer(hash, TransferIndex::Value, None, ends, units)?);
                self.add(first, WRAPPED, units);
            }
        }
        for (place, pair) in path.windows(2).enumerate() {
            let (pool, units) = (pools[place], amounts[place + 1]);
            let token = pair[1];
            let index = TransferIndex::Log(u32::try_from(place + 1).expect("a small number"));
            match pools.get(place + 1) {
                Some(next) => {
                    let ends = (pool, *next);
                    self.transfer(hash, index, Some(token), ends, units)?;
                }
                None if bought.is_some() => {
                    let ends = (pool, recipient);
                    transfers.push(self.transfer(hash, index, bought, ends, units)?);
                }
                None => {
                    self.take(last, WRAPPED, units)?;
                    let (index, ends) = (TransferIndex::Trace(0), (ROUTER, recipient));
                    transfers.push(self.transfer(hash, index, None, ends, units)?);
                }
            }
        }
        if from != PAYER {
            self.swapped.push(Swapped {
                sold: (sold, units),
                bought: (bought, output),
            });
        }
        Some(transfers)
    }

    fn add(&mut self, address: Address, token: Address, units: u128) {
        let held = self.balance(address, Some(token));
        self.set(address, Some(token), held + units);
    }

    fn take(&mut self, address: Address, token: Address, units: u128) -> Option<()> {
        let left = self.balance(address, Some(token)).checked_sub(units)?;
        self.set(address, Some(token), left);
        Some(())
    }

    /// The amounts of all tokens along a path.
    fn amounts(&self, units: u128, path: &[Address]) -> Option<Vec<u128>> {
        let mut amounts = vec![units];
        for pair in path.windows(2) {
            let pool = pool(pair[0], pair[1])?;
            let reserve = |token| self.balance(pool, Some(token));
            let sold = amounts.last()?.checked_mul(1000 - FEE)?;
            let reserves = (reserve(pair[0]).checked_mul(1000)?, reserve(pair[1]));
            amounts.push(sold.checked_mul(reserves.1)? / reserves.0.checked_add(sold)?);
        }
        (path.len() > 1).then_some(amounts)
    }

    /// What a read of a contract returns; `None` if it reverts.
    fn read(&self, to: Address, data: &[u8]) -> Option<Vec<[u8; 32]>> {
        let arguments = Arguments(data);
        let is = |signature: &str| data.starts_with(&selector(signature));
        if is("getPair(address,address)") {
            let pool = pool(arguments.address(0)?, arguments.address(1)?);
            return Some(vec![word(pool.unwrap_or_default())]);
        }
        if is("getAmountsOut(uint256,address[])") {
            let amounts = self.amounts(arguments.units(0)?, &arguments.path(2)?)?;
            let head = [U256::from(32), U256::from(amounts.len())].into_iter();
            let words = head.chain(amounts.into_iter().map(U256::from));
            return Some(words.map(|word| word.to_be_bytes()).collect());
        }
        let (pool, token0, token1) = *POOLS.iter().find(|(pool, ..)| *pool == to)?;
        if is("token0()") {
            return Some(vec![word(token0)]);
        }
        if is("getReserves()") {
            let reserve = |token| U256::from(self.balance(pool, Some(token)));
            let words = [reserve(token0), reserve(token1), U256::from(self.seconds)];
            return Some(words.map(|word| word.to_be_bytes()).to_vec());
        }
        None
    }

    /// A node's answers at this state.
    pub(crate) fn answers(&self, (block, seconds): (B256, u64), calls: &NodeCalls) -> NodeAnswers {
        let batches = calls.batches.iter().map(|batch| {
            assert_eq!(batch.block, block);
            let header = json!({ "hash": block, "timestamp": format!("{seconds:#x}") });
            let mut replies = vec![
                json!({ "id": 0, "result": format!("{:#x}", batch.chain.get()) }),
                json!({ "id": 1, "result": header }),
            ];
            for (place, call) in batch.calls.iter().enumerate() {
                replies.push(match self.read(call.to, &call.data) {
                    Some(words) => {
                        let bytes = format!("0x{}", hex::encode(words.concat()));
                        json!({ "id": place + 2, "result": bytes })
                    }
                    None => {
                        let error = json!({ "code": 3, "message": "execution reverted" });
                        json!({ "id": place + 2, "error": error })
                    }
                });
            }
            Ok(json!(replies).to_string().into_bytes())
        });
        batches.collect()
    }
}

fn pool(one: Address, other: Address) -> Option<Address> {
    let sorted = (one.min(other), one.max(other));
    let mut pools = POOLS.iter();
    let found = pools.find(|(_, token0, token1)| (*token0, *token1) == sorted)?;
    Some(found.0)
}

fn word(address: Address) -> [u8; 32] {
    address.into_word().0
}

/// Somebody sells dollars for euros, or euros for dollars.
pub(crate) fn move_market(hash: B256, is_sold: bool, units: u128) -> Transaction {
    let path = match is_sold {
        true => [USDC, EURC],
        false => [EURC, USDC],
    };
    let words = [
        U256::from(units),
        U256::from(1),
        U256::from(160),
        U256::from_be_bytes(word(PAYER)),
        U256::MAX,
        U256::from(2),
        U256::from_be_bytes(word(path[0])),
        U256::from_be_bytes(word(path[1])),
    ];
    let call = selector("swapExactTokensForTokens(uint256,uint256,address[],address,uint256)");
    let words = words.iter().flat_map(|word| word.to_be_bytes::<32>());
    Transaction {
        hash,
        from: PAYER,
        nonce: None,
        to: ROUTER,
        value: 0,
        data: call.into_iter().chain(words).collect(),
    }
}

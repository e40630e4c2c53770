//! The part of a block that concerns watched addresses.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use alloy_primitives::{Address, B256, U256};
use settlekit_core::value::ChainId;
use settlekit_service::block::{Block, Mined, Transfer, UNCONFIGURED_TOKENS_MAX, Watch};
use settlekit_service::{StoreError, TransferIndex};

use super::answer::{LogEvent, Receipt, Transaction};
use super::block_data::BlockData;
use super::store::ChainStore;
use super::trace::Moved;

/// The addresses in a block that money came from or went to, and the senders of its transactions.
fn addresses(data: &BlockData) -> Vec<Address> {
    let mut addresses = HashSet::new();
    for log in &data.logs {
        if let LogEvent::Transfer { from, to, .. } = log.event {
            addresses.extend([from, to]);
        }
    }
    for transaction in &data.block.transactions {
        addresses.insert(transaction.from);
        addresses.extend(transaction.to.filter(|_| !transaction.value.is_zero()));
        addresses.extend(transaction.token_receiver);
    }
    for moved in data.moved.iter().flatten().flatten() {
        addresses.extend([moved.from, moved.to]);
    }
    addresses.into_iter().collect()
}

/// The proxy wallets that a block sweeps, of any installation.
fn swept(data: &BlockData) -> Vec<Address> {
    let events = data.logs.iter().map(|log| &log.event);
    let mut swept: Vec<Address> = events
        .filter_map(|event| match event {
            LogEvent::NativeSwept { wallet, .. } => Some(*wallet),
            LogEvent::Transfer { .. } => None,
        })
        .collect();
    swept.sort_unstable();
    swept.dedup();
    swept
}

/// The addresses that concern the installation.
#[derive(Default)]
pub(super) struct Concerned {
    watched: HashSet<Address>,
    hot: HashSet<Address>,
    /// The installation's swept proxy wallets, with their destinations.
    swept: HashMap<Address, Address>,
}

impl Concerned {
    /// Finds them among the addresses of a block.
    pub(super) async fn find(
        store: &impl ChainStore,
        chain: ChainId,
        data: &BlockData,
    ) -> Result<Self, StoreError> {
        if data.logs.is_empty() && data.block.transactions.is_empty() {
            return Ok(Self::default());
        }
        let hot = store.hot_wallets().await?;
        let addresses = addresses(data);
        let watched = match addresses.is_empty() {
            true => Vec::new(),
            false => store.watched_among(chain, addresses).await?,
        };
        let swept = swept(data);
        let swept = match swept.is_empty() {
            true => Vec::new(),
            false => store.destinations(swept).await?,
        };
        Ok(Self {
            watched: watched.into_iter().collect(),
            hot: hot.into_iter().collect(),
            swept: swept.into_iter().collect(),
        })
    }

    /// Whether the network fee of a transaction is followed.
    fn follows_sender(&self, transaction: &Transaction) -> bool {
        self.hot.contains(&transaction.from) || self.watched.contains(&transaction.from)
    }

    fn has(&self, from: Address, to: Address) -> bool {
        self.watched.contains(&from) || self.watched.contains(&to)
    }

    /// The token, sender, receiver and amount of a log that matters. Transfers of nothing, which anybody can make in anybody's
    /// name, do not.
    fn transfer_of(&self, event: &LogEvent) -> Option<(Option<Address>, Address, Address, U256)> {
        match *event {
            LogEvent::Transfer {
                token,
                from,
                to,
                units,
            } => (!units.is_zero() && self.has(from, to)).then_some((Some(token), from, to, units)),
            LogEvent::NativeSwept { wallet, units } => {
                let destination = *self.swept.get(&wallet)?;
                (!units.is_zero()).then_some((None, wallet, destination, units))
            }
        }
    }

    fn is_value(&self, transaction: &Transaction) -> bool {
        let to = transaction.to.unwrap_or(transaction.from);
        !transaction.value.is_zero() && self.has(transaction.from, to)
    }

    /// The transactions that need a receipt, in the order of the block as far as it lists them.
    pub(super) fn transactions(&self, data: &BlockData) -> Vec<B256> {
        let mut hashes = BTreeSet::new();
        let logs = data.logs.iter();
        let logs = logs.filter(|log| self.transfer_of(&log.event).is_some());
        hashes.extend(logs.map(|log| log.transaction));
        for (place, transaction) in data.block.transactions.iter().enumerate() {
            let moved = data.moved.get(place).into_iter().flatten().flatten();
            let is_moved = moved
                .into_iter()
                .any(|moved| self.has(moved.from, moved.to));
            let is_sent = self.follows_sender(transaction);
            // Without a trace, the receipt says whether the transaction moved anything at all.
            let is_untraced = data.moved.get(place).is_some_and(Option::is_none);
            if is_sent || is_moved || is_untraced || self.is_value(transaction) {
                hashes.insert(transaction.hash);
            }
        }
        // Logs are asked for of the chain's tokens only: a plain transfer of another one shows in its call. Anybody can make
        // thousands of them.
        let others = data.block.transactions.iter().filter(|transaction| {
            let to = transaction.token_receiver;
            to.is_some_and(|to| self.watched.contains(&to)) && !hashes.contains(&transaction.hash)
        });
        let others = others.take(UNCONFIGURED_TOKENS_MAX);
        let others: Vec<B256> = others.map(|transaction| transaction.hash).collect();
        hashes.extend(others);
        hashes.into_iter().collect()
    }

    pub(super) fn assemble(
        &self,
        watch: &Watch,
        data: &BlockData,
        mut receipts: Vec<Receipt>,
    ) -> Result<Block, String> {
        let header = &data.block.header;
        let places: HashMap<B256, usize> = (data.block.transactions.iter().enumerate())
            .map(|(place, transaction)| (transaction.hash, place))
            .collect();
        if places.len() != data.block.transactions.len() {
            return Err(format!("block {} has a transaction twice", header.number));
        }
        receipts.sort_by_key(|receipt| receipt.position);
        let (mut transfers, mut sent, mut untraced) = (Vec::new(), Vec::new(), Vec::new());
        let (mut authorized, mut unconfigured) = (Vec::new(), BTreeMap::<Address, u64>::new());
        for receipt in &receipts {
            let hash = receipt.transaction;
            authorized.extend(&receipt.authorizations);
            let place = places.get(&hash);
            let called = place.and_then(|place| data.block.transactions[*place].to);
            for (token, to) in &receipt.unconfigured {
                // The contract that was called: one call can make any number of others log transfers.
                if called == Some(*token) && self.watched.contains(to) {
                    *unconfigured.entry(*token).or_default() += 1;
                }
            }
            if receipt.block != header.hash {
                return Err(format!("the receipt of {hash} is of another block"));
            }
            // Polygon's deposits from Ethereum have logs and a receipt, but may be missing among the transactions.
            if let Some(place) = places.get(&hash) {
                if *place as u64 != receipt.position {
                    return Err(format!("the receipt of {hash} has another position"));
                }
                let transaction = &data.block.transactions[*place];
                transfers.extend(self.value(transaction, receipt));
                transfers.extend(self.logged(data, receipt)?);
                match data.moved.get(*place) {
                    Some(Some(moved)) => transfers.extend(self.moved(moved, receipt)?),
                    _ if receipt.succeeded => untraced.push(hash),
                    _ => {}
                }
                if self.follows_sender(transaction) {
                    sent.push(Mined {
                        hash,
                        from: transaction.from,
                        nonce: transaction.nonce,
                        succeeded: receipt.succeeded,
                        fee: receipt.fee,
                    });
                }
            } else {
                transfers.extend(self.logged(data, receipt)?);
            }
        }
        Ok(Block {
            chain: watch.chain,
            number: header.number,
            hash: header.hash,
            parent: header.parent,
            mined_at: header.mined_at,
            base_fee: header.base_fee,
            transfers,
            tokens: watch.tokens.clone(),
            sent,
            authorized,
            unconfigured: (unconfigured.into_iter())
                .take(UNCONFIGURED_TOKENS_MAX)
                .collect(),
            untraced,
            finalized: None,
        })
    }

    /// The transaction's own value.
    fn value(&self, transaction: &Transaction, receipt: &Receipt) -> Option<Transfer> {
        let to = transaction.to.or(receipt.created)?;
        let counts =
            receipt.succeeded && !transaction.value.is_zero() && self.has(transaction.from, to);
        counts.then_some(Transfer {
            hash: transaction.hash,
            index: TransferIndex::Value,
            token: None,
            from: transaction.from,
            to,
            units: transaction.value,
        })
    }

    /// The transfers by logs, which receipt and block must agree on.
    fn logged(&self, data: &BlockData, receipt: &Receipt) -> Result<Vec<Transfer>, String> {
        let hash = receipt.transaction;
        let logs = data.logs.iter().filter(|log| log.transaction == hash);
        if !logs.eq(receipt.logs.iter().map(|(_, log)| log)) {
            return Err(format!(
                "the receipt of {hash} has other logs than the block"
            ));
        }
        let transfers = receipt.logs.iter().filter_map(|(position, log)| {
            let (token, from, to, units) = self.transfer_of(&log.event)?;
            Some(Transfer {
                hash,
                index: TransferIndex::Log(*position),
                token,
                from,
                to,
                units,
            })
        });
        Ok(transfers.collect())
    }

    /// What contracts moved, numbered among all that they moved in the transaction. What a proxy wallet of the installation moves is
    /// in a log, always, so that it does not depend on a trace.
    fn moved(&self, moved: &[Moved], receipt: &Receipt) -> Result<Vec<Transfer>, String> {
        let hash = receipt.transaction;
        if !receipt.succeeded && !moved.is_empty() {
            return Err(format!("the trace of {hash} moves coins, but it failed"));
        }
        let moved = (0..).zip(moved);
        let is_logged = |moved: &Moved| self.swept.contains_key(&moved.from);
        let moved = moved.filter(|(_, moved)| self.has(moved.from, moved.to) && !is_logged(moved));
        Ok(moved
            .map(|(position, moved)| Transfer {
                hash,
                index: TransferIndex::Trace(position),
                token: None,
                from: moved.from,
                to: moved.to,
                units: moved.units,
            })
            .collect())
    }
}

//! A chain made of blocks in memory, as a host would read them from a node, and a live service that is connected to it.

use alloy_primitives::{Address, B256, U256, keccak256};
use settlekit_core::chain::{Asset, Chain};
use settlekit_core::value::{ChainId, Timestamp};
use settlekit_service::authorization::TokenDomain;
use settlekit_service::block::{
    Block, BlockId, Mined, Observed, PendingTransfer, Transfer, UsedAuthorization,
};
use settlekit_service::comparison::Expected;
use settlekit_service::opening::Balances;
use settlekit_service::operator::{NewConnection, OperatorError};
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest, Signature};
use settlekit_service::{Database, Mode, Seed, TransferIndex, Words};

use crate::database;
use crate::world::{START, World};

/// The words of the hot wallet.
pub const WORDS: &str = "test test test test test test test test test test test junk";

/// The URL of an external signer.
pub const SIGNER: &str = "http://127.0.0.1:2/signer";

/// Confirmations of the chain.
pub const CONFIRMATIONS: u32 = 3;

/// What the operator put into the hot wallet, in wei.
pub const GAS_MONEY: u64 = 1_000_000_000_000_000_000;

/// The contract of the token USDC.
pub const USDC: Address = Address::repeat_byte(0xc0);

/// The block explorer of the chain.
pub const EXPLORER: &str = "https://scan.example";

/// The node that wallets of payers may ask.
pub const PUBLIC_RPC: &str = "https://rpc.example";

/// Somebody outside the service.
pub const PAYER: Address = Address::repeat_byte(0xaa);

/// A chain with its blocks, and what is pending for the next one.
#[derive(Debug, Clone)]
pub struct MemoryChain {
    /// The chain id.
    pub id: ChainId,
    /// The base fee of the next blocks, in wei per gas.
    pub base_fee: u128,
    /// When the next blocks are mined.
    pub now: Timestamp,
    blocks: Vec<BlockId>,
    forks: u64,
    transactions: u64,
    transfers: Vec<Transfer>,
    sent: Vec<Mined>,
    authorized: Vec<UsedAuthorization>,
    unconfigured: Vec<(Address, u64)>,
    untraced: Vec<B256>,
    /// The final block that the next blocks are reported with.
    pub finalized: Option<BlockId>,
    /// The tokens whose transfers are looked for.
    pub tokens: Vec<Address>,
}

impl MemoryChain {
    /// Base, at height 100.
    pub fn base() -> Self {
        Self::with_id("8453")
    }

    /// Optimism, at height 100.
    pub fn optimism() -> Self {
        Self::with_id("10")
    }

    fn with_id(id: &str) -> Self {
        let head = BlockId {
            number: 100,
            hash: keccak256("the first block"),
        };
        Self {
            id: id.parse().expect("a chain"),
            base_fee: 1_000_000_000,
            now: START.parse().expect("a timestamp"),
            blocks: vec![head],
            forks: 0,
            transactions: 0,
            transfers: Vec::new(),
            sent: Vec::new(),
            authorized: Vec::new(),
            unconfigured: Vec::new(),
            untraced: Vec::new(),
            finalized: None,
            tokens: vec![USDC],
        }
    }

    /// The latest block.
    pub fn head(&self) -> BlockId {
        *self.blocks.last().expect("a first block")
    }

    /// The block so many below the latest one.
    pub fn below(&self, depth: usize) -> BlockId {
        self.blocks[self.blocks.len() - 1 - depth]
    }

    /// Drops the latest blocks; the next ones have other hashes.
    pub fn fork(&mut self, depth: usize) {
        self.blocks.truncate(self.blocks.len() - depth);
        self.forks += 1;
    }

    /// A new transaction's hash.
    pub fn hash(&mut self) -> B256 {
        self.transactions += 1;
        keccak256(self.transactions.to_be_bytes())
    }

    /// Puts a transfer of a token, or of the native coin without one, into the next block.
    pub fn transfer(&mut self, token: Option<Address>, to: Address, units: u64) -> Transfer {
        let hash = self.hash();
        let index = match token {
            Some(_) => TransferIndex::Log(0),
            None => TransferIndex::Value,
        };
        let transfer = Transfer {
            hash,
            index,
            token,
            from: PAYER,
            to,
            units: U256::from(units),
        };
        self.include(transfer.clone());
        transfer
    }

    /// Puts a transfer into the next block.
    pub fn include(&mut self, transfer: Transfer) {
        self.transfers.push(transfer);
    }

    /// Puts a transaction of a hot wallet into the next block.
    pub fn mine(&mut self, mined: Mined) {
        self.sent.push(mined);
    }

    /// USDC says that a transaction in the next block has used an authorization.
    pub fn authorized(&mut self, hash: B256, (authorizer, nonce): (Address, B256)) {
        self.authorized.push(UsedAuthorization {
            hash,
            token: USDC,
            authorizer,
            nonce,
        });
    }

    /// Puts transfers of a token that is not configured into the next block.
    pub fn unconfigured(&mut self, token: Address, transfers: u64) {
        self.unconfigured.push((token, transfers));
    }

    /// Puts a transaction that no node traces into the next block.
    pub fn untraced(&mut self, hash: B256) {
        self.untraced.push(hash);
    }

    /// The next block, with what was put into it.
    pub fn block(&mut self) -> Block {
        let parent = self.head();
        let number = parent.number + 1;
        let unique = [number.to_be_bytes(), self.forks.to_be_bytes()].concat();
        let hash = keccak256([parent.hash.as_slice(), &unique].concat());
        self.blocks.push(BlockId { number, hash });
        Block {
            chain: self.id,
            number,
            hash,
            parent: parent.hash,
            mined_at: self.now,
            base_fee: self.base_fee,
            transfers: std::mem::take(&mut self.transfers),
            tokens: self.tokens.clone(),
            sent: std::mem::take(&mut self.sent),
            authorized: std::mem::take(&mut self.authorized),
            unconfigured: std::mem::take(&mut self.unconfigured),
            untraced: std::mem::take(&mut self.untraced),
            finalized: self.finalized,
        }
    }
}

/// A live service with a hot wallet, connected to a chain in memory.
pub struct Connected {
    /// The service.
    pub world: World,
    /// The chain.
    pub chain: MemoryChain,
    /// The hot wallet.
    pub wallet: Address,
    /// What the service had to tell its operator.
    pub failures: Vec<String>,
    /// Whether [`Connected::connect`] settles by finality.
    pub finality: bool,
    /// Whether the chain has the factory of proxy wallets.
    pub has_factory: bool,
    /// The call that deploys the factory, if the chain lacks it.
    pub deploy: Option<(Address, Vec<u8>)>,
    /// The contract that the operator names for USDC.
    pub usdc: Address,
    /// The contract that the operator names for EURC, if any.
    pub eurc: Option<Address>,
    /// Whether the chain is connected as a test network.
    pub is_test: bool,
    /// Whether the operator says that a connected test network is none.
    pub clears_test_network: bool,
    seeds: u64,
}

impl Connected {
    /// Runs a test on a live service over an empty database of each engine, with the engine's name.
    pub fn each(test: impl Fn(&str, Self)) {
        database::each(|kind, database| {
            test(kind, Self::live(database));
        });
    }

    /// As [`Connected::each`], with a hot wallet whose key an external signer holds.
    pub fn each_with_signer(address: Address, test: impl Fn(&str, Self)) {
        database::each(|kind, database| test(kind, Self::over(database, Some(address))));
    }

    /// A live service over an empty database.
    pub fn live(database: Box<dyn Database>) -> Self {
        Self::over(database, None)
    }

    fn over(database: Box<dyn Database>, signer: Option<Address>) -> Self {
        let mut connected = Self {
            world: World::with(database, Mode::Live),
            chain: MemoryChain::base(),
            wallet: Address::ZERO,
            failures: Vec::new(),
            finality: false,
            has_factory: true,
            deploy: None,
            usdc: USDC,
            eurc: None,
            is_test: false,
            clears_test_network: false,
            seeds: 0,
        };
        let words = Words::parse(WORDS).expect("the words are valid");
        let now = connected.world.now;
        let seed = connected.seed();
        let (service, database) = connected.world.parts();
        let wallet = match signer {
            Some(address) => service.connect_signer(database, (address, SIGNER), now, seed),
            None => service.import_wallet(database, &words, now, seed),
        };
        connected.wallet = wallet.expect("a wallet");
        connected.connect();
        connected
    }

    /// Connects the chain, or replaces its nodes.
    pub fn connect(&mut self) {
        self.try_connect().expect("a connection");
    }

    /// As [`Connected::connect`], which may be refused.
    pub fn try_connect(&mut self) -> Result<(), OperatorError> {
        let currency = |text: &str| text.parse().expect("a currency");
        let asset = |symbol, scale, token: Option<Address>| Asset {
            symbol: currency(symbol),
            scale,
            token_address: token.map(|token| token.to_string()),
        };
        let mut assets = vec![asset("ETH", 18, None), asset("USDC", 6, Some(self.usdc))];
        assets.extend(self.eurc.map(|eurc| asset("EURC", 6, Some(eurc))));
        let new = NewConnection {
            chain: Chain {
                id: self.chain.id,
                name: "Base".to_owned(),
                native_currency_symbol: currency("ETH"),
            },
            confirmations: CONFIRMATIONS,
            finality: self.finality,
            block_seconds: 2,
            providers: vec!["http://127.0.0.1:1".to_owned()],
            has_factory: self.has_factory && self.deploy.is_none(),
            deploy: self.deploy.clone(),
            traces: true,
            mempool: true,
            log_range: 1000,
            head: self.chain.head(),
            base_fee: 1_000_000_000,
            priority_fee: 1_000_000,
            counts: vec![(self.wallet, 0)],
            opening: vec![(self.wallet, currency("ETH"), U256::from(GAS_MONEY))],
            domains: vec![(
                currency("USDC"),
                Some(TokenDomain {
                    name: "USD Coin".to_owned(),
                    version: "2".to_owned(),
                }),
            )],
            assets,
            explorer: Some(EXPLORER.parse().expect("a URL")),
            public_rpc: Some(PUBLIC_RPC.parse().expect("a URL")),
            is_test: self.is_test,
            clears_test_network: self.clears_test_network,
        };
        let (now, seed) = (self.world.now, self.seed());
        let (service, database) = self.world.parts();
        service.connect_chain(database, &new, now, seed)?;
        self.look_for_tokens();
        Ok(())
    }

    /// Looks for the transfers of all tokens of the chain in the next blocks, as a host does.
    pub fn look_for_tokens(&mut self) {
        let (now, seed, chain) = (self.world.now, self.seed(), self.chain.id);
        let (service, database) = self.world.parts();
        let watches = service.watches(database, now, seed).expect("watches");
        let watch = watches.into_iter().find(|watch| watch.chain == chain);
        self.chain.tokens = watch.map_or_else(Vec::new, |watch| watch.tokens);
    }

    fn seed(&mut self) -> Seed {
        self.seeds += 1;
        let mut seed = [0xff; 32];
        seed[..8].copy_from_slice(&self.seeds.to_be_bytes());
        Seed(seed)
    }

    /// The expected balances on each connected chain, for a comparison with its nodes.
    pub fn expected(&mut self) -> Vec<Expected> {
        let (service, database) = self.world.parts();
        let expected = service.expected_holdings(database);
        expected.expect("the holdings")
    }

    /// The inconsistencies of the books, and the currencies of which something else is held than is owed and the operator's.
    pub fn differences(&mut self) -> Vec<String> {
        let mut found = self.world.differences();
        for expected in self.expected() {
            for wallet in expected.wallets {
                let symbol = &wallet.asset.symbol;
                found.push(format!(
                    "an own wallet holds {} {symbol}, not {}",
                    wallet.held, wallet.booked
                ));
            }
            for sums in expected.sums {
                if sums.missing() != 0 {
                    let symbol = &sums.asset.symbol;
                    found.push(format!("{} {symbol} are missing", sums.missing()));
                }
            }
        }
        found
    }

    /// The balances that a comparison with the chain leaves out, because the books don't know them yet.
    pub fn unread(&mut self) -> Vec<String> {
        let expected = self.expected();
        let unread = expected.iter().flat_map(|expected| expected.unread.keys());
        unread.map(ToString::to_string).collect()
    }

    /// Records a block as it is.
    pub fn observe(&mut self, block: &Block) -> Observed {
        let (now, seed) = (self.world.now, self.seed());
        let (service, database) = self.world.parts();
        let (observed, failures) = service
            .observe_blocks(database, std::slice::from_ref(block), now, seed)
            .expect("a block");
        self.failures.extend(failures);
        observed
    }

    /// The next block, which is mined now and not recorded yet.
    pub fn mined_now(&mut self) -> Block {
        self.chain.now = self.world.now;
        self.chain.block()
    }

    /// Records the next blocks; the first has what was put into it.
    pub fn blocks(&mut self, count: u32) {
        for _ in 0..count {
            let block = self.mined_now();
            assert_eq!(self.observe(&block), Observed::Recorded);
        }
    }

    /// Shows transfers in the mempool.
    pub fn show_pending(&mut self, transfers: &[PendingTransfer]) {
        let (now, seed, chain) = (self.world.now, self.seed(), self.chain.id);
        let (service, database) = self.world.parts();
        let shown = service.observe_pending(database, chain, transfers, now, seed);
        shown.expect("a mempool");
    }

    /// Drops the latest blocks from the chain and from the service.
    pub fn reorganise(&mut self, depth: usize) {
        self.chain.fork(depth);
        let (to, chain) = (self.chain.head(), self.chain.id);
        let (now, seed) = (self.world.now, self.seed());
        let (service, database) = self.world.parts();
        let (observed, failures) = service
            .rewind(database, chain, to, now, seed)
            .expect("a rewind");
        assert_eq!(observed, Observed::Recorded);
        self.failures.extend(failures);
    }

    /// The requests that are due.
    pub fn requests(&mut self) -> Vec<NodeRequest> {
        let (now, seed, chain) = (self.world.now, self.seed(), self.chain.id);
        let (service, database) = self.world.parts();
        let (requests, failures) = service
            .node_requests(database, chain, now, seed)
            .expect("requests");
        self.failures.extend(failures);
        requests
    }

    /// Answers an estimate.
    pub fn estimate(&mut self, id: i64, estimate: &Estimate) {
        let (now, seed) = (self.world.now, self.seed());
        let (service, database) = self.world.parts();
        let reported = service.report_estimate(database, id, estimate, now, seed);
        self.failures.extend(reported.expect("a report"));
    }

    /// Answers for an external signer.
    pub fn sign(&mut self, form: (i64, u32), answer: &Signature) {
        let (now, seed) = (self.world.now, self.seed());
        let (service, database) = self.world.parts();
        let reported = service.report_signature(database, form, answer, now, seed);
        self.failures.extend(reported.expect("a report"));
    }

    /// Answers a broadcast.
    pub fn broadcast(&mut self, (id, hash): (i64, B256), answer: Broadcast) {
        let (now, seed) = (self.world.now, self.seed());
        let (service, database) = self.world.parts();
        let reported = service.report_broadcast(database, (id, hash), answer, now, seed);
        self.failures.extend(reported.expect("a report"));
    }

    /// Answers what lies in a wallet.
    pub fn report_balances(&mut self, balances: &Balances) {
        let (now, seed, chain) = (self.world.now, self.seed(), self.chain.id);
        let (service, database) = self.world.parts();
        let reported = service.report_balances(database, chain, balances, now, seed);
        reported.expect("a report");
    }
}

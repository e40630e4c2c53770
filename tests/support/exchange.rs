//! Uniswap's own contracts on a real node, with pools of two tokens and the wrapped native coin.

use std::path::Path;

use alloy_primitives::{Address, B256, Bytes, U256};
use serde_json::{Value, json};
use settlekit_core::value::{ChainId, Timestamp};
use settlekit_service::contract_calls::{self, CallError, ContractCall};
use settlekit_service::uniswap::{
    Call, Exact, Pool, PoolKey, PoolKind, QuoteError, QuoteRequest, Quotes, Uniswap, UniswapV2,
    UniswapV3, V3Router, discovery,
};

use crate::anvil::{Anvil, TRADED_TOKEN, abi, number, word};
use crate::json_rpc;

const MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/node_modules/@uniswap");

const CHAIN: u64 = 31_337;

/// The gas of every transaction: the largest contract takes five million.
const GAS: u64 = 12_000_000;

/// What each pool begins with.
const DEPTH: u64 = 1_000_000_000_000;

/// A time after every block.
const NEVER: u64 = u32::MAX as u64;

/// A node with Uniswap and pools.
pub struct Exchange {
    /// The node.
    pub node: Anvil,
    /// The contracts, with the first router of version 3.
    pub uniswap: Uniswap,
    /// The same with the second one.
    pub uniswap_02: Uniswap,
    /// A token.
    pub euro: Address,
    /// Another one.
    pub dollar: Address,
    positions: Address,
}

/// A sent transaction.
pub struct Receipt {
    /// Whether it succeeded.
    pub is_settled: bool,
    /// The network's fee, in wei.
    pub fee: U256,
}

impl Exchange {
    /// Deploys Uniswap, and fills its pools.
    pub fn deploy() -> Self {
        let node = Anvil::start(CHAIN);
        let create = |code: &[u8], words: &[[u8; 32]]| {
            let data = [code, &words.concat()].concat();
            let receipt = send(&node, None, U256::ZERO, data);
            parse(&receipt["contractAddress"])
        };
        let token = |symbol: &str| -> Address {
            let code = hex::decode(TRADED_TOKEN.trim()).expect("code");
            let mut text = [0; 32];
            text[..symbol.len()].copy_from_slice(symbol.as_bytes());
            create(&code, &[text, number(DEPTH * 1_000)])
        };
        let (euro, dollar) = (token("EURC"), token("USDC"));
        let deploy = |path: &str, words: &[[u8; 32]]| create(&creation_code(path), words);
        let coin: Address = deploy("v2-periphery/build/WETH9.json", &[]);
        let setter = word(node.account(0));
        let v2_factory: Address = deploy("v2-core/build/UniswapV2Factory.json", &[setter]);
        let v2_words = [word(v2_factory), word(coin)];
        let v2_router = deploy("v2-periphery/build/UniswapV2Router02.json", &v2_words);
        let factory: Address = deploy(&artifact("v3-core", "", "UniswapV3Factory"), &[]);
        let words = [word(factory), word(coin)];
        let quoter = deploy(&artifact("v3-periphery", "lens/", "QuoterV2"), &words);
        let router = deploy(&artifact("v3-periphery", "", "SwapRouter"), &words);
        let positions = deploy(
            &artifact("v3-periphery", "", "NonfungiblePositionManager"),
            &[words[0], words[1], word(Address::ZERO)],
        );
        let router_02 = deploy(
            &artifact("swap-router-contracts", "", "SwapRouter02"),
            &[word(v2_factory), word(factory), word(positions), word(coin)],
        );
        let with = |router| Uniswap {
            wrapped_native: coin,
            v2: Some(UniswapV2 {
                factory: v2_factory,
                router: v2_router,
                fee: 3_000,
            }),
            v3: Some(UniswapV3 {
                factory,
                quoter,
                router,
            }),
        };
        let exchange = Self {
            uniswap: with(V3Router::SwapRouter(router)),
            uniswap_02: with(V3Router::SwapRouter02(router_02)),
            node,
            euro,
            dollar,
            positions,
        };
        exchange.fill();
        exchange
    }

    /// The token that wraps the native coin.
    pub fn coin(&self) -> Address {
        self.uniswap.wrapped_native
    }

    fn v2(&self) -> &UniswapV2 {
        self.uniswap.v2.as_ref().expect("version 2")
    }

    /// The contracts of version 3.
    pub fn v3(&self) -> &UniswapV3 {
        self.uniswap.v3.as_ref().expect("version 3")
    }

    /// Adds liquidity. Euros and coins have no pool of version 2, and a narrow one of version 3.
    fn fill(&self) {
        let owner = self.node.account(0);
        let coins = U256::from(DEPTH * 10);
        self.pay(owner, self.coin(), coins, abi("deposit()", &[]));
        for token in [self.euro, self.dollar, self.coin()] {
            for spender in [self.v2().router, self.positions] {
                let words = [word(spender), [0xff; 32]];
                self.send(owner, token, abi("approve(address,uint256)", &words));
            }
        }
        self.add_v2(self.euro, self.dollar, (DEPTH * 10, DEPTH * 11));
        self.add_v2(self.dollar, self.coin(), (DEPTH * 4, DEPTH));
        self.add_v3((self.euro, self.dollar, 500), 887_270, DEPTH);
        self.add_v3((self.euro, self.dollar, 3_000), 887_220, DEPTH * 2);
        self.add_v3((self.dollar, self.coin(), 3_000), 887_220, DEPTH);
        self.add_v3((self.euro, self.coin(), 10_000), 200, DEPTH / 1_000);
        // Pools without liquidity.
        let words = [word(self.euro), word(self.coin())];
        self.send(
            owner,
            self.v2().factory,
            abi("createPair(address,address)", &words),
        );
        // Governance added the lowest fee after the deployment.
        let words = [number(100), number(1)];
        self.send(
            owner,
            self.v3().factory,
            abi("enableFeeAmount(uint24,int24)", &words),
        );
        self.create_v3((self.euro, self.dollar, 100));
    }

    fn add_v2(&self, one: Address, other: Address, units: (u64, u64)) {
        let owner = self.node.account(0);
        let words = [
            word(one),
            word(other),
            number(units.0),
            number(units.1),
            number(1),
            number(1),
            word(owner),
            number(NEVER),
        ];
        let function =
            "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)";
        self.send(owner, self.v2().router, abi(function, &words));
    }

    /// Creates a pool with a price of 25/16.
    fn create_v3(&self, (one, other, fee): (Address, Address, u64)) {
        let (token0, token1) = (one.min(other), one.max(other));
        let sqrt_price: U256 = U256::from(5) << 94;
        let words = [
            word(token0),
            word(token1),
            number(fee),
            sqrt_price.to_be_bytes(),
        ];
        let function = "createAndInitializePoolIfNecessary(address,address,uint24,uint160)";
        self.send(self.node.account(0), self.positions, abi(function, &words));
    }

    /// Adds liquidity between ticks around that price.
    fn add_v3(&self, pool: (Address, Address, u64), ticks: u64, units: u64) {
        self.create_v3(pool);
        let (one, other, fee) = pool;
        // The price of 25/16 is at tick 4463.
        let middle = if ticks < 1_000 { 4_400 } else { 0 };
        let lower = U256::from(middle).wrapping_sub(U256::from(ticks));
        let words = [
            word(one.min(other)),
            word(one.max(other)),
            number(fee),
            lower.to_be_bytes(),
            number(middle + ticks),
            number(units),
            number(units),
            number(0),
            number(0),
            word(self.node.account(0)),
            number(NEVER),
        ];
        let function = "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))";
        self.send(self.node.account(0), self.positions, abi(function, &words));
    }

    /// Takes the liquidity out of all pools.
    pub fn drain(&self) {
        let owner = self.node.account(0);
        let (pools, _) = self.discover();
        for pool in pools.iter().filter(|pool| pool.at.key.kind == PoolKind::V2) {
            let (pair, key) = (pool.at.address, &pool.at.key);
            let shares = self.balance(pair, owner);
            let words = [word(self.v2().router), shares.to_be_bytes()];
            self.send(owner, pair, abi("approve(address,uint256)", &words));
            let words = [
                word(key.token0),
                word(key.token1),
                shares.to_be_bytes(),
                number(1),
                number(1),
                word(owner),
                number(NEVER),
            ];
            let function =
                "removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)";
            self.send(owner, self.v2().router, abi(function, &words));
        }
        let positions = self.word(self.positions, abi("totalSupply()", &[]));
        for id in 1..=positions.to::<u64>() {
            let call = abi("positions(uint256)", &[number(id)]);
            // The eighth word is the liquidity.
            let liquidity = self.words(self.positions, call)[7];
            let words = [
                number(id),
                liquidity.to_be_bytes(),
                number(0),
                number(0),
                number(NEVER),
            ];
            let function = "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))";
            self.send(owner, self.positions, abi(function, &words));
        }
    }

    /// Gives an account tokens.
    pub fn give(&self, to: Address, token: Address, units: u64) {
        let words = [word(to), number(units)];
        let data = abi("transfer(address,uint256)", &words);
        self.send(self.node.account(0), token, data);
    }

    /// Sends a call, which settles.
    pub fn send(&self, from: Address, to: Address, data: Vec<u8>) {
        self.pay(from, to, U256::ZERO, data);
    }

    fn pay(&self, from: Address, to: Address, value: U256, data: Vec<u8>) {
        let call = Call {
            to,
            value,
            data: data.into(),
        };
        assert!(self.try_call(from, &call).is_settled, "{call:?}");
    }

    /// Sends a call, and mines it.
    pub fn try_call(&self, from: Address, call: &Call) -> Receipt {
        let receipt = send(
            &self.node,
            Some((from, call.to)),
            call.value,
            call.data.to_vec(),
        );
        let gas: U256 = parse(&receipt["gasUsed"]);
        let price: U256 = parse(&receipt["effectiveGasPrice"]);
        Receipt {
            is_settled: receipt["status"] == "0x1",
            fee: gas * price,
        }
    }

    /// The hash of the latest block, and its time.
    pub fn latest(&self) -> (B256, Timestamp) {
        let header = (self.node).call("eth_getBlockByNumber", json!(["latest", false]));
        let seconds: U256 = parse(&header["timestamp"]);
        let hash = parse(&header["hash"]);
        (hash, Timestamp::from_millis(seconds.to::<i64>() * 1_000))
    }

    /// What calls return at the latest block.
    pub fn read(&self, calls: &[ContractCall]) -> Vec<Result<Bytes, CallError>> {
        let (block, now) = self.latest();
        let chain = ChainId::new(CHAIN.cast_signed()).expect("a chain");
        let batches = contract_calls::batches(chain, block, calls).into_iter();
        let returned = batches.flat_map(|batch| {
            let request: Value = serde_json::from_str(&batch.request()).expect("JSON");
            let answer = json_rpc::exchange(self.node.address(), &request).expect("an answer");
            let answer = answer.to_string();
            batch.read(&[Ok::<_, CallError>(answer.as_bytes())], now)
        });
        returned.collect()
    }

    /// The first word that a call returns.
    pub fn word(&self, to: Address, data: Vec<u8>) -> U256 {
        self.words(to, data)[0]
    }

    fn words(&self, to: Address, data: Vec<u8>) -> Vec<U256> {
        let data = data.into();
        let answers = self.read(&[ContractCall {
            from: None,
            to,
            data,
        }]);
        let answer = answers[0].as_ref().expect("an answer");
        answer.chunks_exact(32).map(U256::from_be_slice).collect()
    }

    /// The balance of an address in a token.
    pub fn balance(&self, token: Address, of: Address) -> U256 {
        self.word(token, abi("balanceOf(address)", &[word(of)]))
    }

    /// The tokens of the chain: euros, dollars and the native coin.
    pub fn tokens(&self) -> [Option<Address>; 3] {
        [Some(self.euro), Some(self.dollar), None]
    }

    /// What is discovered, and why other pools are not.
    pub fn discover(&self) -> (Vec<Pool>, Vec<String>) {
        let keys = discovery::keys(&self.uniswap, &self.tokens()).expect("few tokens");
        let calls = discovery::address_calls(&self.uniswap, &keys);
        let found = discovery::read_addresses(&keys, &self.read(&calls));
        let calls = discovery::state_calls(&found.pools);
        let pools = discovery::read_states(&found.pools, &self.read(&calls));
        let failed = found.failed.into_iter().chain(pools.failed);
        let failed = failed.map(|(key, error)| format!("{}: {error}", self.name(&key)));
        (pools.pools, failed.collect())
    }

    /// `EUR USD 500` for a pool of version 3.
    pub fn name(&self, key: &PoolKey) -> String {
        let symbol = |token: Address| match token {
            token if token == self.euro => "EUR",
            token if token == self.dollar => "USD",
            _ => "coin",
        };
        let mut symbols = [symbol(key.token0), symbol(key.token1)];
        symbols.sort_unstable();
        let kind = match key.kind {
            PoolKind::V2 => "v2".to_owned(),
            PoolKind::V3 { fee } => fee.to_string(),
        };
        format!("{} {} {kind}", symbols[0], symbols[1])
    }

    /// Quotes at the latest block.
    pub fn quote(
        &self,
        sides: (Option<Address>, Option<Address>),
        exact: Exact,
    ) -> Result<Quotes, QuoteError> {
        let (pools, _) = self.discover();
        let request = QuoteRequest::new(&self.uniswap, &pools, sides, exact)?;
        request.read(&self.read(&request.calls()))
    }
}

fn artifact(package: &str, folder: &str, contract: &str) -> String {
    format!("{package}/artifacts/contracts/{folder}{contract}.sol/{contract}.json")
}

/// The creation code of an artifact.
fn creation_code(path: &str) -> Vec<u8> {
    let path = Path::new(MODULES).join(path);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error} (npm ci in tests)", path.display()));
    let artifact: Value = serde_json::from_str(&text).expect("JSON");
    let code = artifact["bytecode"].as_str().expect("code");
    hex::decode(code.trim_start_matches("0x")).expect("code")
}

/// Sends a transaction, mines it, and returns its receipt. Without a sender and receiver it creates a contract.
fn send(node: &Anvil, between: Option<(Address, Address)>, value: U256, data: Vec<u8>) -> Value {
    let (from, to) = match between {
        Some((from, to)) => (from, Some(to.to_string())),
        None => (node.account(0), None),
    };
    let transaction = json!({
        "from": from.to_string(),
        "to": to,
        "value": format!("{value:#x}"),
        "gas": format!("{GAS:#x}"),
        "data": format!("0x{}", hex::encode(data)),
    });
    let hash = node.call("eth_sendTransaction", json!([transaction]));
    node.mine(1);
    let receipt = node.call("eth_getTransactionReceipt", json!([hash]));
    assert!(receipt.is_object(), "not mined");
    receipt
}

fn parse<T: std::str::FromStr>(value: &Value) -> T {
    let parsed = value.as_str().and_then(|text| text.parse().ok());
    parsed.unwrap_or_else(|| panic!("another value was expected than {value}"))
}

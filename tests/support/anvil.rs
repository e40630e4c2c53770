//! Anvil, a real EVM node for tests. It mines when it is told to, and ends with the value, or with the test process.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;

use alloy_primitives::{Address, B256, U256, keccak256};
use serde_json::{Value, json};

use crate::json_rpc;

const PROGRAM: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil"
);

/// The creation code of the token of `contracts/Fixtures.sol`.
pub const TOKEN: &str = include_str!("contracts/token.hex");
/// The creation code of the traded token of `contracts/Fixtures.sol`, before its symbol and supply.
pub const TRADED_TOKEN: &str = include_str!("contracts/traded_token.hex");

/// The creation code of the payer of `contracts/Fixtures.sol`.
pub const PAYER: &str = include_str!("contracts/payer.hex");

/// The creation code of the spammer of `contracts/Fixtures.sol`.
pub const SPAMMER: &str = include_str!("contracts/spammer.hex");

/// The creation code of the price feed of `contracts/Fixtures.sol`.
pub const PRICE_FEED: &str = include_str!("contracts/price_feed.hex");

/// The blocks whose states the node keeps. It would write all others to the home folder's disk, gigabytes of them.
const STATES: u32 = 256;

/// The gas of every transaction. Without a limit the node would refuse those that fail.
const GAS: u64 = 3_000_000;

/// A running node.
pub struct Anvil {
    address: String,
    process: u32,
    output: Option<JoinHandle<()>>,
    accounts: Vec<Address>,
}

impl Anvil {
    /// Starts a node of a chain, on a free port.
    pub fn start(chain: u64) -> Self {
        Self::start_with(chain, &[])
    }

    /// Starts a node with more arguments.
    pub fn start_with(chain: u64, more: &[&str]) -> Self {
        Self::start_keeping(STATES, chain, more)
    }

    /// Starts a node that keeps the states of so many blocks in memory.
    pub fn start_keeping(states: u32, chain: u64, more: &[&str]) -> Self {
        let prune = ["--prune-history", &states.to_string()];
        Self::run(chain, &[&prune, more].concat())
    }

    /// Starts a node that mines fifteen thousand blocks a second and knows only the latest state. A state that is kept contains the
    /// hashes of all blocks, and since Prague (EIP-2935) the storage root of the contract with the latest hashes is computed for each
    /// block.
    pub fn start_fast(chain: u64) -> Self {
        Self::run(chain, &["--hardfork", "cancun", "--prune-history"])
    }

    fn run(chain: u64, more: &[&str]) -> Self {
        assert!(
            Path::new(PROGRAM).exists(),
            "Anvil is missing: `cargo xtask test` installs it (or `npm ci` in the folder tests)"
        );
        let mut command = Command::new("setpriv");
        command
            .args(["--pdeathsig", "KILL", PROGRAM, "--no-mining", "--port", "0"])
            .args(["--chain-id", &chain.to_string()])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let (sender, receiver) = mpsc::channel();
        // The kernel kills the node when its parent thread ends.
        let output = std::thread::spawn(move || {
            let mut child = command.spawn().expect("Anvil runs");
            let mut output = BufReader::new(child.stdout.take().expect("a pipe was asked for"));
            let mut line = String::new();
            while output.read_line(&mut line).is_ok_and(|read| read > 0) {
                if let Some(address) = line.trim().strip_prefix("Listening on ") {
                    let _started = sender.send((address.to_owned(), child.id()));
                    break;
                }
                line.clear();
            }
            drop(sender);
            // The node blocks unless its output is read.
            let _all = io::copy(&mut output, &mut io::sink());
            let _ended = child.wait();
        });
        let (address, process) = receiver.recv().expect("Anvil starts");
        let mut anvil = Self {
            address,
            process,
            output: Some(output),
            accounts: Vec::new(),
        };
        let accounts = anvil.call("eth_accounts", json!([]));
        anvil.accounts = (accounts.as_array().expect("a list").iter())
            .map(parse)
            .collect();
        anvil
    }

    /// The address, `127.0.0.1:8545`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// An account with coins, whose key the node holds.
    pub fn account(&self, number: usize) -> Address {
        self.accounts[number]
    }

    /// Calls a method that succeeds.
    pub fn call(&self, method: &str, params: Value) -> Value {
        json_rpc::call(&self.address, method, &params)
            .unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Mines blocks, the first with the queued transactions.
    pub fn mine(&self, blocks: u64) {
        self.call("anvil_mine", json!([format!("{blocks:#x}")]));
    }

    /// Queues a transaction of an account; returns its hash.
    pub fn send(&self, transaction: &Transaction) -> B256 {
        parse(&self.call("eth_sendTransaction", json!([transaction.to_json()])))
    }

    /// Queues a transfer of native coins from the first account.
    pub fn pay(&self, to: Address, units: u64) -> B256 {
        self.send(&Transaction::pay(self.account(0), to, units))
    }

    /// Deploys a contract and mines it.
    pub fn deploy(&self, code: &str) -> Address {
        let data = hex::decode(code.trim()).expect("code");
        let hash = self.send(&Transaction {
            from: self.account(0),
            to: None,
            value: U256::ZERO,
            data,
            nonce: None,
        });
        self.mine(1);
        let receipt = self.call("eth_getTransactionReceipt", json!([hash.to_string()]));
        parse(&receipt["contractAddress"])
    }

    /// Mints units of a token.
    pub fn mint(&self, token: Address, to: Address, units: u64) -> B256 {
        let call = abi("mint(address,uint256)", &[word(to), number(units)]);
        self.send(&Transaction::call(self.account(0), token, 0, call))
    }

    /// Replaces the latest blocks by as many empty ones.
    pub fn reorganise(&self, depth: u64) {
        self.call("anvil_reorg", json!([depth, []]));
    }

    /// Names the state, for [`Anvil::revert`].
    pub fn snapshot(&self) -> Value {
        self.call("evm_snapshot", json!([]))
    }

    /// Returns to a state, with the blocks of that time only.
    pub fn revert(&self, snapshot: &Value) {
        assert_eq!(self.call("evm_revert", json!([snapshot])), true);
    }

    /// Takes over the blocks and the latest state of a node of the same chain. Needs `--no-request-size-limit` if they are many.
    pub fn copy_blocks(&self, from: &Self) {
        let state = from.call("anvil_dumpState", json!([]));
        assert_eq!(self.call("anvil_loadState", json!([state])), true);
    }

    /// Sets the native balance of an address.
    pub fn set_balance(&self, of: Address, units: U256) {
        self.call(
            "anvil_setBalance",
            json!([of.to_string(), format!("{units:#x}")]),
        );
    }

    /// Sets the code of an address.
    pub fn set_code(&self, of: Address, code: &str) {
        self.call("anvil_setCode", json!([of.to_string(), code]));
    }

    /// The code of an address.
    pub fn code(&self, of: Address) -> Vec<u8> {
        let code = self.call("eth_getCode", json!([of.to_string(), "latest"]));
        let digits = code.as_str().and_then(|code| code.strip_prefix("0x"));
        hex::decode(digits.expect("bytes in hex")).expect("bytes in hex")
    }

    /// The height.
    pub fn height(&self) -> u64 {
        let number: U256 = parse(&self.call("eth_blockNumber", json!([])));
        number.to()
    }

    /// The hash of the block at a height.
    pub fn block_hash(&self, height: u64) -> B256 {
        let params = json!([format!("{height:#x}"), false]);
        parse(&self.call("eth_getBlockByNumber", params)["hash"])
    }

    /// The native balance of an address at a height.
    pub fn balance(&self, of: Address, height: u64) -> U256 {
        let params = json!([of.to_string(), format!("{height:#x}")]);
        parse(&self.call("eth_getBalance", params))
    }

    /// The balance of an address in a token at a height.
    pub fn token_balance(&self, token: Address, of: Address, height: u64) -> U256 {
        let data = abi("balanceOf(address)", &[word(of)]);
        let call = json!({ "to": token.to_string(), "data": format!("0x{}", hex::encode(data)) });
        parse(&self.call("eth_call", json!([call, format!("{height:#x}")])))
    }
}

impl Drop for Anvil {
    fn drop(&mut self) {
        let process = self.process.to_string();
        let _sent = Command::new("kill").args(["-KILL", &process]).status();
        let _ended = self.output.take().map(JoinHandle::join);
    }
}

/// A transaction of an account whose key the node holds.
#[derive(Debug, Clone)]
pub struct Transaction {
    /// The sender.
    pub from: Address,
    /// The receiver; `None` creates a contract.
    pub to: Option<Address>,
    /// The native coins sent along.
    pub value: U256,
    /// The call.
    pub data: Vec<u8>,
    /// The number among the sender's transactions; the next one if absent.
    pub nonce: Option<u64>,
}

impl Transaction {
    /// A transfer of native coins.
    pub fn pay(from: Address, to: Address, units: u64) -> Self {
        Self::call(from, to, units, Vec::new())
    }

    /// A call of a contract.
    pub fn call(from: Address, to: Address, units: u64, data: Vec<u8>) -> Self {
        Self {
            from,
            to: Some(to),
            value: U256::from(units),
            data,
            nonce: None,
        }
    }

    fn to_json(&self) -> Value {
        let mut transaction = json!({
            "from": self.from.to_string(),
            "value": format!("{:#x}", self.value),
            "gas": format!("{GAS:#x}"),
            // Constant, so that the same transaction has the same hash in another block.
            "maxFeePerGas": "0x2540be400",
            "maxPriorityFeePerGas": "0x3b9aca00",
            "data": format!("0x{}", hex::encode(&self.data)),
        });
        if let Some(to) = self.to {
            transaction["to"] = to.to_string().into();
        }
        if let Some(nonce) = self.nonce {
            transaction["nonce"] = format!("{nonce:#x}").into();
        }
        transaction
    }
}

/// A call of a contract's function by the ABI.
pub fn abi(function: &str, words: &[[u8; 32]]) -> Vec<u8> {
    let mut data = keccak256(function)[..4].to_vec();
    data.extend(words.iter().flatten());
    data
}

/// An address as a word of the ABI.
pub fn word(address: Address) -> [u8; 32] {
    address.into_word().0
}

/// A number as a word of the ABI.
pub fn number(number: u64) -> [u8; 32] {
    U256::from(number).to_be_bytes()
}

fn parse<T: std::str::FromStr>(value: &Value) -> T {
    let parsed = value.as_str().and_then(|text| text.parse().ok());
    parsed.unwrap_or_else(|| panic!("another value was expected than {value}"))
}

//! A node of a chain of many empty blocks, which makes each when it is asked for.

use std::io::{self, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use alloy_primitives::{B256, keccak256};
use serde_json::{Value, json};

use crate::json_rpc;

/// The node. Ends with the test process.
pub struct LongChain {
    address: String,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    calls: AtomicU64,
    requests: AtomicU64,
}

impl LongChain {
    /// Starts a node of a chain with blocks up to a height.
    pub fn start(chain: u64, height: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address").to_string();
        let counts = Arc::<Counts>::default();
        let counted = Arc::clone(&counts);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let counts = Arc::clone(&counted);
                // A broken connection is the client's business.
                std::thread::spawn(move || drop(serve((chain, height), &counts, &stream)));
            }
        });
        Self { address, counts }
    }

    /// The URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The calls so far, and the requests that contained them.
    pub fn counts(&self) -> (u64, u64) {
        let counted = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (counted(&self.counts.calls), counted(&self.counts.requests))
    }

    /// The hash of the block at a height.
    pub fn block_hash(height: u64) -> B256 {
        keccak256(height.to_be_bytes())
    }
}

fn serve(chain: (u64, u64), counts: &Counts, mut stream: &TcpStream) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let request: Value = serde_json::from_slice(&json_rpc::read_message(&mut reader)?)?;
        let calls = request.as_array().map_or(1, Vec::len) as u64;
        counts.calls.fetch_add(calls, Ordering::Relaxed);
        counts.requests.fetch_add(1, Ordering::Relaxed);
        let answer = match request.as_array() {
            Some(calls) => calls.iter().map(|call| answer(chain, call)).collect(),
            None => answer(chain, &request),
        };
        let body = answer.to_string();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json";
        let response = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(response.as_bytes())?;
    }
}

fn answer((chain, height): (u64, u64), call: &Value) -> Value {
    let result = match call["method"].as_str() {
        Some("eth_chainId") => format!("{chain:#x}").into(),
        Some("eth_getLogs") => json!([]),
        Some("eth_getBlockByNumber") => {
            let asked = call["params"][0].as_str().unwrap_or_default();
            let digits = asked.strip_prefix("0x");
            let number = digits.map_or(Ok(height), |digits| u64::from_str_radix(digits, 16));
            block(number.expect("a height"))
        }
        _ => Value::Null,
    };
    json!({ "jsonrpc": "2.0", "id": call["id"], "result": result })
}

fn block(number: u64) -> Value {
    json!({
        "number": format!("{number:#x}"),
        "hash": LongChain::block_hash(number).to_string(),
        "parentHash": LongChain::block_hash(number.saturating_sub(1)).to_string(),
        "timestamp": format!("{number:#x}"),
        "baseFeePerGas": "0x7",
        "logsBloom": format!("0x{}", "0".repeat(512)),
        "transactions": [],
    })
}

//! The withdrawals of the exchange: an address book, a fee of one, and a list in no order.

use serde_json::{Value, json};

use super::{Kraken, Request, lock};

#[derive(Default)]
pub(super) struct Withdrawals {
    addresses: Vec<Value>,
    listed: Vec<Value>,
    /// The requests to withdraw with the right key, signature and nonce.
    requests: usize,
    /// Whether the answers wait.
    pub(super) is_held: bool,
}

impl Kraken {
    /// Adds a confirmed address to the address book.
    pub fn add_address(&self, key: &str, asset: &str, method: &str, address: &str) {
        let entry = json!({ "address": address, "asset": asset, "method": method, "key": key, "verified": true });
        lock(&self.shared).withdrawals.addresses.push(entry);
    }

    /// The number of requests to withdraw with the right key, signature and nonce.
    pub fn withdrawals(&self) -> usize {
        lock(&self.shared).withdrawals.requests
    }

    /// From now on takes withdrawals and holds the answers back; or lets them go.
    pub fn hold_withdrawals(&self, is_held: bool) {
        lock(&self.shared).withdrawals.is_held = is_held;
    }

    /// Sends all withdrawals, in a transaction of this hash.
    pub fn complete_withdrawals(&self, hash: &str) {
        for listed in &mut lock(&self.shared).withdrawals.listed {
            listed["status"] = json!("Success");
            listed["txid"] = json!(hash);
        }
    }
}

impl Withdrawals {
    /// The answer to a request about withdrawals.
    pub(super) fn answer(&mut self, method: &str, request: &Request) -> Option<Value> {
        let of = |field: &str, entry: &Value| entry[field] == request.field(field);
        let result = match method {
            "WithdrawAddresses" => {
                let listed = self.addresses.iter().filter(|entry| of("key", entry));
                json!(listed.collect::<Vec<_>>())
            }
            "WithdrawInfo" => json!({
                "method": self.method(request.field("key")), "limit": "100000", "amount": net(request), "fee": "1.00",
            }),
            "WithdrawStatus" => {
                let listed = self.listed.iter().filter(|entry| of("asset", entry));
                json!(listed.collect::<Vec<_>>())
            }
            "Withdraw" => return Some(self.withdraw(request)),
            _ => return None,
        };
        Some(json!({ "error": [], "result": result }))
    }

    /// The method of a key.
    fn method(&self, key: &str) -> Value {
        let mut addresses = self.addresses.iter();
        let found = addresses.find(|entry| entry["key"] == key);
        found.map_or_else(|| json!("a method"), |entry| entry["method"].clone())
    }

    fn withdraw(&mut self, request: &Request) -> Value {
        self.requests += 1;
        let mut addresses = self.addresses.iter();
        let key = request.field("key");
        let Some(entry) = addresses.find(|entry| entry["key"] == key) else {
            return json!({ "error": ["EFunding:Unknown withdraw key"] });
        };
        if entry["address"] != request.field("address") {
            return json!({ "error": ["EFunding:Invalid withdrawal address"] });
        }
        let id = format!("AFAKE-{}", self.requests);
        let listed = json!({
            "method": entry["method"], "aclass": "currency", "asset": entry["asset"], "refid": id, "txid": null,
            "info": entry["address"], "amount": net(request), "fee": "1.00", "time": 1_900_000_000, "status": "Initial",
            "key": key,
        });
        self.listed.insert(self.listed.len() / 2, listed);
        json!({ "error": [], "result": { "refid": id } })
    }
}

/// The amount of a request without the fee.
fn net(request: &Request) -> String {
    let amount = request.field("amount").parse().unwrap_or(0_i64);
    format!("{}.00", amount - 1)
}

//! An exchange with an address book that takes withdrawals, and whose answers can be lost, wrong or late.

use alloy_primitives::Address;
use serde_json::{Value, json};
use settlekit_service::exchange::SignedRequest;
use settlekit_service::web_answer::{WebAnswer, WebError};

use super::{answer, answered, failed};

pub(super) const TIMED_OUT: WebAnswer = WebAnswer::Failed(WebError::TimedOut);

/// The exchange's transaction on the chain.
pub(super) const HASH: &str = "0x9999999999999999999999999999999999999999999999999999999999999999";

/// The exchange.
pub(super) struct Bank {
    /// The address book.
    pub(super) addresses: Value,
    /// The fee of every withdrawal, in dollars.
    pub(super) fee: &'static str,
    /// The most that can arrive.
    pub(super) limit: &'static str,
    /// The dollars in the account, less all withdrawals.
    pub(super) balance: i64,
    /// The result in the place of that of `WithdrawInfo`.
    pub(super) info: Option<Value>,
    /// Whether the list lacks the last withdrawal.
    pub(super) is_lagging: bool,
    before: Vec<Value>,
    /// The withdrawals, in any order.
    pub(super) listed: Vec<Value>,
    /// The answer in the place of that to `Withdraw`, and whether the exchange withdraws nevertheless.
    pub(super) fault: Option<(WebAnswer, bool)>,
    /// The answers in the place of those to all other requests about withdrawals.
    pub(super) list_fault: Option<WebAnswer>,
    /// The forms of all requests to withdraw.
    pub(super) withdrawn: Vec<String>,
}

/// A field of a form.
pub(super) fn field<'a>(body: &'a str, name: &str) -> &'a str {
    let mut pairs = body.split('&').filter_map(|pair| pair.split_once('='));
    let found = pairs.find(|(field, _)| *field == name);
    found.map_or("", |(_, value)| value)
}

/// An entry of the address book, for dollars on Base.
pub(super) fn address(key: &str, address: Address) -> Value {
    json!({
        "address": address.to_string().to_lowercase(), "asset": "USDC", "method": "USDC - Base", "key": key, "verified": true,
    })
}

impl Bank {
    pub(super) fn new(wallet: Address) -> Self {
        Self {
            addresses: json!([
                address("hot", wallet),
                address("cold", Address::repeat_byte(7))
            ]),
            fee: "1",
            limit: "100000",
            balance: 1_000,
            info: None,
            is_lagging: false,
            before: Vec::new(),
            listed: Vec::new(),
            fault: None,
            list_fault: None,
            withdrawn: Vec::new(),
        }
    }

    /// A withdrawal of 100 dollars to the key `hot`, as the exchange lists it, without a transaction yet.
    pub(super) fn entry(id: &str, wallet: Address) -> Value {
        json!({
            "method": "USDC - Base", "aclass": "currency", "asset": "USDC", "refid": id, "txid": null, "info": wallet.to_string(),
            "amount": "99.00000000", "fee": "1.00000000", "time": 1_900_000_000, "status": "Initial", "key": "hot",
            "network": "Base",
        })
    }

    /// Lists a withdrawal with another status, and with its transaction.
    pub(super) fn set_status(&mut self, id: &str, status: &str) {
        let mut listed = self.listed.iter_mut();
        let found = listed.find(|one| one["refid"] == id).expect("it is listed");
        found["status"] = json!(status);
        if status == "Failure" {
            let units = |field: &str| found[field].as_str().and_then(|text| text.parse().ok());
            self.balance += units("amount").unwrap_or(0_i64) + units("fee").unwrap_or(0);
        }
        found["txid"] = json!(HASH);
    }

    /// The entry of a key in the address book.
    fn entry_of(&self, key: &str) -> Option<&Value> {
        let mut entries = self.addresses.as_array().expect("a list").iter();
        entries.find(|entry| entry["key"] == key)
    }

    pub(super) fn answer(&mut self, request: &SignedRequest) -> WebAnswer {
        let body = &request.body;
        let path = request.url.rsplit('/').next().unwrap_or_default();
        match (path, &self.list_fault) {
            ("BalanceEx", _) => {
                let dollars = self.balance.to_string();
                answered(&json!({ "USDC": { "balance": dollars }, "XETH": { "balance": "10" } }))
            }
            ("Withdraw", _) => self.withdraw(body),
            (_, Some(fault)) => fault.clone(),
            ("WithdrawAddresses", None) => answered(&self.addresses),
            ("WithdrawInfo", None) => {
                let number = |text: &str| text.parse::<i64>().expect("whole dollars");
                if let Some(info) = &self.info {
                    return answered(info);
                }
                let arrives = number(field(body, "amount")) - number(self.fee);
                let entry = self.entry_of(field(body, "key"));
                let method = entry.map_or("USDC - Base", |entry| {
                    entry["method"].as_str().expect("a method")
                });
                let info = json!({
                    "method": method, "limit": self.limit, "amount": format!("{arrives}.00"), "fee": self.fee,
                });
                answered(&info)
            }
            ("WithdrawStatus", None) => {
                let start: f64 = field(body, "start").parse().expect("seconds");
                let listed = match self.is_lagging {
                    true => self.before.iter(),
                    false => self.listed.iter(),
                };
                let recent = listed.filter(|one| one["time"].as_f64().expect("seconds") >= start);
                answered(&json!(recent.collect::<Vec<_>>()))
            }
            _ => failed("EGeneral:Unknown method"),
        }
    }

    fn withdraw(&mut self, body: &str) -> WebAnswer {
        self.withdrawn.push(body.to_owned());
        let entry = self.entry_of(field(body, "key"));
        let refusal = match entry {
            None => Some("EFunding:Unknown withdraw key"),
            Some(entry) if entry["address"] != field(body, "address") => {
                Some("EFunding:Invalid withdrawal address")
            }
            Some(_) => None,
        };
        if let (Some(refusal), None) = (refusal, &self.fault) {
            return failed(refusal);
        }
        let is_done = self.fault.as_ref().is_none_or(|(_, is_done)| *is_done);
        let id = format!("AFAKE-{}", self.withdrawn.len());
        if is_done {
            let receiver = field(body, "address").parse().expect("an address");
            let mut entry = Self::entry(&id, receiver);
            let amount: i64 = field(body, "amount").parse().expect("whole dollars");
            let fee: i64 = self.fee.parse().expect("whole dollars");
            entry["amount"] = json!((amount - fee).to_string());
            entry["fee"] = json!(self.fee);
            // The order of the list means nothing.
            self.before.clone_from(&self.listed);
            self.balance -= amount;
            let place = self.listed.len() / 2;
            self.listed.insert(place, entry);
        }
        match &self.fault {
            Some((fault, _)) => fault.clone(),
            None => answered(&json!({ "refid": id })),
        }
    }
}

/// The answers after which nobody knows what the exchange has done.
pub(super) fn unclear_answers() -> Vec<WebAnswer> {
    vec![
        TIMED_OUT,
        WebAnswer::Failed(WebError::Unreachable),
        answer(502, "<html>"),
        answer(200, "<html>"),
        answer(429, ""),
        failed("EService:Unavailable"),
        failed("EGeneral:Internal error"),
        failed("EFunding:Failed"),
        failed("EAPI:Invalid nonce"),
        answered(&json!({ "refid": "a/b" })),
        answered(&json!({})),
        answer(
            200,
            r#"{"error":["EFunding:Invalid amount","EService:Timeout"]}"#,
        ),
    ]
}

//! Payments of programs, verified and settled in process.

use std::time::{Duration, Instant};

use http::Request;
use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_core::value::Timestamp;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Database, Seed, eip191};
use settlekit_tests::wallet::Wallet;

use crate::{median, open_shop, row, service};

const PAYMENTS: u32 = 200;
const ROUNDS: usize = 9;

/// Payments of different nonces for one resource, as bodies for the facilitator.
struct Prepared {
    database: Sqlite,
    key: String,
    now: Timestamp,
    bodies: Vec<Vec<u8>>,
    calls: u64,
}

impl Prepared {
    fn new(round: usize) -> Self {
        let now = Timestamp::from_millis(1_780_000_000_000);
        let mut database = Sqlite::in_memory().expect("a database");
        let key = open_shop(&mut database, now);
        let mut prepared = Self {
            database,
            key,
            now,
            bodies: Vec::new(),
            calls: 0,
        };
        let account = json!({ "type": "CryptoPayIn", "reference": "till", "currencies": ["USDC"], "chain_id": 8453 });
        let account = prepared.send("POST", "/v1/accounts", &account.to_string());
        let address = account["data"]["address"].clone();
        let paylink = json!({ "name": "Tea", "amount": "1", "currency": "USDC" });
        let paylink = prepared.send("POST", "/v1/paylinks", &paylink.to_string());
        let id = paylink["data"]["id"].as_str().expect("an id");
        let asked = prepared.send("GET", &format!("/v1/x402/{id}"), "");
        let asks = asked["accepts"][0].clone();
        let payer = Wallet::new([7; 32]);
        for number in 0..PAYMENTS {
            let nonce = u64::from(number) + 1 + ((round as u64) << 32);
            let body = body(&payer, &asks, &address, nonce, now);
            prepared.bodies.push(body.to_string().into_bytes());
        }
        prepared
    }

    fn answer(&mut self, method: &str, path: &str, body: Vec<u8>) -> Vec<u8> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::API_KEY, &self.key)
            .body(body)
            .expect("a request");
        self.calls += 1;
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.calls.to_be_bytes());
        let database: &mut dyn Database = &mut self.database;
        service()
            .answer(database, &request, self.now, Seed(seed))
            .into_body()
    }

    fn send(&mut self, method: &str, path: &str, body: &str) -> Value {
        let answer = self.answer(method, path, body.as_bytes().to_vec());
        serde_json::from_slice(&answer).expect("JSON")
    }

    /// Payments a second.
    fn measure(&mut self, endpoint: &str, member: &str) -> f64 {
        let bodies = self.bodies.clone();
        let path = format!("/v1/x402/{endpoint}");
        let since = Instant::now();
        for body in bodies {
            let answer = self.answer("POST", &path, body);
            let text = String::from_utf8_lossy(&answer);
            assert!(text.contains(&format!("\"{member}\":true")), "{text}");
        }
        f64::from(PAYMENTS) / since.elapsed().as_secs_f64()
    }
}

/// A payment of a quarter of a cent to an address, signed for five minutes, as a body for the facilitator. `asks` names the token:
/// `asset`, and its domain in `extra`.
pub(crate) fn body(
    payer: &Wallet,
    asks: &Value,
    pay_to: &Value,
    nonce: u64,
    now: Timestamp,
) -> Value {
    let nonce = format!("0x{nonce:064x}");
    let end = now.plus(Duration::from_secs(300)).seconds();
    let accepted = json!({
        "scheme": "exact", "network": "eip155:8453", "asset": asks["asset"], "amount": "2500", "payTo": pay_to,
        "maxTimeoutSeconds": 300,
    });
    let signed = payer.authorize(
        &json!({
            "to": pay_to, "value": "2500", "token_address": asks["asset"], "domain_name": asks["extra"]["name"],
            "domain_version": asks["extra"]["version"], "valid_before": end, "nonce": nonce,
        }),
        8453,
    );
    json!({
        "x402Version": 2,
        "paymentRequirements": accepted,
        "paymentPayload": {
            "x402Version": 2,
            "accepted": accepted,
            "payload": {
                "signature": signed["signature"],
                "authorization": {
                    "from": signed["from"], "to": pay_to, "value": "2500", "validAfter": "0",
                    "validBefore": end.to_string(), "nonce": nonce,
                },
            },
        },
    })
}

pub(crate) fn run() {
    let (mut verified, mut settled, mut recovered) = (Vec::new(), Vec::new(), Vec::new());
    let signature = Wallet::new([7; 32]).sign("Tea");
    for round in 0..ROUNDS {
        let mut prepared = Prepared::new(round);
        verified.push(prepared.measure("verify", "isValid"));
        settled.push(prepared.measure("settle", "success"));
        let since = Instant::now();
        for _ in 0..PAYMENTS {
            eip191::signer("Tea", &signature).expect("a signer");
        }
        recovered.push(f64::from(PAYMENTS) / since.elapsed().as_secs_f64());
    }
    let recovered = median(recovered);
    for (what, measured) in [("verified", verified), ("settled", settled)] {
        let measured = median(measured);
        row(
            &format!("payments of programs (x402) {what}, SQLite in memory"),
            &format!("{measured:.0}/s"),
            &format!("their signatures alone, {recovered:.0}/s"),
            measured / recovered,
        );
    }
}

//! Several server processes on one PostgreSQL: due jobs run once, and after a kill the others
//! continue the work.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::header;

use crate::place::{
    self, Organisation, Place, Server, ask, call, now, posted, refused, request, sent, sign, total,
    wait_for,
};

const WALLET: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// Deposits per client.
const EACH: u64 = 12;
const CLIENTS: u64 = 8;

/// A webhook receiver that accepts everything and records event, type and document.
#[derive(Clone, Default)]
struct Receiver {
    came: Arc<Mutex<Vec<(String, String, String)>>>,
}

impl Receiver {
    fn listen(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let receiver = self.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let receiver = receiver.clone();
                std::thread::spawn(move || receiver.take(stream));
            }
        });
        format!("http://{address}/hooks")
    }

    /// Receives one delivery; incomplete ones are ignored.
    fn take(&self, stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream);
        let (mut event, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(": ").unwrap_or((line, ""));
            match name.to_ascii_lowercase().as_str() {
                header::WEBHOOK_ID => event = value.to_owned(),
                "content-length" => length = value.parse().ok()?,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let body: Value = serde_json::from_slice(&body).ok()?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let told = (event, text(&body["type"]), text(&body["data"]["id"]));
        self.came.lock().ok()?.push(told);
        let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
        reader.into_inner().write_all(answer).ok()
    }

    fn counts(&self) -> BTreeMap<String, u32> {
        let mut counts = BTreeMap::new();
        for (event, ..) in self.came.lock().expect("no panic").iter() {
            *counts.entry(event.clone()).or_insert(0) += 1;
        }
        counts
    }
}

/// Deposits of one euro from several clients, each to a random running server; a call without an answer is retried on
/// another server with the same idempotency key.
fn deposit(servers: &Mutex<Vec<String>>, key: &str, name: &str, done: &AtomicU64) {
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            scope.spawn(move || {
                for number in 0..EACH {
                    let body = json!({ "account": "till", "chain_id": 8453, "currency": "EURC", "amount": "1" });
                    let mut asked = request(key, "POST", "/sandbox/deposits", &body);
                    let once = format!("{name}-{client}-{number}").parse().expect("a key");
                    asked.headers_mut().insert(header::IDEMPOTENCY_KEY, once);
                    let mut turn = client + number;
                    let (status, answer) = loop {
                        let address = {
                            let servers = servers.lock().expect("no panic");
                            servers[turn as usize % servers.len()].clone()
                        };
                        turn += 1;
                        if let Some(answer) = ask(&address, &asked) {
                            break answer;
                        }
                    };
                    assert_eq!(status, 201, "{answer}");
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
}

fn pending(address: &str, key: &str) -> u64 {
    total(address, key, "/events?delivery_status=pending&limit=1")
}

/// Creates an automation that pays out the surplus above two hundred dollars.
fn keep_balance(address: &str, made: &Organisation, account: &Value) {
    let body = json!({ "currency": "USDC", "minimum_threshold_amount": 100, "payout_address": WALLET, "payout_threshold_amount": 200 });
    let path = format!("/partners/accounts/id/{account}/automations/maintain-balance");
    let mut asked = request(&made.key, "POST", &path, &body);
    sign(&mut asked, made);
    let (status, answer) = ask(address, &asked).expect("an answer");
    assert_eq!(status, 201, "{answer}");
}

#[test]
fn three_servers_do_everything_once_and_survive_a_kill() {
    let place = Place::postgres();
    let made = place.organisation();
    let key = made.key.as_str();
    let mut servers: Vec<Server> = (0..3).map(|_| Server::start(&place)).collect();
    let addresses: Vec<String> = servers.iter().map(|one| one.address.clone()).collect();
    let first = addresses[0].clone();
    let till =
        json!({ "reference": "till", "chain_id": 8453, "currencies": ["USDC", "EURC", "ETH"] });
    let till = call(&first, key, "POST", "/accounts", till)["id"].clone();
    let receiver = Receiver::default();
    let endpoint = json!({ "webhook_url": receiver.listen() });
    call(&first, key, "PUT", "/orgs", endpoint);

    // Concurrently: an automation, scheduled subscriptions, orders to settle, deposits.
    keep_balance(&first, &made, &till);
    let plan = json!({ "name": "Box", "price": "5", "currency": "EURC", "type": "Recurring", "recurring_interval": "Month" });
    let plan = call(&first, key, "POST", "/plan", plan)["id"].clone();
    let link = json!({ "amount": "5", "currency": "EURC", "name": "Tea" });
    let link = call(&first, key, "POST", "/paylinks", link);
    let path = format!("/checkout/{}/payments", link["id"].as_str().expect("an id"));
    let payer = json!({ "chain_id": 8453, "currency": "EURC", "email": "ada@tea.example" });
    call(&first, key, "POST", &path, payer);
    let customer = call(&first, key, "GET", "/customers", Value::Null)["items"][0]["id"].clone();
    let begins = now().plus(Duration::from_secs(2));
    for number in 0..10_usize {
        let body =
            json!({ "customer_id": customer, "plan_ids": [plan], "start_at": begins.to_string() });
        let address = &addresses[number % addresses.len()];
        call(address, key, "POST", "/subscriptions", body);
    }
    place::deposit(&first, key, "till", "USDC", "1000");
    let done = AtomicU64::new(0);
    let running = Mutex::new(addresses.clone());
    deposit(&running, key, "calm", &done);
    let sum = (CLIENTS * EACH).to_string();
    wait_for("every deposit is booked", || {
        posted(&first, key, "EURC").as_deref() == Some(sum.as_str())
    });
    wait_for("every subscription is billed", || {
        total(&first, key, "/invoices?limit=1") >= 10
    });
    wait_for("the balance is brought down", || {
        let payouts = call(&first, key, "GET", "/payouts?limit=1", Value::Null);
        payouts["items"][0]["status"] == "Confirmed"
    });
    wait_for("every event is delivered", || pending(&first, key) == 0);
    assert_eq!(
        total(&first, key, "/invoices?limit=1"),
        10,
        "billed once each"
    );
    assert_eq!(total(&first, key, "/payouts?limit=1"), 1, "swept once");
    let counts = receiver.counts();
    // Events from before the endpoint was set.
    let kept = total(&first, key, "/sandbox/inbox?limit=1");
    let twice: Vec<_> = counts.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "delivered more than once: {twice:?}");
    let events = total(&first, key, "/events?delivery_status=succeeded&limit=1");
    assert_eq!(
        counts.len() as u64 + kept,
        events,
        "what is noted as delivered was"
    );

    // The same load again, with one of the three killed in the middle.
    let killed = std::thread::scope(|scope| {
        let (running, done) = (&running, &done);
        let before = done.load(Ordering::Relaxed);
        let loading = scope.spawn(move || deposit(running, key, "storm", done));
        while done.load(Ordering::Relaxed) < before + CLIENTS * EACH / 3 && !loading.is_finished() {
            std::thread::yield_now();
        }
        let killed = servers.pop().expect("three were started");
        let address = killed.address.clone();
        drop(killed);
        running
            .lock()
            .expect("no panic")
            .retain(|running| *running != address);
        loading
            .join()
            .expect("every deposit is answered by somebody");
        address
    });
    assert!(TcpStream::connect(&killed).is_err(), "it is gone");
    let sum = (2 * CLIENTS * EACH).to_string();
    wait_for("every deposit is booked, and once", || {
        posted(&first, key, "EURC").as_deref() == Some(sum.as_str())
    });
    // Claims of the killed server expire after a minute.
    let later = json!({ "advance_seconds": 61 });
    call(&first, key, "POST", "/sandbox/clock", later);
    wait_for("every event is delivered by those that are left", || {
        pending(&first, key) == 0
    });
    let counts = receiver.counts();
    let events = total(&first, key, "/events?delivery_status=succeeded&limit=1");
    assert_eq!(counts.len() as u64 + kept, events, "no event is missing");
    let twice = counts.values().filter(|count| **count > 1).count();
    assert!(
        twice <= 32,
        "more than the dead one can have had under way: {twice}"
    );
    let movements = "/accounts/till/movement?limit=1";
    let deposits = 2 * CLIENTS * EACH + 1;
    assert!(total(&first, key, movements) >= deposits);
    drop(servers);
    place.is_sound();
}

#[test]
fn a_new_postgresql_database_gets_its_key_file() {
    let place = Place::postgres();
    let create_with = |file: &str, more: &[&str]| {
        let words = ["org", "create", "--name", "Acme", "--key-file", file];
        let mut command = place.command(&[&words[..], more].concat());
        let output = command.env_remove("SETTLEKIT_MASTER_KEY").output();
        output.expect("the program runs")
    };
    let create = |file: &str| create_with(file, &[]);
    let first = create("master.key");
    assert!(first.status.success(), "{first:?}");
    assert!(place.folder.path().join("master.key").exists());
    assert!(create("master.key").status.success());
    let said = refused(&create("another.key"));
    assert!(said.contains("the database exists but its key"), "{said}");
    assert!(!place.folder.path().join("another.key").exists());

    let unreachable = ["--database", "postgres://nobody@127.0.0.1:1/nothing"];
    let said = refused(&create_with("third.key", &unreachable));
    assert!(said.contains("start the server"), "{said}");
}

#[test]
fn the_demo_is_created_once_on_postgresql() {
    let place = Place::postgres();
    for is_new in [true, false] {
        let server = Server::start_with(&place, &["--demo"]);
        let body = json!({ "email": settlekit_service::demo::EMAIL, "password": settlekit_service::demo::PASSWORD });
        let (status, answer) = sent(&server.address, "", "POST", "/sessions", &body);
        assert_eq!(status, 201, "{is_new}: {answer}");
    }
    place.is_sound();
}

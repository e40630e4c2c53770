//! Several server processes on one PostgreSQL: due work runs once, and concurrent requests lose nothing.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use http::Request;
use serde_json::json;
use settlekit_core::header;
use settlekit_core::value::Timestamp;
use settlekit_service::store::postgres::Postgres;
use settlekit_service::{DeliveryOutcome, Seed, Service};
use settlekit_tests::postgres;
use settlekit_tests::world::{Shop, WALLET, World, number};

/// Unique random bytes for each call.
fn seed(process: u64, call: u64) -> Seed {
    let mut bytes = [0xa5; 32];
    bytes[..8].copy_from_slice(&process.to_be_bytes());
    bytes[8..16].copy_from_slice(&call.to_be_bytes());
    Seed(bytes)
}

/// Several processes run the due work of a time concurrently; returns the claimed events of each.
fn work_at_once(service: &Service, address: &str, now: Timestamp) -> Vec<String> {
    thread::scope(|scope| {
        let processes: Vec<_> = (1..=4)
            .map(|process| {
                scope.spawn(move || {
                    let mut database = Postgres::open(address).expect("a connection");
                    let mut claimed = Vec::new();
                    for call in 0..12 {
                        let calls = service
                            .work(&mut database, now, seed(process, call))
                            .expect("work is done");
                        claimed.extend(calls.iter().map(|call| call.message.event.to_string()));
                    }
                    claimed
                })
            })
            .collect();
        let all = processes
            .into_iter()
            .map(|one| one.join().expect("no panic"));
        all.flatten().collect()
    })
}

#[test]
fn due_jobs_run_once_with_several_processes() {
    let address = postgres::database();
    let mut world = World::new(Box::new(Postgres::open(&address).expect("a connection")));
    let partner = world.shop("Partner", None);
    let shop = world.shop("Shop", Some(partner.id));
    let body = json!({ "reference": "till", "chains": [{ "chain_id": 8453, "currencies": ["USDC", "ETH"] }] });
    let till = world.keyed(&shop, "POST", "/v1/accounts/virtual", body);
    let (till, base) = (
        till.data()["id"].clone(),
        number(&till.data()["sub_accounts"][0], "id"),
    );
    world.deposit(&shop, base, 8453, "USDC", "1000");

    // Twenty subscriptions to renew, orders to settle, a balance to sweep, events to deliver.
    let plan = json!({ "name": "Box", "price": "5", "currency": "USDC", "type": "Recurring", "recurring_interval": "Month" });
    let plan = world.keyed(&shop, "POST", "/v1/plan", plan);
    let customer = world.customer(&shop, json!({ "email": "ada@tea.example" }));
    let begins = world.now.plus(Duration::from_secs(60));
    for _ in 0..20 {
        let body = json!({ "customer_id": customer, "plan_ids": [plan.data()["id"]], "start_at": begins.to_string() });
        world.post(&shop, "/v1/subscriptions", body);
    }
    for _ in 0..10 {
        let body = json!({ "amount": "10", "currency": "USDC", "to_currency": "ETH", "chain_id": 8453, "to_chain_id": 8453 });
        world.post(&shop, "/v1/trade/quicktrade", body);
    }
    world.set_webhook_url(&shop, "http://127.0.0.1:9099/hooks");
    let path = format!("/v1/partners/accounts/id/{till}/automations/maintain-balance");
    let body = json!({ "currency": "USDC", "minimum_threshold_amount": 100, "payout_address": WALLET, "payout_threshold_amount": 200 });
    let kept = world.signed(&partner, Some(shop.id), "POST", &path, body);
    assert_eq!(kept.status, 201, "{}", kept.body);

    let service = world.parts().0.clone();
    let mut delivered = Vec::new();
    for _ in 0..3 {
        world.pass(Duration::from_secs(58));
        delivered.extend(work_at_once(&service, &address, world.now));
        // A claim without a report lasts a minute: until then no event is claimed again.
    }
    let first: BTreeSet<&String> = delivered.iter().collect();
    assert!(!first.is_empty());

    assert_eq!(world.read(&shop, "/v1/invoices")["total"], 20);
    let payouts = world.read(&shop, "/v1/payouts");
    assert_eq!(payouts["total"], 1, "the balance is swept once: {payouts}");
    let orders = world.read(&shop, "/v1/trade/orders?limit=100");
    let orders = orders["items"].as_array().expect("items");
    assert!(orders.iter().all(|order| order["status"] == "Settled"));
    let movements = world.read(&shop, "/v1/accounts/till/movement?limit=100");
    let swaps = movements["items"].as_array().expect("items").iter();
    let swaps = swaps.filter(|movement| movement["type"] == "Swap").count();
    assert_eq!(swaps, 20, "what is sold and what is bought, once each");
    assert_eq!(world.differences(), Vec::<String>::new());
}

#[test]
fn an_event_is_claimed_by_one_process() {
    let address = postgres::database();
    let mut world = World::new(Box::new(Postgres::open(&address).expect("a connection")));
    let shops: Vec<Shop> = (0..6)
        .map(|number| world.shop(&format!("Shop {number}"), None))
        .collect();
    for shop in &shops {
        world.set_webhook_url(shop, "http://127.0.0.1:9099/hooks");
        for _ in 0..10 {
            let plan = json!({ "name": "Tea", "price": "1", "currency": "USDC" });
            assert_eq!(world.keyed(shop, "POST", "/v1/plan", plan).status, 201);
        }
    }
    let service = world.parts().0.clone();
    let claimed = work_at_once(&service, &address, world.now);
    let each: BTreeSet<&String> = claimed.iter().collect();
    assert_eq!(each.len(), claimed.len(), "an event was claimed twice");
    assert_eq!(claimed.len(), 6 * 11, "every event was claimed");
}

/// Whether an endpoint accepts an event at an attempt: two of five are refused at first, none after two attempts.
fn takes(event: &str, attempt: u64) -> bool {
    let sum: u64 = event.bytes().map(u64::from).sum();
    attempt > 2 || (sum + attempt * 7) % 5 > 1
}

#[test]
fn several_processes_deliver_a_documents_events_in_order() {
    let address = postgres::database();
    let mut world = World::new(Box::new(Postgres::open(&address).expect("a connection")));
    let shops: Vec<Shop> = (0..3)
        .map(|number| {
            let shop = world.shop(&format!("Shop {number}"), None);
            world.account(&shop, "till", 8453, &["USDC"]);
            world.set_webhook_url(&shop, "http://127.0.0.1:9099/hooks");
            shop
        })
        .collect();
    let mut documents = Vec::new();
    for shop in &shops {
        for _ in 0..4 {
            let body = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453 });
            let id = world.post(shop, "/v1/payments", body).id();
            world.pay(&id);
            documents.push((shop.clone(), id));
        }
    }
    let service = world.parts().0.clone();
    let taken = Mutex::new(Vec::<String>::new());
    let refused = Mutex::new(HashMap::<String, u64>::new());
    let mut round = 0;
    let waiting = |world: &mut World| {
        let mut shops = shops.iter();
        shops.any(|shop| {
            world.read(shop, "/v1/events?delivery_status=pending&limit=1")["total"] != 0
        })
    };
    while waiting(&mut world) {
        round += 1;
        assert!(round < 60, "events are still waiting");
        world.pass(Duration::from_secs(6 * 3600));
        let now = world.now;
        thread::scope(|scope| {
            for process in 1..=3 {
                let (service, address, taken, refused) = (&service, &address, &taken, &refused);
                scope.spawn(move || {
                    let mut database = Postgres::open(address).expect("a connection");
                    for call in 0..6 {
                        let number = round * 1000 + call * 2;
                        let calls = service
                            .work(&mut database, now, seed(process, number))
                            .expect("work is done");
                        for outbound in calls {
                            let event = outbound.message.event.to_string();
                            let attempt = {
                                let mut refused = refused.lock().expect("no panic");
                                let attempt = refused.entry(event.clone()).or_insert(0);
                                *attempt += 1;
                                *attempt
                            };
                            let takes = takes(&event, attempt);
                            if takes {
                                taken.lock().expect("no panic").push(event);
                            }
                            let outcome = DeliveryOutcome::Answered {
                                status: if takes { 200 } else { 500 },
                                headers: Vec::new(),
                                body: Vec::new(),
                                duration_ms: 1,
                            };
                            let seed = seed(process, number + 1);
                            service
                                .report(&mut database, &outbound.message, &outcome, now, seed)
                                .expect("a report");
                        }
                    }
                });
            }
        });
    }
    let taken = taken.into_inner().expect("no panic");
    let once: BTreeSet<&String> = taken.iter().collect();
    assert_eq!(once.len(), taken.len(), "an event was taken twice");
    assert!(refused.into_inner().expect("no panic").len() > 50);
    for (shop, document) in documents {
        let path = format!("/v1/events?document_id={document}&sort=asc&limit=100");
        let events = world.read(&shop, &path);
        let recorded: Vec<&str> = events["items"]
            .as_array()
            .expect("items")
            .iter()
            .filter_map(|event| event["id"].as_str())
            .collect();
        assert!(recorded.len() > 4, "{events}");
        let came: Vec<&str> = taken
            .iter()
            .map(String::as_str)
            .filter(|event| recorded.contains(event))
            .collect();
        assert_eq!(came, recorded, "in their order, and all");
    }
}

#[test]
fn two_hundred_concurrent_trades_on_one_account_lose_nothing() {
    const CALLS: u64 = 200;
    const PROCESSES: u64 = 20;
    let address = postgres::database();
    let mut world = World::new(Box::new(Postgres::open(&address).expect("a connection")));
    let shop = world.shop("Shop", None);
    let account = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
    world.deposit(&shop, account, 8453, "USDC", "100");
    let (service, now) = (world.parts().0.clone(), world.now);
    // The stock serves a tenth of them.
    let settled: u64 = thread::scope(|scope| {
        let (service, shop, address) = (&service, &shop, &address);
        let callers: Vec<_> = (0..PROCESSES)
            .map(|process| {
                scope.spawn(move || {
                    let mut database = Postgres::open(address).expect("a connection");
                    let mut accepted = 0;
                    for call in 0..CALLS / PROCESSES {
                        let body = json!({ "amount": "5", "currency": "USDC", "to_currency": "ETH", "chain_id": 8453, "to_chain_id": 8453 });
                        let request = Request::post("/v1/trade/quicktrade")
                            .header(header::API_KEY, &shop.key)
                            .body(body.to_string().into_bytes())
                            .expect("a request");
                        let seed = seed(process + 100, call);
                        let answer = service.answer(&mut database, &request, now, seed);
                        let text = String::from_utf8_lossy(answer.body()).into_owned();
                        match answer.status().as_u16() {
                            201 => accepted += 1,
                            // Never 503: conflicting requests were rerun.
                            status => assert!(status == 409 || status == 422, "{status}: {text}"),
                        }
                    }
                    accepted
                })
            })
            .collect();
        callers
            .into_iter()
            .map(|one| one.join().expect("no panic"))
            .sum()
    });
    assert_eq!(
        settled, 20,
        "a hundred is sold by fives twenty times, never more"
    );
    world.work();
    world.pass_and_work(Duration::from_secs(30));
    let overview = world.read(&shop, "/v1/overview");
    let usdc = overview["balances"]
        .as_array()
        .expect("balances")
        .iter()
        .find(|one| one["currency"] == "USDC");
    assert_eq!(usdc.expect("USDC")["posted"], "0");
    assert_eq!(world.differences(), Vec::<String>::new());
}

#[test]
fn the_last_item_is_sold_once_with_several_processes() {
    let address = postgres::database();
    let mut world = World::new(Box::new(Postgres::open(&address).expect("a connection")));
    let shop = world.shop("Prints", None);
    world.account(&shop, "prints", 8453, &["USDC"]);
    let link =
        json!({ "amount": "40", "currency": "USDC", "name": "Prints", "available_quantity": 3 });
    let link = world.keyed(&shop, "POST", "/v1/paylinks", link).id();
    let (service, now) = (world.parts().0.clone(), world.now);
    let path = format!("/v1/checkout/{link}/payments");
    let begun: usize = thread::scope(|scope| {
        let (service, path, address) = (&service, &path, &address);
        let payers: Vec<_> = (0..12)
            .map(|payer| {
                scope.spawn(move || {
                    let mut database = Postgres::open(address).expect("a connection");
                    let body = json!({ "chain_id": 8453, "currency": "USDC" });
                    let request = Request::post(path)
                        .body(body.to_string().into_bytes())
                        .expect("a request");
                    let answer = service.answer(&mut database, &request, now, seed(200, payer));
                    let text = String::from_utf8_lossy(answer.body()).into_owned();
                    match answer.status().as_u16() {
                        201 => 1,
                        status => {
                            assert_eq!(status, 409, "{text}");
                            0
                        }
                    }
                })
            })
            .collect();
        payers
            .into_iter()
            .map(|payer| payer.join().expect("no panic"))
            .sum()
    });
    assert_eq!(begun, 3, "there are three");
    let plan = &world.read(&shop, "/v1/plan")["items"][0];
    assert_eq!(plan["held_quantity"], 3);
    assert_eq!(world.differences(), Vec::<String>::new());
}

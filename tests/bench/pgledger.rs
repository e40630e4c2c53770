//! Bookings on PostgreSQL against pgledger's, on the same server, by several callers at once with accounts of their own:
//! pgledger's on as many connections, ours through the server's engine.
//!
//! pgledger is a public file of SQL, which is not ours to carry: its path is given with `--pgledger`, and without it there is
//! no row. What is compared is not the same work: a transfer of pgledger is a transfer with its two entries; a deposit of
//! ours is that with its movement, its chain transaction, the day's volume and their events besides.

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use ::postgres::{Client, NoTls};
use serde_json::Value;
use settlekit_server::engine::{Address, Engine, Kept};
use settlekit_server::metrics::Metrics;
use settlekit_service::Database;
use settlekit_service::store::nested::Nested;
use settlekit_service::store::postgres::Postgres;
use settlekit_tests::postgres;
use settlekit_tests::world::World;

use crate::row;
use crate::transfers::deposit;

const CONNECTIONS: u32 = 8;
const EACH: u32 = 1_000;

pub(crate) fn run(file: &str) {
    let ledger = fs::read_to_string(file).expect("the file that --pgledger names");
    let theirs = transfers(&ledger);
    let ours = deposits();
    row(
        &format!("deposits with movement and events on PostgreSQL, {CONNECTIONS} callers at once"),
        &format!("{ours:.0}/s"),
        &format!("bare transfers of pgledger, {theirs:.0}/s"),
        ours / theirs,
    );
}

fn rate(since: Instant) -> f64 {
    f64::from(CONNECTIONS * EACH) / since.elapsed().as_secs_f64()
}

fn transfers(ledger: &str) -> f64 {
    let address = postgres::database();
    let mut client = Client::connect(&address, NoTls).expect("a connection");
    client.batch_execute(ledger).expect("pgledger's tables");
    let mut account = |name: String| -> String {
        let made = "SELECT id FROM pgledger_create_account($1, 'USD')";
        client.query_one(made, &[&name]).expect("an account").get(0)
    };
    let pairs: Vec<[String; 2]> = (0..CONNECTIONS)
        .map(|number| {
            [
                account(format!("from {number}")),
                account(format!("to {number}")),
            ]
        })
        .collect();
    let since = Instant::now();
    std::thread::scope(|scope| {
        for [from, to] in &pairs {
            let address = &address;
            scope.spawn(move || {
                let mut client = Client::connect(address, NoTls).expect("a connection");
                let transfer = client
                    .prepare("SELECT id FROM pgledger_create_transfer($1, $2, 1.5)")
                    .expect("a statement");
                for _ in 0..EACH {
                    client
                        .query_one(&transfer, &[from, to])
                        .expect("a transfer");
                }
            });
        }
    });
    rate(since)
}

fn deposits() -> f64 {
    let address = postgres::database();
    let mut world = World::new(Box::new(Postgres::open(&address).expect("a connection")));
    let tills: Vec<String> = (0..CONNECTIONS)
        .map(|number| {
            let shop = world.shop(&format!("Shop {number}"), None);
            let account = world.account(&shop, "till", 8453, &["USDC"]);
            let path = format!("/v1/accounts/{account}");
            let account = world.keyed(&shop, "GET", &path, Value::Null);
            let till = account.data()["address"].as_str().expect("an address");
            till.to_owned()
        })
        .collect();
    let (service, now) = (world.parts().0.clone(), world.now);
    let engine = Engine::open(&Address::Postgres(address), &Arc::new(Metrics::default()));
    let engine = engine.expect("an engine");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let since = Instant::now();
        let callers = (1_u32..).zip(&tills).map(async |(place, till)| {
            for number in 0..EACH {
                let (service, till) = (service.clone(), till.clone());
                let booked = engine.write(move |database: &mut dyn Database| {
                    let database = &mut Nested::new(database);
                    deposit(&service, database, &till, place * 1_000_000 + number, now);
                    Ok(Kept::Keep(()))
                });
                booked.await.expect("a deposit");
            }
        });
        futures_util::future::join_all(callers).await;
        let rate = rate(since);
        engine.stop().await;
        rate
    })
}

//! Bookings on PostgreSQL against pgledger's, on the same server, by concurrent callers with separate accounts:
//! pgledger's on as many connections, ours through the server's engine.
//!
//! pgledger is a public SQL file that is not part of this repository: `--pgledger` sets its path; without it the row is
//! omitted. A transfer has two entries and two balances in both. A deposit of ours adds its movement, chain transaction, daily
//! volume and events, and is compared with pgledger's transfers too: the cost of a merchant's deposit against minimal
//! bookkeeping.

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use ::postgres::{Client, NoTls};
use serde_json::Value;
use settlekit_core::value::{AccountId, ChainId, Currency, OrganisationId};
use settlekit_server::engine::{Address, Ending, Engine};
use settlekit_server::metrics::Metrics;
use settlekit_service::Database;
use settlekit_service::store::postgres::Postgres;
use settlekit_tests::postgres;
use settlekit_tests::world::World;

use crate::transfers::deposit;
use crate::{median, row};

const BOOKINGS: u32 = 9_600;
const ROUNDS: usize = 3;
const CHAIN: i64 = 8453;

pub(crate) fn run(file: &str) {
    let ledger = fs::read_to_string(file).expect("the file that --pgledger names");
    for callers in [8, 64] {
        let (mut theirs, mut bare, mut whole) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            theirs.push(transfers(&ledger, callers));
            bare.push(bookings(callers, What::Transfers));
            whole.push(bookings(callers, What::Deposits));
        }
        let theirs = median(theirs);
        for (what, ours) in [
            ("transfers", bare),
            ("deposits with movement and events", whole),
        ] {
            let ours = median(ours);
            row(
                &format!("{what} on PostgreSQL, {callers} callers at once"),
                &format!("{ours:.0}/s"),
                &format!("transfers of pgledger, {theirs:.0}/s"),
                ours / theirs,
            );
        }
    }
}

fn rate(since: Instant) -> f64 {
    f64::from(BOOKINGS) / since.elapsed().as_secs_f64()
}

fn transfers(ledger: &str, callers: u32) -> f64 {
    let address = postgres::database();
    let mut client = Client::connect(&address, NoTls).expect("a connection");
    client.batch_execute(ledger).expect("pgledger's tables");
    let mut account = |name: String| -> String {
        let made = "SELECT id FROM pgledger_create_account($1, 'USD')";
        client.query_one(made, &[&name]).expect("an account").get(0)
    };
    let pairs: Vec<[String; 2]> = (0..callers)
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
                for _ in 0..BOOKINGS / callers {
                    client
                        .query_one(&transfer, &[from, to])
                        .expect("a transfer");
                }
            });
        }
    });
    rate(since)
}

#[derive(Clone, Copy)]
enum What {
    Transfers,
    Deposits,
}

/// The accounts of a caller.
#[derive(Clone)]
struct CallerAccounts {
    organisation: OrganisationId,
    account: AccountId,
    address: String,
}

fn bookings(callers: u32, what: What) -> f64 {
    let address = postgres::database();
    let mut world = World::new(Box::new(Postgres::open(&address).expect("a connection")));
    let tills: Vec<CallerAccounts> = (0..callers)
        .map(|number| till(&mut world, number))
        .collect();
    let (service, now) = (world.parts().0.clone(), world.now);
    let chain = ChainId::new(CHAIN).expect("a chain");
    let usdc: Currency = "USDC".parse().expect("a currency");
    let engine = Engine::open(
        &Address::Postgres(address),
        settlekit_service::Mode::Sandbox,
        &Arc::new(Metrics::default()),
    );
    let engine = engine.expect("an engine");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let since = Instant::now();
        let callers = (1_u32..).zip(&tills).map(async |(place, till)| {
            for number in 0..BOOKINGS / callers {
                let (service, till, usdc) = (service.clone(), till.clone(), usdc.clone());
                let booked = engine.write(move |database: &mut dyn Database| {
                    match what {
                        What::Transfers => {
                            let (owner, asset) =
                                ((till.organisation, till.account), (chain, &usdc));
                            service.transfer_alone(database, owner, asset, 1_500_000, now)?;
                        }
                        What::Deposits => {
                            let number = place * 1_000_000 + number;
                            deposit(&service, database, &till.address, number, now)?;
                        }
                    }
                    Ok(Ending::Commit(()))
                });
                booked.await.expect("a booking");
            }
        });
        futures_util::future::join_all(callers).await;
        let rate = rate(since);
        engine.stop().await;
        rate
    })
}

fn till(world: &mut World, number: u32) -> CallerAccounts {
    let shop = world.shop(&format!("Shop {number}"), None);
    let account = world.account(&shop, "till", CHAIN, &["USDC"]);
    let path = format!("/v1/accounts/{account}");
    let shown = world.keyed(&shop, "GET", &path, Value::Null);
    let address = shown.data()["address"].as_str().expect("an address");
    CallerAccounts {
        organisation: shop.id,
        account: AccountId::new(account).expect("an id"),
        address: address.to_owned(),
    }
}

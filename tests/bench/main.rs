//! How fast it is: ratios, measured side by side in one run.
//!
//! `cargo xtask bench` runs this and adds what is measured in Node. Absolute figures are this machine's, this minute's;
//! what is compared stands in one line.

mod answers;
mod deliveries;
mod filters;
mod http;
mod pages;
mod pgledger;
mod transfers;

use settlekit_core::value::Timestamp;
use settlekit_service::admin::NewOrganisation;
use settlekit_service::store::migrate;
use settlekit_service::{Database, Options, Seed, Service};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |name: &str| -> Option<i64> {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)?.parse().ok()
    };
    let movements = number("--movements").unwrap_or(10_000_000);
    let events = number("--events").unwrap_or(movements);
    println!("| What | Measured | Compared with | Ratio |\n|---|---|---|---|");
    transfers::run();
    http::run();
    deliveries::run();
    let named = arguments
        .iter()
        .position(|argument| argument == "--pgledger");
    if let Some(file) = named.and_then(|at| arguments.get(at + 1)) {
        pgledger::run(file);
    }
    answers::run();
    pages::run(movements);
    filters::run(events);
}

/// One row of the table.
fn row(what: &str, measured: &str, compared: &str, ratio: f64) {
    println!("| {what} | {measured} | {compared} | {ratio:.2} |");
}

/// The middle one of several measurements.
fn median(mut measured: Vec<f64>) -> f64 {
    measured.sort_by(f64::total_cmp);
    measured[measured.len() / 2]
}

/// A service in sandbox mode.
fn service() -> Service {
    Service::new(Options {
        master_key: [0; 32],
        sandbox: true,
        allow_private_webhooks: true,
        public_url: "http://localhost".to_owned(),
    })
}

/// Brings a database to the latest version and puts an organisation into it; gives its API key.
fn open_shop(database: &mut dyn Database, now: Timestamp) -> String {
    migrate::migrate(database).expect("the history");
    let new = NewOrganisation {
        name: "Shop".to_owned(),
        partner: None,
        otc: false,
    };
    service()
        .create_organisation(database, &new, now, Seed([1; 32]))
        .expect("an organisation")
        .api_key
}

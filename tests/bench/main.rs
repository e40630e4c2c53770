//! Benchmarks: ratios, measured side by side in one run.
//!
//! `cargo xtask bench` runs this and adds measurements in Node. Absolute figures depend on the machine and its load; compare
//! values within a line. `--only NAME` runs one part.

mod answers;
mod books;
mod chains;
mod deliveries;
mod filters;
mod http;
mod kinds;
#[path = "../it/server/listening.rs"]
mod listening;
mod pages;
mod pgledger;
mod prices;
mod quotes;
#[path = "../it/server/receiving.rs"]
mod receiving;
mod transfers;
mod x402;

use settlekit_core::value::Timestamp;
use settlekit_service::admin::NewOrganisation;
use settlekit_service::store::migrate;
use settlekit_service::{Database, Mode, Options, Seed, Service};

/// Enough to see whether memory grows with the rows; writing ten million takes an hour.
const BOOKS_MAX: i64 = 200_000;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |name: &str| -> Option<i64> {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)?.parse().ok()
    };
    let movements = number("--movements").unwrap_or(10_000_000);
    let events = number("--events").unwrap_or(movements);
    let word = |name: &str| -> Option<&String> {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)
    };
    let pgledger = word("--pgledger");
    let only = word("--only");
    println!("| What | Measured | Compared with | Ratio |\n|---|---|---|---|");
    let parts: [(&str, &dyn Fn()); 13] = [
        ("transfers", &transfers::run),
        ("http", &http::run),
        ("deliveries", &deliveries::run),
        ("chains", &chains::run),
        ("prices", &prices::run),
        ("quotes", &quotes::run),
        ("x402", &x402::run),
        ("pgledger", &|| {
            if let Some(file) = pgledger {
                pgledger::run(file);
            }
        }),
        ("answers", &answers::run),
        ("pages", &|| pages::run(movements)),
        ("filters", &|| filters::run(events)),
        ("kinds", &|| kinds::run(events / 10)),
        ("books", &|| books::run(events.min(BOOKS_MAX))),
    ];
    for (name, run) in parts {
        if only.is_none_or(|only| only == name) {
            run();
        }
    }
}

/// One row of the table.
fn row(what: &str, measured: &str, compared: &str, ratio: f64) {
    println!("| {what} | {measured} | {compared} | {ratio:.2} |");
}

/// The median of several measurements.
fn median(mut measured: Vec<f64>) -> f64 {
    measured.sort_by(f64::total_cmp);
    measured[measured.len() / 2]
}

/// A service in sandbox mode.
fn service() -> Service {
    Service::new(Options {
        master_key: [0; 32],
        mode: Mode::Sandbox,
        allow_private_webhooks: true,
        public_url: "http://localhost".to_owned(),
    })
}

/// Migrates a database and creates an organisation; returns its API key.
fn open_shop(database: &mut dyn Database, now: Timestamp) -> String {
    migrate::migrate(database).expect("the history");
    let new = NewOrganisation {
        name: "Shop".to_owned(),
        partner: None,
        otc: false,
        inbox: false,
    };
    service()
        .create_organisation(database, &new, now, Seed([1; 32]))
        .expect("an organisation")
        .api_key
}

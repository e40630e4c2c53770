//! Customers by visit type, subscriptions and invoices by status, payments by method, currency and amount, with few and many rows, on both databases.
//!
//! One of each is created by the service and copied in bulk: only reading is measured.

use serde_json::Value;
use settlekit_service::Database;
use settlekit_service::store::derived;
use settlekit_service::store::dialect::Dialect;
use settlekit_tests::world::World;
use settlekit_tests::{bulk, database};

use crate::filters::{FEW, Pages, compare};

pub(crate) fn run(many: i64) {
    for (kind, open) in [
        ("SQLite", database::sqlite as fn() -> Box<dyn Database>),
        ("PostgreSQL", database::postgres),
    ] {
        let worlds = [FEW, many].map(|rows| pages(open(), rows));
        compare(worlds, |what| format!("{what}, of {many} rows, {kind}"));
    }
}

fn pages(database: Box<dyn Database>, rows: i64) -> Pages {
    let is_postgres = database.dialect() == Dialect::Postgres;
    let mut world = World::new(database);
    let shop = world.shop("Shop", None);
    bulk::one_of_each(&mut world, &shop);
    let database = world.parts().1;
    bulk::copies(database, rows);
    derived::rebuild(database, shop.id).expect("counts");
    if is_postgres {
        // As PostgreSQL itself does some minutes later: it would do it while reading is measured.
        for command in ["VACUUM ANALYZE", "CHECKPOINT"] {
            database.script(command).expect("a superuser's connection");
        }
    }
    let last = rows / 10 / 100;
    let targets = [
        (
            "customers who came again, page 1",
            "customers?visit_type=repeat".to_owned(),
        ),
        (
            "customers who came again, last page",
            format!("customers?visit_type=repeat&page={last}"),
        ),
        (
            "customers who came once, last page",
            format!("customers?visit_type=first-time&page={}", last * 9),
        ),
        (
            "paused subscriptions, page 1",
            "subscriptions?status=Paused".to_owned(),
        ),
        (
            "active subscriptions, last page",
            format!("subscriptions?status=Active&page={}", last * 9),
        ),
        (
            "failed invoices, page 1",
            "invoices?payment_status=Failed".to_owned(),
        ),
        (
            "paid invoices, last page",
            format!("invoices?payment_status=Succeeded&page={}", last * 9),
        ),
        (
            "payments without payouts, page 1",
            "payments?payment_method=ProxyWallet,Direct".to_owned(),
        ),
        (
            "payments without payouts, last page",
            format!(
                "payments?payment_method=ProxyWallet,Direct&page={}",
                last * 8
            ),
        ),
        (
            "payments without payouts and their counts by status, page 1",
            "payments?payment_method=ProxyWallet,Direct&counts=status".to_owned(),
        ),
        (
            "subscriptions and their counts by status, page 1",
            "subscriptions?counts=status".to_owned(),
        ),
        (
            "invoices and their counts by status, page 1",
            "invoices?counts=status".to_owned(),
        ),
        (
            "failed payments in a currency, page 1",
            "payments?payment_method=ProxyWallet,Direct&currency=USDC&status=Failed".to_owned(),
        ),
        (
            "payments of some amounts, page 1",
            // About as many matches with few and many rows: the cost grows with them.
            format!(
                "payments?currency=USDC&amount_from=4000&amount_to={}",
                3_999 + (2_000_000 / rows).max(2)
            ),
        ),
    ]
    .into_iter()
    .map(|(what, target)| {
        let target = format!("/v1/{target}&limit=100");
        let found = world.keyed(&shop, "GET", &target, Value::Null);
        let items = found.data()["items"].as_array().expect("items");
        assert!(items.len() > 90, "{target}: {}", found.body);
        (what, target)
    })
    .collect();
    Pages {
        world,
        shop,
        targets,
    }
}

//! The audit of the books.

use serde_json::json;
use settlekit_service::ledger::{Audit, Difference, verify};
use settlekit_service::{Access, StoreError, Value};
use settlekit_tests::database;
use settlekit_tests::world::{WALLET, World};

/// A merchant with a confirmed deposit of 10 USDC and a payout of 4 USDC under way.
fn books(database: Box<dyn settlekit_service::Database>) -> World {
    let mut world = World::new(database);
    let shop = world.shop("Shop", None);
    let account = world.account(&shop, "till", 8453, &["USDC"]);
    world.deposit(&shop, account, 8453, "USDC", "10");
    let body = json!({ "account": "till", "amount": "4", "currency": "USDC", "chain_id": 8453, "address": WALLET });
    world.create(&shop, "/v1/payouts", body);
    world
}

fn write(world: &mut World, sql: &str, values: &[Value<'_>]) {
    let (_, database) = world.parts();
    database.begin(Access::Write).expect("a beginning");
    database.execute(sql, values).expect(sql);
    database.commit().expect("an end");
}

fn audit(world: &mut World) -> Audit {
    verify(world.parts().1).expect("an audit")
}

#[test]
fn the_audit_counts_accounts_and_postings() {
    database::each(|kind, database| {
        let mut world = books(database);
        let audit = audit(&mut world);
        let rows = |world: &mut World, sql: &str| {
            let (_, database) = world.parts();
            database.begin(Access::Read).expect("a beginning");
            let told = database::rows(database, sql);
            database.rollback().expect("an end");
            told[0].clone()
        };
        let accounts = rows(&mut world, "SELECT count(*) FROM ledger_accounts");
        let postings = rows(&mut world, "SELECT count(*) FROM postings");
        assert_eq!(audit.accounts.to_string(), accounts, "{kind}");
        assert_eq!(audit.postings.to_string(), postings, "{kind}");
        assert!(audit.accounts >= 2 && audit.postings >= 2, "{kind}");
        assert_eq!(audit.differences, [], "{kind}");
    });
}

#[test]
fn the_audit_finds_each_kind_of_difference() {
    type Check = fn(&Difference) -> bool;
    let cases: [(&str, Check); 5] = [
        (
            "UPDATE ledger_accounts SET posted = posted + ?1 WHERE kind = 'merchant'",
            |found| {
                matches!(
                    found,
                    Difference::Balance {
                        posted: 10_000_001,
                        computed: 10_000_000,
                        ..
                    }
                )
            },
        ),
        (
            "UPDATE postings SET balance_after = balance_after + ?1 WHERE id = (SELECT max(id) FROM postings)",
            |found| matches!(found, Difference::Running { .. }),
        ),
        (
            "UPDATE postings SET amount = amount + ?1 WHERE id = (SELECT max(id) FROM postings)",
            |found| matches!(found, Difference::Unbalanced { .. }),
        ),
        (
            "UPDATE movements SET transfer_id = NULL WHERE type = 'Deposit' AND ?1 = 1",
            |found| matches!(found, Difference::Unbooked { .. }),
        ),
        (
            // The payout is then of an account that has no such balance.
            "UPDATE ledger_accounts SET currency = 'EURC', reserved = 0 WHERE kind = 'merchant' AND ?1 = 1",
            |found| {
                matches!(
                    found,
                    Difference::Reserved {
                        reserved: 0,
                        computed: 4_020_000,
                        ..
                    }
                )
            },
        ),
    ];
    for (sql, is_expected) in cases {
        let mut world = books(database::sqlite());
        assert_eq!(audit(&mut world).differences, [], "{sql}");
        write(&mut world, sql, &[1.into()]);
        let found = audit(&mut world).differences;
        assert!(found.iter().any(is_expected), "{sql}: {found:?}");
    }
}

#[test]
fn a_row_that_refers_to_no_row_is_refused_by_sqlite_and_found_by_the_audit_on_postgres() {
    let cases = [
        ("postings", "transfer_id", "transfers"),
        ("postings", "ledger_account_id", "ledger_accounts"),
        ("movements", "transfer_id", "transfers"),
        ("movement_lists", "movement_id", "movements"),
        ("chain_transactions", "movement_id", "movements"),
        ("movements", "account_id", "accounts"),
        ("chain_transactions", "chain_id", "chains"),
        ("events", "org_id", "organisations"),
    ];
    for (table, column, other) in cases {
        let missing = match other {
            "organisations" => format!("{column} || ?1"),
            _ => format!("{column} + ?1"),
        };
        let sql = format!(
            "UPDATE {table} SET {column} = {missing} WHERE {column} = (SELECT MIN({column}) FROM {table})"
        );
        database::each(|kind, database| {
            let mut world = books(database);
            assert_eq!(audit(&mut world).differences, [], "{kind}: {table}");
            let (_, database) = world.parts();
            database.begin(Access::Write).expect("a beginning");
            let value = match other {
                "organisations" => "missing".into(),
                _ => 1_000_000.into(),
            };
            let written = database.execute(&sql, &[value]);
            if kind == "SQLite" {
                assert!(
                    matches!(written, Err(StoreError::Constraint(_))),
                    "{kind}: {table}"
                );
                database.rollback().expect("an end");
                return;
            }
            assert!(written.is_ok(), "{kind}: {table}: {written:?}");
            database.commit().expect("an end");
            let found = audit(&mut world).differences;
            let is_expected = |found: &Difference| match found {
                Difference::Dangling {
                    table: by,
                    other_table,
                    ..
                } => (*by, *other_table) == (table, other),
                _ => false,
            };
            assert!(found.iter().any(is_expected), "{kind}: {table}: {found:?}");
        });
    }
}

#[test]
fn the_audit_reads_postings_of_every_number() {
    database::each(|kind, database| {
        let mut world = books(database);
        let sql = "UPDATE postings SET id = ?1 WHERE id = (SELECT MIN(id) FROM postings)";
        for number in [0, -1, i64::MIN + 1] {
            write(&mut world, sql, &[number.into()]);
            let (_, database) = world.parts();
            database.begin(Access::Read).expect("a beginning");
            let rows = database::rows(database, "SELECT count(*) FROM postings");
            database.rollback().expect("an end");
            assert_eq!(
                audit(&mut world).postings.to_string(),
                rows[0],
                "{kind}: {number}"
            );
        }
    });
}

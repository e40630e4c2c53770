//! The engine on both databases: groups, refusals, panics, stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use alloy_primitives::{Address as ChainAddress, B256, U256, address};
use settlekit_core::value::{ChainId, Timestamp};
use settlekit_server::engine::{Address, Ending, Engine};
use settlekit_server::metrics::Metrics;
use settlekit_service::block::{Block, BlockId, Transfer};
use settlekit_service::store::postgres::Postgres;
use settlekit_service::store::sql::{Access, Database, StoreError};
use settlekit_service::{Mode, Seed, Service, TransferIndex};
use settlekit_tests::postgres;
use settlekit_tests::world::World;

/// Runs a test against an engine on an empty database of each kind, with a table `t`.
fn check<F: Future<Output = ()>>(test: impl Fn(Engine) -> F) {
    let folder = tempfile::tempdir().expect("a folder");
    for address in [
        Address::Sqlite(folder.path().join("book.db")),
        Address::Postgres(postgres::database()),
    ] {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build();
        runtime.expect("a runtime").block_on(async {
            let engine = Engine::open(&address, Mode::Sandbox, &Arc::new(Metrics::default()))
                .expect("an engine");
            let table = "CREATE TABLE t (id TEXT NOT NULL PRIMARY KEY, n BIGINT)";
            engine
                .write(move |database| database.script(table).map(Ending::Commit))
                .await
                .expect("a table");
            test(engine.clone()).await;
            engine.stop().await;
        });
    }
}

fn insert(database: &mut dyn Database, id: &str) -> Result<u64, StoreError> {
    database.execute("INSERT INTO t (id, n) VALUES (?1, 0)", &[id.into()])
}

fn write(database: &mut dyn Database, id: &str) -> Result<(), StoreError> {
    database.write("INSERT INTO t (id, n) VALUES (?1, 0)", &[id.into()])
}

async fn ids(engine: &Engine) -> Vec<String> {
    let ids = engine.read(|database| {
        let rows = database.query("SELECT id FROM t ORDER BY id", &[])?;
        rows.iter()
            .map(|row| row.text(0).map(str::to_owned))
            .collect()
    });
    ids.await.expect("ids")
}

#[test]
fn a_refused_request_does_not_affect_its_group() {
    check(|engine| async move {
        let mut asked = Vec::new();
        for number in 0..60 {
            let engine = engine.clone();
            asked.push(tokio::spawn(async move {
                let wrote = engine.write(move |database| {
                    insert(database, &format!("row {number}"))?;
                    match number % 4 {
                        0 => Ok(Ending::Commit(number)),
                        1 => Ok(Ending::RollBack(number)),
                        2 => insert(database, &format!("row {number}"))
                            .map(|_| Ending::Commit(number)),
                        _ => panic!("a defect"),
                    }
                });
                (number, wrote.await)
            }));
        }
        let mut kept = Vec::new();
        for asked in asked {
            match asked.await.expect("no panic outside") {
                (number, Ok(value)) => {
                    assert_eq!(value, number);
                    assert!(number % 4 < 2);
                    if number % 4 == 0 {
                        kept.push(format!("row {number}"));
                    }
                }
                (number, Err(StoreError::Constraint(_))) => assert_eq!(number % 4, 2),
                (number, Err(StoreError::Broken(_))) => assert_eq!(number % 4, 3),
                (number, Err(error)) => panic!("{number}: {error}"),
            }
        }
        kept.sort();
        assert_eq!(ids(&engine).await, kept);
    });
}

/// One request spoils its group, in different ways, at any position; the first request blocks the writer until all others are
/// queued.
#[test]
fn a_rolled_back_group_is_rerun_for_the_others() {
    check(|engine| async move {
        for spoils in 0..4 {
            let (go, wait) = std::sync::mpsc::channel::<()>();
            let wait = std::sync::Mutex::new(wait);
            let held = engine.clone();
            let first = tokio::spawn(async move {
                let hold = move |_: &mut dyn Database| {
                    // Blocks once; a rerun does not wait.
                    let _ = wait.lock().expect("one at a time").recv();
                    Ok(Ending::Commit(()))
                };
                held.write(hold).await
            });
            let mut asked = Vec::new();
            for number in 0..9 {
                let engine = engine.clone();
                asked.push(tokio::spawn(async move {
                    let mut runs = 0;
                    let wrote = engine.write(move |database| {
                        runs += 1;
                        let is_deferred = spoils == 3;
                        assert!(runs <= 2 || is_deferred, "only the one at fault needs more");
                        let id = format!("{spoils} {number}");
                        insert(database, &id)?;
                        match (number, spoils) {
                            (4, 0) => Ok(Ending::RollBack(())),
                            (4, 1) => insert(database, &id).map(|_| Ending::Commit(())),
                            (4, 2) => panic!("a defect"),
                            // A deferred write fails only at the end.
                            (4, 3) => write(database, &id).map(|()| Ending::Commit(())),
                            _ => Ok(Ending::Commit(())),
                        }
                    });
                    (number, wrote.await)
                }));
                tokio::task::yield_now().await;
            }
            drop(go);
            assert_eq!(first.await.expect("no panic outside"), Ok(()));
            for asked in asked {
                let (number, wrote) = asked.await.expect("no panic outside");
                match (number, spoils) {
                    (4, 1 | 3) => assert!(matches!(wrote, Err(StoreError::Constraint(_)))),
                    (4, 2) => assert!(matches!(wrote, Err(StoreError::Broken(_)))),
                    _ => assert_eq!(wrote, Ok(()), "{spoils} {number}"),
                }
            }
        }
        let kept = (0..4).flat_map(|spoils| (0..9).map(move |number| (spoils, number)));
        let kept = kept.filter(|(_, number)| *number != 4);
        let kept: Vec<String> = kept.map(|(one, two)| format!("{one} {two}")).collect();
        assert_eq!(ids(&engine).await, kept);
    });
}

#[test]
fn concurrent_writers_lose_nothing() {
    check(|engine| async move {
        engine
            .write(|database| insert(database, "counter").map(Ending::Commit))
            .await
            .expect("a row");
        let mut asked = Vec::new();
        for _ in 0..40 {
            let engine = engine.clone();
            asked.push(tokio::spawn(async move {
                let add = |database: &mut dyn Database| {
                    let n = database.query("SELECT n FROM t", &[])?[0].int(0)?;
                    database
                        .execute("UPDATE t SET n = ?1", &[(n + 1).into()])
                        .map(Ending::Commit)
                };
                // An error that asks for a retry means that nothing was done.
                while engine.write(add).await.is_err() {}
            }));
        }
        for asked in asked {
            asked.await.expect("no panic");
        }
        let n = engine
            .read(|database| database.query("SELECT n FROM t", &[])?[0].int(0))
            .await;
        assert_eq!(n, Ok(40));
    });
}

#[test]
fn read_only_work_cannot_write() {
    check(|engine| async move {
        let wrote = engine.read(|database| insert(database, "a")).await;
        assert_eq!(wrote, Err(StoreError::ReadOnly));
        assert_eq!(ids(&engine).await, Vec::<String>::new());
    });
}

#[test]
fn work_with_nested_transactions_is_atomic() {
    check(|engine| async move {
        for (id, keep) in [("kept", true), ("gone", false)] {
            let wrote = engine.write(move |database| {
                database.begin(Access::Write)?;
                insert(database, id)?;
                database.commit()?;
                database.begin(Access::Write)?;
                insert(database, "undone by itself")?;
                database.rollback()?;
                Ok(if keep {
                    Ending::Commit(())
                } else {
                    Ending::RollBack(())
                })
            });
            wrote.await.expect("no failure");
        }
        // Left open in the middle; rolled back with all savepoints.
        let broken = engine.write(|database| {
            database.begin(Access::Write)?;
            insert(database, "half")?;
            database.begin(Access::Write)?;
            if insert(database, "less").is_ok() {
                panic!("a defect");
            }
            Ok(Ending::Commit(()))
        });
        assert!(matches!(broken.await, Err(StoreError::Broken(_))));
        assert_eq!(ids(&engine).await, ["kept"]);
    });
}

#[test]
fn shutdown_finishes_queued_work_and_refuses_new_work() {
    check(|engine| async move {
        let done = Arc::new(AtomicU32::new(0));
        let mut asked = Vec::new();
        for number in 0..30 {
            let (engine, done) = (engine.clone(), Arc::clone(&done));
            asked.push(tokio::spawn(async move {
                let wrote = engine
                    .write(move |database| {
                        insert(database, &number.to_string()).map(Ending::Commit)
                    })
                    .await;
                if wrote.is_ok() {
                    done.fetch_add(1, Ordering::SeqCst);
                }
                wrote
            }));
        }
        engine.stop().await;
        for asked in asked {
            match asked.await.expect("no panic") {
                Ok(_) | Err(StoreError::Unreachable(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        let refused = engine
            .write(|database| insert(database, "late").map(Ending::Commit))
            .await;
        assert!(
            matches!(refused, Err(StoreError::Unreachable(_))),
            "{refused:?}"
        );
    });
}

/// USDC on Base.
const USDC: ChainAddress = address!("833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");

/// Confirmations after which a block is final.
const FINAL: u32 = 3;

/// Records a deposit of one USDC, as the observing host does.
async fn observe(
    engine: &Engine,
    service: &Service,
    (to, number, confirmations): (&str, u32, u32),
    now: Timestamp,
) -> Result<(), StoreError> {
    let (service, to) = (service.clone(), to.to_owned());
    let seen = move |database: &mut dyn Database| {
        let transfer = Transfer {
            hash: B256::from(U256::from(number)),
            index: TransferIndex::Log(0),
            token: Some(USDC),
            from: ChainAddress::ZERO,
            to: to.parse().expect("an address"),
            units: U256::from(1_000_000),
        };
        let latest = u64::try_from(now.seconds()).expect("a height");
        let id = BlockId {
            number: latest - u64::from(confirmations),
            hash: B256::ZERO,
        };
        let block = Block {
            chain: ChainId::new(8453).expect("a chain"),
            number: id.number,
            hash: id.hash,
            parent: B256::ZERO,
            mined_at: now,
            base_fee: 0,
            transfers: vec![transfer],
            tokens: Vec::new(),
            sent: Vec::new(),
            authorized: Vec::new(),
            unconfigured: Vec::new(),
            untraced: Vec::new(),
            finalized: Some(id).filter(|_| confirmations == FINAL),
        };
        let mut seed = [7; 32];
        seed[..4].copy_from_slice(&number.to_be_bytes());
        seed[4] = confirmations as u8;
        service.observe_blocks(database, std::slice::from_ref(&block), now, Seed(seed))?;
        Ok(Ending::Commit(()))
    };
    engine.write(seen).await
}

#[test]
fn a_deposit_seen_again_is_booked_once() {
    let address = postgres::database();
    let mut world = World::new(Box::new(Postgres::open(&address).expect("a connection")));
    let shop = world.shop("Shop", None);
    let till = world.account(&shop, "till", 8453, &["USDC"]);
    let shown = world.keyed(
        &shop,
        "GET",
        &format!("/v1/accounts/{till}"),
        serde_json::Value::Null,
    );
    let to = shown.data()["address"].as_str().expect("an address");
    let (service, now) = (world.parts().0.clone(), world.now);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let engine = Engine::open(
            &Address::Postgres(address),
            Mode::Sandbox,
            &Arc::new(Metrics::default()),
        );
        let engine = engine.expect("an engine");
        // New transactions until the checks are skipped; then known ones among them: deeper, and repeated.
        let again = [(3, 2), (5, FINAL), (7, 2), (5, FINAL), (3, FINAL)];
        let new = (0..200).map(|number| (number, if number == 3 { 1 } else { FINAL }));
        let (before, after): (Vec<_>, Vec<_>) = new.partition(|(number, _)| *number < 120);
        for seen in before {
            let seen = (to, seen.0, seen.1);
            assert_eq!(observe(&engine, &service, seen, now).await, Ok(()));
        }
        let mixed = after.chunks(16).zip(again);
        let mixed = mixed.flat_map(|(some, again)| some.iter().copied().chain([again]));
        let all = mixed.map(|seen| observe(&engine, &service, (to, seen.0, seen.1), now));
        for seen in futures_util::future::join_all(all).await {
            assert_eq!(seen, Ok(()));
        }
        engine.stop().await;
    });
    let path = format!("/v1/accounts/{till}/movement?limit=100");
    let movements = world.keyed(&shop, "GET", &path, serde_json::Value::Null);
    assert_eq!(movements.data()["total"], 200);
    let path = "/v1/partners/accounts/till/balances";
    let balances = world.signed(&shop, None, "GET", path, serde_json::Value::Null);
    assert_eq!(balances.data()["balances"][0]["amount"], "200");
    assert_eq!(world.differences(), Vec::<String>::new());
}

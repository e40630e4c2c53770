//! Exchanges in metrics and health, read from the database.

use alloy_primitives::Address;
use axum::body::Body;
use axum::http::Request;
use settlekit_server::{Setup, build};
use settlekit_service::contract_calls::CallError;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::uniswap::{Slippage, Uniswap, UniswapV2};
use settlekit_service::venue_operator::NewVenue;
use settlekit_service::{Database, Mode, Seed};
use settlekit_tests::chain::Connected;

use super::{metrics, send, setup_on};

#[test]
fn an_exchange_that_cannot_be_read_is_in_the_metrics_and_in_the_health_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.db");
    let database: Box<dyn Database> = Box::new(Sqlite::open(&file).expect("a database"));
    let mut connected = Connected::live(database);
    let (chain, now, seed) = (connected.chain.id, connected.world.now, Seed([3; 32]));
    let new = NewVenue {
        name: "Uniswap".to_owned(),
        contracts: Uniswap {
            wrapped_native: Address::repeat_byte(0xee),
            v2: Some(UniswapV2 {
                factory: Address::repeat_byte(0x21),
                router: Address::repeat_byte(0x22),
                fee: 3_000,
            }),
            v3: None,
        },
        slippage: Slippage::new(5_000).expect("below a million"),
    };
    let (service, database) = connected.world.parts();
    assert_eq!(service.connect_venue(database, chain, &new, now), Ok(()));
    let rounds = service.pool_rounds(database, now, seed).expect("rounds");
    let [round] = rounds.as_slice() else {
        panic!("one is due: {rounds:?}");
    };
    let away = vec![Err(CallError::Unreachable); round.calls.batches.len()];
    let away = vec![away; round.calls.nodes.len()];
    let told = service.report_pools(database, round, &away, now, seed);
    assert_eq!(told.map(|told| told.len()), Ok(1));
    drop(connected);

    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let setup = Setup {
            mode: Mode::Live,
            ..setup_on(&file)
        };
        let server = build(&setup).expect("a server");
        let answer = metrics(&server.router()).await;
        let text = answer.text();
        for line in [
            format!("settlekit_venue_failures{{chain=\"{chain}\"}} 1"),
            format!("settlekit_venue_pools{{chain=\"{chain}\"}} 0"),
            "# TYPE settlekit_venue_success_age_seconds gauge".to_owned(),
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        let request = Request::get("/healthz");
        let health = send(&server.router(), request, Body::empty()).await;
        let text = health.text();
        assert!(text.contains("\"status\":\"ok\""), "{text}");
        let failing = format!("\"failing_venues\":[{chain}]");
        assert!(text.contains(&failing), "{text}");
        server.close().await;
    });
}

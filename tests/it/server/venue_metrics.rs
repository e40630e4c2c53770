//! Exchanges in metrics and health, read from the database.

use alloy_primitives::Address;
use settlekit_service::Seed;
use settlekit_service::contract_calls::CallError;
use settlekit_service::uniswap::{Slippage, Uniswap, UniswapV2};
use settlekit_service::venue_operator::NewVenue;
use settlekit_tests::chain::Connected;

use super::monitored::Monitored;

#[test]
fn an_exchange_that_cannot_be_read_is_in_the_metrics_and_in_the_health_check() {
    let monitored = Monitored::after(fill);
    monitored.has_lines(&[
        "settlekit_venue_failures{chain=\"8453\"} 1",
        "settlekit_venue_pools{chain=\"8453\"} 0",
        "# TYPE settlekit_venue_success_age_seconds gauge",
    ]);
    let failing = "\"failing_venues\":[8453]";
    assert!(monitored.health.contains(failing), "{}", monitored.health);
}

fn fill(connected: &mut Connected) {
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
}

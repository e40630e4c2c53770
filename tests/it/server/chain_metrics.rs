//! Metrics of connected chains, read from the database.

use settlekit_core::installation::{ChainComparison, ChainReport, ProviderReport};
use settlekit_tests::chain::Connected;

use super::monitored::Monitored;

#[test]
fn connected_chains_nodes_and_gas_money_have_metrics() {
    let monitored = Monitored::after(fill);
    monitored.has_lines(&[
        "settlekit_chains_readable 1",
        "settlekit_chain_paused{chain=\"8453\"} 0",
        "settlekit_chain_head{chain=\"8453\"} 104",
        "settlekit_chain_lag_blocks{chain=\"8453\"} 3",
        "settlekit_chain_head_age_seconds{chain=\"8453\"} 0",
        "settlekit_chain_halted{chain=\"8453\"} 1",
        "settlekit_chain_provider_ready{chain=\"8453\",provider=\"1\",host=\"one.example\"} 1",
        "settlekit_chain_provider_ready{chain=\"8453\",provider=\"2\",host=\"two.example\"} 0",
        "settlekit_chain_transactions_under_way{chain=\"8453\"} 0",
        "settlekit_chain_oldest_transaction_age_seconds{chain=\"8453\"} 0",
        "settlekit_chain_gas_money{chain=\"8453\",currency=\"ETH\"} 1",
        "settlekit_chain_gas_money_mark{chain=\"8453\",currency=\"ETH\"} 0.00650325",
        "settlekit_chain_unswept_proxies{chain=\"8453\"} 0",
        "settlekit_chain_differences{chain=\"8453\"} 2",
        "settlekit_chain_alarms_total{chain=\"8453\"} 0",
    ]);
    let typed = "# TYPE settlekit_chain_alarms_total counter";
    assert!(monitored.has_line_from(typed), "{}", monitored.metrics);
}

fn fill(connected: &mut Connected) {
    connected.blocks(4);
    let (chain, now) = (connected.chain.id, connected.world.now);
    let provider = |host: &str, ready| ProviderReport {
        host: host.to_owned(),
        ready,
        head: Some(107),
        lag: Some(0),
        last_success_at: Some(now),
        last_error: None,
        last_error_at: None,
    };
    let report = ChainReport {
        reported_at: now,
        head_at: now,
        node_head: Some(107),
        problem: Some("1 of 2 needed providers are ready".to_owned()),
        providers: vec![
            provider("one.example", true),
            provider("two.example", false),
        ],
    };
    let comparison = ChainComparison {
        compared_at: now,
        block: Some(102),
        balances: 1,
        difference_count: 2,
        differences: Vec::new(),
    };
    let (service, database) = connected.world.parts();
    assert_eq!(service.report_chain(database, chain, &report), Ok(()));
    let recorded = service.record_comparison(database, chain, &comparison);
    assert_eq!(recorded, Ok(()));
}

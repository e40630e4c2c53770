//! Metrics of connected chains, read from the database.

use settlekit_core::installation::{ChainComparison, ChainReport, ProviderReport};
use settlekit_tests::chain::Connected;

use super::monitored::Monitored;
use crate::chain::sending::{funded, sent};

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
        "settlekit_chain_provider_lag_blocks{chain=\"8453\",provider=\"1\",host=\"one.example\"} 0",
        "settlekit_chain_provider_lag_blocks{chain=\"8453\",provider=\"2\",host=\"two.example\"} 7",
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
    let provider = |host: &str, ready, lag| ProviderReport {
        host: host.to_owned(),
        ready,
        head: Some(107 - lag),
        lag: Some(lag),
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
            provider("one.example", true, 0),
            provider("two.example", false, 7),
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

#[test]
fn the_oldest_transaction_and_what_lies_in_hot_wallets_have_metrics() {
    let mut labels = String::new();
    let monitored = Monitored::after(|connected| {
        let shop = funded(connected);
        connected.pay_out(&shop, "4");
        sent(connected);
        // Younger, and not signed.
        connected.pay_out(&shop, "5");
        labels = format!("chain=\"8453\",wallet=\"{}\"", connected.wallet);
    });
    let fee = format!("settlekit_chain_oldest_transaction_max_fee{{{labels}}} 0.0");
    assert!(monitored.has_line_from(&fee), "{}", monitored.metrics);
    monitored.has_lines(&[
        "settlekit_chain_transactions_under_way{chain=\"8453\"} 2",
        &format!("settlekit_chain_oldest_transaction_nonce{{{labels}}} 0"),
        &format!("settlekit_chain_hot_wallet_balance{{{labels},currency=\"USDC\"}} 10"),
        &format!("settlekit_chain_hot_wallet_balance{{{labels},currency=\"ETH\"}} 1"),
    ]);
}

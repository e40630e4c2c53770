//! What the server that watches a chain tells the service of its nodes.

use super::{Chain, Watching};

#[tokio::test]
async fn nodes_are_reported_by_their_host_with_what_halts_the_chain() {
    let chain = Chain::start(8453);
    let dead = "http://127.0.0.1:1/secret-key".to_owned();
    chain.books.set_providers(&[chain.anvil.url(), dead]);
    let _watching = Watching::start(&chain.books);
    let is_halted = |state: &super::books::State| {
        let latest = state.reports.last();
        latest.is_some_and(|report| {
            let problem = report.problem.as_deref().unwrap_or_default();
            problem.contains("1 of 2") && report.providers[1].last_error.is_some()
        })
    };
    chain.books.until(is_halted).await;
    let state = chain.books.state();
    let latest = state.reports.last().expect("a report");
    assert!(latest.providers[0].ready && !latest.providers[1].ready);
    assert_eq!(latest.node_head, Some(chain.anvil.height()));
    assert!(latest.providers[0].host.starts_with("127.0.0.1:"));
    let told = serde_json::to_string(&latest).expect("JSON");
    assert!(!told.contains("secret"), "{told}");
    // Nothing but a change of state is told again within seconds.
    assert!(state.reports.len() <= 3, "{:#?}", state.reports);
}

//! What the operator is told of a transaction that no node can trace.

use settlekit_tests::chain::{Connected, USDC};

use super::deposits::{movements, till};

#[test]
fn a_transaction_without_a_trace_is_an_alarm_and_the_rest_of_its_block_is_booked() {
    Connected::each(|kind, mut connected| {
        let (shop, address) = till(&mut connected);
        let hash = connected.chain.hash();
        connected.chain.untraced(hash);
        connected.chain.transfer(Some(USDC), address, 1_000_000);
        connected.blocks(1);
        let failures = std::mem::take(&mut connected.failures);
        assert_eq!(failures.len(), 1, "{kind}: {failures:?}");
        assert!(
            failures[0].contains(&hash.to_string()),
            "{kind}: {failures:?}"
        );
        connected.blocks(3);
        assert_eq!(
            movements(&mut connected, &shop),
            ["1 USDC Confirmed"],
            "{kind}"
        );
        assert_eq!(connected.failures, Vec::<String>::new(), "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

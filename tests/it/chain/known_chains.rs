//! The chains and tokens that `chain connect` knows.

use settlekit_core::value::WalletAddress;
use settlekit_service::catalogue::{CHAINS, KnownToken, is_symbol};

#[test]
fn every_token_of_a_known_chain_has_its_own_symbol_and_a_checksummed_address() {
    for chain in CHAINS {
        for (at, token) in chain.tokens.iter().enumerate() {
            let named = format!("{} of {}", token.symbol, chain.name);
            let address = token.address.parse::<WalletAddress>();
            let address = address.map(|address| address.to_string());
            assert_eq!(address.as_deref(), Ok(token.address), "{named}");
            let lower = token.address.to_ascii_lowercase();
            assert_ne!(token.address, lower, "{named}: no checksum");
            let is_same = |other: &KnownToken| {
                is_symbol(other.symbol, token.symbol) || other.address == token.address
            };
            let mut later = chain.tokens.iter().skip(at + 1);
            assert!(!later.any(is_same), "{named} is there twice");
            assert!(!is_symbol(token.symbol, chain.native), "{named}");
        }
    }
}

#[test]
fn a_known_chain_is_there_once_and_tether_where_its_issuer_names_one_contract() {
    let mut ids: Vec<i64> = CHAINS.iter().map(|chain| chain.id).collect();
    ids.dedup();
    assert_eq!(ids.len(), CHAINS.len());
    assert!(ids.is_sorted());
    let has_tether = |token: &KnownToken| token.symbol == "USDT";
    let with_tether = CHAINS
        .iter()
        .filter(|chain| chain.tokens.iter().any(has_tether));
    let with_tether: Vec<&str> = with_tether.map(|chain| chain.name).collect();
    let expected = [
        "Ethereum",
        "Optimism",
        "BNB Smart Chain",
        "Polygon",
        "Arbitrum",
    ];
    assert_eq!(with_tether, expected);
    // Those of test networks are anybody's.
    let are_tests = CHAINS.iter().filter(|chain| chain.is_test);
    assert!(
        are_tests
            .flat_map(|chain| chain.tokens)
            .all(|token| token.symbol != "USDT")
    );
}

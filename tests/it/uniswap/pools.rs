//! Pools that are found, and quotes that are the contracts' own.

use alloy_primitives::{Address, U256};
use settlekit_service::uniswap::{Exact, PoolKind, PoolState, QuoteError, RouteError, RouteQuote};
use settlekit_tests::anvil::{abi, number, word};
use settlekit_tests::exchange::Exchange;

/// What a route gives or takes by the contracts' functions for a single pool, asked hop by hop.
fn hop_by_hop(exchange: &Exchange, quote: &RouteQuote, exact: Exact) -> U256 {
    let hops = quote.route.hops();
    match exact {
        Exact::Input(units) => hops.iter().fold(units, |units, hop| {
            let ends = [word(hop.from), word(hop.to)];
            single_hop(
                exchange,
                hop.pool.key.kind,
                hop.pool.address,
                ends,
                units,
                true,
            )
        }),
        Exact::Output(units) => hops.iter().rev().fold(units, |units, hop| {
            let ends = [word(hop.from), word(hop.to)];
            single_hop(
                exchange,
                hop.pool.key.kind,
                hop.pool.address,
                ends,
                units,
                false,
            )
        }),
    }
}

fn single_hop(
    exchange: &Exchange,
    kind: PoolKind,
    pool: Address,
    [from, to]: [[u8; 32]; 2],
    units: U256,
    is_input: bool,
) -> U256 {
    match kind {
        PoolKind::V3 { fee } => {
            let name = if is_input { "Input" } else { "Output" };
            let function =
                format!("quoteExact{name}Single((address,address,uint256,uint24,uint160))");
            let words = [from, to, units.to_be_bytes(), number(fee.into()), number(0)];
            exchange.word(exchange.v3().quoter, abi(&function, &words))
        }
        PoolKind::V2 => {
            // The balances of the pool are its reserves.
            let held = |token: [u8; 32]| {
                let token = Address::from_word(token.into());
                exchange.balance(token, pool).to_be_bytes()
            };
            let name = if is_input {
                "getAmountOut"
            } else {
                "getAmountIn"
            };
            let function = format!("{name}(uint256,uint256,uint256)");
            let words = [units.to_be_bytes(), held(from), held(to)];
            let router = exchange.uniswap.v2.as_ref().expect("version 2").router;
            exchange.word(router, abi(&function, &words))
        }
    }
}

#[test]
fn discovery_finds_exactly_the_pools_with_liquidity() {
    let exchange = Exchange::deploy();
    let (pools, mut failed) = exchange.discover();
    let names = pools.iter().map(|pool| exchange.name(&pool.at.key));
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    let expected = [
        "EUR USD 3000",
        "EUR USD 500",
        "EUR USD v2",
        "EUR coin 10000",
        "USD coin 3000",
        "USD coin v2",
    ];
    assert_eq!(names, expected);
    failed.sort_unstable();
    let empty = [
        "EUR USD 100: the pool has no liquidity",
        "EUR coin v2: the pool has no liquidity",
    ];
    assert_eq!(failed, empty);
    for pool in pools {
        let (token0, token1) = (pool.at.key.token0, pool.at.key.token1);
        let held = |token| exchange.balance(token, pool.at.address);
        let (PoolState::V2 { reserves: holds }
        | PoolState::V3 {
            balances: holds, ..
        }) = pool.state;
        assert_eq!(holds, (held(token0), held(token1)));
    }
}

#[test]
fn every_quote_is_what_the_contracts_answer_hop_by_hop() {
    let exchange = Exchange::deploy();
    let units = U256::from(12_345_678_u64);
    let (mut single, mut double) = (0, 0);
    for sold in exchange.tokens() {
        for bought in exchange.tokens() {
            if sold == bought {
                continue;
            }
            for exact in [Exact::Input(units), Exact::Output(units)] {
                let quotes = exchange.quote((sold, bought), exact).expect("a quote");
                let others = quotes.others.iter();
                let others = others.map(|(_, quote)| quote.as_ref().expect("enough liquidity"));
                for quote in others.chain([&quotes.best]) {
                    let (quoted, is_worse) = match exact {
                        Exact::Input(_) => (quote.output, quote.output <= quotes.best.output),
                        Exact::Output(_) => (quote.input, quote.input >= quotes.best.input),
                    };
                    assert_eq!(quoted, hop_by_hop(&exchange, quote, exact), "{quote:?}");
                    assert!(is_worse, "{quote:?}");
                    // A part of the pools of a thousandth at most, and of the narrow one of a hundredth.
                    assert!((1..20_000).contains(&quote.price_impact), "{quote:?}");
                    match quote.route.hops().len() {
                        1 => single += 1,
                        _ => double += 1,
                    }
                }
            }
        }
    }
    // Euros and dollars have three direct routes and one of two hops in version 3; and so on, each both ways and for both sides.
    assert_eq!((single, double), (6 * 4, (1 + 3 + 2) * 4));
}

#[test]
fn an_amount_beyond_a_pools_liquidity_fails_on_its_routes_only() {
    let exchange = Exchange::deploy();
    let sides = (Some(exchange.euro), None);
    for exact in [
        Exact::Input(U256::from(500_000_000_000_u64)),
        Exact::Output(U256::from(100_000_000_000_u64)),
    ] {
        let quotes = exchange.quote(sides, exact).expect("a quote");
        let failed: Vec<_> = (quotes.others.iter())
            .filter_map(|(route, quote)| Some((route, quote.as_ref().err()?)))
            .collect();
        assert_eq!(failed.len(), 1, "{failed:?}");
        let (route, error) = failed[0];
        assert_eq!(exchange.name(&route.hops()[0].pool.key), "EUR coin 10000");
        assert_eq!(*error, RouteError::NoLiquidity);
    }
    // More than all pools hold.
    let exact = Exact::Output(U256::from(10_u64.pow(18)));
    let Err(QuoteError::NoQuote(failed)) = exchange.quote(sides, exact) else {
        panic!("a quote");
    };
    assert!(
        failed
            .iter()
            .all(|(_, error)| *error == RouteError::NoLiquidity)
    );
}

#[test]
fn price_impact_is_what_the_size_costs_without_the_fees() {
    let exchange = Exchange::deploy();
    let sides = (Some(exchange.euro), Some(exchange.dollar));
    // A hundredth of the reserves of version 2: x / (1 + x) is lost.
    let exact = Exact::Input(U256::from(100_000_000_000_u64));
    let quotes = exchange.quote(sides, exact).expect("a quote");
    let others = quotes.others.iter();
    let all = others.filter_map(|(_, quote)| quote.as_ref().ok());
    let mut all = all.chain([&quotes.best]);
    let v2 = all.find(|quote| quote.route.hops()[0].pool.key.kind == PoolKind::V2);
    let v2 = v2.expect("a quote of version 2");
    let x = 997_u64 * 1_000_000 / 100;
    let impact = x * 1_000_000 / (1_000_000_000 + x);
    assert_eq!(u64::from(v2.price_impact), impact + 1);
    assert_eq!(v2.route.fee(&exchange.uniswap), 3_000);
}

//! Routes through pools: their fees, their order, and the pools that they go through.

use alloy_primitives::{Address, U256};
use settlekit_service::uniswap::{
    Exact, Hop, Pool, PoolAddress, PoolKey, PoolKind, PoolState, QuoteRequest, Route, Uniswap,
    UniswapV2,
};

const EURO: Address = Address::repeat_byte(1);
const DOLLAR: Address = Address::repeat_byte(2);
const COIN: Address = Address::repeat_byte(3);

/// A square root of a price that a pool may have: 1.
const SQRT_ONE: u128 = 1 << 96;

fn uniswap() -> Uniswap {
    Uniswap {
        wrapped_native: COIN,
        v2: Some(UniswapV2 {
            factory: Address::repeat_byte(0x21),
            router: Address::repeat_byte(0x22),
            fee: 2_500,
        }),
        v3: None,
    }
}

fn pool_address(kind: PoolKind, one: Address, other: Address) -> PoolAddress {
    PoolAddress {
        key: PoolKey {
            kind,
            token0: one.min(other),
            token1: one.max(other),
        },
        address: Address::repeat_byte(0xa0),
    }
}

/// A pool of version 3.
fn pool(fee: u32, (one, other): (Address, Address), liquidity: u128) -> Pool {
    let held = U256::from(liquidity);
    Pool {
        at: pool_address(PoolKind::V3 { fee }, one, other),
        state: PoolState::V3 {
            liquidity,
            sqrt_price: U256::from(SQRT_ONE),
            balances: (held, held),
        },
    }
}

/// A route from the euro through the dollar, by the kinds of its pools.
fn route(kinds: &[PoolKind]) -> Route {
    let tokens = [EURO, DOLLAR, COIN];
    let hops = kinds.iter().zip(tokens.windows(2));
    let hops = hops.map(|(kind, ends)| Hop {
        pool: pool_address(*kind, ends[0], ends[1]),
        from: ends[0],
        to: ends[1],
    });
    Route::new(hops.collect()).expect("a route")
}

#[test]
fn the_fee_of_two_hops_is_what_both_pools_keep_of_the_sold_amount() {
    let v3 = |fee| PoolKind::V3 { fee };
    for (kinds, expected) in [
        (&[v3(3_000)][..], 3_000),
        (&[PoolKind::V2][..], 2_500),
        // 0.997 · 0.9995 = 0.9965015, of which 0.0034985 are missing.
        (&[v3(3_000), v3(500)][..], 3_499),
        (&[v3(500), v3(3_000)][..], 3_499),
        // 0.99 · 0.99 = 0.9801.
        (&[v3(10_000), v3(10_000)][..], 19_900),
        // 0.9975 · 0.9975 = 0.99500625.
        (&[PoolKind::V2, PoolKind::V2][..], 4_994),
    ] {
        assert_eq!(route(kinds).fee(&uniswap()), expected, "{kinds:?}");
    }
}

/// The fees of the pools of all routes from the euro to the coin, in order.
fn fees(pools: &[Pool]) -> Vec<Vec<u32>> {
    let uniswap = uniswap();
    let exact = Exact::Input(U256::from(1));
    let request = QuoteRequest::new(&uniswap, pools, (Some(EURO), Some(COIN)), exact);
    let request = request.expect("a route");
    let fee = |hop: &Hop| match hop.pool.key.kind {
        PoolKind::V2 => 0,
        PoolKind::V3 { fee } => fee,
    };
    let routes = request.routes().iter();
    let fees = routes.map(|route| route.hops().iter().map(fee).collect());
    fees.collect()
}

#[test]
fn a_hop_goes_through_the_two_pools_with_the_most_liquidity() {
    let first = (EURO, DOLLAR);
    let second = (DOLLAR, COIN);
    let pools = [
        pool(100, first, 5),
        pool(500, first, 30),
        pool(3_000, first, 20),
        pool(10_000, first, 10),
        pool(500, second, 1),
    ];
    assert_eq!(fees(&pools), [[500, 500], [3_000, 500]]);
}

#[test]
fn direct_routes_come_before_those_of_two_hops() {
    let pools = [
        pool(500, (EURO, DOLLAR), 9),
        pool(3_000, (DOLLAR, COIN), 9),
        pool(10_000, (EURO, COIN), 1),
    ];
    assert_eq!(fees(&pools), [vec![10_000], vec![500, 3_000]]);
}

//! Factories, pools and quoters that return what no honest contract does.

use alloy_primitives::{Address, Bytes, U256};
use proptest::prelude::*;
use settlekit_service::contract_calls::CallError;
use settlekit_service::uniswap::{
    Exact, Pool, PoolAddress, PoolError, PoolKey, PoolKind, PoolState, QuoteError, QuoteRequest,
    Quotes, RouteError, TOKENS_MAX, Uniswap, UniswapV2, UniswapV3, V3Router, discovery,
};

const LOW: Address = Address::repeat_byte(0x11);
const HIGH: Address = Address::repeat_byte(0x22);
const COIN: Address = Address::repeat_byte(0x33);

/// What is sold, of reserves of ten million each.
const SOLD: u64 = 10_000;

/// What version 2 gives for it, by its formula.
const OUTPUT: u64 = 9_960;

type Answer = Result<Bytes, CallError>;

fn uniswap() -> Uniswap {
    Uniswap {
        wrapped_native: COIN,
        v2: Some(UniswapV2 {
            factory: Address::repeat_byte(0xf2),
            router: Address::repeat_byte(0xa2),
            fee: 3_000,
        }),
        v3: Some(UniswapV3 {
            factory: Address::repeat_byte(0xf3),
            quoter: Address::repeat_byte(0xb3),
            router: V3Router::SwapRouter02(Address::repeat_byte(0xa3)),
        }),
    }
}

fn key(kind: PoolKind) -> PoolKey {
    PoolKey {
        kind,
        token0: LOW,
        token1: HIGH,
    }
}

fn at(kind: PoolKind) -> PoolAddress {
    PoolAddress {
        key: key(kind),
        address: Address::repeat_byte(0xcc),
    }
}

/// One pool of version 2 and one of version 3, with a price of one.
fn pools() -> [Pool; 2] {
    let depth = U256::from(10_000_000);
    let v2 = Pool {
        at: at(PoolKind::V2),
        state: PoolState::V2 {
            reserves: (depth, depth),
        },
    };
    let v3 = Pool {
        at: at(PoolKind::V3 { fee: 3_000 }),
        state: PoolState::V3 {
            liquidity: 10_000_000,
            sqrt_price: U256::from(1) << 96,
            balances: (depth, depth),
        },
    };
    [v2, v3]
}

fn words(words: &[U256]) -> Answer {
    Ok(words.iter().flat_map(U256::to_be_bytes::<32>).collect())
}

fn numbers(numbers: &[u64]) -> Answer {
    words(&numbers.iter().copied().map(U256::from).collect::<Vec<_>>())
}

fn reserves() -> Answer {
    numbers(&[10_000_000, 10_000_000, 1])
}

fn slot0(sqrt_price: U256) -> Answer {
    let mut slot = [U256::from(1); 7];
    slot[0] = sqrt_price;
    words(&slot)
}

fn one() -> U256 {
    U256::from(1) << 96
}

/// What version 2's router returns.
fn amounts(input: u64, output: U256) -> Answer {
    words(&[U256::from(0x20), U256::from(2), U256::from(input), output])
}

/// What version 3's quoter returns, with the square root of the price afterwards.
fn quoted(quoted: U256, sqrt_price: U256) -> Answer {
    let one = U256::from(1);
    let heads = [
        quoted,
        U256::from(0x80),
        U256::from(0xc0),
        U256::from(90_000),
    ];
    words(&[&heads[..], &[one, sqrt_price, one, one]].concat())
}

/// Quotes by what the pools say of their price, and the router and the quoter of the amount.
fn read(exact: Exact, answers: [Answer; 4]) -> Result<Quotes, QuoteError> {
    let uniswap = uniswap();
    let request = QuoteRequest::new(&uniswap, &pools(), (Some(LOW), Some(HIGH)), exact);
    let request = request.expect("routes");
    assert_eq!(request.calls().len(), 4);
    request.read(&answers)
}

/// Why version 2 has no quote; version 3 has one.
fn refused(answer: Answer) -> RouteError {
    let good = quoted(U256::from(9_900), one() - U256::from(9));
    let exact = Exact::Input(U256::from(SOLD));
    let quotes = read(exact, [reserves(), slot0(one()), answer, good]).expect("a quote");
    assert_eq!(quotes.best.output, U256::from(9_900));
    let [(_, Err(error))] = &quotes.others[..] else {
        panic!("another quote");
    };
    *error
}

/// Why version 3 has no quote; version 2 has one.
fn refused_v3(price: Answer, answer: Answer) -> RouteError {
    let good = amounts(SOLD, U256::from(OUTPUT));
    let exact = Exact::Input(U256::from(SOLD));
    let quotes = read(exact, [reserves(), price, good, answer]).expect("a quote");
    assert_eq!(quotes.best.output, U256::from(OUTPUT));
    let [(_, Err(error))] = &quotes.others[..] else {
        panic!("another quote");
    };
    *error
}

#[test]
fn a_router_that_lies_has_no_quote_and_the_others_do() {
    let spot = U256::from(SOLD * 997 / 1_000);
    let huge = U256::from(1) << 127;
    let mut longer = amounts(SOLD, U256::from(OUTPUT)).expect("bytes").to_vec();
    longer.extend([0; 32]);
    let shorter = longer[..100].to_vec();
    for (answer, error) in [
        (amounts(SOLD, U256::ZERO), RouteError::Zero),
        (amounts(SOLD, U256::MAX), RouteError::TooLarge),
        (amounts(SOLD, huge), RouteError::TooLarge),
        (
            amounts(SOLD, huge - U256::from(1)),
            RouteError::BetterThanSpot,
        ),
        (
            amounts(SOLD, spot + U256::from(1)),
            RouteError::BetterThanSpot,
        ),
        (amounts(SOLD - 1, U256::from(OUTPUT)), RouteError::Malformed),
        (numbers(&[0x20, 1, SOLD]), RouteError::Malformed),
        (numbers(&[0x20, 3, SOLD, 5, OUTPUT]), RouteError::Malformed),
        (
            numbers(&[0x20, u64::MAX, SOLD, OUTPUT]),
            RouteError::Malformed,
        ),
        (words(&[U256::MAX, U256::MAX]), RouteError::Malformed),
        (Ok(longer.into()), RouteError::Malformed),
        (Ok(shorter.into()), RouteError::Malformed),
        (Ok(Bytes::new()), RouteError::Malformed),
        (Err(CallError::Reverted), RouteError::NoLiquidity),
        (
            Err(CallError::NodesDisagree),
            RouteError::Call(CallError::NodesDisagree),
        ),
    ] {
        assert_eq!(refused(answer.clone()), error, "{answer:?}");
    }
}

#[test]
fn a_quoter_or_pool_of_version_3_that_lies_has_no_quote_and_the_others_do() {
    let after = one() - U256::from(9);
    let good = || quoted(U256::from(OUTPUT), after);
    // `TickMath.MIN_SQRT_RATIO` and one more, where a swap ends that found too little.
    let least = U256::from(4_295_128_740_u64);
    let most: U256 = "1461446703485210103287273052203988822378723970341"
        .parse()
        .expect("a number");
    let mut two_hops = vec![U256::from(OUTPUT), U256::from(0x80), U256::from(0xe0)];
    two_hops.extend([1_u64, 2, 1, 1, 2, 1, 1].map(U256::from));
    for (price, answer, error) in [
        (slot0(one()), quoted(U256::ZERO, after), RouteError::Zero),
        (slot0(one()), quoted(U256::MAX, after), RouteError::TooLarge),
        (
            slot0(one()),
            quoted(U256::from(SOLD), after),
            RouteError::BetterThanSpot,
        ),
        (
            slot0(one()),
            quoted(U256::from(OUTPUT), least),
            RouteError::NoLiquidity,
        ),
        (
            slot0(one()),
            quoted(U256::from(OUTPUT), most),
            RouteError::NoLiquidity,
        ),
        (slot0(one()), words(&two_hops), RouteError::Malformed),
        (slot0(one()), numbers(&[OUTPUT]), RouteError::Malformed),
        (slot0(one()), Ok(Bytes::new()), RouteError::Malformed),
        (
            slot0(one()),
            Err(CallError::Refused),
            RouteError::Call(CallError::Refused),
        ),
        (slot0(U256::ZERO), good(), RouteError::Malformed),
        (slot0(most + U256::from(1)), good(), RouteError::Malformed),
        (slot0(U256::MAX), good(), RouteError::Malformed),
        (numbers(&[1, 2, 3]), good(), RouteError::Malformed),
        (
            Err(CallError::OtherChain),
            good(),
            RouteError::Call(CallError::OtherChain),
        ),
    ] {
        let said = refused_v3(price.clone(), answer.clone());
        assert_eq!(said, error, "{price:?} {answer:?}");
    }
}

#[test]
fn without_any_quote_each_route_says_why() {
    let exact = Exact::Output(U256::from(SOLD));
    let answers = [
        reserves(),
        slot0(one()),
        Err(CallError::Reverted),
        quoted(U256::from(SOLD), one() - U256::from(9)),
    ];
    let Err(QuoteError::NoQuote(failed)) = read(exact, answers) else {
        panic!("a quote");
    };
    let errors: Vec<_> = failed.into_iter().map(|(_, error)| error).collect();
    assert_eq!(
        errors,
        [RouteError::NoLiquidity, RouteError::BetterThanSpot]
    );
    let uniswap = uniswap();
    let ask = |sides, units| {
        let exact = Exact::Input(units);
        let request = QuoteRequest::new(&uniswap, &pools(), sides, exact);
        request.map(|request| request.read(&[]))
    };
    let (low, high) = (Some(LOW), Some(HIGH));
    let one = U256::from(1);
    assert_eq!(ask((low, low), one), Err(QuoteError::SameToken));
    assert_eq!(ask((None, Some(COIN)), one), Err(QuoteError::SameToken));
    assert_eq!(ask((low, None), one), Err(QuoteError::NoRoute));
    assert_eq!(ask((low, high), U256::ZERO), Err(QuoteError::Amount));
    assert_eq!(ask((low, high), one << 127), Err(QuoteError::Amount));
    let without = ask((low, high), one).expect("routes");
    let Err(QuoteError::NoQuote(failed)) = without else {
        panic!("a quote without answers");
    };
    assert!(
        failed
            .iter()
            .all(|(_, error)| *error == RouteError::Malformed)
    );
}

#[test]
fn the_best_route_gives_most_or_takes_least() {
    let answers = |v2: u64, v3: u64, is_input: bool| {
        let v2 = match is_input {
            true => amounts(SOLD, U256::from(v2)),
            false => amounts(v2, U256::from(SOLD)),
        };
        let v3 = quoted(U256::from(v3), one() - U256::from(9));
        [reserves(), slot0(one()), v2, v3]
    };
    for (v2, v3) in [(9_000, 9_001), (9_001, 9_000), (9_000, 9_000)] {
        let exact = Exact::Input(U256::from(SOLD));
        let quotes = read(exact, answers(v2, v3, true)).expect("a quote");
        assert_eq!(quotes.best.output, U256::from(v2.max(v3)));
        assert_eq!(quotes.others.len(), 1);
    }
    for (v2, v3) in [(11_000, 11_001), (11_001, 11_000), (11_000, 11_000)] {
        let exact = Exact::Output(U256::from(SOLD));
        let quotes = read(exact, answers(v2, v3, false)).expect("a quote");
        assert_eq!(quotes.best.input, U256::from(v2.min(v3)));
        assert_eq!(quotes.others.len(), 1);
    }
}

#[test]
fn a_factory_or_pool_that_lies_leaves_the_other_pools() {
    let keys = discovery::keys(&uniswap(), &[Some(LOW), Some(HIGH)]).expect("few tokens");
    assert_eq!(keys.len(), 5);
    let address = |byte| words(&[Address::repeat_byte(byte).into_word().into()]);
    let answers = [
        address(0xcc),
        numbers(&[0]),
        words(&[U256::MAX]),
        Ok(Bytes::new()),
        Err(CallError::Unreachable),
    ];
    let found = discovery::read_addresses(&keys, &answers);
    assert_eq!(found.pools, [at(PoolKind::V2)]);
    let errors: Vec<_> = found.failed.iter().map(|(_, error)| *error).collect();
    assert_eq!(
        errors,
        [
            PoolError::Malformed,
            PoolError::Malformed,
            PoolError::Call(CallError::Unreachable)
        ]
    );
    let low = || words(&[LOW.into_word().into()]);
    for (answers, error) in [
        ([address(0x99), reserves()], PoolError::OtherTokens),
        ([low(), numbers(&[0, 1, 1])], PoolError::NoLiquidity),
        ([low(), words(&[U256::MAX; 3])], PoolError::Malformed),
        ([low(), Ok(Bytes::new())], PoolError::Malformed),
    ] {
        let read = discovery::read_states(&found.pools, &answers);
        assert_eq!(read.failed, [(key(PoolKind::V2), error)]);
    }
    let v3 = at(PoolKind::V3 { fee: 500 });
    let deep = || numbers(&[10_000_000]);
    for (answers, error) in [
        (
            [numbers(&[0]), slot0(one()), deep(), deep()],
            PoolError::NoLiquidity,
        ),
        (
            [deep(), slot0(U256::ZERO), deep(), deep()],
            PoolError::NoLiquidity,
        ),
        (
            [deep(), slot0(U256::from(1)), deep(), deep()],
            PoolError::Malformed,
        ),
        (
            [deep(), slot0(one()), numbers(&[0]), deep()],
            PoolError::NoLiquidity,
        ),
        (
            [words(&[U256::MAX]), slot0(one()), deep(), deep()],
            PoolError::Malformed,
        ),
    ] {
        // The pool after it is read from its own answers.
        let answers = [&answers[..], &[low(), reserves()]].concat();
        let read = discovery::read_states(&[v3, at(PoolKind::V2)], &answers);
        assert_eq!(read.failed, [(v3.key, error)]);
        assert_eq!(read.pools.len(), 1);
    }
}

/// A full set of tokens, the native coin and its wrapped token among them, and a pool of each key.
#[test]
fn the_calls_of_a_chain_are_bounded() {
    let uniswap = uniswap();
    let others = (1..TOKENS_MAX).map(|byte| {
        let byte = u8::try_from(byte).expect("few tokens");
        Some(Address::repeat_byte(0x80 + byte))
    });
    let mut tokens: Vec<Option<Address>> = [None, Some(COIN)].into_iter().chain(others).collect();
    let keys = discovery::keys(&uniswap, &tokens).expect("few tokens");
    assert_eq!(discovery::address_calls(&uniswap, &keys).len(), 140);
    let addresses = keys.iter().enumerate().map(|(number, key)| PoolAddress {
        key: *key,
        address: Address::left_padding_from(&number.to_be_bytes()),
    });
    let addresses: Vec<PoolAddress> = addresses.collect();
    assert_eq!(discovery::state_calls(&addresses).len(), 504);
    let [v2, v3] = pools();
    let all = addresses.iter().map(|at| Pool {
        at: *at,
        state: match at.key.kind {
            PoolKind::V2 => v2.state,
            PoolKind::V3 { .. } => v3.state,
        },
    });
    let all: Vec<Pool> = all.collect();
    let exact = Exact::Input(U256::from(1));
    let request = QuoteRequest::new(&uniswap, &all, (tokens[2], tokens[3]), exact);
    let request = request.expect("routes");
    assert_eq!(request.routes().len(), 35);
    assert_eq!(request.calls().len(), 76);
    tokens.push(Some(LOW));
    let too_many = discovery::keys(&uniswap, &tokens);
    assert_eq!(too_many, Err(QuoteError::TooManyTokens));
}

proptest! {
    /// Any bytes from any contract.
    #[test]
    fn no_answer_breaks_the_reader(answers in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..6)) {
        let answers: Vec<Answer> = answers.into_iter().map(|bytes| Ok(bytes.into())).collect();
        let uniswap = uniswap();
        for exact in [Exact::Input(U256::from(SOLD)), Exact::Output(U256::from(SOLD))] {
            let request = QuoteRequest::new(&uniswap, &pools(), (Some(LOW), Some(HIGH)), exact);
            let _read = request.expect("routes").read(&answers);
        }
        let keys = discovery::keys(&uniswap, &[Some(LOW), Some(HIGH)]).expect("few tokens");
        let _read = discovery::read_addresses(&keys, &answers);
        let _read = discovery::read_states(&pools().map(|pool| pool.at), &answers);
    }

    /// A quoter that gives more than the price after fees is never believed, whatever the price of the pools.
    #[test]
    fn no_quote_beats_the_price(
        first in 1_u128..1 << 112,
        second in 1_u128..1 << 112,
        input in 1_u128..1 << 120,
        output in 1_u128..1 << 126,
    ) {
        let uniswap = uniswap();
        let exact = Exact::Input(U256::from(input));
        let request = QuoteRequest::new(&uniswap, &pools()[..1], (Some(LOW), Some(HIGH)), exact);
        let reserves = words(&[U256::from(first), U256::from(second), U256::from(1)]);
        let amounts = words(&[U256::from(0x20), U256::from(2), U256::from(input), U256::from(output)]);
        let quotes = request.expect("routes").read(&[reserves, amounts]);
        // What the price gives, in the wide integers of another formula.
        let ideal = alloy_primitives::U512::from(input) * alloy_primitives::U512::from(997) * alloy_primitives::U512::from(second);
        let given = alloy_primitives::U512::from(output) * alloy_primitives::U512::from(1_000) * alloy_primitives::U512::from(first);
        prop_assert_eq!(quotes.is_ok(), given <= ideal);
        if let Ok(quotes) = quotes {
            prop_assert!(quotes.best.price_impact <= 1_000_000);
        }
    }
}

//! A quote of Uniswap's pools over two hops, on a real node.

use std::time::Instant;

use alloy_primitives::U256;
use settlekit_service::uniswap::{Exact, QuoteRequest};
use settlekit_tests::exchange::Exchange;

use crate::{median, row};

/// Units sold: too many for the small pool between the two.
const SOLD: u64 = 100_000_000_000;

const ROUNDS: usize = 50;

pub(crate) fn run() {
    let exchange = Exchange::deploy();
    let (pools, _) = exchange.discover();
    let sides = (Some(exchange.euro), None);
    let exact = || Exact::Input(U256::from(SOLD));
    let request = || QuoteRequest::new(&exchange.uniswap, &pools, sides, exact()).expect("routes");
    let calls = request().calls();
    let (mut measured, mut compared) = (Vec::new(), Vec::new());
    let mut routes = 0;
    for _ in 0..ROUNDS {
        let since = Instant::now();
        let request = request();
        let quotes = request.read(&exchange.read(&request.calls()));
        let quotes = quotes.expect("a quote");
        measured.push(since.elapsed().as_secs_f64() * 1e3);
        assert_eq!(quotes.best.route.hops().len(), 2, "{quotes:?}");
        routes = quotes.others.len() + 1;
        let since = Instant::now();
        let answers = exchange.read(&calls);
        compared.push(since.elapsed().as_secs_f64() * 1e3);
        assert_eq!(answers.len(), calls.len());
    }
    let (measured, compared) = (median(measured), median(compared));
    row(
        &format!("a quote through two hops, the best of {routes} routes"),
        &format!("{measured:.2} ms"),
        &format!(
            "the node alone answers its {} calls, {compared:.2} ms",
            calls.len()
        ),
        measured / compared,
    );
}

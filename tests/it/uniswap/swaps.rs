//! Swaps that settle as quoted, or not at all.

use alloy_primitives::{Address, U256};
use settlekit_service::uniswap::{
    Exact, NativeCoin, Route, RouteQuote, Slippage, Swap, SwapAmounts, SwapError, Uniswap,
};
use settlekit_tests::exchange::Exchange;

/// Nobody's address, without coins.
const RECIPIENT: Address = Address::repeat_byte(0x77);

/// What the seller has of each token.
const PURSE: u64 = 1_000_000_000;

/// An exchange with somebody who sells.
struct Floor(Exchange);

impl std::ops::Deref for Floor {
    type Target = Exchange;

    fn deref(&self) -> &Exchange {
        &self.0
    }
}

impl Floor {
    fn seller(&self) -> Address {
        self.node.account(1)
    }

    /// A time that has not passed.
    fn soon(&self) -> u64 {
        self.latest().1.seconds().unsigned_abs() + 600
    }

    /// Quotes of all routes between two tokens.
    fn quotes(&self, sides: (Option<Address>, Option<Address>), exact: Exact) -> Vec<RouteQuote> {
        let quotes = self.quote(sides, exact).expect("a quote");
        let others = quotes.others.into_iter();
        let others = others.filter_map(|(_, quote)| quote.ok());
        others.chain([quotes.best]).collect()
    }

    fn swap<'a>(
        &self,
        uniswap: &'a Uniswap,
        quote: &'a RouteQuote,
        (exact, native): (Exact, NativeCoin),
        slippage: Slippage,
    ) -> Swap<'a> {
        let amounts = match exact {
            Exact::Input(input) => SwapAmounts::ExactInput {
                input,
                least_output: slippage.least_output(quote.output),
            },
            Exact::Output(output) => SwapAmounts::ExactOutput {
                output,
                most_input: slippage.most_input(quote.input).expect("an amount"),
            },
        };
        Swap {
            uniswap,
            route: &quote.route,
            amounts,
            native,
            recipient: RECIPIENT,
            deadline: self.soon(),
        }
    }

    /// What the router may take of the sold token.
    fn allowance(&self, swap: &Swap<'_>, owner: Address) -> U256 {
        let call = swap.allowance(owner).expect("a router");
        call.map_or(U256::ZERO, |call| {
            let answers = self.read(&[call]);
            Swap::read_allowance(answers[0].as_ref().expect("an answer")).expect("an amount")
        })
    }

    /// Approves and swaps; returns whether it settled, and the fees of the network.
    fn settle(&self, swap: &Swap<'_>) -> (bool, U256) {
        self.settle_as(swap, self.seller())
    }

    fn settle_as(&self, swap: &Swap<'_>, owner: Address) -> (bool, U256) {
        let mut fees = U256::ZERO;
        let allowance = self.allowance(swap, owner);
        for approval in swap.approvals(allowance).expect("a router") {
            let receipt = self.try_call(owner, &approval);
            assert!(receipt.is_settled, "{approval:?}");
            fees += receipt.fee;
        }
        let call = swap.call().expect("a swap");
        let receipt = self.try_call(owner, &call);
        (receipt.is_settled, fees + receipt.fee)
    }

    /// The balance of an address on a side of a swap.
    fn held(&self, token: Address, is_native: bool, of: Address) -> U256 {
        match is_native {
            true => self.node.balance(of, self.node.height()),
            false => self.balance(token, of),
        }
    }
}

/// The ends of a route.
fn ends(route: &Route) -> (Address, Address) {
    let hops = route.hops();
    (hops[0].from, hops[hops.len() - 1].to)
}

fn funded() -> Floor {
    let exchange = Floor(Exchange::deploy());
    for token in [exchange.euro, exchange.dollar, exchange.coin()] {
        exchange.give(exchange.seller(), token, PURSE);
    }
    exchange
}

#[test]
fn swaps_settle_with_exactly_what_was_quoted_and_leave_nothing_in_the_router() {
    let exchange = funded();
    let units = U256::from(7_654_321_u64);
    let (euro, coin) = (Some(exchange.euro), Some(exchange.coin()));
    for (sides, native) in [
        ((euro, Some(exchange.dollar)), NativeCoin::None),
        ((euro, coin), NativeCoin::None),
        ((euro, None), NativeCoin::Bought),
        ((None, euro), NativeCoin::Sold),
    ] {
        for exact in [Exact::Input(units), Exact::Output(units)] {
            for quote in exchange.quotes(sides, exact) {
                for uniswap in [&exchange.uniswap, &exchange.uniswap_02] {
                    let before = exchange.node.snapshot();
                    settles(&exchange, uniswap, &quote, (exact, native));
                    exchange.node.revert(&before);
                }
            }
        }
    }
}

fn settles(exchange: &Floor, uniswap: &Uniswap, quote: &RouteQuote, of: (Exact, NativeCoin)) {
    let (sold, bought) = ends(&quote.route);
    let (sells_coins, buys_coins) = (of.1 == NativeCoin::Sold, of.1 == NativeCoin::Bought);
    // With slippage, so that an exact output leaves a rest of what may be sold.
    let slippage = Slippage::new(5_000).expect("a slippage");
    let swap = exchange.swap(uniswap, quote, of, slippage);
    let seller = exchange.seller();
    let had = exchange.held(sold, sells_coins, seller);
    let (is_settled, fees) = exchange.settle(&swap);
    assert!(is_settled, "{quote:?} {of:?}");
    let has = exchange.held(sold, sells_coins, seller);
    let paid = if sells_coins { fees } else { U256::ZERO };
    assert_eq!(had - has - paid, quote.input, "{quote:?} {of:?}");
    let received = exchange.held(bought, buys_coins, RECIPIENT);
    assert_eq!(received, quote.output, "{quote:?} {of:?}");
    let router = swap.call().expect("a swap").to;
    for (token, is_native) in [(sold, false), (bought, false), (sold, true)] {
        let left = exchange.held(token, is_native, router);
        assert_eq!(left, U256::ZERO, "{quote:?} {of:?}");
    }
    // What may still be taken is taken back by the next swap's approvals.
    let rest = exchange.allowance(&swap, exchange.seller());
    let approvals = swap.approvals(rest).expect("a router");
    let expected = match (sells_coins, rest.is_zero()) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    };
    assert_eq!(approvals.len(), expected);
}

#[test]
fn a_swap_after_the_price_moved_or_the_deadline_passed_reverts_and_sells_nothing() {
    let exchange = funded();
    let units = U256::from(50_000_000_u64);
    let sides = (Some(exchange.euro), Some(exchange.dollar));
    let slippage = Slippage::new(100).expect("a slippage");
    for exact in [Exact::Input(units), Exact::Output(units)] {
        for quote in exchange.quotes(sides, exact) {
            for uniswap in [&exchange.uniswap, &exchange.uniswap_02] {
                let before = exchange.node.snapshot();
                let of = (exact, NativeCoin::None);
                let swap = exchange.swap(uniswap, &quote, of, slippage);
                let late = Swap {
                    deadline: exchange.latest().1.seconds().unsigned_abs() - 1,
                    ..swap.clone()
                };
                sells_nothing(&exchange, &late);
                move_price(&exchange, &quote);
                sells_nothing(&exchange, &swap);
                exchange.node.revert(&before);
            }
        }
    }
}

fn sells_nothing(exchange: &Floor, swap: &Swap<'_>) {
    let (sold, bought) = ends(swap.route);
    let had = exchange.balance(sold, exchange.seller());
    let (is_settled, _) = exchange.settle(swap);
    assert!(!is_settled, "{swap:?}");
    assert_eq!(exchange.balance(sold, exchange.seller()), had);
    assert_eq!(exchange.balance(bought, RECIPIENT), U256::ZERO);
}

/// Somebody sells so much along the same route that its price falls.
fn move_price(exchange: &Floor, quote: &RouteQuote) {
    let other = exchange.node.account(0);
    let swap = Swap {
        uniswap: &exchange.uniswap,
        route: &quote.route,
        amounts: SwapAmounts::ExactInput {
            input: U256::from(100_000_000_000_u64),
            least_output: U256::from(1),
        },
        native: NativeCoin::None,
        recipient: other,
        deadline: exchange.soon(),
    };
    assert!(exchange.settle_as(&swap, other).0);
}

#[test]
fn what_the_routers_would_misunderstand_is_not_sent() {
    let exchange = funded();
    let units = U256::from(1_000_000_u64);
    let (sides, exact) = (
        (Some(exchange.euro), Some(exchange.dollar)),
        Exact::Input(units),
    );
    for quote in exchange.quotes(sides, exact) {
        let of = (exact, NativeCoin::None);
        let swap = exchange.swap(&exchange.uniswap, &quote, of, Slippage::NONE);
        for byte in 0..=2 {
            let mut recipient = Address::ZERO;
            recipient[19] = byte;
            let swap = Swap {
                recipient,
                ..swap.clone()
            };
            assert_eq!(swap.call(), Err(SwapError::Recipient));
        }
        for (input, least_output) in [(U256::ZERO, units), (units, U256::ZERO)] {
            let amounts = SwapAmounts::ExactInput {
                input,
                least_output,
            };
            let swap = Swap {
                amounts,
                ..swap.clone()
            };
            assert_eq!(swap.call(), Err(SwapError::Amount));
        }
        for native in [NativeCoin::Sold, NativeCoin::Bought] {
            let swap = Swap {
                native,
                ..swap.clone()
            };
            assert_eq!(swap.call(), Err(SwapError::NotNative));
        }
        let without = Uniswap {
            v2: None,
            v3: None,
            ..exchange.uniswap.clone()
        };
        let swap = Swap {
            uniswap: &without,
            ..swap.clone()
        };
        assert_eq!(swap.call(), Err(SwapError::NoRouter));
    }
}

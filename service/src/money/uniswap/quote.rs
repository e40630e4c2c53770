//! Quotes of routes by the contracts' own quoters, checked against the pools' price.

use alloy_primitives::{Address, Bytes, U256};

use super::contracts::{Quoter, V2Pair, V2Router, V3Pool, read, returned};
use super::discovery::Answers;
use super::error::{QuoteError, RouteError};
use super::pool::{Pool, PoolAddress, PoolKind};
use super::route::{Hop, Route, routes};
use super::spot::{Spot, is_exhausted, is_sqrt_price};
use super::{MILLION, Uniswap};
use crate::evm::contract_calls::{CallError, ContractCall};

/// The largest amount, as in the books.
const AMOUNT_MAX: U256 = U256::from_limbs([u64::MAX, u64::MAX >> 1, 0, 0]);

/// The exact side of a quote, in smallest units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exact {
    /// Sold amount.
    Input(U256),
    /// Bought amount.
    Output(U256),
}

/// The quote of a route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteQuote {
    /// The route.
    pub route: Route,
    /// Sold amount, including the pools' fees.
    pub input: U256,
    /// Bought amount.
    pub output: U256,
    /// How much less the swap gives than the pools' price before it, by its size alone, in millionths, rounded up. The fees of the
    /// pools are not in it: [`Route::fee`].
    pub price_impact: u32,
}

/// The quotes of all routes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotes {
    /// The route that gives most or takes least; of equal ones that of fewer hops, then the first.
    pub best: RouteQuote,
    /// The others, each with its quote or the reason why it has none.
    pub others: Vec<(Route, Result<RouteQuote, RouteError>)>,
}

/// The calls of a quote: the price of each pool, then the quote of each route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteRequest<'a> {
    uniswap: &'a Uniswap,
    exact: Exact,
    routes: Vec<Route>,
    /// The pools of all routes, each once.
    pools: Vec<PoolAddress>,
}

impl<'a> QuoteRequest<'a> {
    /// A quote of one token in another; `None` is the native coin.
    ///
    /// # Errors
    /// If the amount cannot be one, or no pools join the tokens.
    pub fn new(
        uniswap: &'a Uniswap,
        pools: &[Pool],
        (sold, bought): (Option<Address>, Option<Address>),
        exact: Exact,
    ) -> Result<Self, QuoteError> {
        let (sold, bought) = (uniswap.contract(sold), uniswap.contract(bought));
        if sold == bought {
            return Err(QuoteError::SameToken);
        }
        let (Exact::Input(amount) | Exact::Output(amount)) = exact;
        if amount.is_zero() || amount > AMOUNT_MAX {
            return Err(QuoteError::Amount);
        }
        let routes = routes(pools, sold, bought);
        if routes.is_empty() {
            return Err(QuoteError::NoRoute);
        }
        let mut used: Vec<PoolAddress> = Vec::new();
        for hop in routes.iter().flat_map(Route::hops) {
            if !used.contains(&hop.pool) {
                used.push(hop.pool);
            }
        }
        Ok(Self {
            uniswap,
            exact,
            routes,
            pools: used,
        })
    }

    /// The routes that are asked about.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// The calls: the price of each pool, then the quote of each route. All belong at one block.
    pub fn calls(&self) -> Vec<ContractCall> {
        let prices = self.pools.iter().map(|pool| match pool.key.kind {
            PoolKind::V2 => read(pool.address, &V2Pair::getReservesCall {}),
            PoolKind::V3 { .. } => read(pool.address, &V3Pool::slot0Call {}),
        });
        prices
            .chain(self.routes.iter().map(|route| self.call(route)))
            .collect()
    }

    fn call(&self, route: &Route) -> ContractCall {
        let v2_router = self.uniswap.v2.as_ref().map(|v2| v2.router);
        let quoter = self.uniswap.v3.as_ref().map(|v3| v3.quoter);
        // A pool without its version's contracts has no quoter to call: the answer is empty.
        match (route.kind(), self.exact) {
            (Some(PoolKind::V2) | None, Exact::Input(amount)) => {
                let call = V2Router::getAmountsOutCall {
                    amountIn: amount,
                    path: route.tokens(),
                };
                read(v2_router.unwrap_or_default(), &call)
            }
            (Some(PoolKind::V2) | None, Exact::Output(amount)) => {
                let call = V2Router::getAmountsInCall {
                    amountOut: amount,
                    path: route.tokens(),
                };
                read(v2_router.unwrap_or_default(), &call)
            }
            (Some(PoolKind::V3 { .. }), Exact::Input(amount)) => {
                let call = Quoter::quoteExactInputCall {
                    path: route.path(),
                    amountIn: amount,
                };
                read(quoter.unwrap_or_default(), &call)
            }
            (Some(PoolKind::V3 { .. }), Exact::Output(amount)) => {
                let call = Quoter::quoteExactOutputCall {
                    path: route.reversed_path(),
                    amountOut: amount,
                };
                read(quoter.unwrap_or_default(), &call)
            }
        }
    }

    /// The best quote, from the return values of [`Self::calls`]. A failing route does not affect the others.
    ///
    /// # Errors
    /// If no route has a quote.
    pub fn read(&self, answers: &Answers) -> Result<Quotes, QuoteError> {
        let mut best: Option<RouteQuote> = None;
        let mut others = Vec::new();
        for (place, route) in self.routes.iter().enumerate() {
            let quote = answer(answers, self.pools.len() + place)
                .and_then(|returned| self.quote(route, returned, answers));
            match (quote, best.take()) {
                (Ok(quote), None) => best = Some(quote),
                (Ok(quote), Some(than)) => {
                    let (better, worse) = match is_better(&quote, &than) {
                        true => (quote, than),
                        false => (than, quote),
                    };
                    others.push((worse.route.clone(), Ok(worse)));
                    best = Some(better);
                }
                (Err(error), than) => {
                    others.push((route.clone(), Err(error)));
                    best = than;
                }
            }
        }
        match best {
            Some(best) => Ok(Quotes { best, others }),
            None => {
                let failed = others.into_iter();
                let failed = failed.filter_map(|(route, quote)| Some((route, quote.err()?)));
                Err(QuoteError::NoQuote(failed.collect()))
            }
        }
    }

    fn quote(
        &self,
        route: &Route,
        bytes: &[u8],
        answers: &Answers,
    ) -> Result<RouteQuote, RouteError> {
        let quoted = match route.kind() {
            Some(PoolKind::V3 { .. }) => self.read_v3(route, bytes),
            Some(PoolKind::V2) | None => self.read_v2(route, bytes),
        }?;
        if quoted.is_zero() {
            return Err(RouteError::Zero);
        }
        if quoted > AMOUNT_MAX {
            return Err(RouteError::TooLarge);
        }
        let (input, output) = match self.exact {
            Exact::Input(input) => (input, quoted),
            Exact::Output(output) => (quoted, output),
        };
        let impact = self.spot(route, answers)?.impact(input, output);
        Ok(RouteQuote {
            route: route.clone(),
            input,
            output,
            price_impact: impact.ok_or(RouteError::BetterThanSpot)?,
        })
    }

    /// The amounts of all tokens along the route.
    fn read_v2(&self, route: &Route, bytes: &[u8]) -> Result<U256, RouteError> {
        let amounts = match self.exact {
            Exact::Input(_) => returned::<V2Router::getAmountsOutCall>(bytes),
            Exact::Output(_) => returned::<V2Router::getAmountsInCall>(bytes),
        };
        let amounts = amounts.filter(|amounts| amounts.len() == route.hops().len() + 1);
        let amounts = amounts.ok_or(RouteError::Malformed)?;
        let (first, last) = (amounts.first().copied(), amounts.last().copied());
        let (exact, given, quoted) = match self.exact {
            Exact::Input(amount) => (amount, first, last),
            Exact::Output(amount) => (amount, last, first),
        };
        match given == Some(exact) {
            true => quoted.ok_or(RouteError::Malformed),
            false => Err(RouteError::Malformed),
        }
    }

    fn read_v3(&self, route: &Route, bytes: &[u8]) -> Result<U256, RouteError> {
        let (quoted, prices) = match self.exact {
            Exact::Input(_) => {
                let returned = returned::<Quoter::quoteExactInputCall>(bytes);
                let returned = returned.ok_or(RouteError::Malformed)?;
                (returned.amountOut, returned.sqrtPriceX96AfterList)
            }
            Exact::Output(_) => {
                let returned = returned::<Quoter::quoteExactOutputCall>(bytes);
                let returned = returned.ok_or(RouteError::Malformed)?;
                (returned.amountIn, returned.sqrtPriceX96AfterList)
            }
        };
        if prices.len() != route.hops().len() {
            return Err(RouteError::Malformed);
        }
        // The quoter does not say that it sold a part only.
        match prices.into_iter().map(U256::from).any(is_exhausted) {
            true => Err(RouteError::NoLiquidity),
            false => Ok(quoted),
        }
    }

    /// Price of a route: bought per sold unit at the pools' price, after their fees.
    fn spot(&self, route: &Route, answers: &Answers) -> Result<Spot, RouteError> {
        let mut spots = route.hops().iter().map(|hop| self.spot_of(hop, answers));
        let first = spots.next().ok_or(RouteError::Malformed)??;
        spots.try_fold(first, |spot, next| Ok(spot.then(next?)))
    }

    fn spot_of(&self, hop: &Hop, answers: &Answers) -> Result<Spot, RouteError> {
        let place = self.pools.iter().position(|pool| *pool == hop.pool);
        let bytes = answer(answers, place.ok_or(RouteError::Malformed)?)?;
        let spot = match hop.pool.key.kind {
            PoolKind::V2 => {
                let returned = returned::<V2Pair::getReservesCall>(bytes);
                let reserves = returned.ok_or(RouteError::Malformed)?;
                let reserves = (U256::from(reserves.reserve0), U256::from(reserves.reserve1));
                if reserves.0.is_zero() || reserves.1.is_zero() {
                    return Err(RouteError::NoLiquidity);
                }
                Spot::of_reserves(reserves)
            }
            PoolKind::V3 { .. } => {
                let returned = returned::<V3Pool::slot0Call>(bytes);
                let sqrt_price = U256::from(returned.ok_or(RouteError::Malformed)?.sqrtPriceX96);
                if !is_sqrt_price(sqrt_price) {
                    return Err(RouteError::Malformed);
                }
                Spot::of_sqrt_price(sqrt_price)
            }
        };
        let spot = match hop.from == hop.pool.key.token0 {
            true => spot,
            false => spot.inverse(),
        };
        Ok(spot.after_fee(self.uniswap.fee(hop.pool.key.kind).min(MILLION)))
    }
}

/// Whether a quote gives more for the same or takes less for the same. Of equal ones the first stays: routes of fewer hops come first.
fn is_better(quote: &RouteQuote, than: &RouteQuote) -> bool {
    quote.output > than.output || quote.input < than.input
}

fn answer(answers: &Answers, place: usize) -> Result<&Bytes, RouteError> {
    match answers.get(place) {
        Some(Ok(bytes)) => Ok(bytes),
        Some(Err(CallError::Reverted)) => Err(RouteError::NoLiquidity),
        Some(Err(error)) => Err(RouteError::Call(*error)),
        None => Err(RouteError::Malformed),
    }
}

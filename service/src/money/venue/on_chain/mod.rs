//! Exchanges on connected chains: Uniswap, and others with its interface.
//!
//! A quote is the quoters' answer at the latest recorded block, less the slippage that the operator allows. An exact-input swap settles
//! it; its minimum output is the quote.

mod instrument;
mod swap;

use std::time::Duration;

use alloy_primitives::{Address, Bytes, U256};
use settlekit_core::chain::Asset;
use settlekit_core::trade::Instrument;
use settlekit_core::value::{Amount, ChainId, Currency};

pub(crate) use swap::{PreparedSwap, SwapMoney, prepare};

use super::price_check::{self, Payer, best_checked};
use super::{Exact, Fill, NoFill, QuotedSwap, Side, VenueOfFill};
use crate::evm::contract_calls::{CallError, ContractCall};
use crate::evm::node_calls::NodeCalls;
use crate::money::connection::{connected_chains, node_urls};
use crate::money::pool_reader::usable_pools;
use crate::money::prices;
use crate::money::uniswap::{
    self, Pool, PoolKind, QuoteError, QuoteRequest, Quotes, RouteError, RouteQuote, Slippage,
    Uniswap,
};
use crate::money::venue_contracts;
use crate::store;
use crate::store::connection::Connected;
use crate::store::execution::Execution;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// About the gas of a swap in one pool, and of the allowance before it.
const SWAP_GAS: i128 = 150_000;
const APPROVAL_GAS: i128 = 50_000;

/// The largest price impact of a quote, in millionths. Larger sizes are not traded.
const IMPACT_MAX: u32 = 50_000;

/// Decimal places of millionths as percent.
const PERCENT_SCALE: u32 = 4;

/// Blocks until a swap is mined, without its confirmations: the allowance is mined first.
const BLOCKS_BEFORE: u32 = 2;

/// The exchanges on connected chains, at most one on each.
#[derive(Debug)]
pub(crate) struct OnChainVenues(Vec<Exchange>);

#[derive(Debug)]
struct Exchange {
    connected: Connected,
    name: String,
    uniswap: Uniswap,
    slippage: Slippage,
    /// The pools that can be used, with their numbers.
    pools: Vec<(i64, Pool)>,
    assets: Vec<Asset>,
    /// How long a trade takes.
    delay: Duration,
}

/// The contracts of a pair, sold and bought; `None` is the native coin.
type Tokens = (Option<Address>, Option<Address>);

impl OnChainVenues {
    /// The connected exchanges of chains that are not paused; `None` if there are none.
    pub(super) fn find(unit: &mut Unit<'_>) -> Result<Option<Self>, StoreError> {
        let mut venues = store::venue::all_venues(unit.database)?;
        if venues.is_empty() {
            return Ok(None);
        }
        let mut exchanges = Vec::with_capacity(venues.len());
        for (chain, connected) in connected_chains(unit.database)? {
            let place = venues.iter().position(|venue| venue.chain == chain.id);
            let Some(place) = place.filter(|_| !connected.paused) else {
                continue;
            };
            let venue = venues.swap_remove(place);
            let blocks = chain.confirmations_required.saturating_add(BLOCKS_BEFORE);
            let seconds = u64::from(blocks) * u64::from(chain.block_seconds);
            exchanges.push(Exchange {
                connected,
                uniswap: venue_contracts::read(&venue.contracts)?,
                slippage: venue_contracts::slippage(&venue.contracts)?,
                name: venue.contracts.name,
                pools: usable_pools(unit.database, chain.id)?,
                assets: chain.assets,
                delay: Duration::from_secs(seconds),
            });
        }
        Ok(Some(Self(exchanges)))
    }

    pub(super) fn is_traded(&self, (chain, currency): (ChainId, &Currency)) -> bool {
        self.on(chain)
            .is_some_and(|exchange| exchange.is_traded(currency))
    }

    pub(super) fn is_pair(&self, sold: Side<'_>, bought: Side<'_>) -> bool {
        self.takes(sold, bought, 1)
    }

    pub(super) fn is_on(&self, chain: ChainId) -> bool {
        self.on(chain).is_some()
    }

    pub(super) fn takes(&self, sold: Side<'_>, bought: Side<'_>, units: i128) -> bool {
        let pair = self.pair(sold, bought);
        pair.is_some_and(|(exchange, tokens)| {
            let exact = uniswap::Exact::Input(swap::amount(units));
            exchange.request(tokens, exact).is_ok()
        })
    }

    pub(super) fn best(
        &self,
        unit: &mut Unit<'_>,
        sold: Side<'_>,
        bought: Side<'_>,
        exact: Exact,
    ) -> Outcome<Result<Fill, NoFill>> {
        let Some((exchange, tokens)) = self.pair(sold, bought) else {
            return Ok(Err(NoFill::NotTraded));
        };
        let fills = match exchange.quote(unit, tokens, exact)? {
            Ok(fills) => fills,
            Err(none) => return Ok(Err(none)),
        };
        best_checked(exact, fills, |_, fill| {
            exchange.check_worth(unit, (sold, bought), fill)
        })
    }

    pub(super) fn instruments(&self) -> Vec<Instrument> {
        let exchanges = self.0.iter();
        exchanges.flat_map(Exchange::instruments).collect()
    }

    fn on(&self, chain: ChainId) -> Option<&Exchange> {
        let mut exchanges = self.0.iter();
        exchanges.find(|exchange| exchange.connected.chain == chain)
    }

    /// The exchange of a pair's chain, with the contracts. Nothing is swapped from one chain to another.
    fn pair(&self, sold: Side<'_>, bought: Side<'_>) -> Option<(&Exchange, Tokens)> {
        let exchange = self.on(sold.chain).filter(|_| sold.chain == bought.chain)?;
        let tokens = (
            exchange.token(sold.currency)?,
            exchange.token(bought.currency)?,
        );
        Some((exchange, tokens))
    }
}

impl Exchange {
    /// The contract of a currency. Coins that a contract sends are only seen in traces, so without them none are traded.
    fn token(&self, currency: &Currency) -> Option<Option<Address>> {
        let mut assets = self.assets.iter();
        let asset = assets.find(|asset| asset.symbol == *currency)?;
        match &asset.token_address {
            Some(address) => address.parse().ok().map(Some),
            None => self.connected.traces.then_some(None),
        }
    }

    /// The currency of a contract in pools, with its decimal places. The native coin comes before a token that wraps it.
    fn asset(&self, contract: Address) -> Option<&Asset> {
        let of = |asset: &&Asset| {
            let token = self.token(&asset.symbol);
            token.is_some_and(|token| self.uniswap.contract(token) == contract)
        };
        let mut assets = self.assets.iter().filter(of);
        let first = assets.next()?;
        match first.token_address {
            None => Some(first),
            Some(_) => assets
                .find(|asset| asset.token_address.is_none())
                .or(Some(first)),
        }
    }

    fn is_traded(&self, currency: &Currency) -> bool {
        let Some(token) = self.token(currency) else {
            return false;
        };
        let contract = self.uniswap.contract(token);
        let mut pools = self.pools.iter();
        pools.any(|(_, pool)| [pool.at.key.token0, pool.at.key.token1].contains(&contract))
    }

    fn request(
        &self,
        tokens: Tokens,
        exact: uniswap::Exact,
    ) -> Result<QuoteRequest<'_>, QuoteError> {
        let pools: Vec<Pool> = self.pools.iter().map(|(_, pool)| *pool).collect();
        QuoteRequest::new(&self.uniswap, &pools, tokens, exact)
    }

    /// The fills of all routes whose price impact is small enough, the best first.
    fn quote(
        &self,
        unit: &mut Unit<'_>,
        tokens: Tokens,
        exact: Exact,
    ) -> Outcome<Result<Vec<(String, Fill)>, NoFill>> {
        let wanted = match exact {
            Exact::Sold(units) => uniswap::Exact::Input(swap::amount(units)),
            Exact::Bought(units) => uniswap::Exact::Output(swap::amount(units)),
        };
        let request = match self.request(tokens, wanted) {
            Ok(request) => request,
            Err(QuoteError::Amount) => return Ok(Err(NoFill::Size)),
            Err(_) => return Ok(Err(NoFill::NotTraded)),
        };
        let answers = self.ask(unit, &request.calls())?;
        match request.read(&answers) {
            Ok(quotes) if is_certain(&quotes) => {
                let others = quotes.others.iter();
                let others = others.filter_map(|(_, quote)| quote.as_ref().ok());
                let all = [&quotes.best].into_iter().chain(others);
                let small =
                    all.filter(|quote| has_small_impact(quote) && is_near(quote, &quotes.best));
                let fills = small
                    .filter_map(|quote| Some((self.route_name(quote), self.fill(quote, exact)?)));
                Ok(Ok(fills.collect()))
            }
            Err(QuoteError::NoQuote(failed)) if !failed.iter().any(|(_, error)| is_call(error)) => {
                Ok(Err(NoFill::Size))
            }
            Ok(_) | Err(_) => Err(self.unavailable("cannot be asked for a price now")),
        }
    }

    /// Refuses a fill that the price sources contradict, and a swap whose network fee is worth more than the sold amount. Skipped for
    /// currencies that no source quotes.
    fn check_worth(
        &self,
        unit: &mut Unit<'_>,
        (sold, bought): (Side<'_>, Side<'_>),
        fill: &Fill,
    ) -> Outcome<Result<(), NoFill>> {
        let mut assets = self.assets.iter();
        let native = assets.find(|asset| asset.token_address.is_none());
        let (Some(swap), Some(native)) = (&fill.swap, native) else {
            return Ok(Ok(()));
        };
        let amounts = (fill.sold, swap.expected);
        let Some(given) =
            price_check::check_worth(unit, (&self.name, Payer::Venue), (sold, bought), amounts)?
        else {
            return Ok(Ok(()));
        };
        let prices = prices::of(unit, [&native.symbol])?;
        let fee = prices.usd_of(swap.network_fee, native.scale, &native.symbol);
        Ok(check_fee(fee, given))
    }

    /// The return values of calls at the latest recorded block. Without the nodes' answers the request is refused, and the host asks
    /// them.
    fn ask(
        &self,
        unit: &mut Unit<'_>,
        calls: &[ContractCall],
    ) -> Outcome<Vec<Result<Bytes, CallError>>> {
        let chain = self.connected.chain;
        if let Some(returned) = unit.contract_answers.find(chain, calls, unit.now) {
            return Ok(returned);
        }
        let nodes = node_urls(unit, &self.connected)?;
        let block = self.connected.head().hash;
        unit.asked
            .push(NodeCalls::new((chain, block), nodes, calls));
        Err(self.unavailable("cannot be asked for a price now"))
    }

    fn unavailable(&self, why: &str) -> Refusal {
        price_check::unavailable(&self.name, why)
    }

    /// The name of the exchange with the pools of a route: `Uniswap v3 0.05 %, v3 0.3 %`.
    fn route_name(&self, quote: &RouteQuote) -> String {
        let hops = quote
            .route
            .hops()
            .iter()
            .map(|hop| match hop.pool.key.kind {
                PoolKind::V2 => "v2".to_owned(),
                PoolKind::V3 { fee } => match Amount::from_units(i128::from(fee), PERCENT_SCALE) {
                    Ok(percent) => format!("v3 {percent} %"),
                    Err(_) => "v3".to_owned(),
                },
            });
        let hops: Vec<String> = hops.collect();
        format!("{} {}", self.name, hops.join(", "))
    }

    /// The fill of a quote; `None` if it brings nothing, or more than books can hold.
    fn fill(&self, best: &RouteQuote, exact: Exact) -> Option<Fill> {
        let (sold, expected, least) = match exact {
            Exact::Sold(units) => (
                units,
                best.output,
                units_of(self.slippage.least_output(best.output))?,
            ),
            // The surplus sold brings more than was asked for.
            Exact::Bought(units) => (
                units_of(self.slippage.most_input(best.input)?)?,
                best.output,
                units,
            ),
        };
        if least <= 0 || sold <= 0 {
            return None;
        }
        let fee = pool_fee(best, &self.uniswap)?;
        let venue = VenueOfFill {
            id: self.connected.chain.get(),
            delay_ms: u64::try_from(self.delay.as_millis()).ok()?,
        };
        let hops = i128::try_from(best.route.hops().len()).ok()?;
        let gas = SWAP_GAS.saturating_mul(hops).saturating_add(APPROVAL_GAS);
        Some(Fill {
            venue,
            sold,
            gross: least.checked_add(fee)?,
            fee,
            execution: Some(Execution::Swap(swap::terms(
                self.connected.chain,
                &best.route,
            ))),
            swap: Some(QuotedSwap {
                expected: units_of(expected)?,
                price_impact: best.price_impact,
                slippage: self.slippage.millionths(),
                network_fee: self.connected.max_fee().saturating_mul(gas),
            }),
            offers: Vec::new(),
        })
    }
}

/// Refuses a network fee that is worth more than the sold amount. One without a price is not compared.
fn check_fee(fee: Option<i128>, given: i128) -> Result<(), NoFill> {
    match fee.is_some_and(|fee| fee > given) {
        true => Err(NoFill::Size),
        false => Ok(()),
    }
}

const fn has_small_impact(quote: &RouteQuote) -> bool {
    quote.price_impact <= IMPACT_MAX
}

/// Whether a route gives nearly as much as the best one, which may be left out for its impact: a thin pool with another price is no
/// substitute.
fn is_near(quote: &RouteQuote, best: &RouteQuote) -> bool {
    const ALL: u32 = 1_000_000;
    let worth = |one: &RouteQuote, other: &RouteQuote, part: u32| {
        let product = one.output.checked_mul(other.input)?;
        product.checked_mul(U256::from(part))
    };
    let (has, needs) = (
        worth(quote, best, ALL),
        worth(best, quote, ALL - IMPACT_MAX),
    );
    has.zip(needs).is_some_and(|(has, needs)| has >= needs)
}

/// Whether every route was answered. A node that lies about one route can hide the best.
fn is_certain(quotes: &Quotes) -> bool {
    let mut others = quotes.others.iter();
    !others.any(|(_, quote)| quote.as_ref().is_err_and(is_call))
}

const fn is_call(error: &RouteError) -> bool {
    matches!(error, RouteError::Call(_))
}

/// The pools' fees in the bought currency, rounded up.
fn pool_fee(quote: &RouteQuote, uniswap: &Uniswap) -> Option<i128> {
    let fee = quote.route.fee(uniswap);
    let left = U256::from(uniswap::MILLION.checked_sub(fee)?);
    let whole = quote.output.checked_mul(U256::from(fee))?;
    units_of(whole.div_ceil(left))
}

fn units_of(amount: U256) -> Option<i128> {
    i128::try_from(amount).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::uniswap::{Hop, PoolAddress, PoolKey, Route, UniswapV2};

    /// The quote of a pool of version 3.
    fn quote(fee: u32, (input, output): (u64, u64), price_impact: u32) -> RouteQuote {
        let (from, to) = (Address::repeat_byte(1), Address::repeat_byte(2));
        let key = PoolKey {
            kind: PoolKind::V3 { fee },
            token0: from,
            token1: to,
        };
        let address = Address::repeat_byte(0xa0);
        let pool = PoolAddress { key, address };
        let hops = vec![Hop { pool, from, to }];
        RouteQuote {
            route: Route::new(hops).expect("a route"),
            input: U256::from(input),
            output: U256::from(output),
            price_impact,
        }
    }

    fn uniswap() -> Uniswap {
        Uniswap {
            wrapped_native: Address::repeat_byte(0xee),
            v2: Some(UniswapV2 {
                factory: Address::repeat_byte(0x21),
                router: Address::repeat_byte(0x22),
                fee: 3_000,
            }),
            v3: None,
        }
    }

    #[test]
    fn a_swap_may_move_the_price_by_five_percent() {
        for (millionths, expected) in [(0, true), (50_000, true), (50_001, false)] {
            let quote = quote(500, (1_000, 1_000), millionths);
            assert_eq!(has_small_impact(&quote), expected, "{millionths}");
        }
    }

    #[test]
    fn a_route_is_near_the_best_one_down_to_95_percent_of_its_price() {
        let best = quote(500, (1_000_000, 2_000_000), 0);
        // 1.9 is 95 % of 2.
        for (amounts, expected) in [
            ((1_000_000, 2_000_000), true),
            ((1_000_000, 1_900_000), true),
            ((1_000_000, 1_899_999), false),
            ((2_000_000, 3_800_000), true),
            ((2_000_001, 3_800_000), false),
        ] {
            let near = is_near(&quote(3_000, amounts, 0), &best);
            assert_eq!(near, expected, "{amounts:?}");
        }
    }

    #[test]
    fn a_network_fee_may_be_worth_as_much_as_the_sold_amount() {
        assert_eq!(check_fee(Some(1_000_000), 1_000_001), Ok(()));
        assert_eq!(check_fee(Some(1_000_000), 1_000_000), Ok(()));
        assert_eq!(check_fee(Some(1_000_001), 1_000_000), Err(NoFill::Size));
        assert_eq!(check_fee(None, 0), Ok(()));
    }

    #[test]
    fn the_fee_of_a_pool_is_its_part_of_the_amount_before_it_rounded_up() {
        for (fee, output, expected) in [
            // 1,000,000 of which 0.3 % are 3,000.
            (3_000, 997_000, 3_000),
            (3_000, 997_001, 3_001),
            (500, 999_500, 500),
            (500, 1, 1),
            (10_000, 99, 1),
            (10_000, 100, 2),
            (0, 5, 0),
        ] {
            let quote = quote(fee, (1_000_000, output), 0);
            let found = pool_fee(&quote, &uniswap());
            assert_eq!(found, Some(expected), "{fee} {output}");
        }
    }
}

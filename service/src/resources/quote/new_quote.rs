//! Creates a quote: one rate per sold asset, rounded in the venues' favour.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_core::error::Reason;
use settlekit_core::quote::{
    DepositInstruction, Quote, QuoteAsset, QuoteFees, QuoteMode, QuoteRate, QuoteStatus, QuoteType,
    SettlementInstruction, SettlementType,
};
use settlekit_core::validate::Report;
use settlekit_core::value::{AccountId, Amount, Currency, Number, Object, OrganisationId, QuoteId};

use super::parameters::{QuoteParameters, Sale};
use super::route::{Stop, accounts_of, source, target};
use crate::money::price::PRICE_SCALE;
use crate::money::prices::{self, Prices};
use crate::money::rounding::{Rounding, divide_wide, multiply_divide};
use crate::money::test_network::is_test_network;
use crate::money::venue::{self, ConnectedVenues, Exact, Fill, NoFill, QuotedSwap};
use crate::store;
use crate::store::quote::{PartTerms, Terms};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// The validity of a price.
pub(crate) const VALIDITY: Duration = Duration::from_secs(30);

/// The time limit for the sold funds to arrive.
pub(crate) const FUNDING: Duration = Duration::from_secs(15 * 60);

/// Decimal places of a displayed rate, which is never booked.
pub(crate) const RATE_SCALE: u32 = 10;

/// Decimal places of a rate in Canadian dollars.
const CAD_RATE_SCALE: u32 = 6;

fn units(amount: Amount, scale: u32, field: &'static str) -> Outcome<i128> {
    amount
        .to_units(scale)
        .map_err(|error| Refusal::amount(field, error))
}

fn too_large() -> Refusal {
    Refusal::because(
        Reason::AmountTooLarge,
        "an amount is too large to represent exactly",
    )
}

fn number(units: i128, scale: u32) -> Outcome<Number> {
    Number::from_units(units, scale).map_err(|_| too_large())
}

/// The quote and its execution; an estimate cannot be executed.
pub(crate) fn create(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    parameters: &QuoteParameters,
) -> Outcome<(Quote, Option<Terms>)> {
    let venues = venue::connected(unit)?;
    let accounts = accounts_of(
        unit,
        organisation,
        parameters.funding.as_ref(),
        parameters.names.account,
    )?;
    let sources = each_sale(parameters, |_, sale| {
        source(unit, organisation, parameters, &accounts, sale)
    })?;
    let goal = target(unit, organisation, parameters, &accounts, &sources)?;
    let is_goal = |stop: &Stop| stop.currency == goal.currency && stop.chain == goal.chain;
    if sources.iter().any(is_goal) {
        return Err(Refusal::field(
            parameters.names.buy_currency,
            Reason::Repeated,
            "must differ from the sold currency, or be on another chain",
        ));
    }
    let fills = price(&venues, unit, parameters, &sources, &goal)?;
    let cad = cad();
    let named = sources.iter().map(|stop| &stop.currency);
    let prices = prices::of(unit, named.chain([&goal.currency]).chain(&cad))?;
    let values = sources.iter().zip(&fills);
    let values = values.map(|(stop, fill)| value(&prices, stop, fill));
    let values: Vec<Option<i128>> = values.collect::<Outcome<_>>()?;
    check_values(parameters, &values)?;
    let route = (sources.as_slice(), &goal);
    let mut rate = rate(&prices, route, (&fills, &values))?;
    for stop in &sources {
        // `effective_rate` of a basket still comes from prices.
        if is_test_network(unit, stop.chain)? {
            (rate.usd_value, rate.cad_value) = (None, None);
        }
    }
    let quote = write(unit, organisation, parameters, route, (&fills, rate))?;
    let funding: Option<Vec<AccountId>> = sources.iter().map(|stop| stop.account).collect();
    let terms = funding
        .zip(goal.account)
        .filter(|_| !parameters.estimate)
        .map(|(funding, settlement)| Terms {
            funding,
            settlement,
            delay_ms: fills
                .iter()
                .map(|fill| fill.venue.delay_ms)
                .max()
                .unwrap_or(0),
            executions: executions(&fills, &values),
        });
    Ok((quote, terms))
}

/// The execution of each sold asset; empty for a simulated venue.
#[cfg(not(target_family = "wasm"))]
fn executions(fills: &[Fill], values: &[Option<i128>]) -> Vec<PartTerms> {
    let parts = fills.iter().zip(values);
    let parts = parts.filter_map(|(fill, usd)| {
        Some(PartTerms {
            execution: fill.execution.clone()?,
            bought: fill.bought(),
            usd: *usd,
        })
    });
    parts.collect()
}

/// A service in wasm is a sandbox.
#[cfg(target_family = "wasm")]
fn executions(fills: &[Fill], _: &[Option<i128>]) -> Vec<PartTerms> {
    let executions = fills.iter().filter_map(|fill| fill.execution.as_ref());
    executions.map(|execution| match *execution {}).collect()
}

/// The terms of all swaps of a quote together: fees and expected amounts are sums, price impact and slippage those of the worst swap.
fn swap_of(fills: &[Fill]) -> Outcome<Option<QuotedSwap>> {
    let swaps = || fills.iter().filter_map(|fill| fill.swap.as_ref());
    if swaps().next().is_none() {
        return Ok(None);
    }
    let expected = fills.iter().map(|fill| match &fill.swap {
        Some(swap) => swap.expected,
        None => fill.bought(),
    });
    let worst = |of: fn(&QuotedSwap) -> u32| swaps().map(of).max().unwrap_or(0);
    Ok(Some(QuotedSwap {
        expected: sum(expected)?,
        price_impact: worst(|swap| swap.price_impact),
        slippage: worst(|swap| swap.slippage),
        network_fee: sum(swaps().map(|swap| swap.network_fee))?,
    }))
}

/// The fill of each sold asset.
fn price(
    venues: &ConnectedVenues,
    unit: &mut Unit<'_>,
    parameters: &QuoteParameters,
    sources: &[Stop],
    goal: &Stop,
) -> Outcome<Vec<Fill>> {
    let mut fills = Vec::with_capacity(sources.len());
    let mut asking = None;
    each_sale(parameters, |place, sale| {
        let trade = (sale, &sources[place], goal);
        match fill(venues, unit, parameters, trade, &fills) {
            Ok(fill) => fills.push(fill),
            // The host asks the nodes about all assets at once, and repeats the request.
            Err(refusal) if !unit.asked.is_empty() => asking = asking.take().or(Some(refusal)),
            Err(refusal) => return Err(refusal),
        }
        Ok(())
    })?;
    match asking {
        Some(refusal) => Err(refusal),
        None => Ok(fills),
    }
}

/// The best fill of one sold asset, beside those before it.
fn fill(
    venues: &ConnectedVenues,
    unit: &mut Unit<'_>,
    parameters: &QuoteParameters,
    (sale, stop, goal): (&Sale, &Stop, &Stop),
    earlier: &[Fill],
) -> Outcome<Fill> {
    let names = &parameters.names;
    let (exact, field) = match (sale.amount, parameters.buy_amount) {
        (Some(amount), _) => (
            Exact::Sold(units(amount, stop.scale, names.sell_amount)?),
            names.sell_amount,
        ),
        (None, Some(amount)) => (
            Exact::Bought(units(amount, goal.scale, names.buy_amount)?),
            names.buy_amount,
        ),
        (None, None) => {
            let message = "is required, or the amount to buy";
            return Err(Refusal::field(names.sell_amount, Reason::Required, message));
        }
    };
    let filled = venues.best(unit, stop.side(), goal.side(), (exact, earlier))?;
    filled.map_err(|why| match why {
        NoFill::NotTraded => {
            let mut chains = [stop.chain, goal.chain].into_iter();
            let why = match chains.find(|chain| !venues.is_on(*chain)) {
                Some(chain) => format!(": no venue trades on chain {chain}"),
                None => String::new(),
            };
            let message = format!("cannot be traded for {}{why}", sale.currency);
            Refusal::not_supported(names.buy_currency, message)
        }
        NoFill::Size => Refusal::field(
            field,
            Reason::SizeNotTraded,
            format!(
                "is outside the sizes that venues trade for {}",
                sale.currency
            ),
        ),
    })
}

/// A value per sold asset, by its place in the request; reports the errors of all of them.
fn each_sale<T>(
    parameters: &QuoteParameters,
    mut value: impl FnMut(usize, &Sale) -> Outcome<T>,
) -> Outcome<Vec<T>> {
    let mut values = Vec::with_capacity(parameters.sales.len());
    let mut report = Report::default();
    for (place, sale) in parameters.sales.iter().enumerate() {
        match value(place, sale) {
            Ok(value) => values.push(value),
            Err(refusal) => refusal.at(parameters.names.listed, place, &mut report)?,
        }
    }
    Refusal::reported(report)?;
    Ok(values)
}

fn sum(mut values: impl Iterator<Item = i128>) -> Outcome<i128> {
    values
        .try_fold(0_i128, i128::checked_add)
        .ok_or_else(too_large)
}

fn write(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    parameters: &QuoteParameters,
    (sources, goal): (&[Stop], &Stop),
    (fills, rate): (&[Fill], QuoteRate),
) -> Outcome<Quote> {
    let bought = sum(fills.iter().map(Fill::bought))?;
    let fee = sum(fills.iter().map(|fill| fill.fee))?;
    let sold = sources.iter().zip(fills);
    let sell_assets = sold.map(|(stop, fill)| asset(stop, fill.sold));
    let total_fee = number(fee, goal.scale)?;
    let venues: Vec<i64> = fills.iter().map(|fill| fill.venue.id).collect();
    let exact_sell = parameters.sales.iter().all(|sale| sale.amount.is_some());
    let account = sources.first().and_then(|stop| stop.account);
    let held = !parameters.estimate;
    let mut properties = object([("estimate", json!(parameters.estimate))]);
    properties.extend([(
        "offers".to_owned(),
        offers(parameters, (sources, goal), fills)?,
    )]);
    if let Some(swap) = swap_of(fills)? {
        properties.extend(terms_of_swap(unit, &swap, goal)?);
    }
    Ok(Quote {
        id: QuoteId::new(unit.now, unit.id_bytes()),
        org_id: organisation,
        account_id: account,
        mode: if exact_sell {
            QuoteMode::SellExact
        } else {
            QuoteMode::BuyExact
        },
        r#type: QuoteType::Automatic,
        status: QuoteStatus::Created,
        source: Some(parameters.source.to_string()),
        buy_asset: asset(goal, bought)?,
        sell_assets: sell_assets.collect::<Outcome<_>>()?,
        deposit_instruction: Some(DepositInstruction {
            account_id: account,
            payment_method: parameters.method.clone(),
        }),
        settlement_instruction: Some(SettlementInstruction {
            account_id: goal
                .account
                .filter(|_| parameters.settlement_address.is_none()),
            address: parameters
                .settlement_address
                .as_ref()
                .map(ToString::to_string),
            chain_id: Some(goal.chain),
            r#type: SettlementType::Automatic,
        }),
        fees: Some(QuoteFees {
            breakdown: Some(object([("venue", wire(total_fee)?)])),
            fee_currency: Some(parameters.buy_currency.clone()),
            total_fee,
        }),
        rate: Some(rate),
        internal: Some(object([("venue_ids", json!(venues))])),
        properties: Some(properties),
        created_at: unit.now,
        updated_at: unit.now,
        accepted_at: None,
        rejected_at: None,
        expires_at: held.then(|| unit.now.plus(VALIDITY)),
        ttl_at: held.then(|| unit.now.plus(FUNDING)),
    })
}

/// The fills of the venues for each sold asset, the best first.
fn offers(
    parameters: &QuoteParameters,
    (sources, goal): (&[Stop], &Stop),
    fills: &[Fill],
) -> Outcome<Value> {
    let mut offers = Vec::new();
    for ((sale, stop), fill) in parameters.sales.iter().zip(sources).zip(fills) {
        let scale = match sale.amount {
            Some(_) => goal.scale,
            None => stop.scale,
        };
        for (rank, offer) in fill.offers.iter().enumerate() {
            offers.push(json!({
                "sell_currency": stop.currency,
                "venue": offer.venue,
                "amount": wire(number(offer.units, scale)?)?,
                "chosen": rank == 0,
            }));
        }
    }
    Ok(json!(offers))
}

/// The terms of a swap on a chain, as a quote shows them.
fn terms_of_swap(unit: &mut Unit<'_>, swap: &QuotedSwap, goal: &Stop) -> Outcome<Object> {
    let native = store::chain::find(unit.database, goal.chain)?
        .ok_or_else(|| StoreError::Damaged("an asset has no chain".into()))?
        .chain
        .native_currency_symbol;
    let scale = store::chain::asset(unit.database, goal.chain, &native)?;
    let scale = scale.map_or(0, |asset| asset.scale);
    // One millionth is 0.01 basis points.
    let basis_points = |millionths: u32| wire(number(i128::from(millionths), 2)?);
    Ok(object([
        ("expected_amount", wire(number(swap.expected, goal.scale)?)?),
        ("network_fee", wire(number(swap.network_fee, scale)?)?),
        ("network_fee_currency", json!(native)),
        ("price_impact_bps", basis_points(swap.price_impact)?),
        ("slippage_bps", basis_points(swap.slippage)?),
    ]))
}

/// An amount of a stop's currency.
fn asset(stop: &Stop, units: i128) -> Outcome<QuoteAsset> {
    Ok(QuoteAsset {
        amount: number(units, stop.scale)?,
        chain_id: Some(stop.chain),
        symbol: stop.currency.clone(),
        token_address: stop.token.clone(),
    })
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Object {
    fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn wire(number: Number) -> Outcome<Value> {
    serde_json::to_value(number)
        .map_err(|error| StoreError::Broken(format!("a number cannot be written: {error}")).into())
}

/// The value of a sold amount in millionths of a US dollar; `None` without a price.
fn value(prices: &Prices, stop: &Stop, fill: &Fill) -> Outcome<Option<i128>> {
    if prices.price(&stop.currency).is_none() {
        return Ok(None);
    }
    let usd = prices.usd_of(fill.sold, stop.scale, &stop.currency);
    Ok(Some(usd.ok_or_else(too_large)?))
}

/// Refuses a basket with a currency without a price: its rate is per US dollar.
fn check_values(parameters: &QuoteParameters, values: &[Option<i128>]) -> Outcome<()> {
    if values.len() < 2 {
        return Ok(());
    }
    let checked = each_sale(parameters, |place, sale| match values[place] {
        Some(_) => Ok(()),
        None => Err(Refusal::field(
            parameters.names.sell_currency,
            Reason::RateUnavailable,
            format!(
                "has no price now, which the rate of several sold currencies needs: {}",
                sale.currency
            ),
        )),
    });
    checked.map(drop)
}

/// The rate per sold unit, or per US dollar's worth of a basket; and the value.
fn rate(
    prices: &Prices,
    (sources, goal): (&[Stop], &Stop),
    (fills, values): (&[Fill], &[Option<i128>]),
) -> Outcome<QuoteRate> {
    let bought = sum(fills.iter().map(Fill::bought))?;
    // Unknown without a price.
    let known: Option<Vec<i128>> = values.iter().copied().collect();
    let usd = known.map(|values| sum(values.into_iter())).transpose()?;
    let mut cad_rates = Object::new();
    for stop in sources {
        if let Some(rate) = cad_rate(prices, &stop.currency) {
            cad_rates.insert(stop.currency.to_string(), wire(rate)?);
        }
    }
    let (given, given_scale) = match (fills, sources) {
        ([fill], [stop]) => (fill.sold, stop.scale),
        // Less than a millionth of a dollar counts as one.
        _ => (usd.ok_or_else(too_large)?.max(1), prices::USD_SCALE),
    };
    let effective = if given_scale + RATE_SCALE >= goal.scale {
        let by = 10_i128.checked_pow(given_scale + RATE_SCALE - goal.scale);
        by.and_then(|by| multiply_divide(bought, by, given, Rounding::Down))
    } else {
        let by = 10_i128.checked_pow(goal.scale - given_scale - RATE_SCALE);
        by.and_then(|by| multiply_divide(bought, 1, given.checked_mul(by)?, Rounding::Down))
    };
    let cad = cad().and_then(|cad| prices.price(&cad));
    // Cents, from millionths of a dollar and a price.
    let finer = 10_i128.pow(PRICE_SCALE - prices::USD_SCALE);
    let in_cad = usd
        .zip(cad)
        .and_then(|(usd, cad)| divide_wide([usd, 100, finer], [cad.units()], Rounding::HalfEven));
    Ok(QuoteRate {
        buy_currency_cad_rate: cad_rate(prices, &goal.currency),
        cad_value: in_cad.and_then(|cents| Number::from_units(cents, 2).ok()),
        effective_rate: number(effective.ok_or_else(too_large)?, RATE_SCALE)?,
        usd_value: usd.and_then(prices::usd_shown).map(Number::from),
        sell_currency_cad_rates: Some(cad_rates),
    })
}

fn cad() -> Option<Currency> {
    "CAD".parse().ok()
}

/// Canadian dollars per whole unit, at the mean price.
fn cad_rate(prices: &Prices, currency: &Currency) -> Option<Number> {
    let by = 10_i128.pow(CAD_RATE_SCALE);
    let (price, cad) = (prices.price(currency)?, prices.price(&cad()?)?);
    let rate = multiply_divide(price.units(), by, cad.units(), Rounding::HalfEven)?;
    Number::from_units(rate, CAD_RATE_SCALE).ok()
}

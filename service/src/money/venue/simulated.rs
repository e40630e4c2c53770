//! The simulated venues: instruments, prices, sizes, delays and fees.
//!
//! A price is an integer function of the time alone: the same time gives the same price everywhere. Only venue prices vary;
//! values shown elsewhere use the mean price, from `prices`.

use settlekit_core::trade::Instrument;
use settlekit_core::value::{Currency, InstrumentId, Number, Timestamp, VenueId};

use super::{Exact, Fill, NoFill, Side, VenueOfFill};
use crate::money::prices::SimulatedPrices;
use crate::money::rounding::{Rounding, multiply_divide};

const MILLION: i128 = 1_000_000;

/// Decimal places of displayed sizes and prices.
const SHOWN_SCALE: u32 = 8;

/// A venue. Fractions are in millionths.
#[derive(Debug)]
struct Venue {
    id: i64,
    name: &'static str,
    /// The spread between its buying and selling price.
    spread: i128,
    /// Its fee, a fraction of the bought amount.
    cost: i128,
    /// Smallest and largest trade, in US dollars.
    sizes: (i128, i128),
    delay_ms: u64,
    /// Its quote currency; `None` if it trades all pairs.
    prices_in: Option<&'static str>,
}

impl Venue {
    const fn fill(&self, sold: i128, gross: i128, fee: i128) -> Fill {
        let venue = VenueOfFill {
            id: self.id,
            delay_ms: self.delay_ms,
        };
        Fill {
            venue,
            sold,
            gross,
            fee,
            execution: None,
            swap: None,
            offers: Vec::new(),
        }
    }
}

const VENUES: &[Venue] = &[
    Venue {
        id: 1,
        name: "Harbour Exchange",
        spread: 1_000,
        cost: 500,
        sizes: (1, 250_000),
        delay_ms: 2_000,
        prices_in: Some("USDC"),
    },
    Venue {
        id: 2,
        name: "Northlight Desk",
        spread: 3_000,
        cost: 1_000,
        sizes: (10, 5_000_000),
        delay_ms: 30_000,
        prices_in: None,
    },
];

/// The traded currencies, and the amplitude of their price around the mean in millionths.
const TRADED: &[(&str, i128)] = &[
    ("ETH", 2_000),
    ("BNB", 2_000),
    ("POL", 3_000),
    ("EURC", 400),
    ("USDT", 50),
    ("USDC", 0),
];

/// The period of the price, in seconds.
const PRICE_PERIOD_SECONDS: i64 = 600;

fn place(currency: &Currency) -> Option<usize> {
    TRADED
        .iter()
        .position(|(symbol, _)| *symbol == currency.as_str())
}

/// The simulated venues, with the prices that theirs vary around.
#[derive(Debug, Clone)]
pub(crate) struct SimulatedVenues(SimulatedPrices);

impl SimulatedVenues {
    pub(super) const fn new(prices: SimulatedPrices) -> Self {
        Self(prices)
    }

    pub(super) fn is_traded(&self, currency: &Currency) -> bool {
        place(currency).is_some()
    }

    pub(super) fn is_pair(&self, one: &Currency, other: &Currency) -> bool {
        VENUES.iter().any(|venue| base(venue, one, other).is_some())
    }

    /// The best fill of all venues. Rounding favours the venue: the bought amount is rounded down, the sold amount and the fee
    /// up.
    pub(super) fn best(
        &self,
        sold: Side<'_>,
        bought: Side<'_>,
        exact: Exact,
        now: Timestamp,
    ) -> Result<Fill, NoFill> {
        let mut fills = Vec::new();
        let mut traded = false;
        for venue in VENUES {
            let Some(base) = base(venue, sold.currency, bought.currency) else {
                continue;
            };
            traded = true;
            let fill = fill(&self.0, venue, sold, bought, exact, now)
                .filter(|fill| takes(&self.0, (venue, base), sold, bought, fill));
            fills.extend(fill.map(|fill| (venue.name.to_owned(), fill)));
        }
        exact.best(fills).ok_or(if traded {
            NoFill::Size
        } else {
            NoFill::NotTraded
        })
    }

    /// All instruments of all venues at a time.
    pub(super) fn instruments(&self, now: Timestamp) -> Vec<Instrument> {
        let symbols: Vec<Currency> = TRADED
            .iter()
            .filter_map(|(symbol, _)| symbol.parse().ok())
            .collect();
        let mut instruments = Vec::new();
        for venue in VENUES {
            for one in &symbols {
                for other in &symbols {
                    if base(venue, one, other) != Some(one) {
                        continue;
                    }
                    // An instrument's number is its position in this list.
                    let number = i64::try_from(instruments.len()).unwrap_or(0) + 1;
                    instruments.extend(instrument(&self.0, venue, number, (one, other), now));
                }
            }
        }
        instruments
    }
}

/// The price of one whole unit at a time, in 10⁻¹² US dollars: the mean plus a triangle wave.
fn price_at(prices: &SimulatedPrices, currency: &Currency, now: Timestamp) -> Option<i128> {
    let place = place(currency)?;
    // Each currency's wave lags the previous one's by a minute.
    let shift = i64::try_from(place).ok()? * 60;
    let along = i128::from(
        now.seconds()
            .checked_add(shift)?
            .rem_euclid(PRICE_PERIOD_SECONDS),
    );
    let whole = i128::from(PRICE_PERIOD_SECONDS);
    let up_and_down = along.min(whole - along);
    let wave = TRADED[place].1 * (4 * up_and_down - whole) / whole;
    prices.millionths(currency)?.checked_mul(MILLION + wave)
}

/// The base currency of a pair at a venue; `None` if the venue does not trade the pair.
fn base<'a>(venue: &Venue, one: &'a Currency, other: &'a Currency) -> Option<&'a Currency> {
    let (left, right) = (place(one)?, place(other)?);
    match venue.prices_in {
        // A currency for itself is a move to another chain, only at a venue for all pairs.
        Some(_) if left == right => None,
        Some(symbol) if other.as_str() == symbol => Some(one),
        Some(symbol) if one.as_str() == symbol => Some(other),
        Some(_) => None,
        None => Some(if left <= right { one } else { other }),
    }
}

/// Smallest and largest trade of a currency, in 10⁻⁸ whole units.
fn sizes(prices: &SimulatedPrices, venue: &Venue, base: &Currency) -> Option<(i128, i128)> {
    let unit = prices.millionths(base)?;
    let in_base = |usd: i128, up: bool| {
        let dividend = usd * MILLION * 10_i128.pow(SHOWN_SCALE);
        let whole = dividend / unit;
        whole + i128::from(up && dividend % unit != 0)
    };
    Some((in_base(venue.sizes.0, true), in_base(venue.sizes.1, false)))
}

fn takes(
    prices: &SimulatedPrices,
    (venue, base): (&Venue, &Currency),
    sold: Side<'_>,
    bought: Side<'_>,
    fill: &Fill,
) -> bool {
    let (units, scale) = if base == sold.currency {
        (fill.sold, sold.scale)
    } else {
        (fill.gross, bought.scale)
    };
    sizes(prices, venue, base).is_some_and(|(smallest, largest)| {
        let size_of_base = multiply_divide(
            units,
            10_i128.pow(SHOWN_SCALE),
            10_i128.checked_pow(scale).unwrap_or(i128::MAX),
            Rounding::Up,
        );
        fill.bought() > 0 && size_of_base.is_some_and(|size| (smallest..=largest).contains(&size))
    })
}

fn fill(
    prices: &SimulatedPrices,
    venue: &'static Venue,
    sold: Side<'_>,
    bought: Side<'_>,
    exact: Exact,
    now: Timestamp,
) -> Option<Fill> {
    // One smallest unit sold buys `up / down` smallest units.
    let mut up = price_at(prices, sold.currency, now)?.checked_mul(MILLION - venue.spread / 2)?;
    let mut down = price_at(prices, bought.currency, now)?.checked_mul(MILLION)?;
    if bought.scale >= sold.scale {
        up = up.checked_mul(10_i128.checked_pow(bought.scale - sold.scale)?)?;
    } else {
        down = down.checked_mul(10_i128.checked_pow(sold.scale - bought.scale)?)?;
    }
    match exact {
        Exact::Sold(units) => {
            let gross = multiply_divide(units, up, down, Rounding::Down)?;
            let fee = multiply_divide(gross, venue.cost, MILLION, Rounding::Up)?;
            Some(venue.fill(units, gross, fee))
        }
        Exact::Bought(units) => {
            let gross = multiply_divide(units, MILLION, MILLION - venue.cost, Rounding::Up)?;
            let sold = multiply_divide(gross, down, up, Rounding::Up)?;
            Some(venue.fill(sold, gross, gross - units))
        }
    }
}

fn instrument(
    prices: &SimulatedPrices,
    venue: &Venue,
    number: i64,
    (base, quote): (&Currency, &Currency),
    now: Timestamp,
) -> Option<Instrument> {
    let shown = |units, scale| Number::from_units(units, scale).ok();
    let last_price = multiply_divide(
        price_at(prices, base, now)?,
        10_i128.pow(SHOWN_SCALE),
        price_at(prices, quote, now)?,
        Rounding::HalfEven,
    )?;
    let (smallest, largest) = sizes(prices, venue, base)?;
    Some(Instrument {
        id: InstrumentId::new(number)?,
        venue_id: VenueId::new(venue.id)?,
        venue_name: venue.name.to_owned(),
        base: base.clone(),
        base_chain: None,
        quote: quote.clone(),
        quote_chain: None,
        last_price: shown(last_price, SHOWN_SCALE)?,
        min_size: shown(smallest, SHOWN_SCALE)?,
        max_size: shown(largest, SHOWN_SCALE)?,
        base_liquidity: None,
        quote_liquidity: None,
        // One millionth is 0.01 basis points.
        spread_bps: shown(venue.spread, 2)?,
        estimated_cost_bps: shown(venue.cost, 2)?,
        estimated_delay_ms: shown(i128::from(venue.delay_ms), 0)?,
    })
}

/// The names of the venues.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    VENUES.iter().map(|venue| venue.name)
}

#[cfg(test)]
mod tests {
    use settlekit_core::value::ChainId;

    use super::*;
    use crate::mode::Mode;

    fn currency(symbol: &str) -> Currency {
        symbol.parse().expect("a symbol")
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    fn venues() -> SimulatedVenues {
        let simulation = Mode::Sandbox.simulation().expect("a simulation");
        SimulatedVenues::new(SimulatedPrices::fixed(simulation))
    }

    /// The best fill of a trade, of currencies with their decimal places, when the price of ETH is its mean.
    fn fill(sold: (&str, u32), bought: (&str, u32), exact: Exact) -> Result<Fill, NoFill> {
        let chain = ChainId::new(1).expect("a chain");
        let [sold_currency, bought_currency] = [sold.0, bought.0].map(currency);
        let sold = Side {
            currency: &sold_currency,
            chain,
            scale: sold.1,
        };
        let bought = Side {
            currency: &bought_currency,
            chain,
            scale: bought.1,
        };
        venues().best(sold, bought, exact, at(150))
    }

    #[test]
    fn every_venue_is_named() {
        let names: Vec<&str> = names().collect();
        assert_eq!(names, ["Harbour Exchange", "Northlight Desk"]);
    }

    #[test]
    fn a_currency_is_traded_if_it_has_a_price_at_a_venue() {
        for (symbol, expected) in [
            ("ETH", true),
            ("USDC", true),
            ("EUR", false),
            ("XYZ", false),
        ] {
            let symbol = currency(symbol);
            assert_eq!(venues().is_traded(&symbol), expected, "{symbol}");
            let pair = venues().is_pair(&symbol, &currency("USDT"));
            assert_eq!(pair, expected, "{symbol}");
        }
    }

    #[test]
    fn a_price_swings_around_its_mean_within_ten_minutes() {
        // ETH by two thousandths; EURC by four ten-thousandths, three minutes later.
        for (symbol, seconds, expected) in [
            ("ETH", 0, 3_200_000_000 * 998_000),
            ("ETH", 75, 3_200_000_000 * 999_000),
            ("ETH", 150, 3_200_000_000 * 1_000_000),
            ("ETH", 300, 3_200_000_000 * 1_002_000),
            ("ETH", 450, 3_200_000_000 * 1_000_000),
            ("ETH", 600, 3_200_000_000 * 998_000),
            ("EURC", 0, 1_080_000 * 1_000_080),
            ("EURC", 120, 1_080_000 * 1_000_400),
            ("EURC", 420, 1_080_000 * 999_600),
            ("USDC", 77, 1_000_000 * 1_000_000),
        ] {
            let price = price_at(&venues().0, &currency(symbol), at(seconds));
            assert_eq!(price, Some(expected), "{symbol} after {seconds} s");
        }
        assert_eq!(price_at(&venues().0, &currency("EUR"), at(0)), None);
    }

    #[test]
    fn a_venue_with_a_quote_currency_trades_only_pairs_with_it() {
        let [harbour, northlight] = VENUES else {
            panic!("two venues");
        };
        for (one, other, at_harbour, at_northlight) in [
            ("ETH", "USDC", Some("ETH"), Some("ETH")),
            ("USDC", "ETH", Some("ETH"), Some("ETH")),
            ("ETH", "BNB", None, Some("ETH")),
            ("BNB", "ETH", None, Some("ETH")),
            ("USDC", "USDC", None, Some("USDC")),
            ("EUR", "USDC", None, None),
            ("USDC", "EUR", None, None),
        ] {
            let (one, other) = (currency(one), currency(other));
            for (venue, expected) in [(harbour, at_harbour), (northlight, at_northlight)] {
                let base = base(venue, &one, &other).map(Currency::as_str);
                assert_eq!(base, expected, "{one} {other} at {}", venue.name);
            }
        }
    }

    #[test]
    fn the_smallest_size_is_rounded_up_and_the_largest_down() {
        let size = |symbol| sizes(&venues().0, &VENUES[0], &currency(symbol));
        // A dollar, and a quarter of a million.
        assert_eq!(size("USDC"), Some((100_000_000, 25_000_000_000_000)));
        assert_eq!(size("ETH"), Some((31_250, 7_812_500_000)));
        assert_eq!(size("EURC"), Some((92_592_593, 23_148_148_148_148)));
        assert_eq!(size("XYZ"), None);
    }

    #[test]
    fn the_venue_with_the_better_price_fills_a_trade() {
        // 1,000 dollars less half the spread of 0.1 %, at 3,200 dollars, and a fee of 0.05 %.
        let sold = fill(("USDC", 6), ("ETH", 18), Exact::Sold(1_000_000_000)).expect("a fill");
        assert_eq!(sold.venue.id, 1);
        assert_eq!(sold.gross, 312_343_750_000_000_000);
        assert_eq!(sold.fee, 156_171_875_000_000);
        assert_eq!(sold.bought(), sold.gross - sold.fee);
        // One ETH after the fee, rounded up.
        let bought = fill(
            ("USDC", 6),
            ("ETH", 18),
            Exact::Bought(1_000_000_000_000_000_000),
        );
        let bought = bought.expect("a fill");
        assert_eq!(bought.venue.id, 1);
        assert_eq!(bought.gross, 1_000_500_250_125_062_532);
        assert_eq!(bought.bought(), 1_000_000_000_000_000_000);
        assert_eq!(bought.sold, 3_203_202_402);
        // Too much for the first venue.
        let large = fill(("USDC", 6), ("ETH", 18), Exact::Sold(1_000_000_000_000)).expect("a fill");
        assert_eq!(large.venue.id, 2);
    }

    #[test]
    fn of_equal_fills_the_first_venue_has_the_trade() {
        let usdc = ("USDC", 6);
        // Both venues give 0.9 ETH for the first, and take one ETH for the second.
        for (sold, bought, exact) in [
            (usdc, ("ETH", 1), Exact::Sold(3_300_000_000)),
            (("ETH", 0), usdc, Exact::Bought(100_000_000)),
        ] {
            let found = fill(sold, bought, exact).expect("a fill");
            assert_eq!(found.venue.id, 1, "{exact:?}");
        }
    }

    #[test]
    fn a_trade_whose_fee_is_all_that_was_bought_is_not_made() {
        let found = fill(("USDC", 6), ("ETH", 0), Exact::Sold(3_300_000_000));
        assert_eq!(
            found.expect_err("one ETH, of which the fee is one"),
            NoFill::Size
        );
        let found = fill(("EUR", 6), ("ETH", 0), Exact::Sold(3_300_000_000));
        assert_eq!(found.expect_err("it is not traded"), NoFill::NotTraded);
    }
}

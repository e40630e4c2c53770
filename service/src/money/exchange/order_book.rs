//! An order book, and the amounts of a trade in it.
//!
//! The price of a trade is that of the worst offer that its size reaches. The exchange executes an order at its limit or better, so an
//! order with that price as its limit never brings less than was quoted.

use settlekit_core::value::Amount;

use super::Side;
use crate::money::rounding::{Rounding, divide_wide};
use crate::store::exchange_market::{Level, MarketTerms, OrderBook};

/// The whole, in millionths.
pub(crate) const MILLION: u32 = 1_000_000;

/// The decimal places of a market's currencies on their chains.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scales {
    pub(crate) first: u32,
    pub(crate) second: u32,
}

/// The exact side of a trade, in its smallest unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exact {
    Sold(i128),
    Bought(i128),
}

/// A trade with the operator, in smallest units, and the order that covers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trade {
    pub(crate) sold: i128,
    pub(crate) bought: i128,
    /// The value of the sold amount at the price, before fee and margin.
    pub(crate) gross: i128,
    pub(crate) side: Side,
    /// The volume of the order.
    pub(crate) volume: Amount,
    /// At this price the order brings the quoted amount, after the exchange's fee.
    pub(crate) limit: Amount,
}

/// A decimal number: `units / 10^scale`.
#[derive(Debug, Clone, Copy)]
struct Decimal {
    units: i128,
    scale: u32,
}

impl Decimal {
    fn of(amount: Amount) -> Option<Self> {
        let scale = amount.scale();
        let units = amount.to_units(scale).ok()?;
        Some(Self { units, scale })
    }

    fn amount(self) -> Option<Amount> {
        Amount::from_units(self.units, self.scale).ok()
    }
}

/// 10 to a power, as factor and divisor.
fn ten_to(exponent: i64) -> Option<(i128, i128)> {
    let power = 10_i128.checked_pow(u32::try_from(exponent.unsigned_abs()).ok()?)?;
    Some(match exponent < 0 {
        true => (1, power),
        false => (power, 1),
    })
}

/// The product of factors and a power of 10, divided by divisors.
fn scaled(
    factors: [i128; 3],
    divisors: [i128; 3],
    exponent: i64,
    rounding: Rounding,
) -> Option<i128> {
    let (up, down) = ten_to(exponent)?;
    let ([a, b, c], [d, e, f]) = (factors, divisors);
    divide_wide([a, b, c, up], [d, e, f, down], rounding)
}

/// A market with the decimal places of its volumes.
struct Market<'a> {
    terms: &'a MarketTerms,
    scales: Scales,
    lot: Decimal,
    tick: Decimal,
}

impl<'a> Market<'a> {
    fn new(terms: &'a MarketTerms, scales: Scales) -> Option<Self> {
        let (lot, tick) = (Decimal::of(terms.lot)?, Decimal::of(terms.tick)?);
        let has_margin = terms.fee.checked_add(terms.margin)? < MILLION;
        (lot.units > 0 && tick.units > 0 && has_margin).then_some(Self {
            terms,
            scales,
            lot,
            tick,
        })
    }

    /// The rest after the exchange's fee, in millionths.
    fn after_fee(&self) -> i128 {
        i128::from(MILLION - self.terms.fee)
    }

    /// The rest after the operator's margin, in millionths.
    fn after_margin(&self) -> i128 {
        i128::from(MILLION - self.terms.margin)
    }

    /// The rest after both, in millionths.
    fn after_both(&self) -> i128 {
        i128::from(MILLION - self.terms.fee - self.terms.margin)
    }

    /// The whole and the exchange's fee, in millionths.
    fn with_fee(&self) -> i128 {
        i128::from(MILLION) + i128::from(self.terms.fee)
    }

    /// Exponent of 10 from volume times price to the smallest unit of the second currency.
    fn to_second(&self, price: Decimal) -> i64 {
        i64::from(self.scales.second) - i64::from(self.lot.scale) - i64::from(price.scale)
    }

    /// A volume in whole lots.
    fn in_lots(&self, volume: i128, rounding: Rounding) -> Option<i128> {
        let lots = divide_wide([volume], [self.lot.units], rounding)?;
        lots.checked_mul(self.lot.units)
    }

    /// The volume of an amount of the first currency.
    fn volume_of(&self, units: i128, rounding: Rounding) -> Option<i128> {
        let exponent = i64::from(self.lot.scale) - i64::from(self.scales.first);
        let volume = scaled([units, 1, 1], [1, 1, 1], exponent, rounding)?;
        self.in_lots(volume, rounding)
    }

    /// The amount of the first currency of a volume.
    fn units_of(&self, volume: i128, rounding: Rounding) -> Option<i128> {
        let exponent = i64::from(self.scales.first) - i64::from(self.lot.scale);
        scaled([volume, 1, 1], [1, 1, 1], exponent, rounding)
    }

    /// A price in whole ticks.
    fn in_ticks(&self, price: i128, rounding: Rounding) -> Option<Decimal> {
        let ticks = divide_wide([price], [self.tick.units], rounding)?;
        Some(Decimal {
            units: ticks.checked_mul(self.tick.units)?,
            scale: self.tick.scale,
        })
    }

    /// The offers, each with its price and the volume up to it.
    fn reached(&self, levels: &[Level]) -> Option<Vec<(Decimal, i128)>> {
        let mut sum = 0_i128;
        let mut reached = Vec::with_capacity(levels.len());
        for level in levels {
            let (price, volume) = (Decimal::of(level.price)?, Decimal::of(level.volume)?);
            let exponent = i64::from(self.lot.scale) - i64::from(volume.scale);
            let volume = scaled([volume.units, 1, 1], [1, 1, 1], exponent, Rounding::Down)?;
            sum = sum.checked_add(volume)?;
            reached.push((price, sum));
        }
        Some(reached)
    }

    /// Whether the exchange takes an order of this size.
    fn takes(&self, volume: i128, price: Decimal) -> bool {
        let shown = Decimal {
            units: volume,
            scale: self.lot.scale,
        };
        let is_large_enough = || {
            let cost = divide_wide([volume, price.units], [1], Rounding::Down)?;
            let cost = Decimal {
                units: cost,
                scale: self.lot.scale.checked_add(price.scale)?,
            };
            let (cost_min, volume) = (Decimal::of(self.terms.cost_min)?, shown.amount()?);
            let exponent = i64::from(cost.scale) - i64::from(cost_min.scale);
            let least = scaled([cost_min.units, 1, 1], [1, 1, 1], exponent, Rounding::Up)?;
            Some(volume >= self.terms.volume_min && cost.units >= least)
        };
        volume > 0 && is_large_enough().unwrap_or(false)
    }

    fn trade(
        &self,
        (sold, bought, gross): (i128, i128, i128),
        side: Side,
        (volume, price): (i128, Decimal),
    ) -> Option<Trade> {
        if sold <= 0 || bought <= 0 || gross < bought || !self.takes(volume, price) {
            return None;
        }
        let (fee, money, rounding) = match side {
            Side::Sell => (self.after_fee(), bought, Rounding::Up),
            Side::Buy => (self.with_fee(), sold, Rounding::Down),
        };
        let exponent =
            i64::from(self.lot.scale) + i64::from(self.tick.scale) - i64::from(self.scales.second);
        let million = i128::from(MILLION);
        let limit = scaled([money, million, 1], [volume, fee, 1], exponent, rounding)?;
        let limit = self.in_ticks(limit, rounding)?;
        // The reported cost is compared with this one in thousandths.
        volume.checked_mul(limit.units)?.checked_mul(1_000)?;
        let volume = Decimal {
            units: volume,
            scale: self.lot.scale,
        };
        Some(Trade {
            sold,
            bought,
            gross,
            side,
            volume: volume.amount()?,
            limit: limit.amount()?,
        })
    }
}

impl OrderBook {
    /// A sale of the market's first currency. `None` for a size that the book or the exchange does not take.
    pub(crate) fn sell(&self, terms: &MarketTerms, scales: Scales, exact: Exact) -> Option<Trade> {
        let market = Market::new(terms, scales)?;
        let reached = market.reached(&self.bids)?;
        let million = i128::from(MILLION);
        let found = match exact {
            Exact::Sold(units) => {
                let volume = market.volume_of(units, Rounding::Down)?;
                let at = reached.iter().find(|(_, sum)| volume <= *sum);
                at.map(|(price, _)| (*price, volume))
            }
            Exact::Bought(units) => reached.iter().find_map(|(price, sum)| {
                let divisors = [market.after_both(), price.units, 1];
                let exponent = -market.to_second(*price);
                let volume = scaled([units, million, 1], divisors, exponent, Rounding::Up)?;
                let volume = market.in_lots(volume, Rounding::Up)?;
                (volume <= *sum).then_some((*price, volume))
            }),
        };
        let (price, volume) = found?;
        let exponent = market.to_second(price);
        let gross = scaled(
            [volume, price.units, 1],
            [1, 1, 1],
            exponent,
            Rounding::Down,
        )?;
        let given = scaled(
            [gross, market.after_both(), 1],
            [million, 1, 1],
            0,
            Rounding::Down,
        )?;
        let (sold, bought) = match exact {
            Exact::Sold(units) => (units, given),
            Exact::Bought(units) => (market.units_of(volume, Rounding::Up)?, units),
        };
        market.trade((sold, bought, gross), Side::Sell, (volume, price))
    }

    /// A purchase of the market's first currency. `None` for a size that the book or the exchange does not take.
    pub(crate) fn buy(&self, terms: &MarketTerms, scales: Scales, exact: Exact) -> Option<Trade> {
        let market = Market::new(terms, scales)?;
        let reached = market.reached(&self.asks)?;
        let (price, volume) = match exact {
            Exact::Sold(units) => market.affordable(&reached, units)?,
            Exact::Bought(units) => {
                let volume = market.volume_of(units, Rounding::Up)?;
                let at = reached.iter().find(|(_, sum)| volume <= *sum);
                at.map(|(price, _)| (*price, volume))?
            }
        };
        let (sold, bought) = match exact {
            Exact::Sold(units) => (units, market.units_of(volume, Rounding::Down)?),
            Exact::Bought(units) => {
                let factors = [volume, price.units, market.with_fee()];
                let divisors = [market.after_margin(), 1, 1];
                let exponent = market.to_second(price);
                (scaled(factors, divisors, exponent, Rounding::Up)?, units)
            }
        };
        let exponent = i64::from(scales.first) + i64::from(price.scale) - i64::from(scales.second);
        let gross = scaled([sold, 1, 1], [price.units, 1, 1], exponent, Rounding::Down)?;
        market.trade((sold, bought, gross), Side::Buy, (volume, price))
    }
}

impl Market<'_> {
    /// The largest volume that an amount of the second currency pays for, with the worst price that it reaches.
    fn affordable(&self, reached: &[(Decimal, i128)], units: i128) -> Option<(Decimal, i128)> {
        let mut before: Option<(Decimal, i128)> = None;
        for (price, sum) in reached {
            let factors = [units, self.after_margin(), 1];
            let divisors = [price.units, self.with_fee(), 1];
            let exponent = -self.to_second(*price);
            let volume = scaled(factors, divisors, exponent, Rounding::Down)?;
            let volume = self.in_lots(volume, Rounding::Down)?;
            if volume <= *sum {
                // At this price less may be affordable than all that is offered at better ones.
                return match before {
                    Some((better, all)) if volume < all => {
                        Some((better, self.in_lots(all, Rounding::Down)?))
                    }
                    _ => Some((*price, volume)),
                };
            }
            before = Some((*price, *sum));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().expect("an amount")
    }

    fn terms() -> MarketTerms {
        MarketTerms {
            margin: 5_000,
            fee: 4_000,
            tick: amount("0.01"),
            lot: amount("0.00000001"),
            volume_min: amount("0.002"),
            cost_min: amount("0.5"),
        }
    }

    const SCALES: Scales = Scales {
        first: 18,
        second: 6,
    };

    const ETH: i128 = 1_000_000_000_000_000_000;
    const USDC: i128 = 1_000_000;

    fn levels(levels: &[(&str, &str)]) -> Vec<Level> {
        let levels = levels.iter().map(|(price, volume)| Level {
            price: amount(price),
            volume: amount(volume),
        });
        levels.collect()
    }

    fn book() -> OrderBook {
        OrderBook {
            bids: levels(&[("2000", "5"), ("1990", "50")]),
            asks: levels(&[("2001", "5"), ("2010", "50")]),
        }
    }

    #[test]
    fn a_trade_has_the_price_of_the_worst_offer_that_it_reaches() {
        let (book, terms) = (book(), terms());
        for (sold, bought, limit) in [
            (ETH, 1_982 * USDC, "1989.96"),
            (5 * ETH, 9_910 * USDC, "1989.96"),
            (6 * ETH, 11_832_540_000, "1980.02"),
        ] {
            let trade = book
                .sell(&terms, SCALES, Exact::Sold(sold))
                .expect("a trade");
            assert_eq!(
                (trade.bought, trade.limit),
                (bought, amount(limit)),
                "{sold}"
            );
            let same = book.sell(&terms, SCALES, Exact::Bought(bought));
            assert_eq!(same.expect("a trade").sold, sold, "{bought}");
        }
    }

    #[test]
    fn what_neither_book_nor_exchange_takes_is_no_trade() {
        let (book, terms) = (book(), terms());
        let empty = OrderBook {
            bids: Vec::new(),
            asks: Vec::new(),
        };
        for (book, exact) in [
            (&book, Exact::Sold(56 * ETH)),
            (&book, Exact::Sold(ETH / 1_000)),
            (&book, Exact::Sold(0)),
            (&book, Exact::Sold(-ETH)),
            (&book, Exact::Sold(i128::MAX)),
            (&book, Exact::Bought(0)),
            (&book, Exact::Bought(i128::MAX)),
            (&empty, Exact::Sold(ETH)),
            (&empty, Exact::Bought(USDC)),
        ] {
            assert_eq!(book.sell(&terms, SCALES, exact), None, "{exact:?}");
        }
        for exact in [
            Exact::Sold(120_000 * USDC),
            Exact::Sold(USDC),
            Exact::Sold(0),
            Exact::Bought(56 * ETH),
            Exact::Bought(ETH / 1_000),
        ] {
            assert_eq!(book.buy(&terms, SCALES, exact), None, "{exact:?}");
        }
        let greedy = MarketTerms {
            margin: MILLION,
            ..terms
        };
        assert_eq!(book.sell(&greedy, SCALES, Exact::Sold(ETH)), None);
    }

    /// A number as a ratio of whole numbers.
    fn ratio(amount: Amount) -> (i128, i128) {
        let scale = amount.scale();
        (amount.to_units(scale).expect("units"), 10_i128.pow(scale))
    }

    /// The amount of the other currency for an order executed at its limit, after the fee, in the second currency's smallest unit times a million.
    fn at_limit(trade: &Trade, fee: i128) -> i128 {
        let ((volume, lots), (limit, ticks)) = (ratio(trade.volume), ratio(trade.limit));
        let rounding = match trade.side {
            Side::Sell => Rounding::Down,
            Side::Buy => Rounding::Up,
        };
        let factors = [volume, limit, fee, USDC];
        divide_wide(factors, [lots, ticks], rounding).expect("an amount")
    }

    proptest! {
        #[test]
        fn an_order_executed_at_its_limit_never_costs_the_operator(
            sold in 1_i128..60_000_000_000,
            is_exact_bought: bool,
            margin in 0_u32..20_000,
            fee in 0_u32..10_000,
            gap in 1_i64..1_000,
        ) {
            let ask = Amount::from_units(i128::from(200_000 + gap), 2).expect("a price");
            let book = OrderBook {
                bids: levels(&[("2000", "3"), ("1990.5", "4.123"), ("1900", "20")]),
                asks: vec![
                    Level { price: ask, volume: amount("3") },
                    Level { price: amount("2010.01"), volume: amount("4.123") },
                    Level { price: amount("2100"), volume: amount("20") },
                ],
            };
            let terms = MarketTerms { margin, fee, ..terms() };
            let million = i128::from(MILLION);
            // A part of a wei in each amount.
            let coins = sold * 500_000_003;
            let wanted = match is_exact_bought {
                true => Exact::Bought(sold),
                false => Exact::Sold(coins),
            };
            if let Some(trade) = book.sell(&terms, SCALES, wanted) {
                let brought = at_limit(&trade, million - i128::from(fee));
                prop_assert!(brought >= trade.bought * million, "{trade:?}");
                prop_assert!(trade.limit <= amount("2000"));
                let (volume, lots) = ratio(trade.volume);
                prop_assert!(trade.sold * lots >= (volume - 1) * ETH, "{trade:?}");
            }
            let wanted = match is_exact_bought {
                true => Exact::Bought(coins),
                false => Exact::Sold(sold),
            };
            if let Some(trade) = book.buy(&terms, SCALES, wanted) {
                let taken = at_limit(&trade, million + i128::from(fee));
                prop_assert!(taken <= trade.sold * million, "{trade:?}");
                prop_assert!(trade.limit >= ask);
                let (volume, lots) = ratio(trade.volume);
                prop_assert!(trade.bought * lots <= volume * ETH, "{trade:?}");
            }
        }
    }
}

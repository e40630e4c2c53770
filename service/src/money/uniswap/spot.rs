//! The price of a pool before a swap, exact.

use alloy_primitives::{U256, Uint};

/// A million, the unit of fees, price impact and slippage.
pub(crate) const MILLION: u32 = 1_000_000;

/// Wide enough for two hops: twice a squared price of 320 bits, an amount of 127, and fees.
type Wide = Uint<1_024, 16>;

/// `TickMath.MIN_SQRT_RATIO`.
const SQRT_PRICE_MIN: U256 = U256::from_limbs([4_295_128_739, 0, 0, 0]);

/// `TickMath.MAX_SQRT_RATIO`, 1461446703485210103287273052203988822378723970342.
const SQRT_PRICE_MAX: U256 =
    U256::from_limbs([0x5d95_1d52_6398_8d26, 0xefd1_fc6a_5064_8849, 0xfffd_8963, 0]);

/// Whether a pool of version 3 can have this square root of a price.
pub(super) fn is_sqrt_price(sqrt_price: U256) -> bool {
    (SQRT_PRICE_MIN..SQRT_PRICE_MAX).contains(&sqrt_price)
}

/// Whether a swap without a limit of its own ran out of liquidity at the end of all prices. It has not used its whole input then.
pub(super) fn is_exhausted(sqrt_price: U256) -> bool {
    let one = U256::from(1);
    sqrt_price <= SQRT_PRICE_MIN + one || sqrt_price >= SQRT_PRICE_MAX - one
}

/// Spot price of a pool or a route, bought per sold unit before the swap, as a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    numerator: Wide,
    denominator: Wide,
}

impl Spot {
    /// The price of the first token in the second by the reserves of a pool of version 2.
    pub(super) fn of_reserves(reserves: (U256, U256)) -> Self {
        Self {
            numerator: Wide::from(reserves.1),
            denominator: Wide::from(reserves.0),
        }
    }

    /// The price of the first token in the second by `sqrtPriceX96`, of 160 bits.
    pub(super) fn of_sqrt_price(sqrt_price: U256) -> Self {
        let sqrt_price = Wide::from(sqrt_price);
        Self {
            numerator: sqrt_price * sqrt_price,
            denominator: Wide::from(1) << 192,
        }
    }

    /// The price of the second token in the first.
    pub(super) const fn inverse(self) -> Self {
        Self {
            numerator: self.denominator,
            denominator: self.numerator,
        }
    }

    /// The price after a fee on the sold amount, in millionths.
    pub(super) fn after_fee(self, fee: u32) -> Self {
        Self {
            numerator: self.numerator * Wide::from(MILLION.saturating_sub(fee)),
            denominator: self.denominator * Wide::from(MILLION),
        }
    }

    /// The price through another pool afterwards.
    pub(super) fn then(self, next: Self) -> Self {
        Self {
            numerator: self.numerator * next.numerator,
            denominator: self.denominator * next.denominator,
        }
    }

    /// The price with as many more digits before it as `up` says, and fewer as `down` says, rounded down; `None` beyond 127 bits.
    pub(super) fn shown(self, up: u32, down: u32) -> Option<i128> {
        let power = |exponent: u32| Wide::from(10).checked_pow(Wide::from(exponent));
        let numerator = self.numerator.checked_mul(power(up)?)?;
        let denominator = self.denominator.checked_mul(power(down)?)?;
        i128::try_from(numerator.checked_div(denominator)?).ok()
    }

    /// How much less than at this price a swap gives, in millionths, rounded up: never shown smaller than it is. `None` if the swap
    /// gives more.
    pub(super) fn impact(self, input: U256, output: U256) -> Option<u32> {
        let ideal = Wide::from(input) * self.numerator;
        let missing = ideal.checked_sub(Wide::from(output) * self.denominator)?;
        let impact = (missing * Wide::from(MILLION)).checked_div(ideal)?;
        let has_rest = impact * ideal != missing * Wide::from(MILLION);
        u32::try_from(impact).ok()?.checked_add(has_rest.into())
    }
}

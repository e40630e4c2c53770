//! Division of amounts, with the rounding named.

use std::cmp::Ordering;

use alloy_primitives::U256;
use settlekit_core::value::Amount;

/// The rounding of a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// Away from zero, for requested prices: rounding never makes them too small.
    Up,
    /// Toward zero, for payments out: rounding never gives more than was paid for.
    Down,
    /// To the nearest, ties to even, for display.
    HalfEven,
}

impl Rounding {
    /// Whether a quotient is rounded away from zero. `half` compares the rest of the division with half the divisor.
    fn is_away(self, has_rest: bool, half: Ordering, is_odd: bool) -> bool {
        match self {
            Self::Up => has_rest,
            Self::Down => false,
            Self::HalfEven => half == Ordering::Greater || (half == Ordering::Equal && is_odd),
        }
    }
}

/// `dividend / divisor`, rounded as named on both sides of zero; `None` if the divisor is zero or the result does not fit.
pub(super) fn divide(dividend: i128, divisor: i128, rounding: Rounding) -> Option<i128> {
    let (quotient, rest) = (
        dividend.checked_div(divisor)?,
        dividend.checked_rem(divisor)?.unsigned_abs(),
    );
    let half = rest.cmp(&(divisor.unsigned_abs() - rest));
    let sign = dividend.signum() * divisor.signum();
    match rounding.is_away(rest > 0, half, quotient % 2 != 0) {
        true => quotient.checked_add(sign),
        false => Some(quotient),
    }
}

/// `units * by / divisor` without intermediate overflow, for non-negative values; `None` if the result does not fit.
pub(crate) fn multiply_divide(
    units: i128,
    by: i128,
    divisor: i128,
    rounding: Rounding,
) -> Option<i128> {
    const HALF: u32 = 64;
    const LOW: u128 = (1 << HALF) - 1;
    let (left, right) = (u128::try_from(units).ok()?, u128::try_from(by).ok()?);
    let divisor = u128::try_from(divisor).ok()?;
    // The 256-bit product as two halves of 128 bits.
    let (left_high, left_low) = (left >> HALF, left & LOW);
    let (right_high, right_low) = (right >> HALF, right & LOW);
    let low = left_low * right_low;
    let middle = left_high * right_low + (low >> HALF);
    let other = left_low * right_high + (middle & LOW);
    let high = left_high * right_high + (middle >> HALF) + (other >> HALF);
    let low = (other << HALF) + (low & LOW);
    // The quotient has more than 128 bits, or the divisor is zero.
    if high >= divisor {
        return None;
    }
    // Bitwise long division. The divisor has at most 127 bits, so the remainder never overflows.
    let (mut rest, mut quotient) = (high, 0_u128);
    for bit in (0..128).rev() {
        rest = (rest << 1) + ((low >> bit) & 1);
        quotient <<= 1;
        if rest >= divisor {
            rest -= divisor;
            quotient |= 1;
        }
    }
    let up = rounding.is_away(rest > 0, rest.cmp(&(divisor - rest)), quotient % 2 == 1);
    i128::try_from(quotient.checked_add(u128::from(up))?).ok()
}

/// The product of factors divided by that of divisors, exact up to 256 bits in between; `None` beyond, for a negative factor, or if
/// the result does not fit.
pub(crate) fn divide_wide<const N: usize, const M: usize>(
    factors: [i128; N],
    divisors: [i128; M],
    rounding: Rounding,
) -> Option<i128> {
    let dividend = product(&factors)?;
    let divisor = product(&divisors)?;
    let (quotient, rest) = (
        dividend.checked_div(divisor)?,
        dividend.checked_rem(divisor)?,
    );
    let up = rounding.is_away(
        !rest.is_zero(),
        rest.cmp(&(divisor - rest)),
        quotient.bit(0),
    );
    i128::try_from(quotient).ok()?.checked_add(i128::from(up))
}

/// A part in percent of a whole, to two decimal places, ties to even; `None` of nothing.
pub(crate) fn percent(part: u64, whole: u64) -> Option<Amount> {
    let factors = [i128::from(part), 10_000];
    let percent = divide_wide(factors, [i128::from(whole)], Rounding::HalfEven)?;
    Amount::from_units_unshortened(percent, 2).ok()
}

fn product(factors: &[i128]) -> Option<U256> {
    factors.iter().try_fold(U256::ONE, |product, factor| {
        product.checked_mul(U256::try_from(*factor).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_division_is_rounded_as_named() {
        for (dividend, divisor, [up, down, half_even]) in [
            (6, 2, [3, 3, 3]),
            (7, 3, [3, 2, 2]),
            (8, 3, [3, 2, 3]),
            // Ties, to even and to odd quotients.
            (5, 2, [3, 2, 2]),
            (7, 2, [4, 3, 4]),
            (0, 5, [0, 0, 0]),
            (1, 5, [1, 0, 0]),
        ] {
            for (rounding, expected) in [
                (Rounding::Up, up),
                (Rounding::Down, down),
                (Rounding::HalfEven, half_even),
            ] {
                assert_eq!(
                    divide(dividend, divisor, rounding),
                    Some(expected),
                    "{dividend} / {divisor} {rounding:?}"
                );
                for by in [1, 3, 1 << 64] {
                    assert_eq!(
                        multiply_divide(dividend, by, divisor * by, rounding),
                        Some(expected),
                        "{dividend} * {by} / {divisor} {rounding:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_negative_quotient_is_rounded_as_a_positive_one_of_its_size() {
        for (dividend, divisor, [up, down, half_even]) in [
            (-6, 2, [-3, -3, -3]),
            (-7, 3, [-3, -2, -2]),
            (-8, 3, [-3, -2, -3]),
            // Ties, to even and to odd quotients.
            (-5, 2, [-3, -2, -2]),
            (-7, 2, [-4, -3, -4]),
            (-1, 5, [-1, 0, 0]),
            (7, -3, [-3, -2, -2]),
            (-7, -3, [3, 2, 2]),
            (i128::MIN, i128::MAX, [-2, -1, -1]),
        ] {
            for (rounding, expected) in [
                (Rounding::Up, up),
                (Rounding::Down, down),
                (Rounding::HalfEven, half_even),
            ] {
                assert_eq!(
                    divide(dividend, divisor, rounding),
                    Some(expected),
                    "{dividend} / {divisor} {rounding:?}"
                );
            }
        }
        assert_eq!(divide(i128::MIN, -1, Rounding::Down), None);
    }

    #[test]
    fn a_quotient_that_does_not_fit_is_none() {
        for (units, by, divisor) in [
            (1, 1, 0),
            (0, 0, 0),
            (i128::MAX, 2, 1),
            (i128::MAX, i128::MAX, 1),
            (i128::MAX, i128::MAX, i128::MAX - 1),
            (-1, 1, 1),
            (1, -1, 1),
            (1, 1, -1),
        ] {
            for rounding in [Rounding::Up, Rounding::Down, Rounding::HalfEven] {
                let quotient = multiply_divide(units, by, divisor, rounding);
                assert_eq!(quotient, None, "{units} * {by} / {divisor} {rounding:?}");
            }
        }
        assert_eq!(
            multiply_divide(i128::MAX, i128::MAX, i128::MAX, Rounding::Down),
            Some(i128::MAX)
        );
        assert_eq!(divide(1, 0, Rounding::Down), None);
    }

    #[cfg(not(target_family = "wasm"))]
    mod properties {
        use proptest::prelude::*;

        use super::*;

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(1024))]

            #[test]
            fn wide_division_rounds_as_the_narrow_one(
                units in 0..i128::MAX,
                by in 0..10_i128.pow(24),
                divisor in 1..10_i128.pow(36),
            ) {
                for rounding in [Rounding::Up, Rounding::Down, Rounding::HalfEven] {
                    prop_assert_eq!(
                        divide_wide([units, by], [divisor], rounding),
                        multiply_divide(units, by, divisor, rounding)
                    );
                }
            }

            #[test]
            fn a_rounded_quotient_is_at_most_one_from_the_exact_one(
                units in 0..10_i128.pow(28),
                price in 1..10_i128.pow(24),
                finer in 0_u32..18,
                divisor in 1..10_i128.pow(24),
                coarser in 0_u32..18,
            ) {
                let factors = [units, price, 10_i128.pow(finer)];
                let divisors = [divisor, 10_i128.pow(coarser)];
                let quotient = |rounding| divide_wide(factors, divisors, rounding);
                let Some(down) = quotient(Rounding::Down) else {
                    return Ok(());
                };
                let up = quotient(Rounding::Up).expect("one more fits");
                let near = quotient(Rounding::HalfEven).expect("it lies between");
                prop_assert!(down <= near && near <= up && up - down <= 1);
                let (exact, whole) = (product(&factors), product(&divisors));
                let (exact, whole) = (exact.expect("it fits"), whole.expect("it fits"));
                let below = U256::try_from(down).expect("not negative") * whole;
                let above = U256::try_from(up).expect("not negative") * whole;
                prop_assert!(below <= exact && exact <= above);
                prop_assert_eq!(up == down, below == exact);
            }
        }
    }

    #[test]
    fn a_part_of_nothing_has_no_percentage() {
        for (part, whole, expected) in [
            (0, 0, None),
            (1, 0, None),
            (0, 4, Some("0.00")),
            (1, 3, Some("33.33")),
            (3, 2, Some("150.00")),
        ] {
            let percent = percent(part, whole).map(|percent| percent.to_string());
            assert_eq!(percent.as_deref(), expected, "{part} of {whole}");
        }
    }
}

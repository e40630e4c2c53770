//! Division of amounts, with the rounding named.

use std::cmp::Ordering;

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
    /// Whether a quotient is rounded up. `half` compares the rest of the division with half the divisor.
    fn is_up(self, has_rest: bool, half: Ordering, is_odd: bool) -> bool {
        match self {
            Self::Up => has_rest,
            Self::Down => false,
            Self::HalfEven => half == Ordering::Greater || (half == Ordering::Equal && is_odd),
        }
    }
}

pub(super) fn divide(dividend: i128, divisor: i128, rounding: Rounding) -> Option<i128> {
    let (quotient, rest) = (
        dividend.checked_div_euclid(divisor)?,
        dividend.checked_rem_euclid(divisor)?,
    );
    let half = rest.cmp(&(divisor - rest));
    let up = rounding.is_up(rest > 0, half, quotient % 2 != 0);
    quotient.checked_add(i128::from(up))
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
    let up = rounding.is_up(rest > 0, rest.cmp(&(divisor - rest)), quotient % 2 == 1);
    i128::try_from(quotient.checked_add(u128::from(up))?).ok()
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
}

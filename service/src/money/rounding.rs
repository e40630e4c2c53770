//! Division of amounts, with the rounding named.

/// How a division that does not come out even is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// Away from nothing: a price asked for is never short by a rounding.
    Up,
    /// Towards nothing: what is given is never more than was paid for.
    Down,
    /// To the nearest, halves to the even one: what is shown.
    HalfEven,
}

pub(super) fn divide(dividend: i128, divisor: i128, rounding: Rounding) -> Option<i128> {
    let (quotient, rest) = (
        dividend.checked_div_euclid(divisor)?,
        dividend.checked_rem_euclid(divisor)?,
    );
    let up = match rounding {
        Rounding::Up => rest > 0,
        Rounding::Down => false,
        Rounding::HalfEven => match rest.checked_mul(2)?.cmp(&divisor) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => quotient % 2 != 0,
        },
    };
    quotient.checked_add(i128::from(up))
}

/// `units * by / divisor` without loss in between, for what is not less than nothing; none when it does not fit.
pub(crate) fn multiply_divide(
    units: i128,
    by: i128,
    divisor: i128,
    rounding: Rounding,
) -> Option<i128> {
    const HALF: u32 = 64;
    const LOW: u128 = (1 << HALF) - 1;
    let (left, right) = (u128::try_from(units).ok()?, u128::try_from(by).ok()?);
    let divisor = u128::try_from(divisor)
        .ok()
        .filter(|divisor| *divisor > 0)?;
    // The product in two halves of 128 bits each.
    let (left_high, left_low) = (left >> HALF, left & LOW);
    let (right_high, right_low) = (right >> HALF, right & LOW);
    let low = left_low * right_low;
    let middle = left_high * right_low + (low >> HALF);
    let other = left_low * right_high + (middle & LOW);
    let high = left_high * right_high + (middle >> HALF) + (other >> HALF);
    let low = (other << HALF) | (low & LOW);
    // Long division, one bit at a time. The divisor has at most 127 bits, so the rest never overflows.
    if high >= divisor {
        return None;
    }
    let (mut rest, mut quotient) = (high, 0_u128);
    for bit in (0..128).rev() {
        rest = (rest << 1) | ((low >> bit) & 1);
        quotient <<= 1;
        if rest >= divisor {
            rest -= divisor;
            quotient |= 1;
        }
    }
    let up = match rounding {
        Rounding::Up => rest > 0,
        Rounding::Down => false,
        Rounding::HalfEven => match (rest * 2).cmp(&divisor) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => quotient % 2 == 1,
        },
    };
    i128::try_from(quotient.checked_add(u128::from(up))?).ok()
}

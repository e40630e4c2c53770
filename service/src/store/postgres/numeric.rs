//! Integers in PostgreSQL's binary NUMERIC.
//!
//! The format: count of base-10000 digits, weight of the first digit (how many follow before the point), sign, count of decimals
//! shown, then the digits; each a 16-bit big-endian integer. Source: `src/backend/utils/adt/numeric.c`, `numeric_send` and
//! `numeric_recv`.

const BASE: u128 = 10_000;
const POSITIVE: u16 = 0x0000;
const NEGATIVE: u16 = 0x4000;

/// Why a NUMERIC is not an integer of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumericError {
    /// Cut short, or not in this format.
    Malformed,
    /// It has digits after the point.
    Fraction,
    /// NaN or an infinity.
    NotANumber,
    /// More than 128 bits.
    TooLarge,
}

impl std::fmt::Display for NumericError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Malformed => "a malformed NUMERIC",
            Self::Fraction => "a NUMERIC with a fraction",
            Self::NotANumber => "a NUMERIC that is no number",
            Self::TooLarge => "a NUMERIC past 128 bits",
        })
    }
}

impl std::error::Error for NumericError {}

pub(super) fn write(value: i128, out: &mut bytes::BytesMut) {
    let mut digits = Vec::with_capacity(10);
    let mut rest = value.unsigned_abs();
    while rest > 0 {
        digits.push((rest % BASE) as u16);
        rest /= BASE;
    }
    let weight = digits.len().saturating_sub(1) as u16;
    let sign = if value < 0 { NEGATIVE } else { POSITIVE };
    for word in [digits.len() as u16, weight, sign, 0] {
        out.extend_from_slice(&word.to_be_bytes());
    }
    for digit in digits.iter().rev() {
        out.extend_from_slice(&digit.to_be_bytes());
    }
}

pub(super) fn read(raw: &[u8]) -> Result<i128, NumericError> {
    let words: Vec<u16> = raw
        .chunks_exact(2)
        .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
        .collect();
    let [count, weight, sign, _scale, digits @ ..] = words.as_slice() else {
        return Err(NumericError::Malformed);
    };
    if !raw.len().is_multiple_of(2)
        || digits.len() != usize::from(*count)
        || digits.iter().any(|digit| u128::from(*digit) >= BASE)
    {
        return Err(NumericError::Malformed);
    }
    if *sign != POSITIVE && *sign != NEGATIVE {
        return Err(NumericError::NotANumber);
    }
    // The wire format omits trailing zeros; with a negative weight every digit is after the point.
    let whole = usize::try_from(i32::from(*weight as i16) + 1).unwrap_or(0);
    if digits.iter().skip(whole).any(|digit| *digit != 0) {
        return Err(NumericError::Fraction);
    }
    let mut value: u128 = 0;
    if digits.iter().any(|digit| *digit != 0) {
        for place in 0..whole {
            let digit = u128::from(digits.get(place).copied().unwrap_or(0));
            value = value
                .checked_mul(BASE)
                .and_then(|value| value.checked_add(digit))
                .ok_or(NumericError::TooLarge)?;
        }
    }
    let value = i128::try_from(value).map_err(|_| NumericError::TooLarge)?;
    Ok(if *sign == NEGATIVE { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[u16]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    #[test]
    fn a_whole_number_comes_back_as_it_went() {
        for value in [
            0,
            1,
            -1,
            9_999,
            10_000,
            100_000_000,
            -12_345_678_901_234,
            10i128.pow(38) - 1,
            1 - 10i128.pow(38),
        ] {
            let mut out = bytes::BytesMut::new();
            write(value, &mut out);
            assert_eq!(read(&out), Ok(value));
        }
    }

    #[test]
    fn zeros_left_out_on_the_wire_count() {
        assert_eq!(read(&words(&[1, 2, 0, 0, 5])), Ok(500_000_000));
        assert_eq!(read(&words(&[0, 0, 0, 0])), Ok(0));
        assert_eq!(read(&words(&[1, 0, 0x4000, 2, 7])), Ok(-7));
    }

    #[test]
    fn what_is_no_whole_number_of_128_bits_is_refused() {
        assert_eq!(
            read(&words(&[2, 0, 0, 1, 1, 5000])),
            Err(NumericError::Fraction)
        );
        assert_eq!(
            read(&words(&[1, 0xFFFF, 0, 1, 5000])),
            Err(NumericError::Fraction)
        );
        assert_eq!(
            read(&words(&[0, 0, 0xC000, 0])),
            Err(NumericError::NotANumber)
        );
        assert_eq!(
            read(&words(&[1, 9, 0, 0, 9999])),
            Err(NumericError::TooLarge)
        );
        assert_eq!(
            read(&words(&[1, 0x7FFF, 0, 0, 9999])),
            Err(NumericError::TooLarge)
        );
        assert_eq!(read(&words(&[2, 0, 0, 0, 1])), Err(NumericError::Malformed));
        assert_eq!(
            read(&words(&[1, 0, 0, 0, 10_000])),
            Err(NumericError::Malformed)
        );
        assert_eq!(read(&[0, 1, 0]), Err(NumericError::Malformed));
    }
}

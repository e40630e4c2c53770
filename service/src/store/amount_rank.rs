//! Amounts as texts that sort as the amounts do.
//!
//! SQLite has no exact decimals, so it could not keep amounts in the order of their values otherwise.

use settlekit_core::value::Amount;

/// Two digits with the number of whole digits, the whole digits, and the decimals without trailing zeros. A negative amount is
/// below every other, and equal to every negative one: stored amounts are not negative.
pub(super) fn amount_rank(amount: Amount) -> String {
    if amount.is_negative() {
        return String::new();
    }
    let text = amount.to_string();
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.trim_start_matches('0');
    let decimals = decimals.trim_end_matches('0');
    format!("{:02}{whole}{decimals}", whole.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(text: &str) -> String {
        amount_rank(text.parse().expect("an amount"))
    }

    #[test]
    fn ranks_sort_as_their_amounts() {
        let ascending = [
            "-3",
            "0",
            "0.000000000000000001",
            "0.05",
            "0.5",
            "1",
            "1.05",
            "1.5",
            "2",
            "9.99",
            "9.999",
            "10",
            "10.01",
            "99",
            "100",
            "79228162514264337593543950335",
        ];
        let ranks = ascending.map(rank);
        assert!(ranks.is_sorted_by(|one, other| one < other), "{ranks:?}");
    }

    #[test]
    fn trailing_zeros_do_not_count() {
        for (one, other) in [("1.50", "1.5"), ("007.0", "7"), ("0.00", "0"), ("-0", "0")] {
            assert_eq!(rank(one), rank(other));
        }
    }
}

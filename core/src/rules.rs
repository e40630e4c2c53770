//! Rules that several bodies share, as methods of [`Report`].

use crate::error::Reason;
use crate::validate::Report;
use crate::value::{Amount, Currency, Object, Param, Timestamp};

impl Report {
    /// Reports an empty list with this message.
    #[inline(never)]
    pub(crate) fn not_empty<T>(&mut self, field: &str, items: &[T], message: &str) {
        if items.is_empty() {
            self.add_error(field, Reason::Empty, message);
        }
    }

    /// Reports a list longer than `items_max`, and each entry that repeats an earlier one.
    #[inline(never)]
    pub(crate) fn distinct<T: PartialEq>(&mut self, field: &str, items: &[T], items_max: usize) {
        self.items(field, items.len(), items_max);
        for (place, item) in items.iter().take(items_max).enumerate() {
            if items[..place].contains(item) {
                let field = format!("{field}[{place}]");
                self.add_error(&field, Reason::Repeated, "is listed twice");
            }
        }
    }

    /// Reports an object with more than `keys_max` keys, if given.
    #[inline(never)]
    pub(crate) fn keys(&mut self, field: &str, object: Option<&Object>, keys_max: usize) {
        self.items(field, object.map_or(0, Object::len), keys_max);
    }

    /// Reports a value of an open enumeration that this version does not know, if given.
    #[inline(never)]
    pub(crate) fn known<T: Param>(&mut self, field: &str, value: Option<&T>) {
        let read = value.map(|value| T::from_text(&value.to_text()));
        if let Some(Err((reason, message))) = read {
            self.add_error(field, reason, message);
        }
    }

    /// Reports a field that is given although `other` is.
    #[inline(never)]
    pub(crate) fn excluded(&mut self, field: &str, other: &str) {
        let message = format!("must be absent when `{other}` is given");
        self.add_error(field, Reason::Excluded, message);
    }

    /// Reports a number below zero.
    #[inline(never)]
    pub(crate) fn not_negative(&mut self, field: &str, number: impl Into<Amount>) {
        if number.into().is_negative() {
            self.add_error(field, Reason::OutOfRange, "must not be negative");
        }
    }

    /// Reports a `since` later than `until`.
    pub(crate) fn time_range(&mut self, since: Option<Timestamp>, until: Option<Timestamp>) {
        if since.zip(until).is_some_and(|(since, until)| since > until) {
            let message = "must not be later than `until`";
            self.add_error("since", Reason::RangeReversed, message);
        }
    }

    /// Reports an `amount_from` above `amount_to`, and either of them without a `currency`.
    pub(crate) fn amount_range(
        &mut self,
        currency: Option<&[Currency]>,
        (from, to): (Option<Amount>, Option<Amount>),
    ) {
        if currency.is_none() && (from.is_some() || to.is_some()) {
            let message = "is required with `amount_from` or `amount_to`";
            self.add_error("currency", Reason::Required, message);
        }
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            let message = "must not be greater than `amount_to`";
            self.add_error("amount_from", Reason::RangeReversed, message);
        }
    }
}

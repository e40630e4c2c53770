//! Exact amounts in the reader's separators. Digits are moved as text: none is added, lost or rounded.

use std::cell::OnceCell;

use js_sys::{Intl, Reflect};
use leptos::prelude::*;
use settlekit_core::value::Amount;
use wasm_bindgen::{JsCast, JsValue};

struct Separators {
    group: String,
    point: String,
}

thread_local! {
    static SEPARATORS: OnceCell<Separators> = const { OnceCell::new() };
}

fn separators() -> Separators {
    let format = Intl::NumberFormat::new(&crate::text::locales(), &js_sys::Object::new());
    let parts = format.format_to_parts(12_345_678.9);
    let find = |kind: &str, otherwise: &str| {
        parts
            .iter()
            .find(|part| {
                Reflect::get(part, &JsValue::from_str("type")).is_ok_and(|found| found == kind)
            })
            .and_then(|part| {
                Reflect::get(part.unchecked_ref(), &JsValue::from_str("value"))
                    .ok()?
                    .as_string()
            })
            .unwrap_or_else(|| otherwise.to_owned())
    };
    Separators {
        group: find("group", ","),
        point: find("decimal", "."),
    }
}

fn grouped(digits: &str, group: &str) -> String {
    let (sign, digits) = digits
        .strip_prefix('-')
        .map_or(("", digits), |digits| ("\u{2212}", digits));
    let mut text = String::from(sign);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push_str(group);
        }
        text.push(digit);
    }
    text
}

/// A count with separators: `12,480`.
pub(crate) fn count_text(count: u64) -> String {
    SEPARATORS.with(|cell| grouped(&count.to_string(), &cell.get_or_init(separators).group))
}

/// The part before the point and the part from the point on.
fn halves(amount: &str) -> (String, String) {
    SEPARATORS.with(|cell| {
        let Separators { group, point } = cell.get_or_init(separators);
        match amount.split_once('.') {
            Some((whole, fraction)) => (grouped(whole, group), format!("{point}{fraction}")),
            None => (grouped(amount, group), String::new()),
        }
    })
}

/// An amount with its currency as one text.
pub(crate) fn amount_text(amount: &Amount, currency: &str) -> String {
    let (whole, fraction) = halves(&amount.to_string());
    format!("{whole}{fraction} {currency}")
}

/// An amount with its currency beside it.
pub(crate) fn amount(amount: &Amount, currency: &str) -> impl IntoView + use<> {
    signed_amount(amount, currency, None)
}

/// An amount with the sign of its direction, if it has one: minus for what went out, plus for what came in.
pub(crate) fn signed_amount(
    amount: &Amount,
    currency: &str,
    out: Option<bool>,
) -> impl IntoView + use<> {
    let (whole, fraction) = halves(&amount.to_string());
    let sign = match out {
        Some(true) if !amount.is_zero() => "\u{2212}",
        Some(false) if !amount.is_zero() => "+",
        _ => "",
    };
    let currency = (!currency.is_empty()).then(|| currency.to_owned());
    view! {
        <span class="amount">
            <span class="whole">{format!("{sign}{whole}")}</span><span class="fraction">{fraction}</span>
            {currency.map(|currency| view! { " "<span class="currency">{currency}</span> })}
        </span>
    }
}

/// Dollars with at least their cents: `64.5` is `64.50`, and nothing else changes.
pub(crate) fn dollars(amount: Amount) -> Amount {
    let missing = 2_usize.saturating_sub(amount.scale() as usize);
    let point = if amount.scale() == 0 { "." } else { "" };
    let zeros = "0".repeat(missing);
    if missing == 0 {
        amount
    } else {
        format!("{amount}{point}{zeros}").parse().unwrap_or(amount)
    }
}

/// What a column of amounts needs so that the points stand under each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Alignment {
    places: u32,
    currency_chars: usize,
}

impl Alignment {
    /// Widens the column for one more amount.
    pub(crate) fn include(&mut self, amount: Amount, currency: &str) {
        self.places = self.places.max(amount.scale());
        self.currency_chars = self.currency_chars.max(currency.chars().count());
    }

    /// Custom properties for the table: decimal places, whether there is a point, the width of the currency.
    pub(crate) fn properties(self) -> [(&'static str, String); 3] {
        // Capital letters are about seven tenths as wide as the type is high.
        let tenths = (self.currency_chars * 72).div_ceil(10);
        [
            ("--places", self.places.to_string()),
            ("--point", u32::from(self.places > 0).to_string()),
            ("--currency", format!("{}.{}em", tenths / 10, tenths % 10)),
        ]
    }
}

//! Exact amounts with the user's separators. Formatted as text, so that no digit is added, lost or rounded.

use std::cell::OnceCell;

use js_sys::{Intl, Reflect};
use settlekit_core::value::Amount;
use wasm_bindgen::{JsCast, JsValue};

use crate::ui::element::{Element, element};

/// Separators of the user's locale, including Indian grouping (3, then 2 digits).
struct Separators {
    group: String,
    point: String,
    /// Size of the last group, and of the groups before it.
    sizes: (usize, usize),
}

thread_local! {
    static SEPARATORS: OnceCell<Separators> = const { OnceCell::new() };
}

fn separators() -> Separators {
    let format = Intl::NumberFormat::new(&crate::text::locales(), &js_sys::Object::new());
    let parts = format.format_to_parts(12_345_678.9);
    let find = |kind: &str| -> Vec<String> {
        let parts = parts.iter().filter(|part| {
            Reflect::get(part, &JsValue::from_str("type")).is_ok_and(|found| found == kind)
        });
        let values = parts.filter_map(|part| {
            Reflect::get(part.unchecked_ref(), &JsValue::from_str("value"))
                .ok()?
                .as_string()
        });
        values.collect()
    };
    let one = |kind: &str, otherwise: &str| {
        let first = find(kind).into_iter().next();
        first.unwrap_or_else(|| otherwise.to_owned())
    };
    // Exclude the first group, which may be shorter.
    let sizes = match find("integer").as_slice() {
        [_, .., before, last] => (last.chars().count(), before.chars().count()),
        _ => (3, 3),
    };
    Separators {
        group: one("group", ","),
        point: one("decimal", "."),
        sizes,
    }
}

fn grouped(digits: &str, separators: &Separators) -> String {
    let (sign, digits) = digits
        .strip_prefix('-')
        .map_or(("", digits), |digits| ("\u{2212}", digits));
    let mut text = String::from(sign);
    let (last, before) = separators.sizes;
    for (index, digit) in digits.char_indices() {
        let left = digits.len() - index;
        if index > 0 && left >= last && (left - last) % before == 0 {
            text.push_str(&separators.group);
        }
        text.push(digit);
    }
    text
}

/// A count with separators: `12,480`.
pub(crate) fn count_text(count: u64) -> String {
    SEPARATORS.with(|cell| grouped(&count.to_string(), cell.get_or_init(separators)))
}

/// Integer part, and fraction including the point.
fn halves(amount: &str) -> (String, String) {
    SEPARATORS.with(|cell| {
        let separators = cell.get_or_init(separators);
        match amount.split_once('.') {
            Some((whole, fraction)) => (
                grouped(whole, separators),
                format!("{}{fraction}", separators.point),
            ),
            None => (grouped(amount, separators), String::new()),
        }
    })
}

/// A plain number with the user's decimal separator.
pub(crate) fn local_number(plain: &str) -> String {
    SEPARATORS.with(|cell| plain.replacen('.', &cell.get_or_init(separators).point, 1))
}

/// A number typed with the user's separators as a plain number: `1.234,50` is `1234.50`.
///
/// In locales with a decimal comma a point is accepted too, except in `1.234`: it may be one or a thousand, so the result is no
/// number. Where thousands have a space between them, any kind of space is one.
pub(crate) fn plain_number(typed: &str) -> String {
    SEPARATORS.with(|cell| {
        let separators = cell.get_or_init(separators);
        if separators.point == "." {
            return typed.to_owned();
        }
        let group = &separators.group;
        let mut typed = typed.trim().to_owned();
        // Keyboards have no narrow space, and a space is no decimal separator.
        let is_space = group.chars().all(char::is_whitespace);
        if is_space {
            typed = typed.replace([' ', '\u{a0}', '\u{202f}'], group);
        }
        if let Some((whole, fraction)) = typed.split_once(&separators.point) {
            return format!("{}.{fraction}", ungrouped(whole, group));
        }
        if is_space {
            typed = ungrouped(&typed, group);
        }
        match typed.split_once('.') {
            Some((_, fraction)) if fraction.len() == 3 => typed.replace('.', ","),
            _ => typed,
        }
    })
}

/// Digits without the separators of thousands; unchanged if the groups are not thousands.
fn ungrouped(whole: &str, separator: &str) -> String {
    let mut groups = whole.split(separator).skip(1);
    if groups.all(|group| group.len() == 3) {
        whole.replace(separator, "")
    } else {
        whole.to_owned()
    }
}

/// Decimal places with which amounts of a currency are usually written; 0 for coins, which have no usual number.
fn usual_places(currency: &str) -> usize {
    // `USDC` and `EURC` are written as the money that they stand for.
    const CENTS: [&str; 6] = ["USD", "EUR", "GBP", "CAD", "CHF", "DAI"];
    if CENTS.iter().any(|money| currency.contains(money)) {
        2
    } else {
        0
    }
}

/// An exact plain number with the currency's usual decimal places, and more only for digits that are not 0.
fn plain(amount: &Amount, currency: &str) -> String {
    let text = amount.to_string();
    if currency.is_empty() {
        return text;
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text.as_str(), ""));
    let fraction = fraction.trim_end_matches('0');
    let places = usual_places(currency);
    if fraction.is_empty() && places == 0 {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction:0<places$}")
    }
}

/// The amount with its currency's usual decimal places, for a column that does not name the currency: `64.5` USD is `64.50`.
pub(crate) fn with_usual_places(amount: impl Into<Amount>, currency: &str) -> Amount {
    let amount: Amount = amount.into();
    plain(&amount, currency).parse().unwrap_or(amount)
}

/// [`with_usual_places`] for US dollars.
pub(crate) fn dollars(amount: Amount) -> Amount {
    with_usual_places(amount, "USD")
}

/// An amount of US dollars rounded to the cent, half away from zero; as it is if it has no more digits, or too many to be rounded.
fn to_cents(amount: Amount) -> Amount {
    const PLACES: u32 = 2;
    let scale = amount.scale();
    let rounded = || {
        let cent = 10_i128.checked_pow(scale.checked_sub(PLACES)?)?;
        let units = amount.to_units(scale).ok()?;
        let half = cent / 2 * units.signum();
        Amount::from_units(units.checked_add(half)? / cent, PLACES).ok()
    };
    if scale > PLACES {
        rounded().unwrap_or(amount)
    } else {
        amount
    }
}

/// A total in US dollars, to the cent; its tooltip is exact.
pub(crate) fn total_worth(usd: Amount) -> Element {
    let shown = amount(&to_cents(usd), "USD");
    shown.attr("title", amount_text(&usd, "USD"))
}

/// [`total_worth`] as text.
pub(crate) fn total_worth_text(usd: Amount) -> String {
    amount_text(&to_cents(usd), "USD")
}

/// Decimal places of a number in a table.
const TABLE_PLACES_MAX: usize = 6;

/// The digits of a plain number that a table shows: at most six decimal places, or more until a small number has two digits.
fn table_digits(plain: &str) -> &str {
    let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
    let zeros = fraction.len() - fraction.trim_start_matches('0').len();
    let is_small = whole.trim_start_matches('-') == "0";
    let places = TABLE_PLACES_MAX.max(if is_small { zeros + 2 } else { 0 });
    &plain[..plain.len() - fraction.len().saturating_sub(places)]
}

/// An exact number as text.
pub(crate) fn grouped_text(number: &Amount) -> String {
    let (whole, fraction) = halves(&number.to_string());
    format!("{whole}{fraction}")
}

/// An amount with its currency as text.
pub(crate) fn amount_text(amount: &Amount, currency: &str) -> String {
    let (whole, fraction) = halves(&plain(amount, currency));
    format!("{whole}{fraction} {currency}")
}

pub(crate) fn amount(amount: &Amount, currency: &str) -> Element {
    signed_amount(amount, currency, None)
}

/// An amount with an optional sign: minus for outgoing, plus for incoming.
pub(crate) fn signed_amount(amount: &Amount, currency: &str, out: Option<bool>) -> Element {
    written(&plain(amount, currency), "", currency, sign(amount, out))
}

/// [`signed_amount`] in a table: an ellipsis stands for further digits, which the tooltip has.
pub(crate) fn table_amount(amount: &Amount, currency: &str, out: Option<bool>) -> Element {
    let exact = plain(amount, currency);
    let shown = table_digits(&exact);
    let sign = sign(amount, out);
    if shown.len() == exact.len() {
        return written(&exact, "", currency, sign);
    }
    let whole = format!("{sign}{}", amount_text(amount, currency));
    written(shown, "…", currency, sign).attr("title", whole.trim_end().to_owned())
}

fn sign(amount: &Amount, out: Option<bool>) -> &'static str {
    match out {
        Some(true) if !amount.is_zero() => "\u{2212}",
        Some(false) if !amount.is_zero() => "+",
        _ => "",
    }
}

/// A plain number as an element; `rest` stands for digits that are left out.
fn written(plain: &str, rest: &str, currency: &str, sign: &str) -> Element {
    let (whole, fraction) = halves(plain);
    let shown = element("span", "amount")
        .child(element("span", "whole").words(format!("{sign}{whole}")))
        .child(element("span", "fraction").words(format!("{fraction}{rest}")));
    if currency.is_empty() {
        shown
    } else {
        let currency = element("span", "currency").words(currency.to_owned());
        shown.words(" ").child(currency)
    }
}

/// Alignment of a column of amounts at the decimal point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Alignment {
    places: usize,
    currency_chars: usize,
}

impl Alignment {
    /// Widens the column for one more amount.
    pub(crate) fn include(&mut self, amount: Amount, currency: &str) {
        let exact = plain(&amount, currency);
        let shown = table_digits(&exact);
        let places = shown.split_once('.').map_or(0, |(_, digits)| digits.len());
        // An ellipsis is about as wide as two digits.
        let rest = if shown.len() < exact.len() { 2 } else { 0 };
        self.places = self.places.max(places + rest);
        self.currency_chars = self.currency_chars.max(currency.chars().count());
    }

    /// Custom properties for the table: decimal places, whether there is a point, width of the currency.
    pub(crate) fn properties(self) -> [(&'static str, String); 3] {
        // Capital letters are about 0.7 em wide.
        let tenths = (self.currency_chars * 72).div_ceil(10);
        [
            ("--places", self.places.to_string()),
            ("--point", u32::from(self.places > 0).to_string()),
            ("--currency", format!("{}.{}em", tenths / 10, tenths % 10)),
        ]
    }
}

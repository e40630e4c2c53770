//! Labels of contract words.

use crate::text::language::{translate, translated};

texts! {
    in_ = "In";
    out = "Out";
}

/// Label of a contract word: `SoldOut` is `Sold out`. Comma-separated words are converted one by one.
pub(crate) fn words(word: &str) -> String {
    if word.contains(',') {
        let all: Vec<String> = word.split(',').map(words).collect();
        return all.join(", ");
    }
    match word {
        "PartialRefunded" => return translate("Partly refunded").to_owned(),
        "Withdraw" => return translate("Withdrawal").to_owned(),
        "skipped" => return translate("No endpoint set").to_owned(),
        "IN" => return in_().to_owned(),
        "OUT" => return out().to_owned(),
        _ => {}
    }
    let mut text = String::new();
    for (index, letter) in word.chars().enumerate() {
        if index == 0 {
            text.push(letter.to_ascii_uppercase());
        } else if letter.is_ascii_uppercase() {
            text.push(' ');
            text.push(letter.to_ascii_lowercase());
        } else {
            text.push(if letter == '_' { ' ' } else { letter });
        }
    }
    translated(&text).map_or(text, str::to_owned)
}

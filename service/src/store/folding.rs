//! Texts as they are searched.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Folds case and accents, so that `Zoe` finds `Zoë`, and `Lukasz` finds `ŁUKASZ`. Idempotent.
pub(super) fn folded(text: &str) -> String {
    let bare = text.nfkd().filter(|char| !is_combining_mark(*char));
    // Upper case first: some letters share one capital (σ and ς, ß and ss).
    let small = bare
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase);
    let mut folded = String::with_capacity(text.len());
    for letter in small {
        match letter {
            'æ' => folded.push_str("ae"),
            'đ' | 'ð' => folded.push('d'),
            'ħ' => folded.push('h'),
            'ł' => folded.push('l'),
            'ø' => folded.push('o'),
            'œ' => folded.push_str("oe"),
            'ß' => folded.push_str("ss"),
            'þ' => folded.push_str("th"),
            'ŧ' => folded.push('t'),
            _ => folded.push(letter),
        }
    }
    folded
}

/// Letters of a searchable text in an index: PostgreSQL refuses entries above 2 704 bytes, and folding may lengthen a text.
const INDEXED_CHARS_MAX: usize = 512;

/// The texts of a record as they are searched in an index, one a line.
pub(super) fn searched<'a>(texts: impl IntoIterator<Item = Option<&'a str>>) -> String {
    let folded: Vec<String> = texts.into_iter().flatten().map(folded).collect();
    folded.join("\n").chars().take(INDEXED_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn case_and_accents_are_folded_once() {
        for (text, expected) in [
            ("Zoë ŁUKASZ", "zoe lukasz"),
            ("Straße ÆØ", "strasse aeo"),
            ("ΣΊΣΥΦΟΣ", "σισυφοσ"),
        ] {
            assert_eq!(folded(text), expected);
            assert_eq!(folded(expected), expected);
        }
    }
}

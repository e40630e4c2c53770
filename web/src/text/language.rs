//! Language of the dashboard. English is part of the program; other languages are files, loaded before the first page, so that
//! users load only their own.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use js_sys::Array;
use leptos::prelude::*;

use crate::local_storage;

/// Local storage key of the choice; also used by `web/boot/first.js`.
const KEY: &str = "settlekit.language";

/// A language of the dashboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Language {
    /// Language tag (BCP 47).
    pub(crate) tag: &'static str,
    /// Its own name.
    pub(crate) name: &'static str,
    /// File with the translations by English text; none for English.
    file: Option<&'static str>,
    /// Whether nouns have capitals within a sentence.
    pub(crate) has_capital_nouns: bool,
}

impl Language {
    const ENGLISH: Self = Self {
        tag: "en",
        name: "English",
        file: None,
        has_capital_nouns: false,
    };

    /// All languages. A further one is an entry here and in `web/boot/first.js`, and a file in `web/language`, which has the
    /// direction of its writing as the translation of `ltr`.
    pub(crate) const ALL: [Self; 3] = [
        Self::ENGLISH,
        Self {
            tag: "de",
            name: "Deutsch",
            file: Some("/language/de.json"),
            has_capital_nouns: true,
        },
        Self {
            tag: "fr",
            name: "Français",
            file: Some("/language/fr.json"),
            has_capital_nouns: false,
        },
    ];

    /// Whether a language tag is of this language: `de-AT` is German.
    fn is_of(&self, tag: &str) -> bool {
        tag.split('-').next() == Some(self.tag)
    }
}

thread_local! {
    static CHOSEN: Cell<Language> = const { Cell::new(Language::ENGLISH) };
    static SENTENCES: RefCell<Option<HashMap<String, &'static str>>> = const { RefCell::new(None) };
}

/// The current language; English until the translations are loaded.
pub(crate) fn chosen() -> Language {
    CHOSEN.get()
}

/// The chosen language, else the browser's.
fn preferred() -> Language {
    let tag = local_storage::get(KEY).or_else(|| window().navigator().language());
    let tag = tag.unwrap_or_default();
    let mut all = Language::ALL.into_iter();
    all.find(|language| language.is_of(&tag))
        .unwrap_or(Language::ENGLISH)
}

/// Locales for numbers and dates: the browser's, unless the dashboard has another language.
pub(crate) fn locales() -> Array {
    let own = window().navigator().language().unwrap_or_default();
    let language = chosen();
    if language == Language::ENGLISH || language.is_of(&own) {
        Array::new()
    } else {
        Array::of1(&language.tag.into())
    }
}

/// Stores the choice and reloads the page.
pub(crate) fn choose(language: Language) {
    local_storage::set(KEY, language.tag);
    // Fails only if the page may not navigate.
    let _ = window().location().reload();
}

/// Translation file of the chosen language; none for English.
pub(crate) fn file() -> Option<&'static str> {
    preferred().file
}

/// Loads the translations. If they are invalid, the page stays English.
pub(crate) fn load(file: &str) {
    let Ok(read) = serde_json::from_str::<HashMap<String, String>>(file) else {
        return;
    };
    // Leaked, because they are needed as long as the page exists.
    let sentences = read
        .into_iter()
        .map(|(english, translation)| (english, &*translation.leak()))
        .collect();
    SENTENCES.set(Some(sentences));
    let language = preferred();
    CHOSEN.set(language);
    if let Some(root) = document().document_element() {
        for (name, value) in [("lang", language.tag), ("dir", translate("ltr"))] {
            // Fails only for an invalid name.
            let _ = root.set_attribute(name, value);
        }
    }
}

/// Translation of an English text; none in English or if it is missing.
pub(crate) fn translated(english: &str) -> Option<&'static str> {
    SENTENCES.with_borrow(|sentences| sentences.as_ref()?.get(english).copied())
}

/// Translation of a message of the service. Keys may contain placeholders `{}`.
pub(super) fn translate_message(english: &str) -> Option<String> {
    SENTENCES.with_borrow(|sentences| {
        let mut all = sentences.as_ref()?.iter();
        all.find_map(|(key, sentence)| fill(key, sentence, english))
    })
}

/// Fills a translation with the placeholder values of an English message; none if the message does not match the key.
fn fill(key: &str, sentence: &str, english: &str) -> Option<String> {
    let (mut keys, mut sentences) = (key.split("{}"), sentence.split("{}"));
    let mut rest = english.strip_prefix(keys.next()?)?;
    let mut text = sentences.next()?.to_owned();
    for (key, sentence) in keys.zip(sentences) {
        // The last placeholder matches the rest.
        let end = if key.is_empty() {
            rest.len()
        } else {
            rest.find(key)?
        };
        let (value, after) = rest.split_at(end);
        text.push_str(translated(value).unwrap_or(value));
        text.push_str(sentence);
        rest = after.strip_prefix(key)?;
    }
    rest.is_empty().then_some(text)
}

/// Translation of an English text, else the text itself. Where one English word has two translations, its key names the
/// context after a bar: `To|recipient`.
pub(crate) fn translate(english: &'static str) -> &'static str {
    translated(english).unwrap_or_else(|| english.split_once('|').map_or(english, |(word, _)| word))
}

/// Replaces each `{name}` in a text by its value.
pub(crate) fn filled(sentence: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(sentence.len() + 32);
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            text.push('{');
            rest = after;
            continue;
        };
        let value = values.iter().find(|(known, _)| *known == name);
        text.push_str(value.map_or(name, |(_, value)| value));
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Declares texts: `name = "English";` becomes a function that returns the translation, `name(count: usize) = "{count} rows";` one
/// that fills in its values. A single value may have texts of its own: `name(count: usize) = "{count} rows", 1 = "1 row";`.
macro_rules! texts {
    ($($(#[$note:meta])* $name:ident $(($($value:ident: $type:ty),+))? = $english:literal $(, $case:literal = $special:literal)*;)*) => {
        $(text! { $(#[$note])* $name $(($($value: $type),+))? = $english $(, $case = $special)* })*
    };
}

/// One entry of [`texts`].
macro_rules! text {
    ($(#[$note:meta])* $name:ident = $english:literal) => {
        $(#[$note])* pub(crate) fn $name() -> &'static str {
            translate($english)
        }
    };
    ($(#[$note:meta])* $name:ident ($($value:ident: $type:ty),+) = $english:literal) => {
        $(#[$note])* pub(crate) fn $name($($value: $type),+) -> String {
            say!($english, $($value),+)
        }
    };
    ($(#[$note:meta])* $name:ident ($value:ident: $type:ty) = $english:literal $(, $case:literal = $special:literal)+) => {
        $(#[$note])* pub(crate) fn $name($value: $type) -> String {
            match $value {
                $($case => translate($special).to_owned(),)+
                _ => say!($english, $value),
            }
        }
    };
}

/// A translated text with values: `say!("{count} rows", count)`.
macro_rules! say {
    ($english:literal $(, $name:ident)+ $(,)?) => {
        filled(translate($english), &[$((stringify!($name), &*$name.to_string())),+])
    };
}

//! Language of the dashboard. English is part of the program; other languages are files, loaded before the first page, so that
//! users load only their own.

use std::cell::RefCell;
use std::collections::HashMap;

use js_sys::Array;
use leptos::prelude::*;

use crate::local_storage;

/// Local storage key of the choice; also used by `web/boot/first.js`.
const KEY: &str = "settlekit.language";

/// File with German translations by English text.
const GERMAN: &str = "/de.json";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    German,
}

impl Language {
    /// All languages with their own names.
    pub(crate) const ALL: [(Self, &'static str); 2] =
        [(Self::English, "English"), (Self::German, "Deutsch")];

    /// Language tag (BCP 47).
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }
}

thread_local! {
    static SENTENCES: RefCell<Option<HashMap<String, &'static str>>> = const { RefCell::new(None) };
}

/// The current language; English until the translations are loaded.
pub(crate) fn chosen() -> Language {
    SENTENCES.with_borrow(|sentences| match sentences {
        Some(_) => Language::German,
        None => Language::English,
    })
}

/// The chosen language, else the browser's.
fn preferred() -> Language {
    let tag = local_storage::get(KEY).or_else(|| window().navigator().language());
    match tag {
        Some(tag) if tag.starts_with(Language::German.tag()) => Language::German,
        _ => Language::English,
    }
}

/// Locales for numbers and dates: the browser's, unless the dashboard has another language.
pub(crate) fn locales() -> Array {
    let own = window().navigator().language().unwrap_or_default();
    match chosen() {
        Language::German if !own.starts_with(Language::German.tag()) => {
            Array::of1(&Language::German.tag().into())
        }
        _ => Array::new(),
    }
}

/// Stores the choice and reloads the page.
pub(crate) fn choose(language: Language) {
    local_storage::set(KEY, language.tag());
    // Fails only if the page may not navigate.
    let _ = window().location().reload();
}

/// Translation file of the chosen language; none for English.
pub(crate) fn file() -> Option<&'static str> {
    (preferred() == Language::German).then_some(GERMAN)
}

/// Loads the translations. If they are invalid, the page stays English.
pub(crate) fn load(file: &str) {
    let Ok(read) = serde_json::from_str::<HashMap<String, String>>(file) else {
        return;
    };
    // Leaked, because they are needed as long as the page exists.
    let sentences = read
        .into_iter()
        .map(|(english, german)| (english, &*german.leak()))
        .collect();
    SENTENCES.set(Some(sentences));
    if let Some(root) = document().document_element() {
        // Fails only for an invalid name.
        let _ = root.set_attribute("lang", Language::German.tag());
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

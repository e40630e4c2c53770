//! Which language the reader reads, and its sentences. English is in the program; another language is a file of its own,
//! fetched before the first page is shown, so that nobody loads what they do not read.

use std::cell::RefCell;
use std::collections::HashMap;

use js_sys::Array;
use leptos::prelude::*;

use crate::local_storage;

/// Where the choice is kept in this browser; `web/boot/first.js` reads the same name.
const KEY: &str = "settlekit.language";

/// The German sentences by their English ones.
const GERMAN: &str = "/de.json";

/// What the dashboard speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    German,
}

impl Language {
    /// Every language, and what its readers call it.
    pub(crate) const ALL: [(Self, &'static str); 2] =
        [(Self::English, "English"), (Self::German, "Deutsch")];

    /// The language's tag (BCP 47).
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

/// The language that is spoken now: another one only once its sentences are there.
pub(crate) fn chosen() -> Language {
    SENTENCES.with_borrow(|sentences| match sentences {
        Some(_) => Language::German,
        None => Language::English,
    })
}

/// The language that the reader chose, else the browser's own.
fn wanted() -> Language {
    let tag = local_storage::get(KEY).or_else(|| window().navigator().language());
    match tag {
        Some(tag) if tag.starts_with(Language::German.tag()) => Language::German,
        _ => Language::English,
    }
}

/// Whose ways numbers and days are written in: the browser's own reader's, unless they read another language here.
pub(crate) fn locales() -> Array {
    let own = window().navigator().language().unwrap_or_default();
    match chosen() {
        Language::German if !own.starts_with(Language::German.tag()) => {
            Array::of1(&Language::German.tag().into())
        }
        _ => Array::new(),
    }
}

/// Keeps the choice; the page is loaded anew to be said in it.
pub(crate) fn choose(language: Language) {
    local_storage::set(KEY, language.tag());
    // Fails only for a page that may not be loaded at all.
    let _ = window().location().reload();
}

/// The file with the sentences of the reader's language; none for English.
pub(crate) fn file() -> Option<&'static str> {
    (wanted() == Language::German).then_some(GERMAN)
}

/// Takes the sentences of that file. Without them the page speaks English.
pub(crate) fn load(file: &str) {
    let Ok(read) = serde_json::from_str::<HashMap<String, String>>(file) else {
        return;
    };
    // They are needed for as long as the page is there.
    let sentences = read
        .into_iter()
        .map(|(english, german)| (english, &*german.leak()))
        .collect();
    SENTENCES.set(Some(sentences));
    if let Some(root) = document().document_element() {
        // Fails only for a name that is none.
        let _ = root.set_attribute("lang", Language::German.tag());
    }
}

/// What an English sentence is in the reader's language, where that is another one and has it.
pub(crate) fn translated(english: &str) -> Option<&'static str> {
    SENTENCES.with_borrow(|sentences| sentences.as_ref()?.get(english).copied())
}

/// What the service says, in the reader's language: whole, or as a sentence whose holes, each a `{}`, take what it says there.
pub(super) fn given(english: &str) -> Option<String> {
    SENTENCES.with_borrow(|sentences| {
        let mut all = sentences.as_ref()?.iter();
        all.find_map(|(key, sentence)| fill(key, sentence, english))
    })
}

/// A sentence with the values that stand in the holes of an English one, if it is that one.
fn fill(key: &str, sentence: &str, english: &str) -> Option<String> {
    let (mut keys, mut sentences) = (key.split("{}"), sentence.split("{}"));
    let mut rest = english.strip_prefix(keys.next()?)?;
    let mut text = sentences.next()?.to_owned();
    for (key, sentence) in keys.zip(sentences) {
        // Where nothing follows, the hole takes all that is left.
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

/// A sentence in the reader's language. Where one English word has two translations, its key names the context after a
/// bar: `To|recipient`.
pub(crate) fn said(english: &'static str) -> &'static str {
    translated(english).unwrap_or_else(|| english.split_once('|').map_or(english, |(word, _)| word))
}

/// A sentence with what stands in it: `{name}` is replaced by the value of that name.
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

/// A table of sentences: `name = "English";` becomes a function that says it.
macro_rules! texts {
    ($($(#[$note:meta])* $name:ident = $english:literal;)*) => {
        $($(#[$note])* pub(crate) fn $name() -> &'static str {
            said($english)
        })*
    };
}

/// A sentence with values in it: `say!("{count} rows", count)`.
macro_rules! say {
    ($english:literal $(, $name:ident)+ $(,)?) => {
        filled(said($english), &[$((stringify!($name), &*$name.to_string())),+])
    };
}

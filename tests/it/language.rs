//! Translations of the dashboard: each sentence has one, and none is unused.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use settlekit_core::error::Reason;

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../web")
}

/// The code before a sentence: an entry of a table, a sentence in a function.
const BEFORE: [&str; 3] = ["= \"", "translate(\"", "say!(\""];

/// The English sentences of one file of the text table.
fn sentences(text: &str) -> BTreeSet<String> {
    // A call may span lines; a comparison is not an entry.
    let joined = text.lines().map(str::trim).collect::<String>();
    let joined = joined.replace("== \"", "==\"");
    let mut found = BTreeSet::new();
    for before in BEFORE {
        for (start, _) in joined.match_indices(before) {
            let literal = &joined[start + before.len() - 1..];
            let mut read = serde_json::Deserializer::from_str(literal).into_iter::<String>();
            if let Some(Ok(sentence)) = read.next() {
                found.insert(sentence);
            }
        }
    }
    found
}

fn english() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for entry in fs::read_dir(web().join("src/text")).expect("the text table") {
        let path = entry.expect("a file").path();
        if path.file_name().is_some_and(|name| name != "language.rs") {
            all.extend(sentences(&fs::read_to_string(&path).expect("a text")));
        }
    }
    assert!(all.len() > 500, "the table is read");
    all
}

/// The files of a folder of translations, each with the tag of its language.
fn files(folder: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(web().join(folder)).expect("translations");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| {
            let tag = path.file_stem().expect("a name").to_string_lossy();
            let text = fs::read_to_string(&path).expect("a text");
            (tag.into_owned(), text)
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} has translations");
    files
}

/// The translations of a folder, by language and English sentence.
fn translations(folder: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let read = |(tag, text): (String, String)| {
        let table = serde_json::from_str(&text).expect("English to another language");
        (tag, table)
    };
    files(folder).into_iter().map(read).collect()
}

/// The translations of the dashboard.
fn dashboard() -> Vec<(String, BTreeMap<String, String>)> {
    translations("language")
}

/// The names of a sentence's placeholders.
fn holes(sentence: &str) -> BTreeSet<&str> {
    sentence
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
        .collect()
}

#[test]
fn every_sentence_has_a_translation() {
    for (tag, table) in dashboard() {
        let missing: Vec<_> = english()
            .into_iter()
            .filter(|sentence| !table.contains_key(sentence))
            .collect();
        assert!(
            missing.is_empty(),
            "web/language/{tag}.json lacks {missing:#?}"
        );
    }
}

#[test]
fn every_translated_language_is_offered() {
    let read = |path: &str| fs::read_to_string(web().join(path)).expect("a source");
    let (table, first, payer) = (
        read("src/text/language.rs"),
        read("boot/first.js"),
        read("pay/pay.js"),
    );
    for (tag, sentences) in dashboard() {
        assert!(
            table.contains(&format!("\"/language/{tag}.json\"")),
            "{tag}"
        );
        let early = first.split_once("const TRANSLATED = [").expect("a list").1;
        let early = early.split_once(']').expect("its end").0;
        assert!(early.contains(&format!("\"{tag}\"")), "{tag}: {early}");
        assert!(["ltr", "rtl"].contains(&&*sentences["ltr"]), "{tag}");
    }
    for (tag, sentences) in translations("pay") {
        assert!(payer.contains(&format!("\"/pay/{tag}.json\"")), "{tag}");
        assert!(["ltr", "rtl"].contains(&&*sentences["ltr"]), "{tag}");
    }
}

#[test]
fn no_sentence_is_translated_twice() {
    for (tag, text) in files("language") {
        let keys = text.lines().filter_map(|line| line.split_once("\": "));
        let mut seen = BTreeSet::new();
        // Of two translations the parser would keep the last.
        let twice: Vec<&str> = keys
            .map(|(key, _)| key)
            .filter(|key| !seen.insert(*key))
            .collect();
        assert!(seen.len() > 1_000, "the translations are read");
        assert_eq!(twice, [""; 0], "{tag}");
    }
}

/// The error messages in the sources of core and service, with empty placeholders.
fn refusals() -> String {
    let mut folders = vec![web().join("../core/src"), web().join("../service/src")];
    let mut all = String::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a room") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("a source");
                // A sentence may span lines.
                all.extend(text.lines().map(|line| line.trim().trim_end_matches('\\')));
            }
        }
    }
    let mut emptied = String::new();
    for (at, part) in all.split('{').enumerate() {
        let (hole, after) = part.split_once('}').unwrap_or(("", part));
        let is_hole = hole
            .chars()
            .all(|letter| letter.is_alphanumeric() || "_.:?".contains(letter));
        let kept = if at == 0 || !is_hole { part } else { after };
        emptied.push_str(if at > 0 && is_hole { "{}" } else { "" });
        emptied.push_str(kept);
    }
    emptied
}

#[test]
fn no_translation_is_unused() {
    let (english, refusals) = (english(), refusals());
    let is_refusal = |key: &String| refusals.contains(&format!("\"{key}\""));
    // Words of the contract are split for display and are in no table.
    for (tag, table) in dashboard() {
        let left: Vec<_> = table
            .into_keys()
            .filter(|key| key.split(' ').count() > 3 && !english.contains(key) && !is_refusal(key))
            .collect();
        assert!(
            left.is_empty(),
            "web/language/{tag}.json has what nobody says: {left:#?}"
        );
    }
}

/// The sentences of a script: each of its `t("…")`.
fn said_by(program: &str) -> BTreeSet<String> {
    let mut said = BTreeSet::new();
    for line in program.lines().filter(|line| !line.starts_with("/**")) {
        for (start, _) in line.match_indices("t(\"") {
            let is_call = !line[..start].ends_with(|before: char| before.is_alphanumeric());
            if let Some((sentence, _)) = line[start + 3..].split_once('"')
                && is_call
            {
                said.insert(sentence.to_owned());
            }
        }
    }
    said
}

/// The sentences of the payer's page, in its scripts and its markup.
fn said_to_payers() -> BTreeSet<String> {
    let read = |name| fs::read_to_string(web().join("pay").join(name)).expect("the payer's page");
    let mut said = said_by(&read("pay.js"));
    said.extend(said_by(&read("wallet.js")));
    said.extend(said_by(&read("embedded.js")));
    said.extend(said_by(&read("preview.js")));
    let markup = read("pay.html");
    said.extend(
        markup
            .split("data-said")
            .skip(1)
            .filter_map(|rest| rest.split_once('>')?.1.split_once('<'))
            .map(|(sentence, _)| sentence.to_owned()),
    );
    said
}

#[test]
fn the_payers_page_is_completely_translated() {
    let said = said_to_payers();
    assert!(said.len() > 50, "the page is read");
    for (tag, table) in translations("pay") {
        let translated: BTreeSet<String> = table.into_keys().collect();
        assert_eq!(said, translated, "{tag}");
    }
}

#[test]
fn the_embedded_element_is_completely_translated() {
    let program = fs::read_to_string(web().join("embed/embed.js")).expect("the element");
    for language in ["GERMAN", "FRENCH"] {
        let start = format!("const {language} = {{");
        let table = program.split_once(&start).expect("a table").1;
        let table = table.split_once("\n};").expect("its end").0;
        let translated: BTreeSet<String> = table
            .lines()
            .filter_map(|line| line.trim().strip_prefix('"')?.split_once("\": \""))
            .map(|(english, _)| english.to_owned())
            .collect();
        assert_eq!(said_by(&program), translated, "{language}");
    }
}

/// A file of the demo's pages.
fn of_demo(name: &str) -> String {
    let path = web().join("../demo/page").join(name);
    fs::read_to_string(path).expect("a file of the demo")
}

fn german_of_demo() -> BTreeMap<String, String> {
    serde_json::from_str(&of_demo("de.json")).expect("English to German")
}

#[test]
fn the_demo_is_completely_translated() {
    let german: BTreeSet<String> = german_of_demo().into_keys().collect();
    let mut said = said_by(&of_demo("page.js"));
    said.extend(said_by(&of_demo("missing.js")));
    assert!(said.len() > 10, "the pages are read");
    assert_eq!(said, german);
}

#[test]
fn translations_have_the_same_placeholders() {
    let tables = dashboard().into_iter().chain(translations("pay"));
    let tables = tables.map(|(_, table)| table).chain([german_of_demo()]);
    for (english, translation) in tables.flatten() {
        assert_eq!(holes(&english), holes(&translation), "{english}");
    }
}

#[test]
fn french_has_spaces_that_do_not_break_a_line() {
    let tables = dashboard().into_iter().chain(translations("pay"));
    for (_, table) in tables.filter(|(tag, _)| tag == "fr") {
        for sentence in table.values() {
            for sign in [":", ";", "?", "!", "%", "»"] {
                assert!(!sentence.contains(&format!(" {sign}")), "{sentence}");
            }
            assert!(!sentence.contains("« "), "{sentence}");
        }
    }
}

#[test]
fn a_translation_context_is_needed() {
    let tables = dashboard();
    let keys: BTreeSet<&String> = tables.iter().flat_map(|(_, table)| table.keys()).collect();
    for key in keys {
        let Some((word, context)) = key.split_once('|') else {
            continue;
        };
        assert!(!word.is_empty() && !context.is_empty(), "{key}");
        // One language with two translations is enough.
        let is_needed = tables.iter().any(|(_, table)| {
            let translation = table.get(key);
            let mut others = table
                .iter()
                .filter(|(other, _)| other.split('|').next() == Some(word));
            others.any(|(_, other)| Some(other) != translation)
        });
        assert!(is_needed, "{key}: “{word}” has one translation");
    }
}

#[test]
fn every_error_reason_is_translated() {
    for (tag, table) in dashboard() {
        let missing: Vec<_> = Reason::ALL
            .iter()
            .map(|reason| reason.as_str())
            .filter(|reason| table.get(*reason).is_none_or(|said| said.is_empty()))
            .collect();
        assert_eq!(missing, Vec::<&str>::new(), "web/language/{tag}.json");
    }
}

//! The textual invariants of the source code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A source file: its path from the root, and its text without comments and tests.
struct Source {
    path: String,
    code: Vec<(usize, String)>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("the workspace is there")
}

fn collect(folder: &Path, root: &Path, sources: &mut Vec<Source>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, root, sources);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("a text");
            // Printed files are kept current by their tests.
            if text.starts_with("// Printed from") {
                continue;
            }
            let path = path
                .strip_prefix(root)
                .expect("below the root")
                .to_string_lossy()
                .into_owned();
            sources.push(Source {
                path,
                code: code(&text),
            });
        }
    }
}

/// The lines of a file up to its unit tests, without comments.
fn code(text: &str) -> Vec<(usize, String)> {
    let lines = text
        .lines()
        .take_while(|line| !(line.starts_with("#[cfg(") && line.contains("test")))
        .enumerate();
    lines
        .map(|(number, line)| {
            (
                number + 1,
                line.split("//").next().unwrap_or_default().to_owned(),
            )
        })
        .filter(|(_, line)| !line.trim().is_empty())
        .collect()
}

fn sources(folders: &[&str]) -> Vec<Source> {
    let root = root();
    let mut sources = Vec::new();
    for folder in folders {
        collect(&root.join(folder), &root, &mut sources);
    }
    assert!(sources.len() > 5, "{folders:?} hold next to nothing");
    sources
}

/// No line of the folders contains one of the words, except in allowed files.
fn check(folders: &[&str], words: &[&str], allowed: &[&str]) {
    let mut found = Vec::new();
    for source in sources(folders) {
        if allowed.iter().any(|place| source.path.starts_with(place)) {
            continue;
        }
        for (number, line) in &source.code {
            if let Some(word) = words.iter().find(|word| line.contains(*word)) {
                found.push(format!("{}:{number}: {word}", source.path));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn only_the_store_contains_sql() {
    check(
        &[
            "core/src",
            "service/src",
            "server/src",
            "web/src",
            "component/host/src",
            "component/src",
            "pkg/calls/src",
            "pkg/src",
        ],
        &[
            "SELECT ",
            "INSERT INTO",
            "UPDATE ",
            "DELETE FROM",
            "CREATE TABLE",
        ],
        &["service/src/store/"],
    );
}

#[test]
fn the_deterministic_crates_have_no_clock_randomness_network_or_threads() {
    check(
        &["core/src", "service/src"],
        &[
            "SystemTime",
            "Instant::now",
            "now_utc",
            "now_local",
            "thread_rng",
            "OsRng",
            "getrandom",
            "std::net",
            "std::thread",
            "std::fs",
            "tokio",
            "reqwest",
            "static mut",
            "std::env",
        ],
        // PostgreSQL's driver uses a connection that the host opens.
        &[
            "service/src/store/postgres/database.rs",
            "service/src/store/postgres/mod.rs",
        ],
    );
}

#[test]
fn core_and_service_use_no_floats() {
    check(&["core/src", "service/src"], &["f32", "f64"], &[]);
}

#[test]
fn only_the_server_uses_sockets() {
    check(
        &[
            "core/src",
            "client/src",
            "service/src",
            "web/src",
            "component/host/src",
            "component/src",
            "pkg/calls/src",
            "pkg/src",
        ],
        &["axum", "tower_http", "hyper::"],
        &[],
    );
}

#[test]
fn every_room_has_an_example_in_the_native_client() {
    let sources = sources(&["client/examples"]);
    let lines = sources.iter().flat_map(|source| &source.code);
    let examples: String = lines.map(|(_, line)| line.as_str()).collect();
    for operation in settlekit_core::catalogue::CATALOGUE {
        let named = format!("api::{}::", operation.room);
        assert!(examples.contains(&named), "{} has none", operation.room);
    }
}

#[test]
fn only_core_contains_api_paths_and_header_names() {
    let paths: Vec<String> = settlekit_core::catalogue::CATALOGUE
        .iter()
        .map(|operation| {
            operation
                .path
                .split('{')
                .next()
                .unwrap_or_default()
                .trim_end_matches('/')
                .to_owned()
        })
        .filter(|path| path.len() > 1)
        .map(|path| format!("\"/v1{path}"))
        .collect();
    let mut words: Vec<&str> = paths.iter().map(String::as_str).collect();
    words.extend([
        "\"x-api-",
        "\"X-API-",
        "\"x-org-id",
        "\"X-ORG-ID",
        "\"webhook-id",
        "\"webhook-signature",
        "\"x-csrf",
    ]);
    // The demo sends requests as a merchant's program would.
    check(
        &[
            "client/src",
            "service/src",
            "server/src",
            "web/src",
            "component/host/src",
            "component/src",
            "pkg/calls/src",
            "pkg/src",
        ],
        &words,
        &["service/src/demo/"],
    );
}

#[test]
fn only_the_ledger_writes_balances() {
    let writers: Vec<String> = sources(&["service/src"])
        .into_iter()
        .filter(|source| source.path != "service/src/store/ledger.rs")
        .filter(|source| {
            source.code.iter().any(|(_, line)| {
                line.contains("ledger::write(") || line.contains("insert_posting(")
            })
        })
        .map(|source| source.path)
        .collect();
    assert_eq!(writers, ["service/src/money/ledger/mod.rs"]);
}

#[test]
fn only_checked_writers_create_recorded_destinations() {
    check(
        &["service/src"],
        &["Destination::recorded"],
        &[
            // Shares, automations and trades set by a checked caller; senders of refunded money; the demo.
            "service/src/resources/account/share_out.rs",
            "service/src/resources/trade/progress.rs",
            "service/src/resources/payment/refund.rs",
            "service/src/demo/",
        ],
    );
}

#[test]
fn only_one_file_of_the_dashboard_sends_requests() {
    check(&["web/src"], &["gloo_net", "fetch("], &["web/src/api.rs"]);
}

/// The layers of a crate, lowest first: each is a set of top-level modules.
type Layers = &'static [&'static [&'static str]];

/// A module may use its own layer and those below.
const LAYERS: &[(&str, Layers)] = &[
    (
        "service/src",
        &[
            &["eip191", "evm", "mode", "random"],
            &["store"],
            &["secret"],
            &["unit"],
            &["money"],
            &["chains", "resources"],
            &["due"],
            &["sandbox"],
            &["request"],
            &["admin", "books"],
            &["demo", "lib", "step"],
        ],
    ),
    (
        "web/src",
        &[
            &[
                "address",
                "browser_wallet",
                "call_failure",
                "detached_signal",
                "local_storage",
                "query_errors",
                "remote",
                "text",
            ],
            &["ui"],
            &["api", "session"],
            &["shell"],
            &["list"],
            &["record"],
            &["form"],
            &["page"],
            &["app", "lazy_pages", "main"],
        ],
    ),
];

/// Permitted cycles in crates without layers: the contract's plan and paylink contain each other.
const RINGS: &[(&str, &[&[&str]])] = &[("core/src", &[&["paylink", "plan"]]), ("server/src", &[])];

/// The modules of a crate with the modules that each uses, and where.
type Modules = BTreeMap<String, BTreeMap<String, String>>;

/// The modules of a crate by path: `text::words`.
fn modules(folder: &str) -> Modules {
    let files: Vec<(String, Source)> = sources(&[folder])
        .into_iter()
        .map(|source| {
            let path = source.path.strip_prefix(folder).unwrap_or(&source.path);
            let path = path.trim_start_matches('/').trim_end_matches(".rs");
            let path = path.strip_suffix("/mod").unwrap_or(path).replace('/', "::");
            (path, source)
        })
        .collect();
    let names: BTreeSet<String> = files.iter().map(|(name, _)| name.clone()).collect();
    let files = files.into_iter();
    files
        .map(|(name, source)| (name.clone(), named(&name, &source, &names)))
        .collect()
}

/// The modules that a module uses by a path that starts with `crate`, `super`, `self` or the name of a child.
///
/// A re-export of a child does not count: the child is part of its parent.
fn named(module: &str, source: &Source, modules: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut text = String::new();
    let mut lines = Vec::new();
    for (number, line) in &source.code {
        lines.push((text.len(), *number));
        text.push_str(line.trim());
        text.push(' ');
    }
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    for (start, word) in words(&text) {
        let rest = &text[start + word.len()..];
        let is_first = !text[..start].ends_with("::");
        let child = join(module, word);
        let before = text[..start].strip_suffix("use ");
        let is_import =
            before.is_some_and(|before| !before.ends_with(") ") && !before.ends_with("pub "));
        let base = match word {
            "crate" => String::new(),
            "super" => parent.to_owned(),
            "self" => module.to_owned(),
            _ if is_import && modules.contains(&child) => child,
            _ => continue,
        };
        if !is_first || !rest.starts_with("::") {
            continue;
        }
        for path in paths(&rest[2..]) {
            let path = join(&base, &path);
            // The longest prefix that is a module; the rest is an item.
            let ends = path.match_indices("::").map(|(at, _)| at);
            let parts = ends.chain([path.len()]).map(|end| &path[..end]);
            let target = parts.filter(|part| modules.contains(*part)).last();
            if let Some(target) = target.filter(|target| *target != module) {
                let at = lines.partition_point(|(begin, _)| *begin <= start);
                let number = at.checked_sub(1).map_or(0, |at| lines[at].1);
                let place = format!("{}:{number}", source.path);
                found.entry(target.to_owned()).or_insert(place);
            }
        }
    }
    found
}

/// The words of a text with their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

fn join(base: &str, path: &str) -> String {
    match (base, path) {
        ("", path) => path.to_owned(),
        (base, "") => base.to_owned(),
        (base, path) => format!("{base}::{path}"),
    }
}

/// The paths of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(tree: &str) -> Vec<String> {
    let tree = tree.trim_start();
    if let Some(inside) = tree.strip_prefix('{') {
        let (mut all, mut depth, mut start) = (Vec::new(), 0, 0);
        for (at, letter) in inside.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                '}' | ',' if depth == 0 => {
                    all.extend(paths(&inside[start..at]));
                    start = at + 1;
                    if letter == '}' {
                        return all;
                    }
                }
                _ => {}
            }
        }
        return all;
    }
    let end = tree.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let (first, rest) = tree.split_at(end.unwrap_or(tree.len()));
    match (first, rest.strip_prefix("::")) {
        ("", _) if rest.starts_with('*') => vec![String::new()],
        ("", _) => Vec::new(),
        ("self", _) => vec![String::new()],
        (first, None) => vec![first.to_owned()],
        (first, Some(rest)) => {
            let rest = paths(rest).into_iter();
            let all: Vec<String> = rest.map(|path| join(first, &path)).collect();
            // Not a path: `Vec::<u8>`.
            if all.is_empty() {
                vec![first.to_owned()]
            } else {
                all
            }
        }
    }
}

/// Each use of a higher layer by a lower one.
fn upward(modules: &Modules, layers: Layers) -> Vec<String> {
    let level = |module: &str| {
        let first = module.split("::").next().unwrap_or_default();
        let level = layers.iter().position(|layer| layer.contains(&first));
        level.unwrap_or_else(|| panic!("`{first}` stands in no layer of tests/it/tidy.rs"))
    };
    let mut found = Vec::new();
    for (module, others) in modules {
        let higher = others
            .iter()
            .filter(|(other, _)| level(other) > level(module));
        found.extend(higher.map(|(other, place)| format!("{place}: {module} uses {other}")));
    }
    found
}

/// The modules in cycles.
fn rings(modules: &Modules) -> Vec<Vec<&str>> {
    let reached = |from: &str| {
        let (mut all, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(module) = next.pop() {
            let others = modules.get(module).into_iter().flatten();
            for (other, _) in others {
                if all.insert(other.as_str()) {
                    next.push(other);
                }
            }
        }
        all
    };
    let from: BTreeMap<&str, BTreeSet<&str>> = modules
        .keys()
        .map(|module| (module.as_str(), reached(module)))
        .collect();
    let mut rings: BTreeSet<Vec<&str>> = BTreeSet::new();
    for (module, reached) in from.iter().filter(|(module, all)| all.contains(*module)) {
        let back = |other: &&&str| from.get(**other).is_some_and(|all| all.contains(module));
        rings.insert(reached.iter().filter(back).copied().collect());
    }
    rings.into_iter().collect()
}

#[test]
fn modules_use_no_higher_layer_and_form_no_cycle() {
    for (folder, layers) in LAYERS {
        let modules = modules(folder);
        assert_eq!(upward(&modules, layers), Vec::<String>::new());
        assert_eq!(rings(&modules), Vec::<Vec<&str>>::new(), "{folder}");
    }
    for (folder, known) in RINGS {
        let modules = modules(folder);
        assert_eq!(rings(&modules), *known, "{folder}");
    }
}

#[test]
fn cycles_and_layer_violations_are_found_in_every_spelling() {
    let source = |path: &str, lines: &[&str]| Source {
        path: path.to_owned(),
        code: (1..)
            .zip(lines.iter().map(|line| (*line).to_owned()))
            .collect(),
    };
    let names = ["low", "high", "high::part", "high::other"];
    let names: BTreeSet<String> = names.map(str::to_owned).into();
    let modules: Modules = [
        (
            "low",
            source("low.rs", &["use crate::{", "high::part::Thing,", "};"]),
        ),
        (
            "high",
            source("high/mod.rs", &["pub use other::*;", "use part::Thing;"]),
        ),
        (
            "high::part",
            source(
                "high/part.rs",
                &["fn f() { super::other::g(crate::low::X) }"],
            ),
        ),
        (
            "high::other",
            source("high/other.rs", &["use super::{self, part::{Thing, f}};"]),
        ),
    ]
    .into_iter()
    .map(|(name, source)| (name.to_owned(), named(name, &source, &names)))
    .collect();
    assert_eq!(
        upward(&modules, &[&["low"], &["high"]]),
        ["low.rs:1: low uses high::part"]
    );
    assert_eq!(
        rings(&modules),
        [["high", "high::other", "high::part", "low"]]
    );
}

#[test]
fn no_todo_and_no_ignored_test() {
    let words = [
        concat!("to", "do!("),
        concat!("unimplem", "ented!("),
        concat!("#[ig", "nore"),
        concat!("should_", "panic"),
    ];
    check(
        &[
            "core",
            "service",
            "server/src",
            "web/src",
            "component/host/src",
            "component/src",
            "pkg/calls/src",
            "pkg/src",
            "tests/it",
            "tests/support",
            "xtask/src",
        ],
        &words,
        &[],
    );
}

#[test]
fn only_listed_modules_use_the_simulation() {
    // The proof of sandbox mode has a single source.
    check(&["service/src"], &["Simulation("], &["service/src/mode.rs"]);
    check(
        &["service/src"],
        &[".simulation()"],
        &[
            "service/src/money/connection.rs",
            "service/src/due/mod.rs",
            "service/src/demo",
            "service/src/mode.rs",
            "service/src/chains/entry_points.rs",
            "service/src/unit/mod.rs",
            "service/src/money/prices.rs",
            "service/src/money/rates.rs",
            "service/src/money/venue",
        ],
    );
    check(
        &["service/src"],
        &["simulated::"],
        &[
            "service/src/chains/send.rs",
            "service/src/chains/entry_points.rs",
            "service/src/resources/signed_transfer.rs",
            "service/src/resources/checkout/start_checkout.rs",
            "service/src/due/mod.rs",
            "service/src/demo",
            "service/src/resources/payout/progress.rs",
            "service/src/sandbox",
            "service/src/chains/simulated.rs",
            "service/src/money/venue/mod.rs",
        ],
    );
}

#[test]
fn every_module_has_a_doc_comment() {
    let root = root();
    let mut silent = Vec::new();
    for source in sources(&[
        "core/src",
        "service/src",
        "server/src",
        "web/src",
        "component/host/src",
        "component/src",
        "pkg/calls/src",
        "pkg/src",
        "tests/it",
        "tests/support",
        "xtask/src",
    ]) {
        let text = fs::read_to_string(root.join(&source.path)).expect("a text");
        if !text.trim_start().starts_with("//!") {
            silent.push(source.path);
        }
    }
    assert_eq!(silent, Vec::<String>::new());
}

#[test]
fn no_module_is_longer_than_500_lines() {
    let long: Vec<String> = sources(&[
        "core/src",
        "service/src",
        "server/src",
        "web/src",
        "component/host/src",
        "component/src",
        "pkg/calls/src",
        "pkg/src",
        "xtask/src",
    ])
    .into_iter()
    .filter(|source| source.code.len() > 500)
    .map(|source| format!("{}: {}", source.path, source.code.len()))
    .collect();
    assert_eq!(long, Vec::<String>::new());
}

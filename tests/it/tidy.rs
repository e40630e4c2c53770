//! The invariants that text can show: what must not stand where.

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
            // What a test prints and holds current is not read by people.
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

/// No line of the folders' sources holds one of the words, but in the places allowed.
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
fn sql_stands_in_the_store_alone() {
    check(
        &[
            "core/src",
            "service/src",
            "server/src",
            "web/src",
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
        // The driver of PostgreSQL talks to its server: it is a host's connection, handed in.
        &[
            "service/src/store/postgres/database.rs",
            "service/src/store/postgres/mod.rs",
        ],
    );
}

#[test]
fn no_float_stands_where_money_lives() {
    check(&["core/src", "service/src"], &["f32", "f64"], &[]);
}

#[test]
fn only_the_server_knows_sockets() {
    check(
        &[
            "core/src",
            "client/src",
            "service/src",
            "web/src",
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
fn paths_and_header_names_of_the_interface_stand_in_core_alone() {
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
    // The demo tells its story as a merchant's program would.
    check(
        &[
            "client/src",
            "service/src",
            "server/src",
            "web/src",
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
    assert_eq!(writers, ["service/src/ledger/mod.rs"]);
}

#[test]
fn only_records_whose_writers_were_checked_name_where_money_goes() {
    check(
        &["service/src"],
        &["Destination::recorded"],
        &[
            // Shares, automations and trades that a checked caller set; who sent the money that is refunded; the demo's story.
            "service/src/account/split.rs",
            "service/src/trade/progress.rs",
            "service/src/payment/refund.rs",
            "service/src/demo/",
        ],
    );
}

#[test]
fn only_one_file_of_the_dashboard_fetches() {
    check(&["web/src"], &["gloo_net", "fetch("], &["web/src/api.rs"]);
}

#[test]
fn nothing_is_left_unfinished_and_no_test_is_switched_off() {
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
fn only_what_decides_what_is_connected_reaches_what_is_simulated() {
    // Proof of a sandbox is made in one place.
    check(
        &["service/src"],
        &["Simulation("],
        &["service/src/mode.rs", "service/src/venue/market.rs"],
    );
    check(
        &["service/src"],
        &[".simulation()"],
        &[
            "service/src/chain/connection.rs",
            "service/src/clock.rs",
            "service/src/demo",
            "service/src/mode.rs",
            "service/src/observe.rs",
            "service/src/sandbox",
            "service/src/venue/mod.rs",
        ],
    );
    check(
        &["service/src"],
        &["simulated::"],
        &[
            "service/src/chain/connection.rs",
            "service/src/checkout/start_checkout.rs",
            "service/src/clock.rs",
            "service/src/demo",
            "service/src/payout/progress.rs",
            "service/src/sandbox",
            "service/src/simulated.rs",
        ],
    );
}

#[test]
fn every_module_says_what_it_is_for() {
    let root = root();
    let mut silent = Vec::new();
    for source in sources(&[
        "core/src",
        "service/src",
        "server/src",
        "web/src",
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
fn no_module_is_longer_than_a_reader_can_hold() {
    let long: Vec<String> = sources(&[
        "core/src",
        "service/src",
        "server/src",
        "web/src",
        "pkg/src",
        "xtask/src",
    ])
    .into_iter()
    .filter(|source| source.code.len() > 500)
    .map(|source| format!("{}: {}", source.path, source.code.len()))
    .collect();
    assert_eq!(long, Vec::<String>::new());
}

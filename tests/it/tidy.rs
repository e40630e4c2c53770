//! The textual invariants of the source code.

use std::fs;
use std::path::{Path, PathBuf};

use crate::module_graph::{Graph, Layers};

/// A source file: its path from the root, and its text without comments and tests.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) code: Vec<(usize, String)>,
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

/// The folders with the code of the crates. Generated files, which are marked, are not read.
const CRATES: &[&str] = &[
    "client/examples",
    "client/src",
    "component/host/src",
    "component/src",
    "core/src",
    "pkg/calls/src",
    "pkg/forms/src",
    "pkg/src",
    "server/src",
    "service/src",
    "web/src",
];

/// The folders with tests and the project's commands.
const TESTS: &[&str] = &[
    "component/tests",
    "core/tests",
    "pkg/tests",
    "server/tests",
    "service/tests",
    "tests/it",
    "tests/support",
    "xtask/src",
];

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
        CRATES,
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
    check(CRATES, &["axum", "tower_http", "hyper::"], &["server/src/"]);
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
    // The demo and the examples send requests as a merchant's program would.
    check(
        CRATES,
        &words,
        &["client/examples/", "core/src/", "service/src/demo/"],
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
            "service/src/resources/trade/order.rs",
            "service/src/resources/payment/refund.rs",
            "service/src/demo/",
        ],
    );
}

#[test]
fn only_one_file_of_the_dashboard_sends_requests() {
    check(&["web/src"], &["gloo_net", "fetch("], &["web/src/api.rs"]);
}

/// A module may use its own layer and those below.
const LAYERS: &[(&str, Layers)] = &[
    (
        "service/src",
        &[
            &["eip191", "evm", "mode", "random"],
            &["store"],
            &["secret", "service"],
            &["unit"],
            &["money"],
            &["chains", "resources"],
            &["due"],
            &["sandbox"],
            &["request"],
            &["admin", "books"],
            &["crate", "demo", "step"],
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
            &["app", "crate", "lazy_pages"],
        ],
    ),
];

/// The permitted cycles of a crate. Each is a recursion, which no move of an item to another file ends.
///
/// - The contract's plan and paylink contain each other: the two records would have to stand in one file.
/// - A value of the contract decodes itself and has a stand-in, so it uses the reports of `decode` and `validate`; those check values.
const RINGS: &[(&str, &[&[&str]])] = &[
    (
        "core/src",
        &[
            &[
                "decode",
                "validate",
                "value::amount",
                "value::id",
                "value::open",
                "value::param",
                "value::reference",
                "value::timestamp",
            ],
            &["paylink", "plan"],
        ],
    ),
    ("service/src", &[]),
    ("server/src", &[]),
    ("web/src", &[]),
];

fn graph(folder: &str) -> Graph {
    Graph::of(folder, sources(&[folder]))
}

#[test]
fn modules_use_no_higher_layer_and_form_no_cycle() {
    for (folder, layers) in LAYERS {
        assert_eq!(graph(folder).upward(layers), Vec::<String>::new());
    }
    for (folder, known) in RINGS {
        assert_eq!(graph(folder).rings(), *known, "{folder}");
    }
}

/// The graph of files, each with its name in `src` and its lines.
fn graph_of(files: &[(&str, &[&str])]) -> Graph {
    let sources = files.iter().map(|(file, lines)| Source {
        path: format!("src/{file}"),
        code: (1..)
            .zip(lines.iter().map(|line| (*line).to_owned()))
            .collect(),
    });
    Graph::of("src", sources.collect())
}

#[test]
fn cycles_and_layer_violations_are_found_in_every_spelling() {
    let graph = graph_of(&[
        ("low.rs", &["use crate::{", "high::part::Thing,", "};"]),
        (
            "high/mod.rs",
            &["pub use other::*;", "use part::Thing;", "pub fn top() {}"],
        ),
        (
            "high/part.rs",
            &["fn f() { super::other::g(crate::low::X); super::top() }"],
        ),
        (
            "high/other.rs",
            &["use super::{self, part::{Thing, f}};", "fn g() {}"],
        ),
    ]);
    assert_eq!(
        graph.upward(&[&["low"], &["high"]]),
        ["src/low.rs:1: low uses high::part"]
    );
    assert_eq!(
        graph.rings(),
        [["high", "high::other", "high::part", "low"]]
    );
}

#[test]
fn a_parent_and_a_child_that_use_each_other_form_a_cycle() {
    let child: (&str, &[&str]) = ("room/part.rs", &["pub fn step() { super::top() }"]);
    let by_path = (
        "room/mod.rs",
        &["mod part;", "fn top() { part::step() }"][..],
    );
    let by_import = ("room/mod.rs", &["use part::step;", "fn top() {}"][..]);
    let by_export = (
        "room/mod.rs",
        &["pub use part::step;", "fn top() { step() }"][..],
    );
    let by_alias = (
        "room/mod.rs",
        &[
            "use crate::room::part as other;",
            "fn top() { other::step() }",
        ][..],
    );
    for parent in [by_path, by_import, by_export, by_alias] {
        let graph = graph_of(&[parent, child]);
        assert_eq!(graph.rings(), [["room", "room::part"]], "{parent:?}");
    }
    let only_exports = ("room/mod.rs", &["pub use part::step;", "fn top() {}"][..]);
    let no_rings = Vec::<Vec<&str>>::new();
    assert_eq!(graph_of(&[only_exports, child]).rings(), no_rings);
}

#[test]
fn cycles_through_re_exports_the_root_and_grandparents_are_found() {
    let exports = graph_of(&[
        ("room/mod.rs", &["pub use one::first;", "pub use two::*;"]),
        ("room/one.rs", &["pub fn first() { super::second() }"]),
        (
            "room/two.rs",
            &["use crate::room;", "pub fn second() { room::first() }"],
        ),
    ]);
    assert_eq!(exports.rings(), [["room::one", "room::two"]]);
    let root = graph_of(&[
        ("lib.rs", &["mod low;", "pub struct Host(low::Part);"]),
        ("low.rs", &["pub struct Part;", "fn f(_: crate::Host) {}"]),
    ]);
    assert_eq!(root.rings(), [["crate", "low"]]);
    let grandparent = graph_of(&[
        ("a/mod.rs", &["fn f() { b::c::g() }"]),
        ("a/b/mod.rs", &["pub mod c;"]),
        ("a/b/c.rs", &["pub fn g() { super::super::f() }"]),
    ]);
    assert_eq!(grandparent.rings(), [["a", "a::b::c"]]);
}

/// Longer handlers have a file of their own.
const HANDLER_LINES_MAX: usize = 15;

/// `CreateApiKey` as `create_api_key`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// The lines of code of a public function at the top level of a file; none if the file has no such function.
fn function_lines(source: &Source, name: &str) -> Option<usize> {
    let head = format!("pub(crate) fn {name}(");
    let mut lines = source.code.iter();
    lines.find(|(_, line)| line.starts_with(&head))?;
    let inner = lines.position(|(_, line)| line.starts_with('}'))?;
    Some(inner + 2)
}

/// `git ls-files | grep cancel_payment` shows where an operation is declared, handled and tested. Short handlers may share a file:
/// a longer one has a file of its own, with what only it needs.
#[test]
fn an_operation_is_found_by_the_names_of_its_files() {
    let (core, service, tests) = (
        sources(&["core/src"]),
        sources(&["service/src/resources", "service/src/sandbox"]),
        sources(&["tests/it"]),
    );
    let mut missing = Vec::new();
    for operation in settlekit_core::catalogue::CATALOGUE {
        let (room, name) = (operation.room, snake_case(operation.id));
        let is_there = |sources: &[Source], folder: &str| {
            let file = format!("{folder}/{name}.rs");
            sources.iter().any(|source| source.path.ends_with(&file))
        };
        if !is_there(&core, &format!("core/src/{room}")) {
            missing.push(format!("{name} is not declared in a file of its name"));
        }
        if !is_there(&tests, &format!("tests/it/{room}")) {
            missing.push(format!("{name} has no tests in a file of its name"));
        }
        let handlers = service
            .iter()
            .filter_map(|source| function_lines(source, &name));
        let longest = handlers.max().unwrap_or_default();
        assert!(longest > 0, "{name} has a handler");
        if longest > HANDLER_LINES_MAX && !is_there(&service, "") {
            missing.push(format!("{name} has {longest} lines in another file"));
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn no_todo_and_no_ignored_test() {
    let words = [
        concat!("to", "do!("),
        concat!("unimplem", "ented!("),
        concat!("#[ig", "nore"),
        concat!("should_", "panic"),
    ];
    check(&[CRATES, TESTS].concat(), &words, &[]);
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
            "service/src/resources/checkout/pay_from_test_wallet.rs",
            "service/src/due/mod.rs",
            "service/src/demo",
            "service/src/resources/payout/send.rs",
            "service/src/sandbox",
            "service/src/chains/simulated.rs",
            "service/src/money/venue/mod.rs",
        ],
    );
}

/// Hosts import the component's interfaces by this version.
#[test]
fn the_component_has_the_version_of_the_workspace() {
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        (
            "component/wit/settlekit.wit",
            format!("package settlekit:core@{VERSION};"),
        ),
        (
            "component/README.md",
            format!("package `settlekit:core@{VERSION}`"),
        ),
        (
            "component/tests/python/settlekit.py",
            format!("settlekit:core/{{interface}}@{VERSION}"),
        ),
    ] {
        let text = fs::read_to_string(root().join(file)).expect("a text");
        assert!(text.contains(&line), "{file} has no `{line}`");
    }
}

#[test]
fn every_module_has_a_doc_comment() {
    let root = root();
    let mut silent = Vec::new();
    for source in sources(&[CRATES, TESTS].concat()) {
        let text = fs::read_to_string(root.join(&source.path)).expect("a text");
        if !text.trim_start().starts_with("//!") {
            silent.push(source.path);
        }
    }
    assert_eq!(silent, Vec::<String>::new());
}

#[test]
fn no_module_is_longer_than_500_lines() {
    let long: Vec<String> = sources(&[CRATES, &["xtask/src"]].concat())
        .into_iter()
        .filter(|source| source.code.len() > 500)
        .map(|source| format!("{}: {}", source.path, source.code.len()))
        .collect();
    assert_eq!(long, Vec::<String>::new());
}

/// The sentence at the head of a long module of the store, before its reason.
const LONG: &str = "//! Longer than 400 lines: ";

#[test]
fn a_module_of_the_store_with_more_than_400_lines_says_why_at_its_head() {
    let root = root();
    let mut wrong = Vec::new();
    for source in sources(&["service/src/store"]) {
        let text = fs::read_to_string(root.join(&source.path)).expect("a text");
        let lines = text.lines().count();
        let mut head = text.lines().take_while(|line| line.starts_with("//!"));
        let says_why = head.any(|line| {
            let reason = line.strip_prefix(LONG);
            reason.is_some_and(|reason| reason.ends_with('.'))
        });
        // A module that has become shorter needs no reason.
        if (lines > 400) != says_why {
            wrong.push(format!("{}: {lines}", source.path));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

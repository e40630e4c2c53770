//! The public API of the crates for Rust programs, compared with the committed reports.
//!
//! A change of a report is a change for users: `cargo semver-checks` says whether it is a breaking one.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use public_api::PublicApi;

use crate::documents::current;

/// rustdoc writes JSON only with its unstable options. They are turned on for rustdoc alone: the dependencies are shared with
/// other builds, and some of them are built again whenever this variable changes.
const RUSTDOC: &str = "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc \"$@\"\n";

fn read(package: &str) -> PublicApi {
    let folder = tempfile::tempdir().expect("a folder");
    let rustdoc = folder.path().join("rustdoc");
    fs::write(&rustdoc, RUSTDOC).expect("a script");
    fs::set_permissions(&rustdoc, fs::Permissions::from_mode(0o755)).expect("a program");
    let cargo = |words: &[&str]| {
        let output = Command::new("cargo")
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
            .args(words)
            .env("RUSTDOC", &rustdoc)
            .output()
            .expect("cargo runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{package}: {errors}");
        output.stdout
    };
    let unstable = ["--", "-Z", "unstable-options", "--output-format", "json"];
    cargo(&[&["rustdoc", "--package", package, "--lib"], &unstable[..]].concat());
    let metadata = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: serde_json::Value = serde_json::from_slice(&metadata).expect("JSON");
    let target = metadata["target_directory"].as_str().expect("a folder");
    let file = format!("{target}/doc/{}.json", package.replace('-', "_"));
    public_api::Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .expect("the file has the format that is known")
}

/// One line for each public item, in the order of the paths. Left out are derived implementations, and what an implementation of
/// a trait contains, except for its types: the trait says it.
fn report(package: &str) -> String {
    let api = read(package);
    let text = |item: &public_api::PublicItem| item.to_string();
    let implementations: HashSet<_> = api
        .items()
        .filter(|item| text(item).starts_with("impl") && text(item).contains(" for "))
        .map(|item| item.id())
        .collect();
    let prefix = format!("{}::", package.replace('-', "_"));
    let mut printed = HashSet::new();
    let mut lines = String::new();
    for item in api.items() {
        let is_within = item
            .parent_id()
            .is_some_and(|parent| implementations.contains(&parent));
        let line = text(item).replace(&prefix, "");
        if (!is_within || line.starts_with("pub type")) && printed.insert(line.clone()) {
            lines.push_str(&line);
            lines.push('\n');
        }
    }
    lines
}

#[test]
fn the_public_api_of_core_is_current() {
    current("core/public-api.txt", &report("settlekit-core"));
}

#[test]
fn the_public_api_of_the_client_is_current() {
    current("client/public-api.txt", &report("settlekit"));
}

//! `cargo xtask print`: updates all files that are generated from code, or from other documents.

use std::process::ExitCode;

use crate::test::read_summary;
use crate::workspace::Workspace;
use crate::{Result, dev, npm, package, process, site};

/// Tests that write `docs/`, the list in `web/docs/errors.html`, `tests/vectors/` and the crates' API reports if
/// `SETTLEKIT_RECORD` is set.
const PRINTERS: [&str; 12] = [
    "the_list_of_operations_is_current",
    "the_openapi_document_is_current",
    "the_list_of_errors_is_current",
    "the_guide_to_errors_is_current",
    "the_state_tables_are_current",
    "the_public_api_of_core_is_current",
    "the_public_api_of_the_client_is_current",
    "every_operation_has_a_recorded_request_and_response",
    "every_record_survives_a_round_trip_with_all_fields",
    "invalid_requests_of_every_operation_are_recorded_with_the_errors_of_the_service",
    "one_payment_is_byte_identical_on_every_database",
    "one_chain_is_byte_identical_on_every_database",
];

/// Prints documents and recordings, then the sources and reports of the npm packages, then what is printed from the guides.
pub(crate) fn print(workspace: &Workspace) -> Result<ExitCode> {
    let _lock = workspace.lock_target()?;
    // The tests start PostgreSQL from these packages, to compare a recording.
    npm::install(workspace, "tests")?;
    println!("Printing docs/, tests/vectors/ and the API reports of core and client.");
    let mut tests = workspace.native("test")?;
    tests
        .args(["--test", "it", "--"])
        .args(PRINTERS)
        .env("SETTLEKIT_RECORD", "1");
    let mut passed = 0;
    let succeeded = process::watch(&mut tests, &mut |line| passed += read_summary(line).passed)?;
    if !succeeded {
        return Err(format!("`{}` failed", process::line(&tests)));
    }
    // A renamed test would silently print nothing.
    if passed as usize != PRINTERS.len() {
        return Err(format!(
            "{passed} tests printed, not the {} that xtask/src/print.rs names",
            PRINTERS.len()
        ));
    }
    if package::exists(workspace) {
        println!("Printing the npm package's types, version and reports.");
        let mut types = workspace.native("test")?;
        process::run(types.args(["--test", "typescript"]).env("UPDATE", "1"))?;
        package::build(workspace)?;
        let mut reports = workspace.command("node");
        reports
            .current_dir(workspace.root.join("pkg"))
            .args(["--test", "test/api.test.js"])
            .env("UPDATE", "1");
        process::run(&mut reports)?;
    }
    if dev::exists(workspace) {
        println!("Printing the operations of the command line.");
        let mut catalogue = workspace.command("node");
        process::run(
            catalogue
                .current_dir(workspace.root.join("dev"))
                .arg("catalogue.mjs"),
        )?;
    }
    if site::exists(workspace) {
        println!("Printing parts of the READMEs and web/docs.");
        npm::install(workspace, site::PACKAGE)?;
        process::run(&mut npm::script(workspace, site::PACKAGE, "print"))?;
    }
    println!("Printed. `git status` shows what has changed.");
    Ok(ExitCode::SUCCESS)
}

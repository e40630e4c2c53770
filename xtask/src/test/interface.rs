//! Calls every operation with requests generated from its description, on both databases.

use std::path::Path;
use std::process::Command;

use super::count::{Tally, read_interface};
use super::server::{Content, Server};
use crate::Result;
use crate::workspace::Workspace;
use crate::{process, python};

/// Runs both in parallel; prints the output of each afterwards, that of a failed run last.
pub(super) fn test(workspace: &Workspace, tally: &mut Tally) -> Result<()> {
    let program = python::schemathesis(workspace)?;
    let servers = [
        ("SQLite", Server::start(workspace, Content::Empty)?),
        ("PostgreSQL", Server::start_on_postgres(workspace)?),
    ];
    let results = std::thread::scope(|scope| {
        let calls = servers
            .each_ref()
            .map(|(_, server)| scope.spawn(|| call_everything(workspace, &program, server)));
        calls.map(|call| call.join().unwrap_or_else(|_| Err("broken off".to_owned())))
    });
    let mut runs = Vec::new();
    for ((kind, _), result) in servers.iter().zip(results) {
        runs.push((
            *kind,
            result.map_err(|sentence| format!("on {kind}: {sentence}"))?,
        ));
    }
    runs.sort_by_key(|(_, result)| !result.succeeded);
    let mut unfinished = Vec::new();
    for (kind, result) in runs {
        println!("--- on {kind} ---\n{}", result.said.join("\n"));
        tally.add(result.tally);
        if !result.succeeded && result.tally.failed == 0 {
            unfinished.push(kind);
        }
    }
    if unfinished.is_empty() {
        Ok(())
    } else {
        let kinds = unfinished.join(" and ");
        Err(format!("Schemathesis did not finish on {kinds}"))
    }
}

/// Result of a run against one server.
struct RunResult {
    succeeded: bool,
    tally: Tally,
    said: Vec<String>,
}

/// Runs Schemathesis with signed requests: fails on a 500, an undocumented status, or an answer outside its schema.
fn call_everything(workspace: &Workspace, program: &Path, server: &Server) -> Result<RunResult> {
    let mut command = Command::new(program);
    command
        .env("SCHEMATHESIS_HOOKS", "hooks")
        .env("PYTHONPATH", workspace.root.join("tests/interface"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("SETTLEKIT_URL", server.url())
        .env("SETTLEKIT_API_KEY", server.api_key()?)
        .env("SETTLEKIT_SIGNING_SECRET", server.signing_secret()?)
        .env("SETTLEKIT_EMAIL", "ada@consumer.example")
        .env(
            "SETTLEKIT_PASSWORD",
            server.add_member("ada@consumer.example")?,
        )
        // Excludes the operation that makes others fail, and the endless stream.
        .args(["run", "--exclude-operation-id", "createFault"])
        .args(["--exclude-operation-id", "streamOverview"])
        .arg(format!("{}/openapi.json", server.url()))
        .arg("--url")
        .arg(format!("{}/v1", server.url()))
        .arg("--header")
        .arg(format!("X-API-KEY: {}", server.api_key()?))
        .args(["--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"])
        .args(["--phases", "examples,coverage,fuzzing", "--max-examples", "3"])
        // Python 3.11 sometimes fails to parse in two threads at once (python/cpython#106905).
        .args(["--seed", "1", "--generation-database", "none", "--workers", "1", "--no-color"])
        // The default of 10 seconds is too short for a password's hash beside the builds of other stages.
        .args(["--request-timeout", "60"])
        .args(["--suppress-health-check", "all", "--warnings", "off"]);
    let mut result = RunResult {
        succeeded: false,
        tally: Tally::default(),
        said: Vec::new(),
    };
    result.succeeded = process::listen(&mut command, &mut |line| {
        result.tally.add(read_interface(line));
        result.said.push(line.to_owned());
    })?;
    Ok(result)
}

//! Calls every operation with requests generated from its description, on both databases.

use std::path::Path;
use std::process::Command;

use super::count::{Tally, read_interface};
use super::server::{Content, Server};
use crate::Result;
use crate::place::Place;
use crate::{process, python};

/// Runs both in parallel; prints the second output after the first.
pub(super) fn test(place: &Place, tally: &mut Tally) -> Result<()> {
    let program = python::schemathesis(place)?;
    let servers = [
        ("SQLite", Server::start(place, Content::Empty)?),
        ("PostgreSQL", Server::start_on_postgres(place)?),
    ];
    let called = std::thread::scope(|scope| {
        let calls = servers
            .each_ref()
            .map(|(_, server)| scope.spawn(|| call_everything(place, &program, server)));
        calls.map(|call| call.join().unwrap_or_else(|_| Err("broken off".to_owned())))
    });
    let mut unfinished = Vec::new();
    for ((kind, _), called) in servers.iter().zip(called) {
        let called = called.map_err(|sentence| format!("on {kind}: {sentence}"))?;
        println!("--- on {kind} ---\n{}", called.said.join("\n"));
        tally.add(called.tally);
        if !called.succeeded && called.tally.failed == 0 {
            unfinished.push(*kind);
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
fn call_everything(place: &Place, program: &Path, server: &Server) -> Result<RunResult> {
    let mut command = Command::new(program);
    command
        .env("SCHEMATHESIS_HOOKS", "hooks")
        .env("PYTHONPATH", place.root.join("tests/interface"))
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
        .args(["--seed", "1", "--generation-database", "none", "--workers", "2", "--no-color"])
        .args(["--suppress-health-check", "all", "--warnings", "off"]);
    let mut called = RunResult {
        succeeded: false,
        tally: Tally::default(),
        said: Vec::new(),
    };
    called.succeeded = process::listen(&mut command, &mut |line| {
        called.tally.add(read_interface(line));
        called.said.push(line.to_owned());
    })?;
    Ok(called)
}

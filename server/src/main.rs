//! The program `settlekit`.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    settlekit_server::run(settlekit_server::config::Cli::parse())
}

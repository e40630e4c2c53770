//! `cargo xtask dist`: what is handed out to those who run Settlekit or want to look at it.

use std::fs;
use std::process::ExitCode;

use crate::Result;
use crate::place::Place;
use crate::{demo, run};

/// Makes `out/settlekit` and `out/demo`, or the one of them that is named: `server`, `demo`.
pub(crate) fn dist(place: &Place, words: &[&str]) -> Result<ExitCode> {
    if let Some(unknown) = words.iter().find(|word| !["server", "demo"].contains(word)) {
        return Err(format!("dist makes `server` and `demo`, not `{unknown}`"));
    }
    let _lock = place.lock_target()?;
    if words.is_empty() || words.contains(&"server") {
        server(place)?;
    }
    if words.is_empty() || words.contains(&"demo") {
        demo::build(place)?;
        println!("The demo:   {}", demo::folder(place).display());
    }
    Ok(ExitCode::SUCCESS)
}

fn server(place: &Place) -> Result<()> {
    run::build(place)?;
    let program = place.root.join("out/settlekit");
    fs::create_dir_all(place.root.join("out"))
        .map_err(|error| format!("cannot create the folder `out`: {error}"))?;
    fs::copy(place.target.join("release/settlekit"), &program)
        .map_err(|error| format!("cannot write {}: {error}", program.display()))?;
    println!("The server: {}", program.display());
    Ok(())
}

//! `cargo xtask dist`: builds the deliverables, server and demo, and the documentation site.

use std::process::ExitCode;

use crate::Result;
use crate::demo::Root;
use crate::workspace::Workspace;
use crate::{demo, file, run, site};

/// Builds `out/settlekit` and `out/demo`, or only what is named: `server`, `demo`, `site`. `--at /FOLDER` also builds the demo for a
/// path of an origin, below `out/demo-at`.
pub(crate) fn dist(workspace: &Workspace, words: &[&str]) -> Result<ExitCode> {
    let (mut named, mut root) = (Vec::new(), None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "server" | "demo" | "site" => named.push(*word),
            "--at" => root = Some(Root::new(words.next().copied().unwrap_or_default())?),
            unknown => {
                return Err(format!(
                    "dist makes `server`, `demo` and `site`, `--at` a folder, not `{unknown}`"
                ));
            }
        }
    }
    let _lock = workspace.lock_target()?;
    if named.is_empty() || named.contains(&"server") {
        server(workspace)?;
    }
    if named.is_empty() || named.contains(&"demo") {
        demo::build(workspace)?;
        println!("The demo:   {}", demo::folder(workspace).display());
    }
    if named.contains(&"site") {
        site::build(workspace)?;
        println!("The site:   {}", site::folder(workspace).display());
    }
    if let Some(root) = root {
        let folder = demo::copy_to_path(workspace, &root)?;
        println!("The same for {root}: {}", folder.display());
    }
    Ok(ExitCode::SUCCESS)
}

fn server(workspace: &Workspace) -> Result<()> {
    run::build(workspace)?;
    let program = workspace.root.join("out/settlekit");
    file::create_folder(&workspace.root.join("out"))?;
    file::copy(&workspace.target.join("release/settlekit"), &program)?;
    println!("The server: {}", program.display());
    Ok(())
}

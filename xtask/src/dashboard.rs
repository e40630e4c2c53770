//! Builds the dashboard: trunk, splitting, strict content security policy, compression.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use crate::Result;
use crate::digest::Digest;
use crate::product::{Product, replace};
use crate::workspace::Workspace;
use crate::{file, npm, process, split, tools};

/// Inputs of the build.
const SOURCES: [&str; 6] = [
    "core",
    "web",
    "index.html",
    "Trunk.toml",
    "xtask/src/dashboard.rs",
    "xtask/src/split.rs",
];

/// Whether the dashboard can be built with trunk.
pub(crate) fn exists(workspace: &Workspace) -> bool {
    workspace.root.join("index.html").is_file() && workspace.root.join("Trunk.toml").is_file()
}

fn product(workspace: &Workspace) -> Result<Product> {
    Product::new(workspace, "dashboard", "dist", &SOURCES)
}

/// Whether `dist` is up to date.
pub(crate) fn is_there(workspace: &Workspace) -> Result<bool> {
    product(workspace)?.is_there()
}

/// Builds `dist/` unless it is up to date.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    // Its inputs are read first: an edit during the build makes the result outdated.
    let product = product(workspace)?;
    if product.is_there()? {
        return Ok(());
    }
    prepare(workspace)?;
    // A server may be reading `dist`, so it is replaced as a whole.
    let dist = workspace.root.join(".dist");
    let _ = fs::remove_dir_all(&dist);
    // trunk parses NO_COLOR itself and rejects the customary `1`.
    process::run(
        workspace
            .command("trunk")
            .args(["build", "--release", "--features", "split", "--dist"])
            .arg(&dist)
            .env_remove("NO_COLOR"),
    )?;
    split::split(workspace, &dist)?;
    join_styles(&dist)?;
    move_script_out(&dist)?;
    minify(workspace, &dist)?;
    copy_viewer(
        &workspace.root.join("web/node_modules/swagger-ui-dist"),
        &dist,
    )?;
    process::run(
        workspace
            .command("node")
            .arg("--input-type=module")
            .arg("--eval")
            .arg(COMPRESS)
            .arg(&dist),
    )?;
    replace(product.folder(), &dist)?;
    product.keep()
}

/// Installs the tools and compiles the program in parallel: on a new machine both take minutes, and the compiler ends with one
/// crate on one core.
fn prepare(workspace: &Workspace) -> Result<()> {
    tools::wasm_target()?;
    thread::scope(|scope| {
        let compiled = scope.spawn(|| compile(workspace));
        npm::install(workspace, "web")?;
        tools::WASM_BINDGEN.install(workspace)?;
        tools::WASM_SPLIT.install(workspace)?;
        tools::TRUNK.install(workspace)?;
        compiled
            .join()
            .unwrap_or_else(|_| Err("compiling the dashboard broke off".to_owned()))
    })
}

/// Compiles the program with trunk's options, so that trunk finds it compiled.
fn compile(workspace: &Workspace) -> Result<()> {
    fetch(workspace)?;
    println!("Compiling the dashboard (two to four minutes the first time, half a minute after).");
    process::run(
        workspace
            .command("cargo")
            .args(["build", "--quiet", "--locked", "--offline"])
            .args(["--target", "wasm32-unknown-unknown", "--profile", "wasm"])
            .args(["--manifest-path", "web/Cargo.toml", "--features", "split"]),
    )
}

/// Downloads the crates, those of build scripts and macros too: trunk runs offline, so that it never downloads tools of its own.
fn fetch(workspace: &Workspace) -> Result<()> {
    let words = ["fetch", "--quiet", "--locked"];
    let targets = [
        "--target",
        "wasm32-unknown-unknown",
        "--target",
        "host-tuple",
    ];
    process::run(workspace.command("cargo").args(words).args(targets))
}

/// Serves the dashboard with live reload and the API of `cargo xtask run`. Arguments are passed to trunk.
pub(crate) fn watch(workspace: &Workspace, words: &[&str]) -> Result<ExitCode> {
    {
        let _lock = workspace.lock_target()?;
        tools::wasm_target()?;
        tools::WASM_BINDGEN.install(workspace)?;
        tools::TRUNK.install(workspace)?;
        fetch(workspace)?;
    }
    let mut trunk = workspace.command("trunk");
    // Not `dist`, which `cargo xtask run` serves.
    trunk
        .args(["serve", "--dist"])
        .arg(workspace.root.join("target/xtask/watch"))
        .args(words)
        .env_remove("NO_COLOR");
    Err(process::exec(&mut trunk))
}

/// Minifies scripts and styles. File names stay, because they contain a hash of the input.
fn minify(workspace: &Workspace, dist: &Path) -> Result<()> {
    let mut esbuild = workspace.command("esbuild");
    // wasm-bindgen's script contains the loader once per part.
    esbuild.args(["--minify", "--charset=utf8", "--log-level=warning"]);
    esbuild.arg("--log-override:duplicate-object-key=silent");
    for (option, folder) in [("--outdir=", dist), ("--outbase=", dist)] {
        let mut option = OsString::from(option);
        option.push(folder);
        esbuild.arg(option);
    }
    esbuild.arg("--allow-overwrite");
    for folder in [dist.to_owned(), dist.join("pay")] {
        let files = file::entries(&folder)?.into_iter();
        esbuild.args(files.filter(|path| {
            path.extension()
                .is_some_and(|kind| kind == "js" || kind == "css")
        }));
    }
    process::run(&mut esbuild)
}

/// Copies the viewer of the OpenAPI document, so that nothing is loaded from other hosts.
fn copy_viewer(package: &Path, dist: &Path) -> Result<()> {
    for name in VIEWER {
        let from = package.join(name);
        let copied = fs::copy(&from, dist.join("docs").join(name));
        copied.map_err(file::cannot("copy", &from))?;
    }
    Ok(())
}

/// Files of the viewer that a browser needs, and its licence.
const VIEWER: [&str; 4] = [
    "swagger-ui-bundle.js",
    "swagger-ui.css",
    "LICENSE",
    "NOTICE",
];

/// Joins the style sheets: each would be a request before the first paint.
fn join_styles(dist: &Path) -> Result<()> {
    let page = dist.join("index.html");
    let (html, sheets) = split_styles(&file::read_text(&page)?)?;
    let mut style = String::new();
    for sheet in sheets {
        let path = dist.join(&sheet);
        style.push_str(&file::read_text(&path)?);
        file::remove(&path)?;
    }
    let name = format!("style-{}.css", Digest::new().text(&style).finish());
    let html = html.replace(STYLE, &format!("/{name}"));
    file::write(&dist.join(&name), style)?;
    file::write(&page, html)
}

const STYLE: &str = "/style.css";

/// Replaces the style sheets in the page by one reference; returns the page and the names in order.
fn split_styles(html: &str) -> Result<(String, Vec<String>)> {
    const OPEN: &str = "<link rel=\"stylesheet\" href=\"/";
    let mut sheets = Vec::new();
    let mut page = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (name, after) = after
            .split_once('"')
            .ok_or("a style sheet of the page that trunk built has no end to its name")?;
        let (_, after) = after
            .split_once('>')
            .ok_or("a style sheet's link in the page that trunk built has no end")?;
        page.push_str(before);
        if sheets.is_empty() {
            page.push_str(&format!("<link rel=\"stylesheet\" href=\"{STYLE}\">"));
        }
        sheets.push(name.to_owned());
        rest = after;
    }
    page.push_str(rest);
    if sheets.is_empty() {
        return Err(
            "the page that trunk built has no style sheet: has its template changed?".to_owned(),
        );
    }
    Ok((page, sheets))
}

/// Moves trunk's inline start script to a file, for a policy without `unsafe-inline`.
fn move_script_out(dist: &Path) -> Result<()> {
    let page = dist.join("index.html");
    let (html, script) = split_script(&file::read_text(&page)?)?;
    let name = format!("boot-{}.js", Digest::new().text(&script).finish());
    let html = html.replace(PLACEHOLDER, &format!("/{name}"));
    file::write(&dist.join(&name), script)?;
    file::write(&page, html)
}

const PLACEHOLDER: &str = "/boot.js";

/// Replaces the inline module script in the page by a reference; returns the page and the script.
fn split_script(html: &str) -> Result<(String, String)> {
    const OPEN: &str = "<script type=\"module\"";
    const CLOSE: &str = "</script>";
    for (start, _) in html.match_indices(OPEN) {
        let Some(inside) = html[start..].find('>').map(|end| start + end + 1) else {
            continue;
        };
        let Some(end) = html[inside..].find(CLOSE).map(|end| inside + end) else {
            continue;
        };
        let script = html[inside..end].trim();
        if script.is_empty() {
            continue;
        }
        let (before, after) = (&html[..start], &html[end + CLOSE.len()..]);
        return Ok((
            format!("{before}<script type=\"module\" src=\"{PLACEHOLDER}\"></script>{after}"),
            format!("{script}\n"),
        ));
    }
    Err(
        "the page that trunk built has no inline module script: has its template changed?"
            .to_owned(),
    )
}

/// Script that compresses files with Brotli at the highest quality, in parallel, where it saves space.
const COMPRESS: &str = r#"
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
const folder = process.argv[1];
const names = await readdir(folder, { recursive: true });
await Promise.all(names.filter((name) => /\.(html|js|css|wasm|svg|json|txt|ico)$/.test(name)).map(async (name) => {
  const bytes = await readFile(join(folder, name));
  const small = await promisify(brotliCompress)(bytes, { params: {
    [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  if (small.length < bytes.length) await writeFile(join(folder, name + ".br"), small);
}));
"#;

#[cfg(test)]
mod tests {
    use super::{split_script, split_styles};

    #[test]
    fn the_inline_script_moves_out_and_leaves_a_reference() {
        let page = "<head>\n<script type=\"module\" src=\"/theme.js\"></script>\n<script type=\"module\" nonce=\"x\">\nimport a from '/a.js';\n</script>\n</head>";
        let (html, script) = split_script(page).expect("the page has an inline script");
        assert_eq!(script, "import a from '/a.js';\n");
        assert_eq!(
            html,
            "<head>\n<script type=\"module\" src=\"/theme.js\"></script>\n<script type=\"module\" src=\"/boot.js\"></script>\n</head>"
        );
    }

    #[test]
    fn style_sheets_are_joined_in_order() {
        let page = "<head>\n<link rel=\"stylesheet\" href=\"/a-1.css\" integrity=\"sha384-x\"/>\n<link rel=\"icon\" href=\"/i.svg\"><link rel=\"stylesheet\" href=\"/b-2.css\"/></head>";
        let (html, sheets) = split_styles(page).expect("the page has style sheets");
        assert_eq!(sheets, ["a-1.css", "b-2.css"]);
        assert_eq!(
            html,
            "<head>\n<link rel=\"stylesheet\" href=\"/style.css\">\n<link rel=\"icon\" href=\"/i.svg\"></head>"
        );
    }

    #[test]
    fn a_page_without_an_inline_script_is_refused() {
        assert!(split_script("<head></head>").is_err());
    }
}

//! The dashboard's program in parts: one that is loaded first, and those that are fetched when somebody goes there.
//!
//! trunk knows nothing of parts: it builds the whole program, which would want them and cannot have them. So what cargo
//! made is taken again here, cut at the functions that `web/src/lazy_pages.rs` marks, bound, optimised, and put in its place.

use std::fs;
use std::path::{Path, PathBuf};

use crate::digest::Digest;
use crate::place::Place;
use crate::{Result, process};

/// What trunk calls the program.
const NAME: &str = "settlekit-web";
/// What the splitter calls the script that fetches parts.
const LOADER: &str = "__wasm_split";
/// What the compiler uses of WebAssembly: the optimiser cannot see it in a part.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Puts the program in parts in place of the whole one in `dist`.
pub(crate) fn split(place: &Place, dist: &Path) -> Result<()> {
    let whole = place
        .target
        .join(format!("wasm32-unknown-unknown/wasm/{NAME}.wasm"));
    let folder = place.root.join("target/xtask/split");
    let (parts, bound) = (folder.join("parts"), folder.join("bound"));
    // What an earlier run left must not pass for a part.
    let _ = fs::remove_dir_all(&folder);
    process::run(
        place
            .command("wasm-split-cli")
            .args(["--target", "web", "--out-name", NAME])
            .args([&whole, &parts]),
    )?;
    process::run(
        place
            .command("wasm-bindgen")
            // The parts are linked to the first one by what these leave as it is.
            .args(["--keep-lld-exports", "--no-demangle"])
            .args(["--target", "web", "--no-typescript", "--out-name", NAME])
            .arg("--out-dir")
            .args([&bound, &parts.join(format!("{NAME}.wasm"))]),
    )?;

    let mut files = vec![
        (format!("{NAME}.js"), bound.join(format!("{NAME}.js"))),
        (
            format!("{NAME}_bg.wasm"),
            bound.join(format!("{NAME}_bg.wasm")),
        ),
        (format!("{LOADER}.js"), parts.join(format!("{LOADER}.js"))),
    ];
    for name in names(&parts)? {
        if name.ends_with(".wasm") && name != format!("{NAME}.wasm") {
            let path = parts.join(&name);
            files.push((name, path));
        }
    }
    for (name, path) in &files {
        if path.extension().is_some_and(|kind| kind == "wasm") {
            optimise(place, path, name.starts_with(NAME))?;
        }
    }
    replace(dist, &files)
}

/// Makes a part small. What is loaded first is made fast before: it is smaller then, and takes twice the time here.
///
/// The lowest kilobyte of the memory is the far end of the stack: no address is computed from below it.
fn optimise(place: &Place, module: &Path, first: bool) -> Result<()> {
    let mut wasm_opt = place.command("wasm-opt");
    if first {
        wasm_opt.arg("-O2");
    }
    wasm_opt.args(["--low-memory-unused", "-Oz"]).args(FEATURES);
    process::run(wasm_opt.args([module, Path::new("-o"), module]))
}

/// Writes the files under names that change with any of them, for they name each other, and lets the page name them.
fn replace(dist: &Path, files: &[(String, PathBuf)]) -> Result<()> {
    let mut digest = Digest::new();
    for (name, path) in files {
        digest.text(name).bytes(&read(path)?);
    }
    let hash = digest.finish();
    let old: Vec<String> = names(dist)?
        .into_iter()
        .filter(|name| name.starts_with(NAME))
        .collect();
    let page = dist.join("index.html");
    let mut html = text(&page)?;
    for name in &old {
        html = html.replace(name, &hashed(&unhashed(name), &hash));
        fs::remove_file(dist.join(name))
            .map_err(|error| format!("cannot remove {name}: {error}"))?;
    }
    // The script that fetches parts is needed at the start: not only once the other one has said so.
    let script = hashed(&format!("{NAME}.js"), &hash);
    let loader = hashed(&format!("{LOADER}.js"), &hash);
    let preload = |name: &str| {
        format!("<link rel=\"modulepreload\" href=\"/{name}\" crossorigin=\"anonymous\">")
    };
    if !html.contains(&preload(&script)) {
        return Err(
            "the page that trunk built does not preload its script: has its template changed?"
                .to_owned(),
        );
    }
    html = html.replace(&preload(&script), &(preload(&script) + &preload(&loader)));
    write(&page, html.as_bytes())?;
    for (name, path) in files {
        let mut bytes = read(path)?;
        if name.ends_with(".js") {
            let mut text = text(path)?;
            for (other, _) in files {
                // Only what is fetched: `from "./x.js"` and `new URL("./x.wasm"`. The first part asks for its imports by
                // the loader's plain name.
                for before in ["from \"./", "new URL(\"./", "new URL('"] {
                    text = text.replace(
                        &format!("{before}{other}"),
                        &format!("{before}{}", hashed(other, &hash)),
                    );
                }
            }
            bytes = text.into_bytes();
        }
        write(&dist.join(hashed(name, &hash)), &bytes)?;
    }
    Ok(())
}

/// `a_bg.wasm` with a hash: `a-0123456789abcdef_bg.wasm`, as trunk writes it.
fn hashed(name: &str, hash: &str) -> String {
    let (stem, rest) = name.split_at(name.find("_bg.").or(name.find('.')).unwrap_or(name.len()));
    format!("{stem}-{hash}{rest}")
}

/// The name without its hash.
fn unhashed(name: &str) -> String {
    let (stem, rest) = name.split_at(name.find("_bg.").or(name.find('.')).unwrap_or(name.len()));
    let stem = stem.rsplit_once('-').map_or(stem, |(stem, _)| stem);
    format!("{stem}{rest}")
}

/// The names of a folder's files, in order.
fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

fn text(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(file, bytes).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::{hashed, unhashed};

    #[test]
    fn a_name_takes_a_hash_where_trunk_puts_it_and_gives_it_back() {
        for (plain, with) in [
            ("settlekit-web.js", "settlekit-web-0123456789abcdef.js"),
            (
                "settlekit-web_bg.wasm",
                "settlekit-web-0123456789abcdef_bg.wasm",
            ),
            ("split_money.wasm", "split_money-0123456789abcdef.wasm"),
        ] {
            assert_eq!(hashed(plain, "0123456789abcdef"), with);
            assert_eq!(unhashed(with), plain);
        }
    }
}

//! Splits the dashboard's program into a first part and lazily loaded ones.
//!
//! trunk does not support splitting: it bundles the whole program, which can't load its parts. So cargo's output is processed
//! again: split at the functions marked by `web/src/lazy_pages.rs`, bound, optimised, and copied over trunk's.

use std::fs;
use std::path::{Path, PathBuf};

use crate::digest::Digest;
use crate::workspace::Workspace;
use crate::{Result, file, process, tools};

/// Program name used by trunk.
const NAME: &str = "settlekit-web";
/// Name of the splitter's script that loads parts.
const LOADER: &str = "__wasm_split";
/// WebAssembly features used by the compiler; the optimiser can't detect them in a part.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Replaces the program in `dist` by its parts.
pub(crate) fn split(workspace: &Workspace, dist: &Path) -> Result<()> {
    let whole = workspace
        .target
        .join(format!("wasm32-unknown-unknown/wasm/{NAME}.wasm"));
    let folder = workspace.root.join("target/xtask/split");
    let (parts, bound) = (folder.join("parts"), folder.join("bound"));
    // Remove parts of an earlier run.
    let _ = fs::remove_dir_all(&folder);
    process::run(
        workspace
            .command("wasm-split-cli")
            .args(["--target", "web", "--out-name", NAME])
            .args([&whole, &parts]),
    )?;
    process::run(
        workspace
            .command("wasm-bindgen")
            // The parts are linked to the first one by names, which these options preserve.
            .args(["--keep-lld-exports", "--no-demangle"])
            .args(["--target", "web", "--no-typescript", "--out-name", NAME])
            .arg("--out-dir")
            .args([&bound, &parts.join(format!("{NAME}.wasm"))]),
    )?;

    let mut files = vec![
        bound.join(format!("{NAME}.js")),
        bound.join(format!("{NAME}_bg.wasm")),
        parts.join(format!("{LOADER}.js")),
    ];
    let is_part = |path: &PathBuf| {
        let name = file::name(path);
        name.ends_with(".wasm") && name != format!("{NAME}.wasm")
    };
    files.extend(file::entries(&parts)?.into_iter().filter(is_part));
    let (script, first) = (&files[0], &files[1]);
    let text = first.with_extension("wat");
    process::run(tools::wasm_opt(workspace, "web").args(FEATURES).args([
        first,
        Path::new("-S"),
        Path::new("-o"),
        &text,
    ]))?;
    let (module, bindings) = shorten_imports(&file::read_text(&text)?, &file::read_text(script)?)?;
    file::write(&text, module)?;
    file::write(script, bindings)?;
    // Optimised for speed before size, the first part becomes smaller, but takes twice as long here.
    optimise(workspace, &["-O2"], &text, first)?;
    for path in &files[2..] {
        if path.extension().is_some_and(|kind| kind == "wasm") {
            optimise(workspace, &[], path, path)?;
        }
    }
    replace(dist, &files)
}

/// Optimises a part for size, after other passes.
///
/// The lowest kilobyte of memory is the end of the stack: no address is computed from below it.
fn optimise(workspace: &Workspace, passes: &[&str], from: &Path, to: &Path) -> Result<()> {
    let mut wasm_opt = tools::wasm_opt(workspace, "web");
    wasm_opt.args(passes).args(["--low-memory-unused", "-Oz"]);
    process::run(wasm_opt.args(FEATURES).args([from, Path::new("-o"), to]))
}

/// Numbers the functions that a module imports from its script. wasm-bindgen's names contain a hash each, which does not compress:
/// with them the first load is 7.4 KB larger.
fn shorten_imports(module: &str, script: &str) -> Result<(String, String)> {
    let import = format!("(import \"./{NAME}_bg.js\" \"");
    let mut pieces = module.split(&import);
    let mut shortened = pieces.next().unwrap_or_default().to_owned();
    let mut script = script.to_owned();
    for (number, piece) in pieces.enumerate() {
        let (name, rest) = piece.split_once('"').unwrap_or((piece, ""));
        let key = |name: &str| format!("\n        {name}: function(");
        if script.matches(&key(name)).count() != 1 {
            return Err(format!(
                "the script that wasm-bindgen wrote does not export {name} once: has its layout changed?"
            ));
        }
        script = script.replace(&key(name), &key(&number.to_string()));
        shortened.push_str(&format!("{import}{number}\"{rest}"));
    }
    Ok((shortened, script))
}

/// Writes the files with a common hash in their names, because they reference each other, and updates the page.
fn replace(dist: &Path, files: &[PathBuf]) -> Result<()> {
    let mut digest = Digest::new();
    for path in files {
        digest.text(file::name(path)).bytes(&file::read(path)?);
    }
    let hash = digest.finish();
    let page = dist.join("index.html");
    let mut html = file::read_text(&page)?;
    for path in file::entries(dist)? {
        let name = file::name(&path);
        if name.starts_with(NAME) && path.is_file() {
            html = html.replace(name, &hashed(&without_hash(name), &hash));
            file::remove(&path)?;
        }
    }
    // Preload the script that loads parts, which is needed at the start.
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
    file::write(&page, html)?;
    for path in files {
        let name = file::name(path);
        let mut bytes = file::read(path)?;
        if name.ends_with(".js") {
            let mut text = file::read_text(path)?;
            for other in files.iter().map(|path| file::name(path)) {
                // Only loaded files: `from "./x.js"` and `new URL("./x.wasm"`. The first part imports the loader by its plain name.
                for before in ["from \"./", "new URL(\"./", "new URL('"] {
                    text = text.replace(
                        &format!("{before}{other}"),
                        &format!("{before}{}", hashed(other, &hash)),
                    );
                }
            }
            bytes = text.into_bytes();
        }
        file::write(&dist.join(hashed(name, &hash)), bytes)?;
    }
    Ok(())
}

/// Adds a hash to a name as trunk does: `a_bg.wasm` becomes `a-0123456789abcdef_bg.wasm`.
fn hashed(name: &str, hash: &str) -> String {
    let (stem, rest) = name.split_at(name.find("_bg.").or(name.find('.')).unwrap_or(name.len()));
    format!("{stem}-{hash}{rest}")
}

/// Removes the hash from a name.
fn without_hash(name: &str) -> String {
    let (stem, rest) = name.split_at(name.find("_bg.").or(name.find('.')).unwrap_or(name.len()));
    let stem = stem.rsplit_once('-').map_or(stem, |(stem, _)| stem);
    format!("{stem}{rest}")
}

#[cfg(test)]
mod tests {
    use super::{hashed, shorten_imports, without_hash};

    const MODULE: &str = "(module\n (import \"./settlekit-web_bg.js\" \"__wbg_new_3e95cd7386bb9a6c\" (func $a))\n (import \"./__wasm_split.js\" \"part\" (func $b))\n (import \"./settlekit-web_bg.js\" \"__wbg_now_463ac581d2fc7ea3\" (func $c))\n)";

    #[test]
    fn imported_functions_are_numbered_in_module_and_script() {
        let script = "const import0 = {\n        __wbg_now_463ac581d2fc7ea3: function() {},\n        __wbg_new_3e95cd7386bb9a6c: function(arg0) {},\n    };";
        let (module, script) = shorten_imports(MODULE, script).expect("both are in the script");
        assert_eq!(
            module,
            "(module\n (import \"./settlekit-web_bg.js\" \"0\" (func $a))\n (import \"./__wasm_split.js\" \"part\" (func $b))\n (import \"./settlekit-web_bg.js\" \"1\" (func $c))\n)"
        );
        assert_eq!(
            script,
            "const import0 = {\n        1: function() {},\n        0: function(arg0) {},\n    };"
        );
    }

    #[test]
    fn an_import_that_is_not_in_the_script_is_an_error() {
        let error = shorten_imports(MODULE, "const import0 = {};").expect_err("nothing is there");
        assert!(error.contains("__wbg_new_3e95cd7386bb9a6c"), "{error}");
    }

    #[test]
    fn file_names_are_hashed_as_by_trunk() {
        for (plain, with) in [
            ("settlekit-web.js", "settlekit-web-0123456789abcdef.js"),
            (
                "settlekit-web_bg.wasm",
                "settlekit-web-0123456789abcdef_bg.wasm",
            ),
            ("split_money.wasm", "split_money-0123456789abcdef.wasm"),
        ] {
            assert_eq!(hashed(plain, "0123456789abcdef"), with);
            assert_eq!(without_hash(with), plain);
        }
    }
}

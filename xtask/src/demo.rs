//! Builds the demo: a folder for any static host, in which dashboard and payer's page use the service in the browser.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::digest::{Digest, Stamp};
use crate::place::Place;
use crate::wasm::{Goal, Module};
use crate::{dashboard, npm, tools, wasm};

/// All inputs of the service in the browser.
const SERVICE_SOURCES: [&str; 9] = [
    ".cargo/config.toml",
    "core",
    "service",
    "demo",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "xtask/src/demo.rs",
    "xtask/src/wasm.rs",
];

/// Pages that use the service, each with the Trusted Types policies its scripts may create: those of the demo and its own.
const PAGES: [(&str, &str); 2] = [("index.html", "demo default"), ("pay/pay.html", "demo")];

/// Files at the root of the folder: a service worker's scope is its own folder, and hosts look for the error page there.
const AT_ROOT: [&str; 2] = ["sw.js", "404.html"];

/// Content security policy as a meta element, because a static host may not set headers.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; \
    img-src 'self' https: data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; \
    require-trusted-types-for 'script'; trusted-types";

pub(crate) fn folder(place: &Place) -> PathBuf {
    place.root.join("out/demo")
}

/// Root of an origin for demos in subfolders.
pub(crate) fn folders(place: &Place) -> PathBuf {
    place.root.join("out/demo-at")
}

/// Fingerprint of the service's sources.
fn service_digest(place: &Place) -> Result<Digest> {
    let mut digest = Digest::new();
    for source in SERVICE_SOURCES {
        digest.path(&place.root, source)?;
    }
    Ok(digest)
}

/// Builds the service for the browser unless it is up to date. Returns its folder.
pub(crate) fn build_service(place: &Place) -> Result<PathBuf> {
    let built = place.root.join("target/xtask/service");
    let stamp = Stamp::new(
        place.root.join("target/xtask/service.stamp"),
        &service_digest(place)?,
    );
    if stamp.is_current() && built.is_dir() {
        return Ok(built);
    }
    tools::wasm_target()?;
    tools::wasm_bindgen(place)?;
    npm::install(place, "pkg")?;
    println!("Building the service for the browser (a minute or two the first time).");
    fs::create_dir_all(&built).map_err(|error| write_error(&built, error))?;
    let module = Module {
        package: "settlekit-demo",
        features: &[],
        sqlite: true,
        aim: Goal::Size,
        name: "settlekit_demo",
    };
    wasm::build(place, &module, &built)?;
    stamp.set()?;
    Ok(built)
}

/// Builds `out/demo` unless it is up to date.
pub(crate) fn build(place: &Place) -> Result<()> {
    dashboard::build(place)?;
    let service = build_service(place)?;
    let mut digest = service_digest(place)?;
    digest.path(&place.root, "docs/openapi.json")?;
    digest.path(&place.root, "dist")?;
    let demo = folder(place);
    let stamp = Stamp::new(place.root.join("target/xtask/demo"), &digest);
    if stamp.is_current() && demo.join("index.html").is_file() {
        return Ok(());
    }
    if demo.exists() {
        fs::remove_dir_all(&demo).map_err(|error| write_error(&demo, error))?;
    }
    copy_tree(&place.root.join("dist"), &demo)?;
    for (page, trusted) in PAGES {
        let path = demo.join(page);
        let html = fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        fs::write(&path, with_service(&html, trusted)?)
            .map_err(|error| write_error(&path, error))?;
    }
    let (page, beside) = (place.root.join("demo/page"), demo.join("demo"));
    copy_tree(&page, &beside)?;
    for name in AT_ROOT {
        fs::rename(beside.join(name), demo.join(name))
            .map_err(|error| write_error(&demo, error))?;
    }
    let interface = demo.join("openapi.json");
    fs::copy(place.root.join("docs/openapi.json"), &interface)
        .map_err(|error| write_error(&interface, error))?;
    copy_tree(&service, &beside)?;
    stamp.set()
}

/// Path of a demo within an origin: `/folder`, or deeper.
pub(crate) struct Root(String);

impl Root {
    pub(crate) fn new(path: &str) -> Result<Root> {
        let inside = path.trim_matches('/');
        let plain = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && part
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || "-_.~".contains(letter))
        };
        if path.starts_with('/') && inside.split('/').all(plain) {
            return Ok(Root(format!("/{inside}")));
        }
        Err(format!(
            "a folder of an origin is written like /settlekit, not `{path}`"
        ))
    }
}

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Absolute paths in the demo's files: file name, and the text before the path.
const ABSOLUTE_PATHS: [(&str, &str); 7] = [
    ("index.html", "=\"/"),
    ("404.html", "=\"/"),
    ("pay/pay.html", "=\"/"),
    ("docs/docs.html", "=\"/"),
    ("docs/docs.js", "\"/openapi.json"),
    ("boot-*.js", "\"/settlekit-web"),
    ("style-*.css", "url(/font"),
];

/// Copies the demo to a path of an origin below `out/demo-at`. Returns its folder.
pub(crate) fn copy_to_path(place: &Place, root: &Root) -> Result<PathBuf> {
    build(place)?;
    let at = folders(place);
    if at.exists() {
        fs::remove_dir_all(&at).map_err(|error| write_error(&at, error))?;
    }
    let demo = at.join(&root.0[1..]);
    copy_tree(&folder(place), &demo)?;
    for (name, begins) in ABSOLUTE_PATHS {
        let path = find(&demo, name)?;
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        fs::write(&path, moved(&text, name, begins, root)?)
            .map_err(|error| write_error(&path, error))?;
    }
    Ok(demo)
}

/// Adds the path to absolute paths that follow `begins`.
fn moved(text: &str, name: &str, begins: &str, root: &Root) -> Result<String> {
    let slash = begins.find('/').ok_or("an address has no slash")?;
    if !text.contains(begins) {
        return Err(format!("{name} names nothing by {begins}: has it changed?"));
    }
    let (before, after) = begins.split_at(slash);
    Ok(text.replace(begins, &format!("{before}{root}{after}")))
}

/// Finds a file by name, with `*` for the content hash.
fn find(folder: &Path, name: &str) -> Result<PathBuf> {
    let Some((first, last)) = name.split_once('*') else {
        return Ok(folder.join(name));
    };
    let unread = |error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let called = path.file_name().and_then(|name| name.to_str());
        if called.is_some_and(|called| called.starts_with(first) && called.ends_with(last)) {
            return Ok(path);
        }
    }
    Err(format!("{} has no {name}", folder.display()))
}

/// Inserts the service before the page's first script, and allows it to create `trusted` policies.
fn with_service(html: &str, trusted: &str) -> Result<String> {
    let script = html
        .find("<script")
        .ok_or("a page of the dashboard has no script: has its template changed?")?;
    let (before, after) = html.split_at(script);
    Ok(format!(
        "{before}<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY} {trusted}\">\n  \
         <link rel=\"stylesheet\" href=\"/demo/demo.css\">\n  <script src=\"/demo/page.js\"></script>\n  {after}"
    ))
}

/// Copies a folder without compressed files, which only the server can serve.
fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).map_err(|error| write_error(to, error))?;
    let unread = |error| format!("cannot read {}: {error}", from.display());
    for entry in fs::read_dir(from).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let Some(name) = path.file_name() else {
            continue;
        };
        let target = to.join(name);
        if path.is_dir() {
            copy_tree(&path, &target)?;
        } else if path.extension().is_none_or(|extension| extension != "br") {
            fs::copy(&path, &target).map_err(|error| write_error(&target, error))?;
        }
    }
    Ok(())
}

fn write_error(path: &Path, error: std::io::Error) -> String {
    format!("cannot write {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::{Root, moved, with_service};

    #[test]
    fn the_service_script_is_loaded_first() {
        let html = "<head><title>x</title><script src=\"/a.js\"></script></head>";
        let page = with_service(html, "demo").expect("the page has a script");
        let service = page.find("/demo/page.js").expect("it is there");
        assert!(service < page.find("/a.js").expect("it is still there"));
        assert!(page.contains("Content-Security-Policy"));
        assert!(page.contains("trusted-types demo\""));
    }

    #[test]
    fn root_urls_are_prefixed_with_the_folder() {
        let root = Root::new("/shop/demo/").expect("a folder");
        let page = "<a href=\"/x\"><img src=\"/y.svg\"><a href=\"https://e.com/\">";
        assert_eq!(
            moved(page, "page", "=\"/", &root),
            Ok("<a href=\"/shop/demo/x\"><img src=\"/shop/demo/y.svg\"><a href=\"https://e.com/\">".to_owned())
        );
        assert!(moved(page, "page", "url(/font", &root).is_err());
    }

    #[test]
    fn a_folder_is_a_path_of_plain_names() {
        for path in [
            "",
            "/",
            "shop",
            "/a b",
            "/a/../b",
            "//",
            "https://e.com/",
            "/a//b",
        ] {
            assert!(Root::new(path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_page_without_a_script_is_refused() {
        assert!(with_service("<head></head>", "demo").is_err());
    }
}

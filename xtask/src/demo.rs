//! Builds the demo: a folder for any static host, in which dashboard and payer's page use the service in the browser.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::digest::{Digest, Stamp};
use crate::workspace::Workspace;
use crate::{dashboard, file, package};

/// Pages that use the service, each with the Trusted Types policies its scripts may create: those of the demo and its own.
const PAGES: [(&str, &str); 2] = [("index.html", "demo default"), ("pay/pay.html", "demo")];

/// Files at the root of the folder: a service worker's scope is its own folder, and hosts look for the error page there.
const AT_ROOT: [&str; 2] = ["sw.js", "404.html"];

/// Content security policy as a meta element, because a static host may not set headers.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; \
    img-src 'self' https: data:; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; \
    require-trusted-types-for 'script'; trusted-types";

pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root.join("out/demo")
}

/// Root of an origin for demos in subfolders.
pub(crate) fn folders(workspace: &Workspace) -> PathBuf {
    workspace.root.join("out/demo-at")
}

/// What the demo needs of the npm package, beside its own files: the service, and for the playground the core.
const PACKAGE: [&str; 9] = [
    "core-slim.js",
    "client-wasm.slim.js",
    "client.wasm",
    "sandbox-slim.js",
    "sandbox-wasm.slim.js",
    "sandbox.wasm",
    "webhooks-slim.js",
    "webhooks-wasm.slim.js",
    "webhooks.wasm",
];

/// Builds `out/demo` unless it is up to date.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    dashboard::build(workspace)?;
    package::build(workspace)?;
    let inputs = ["demo/page", "demo/playground", "xtask/src/demo.rs"];
    let mut digest = Digest::of(&workspace.root, &inputs)?;
    for name in PACKAGE {
        digest.path(&workspace.root, &format!("pkg/dist/{name}"))?;
    }
    digest.path(&workspace.root, "docs/openapi.json")?;
    digest.path(&workspace.root, "dist")?;
    let demo = folder(workspace);
    let stamp = Stamp::new(workspace.root.join("target/xtask/demo"), &digest);
    if stamp.is_current() && demo.join("index.html").is_file() {
        return Ok(());
    }
    file::remove_folder(&demo)?;
    copy_tree(&workspace.root.join("dist"), &demo)?;
    for (page, trusted) in PAGES {
        let path = demo.join(page);
        let html = with_service(&file::read_text(&path)?, trusted)?;
        file::write(&path, html)?;
    }
    let (page, beside) = (workspace.root.join("demo/page"), demo.join("demo"));
    copy_tree(&page, &beside)?;
    copy_tree(
        &workspace.root.join("demo/playground"),
        &demo.join("playground"),
    )?;
    let package = beside.join("settlekit");
    file::create_folder(&package)?;
    for name in PACKAGE {
        file::copy(
            &workspace.root.join("pkg/dist").join(name),
            &package.join(name),
        )?;
    }
    for name in AT_ROOT {
        fs::rename(beside.join(name), demo.join(name)).map_err(file::cannot("write", &demo))?;
    }
    let interface = workspace.root.join("docs/openapi.json");
    file::copy(&interface, &demo.join("openapi.json"))?;
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
const ABSOLUTE_PATHS: [(&str, &str); 15] = [
    ("index.html", "=\"/"),
    ("404.html", "=\"/"),
    ("pay/pay.html", "=\"/"),
    ("docs/docs.html", "=\"/"),
    ("docs/quickstart.html", "=\"/"),
    ("docs/authentication.html", "=\"/"),
    ("docs/signing.html", "=\"/"),
    ("docs/webhooks.html", "=\"/"),
    ("docs/errors.html", "=\"/"),
    ("docs/idempotency.html", "=\"/"),
    ("docs/lists.html", "=\"/"),
    ("docs/sandbox.html", "=\"/"),
    ("docs/docs.js", "\"/openapi.json"),
    ("boot-*.js", "\"/settlekit-web"),
    ("style-*.css", "url(/font"),
];

/// Copies the demo to a path of an origin below `out/demo-at`. Returns its folder.
pub(crate) fn copy_to_path(workspace: &Workspace, root: &Root) -> Result<PathBuf> {
    build(workspace)?;
    let at = folders(workspace);
    file::remove_folder(&at)?;
    copy_into(workspace, root, &at)
}

/// Copies the built demo to a path of an origin whose root is a folder. Returns the demo's folder.
pub(crate) fn copy_into(workspace: &Workspace, root: &Root, origin: &Path) -> Result<PathBuf> {
    let demo = origin.join(&root.0[1..]);
    copy_tree(&folder(workspace), &demo)?;
    for (name, begins) in ABSOLUTE_PATHS {
        let path = find(&demo, name)?;
        let text = moved(&file::read_text(&path)?, name, begins, root)?;
        file::write(&path, text)?;
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
    let mut paths = file::entries(folder)?.into_iter();
    let found = paths.find(|path| {
        let name = file::name(path);
        name.starts_with(first) && name.ends_with(last)
    });
    found.ok_or_else(|| format!("{} has no {name}", folder.display()))
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
pub(crate) fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    file::create_folder(to)?;
    for path in file::entries(from)? {
        let target = to.join(file::name(&path));
        if path.is_dir() {
            copy_tree(&path, &target)?;
        } else if path.extension().is_none_or(|extension| extension != "br") {
            file::copy(&path, &target)?;
        }
    }
    Ok(())
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

//! Which module of a crate uses which, read from the source, and the layers and cycles of that graph.
//!
//! A module is a file. It uses another one if it names an item of that file: in a `use`, or in the code by a path from `crate`,
//! `self`, `super`, a child or an imported name. A name that a module only re-exports counts for the file that defines it, and a
//! re-export is no use: a `mod.rs` that declares and re-exports its children forms no cycle with them. Methods are not resolved.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::Source;

/// The layers of a crate, lowest first: each is a set of top-level modules.
pub(crate) type Layers = &'static [&'static [&'static str]];

/// The name of the crate's root, `lib.rs` or `main.rs`.
const ROOT: &str = "crate";

/// An absolute path, one entry for each segment.
type Path = Vec<String>;

/// The modules of a crate with the modules that each uses, and where.
pub(crate) struct Graph(BTreeMap<String, BTreeMap<String, String>>);

/// A module: its code in one line without strings, and the names that it imports.
struct Module {
    file: String,
    code: String,
    /// The offsets of the lines in `code`, with their numbers.
    lines: Vec<(usize, usize)>,
    imports: Vec<Import>,
    /// Imported names with their paths; none for a name of another crate.
    names: BTreeMap<String, Option<Path>>,
    /// Modules whose names are imported by `*`.
    globs: Vec<Path>,
    /// The names of its items.
    items: BTreeSet<String>,
}

struct Import {
    offset: usize,
    path: Path,
    is_glob: bool,
}

/// The modules of a crate by name: `text::words`, and the root as "".
struct Modules(BTreeMap<String, Module>);

impl Graph {
    /// The graph of the sources of a crate in a folder.
    pub(crate) fn of(folder: &str, sources: Vec<Source>) -> Self {
        let has_library = sources
            .iter()
            .any(|source| source.path == format!("{folder}/lib.rs"));
        let sources: BTreeMap<String, Source> = sources
            .into_iter()
            .map(|source| (module_name(&source.path, folder, has_library), source))
            .collect();
        let names: BTreeSet<String> = sources.keys().cloned().collect();
        let modules = sources
            .into_iter()
            .map(|(name, source)| {
                let module = Module::read(&name, source, &names);
                (name, module)
            })
            .collect();
        let modules = Modules(modules);
        let shown = |name: &str| match name {
            "" => ROOT.to_owned(),
            name => name.to_owned(),
        };
        let uses = modules.0.keys().map(|name| {
            let used = modules.used_by(name).into_iter();
            let used = used.map(|(other, place)| (shown(&other), place));
            (shown(name), used.collect())
        });
        Self(uses.collect())
    }

    /// Each use of a higher layer by a lower one.
    pub(crate) fn upward(&self, layers: Layers) -> Vec<String> {
        let level = |module: &str| {
            let first = module.split("::").next().unwrap_or_default();
            let level = layers.iter().position(|layer| layer.contains(&first));
            level.unwrap_or_else(|| panic!("`{first}` stands in no layer of tests/it/tidy.rs"))
        };
        let mut found = Vec::new();
        for (module, others) in &self.0 {
            let higher = others
                .iter()
                .filter(|(other, _)| level(other) > level(module));
            found.extend(higher.map(|(other, place)| format!("{place}: {module} uses {other}")));
        }
        found
    }

    /// The modules in cycles.
    pub(crate) fn rings(&self) -> Vec<Vec<&str>> {
        let reached = |from: &str| {
            let (mut all, mut next) = (BTreeSet::new(), vec![from]);
            while let Some(module) = next.pop() {
                for other in self.0.get(module).into_iter().flat_map(BTreeMap::keys) {
                    if all.insert(other.as_str()) {
                        next.push(other);
                    }
                }
            }
            all
        };
        let from: BTreeMap<&str, BTreeSet<&str>> = self
            .0
            .keys()
            .map(|module| (module.as_str(), reached(module)))
            .collect();
        let mut rings: BTreeSet<Vec<&str>> = BTreeSet::new();
        for (module, reached) in from.iter().filter(|(module, all)| all.contains(*module)) {
            let back = |other: &&&str| from.get(**other).is_some_and(|all| all.contains(module));
            rings.insert(reached.iter().filter(back).copied().collect());
        }
        rings.into_iter().collect()
    }
}

/// The name of a file's module.
fn module_name(file: &str, folder: &str, has_library: bool) -> String {
    let path = file.strip_prefix(folder).unwrap_or(file);
    let path = path.trim_start_matches('/').trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    match path {
        "lib" => String::new(),
        "main" if !has_library => String::new(),
        path => path.replace('/', "::"),
    }
}

fn segments(path: &str) -> Path {
    let segments = path.split("::").filter(|segment| !segment.is_empty());
    segments.map(str::to_owned).collect()
}

/// The absolute path of a path in a module; none if it is of another crate.
fn absolute(module: &str, path: &[String], is_module: impl Fn(&str) -> bool) -> Option<Path> {
    let mut base = segments(module);
    let first = path.first()?;
    let rest = match first.as_str() {
        "crate" => {
            base.clear();
            &path[1..]
        }
        "self" => &path[1..],
        "super" => {
            let up = path.iter().take_while(|segment| *segment == "super");
            let up = up.count();
            base.truncate(base.len().saturating_sub(up));
            &path[up..]
        }
        child => {
            let child = [base.clone(), segments(child)].concat().join("::");
            if !is_module(&child) {
                return None;
            }
            path
        }
    };
    base.extend_from_slice(rest);
    Some(base)
}

impl Module {
    fn read(name: &str, source: Source, modules: &BTreeSet<String>) -> Self {
        let (mut text, mut lines) = (String::new(), Vec::new());
        for (number, line) in &source.code {
            lines.push((text.len(), *number));
            text.push_str(&without_strings(line.trim()));
            text.push(' ');
        }
        let mut module = Self {
            file: source.path,
            code: String::new(),
            lines,
            imports: Vec::new(),
            names: BTreeMap::new(),
            globs: Vec::new(),
            items: BTreeSet::new(),
        };
        let mut rest = text.clone();
        for (offset, _) in words(&text).filter(|(_, word)| *word == "use") {
            let tree = &text[offset + "use".len()..];
            let end = tree.find(';').unwrap_or(tree.len());
            let before = text[..offset].trim_end();
            let is_export = before.ends_with("pub") || before.ends_with(')');
            for (path, alias) in paths(&tree[..end]) {
                module.import(name, (offset, is_export), (path, alias), modules);
            }
            let end = offset + "use".len() + end;
            rest.replace_range(offset..end, &" ".repeat(end - offset));
        }
        let kinds = [
            "fn ", "struct ", "enum ", "trait ", "const ", "static ", "type ", "union ",
        ];
        let items = words(&rest).filter(|(offset, _)| {
            let before = &rest[..*offset];
            kinds.iter().any(|kind| before.ends_with(kind))
        });
        module.items = items.map(|(_, item)| item.to_owned()).collect();
        module.code = rest;
        module
    }

    fn import(
        &mut self,
        name: &str,
        (offset, is_export): (usize, bool),
        (mut path, alias): (Path, Option<String>),
        modules: &BTreeSet<String>,
    ) {
        let is_glob = path.last().is_some_and(|last| last == "*");
        let is_self = path.len() > 1 && path.last().is_some_and(|last| last == "self");
        if is_glob || is_self {
            path.pop();
        }
        let Some(last) = path.last().cloned() else {
            return;
        };
        let path = absolute(name, &path, |path| modules.contains(path));
        if !is_glob {
            self.names.insert(alias.unwrap_or(last), path.clone());
        }
        let Some(path) = path else {
            return;
        };
        if is_glob {
            self.globs.push(path.clone());
        }
        if !is_export {
            self.imports.push(Import {
                offset,
                path,
                is_glob,
            });
        }
    }

    fn defines(&self, item: &str) -> bool {
        self.names.contains_key(item) || self.items.contains(item)
    }

    fn place(&self, offset: usize) -> String {
        let at = self.lines.partition_point(|(begin, _)| *begin <= offset);
        let number = at.checked_sub(1).map_or(0, |at| self.lines[at].1);
        format!("{}:{number}", self.file)
    }
}

impl Modules {
    /// The module that defines the item of an absolute path, and whether the path is that module itself.
    fn resolve(&self, path: &[String], depth: usize) -> Option<(String, bool)> {
        // Re-exports can go in circles.
        if depth > 12 {
            return None;
        }
        let mut module = String::new();
        for (at, segment) in path.iter().enumerate() {
            let child = match module.as_str() {
                "" => segment.clone(),
                module => format!("{module}::{segment}"),
            };
            if self.0.contains_key(&child) {
                module = child;
                continue;
            }
            let here = self.0.get(&module)?;
            if let Some(Some(target)) = here.names.get(segment)
                && target[..] != path[..=at]
            {
                return self.resolve(&[&target[..], &path[at + 1..]].concat(), depth + 1);
            }
            for glob in &here.globs {
                if let Some((other, true)) = self.resolve(glob, depth + 1)
                    && other != module
                    && self.0.get(&other)?.defines(segment)
                {
                    let target = [segments(&other), path[at..].to_vec()].concat();
                    return self.resolve(&target, depth + 1);
                }
            }
            return Some((module, false));
        }
        Some((module, true))
    }

    /// The modules that a module uses, each with the first place.
    fn used_by(&self, name: &str) -> BTreeMap<String, String> {
        let module = &self.0[name];
        let mut used = BTreeMap::new();
        let mut add = |path: &[String], offset: usize, counts_module: bool| {
            if let Some((other, is_module)) = self.resolve(path, 0)
                && other != name
                && (counts_module || !is_module)
            {
                used.entry(other).or_insert_with(|| module.place(offset));
            }
        };
        for import in &module.imports {
            // The import of a module alone uses none of its items.
            add(&import.path, import.offset, import.is_glob);
        }
        for (offset, path) in code_paths(&module.code) {
            let end = offset + path.len();
            let path = segments(path);
            let next = module.code[end..].chars().next();
            let is_item = path.len() > 1
                || path[0].starts_with(char::is_uppercase)
                || matches!(next, Some('(' | '!'));
            let is_keyword = matches!(path[0].as_str(), "crate" | "self" | "super");
            match module.names.get(&path[0]) {
                Some(None) => {}
                Some(Some(target)) if is_item => {
                    add(&[&target[..], &path[1..]].concat(), offset, false);
                }
                _ if path.len() > 1 && (is_keyword || self.is_child(name, &path[0])) => {
                    if let Some(path) = absolute(name, &path, |path| self.0.contains_key(path)) {
                        add(&path, offset, false);
                    }
                }
                None if is_item => {
                    for glob in &module.globs {
                        if let Some((other, true)) = self.resolve(glob, 0)
                            && self.0[&other].defines(&path[0])
                        {
                            add(&[segments(&other), path.clone()].concat(), offset, false);
                        }
                    }
                }
                _ => {}
            }
        }
        used
    }

    fn is_child(&self, module: &str, name: &str) -> bool {
        let child = [segments(module), segments(name)].concat().join("::");
        self.0.contains_key(&child)
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// A line with the inside of its strings blank.
fn without_strings(line: &str) -> String {
    let (mut inside, mut is_escaped) = (false, false);
    line.chars()
        .map(|letter| {
            let is_end = letter == '"' && !is_escaped;
            is_escaped = inside && letter == '\\' && !is_escaped;
            if is_end {
                inside = !inside;
                return letter;
            }
            if inside { ' ' } else { letter }
        })
        .collect()
}

/// The words of a text with their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|letter: char| !is_word(letter))
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The paths in code, such as `store::find` of `store::find(…)`, without methods, fields and the names of new items.
fn code_paths(code: &str) -> impl Iterator<Item = (usize, &str)> {
    words(code).filter_map(|(offset, word)| {
        let before = &code[..offset];
        if before.ends_with(['.', ':', '\'']) || word.starts_with(char::is_numeric) {
            return None;
        }
        let new = ["fn ", "mod ", "struct ", "enum ", "type ", "trait ", "(in "];
        if new.iter().any(|keyword| before.ends_with(keyword)) {
            return None;
        }
        let mut end = offset + word.len();
        while let Some(rest) = code[end..].strip_prefix("::") {
            let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            if length == 0 {
                break;
            }
            end += "::".len() + length;
        }
        Some((offset, &code[offset..end]))
    })
}

/// The paths of a `use` tree with their aliases: `a::{b, c::d as e}` is `a::b`, and `a::c::d` as `e`.
fn paths(tree: &str) -> Vec<(Path, Option<String>)> {
    let tree = tree.trim();
    if let Some(inside) = tree.strip_prefix('{') {
        let (mut all, mut depth, mut start) = (Vec::new(), 0, 0);
        for (at, letter) in inside.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                '}' | ',' if depth == 0 => {
                    all.extend(paths(&inside[start..at]));
                    start = at + 1;
                }
                _ => {}
            }
        }
        return all;
    }
    let end = tree.find(|letter| !is_word(letter)).unwrap_or(tree.len());
    let (first, rest) = tree.split_at(end);
    match (first, rest.strip_prefix("::")) {
        ("", _) if rest.starts_with('*') => vec![(vec!["*".to_owned()], None)],
        ("", _) => Vec::new(),
        (first, None) => {
            let alias = rest.trim().strip_prefix("as ").map(str::to_owned);
            vec![(vec![first.to_owned()], alias)]
        }
        (first, Some(rest)) => {
            let rest = paths(rest).into_iter();
            rest.map(|(path, alias)| ([vec![first.to_owned()], path].concat(), alias))
                .collect()
        }
    }
}

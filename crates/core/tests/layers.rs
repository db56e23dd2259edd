//! Tests which files import which: `docs/layers.toml` lists the order of each crate's files, and
//! this test checks all paths in all sources against it. Comments, strings and code for tests only
//! are ignored.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The section of `docs/layers.toml` for one crate.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    /// The crates of this workspace that it may depend on.
    crates: BTreeSet<String>,
    /// The layers, from the lowest to the highest. A file may import from lower layers, and from
    /// its own layer without a cycle.
    layers: Vec<Layer>,
    /// Known imports against the order, as `from -> to`. Each must occur.
    #[serde(default)]
    known: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Layer {
    name: String,
    /// Modules as `a/b`; `a/*` means all modules in that directory that aren't listed elsewhere.
    files: Vec<String>,
}

#[test]
fn no_file_imports_upward_or_in_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("docs/layers.toml")).unwrap();
    let orders: BTreeMap<String, Order> = toml::from_str(&text).unwrap();
    let mut faults = String::new();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !orders.contains_key(&name) {
            writeln!(faults, "{name}: not in docs/layers.toml").unwrap();
        }
    }
    for (name, order) in &orders {
        let directory = root.join("crates").join(name);
        for fault in of_manifest(&directory, order).into_iter().chain(of_crate(&directory, order)) {
            writeln!(faults, "{name}: {fault}").unwrap();
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// Tests every form of import.
#[test]
fn all_forms_of_imports_are_parsed() {
    let files = [
        ("lib", "mod a; mod b; mod c; pub use c::{d::Deep, Thing as Other}; use b::B;"),
        (
            "a",
            "//! crate::b\nuse std::fmt; use crate::{Deep, c::Thing}; fn f<'a>() { 'x'; r#\"crate::b\"#; }",
        ),
        (
            "b",
            "/* crate::a */ fn f() -> crate::Other { \"crate::a\"; Other::new() }\n#[cfg(test)] mod tests;",
        ),
        ("b/tests", "use crate::a::A;"),
        (
            "c/mod",
            "mod d; mod e { } pub(crate) use d::{self, *}; #[cfg(test)] mod t { use crate::a; }",
        ),
        ("c/d", "use super::super::b::{self as bee, B}; fn f() { self::g(); crate::c::e::f() }"),
    ];
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let edges = Sources::of(files).edges();
    let edges: Vec<(&str, &str)> = edges.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let expected = [("a", "c"), ("a", "c/d"), ("b", "c"), ("c", "c/d"), ("c/d", "b"), ("c/d", "c")];
    assert_eq!(edges, expected);
}

/// Returns the forbidden dependencies of a crate.
fn of_manifest(directory: &Path, order: &Order) -> Vec<String> {
    let manifest: toml::Table =
        fs::read_to_string(directory.join("Cargo.toml")).unwrap().parse().unwrap();
    let ours = manifest.get("dependencies").and_then(toml::Value::as_table).unwrap().keys();
    ours.filter_map(|name| name.strip_prefix("urlsift-"))
        .filter(|&name| !order.crates.contains(name))
        .map(|name| format!("depends on {name}"))
        .collect()
}

/// Returns the forbidden imports among a crate's files.
fn of_crate(directory: &Path, order: &Order) -> Vec<String> {
    let sources = Sources::read(&directory.join("src"));
    let mut faults = Vec::new();
    let rank = |module: &str| rank(order, module);
    for module in sources.modules.keys().filter(|module| !module.is_empty()) {
        if rank(module).is_none() {
            faults.push(format!("{module} is in no layer"));
        }
    }
    for file in order.layers.iter().flat_map(|layer| &layer.files) {
        let there = match file.strip_suffix("/*") {
            Some(directory) => sources.modules.keys().any(|m| is_within(m, directory)),
            None => sources.modules.contains_key(file),
        };
        if !there {
            faults.push(format!("there is no {file}"));
        }
    }
    let edges = sources.edges();
    let mut known = order.known.clone();
    let mut against = |from: &str, to: &str, what: String| {
        if !known.remove(&format!("{from} -> {to}")) {
            faults.push(what);
        }
    };
    let mut level: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in edges.iter().map(|(from, to)| (from.as_str(), to.as_str())) {
        // Items defined in a crate's root rank above all others.
        let (low, high) = (rank(from), if to.is_empty() { Some(usize::MAX) } else { rank(to) });
        let (Some(low), Some(high)) = (low, high) else { continue };
        if high > low {
            let of = order.layers.get(high).map_or("the crate's root", |layer| &layer.name);
            against(from, to, format!("upward: {from} -> {to} ({of})"));
        } else if high == low {
            level.entry(from).or_default().insert(to);
        }
    }
    for (from, all) in &level {
        for to in all.iter().filter(|to| reaches(&level, to, from)) {
            against(from, to, format!("in a circle: {from} -> {to}"));
        }
    }
    faults.extend(known.iter().map(|edge| format!("no longer there, to be struck out: {edge}")));
    faults
}

/// True if one module imports another, directly or indirectly.
fn reaches(imports: &BTreeMap<&str, BTreeSet<&str>>, from: &str, to: &str) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        if seen.insert(module) {
            open.extend(imports.get(module).into_iter().flatten());
        }
    }
    seen.contains(to)
}

/// Returns the layer of a module. An entry for the module takes precedence over one for its
/// directory.
fn rank(order: &Order, module: &str) -> Option<usize> {
    let find = |wanted: &dyn Fn(&str) -> bool| {
        order.layers.iter().position(|layer| layer.files.iter().any(|file| wanted(file)))
    };
    find(&|file| file == module)
        .or_else(|| find(&|file| file.strip_suffix("/*").is_some_and(|d| is_within(module, d))))
}

fn is_within(module: &str, directory: &str) -> bool {
    module.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

/// The modules of a crate, by their path from the root, whose path is empty.
struct Sources {
    modules: BTreeMap<String, Module>,
}

#[derive(Default)]
struct Module {
    /// Each path as written.
    paths: BTreeSet<Vec<String>>,
    /// The names that `use` defines, with their paths.
    names: BTreeMap<String, Vec<String>>,
}

impl Sources {
    fn read(src: &Path) -> Self {
        let mut files = Vec::new();
        collect(src, &mut files);
        Self::of(files.iter().map(|file| {
            let path = file.strip_prefix(src).unwrap().with_extension("");
            (path.to_str().unwrap().replace('\\', "/"), fs::read_to_string(file).unwrap())
        }))
    }

    /// Parses files, given as pairs of path (from the root, without `.rs`) and text.
    fn of(files: impl Iterator<Item = (String, String)>) -> Self {
        let (mut modules, mut of_tests) = (BTreeMap::new(), BTreeSet::new());
        for (path, text) in files {
            let name = match path.strip_suffix("/mod").unwrap_or(&path) {
                "lib" | "main" => "",
                name => name,
            };
            let (tokens, tests) = without_tests(&tokens(&strip(&text)));
            let within =
                |test: String| if name.is_empty() { test } else { format!("{name}/{test}") };
            of_tests.extend(tests.into_iter().map(within));
            modules.insert(name.to_owned(), Module::read(&tokens));
        }
        modules.retain(|name: &String, _| {
            !of_tests.iter().any(|test: &String| name == test || is_within(name, test))
        });
        Self { modules }
    }

    /// Returns pairs of importing and imported module, without imports of a module from itself.
    fn edges(&self) -> BTreeSet<(String, String)> {
        let mut edges = BTreeSet::new();
        for (from, module) in &self.modules {
            let all = module.paths.iter().chain(module.names.values());
            for to in all.filter_map(|path| self.resolve(from, path, 0)) {
                if *from != to && !from.is_empty() {
                    edges.insert((from.clone(), to));
                }
            }
        }
        edges
    }

    /// Returns the module that contains the target of `path` in `from`, or `None` if it is not in
    /// this crate.
    fn resolve(&self, from: &str, path: &[String], depth: usize) -> Option<String> {
        let (first, rest) = path.split_first()?;
        let parent = |of: &str| of.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
        let (mut at, mut rest) = match first.as_str() {
            "crate" => (String::new(), rest),
            "self" => (from.to_owned(), rest),
            "super" => (parent(from), rest),
            _ if self.modules.contains_key(&child(from, first)) => (child(from, first), rest),
            _ => return None,
        };
        while let Some((next, after)) = rest.split_first() {
            at = match next.as_str() {
                "super" => parent(&at),
                _ if self.modules.contains_key(&child(&at, next)) => child(&at, next),
                _ => {
                    // A re-exported name: follow it to the module that defines it.
                    let lent = self.modules[&at].names.get(next).filter(|_| depth < 8);
                    return lent.and_then(|path| self.resolve(&at, path, depth + 1)).or(Some(at));
                }
            };
            rest = after;
        }
        Some(at)
    }
}

fn child(of: &str, name: &str) -> String {
    if of.is_empty() { name.to_owned() } else { format!("{of}/{name}") }
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

impl Module {
    fn read(tokens: &[String]) -> Self {
        let mut module = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at] == "use" {
                at = module.tree(tokens, at + 1, &[]);
            } else if is_word(&tokens[at]) && (at == 0 || tokens[at - 1] != "::") {
                let mut path = vec![tokens[at].clone()];
                while tokens.get(at + 1).is_some_and(|t| t == "::")
                    && tokens.get(at + 2).is_some_and(|t| is_word(t))
                {
                    path.push(tokens[at + 2].clone());
                    at += 2;
                }
                if path.len() > 1 {
                    module.paths.insert(path);
                }
                at += 1;
            } else {
                at += 1;
            }
        }
        module
    }

    /// Parses a `use` tree at `at`, whose paths start with `prefix`, and returns its end.
    fn tree(&mut self, tokens: &[String], mut at: usize, prefix: &[String]) -> usize {
        let mut path = prefix.to_vec();
        loop {
            match tokens.get(at).map(String::as_str) {
                Some("::") => at += 1,
                Some("{") => {
                    at += 1;
                    while tokens[at] != "}" {
                        at = self.tree(tokens, at, &path);
                        at += usize::from(tokens[at] == ",");
                    }
                    return at + 1;
                }
                Some("*") => {
                    self.paths.insert(path);
                    return at + 1;
                }
                Some("as") => {
                    self.names.insert(tokens[at + 1].clone(), path);
                    return at + 2;
                }
                Some("self") if !path.is_empty() => at += 1,
                Some(word) if is_word(word) => {
                    path.push(word.to_owned());
                    at += 1;
                }
                _ => {
                    let name = path.last().cloned().unwrap_or_default();
                    self.names.insert(name, path);
                    return at;
                }
            }
        }
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns the text without comments, and with empty string literals.
fn strip(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let after_word = out.last().is_some_and(|b: &u8| b.is_ascii_alphanumeric() || *b == b'_');
        let raw = rest.strip_prefix(b"b").unwrap_or(rest).strip_prefix(b"r");
        let hashes = raw.map_or(0, |raw| raw.iter().take_while(|&&b| b == b'#').count());
        if rest.starts_with(b"//") {
            at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            at += text[at..].find("*/").map_or(rest.len(), |end| end + 2);
        } else if !after_word && raw.is_some_and(|raw| raw.get(hashes) == Some(&b'"')) {
            let start = at + text[at..].find('"').unwrap() + 1;
            let close = format!("\"{}", "#".repeat(hashes));
            at = start + text[start..].find(&close).unwrap() + close.len();
            out.push(b' ');
        } else if byte == b'"' {
            at += 1;
            while bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
            out.push(b' ');
        } else if byte == b'\''
            && (bytes[at + 1] == b'\\' || text[at + 1..].chars().nth(1) == Some('\''))
        {
            // A character literal, not a lifetime.
            at += if bytes[at + 1] == b'\\' { 2 } else { 1 };
            at += text[at..]
                .char_indices()
                .skip(1)
                .find(|&(_, c)| c == '\'')
                .map_or(0, |(i, _)| i + 1);
            out.push(b' ');
        } else {
            out.push(byte);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(rest[..len].to_owned());
        rest = rest[len..].trim_start();
    }
    tokens
}

/// Returns the tokens without items that are only compiled for tests, and the names of test
/// modules.
fn without_tests(tokens: &[String]) -> (Vec<String>, Vec<String>) {
    const FOR_TESTS: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        let is_for_tests = tokens[at..].iter().take(7).eq(FOR_TESTS.iter());
        if !is_for_tests {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        at += FOR_TESTS.len();
        // Skip to the semicolon, comma or brace that ends the item.
        let mut depth = 0;
        while let Some(token) = tokens.get(at) {
            if token == "mod" && depth == 0 && tokens.get(at + 2).is_some_and(|t| t == ";") {
                modules.push(tokens[at + 1].clone());
            }
            match token.as_str() {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            at += 1;
            let ends = matches!(token.as_str(), ";" | "," | "}");
            if depth < 0 || depth == 0 && ends {
                break;
            }
        }
    }
    (kept, modules)
}

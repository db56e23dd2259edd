//! Checks that the declarations for other languages and `docs/src/reference/options.md` agree with
//! the option table.
//!
//! `URLSIFT_UPDATE=1 cargo test -p urlsift-records --test option_pages` rewrites them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use urlsift_records::option_table::{Group, OPTIONS, OptionSpec, Scope, ValueKind};

const BEGIN: &str = "options: begin";
const END: &str = "options: end";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Compares the lines between the first line that contains `begin` and the next one that contains
/// `end` with `expected`, or rewrites them.
fn check(name: &str, (begin, end): (&str, &str), expected: &str) {
    let path = path(name);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let start = text.find(begin).unwrap_or_else(|| panic!("{name}: no line has `{begin}`"));
    let start = start + text[start..].find('\n').unwrap() + 1;
    let stop = start + text[start..].find(end).unwrap_or_else(|| panic!("{name}: no `{end}`"));
    let stop = text[..stop].rfind('\n').unwrap() + 1;
    if std::env::var_os("URLSIFT_UPDATE").is_some() {
        let new = [&text[..start], expected, &text[stop..]].concat();
        std::fs::write(&path, new).unwrap();
        return;
    }
    assert!(
        &text[start..stop] == expected,
        "{name} is out of date: run the tests with URLSIFT_UPDATE=1"
    );
}

/// Returns the names that an option accepts as values in a scope.
fn values(spec: &OptionSpec, scope: Scope) -> Vec<&'static str> {
    let all = spec.kind.choices().iter();
    all.filter(|choice| scope == Scope::Files || choice.scope == scope)
        .map(|choice| choice.name)
        .collect()
}

fn quoted<'n>(names: impl IntoIterator<Item = &'n str>, separator: &str) -> String {
    let names: Vec<_> = names.into_iter().map(|name| format!("\"{name}\"")).collect();
    names.join(separator)
}

/// Returns a clause about the option's default for a sentence.
fn default(spec: &OptionSpec) -> String {
    if spec.default.is_empty() { String::new() } else { format!(" (default: {})", spec.default) }
}

/// Breaks a text into lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().unwrap();
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            let gap = if line.is_empty() { "" } else { " " };
            line.push_str(gap);
            line.push_str(word);
        }
    }
    lines
}

/// Returns a list with one item per option, and `prefix` before each line.
fn items(prefix: &str, item: impl Fn(&OptionSpec) -> String) -> String {
    let mut out = String::new();
    for spec in OPTIONS {
        for (i, line) in wrapped(&item(spec), 96).iter().enumerate() {
            let bullet = if i == 0 { "- " } else { "  " };
            let _ = writeln!(out, "{prefix} {bullet}{line}");
        }
    }
    out
}

/// Returns the help for the libraries, in which the value of a key is not the name of a file.
fn library_help(spec: &OptionSpec) -> String {
    match spec.kind {
        ValueKind::Key => spec.help.replace("the content of FILE as the key", "this key"),
        _ => spec.help.to_owned(),
    }
}

fn python_name(spec: &OptionSpec) -> &'static str {
    if spec.name == "with" { "with_" } else { spec.name }
}

/// Converts a name such as `mask_passwords` to `MaskPasswords`.
fn pascal_case(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(capital).collect()
}

fn camel_case(name: &str) -> String {
    let name = pascal_case(name);
    name[..1].to_lowercase() + &name[1..]
}

fn python_type(spec: &OptionSpec) -> String {
    let alias = pascal_case(spec.name);
    match spec.kind {
        ValueKind::Flag => "bool".to_owned(),
        ValueKind::FlagOrChoice(_) => format!("bool | {alias}"),
        ValueKind::Choice(_) => alias,
        ValueKind::Choices(_) => format!("{alias} | Iterable[{alias}]"),
        ValueKind::Forms(_) => format!("{alias}s | Iterable[{alias}s]"),
        ValueKind::Texts => "str | Iterable[str]".to_owned(),
        ValueKind::Size => "int | str".to_owned(),
        ValueKind::Expansion => "int | str | None".to_owned(),
        ValueKind::Key => "Buffer".to_owned(),
        _ => "str".to_owned(),
    }
}

#[test]
fn stubs_of_python_have_every_option() {
    let mut out = String::new();
    let literal = |out: &mut String, name: &str, values: &[&str]| {
        let _ = writeln!(out, "{name}: TypeAlias = Literal[");
        for line in wrapped(&quoted(values.iter().copied(), ", "), 100) {
            let _ = writeln!(out, "    {line}");
        }
        out.push_str("]\n");
    };
    for spec in OPTIONS.iter().filter(|spec| !spec.kind.choices().is_empty()) {
        let values = values(spec, Scope::Files);
        let alias = pascal_case(spec.name);
        literal(&mut out, &alias, &values);
        if matches!(spec.kind, ValueKind::Forms(_)) {
            let added: Vec<_> = values.iter().map(|name| format!("+{name}")).collect();
            let all: Vec<_> = values.into_iter().chain(added.iter().map(String::as_str)).collect();
            literal(&mut out, &format!("{alias}s"), &all);
        }
    }
    for (scope, head, doc) in [
        (Scope::Text, "TextOptions(TypedDict, total=False)", "The options of find()."),
        (Scope::Files, "Options(TextOptions, total=False)", "The options of Scanner and scan()."),
    ] {
        let _ = write!(out, "\nclass {head}:\n    \"\"\"{doc}\"\"\"\n\n");
        for spec in OPTIONS.iter().filter(|spec| spec.scope == scope) {
            let help = library_help(spec).replace('\\', "\\\\");
            let _ = writeln!(out, "    # {help}{}", default(spec));
            let _ = writeln!(out, "    {}: {}", python_name(spec), python_type(spec));
        }
    }
    out.push('\n');
    check("crates/python/python/urlsift/__init__.pyi", (BEGIN, END), &out);
}

#[test]
fn docstring_of_python_lists_every_option() {
    let out = items("///", |spec| {
        let values = quoted(values(spec, Scope::Files), ", ");
        let values = if values.is_empty() { values } else { format!(": {values}") };
        let files = if spec.scope == Scope::Files { " (not for find)" } else { "" };
        format!("{}{files}: {}{values}{}", python_name(spec), library_help(spec), default(spec))
    });
    check("crates/python/src/scanner.rs", ("They are:", "pyclass(module"), &format!("///\n{out}"));
}

#[test]
fn types_of_javascript_have_every_option_for_text() {
    let mut out = String::new();
    let options = || OPTIONS.iter().filter(|spec| spec.scope == Scope::Text);
    let choices = |spec: &OptionSpec| {
        let all = spec.kind.choices().iter();
        // The JavaScript module is built without the Public Suffix List.
        all.filter(|choice| choice.scope == Scope::Text && !choice.needs_suffixes)
            .map(|choice| (choice.name, choice.help))
            .collect::<Vec<_>>()
    };
    for spec in options().filter(|spec| !spec.kind.choices().is_empty()) {
        let _ = writeln!(
            out,
            "/** A value of the option `{}`: {}. */",
            camel_case(spec.name),
            spec.help
        );
        let _ = writeln!(out, "export type {} =", pascal_case(spec.name));
        let choices = choices(spec);
        for (i, (name, help)) in choices.iter().enumerate() {
            let end = if i + 1 == choices.len() { ";" } else { "" };
            let _ = writeln!(out, "  /** {help} */\n  | \"{name}\"{end}");
        }
        out.push('\n');
    }
    out.push_str("/** The options of a search in text. */\nexport interface FindOptions {\n");
    for spec in options() {
        let alias = pascal_case(spec.name);
        let kind = match spec.kind {
            ValueKind::Flag => "boolean".to_owned(),
            ValueKind::FlagOrChoice(_) => format!("boolean | {alias}"),
            ValueKind::Choice(_) => alias,
            ValueKind::Forms(_) => {
                format!("{alias} | `+${{{alias}}}` | readonly ({alias} | `+${{{alias}}}`)[]")
            }
            ValueKind::Choices(_) => format!("{alias} | readonly {alias}[]"),
            ValueKind::Texts => "string | readonly string[]".to_owned(),
            _ => "string".to_owned(),
        };
        assert!(!spec.help.contains("*/"), "{}: its help would end the comment", spec.name);
        let _ = writeln!(out, "  /** {}{}. */", spec.help, default(spec));
        let _ = writeln!(out, "  {}?: {kind};", camel_case(spec.name));
    }
    out.push_str("}\n");
    check("crates/wasm/js/find.d.ts", (BEGIN, END), &out);
}

#[test]
fn comment_of_c_lists_every_option() {
    let item = |spec: &OptionSpec| {
        let files = if spec.scope == Scope::Files { ", files" } else { "" };
        let kind = match spec.kind {
            ValueKind::Flag => "\"true\" or \"false\"".to_owned(),
            ValueKind::FlagOrChoice(_) => {
                let all = values(spec, Scope::Files);
                quoted(["true", "false"].into_iter().chain(all), ", ")
            }
            ValueKind::Choice(_) => quoted(values(spec, Scope::Files), ", "),
            ValueKind::Choices(_) => {
                format!("a list of {}", quoted(values(spec, Scope::Files), ", "))
            }
            ValueKind::Forms(_) => {
                format!(
                    "a list of {}, with an optional + before the first",
                    quoted(values(spec, Scope::Files), ", ")
                )
            }
            ValueKind::Texts => "a list of texts".to_owned(),
            ValueKind::Date => "a date".to_owned(),
            ValueKind::Charset => "a charset".to_owned(),
            ValueKind::Size => "a size, as \"64M\"".to_owned(),
            ValueKind::Expansion => "a size, a ratio as \"100x\", or \"none\"".to_owned(),
            _ => "a text".to_owned(),
        };
        format!("\"{}\" ({kind}{files}): {}{}", spec.name, library_help(spec), default(spec))
    };
    let anchors = ("explains them all", "Returns URLSIFT_BAD_OPTION if there is no such option");
    for (file, prefix) in
        [("crates/capi/src/options.rs", "///"), ("crates/capi/include/urlsift.h", "//")]
    {
        let out = format!("{prefix}\n{}{prefix}\n", items(prefix, item));
        check(file, anchors, &out);
    }
}

/// The test of the C library can't read JSON. It includes the cases of `corpus/options.json` as C
/// code.
#[test]
fn cases_of_c_are_those_of_the_corpus() {
    let json = std::fs::read(path("corpus/options.json")).unwrap();
    let cases: Vec<serde_json::Value> = serde_json::from_slice(&json).unwrap();
    let mut out = String::new();
    for case in &cases {
        let text = |name: &str| case[name].as_str().unwrap_or_default();
        let base = case["base"].as_object().and_then(|base| base.iter().next());
        let (base, base_value) = base
            .map_or(("", ""), |(name, value)| (name.as_str(), value.as_str().unwrap_or_default()));
        let bytes = match case["base64"].as_str() {
            Some(packed) => data_encoding::BASE64.decode(packed.as_bytes()).unwrap(),
            None => text("text").as_bytes().to_vec(),
        };
        let octal: String = bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
        let _ = writeln!(
            out,
            "{{\"{}\", \"{}\", \"{base}\", \"{base_value}\", \"{}\", \"{octal}\", {}}},",
            text("option"),
            text("value"),
            text("name"),
            bytes.len()
        );
    }
    check("crates/capi/tests/options.inc", (BEGIN, END), &out);
}

#[test]
fn page_of_docs_explains_every_option() {
    let mut out = String::new();
    for group in Group::ALL {
        let _ = write!(out, "\n## {}\n", group.heading());
        for spec in OPTIONS.iter().filter(|spec| spec.group == group) {
            let flag = spec.name.replace('_', "-");
            let value = match spec.kind {
                _ if spec.value_name.is_empty() => String::new(),
                ValueKind::FlagOrChoice(_) => format!("[={}]", spec.value_name),
                _ => format!(" {}", spec.value_name),
            };
            let _ = write!(out, "\n### `--{flag}{value}`\n\n{}.\n", spec.help);
            if !spec.details.is_empty() {
                let _ = write!(out, "\n{}\n", spec.details);
            }
            let javascript = if spec.scope == Scope::Text {
                format!("`{}`", camel_case(spec.name))
            } else {
                "no".to_owned()
            };
            let default = match spec.default {
                "" if matches!(spec.kind, ValueKind::Flag | ValueKind::FlagOrChoice(_)) => {
                    "`false`".to_owned()
                }
                "" => "none".to_owned(),
                default => format!("`{default}`"),
            };
            let _ = write!(
                out,
                "\nDefault: {default}. Python: `{}`. JavaScript: {javascript}. C and Rust: `{}`. Since {}.\n",
                python_name(spec),
                spec.name,
                spec.since
            );
            if !spec.kind.choices().is_empty() {
                out.push_str("\n| value | meaning |\n|---|---|\n");
                for choice in spec.kind.choices() {
                    let _ = writeln!(out, "| `{}` | {} |", choice.name, choice.help);
                }
            }
        }
    }
    check("docs/src/reference/options.md", (BEGIN, END), &out);
}

//! Generates the reference of `urlsift.toml`: a Markdown page for readers, and a JSON Schema for
//! editors.
//!
//! Both are generated from [`KEYS`]. A test checks that the table has the same keys as the parser.

use crate::registry::RULES;
use crate::slug::Slug;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use urlsift_core::{Level, Profile};
use urlsift_scanner::Rejoin;

/// A key that can be set in a `urlsift.toml`, with its type and its description.
///
/// ```
/// use urlsift_lint::KEYS;
/// assert!(KEYS.iter().any(|key| key.name == "profile" && key.doc.ends_with('.')));
/// ```
#[non_exhaustive]
pub struct Key {
    /// The name of the key, without the tables that contain it.
    pub name: &'static str,
    /// The type of the key's value.
    pub kind: Kind,
    /// The value that applies if the key is missing, in Markdown.
    pub default: &'static str,
    /// The meaning of the key, in full sentences of Markdown.
    pub doc: &'static str,
}

/// The type of the value that a key accepts.
///
/// ```
/// use urlsift_lint::{KEYS, Kind};
/// let profile = KEYS.iter().find(|key| key.name == "profile").unwrap();
/// assert!(matches!(profile.kind, Kind::Profile));
/// ```
#[non_exhaustive]
pub enum Kind {
    /// The name of a profile.
    Profile,
    /// The name of a rejoin mode: how eagerly URLs are joined over line breaks.
    Rejoin,
    /// The name of a style of heading IDs.
    Slug,
    /// A Boolean.
    Flag,
    /// A string.
    Text,
    /// A list of strings.
    Texts,
    /// A list of rule selectors: codes, groups such as `host.`, or `all`.
    Rules,
    /// A table from rule selectors to levels.
    Levels,
    /// A table from file patterns to lists of rule selectors.
    RulesByPattern,
    /// A table with these keys.
    Table(&'static [Key]),
    /// An array of tables with these keys.
    Tables(&'static [Key]),
}

/// The keys of `urlsift.toml`, in the order of the page.
pub static KEYS: &[Key] = &[
    Key {
        name: "extend",
        kind: Kind::Text,
        default: "none",
        doc: "The path of another settings file to start from, relative to this one. Single values and `select` in \
            this file replace those of the other file. Other lists are combined. File patterns in the other file are \
            relative to the directory of this file.",
    },
    Key {
        name: "profile",
        kind: Kind::Profile,
        default: "`\"web\"`",
        doc: "The profile: the standard that URLs are checked against.",
    },
    Key {
        name: "rejoin",
        kind: Kind::Rejoin,
        default: "`\"likely\"`",
        doc: "When bare URLs that are broken over lines are rejoined.",
    },
    Key {
        name: "select",
        kind: Kind::Rules,
        default: "the rules that run by default",
        doc: "Run only these rules.",
    },
    Key {
        name: "extend-select",
        kind: Kind::Rules,
        default: "none",
        doc: "Run these rules as well.",
    },
    Key {
        name: "ignore",
        kind: Kind::Rules,
        default: "none",
        doc: "Don't run these rules. The more specific of two names wins: `ignore = [\"port.\"]` with \
            `extend-select = [\"port.default\"]` leaves `port.default` on.",
    },
    Key {
        name: "schemes",
        kind: Kind::Texts,
        default: "none",
        doc: "Additional schemes to find, even without `//` after the colon.",
    },
    Key {
        name: "levels",
        kind: Kind::Levels,
        default: "the level of each rule",
        doc: "The levels of rules. The more specific name wins, regardless of the order.",
    },
    Key {
        name: "strict",
        kind: Kind::Flag,
        default: "`false`; always on under the profiles of the standards",
        doc: "Report URLs in code, examples, templates and test data like all others. A rule still reports an info where its description says so.",
    },
    Key {
        name: "verbatim",
        kind: Kind::Flag,
        default: "`false`",
        doc: "Check URLs in code with all rules, not only for mistyped schemes.",
    },
    Key {
        name: "mask-secrets",
        kind: Kind::Flag,
        default: "`false`",
        doc: "Show tokens as `***`, as `--mask-secrets` does. Passwords are always masked.",
    },
    Key {
        name: "exclude",
        kind: Kind::Table(EXCLUDE),
        default: "nothing",
        doc: "Hosts, URLs and files that are not reported.",
    },
    Key {
        name: "fixable",
        kind: Kind::Rules,
        default: "all rules",
        doc: "Apply only the fixes of these rules, and show the others.",
    },
    Key {
        name: "unfixable",
        kind: Kind::Rules,
        default: "none",
        doc: "Show the fixes of these rules, but don't apply them. The longer of two names wins: \
            `unfixable = [\"port.\"]` with `fixable = [\"port.default\"]` fixes `port.default`.",
    },
    Key {
        name: "extend-safe-fixes",
        kind: Kind::Rules,
        default: "none",
        doc: "Apply the unsafe fixes of these rules as if they were safe.",
    },
    Key {
        name: "extend-unsafe-fixes",
        kind: Kind::Rules,
        default: "none",
        doc: "Apply the safe fixes of these rules only with `--unsafe-fixes`.",
    },
    Key {
        name: "overrides",
        kind: Kind::Tables(OVERRIDES),
        default: "none",
        doc: "Settings for some files. Single values and `select` replace the general settings, and other lists are \
            added to them.",
    },
    Key {
        name: "per-file-ignores",
        kind: Kind::RulesByPattern,
        default: "none",
        doc: "Rules to skip in some files. Patterns have the syntax of `.gitignore` and are relative to the directory \
            of the `urlsift.toml`.",
    },
    Key {
        name: "local",
        kind: Kind::Table(LOCAL),
        default: "relative links are not checked",
        doc: "Check that relative links lead to existing files and anchors in the directory of the `urlsift.toml`, \
            like `--local`. An empty table turns this check on.",
    },
];

static LOCAL: &[Key] = &[Key {
    name: "slug",
    kind: Kind::Slug,
    default: "`\"github\"`",
    doc: "The program that generates pages from the documents. It determines the heading IDs. The style `gitlab` \
        follows GitLab's documentation, but wasn't compared with GitLab itself.",
}];

static EXCLUDE: &[Key] = &[
    Key {
        name: "hosts",
        kind: Kind::Texts,
        default: "none",
        doc: "Hosts and domains; `*` matches any bytes.",
    },
    Key {
        name: "urls",
        kind: Kind::Texts,
        default: "none",
        doc: "Complete URLs; `*` matches any bytes.",
    },
    Key {
        name: "files",
        kind: Kind::Texts,
        default: "none",
        doc: "Patterns of files, in the syntax of `.gitignore`, relative to the directory of the `urlsift.toml`.",
    },
];

static OVERRIDES: &[Key] = &[
    Key {
        name: "files",
        kind: Kind::Texts,
        default: "none",
        doc: "Patterns of the files, in the syntax of `.gitignore`, relative to the directory of the `urlsift.toml`.",
    },
    Key {
        name: "profile",
        kind: Kind::Profile,
        default: "the general profile",
        doc: "Like the key `profile`, but only for these files.",
    },
    Key {
        name: "select",
        kind: Kind::Rules,
        default: "the general selection",
        doc: "Like the key `select`, but only for these files.",
    },
    Key {
        name: "extend-select",
        kind: Kind::Rules,
        default: "none",
        doc: "Like the key `extend-select`, but only for these files.",
    },
    Key {
        name: "ignore",
        kind: Kind::Rules,
        default: "none",
        doc: "Like the key `ignore`, but only for these files.",
    },
    Key {
        name: "levels",
        kind: Kind::Levels,
        default: "none",
        doc: "Like the key `levels`, but only for these files.",
    },
    Key {
        name: "strict",
        kind: Kind::Flag,
        default: "the general setting",
        doc: "Like the key `strict`, but only for these files.",
    },
    Key {
        name: "verbatim",
        kind: Kind::Flag,
        default: "the general setting",
        doc: "Like the key `verbatim`, but only for these files.",
    },
];

impl Kind {
    /// Returns a short description of the type in Markdown.
    fn describe(&self) -> String {
        let names = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| format!("`\"{name}\"`")).collect();
            names.join(", ")
        };
        match self {
            Self::Profile => names(&Profile::ALL.map(Profile::name)),
            Self::Rejoin => names(&Rejoin::ALL.map(Rejoin::name)),
            Self::Slug => names(&Slug::ALL.map(Slug::name)),
            Self::Flag => "`true` or `false`".to_owned(),
            Self::Text => "string".to_owned(),
            Self::Texts => "list of strings".to_owned(),
            Self::Rules => "list of rules".to_owned(),
            Self::Levels => format!("table of rules: {}", names(&level_names())),
            Self::RulesByPattern => "table of patterns: lists of rules".to_owned(),
            Self::Table(_) => "table".to_owned(),
            Self::Tables(_) => "list of tables".to_owned(),
        }
    }

    /// Returns the JSON Schema for values of this type.
    fn json_schema(&self) -> Value {
        let list = |items: Value| json!({ "type": "array", "items": items });
        let rules = || list(json!({ "$ref": "#/$defs/rule" }));
        match self {
            Self::Profile => json!({ "enum": Profile::ALL.map(Profile::name) }),
            Self::Rejoin => json!({ "enum": Rejoin::ALL.map(Rejoin::name) }),
            Self::Slug => json!({ "enum": Slug::ALL.map(Slug::name) }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Text => json!({ "type": "string" }),
            Self::Texts => list(json!({ "type": "string" })),
            Self::Rules => rules(),
            Self::Levels => json!({
                "type": "object",
                "propertyNames": { "$ref": "#/$defs/rule" },
                "additionalProperties": { "enum": level_names() },
            }),
            Self::RulesByPattern => {
                json!({ "type": "object", "additionalProperties": rules() })
            }
            Self::Table(keys) => table_schema(keys),
            Self::Tables(keys) => list(table_schema(keys)),
        }
    }
}

fn level_names() -> [&'static str; 3] {
    [Level::Info, Level::Warning, Level::Error].map(Level::name)
}

/// Returns the JSON Schema for a TOML table with these keys.
fn table_schema(keys: &[Key]) -> Value {
    let properties: Map<String, Value> = keys
        .iter()
        .map(|key| {
            let mut schema = key.kind.json_schema();
            schema["description"] = format!("{} Default: {}.", key.doc, key.default).into();
            (key.name.to_owned(), schema)
        })
        .collect();
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

/// Returns a JSON Schema (draft 2020-12) that describes `urlsift.toml`. It ends with a line break.
///
/// ```
/// assert!(urlsift_lint::settings_schema().contains("\"title\": \"urlsift.toml\""));
/// ```
pub fn settings_schema() -> String {
    let codes = RULES.iter().map(|rule| rule.meta().code);
    let mut groups: Vec<String> =
        codes.clone().filter_map(|code| Some(format!("{}.", code.split_once('.')?.0))).collect();
    groups.dedup();
    let names: Vec<&str> =
        std::iter::once("all").chain(groups.iter().map(String::as_str)).chain(codes).collect();
    let mut schema = table_schema(KEYS);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "urlsift.toml".into();
    // Editors offer the names. A group may also be written without its dot.
    schema["$defs"] =
        json!({ "rule": { "anyOf": [{ "enum": names }, { "pattern": "^[a-z]+$" }] } });
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

/// Returns the reference page for `urlsift.toml` in Markdown, with a table of all keys.
///
/// ```
/// assert!(urlsift_lint::settings_page().starts_with("# urlsift.toml\n"));
/// ```
pub fn settings_page() -> String {
    let mut out = "# urlsift.toml\n\n\
        The file `urlsift.toml` configures `urlsift lint` and `urlsift server` for a directory tree. Each document \
        is checked with the settings of the nearest `urlsift.toml` in its directory or above. Any `urlsift.toml` \
        further up is ignored. Command-line options take precedence: single values and `--select` replace those in \
        the file, and other lists are added to those in the file. \
        `urlsift lint --show-settings` prints the resulting settings.\n\n\
        ```toml\n\
        profile = \"rfc3986\"\n\
        ignore = [\"escape.\"]\n\n\
        [levels]\n\
        \"host.underscore\" = \"error\"\n\n\
        [per-file-ignores]\n\
        \"docs/old/\" = [\"all\"]\n\
        ```\n"
    .to_owned();
    push_key_rows(&mut out, "", KEYS);
    out += "\nTo select rules, write their codes (`host.label`), groups (`host.`) or `all`. `urlsift explain --list` \
        and [Lint rules](rules/index.md) list the codes. `urlsift schema config` prints a JSON Schema, with which \
        editors can complete keys and rules:\n\n\
        ```toml\n\
        #:schema ./urlsift.schema.json\n\
        ```\n";
    out
}

/// Appends a row of the reference page for each key, and for the keys of nested tables. `prefix` is
/// written before the names, e.g. `exclude.`.
fn push_key_rows(out: &mut String, prefix: &str, keys: &[Key]) {
    if prefix.is_empty() {
        out.push_str("\n| key | value | default | meaning |\n|---|---|---|---|\n");
    }
    for key in keys {
        let name = format!("{prefix}{}", key.name);
        let _ =
            writeln!(out, "| `{name}` | {} | {} | {} |", key.kind.describe(), key.default, key.doc);
        if let Kind::Table(inner) | Kind::Tables(inner) = key.kind {
            push_key_rows(out, &format!("{name}."), inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEYS, Key, Kind};
    use crate::Settings;
    use std::path::Path;

    /// Returns the keys that the parser accepts in a table. They are taken from the parser's error
    /// message for an unknown key.
    fn keys_known_to_parser(text: &str) -> Vec<String> {
        let error = Settings::parse(text, Path::new("/")).err().unwrap().message;
        let names = error.split('`').skip(3).step_by(2);
        names.map(str::to_owned).collect()
    }

    fn check(keys: &[Key], head: &str) {
        let mut names: Vec<String> = keys.iter().map(|key| key.name.to_owned()).collect();
        let mut known = keys_known_to_parser(&format!("{head}no-such-key = 1\n"));
        names.sort();
        known.sort();
        assert_eq!(names, known, "of `{head}`");
        for key in keys {
            match key.kind {
                Kind::Table(inner) => check(inner, &format!("[{}]\n", key.name)),
                Kind::Tables(inner) => check(inner, &format!("[[{}]]\n", key.name)),
                _ => {}
            }
        }
    }

    #[test]
    fn table_has_the_keys_of_the_parser() {
        check(KEYS, "");
    }
}

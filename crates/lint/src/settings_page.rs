//! What `urlsift.toml` may hold, for people and for editors: a page in Markdown and a JSON Schema, made of one table
//! that a test holds to the definition that files are read by.

use crate::registry::RULES;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use urlsift_core::{Level, Profile};
use urlsift_scanner::Rejoin;

/// A key.
///
/// ```
/// use urlsift_lint::KEYS;
/// assert!(KEYS.iter().any(|key| key.name == "profile" && key.doc.ends_with('.')));
/// ```
#[non_exhaustive]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What holds without it.
    pub default: &'static str,
    /// What it is for; sentences.
    pub doc: &'static str,
}

/// What a key holds.
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
    /// How far URLs are followed over line breaks.
    Rejoin,
    /// Yes or no.
    Flag,
    /// Texts of some kind.
    Texts,
    /// Rules: codes, rooms such as `host.`, or `all`.
    Rules,
    /// Levels of rules.
    Levels,
    /// Rules by pattern of files.
    RulesByPattern,
    /// Further keys in a table of their own.
    Table(&'static [Key]),
    /// Further keys in any number of tables.
    Tables(&'static [Key]),
}

/// Every key.
pub static KEYS: &[Key] = &[
    Key {
        name: "profile",
        kind: Kind::Profile,
        default: "`\"web\"`",
        doc: "The rules that URLs are judged by.",
    },
    Key {
        name: "rejoin",
        kind: Kind::Rejoin,
        default: "`\"likely\"`",
        doc: "How far bare URLs are followed over line breaks.",
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
        doc: "Do not run these rules. Of two names the more particular one wins: `ignore = [\"port.\"]` with \
            `extend-select = [\"port.default\"]` leaves `port.default` on.",
    },
    Key {
        name: "schemes",
        kind: Kind::Texts,
        default: "none",
        doc: "Further schemes to look for, also without `//`.",
    },
    Key {
        name: "levels",
        kind: Kind::Levels,
        default: "each rule's own",
        doc: "How grave what a rule finds is. The more particular name holds, wherever it stands.",
    },
    Key {
        name: "strict",
        kind: Kind::Flag,
        default: "`false`; always so under the profiles of the standards",
        doc: "Every rule speaks at its own level, of every URL: also in program text, of examples and of templates.",
    },
    Key {
        name: "verbatim",
        kind: Kind::Flag,
        default: "`false`",
        doc: "URLs in program text are looked at as others are, not only for slips in the scheme.",
    },
    Key {
        name: "exclude",
        kind: Kind::Table(EXCLUDE),
        default: "nothing",
        doc: "What nothing is said of.",
    },
    Key {
        name: "fixable",
        kind: Kind::Rules,
        default: "all rules",
        doc: "Make only the fixes of these rules; the others are shown.",
    },
    Key {
        name: "unfixable",
        kind: Kind::Rules,
        default: "none",
        doc: "Show the fixes of these rules, but don't make them. The longer of two names wins: \
            `unfixable = [\"port.\"]` with `fixable = [\"port.default\"]` fixes `port.default`.",
    },
    Key {
        name: "extend-safe-fixes",
        kind: Kind::Rules,
        default: "none",
        doc: "Make the unsafe fixes of these rules as if they were safe.",
    },
    Key {
        name: "extend-unsafe-fixes",
        kind: Kind::Rules,
        default: "none",
        doc: "Make the safe fixes of these rules only with `--unsafe-fixes`.",
    },
    Key {
        name: "overrides",
        kind: Kind::Tables(OVERRIDES),
        default: "none",
        doc: "What holds for some files: what is given takes the place of, or is added to, what holds for all.",
    },
    Key {
        name: "per-file-ignores",
        kind: Kind::RulesByPattern,
        default: "none",
        doc: "Rules that are silent in files. Patterns are those of `.gitignore`, relative to the directory of \
            the `urlsift.toml`.",
    },
];

static EXCLUDE: &[Key] = &[
    Key {
        name: "hosts",
        kind: Kind::Texts,
        default: "none",
        doc: "Hosts, and the domains that they are in; `*` stands for any bytes.",
    },
    Key {
        name: "urls",
        kind: Kind::Texts,
        default: "none",
        doc: "Whole URLs; `*` stands for any bytes.",
    },
    Key {
        name: "files",
        kind: Kind::Texts,
        default: "none",
        doc: "Files, by patterns as in `.gitignore`, relative to the directory of the `urlsift.toml`.",
    },
];

static OVERRIDES: &[Key] = &[
    Key {
        name: "files",
        kind: Kind::Texts,
        default: "none",
        doc: "Which files, by patterns as in `.gitignore`, relative to the directory of the `urlsift.toml`.",
    },
    Key { name: "profile", kind: Kind::Profile, default: "that of all files", doc: "As above." },
    Key { name: "select", kind: Kind::Rules, default: "those of all files", doc: "As above." },
    Key { name: "extend-select", kind: Kind::Rules, default: "none more", doc: "As above." },
    Key { name: "ignore", kind: Kind::Rules, default: "none more", doc: "As above." },
    Key { name: "levels", kind: Kind::Levels, default: "none more", doc: "As above." },
    Key { name: "strict", kind: Kind::Flag, default: "as for all files", doc: "As above." },
    Key { name: "verbatim", kind: Kind::Flag, default: "as for all files", doc: "As above." },
];

impl Kind {
    /// In a few words.
    fn describe(&self) -> String {
        let names = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| format!("`\"{name}\"`")).collect();
            names.join(", ")
        };
        match self {
            Self::Profile => names(&Profile::ALL.map(Profile::name)),
            Self::Rejoin => names(&Rejoin::ALL.map(Rejoin::name)),
            Self::Flag => "`true` or `false`".to_owned(),
            Self::Texts => "list of texts".to_owned(),
            Self::Rules => "list of rules".to_owned(),
            Self::Levels => format!("table of rules: {}", names(&levels())),
            Self::RulesByPattern => "table of patterns: lists of rules".to_owned(),
            Self::Table(_) => "table".to_owned(),
            Self::Tables(_) => "list of tables".to_owned(),
        }
    }

    fn schema(&self) -> Value {
        let list = |items: Value| json!({ "type": "array", "items": items });
        let rules = || list(json!({ "$ref": "#/$defs/rule" }));
        match self {
            Self::Profile => json!({ "enum": Profile::ALL.map(Profile::name) }),
            Self::Rejoin => json!({ "enum": Rejoin::ALL.map(Rejoin::name) }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Texts => list(json!({ "type": "string" })),
            Self::Rules => rules(),
            Self::Levels => json!({
                "type": "object",
                "propertyNames": { "$ref": "#/$defs/rule" },
                "additionalProperties": { "enum": levels() },
            }),
            Self::RulesByPattern => {
                json!({ "type": "object", "additionalProperties": rules() })
            }
            Self::Table(keys) => table(keys),
            Self::Tables(keys) => list(table(keys)),
        }
    }
}

fn levels() -> [&'static str; 3] {
    [Level::Info, Level::Warning, Level::Error].map(Level::name)
}

fn table(keys: &[Key]) -> Value {
    let properties: Map<String, Value> = keys
        .iter()
        .map(|key| {
            let mut schema = key.kind.schema();
            schema["description"] = format!("{} Default: {}.", key.doc, key.default).into();
            (key.name.to_owned(), schema)
        })
        .collect();
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

/// A JSON Schema (draft 2020-12) of `urlsift.toml`, ending with a line break.
///
/// ```
/// assert!(urlsift_lint::settings_schema().contains("\"title\": \"urlsift.toml\""));
/// ```
pub fn settings_schema() -> String {
    let codes = RULES.iter().map(|rule| rule.meta().code);
    let mut rooms: Vec<String> =
        codes.clone().filter_map(|code| Some(format!("{}.", code.split_once('.')?.0))).collect();
    rooms.dedup();
    let names: Vec<&str> =
        std::iter::once("all").chain(rooms.iter().map(String::as_str)).chain(codes).collect();
    let mut schema = table(KEYS);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "urlsift.toml".into();
    // Editors offer the names; a room may be written without its dot.
    schema["$defs"] =
        json!({ "rule": { "anyOf": [{ "enum": names }, { "pattern": "^[a-z]+$" }] } });
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

/// The keys of `urlsift.toml` as a page in Markdown.
///
/// ```
/// assert!(urlsift_lint::settings_page().starts_with("# urlsift.toml\n"));
/// ```
pub fn settings_page() -> String {
    let mut out = "# urlsift.toml\n\n\
        What a tree of files wants of `urlsift lint` and `urlsift server`. The nearest one at or above a file holds for it, \
        alone. Options of the command come on top: single values replace those of the file, lists are added to them, \
        but `--select` replaces the file's. `urlsift lint --show-settings` prints what holds.\n\n\
        ```toml\n\
        profile = \"rfc3986\"\n\
        ignore = [\"escape.\"]\n\n\
        [levels]\n\
        \"host.underscore\" = \"error\"\n\n\
        [per-file-ignores]\n\
        \"docs/old/\" = [\"all\"]\n\
        ```\n"
    .to_owned();
    rows(&mut out, "", KEYS);
    out += "\nRules are named by their codes (`host.label`), by room (`host.`) or all at once (`all`); RULES.md of the \
        crate urlsift-lint and `urlsift explain --all` list them. `urlsift schema config` prints a JSON Schema, from which \
        editors offer keys and rules:\n\n\
        ```toml\n\
        #:schema ./urlsift.schema.json\n\
        ```\n";
    out
}

fn rows(out: &mut String, prefix: &str, keys: &[Key]) {
    if prefix.is_empty() {
        out.push_str("\n| key | holds | default | meaning |\n|---|---|---|---|\n");
    }
    for key in keys {
        let name = format!("{prefix}{}", key.name);
        let _ =
            writeln!(out, "| `{name}` | {} | {} | {} |", key.kind.describe(), key.default, key.doc);
        if let Kind::Table(inner) | Kind::Tables(inner) = key.kind {
            rows(out, &format!("{name}."), inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEYS, Key, Kind};
    use crate::Settings;
    use std::path::Path;

    /// The keys that are known in a table, as its reader names them.
    fn known(text: &str) -> Vec<String> {
        let error = Settings::parse(text, Path::new("/")).err().unwrap().message;
        let names = error.split('`').skip(3).step_by(2);
        names.map(str::to_owned).collect()
    }

    fn check(keys: &[Key], head: &str) {
        let mut names: Vec<String> = keys.iter().map(|key| key.name.to_owned()).collect();
        let mut known = known(&format!("{head}no-such-key = 1\n"));
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
    fn every_key_is_told() {
        check(KEYS, "");
    }
}

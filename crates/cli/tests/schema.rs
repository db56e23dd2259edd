//! Checks that the schemas in docs/schema and the pages in docs/src/reference are what the command
//! prints, and that records contain no other fields.
//!
//! `SCHEMAS=overwrite cargo test -p urlsift --test schema` rewrites the documents.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

const SUBCOMMANDS: [&str; 3] = ["scan", "lint", "parse"];

fn urlsift(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_urlsift"))
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Returns a file in `docs`. Rewrites it first if that was requested.
fn document(name: &str, printed: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if env::var_os("SCHEMAS").is_some_and(|value| value == "overwrite") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, printed).unwrap();
    }
    fs::read_to_string(&path).unwrap_or_default()
}

#[test]
fn documents_are_what_the_command_prints() {
    let mut table = "# Records\n".to_owned();
    for subcommand in SUBCOMMANDS {
        let schema = urlsift(&["schema", subcommand]);
        assert_eq!(document(&format!("schema/{subcommand}.json"), &schema), schema, "{subcommand}");
        table += "\n";
        table += &urlsift(&["schema", subcommand, "--table"]);
    }
    assert_eq!(document("src/reference/records.md", &table), table);
}

#[test]
fn tables_are_documented_as_they_are_written() {
    let all = urlsift(&["schema"]);
    let each = ["urls", "messages", "files"].map(|table| urlsift(&["schema", table]));
    assert_eq!(all, each.join("\n"));
    let page = format!("# Tables\n\n{all}");
    assert_eq!(document("src/reference/tables.md", &page), page);
    let rows = each[0].lines().filter_map(|line| line.strip_prefix("| `"));
    let columns: Vec<_> = rows.filter_map(|row| Some(row.split_once('`')?.0)).collect();
    let csv = urlsift(&["scan", "--format=csv", "cli/notes.txt"]);
    assert_eq!(csv.lines().next(), Some(columns.join(",").as_str()));
}

#[test]
fn settings_are_documented_as_they_are_read() {
    let (schema, page) =
        (urlsift(&["schema", "config"]), urlsift(&["schema", "config", "--table"]));
    assert_eq!(document("schema/config.json", &schema), schema);
    assert_eq!(document("src/reference/config.md", &page), page);
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let is_valid = |text: &str| {
        let value: toml::Value = toml::from_str(text).unwrap();
        validator.is_valid(&serde_json::to_value(value).unwrap())
    };
    let (_, example) = page.split_once("```toml\n").unwrap();
    assert!(is_valid(example.split_once("```").unwrap().0));
    assert!(is_valid("select = ['host', 'host.', 'all', 'port.default']"));
    for bad in
        ["slect = []", "select = ['host.nothing']", "profile = 'rfc1'", "[levels]\nall = 'bad'"]
    {
        assert!(!is_valid(bad), "{bad}");
    }
}

/// Makes a schema strict: no further fields, and no further names in enumerations.
fn strict(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.contains_key("properties") {
                map.insert("additionalProperties".to_owned(), false.into());
            }
            if let Some(names) = map.remove("examples") {
                map.insert("enum".to_owned(), names);
            }
            map.values_mut().for_each(strict);
        }
        Value::Array(values) => values.iter_mut().for_each(strict),
        _ => {}
    }
}

struct Checker(jsonschema::Validator);

impl Checker {
    fn new(subcommand: &str) -> Self {
        let mut schema = serde_json::from_str(&urlsift(&["schema", subcommand])).unwrap();
        strict(&mut schema);
        Self(jsonschema::validator_for(&schema).unwrap())
    }

    /// Validates each line that is a record. Returns the number of these lines.
    fn check(&self, lines: &str) -> usize {
        let records = lines.lines().filter(|line| line.starts_with("{\"type\":"));
        let check = |line: &str| {
            let record =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            if let Err(error) = self.0.validate(&record) {
                // Validate against the schema of this kind of record, because its errors are more
                // specific.
                panic!("{error}\n{line}");
            }
        };
        records.map(check).count()
    }
}

#[test]
fn transcripts_are_valid() {
    let checkers = SUBCOMMANDS.map(|subcommand| (subcommand, Checker::new(subcommand)));
    let mut seen = [0; 3];
    let cases = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd")).unwrap();
    for case in cases {
        let path = case.unwrap().path();
        // The others are directories with the files of a transcript.
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let case: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
        let args: Vec<_> =
            case["args"].as_array().unwrap().iter().map(|arg| arg.as_str()).collect();
        let which = SUBCOMMANDS.iter().position(|name| args.first() == Some(&Some(*name)));
        if let Some(which) = which
            && let Some(lines) = case.get("stdout").and_then(|lines| lines.as_str())
            && args.contains(&Some("jsonl"))
        {
            seen[which] += checkers[which].1.check(lines);
        }
    }
    assert!(seen[0] > 10 && seen[2] > 5, "{seen:?}");
}

#[test]
fn what_is_found_in_the_corpora_is_valid() {
    let scan = Checker::new("scan");
    for more in [
        &[][..],
        &["--malformed=only"],
        &["--unique=count"],
        &["--with=from_domain", "--headers=all"],
    ] {
        let records = urlsift(&[&["scan", "--format=jsonl", "--no-ignore", "."], more].concat());
        assert!(scan.check(&records) > 100, "{more:?}");
    }
    let records = urlsift(&["lint", "--format=jsonl", "--fail-on=info", "--no-ignore", "."]);
    assert!(Checker::new("lint").check(&records) > 100);
}

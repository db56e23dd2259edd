//! SARIF 2.1.0: the properties that code scanning services read.

use super::report::{Renderer, Report, Totals};
use crate::platform;
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use urlsift_core::{Level, Span, percent_encode};
use urlsift_lint::{Applicability, Diagnostic, Lines, RULES, Rule, explain};
use urlsift_records::write::json::escape_unseen;

pub(super) struct Sarif;

/// The start of the output, up to the description of the tool.
const HEAD: &str = "{\n\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\n\
    \"version\":\"2.1.0\",\n\"runs\":[{\n\"columnKind\":\"utf16CodeUnits\",\n\"tool\":";

impl Renderer for Sarif {
    fn header(&self) -> String {
        format!("{HEAD}{},\n\"results\":[\n", escape_unseen(tool_object().to_string()))
    }

    fn append_diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        out.extend_from_slice(result_line(report, diagnostic).as_bytes());
    }

    fn diagnostic_separator(&self) -> &'static str {
        ",\n"
    }

    fn footer(&self, _: &Totals) -> String {
        "\n]\n}]\n}\n".to_owned()
    }
}

/// Returns the SARIF object `tool`, which describes urlsift and all its rules.
fn tool_object() -> Value {
    let rule = |rule: &&'static dyn Rule| {
        let meta = rule.meta();
        json!({
            "id": meta.code,
            "shortDescription": { "text": format!("{}.", meta.message) },
            "fullDescription": { "text": format!("{} {}", meta.what, meta.why) },
            "help": { "text": format!("{}.", meta.advice), "markdown": explain(*rule) },
            "defaultConfiguration": { "enabled": meta.default, "level": level_name(meta.level) },
        })
    };
    let rules: Vec<Value> = RULES.iter().map(rule).collect();
    let version = env!("CARGO_PKG_VERSION");
    json!({ "driver": { "name": "urlsift", "version": version, "rules": rules } })
}

/// Returns the name of a diagnostic's level in SARIF.
const fn level_name(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
    }
}

/// A SARIF message object that contains only a text.
#[derive(Serialize)]
struct Text<'t> {
    text: Cow<'t, str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'d> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text<'d>,
    locations: [Location<'d>; 1],
    partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Related<'d>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixes: Option<[Fix<'d>; 1]>,
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "codeAndUrl/v1")]
    code_and_url: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'d> {
    physical_location: Place<'d>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Related<'d> {
    id: usize,
    physical_location: Place<'d>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<'d>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Place<'d> {
    artifact_location: Artifact<'d>,
    region: Region,
}

#[derive(Clone, Copy, Serialize)]
struct Artifact<'d> {
    uri: &'d str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
    byte_offset: usize,
    byte_length: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix<'d> {
    description: Text<'d>,
    artifact_changes: [Change<'d>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'d> {
    artifact_location: Artifact<'d>,
    replacements: Vec<Replacement<'d>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'d> {
    deleted_region: Region,
    #[serde(skip_serializing_if = "Option::is_none")]
    inserted_content: Option<Text<'d>>,
}

/// Returns a diagnostic as a SARIF result, in one line of JSON. Structs are serialized directly,
/// because serializing through `serde_json::Value` took twice as many instructions.
fn result_line(report: &Report<'_>, diagnostic: &Diagnostic) -> String {
    let uri = path_to_uri(report.path);
    let artifact = Artifact { uri: &uri };
    let place =
        |span| Place { artifact_location: artifact, region: span_to_region(report.lines(), span) };
    let index = RULES.binary_search_by(|rule| rule.meta().code.cmp(diagnostic.code));
    let fix = diagnostic.fix_without_secrets(&report.secrets);
    let fix = fix.filter(|fix| fix.applicability > Applicability::Display).map(|fix| {
        let replacements = fix.edits.iter().map(|edit| Replacement {
            deleted_region: span_to_region(report.lines(), edit.span),
            inserted_content: (!edit.text.is_empty())
                .then(|| Text { text: String::from_utf8_lossy(&edit.text) }),
        });
        let description = diagnostic.help.as_deref().unwrap_or_default();
        let text = format!("{description} ({} fix)", fix.applicability.name());
        [Fix {
            description: Text { text: text.into() },
            artifact_changes: [Change {
                artifact_location: artifact,
                replacements: replacements.collect(),
            }],
        }]
    });
    let related = diagnostic.labels.iter().enumerate().map(|(index, label)| Related {
        id: index + 1,
        physical_location: place(label.span),
        message: (!label.text.is_empty()).then(|| Text { text: Cow::Borrowed(&label.text) }),
    });
    let finding = Finding {
        rule_id: diagnostic.code,
        rule_index: index.unwrap_or_default(),
        level: level_name(diagnostic.level),
        message: Text { text: diagnostic.to_one_line().into() },
        locations: [Location { physical_location: place(diagnostic.span) }],
        partial_fingerprints: Fingerprints { code_and_url: report.fingerprint(diagnostic, b"") },
        related_locations: related.collect(),
        fixes: fix,
    };
    // Serialization can't fail here.
    escape_unseen(serde_json::to_string(&finding).unwrap_or_default())
}

/// Returns the SARIF region for a span: its 1-based lines and UTF-16 columns, and its byte offset
/// and length.
fn span_to_region(lines: &Lines<'_>, span: Span) -> Region {
    let (start, end) = (lines.position(span.start), lines.position(span.end));
    Region {
        start_line: start.line,
        start_column: start.utf16,
        end_line: end.line,
        end_column: end.utf16,
        byte_offset: span.start,
        byte_length: span.len(),
    }
}

/// Converts the bytes of a path to a URI reference. A relative path stays relative, and an absolute
/// path becomes a `file:` URL.
fn path_to_uri(path: &[u8]) -> String {
    let path = platform::uri_path(path);
    let scheme = if path.starts_with(b"/") { "file://" } else { "" };
    let is_kept = |b: u8| b.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&b);
    let path = percent_encode(path.strip_prefix(b"./").unwrap_or(&path), is_kept);
    format!("{scheme}{}", String::from_utf8_lossy(&path))
}

#[cfg(test)]
mod tests {
    use super::path_to_uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(path_to_uri(b"./a b/c%d:e.md"), "a%20b/c%25d%3Ae.md");
        assert_eq!(path_to_uri(b"/x\xff"), "file:///x%FF");
        assert_eq!(path_to_uri(b"-"), "-");
    }
}

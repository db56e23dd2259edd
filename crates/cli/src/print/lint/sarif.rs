//! SARIF 2.1.0, written with plain structs: the part of the format that code scanning reads.

use super::report::{Renderer, Report, Totals, may_show};
use serde::Serialize;
use std::fmt::Write as _;
use urlsift_core::{Level, Span};
use urlsift_lint::{Applicability, Diagnostic, Lines, RULES};

pub(super) struct Sarif;

const HEAD: &str = "{\n\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\n\
    \"version\":\"2.1.0\",\n\"runs\":[{\n\"columnKind\":\"utf16CodeUnits\",\n\"tool\":";

impl Renderer for Sarif {
    fn begin(&self) -> String {
        format!("{HEAD}{},\n\"results\":[\n", json(&tool()))
    }

    fn file(&self, report: &Report<'_>) -> Vec<String> {
        report.diagnostics.iter().map(|diagnostic| json(&result(report, diagnostic))).collect()
    }

    fn between(&self) -> &'static str {
        ",\n"
    }

    fn end(&self, _: &Totals) -> String {
        "\n]\n}]\n}\n".to_owned()
    }
}

fn json(value: &impl Serialize) -> String {
    // Strings, numbers and lists of them: this cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<RuleInfo>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleInfo {
    id: &'static str,
    short_description: Text,
    full_description: Text,
    help: Help,
    default_configuration: Defaults,
}

#[derive(Serialize)]
struct Defaults {
    enabled: bool,
    level: &'static str,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultItem {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixItem>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(rename = "physicalLocation")]
    place: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Clone, Serialize)]
struct Artifact {
    uri: String,
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
struct FixItem {
    description: Text,
    artifact_changes: Vec<Change>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    artifact_location: Artifact,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    #[serde(skip_serializing_if = "Option::is_none")]
    inserted_content: Option<Text>,
}

fn tool() -> Tool {
    let rules = RULES
        .iter()
        .map(|rule| {
            let meta = rule.meta();
            RuleInfo {
                id: meta.code,
                short_description: Text { text: format!("{}.", meta.message) },
                full_description: Text { text: format!("{} {}", meta.what, meta.why) },
                help: Help {
                    text: format!("{}.", meta.advice),
                    markdown: urlsift_lint::explain(*rule),
                },
                default_configuration: Defaults { enabled: meta.default, level: level(meta.level) },
            }
        })
        .collect();
    Tool { driver: Driver { name: "urlsift", version: env!("CARGO_PKG_VERSION"), rules } }
}

const fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
    }
}

fn result(report: &Report<'_>, diagnostic: &Diagnostic) -> ResultItem {
    let artifact = Artifact { uri: uri(report.path) };
    let place = |span: Span| Physical {
        artifact_location: artifact.clone(),
        region: region(report.lines, span),
    };
    let mut text = diagnostic.message.clone();
    for more in diagnostic.notes.iter().chain(&diagnostic.help) {
        let _ = write!(text, "; {more}");
    }
    let related = diagnostic.labels.iter().enumerate().map(|(index, label)| Location {
        id: Some(index + 1),
        place: place(label.span),
        message: (!label.text.is_empty()).then(|| Text { text: label.text.clone() }),
    });
    let mut fixes = Vec::new();
    if let Some(fix) = &diagnostic.fix
        && fix.applicability > Applicability::Display
        && may_show(diagnostic, report.secrets)
    {
        let replacements = fix
            .edits
            .iter()
            .map(|edit| Replacement {
                deleted_region: region(report.lines, edit.span),
                inserted_content: (!edit.text.is_empty())
                    .then(|| Text { text: String::from_utf8_lossy(&edit.text).into_owned() }),
            })
            .collect();
        let description = diagnostic.help.clone().unwrap_or_default();
        let artifact_location = artifact.clone();
        fixes.push(FixItem {
            description: Text { text: format!("{description} ({} fix)", fix.applicability.name()) },
            artifact_changes: vec![Change { artifact_location, replacements }],
        });
    }
    ResultItem {
        rule_id: diagnostic.code,
        rule_index: RULES
            .binary_search_by(|rule| rule.meta().code.cmp(diagnostic.code))
            .unwrap_or_default(),
        level: level(diagnostic.level),
        message: Text { text },
        related_locations: related.collect(),
        locations: vec![Location { id: None, place: place(diagnostic.span), message: None }],
        fixes,
    }
}

fn region(lines: &Lines<'_>, span: Span) -> Region {
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

/// A path as a URI: relative ones as they stand, absolute ones with `file://`.
fn uri(path: &[u8]) -> String {
    let mut out = String::new();
    if path.starts_with(b"/") {
        out.push_str("file://");
    }
    let path = path.strip_prefix(b"./").unwrap_or(path);
    for &byte in path {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri(b"./a b/c%d:e.md"), "a%20b/c%25d%3Ae.md");
        assert_eq!(uri(b"/x\xff"), "file:///x%FF");
        assert_eq!(uri(b"-"), "-");
    }
}

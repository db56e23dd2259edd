//! SARIF 2.1.0, the part of the format that code scanning reads.

use super::report::{Renderer, Report, Totals};
use crate::platform;
use serde_json::{Value, json};
use urlsift_core::{Level, Span, percent_encode};
use urlsift_lint::{Applicability, Diagnostic, Edit, Label, Lines, RULES, Rule, explain};
use urlsift_records::write::json::without_unseen;

pub(super) struct Sarif;

const HEAD: &str = "{\n\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\n\
    \"version\":\"2.1.0\",\n\"runs\":[{\n\"columnKind\":\"utf16CodeUnits\",\n\"tool\":";

impl Renderer for Sarif {
    fn begin(&self) -> String {
        format!("{HEAD}{},\n\"results\":[\n", line(&tool()))
    }

    fn diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        out.extend_from_slice(line(&result(report, diagnostic)).as_bytes());
    }

    fn between(&self) -> &'static str {
        ",\n"
    }

    fn end(&self, _: &Totals) -> String {
        "\n]\n}]\n}\n".to_owned()
    }
}

fn line(value: &Value) -> String {
    without_unseen(value.to_string())
}

fn tool() -> Value {
    let rule = |rule: &&'static dyn Rule| {
        let meta = rule.meta();
        json!({
            "id": meta.code,
            "shortDescription": { "text": format!("{}.", meta.message) },
            "fullDescription": { "text": format!("{} {}", meta.what, meta.why) },
            "help": { "text": format!("{}.", meta.advice), "markdown": explain(*rule) },
            "defaultConfiguration": { "enabled": meta.default, "level": level(meta.level) },
        })
    };
    let rules: Vec<Value> = RULES.iter().map(rule).collect();
    let version = env!("CARGO_PKG_VERSION");
    json!({ "driver": { "name": "urlsift", "version": version, "rules": rules } })
}

const fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
    }
}

fn result(report: &Report<'_>, diagnostic: &Diagnostic) -> Value {
    let artifact = json!({ "uri": uri(report.path) });
    let place =
        |span| json!({ "artifactLocation": artifact, "region": region(report.lines(), span) });
    let index = RULES.binary_search_by(|rule| rule.meta().code.cmp(diagnostic.code));
    let mut result = json!({
        "ruleId": diagnostic.code,
        "ruleIndex": index.unwrap_or_default(),
        "level": level(diagnostic.level),
        "message": { "text": diagnostic.one_line() },
        "locations": [{ "physicalLocation": place(diagnostic.span) }],
        "partialFingerprints": { "codeAndUrl/v1": report.fingerprint(diagnostic, b"") },
    });
    let related = |(index, label): (usize, &Label)| {
        let mut related = json!({ "id": index + 1, "physicalLocation": place(label.span) });
        if !label.text.is_empty() {
            related["message"] = json!({ "text": label.text });
        }
        related
    };
    if !diagnostic.labels.is_empty() {
        result["relatedLocations"] = diagnostic.labels.iter().enumerate().map(related).collect();
    }
    if let Some(fix) = diagnostic.shown_fix(&report.secrets)
        && fix.applicability > Applicability::Display
    {
        let replacement = |edit: &Edit| {
            let mut replacement = json!({ "deletedRegion": region(report.lines(), edit.span) });
            if !edit.text.is_empty() {
                replacement["insertedContent"] =
                    json!({ "text": String::from_utf8_lossy(&edit.text) });
            }
            replacement
        };
        let replacements: Vec<Value> = fix.edits.iter().map(replacement).collect();
        let description = diagnostic.help.as_deref().unwrap_or_default();
        result["fixes"] = json!([{
            "description": { "text": format!("{description} ({} fix)", fix.applicability.name()) },
            "artifactChanges": [{ "artifactLocation": artifact, "replacements": replacements }],
        }]);
    }
    result
}

fn region(lines: &Lines<'_>, span: Span) -> Value {
    let (start, end) = (lines.position(span.start), lines.position(span.end));
    json!({
        "startLine": start.line,
        "startColumn": start.utf16,
        "endLine": end.line,
        "endColumn": end.utf16,
        "byteOffset": span.start,
        "byteLength": span.len(),
    })
}

/// A path as a URI: relative ones as they stand, absolute ones with `file://`.
fn uri(path: &[u8]) -> String {
    let path = platform::uri_path(path);
    let scheme = if path.starts_with(b"/") { "file://" } else { "" };
    let is_kept = |b: u8| b.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&b);
    let path = percent_encode(path.strip_prefix(b"./").unwrap_or(&path), is_kept);
    format!("{scheme}{}", String::from_utf8_lossy(&path))
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

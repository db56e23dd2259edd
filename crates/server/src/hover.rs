//! Builds the hover text: the parts of a URL, the request that a client would make, the problems of
//! the URL, and the corrected link.

use crate::document::{Encoding, Text};
use crate::links::Link;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};
use std::fmt::Write as _;
use urlsift_core::{Profile, Span, Value, masked};
use urlsift_lint::{Config, Diagnostic, apply, rule};
use urlsift_records::parse::ParseRecord;
use urlsift_records::write::visible::escape_invisible;

/// The maximum length of a displayed value, in bytes.
const MAX_VALUE_LEN: usize = 300;

/// Returns the hover text for `offset`, or `None` if there is neither a URL nor a
/// problem.
pub(crate) fn hover_text(
    links: &[Link],
    faults: &[Diagnostic],
    offset: usize,
    config: &Config,
    text: &Text,
    encoding: Encoding,
) -> Option<Hover> {
    let is_here = |span: Span| span.start <= offset && offset <= span.end;
    let link = links.iter().find(|link| is_here(link.span));
    let about = |fault: &&Diagnostic| {
        is_here(fault.span) || link.is_some_and(|link| link.span.overlaps(fault.span))
    };
    let faults: Vec<&Diagnostic> = faults.iter().filter(about).collect();
    let span = link.map(|link| link.span).or(faults.first().map(|fault| fault.span))?;
    let mut out = String::new();
    if let Some(link) = link {
        push_description(&mut out, &masked(&link.url, config.hides), config.profile);
    }
    for fault in faults {
        if !out.is_empty() {
            out.push_str("\n---\n\n");
        }
        push_explanation(&mut out, fault);
        if let Some(corrected) = corrected_link(fault, links, text.as_str().as_bytes(), config) {
            let _ = writeln!(out, "\nCorrected: {}", format_code(&corrected));
        }
    }
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: out }),
        range: Some(text.to_lsp_range(span, encoding)),
    })
}

/// Returns the link with the fix of `fault` applied, or `None` if there is no fix. The result
/// includes the markup around the URL if the fix changes it. Secrets are masked.
fn corrected_link(
    fault: &Diagnostic,
    links: &[Link],
    text: &[u8],
    config: &Config,
) -> Option<String> {
    let fix = fault.fix.as_ref()?;
    let edited = fix.edits.iter().map(|edit| edit.span);
    let near = links.iter().map(|link| link.span).filter(|link| link.overlaps(fault.span));
    let whole = edited.chain(near).fold(fault.span, |whole, span| {
        Span::new(whole.start.min(span.start), whole.end.max(span.end))
    });
    let whole = with_rest_of_link(text, whole, fault.code.starts_with("link."));
    let corrected = apply::edited_part(text, whole, &fix.edits);
    let has_secret = |link: &Link| {
        link.span.overlaps(whole)
            && link.span != whole
            && !config.hides.in_url(&link.url).is_empty()
    };
    if links.iter().any(has_secret) {
        return None;
    }
    Some(String::from_utf8_lossy(&masked(&corrected, config.hides)).into_owned())
}

/// Extends a span, which contains a part of a link, to the whole link on its line. `has_markup` is
/// true if the markup around the URL belongs to the link.
fn with_rest_of_link(text: &[u8], part: Span, has_markup: bool) -> Span {
    let (before, after) = (&text[..part.start], &text[part.end..]);
    let line = &before[memchr::memrchr(b'\n', before).map_or(0, |end| end + 1)..];
    let is_outside = |b: &u8| b.is_ascii_whitespace() || !has_markup && b"()[]<>\"'`".contains(b);
    // A `<` may be the start of a tag, or part of a link such as `` `text <http://...>`_ ``.
    let opening = [&b"[`"[..], b"<"]
        .iter()
        .find_map(|marks| line.iter().rposition(|b| marks.contains(b)))
        .map(|at| at - usize::from(line[..at].ends_with(b"[")))
        .filter(|_| has_markup);
    let start = opening.or_else(|| line.iter().rposition(is_outside).map(|at| at + 1));
    let start = part.start - line.len() + start.unwrap_or(0);
    let len = after.iter().position(is_outside).unwrap_or(after.len());
    let closing = opening.and_then(|_| end_of_brackets(text, start, part.end));
    Span::new(start, closing.unwrap_or(part.end + len))
}

/// Returns the offset after the bracket that closes all brackets from offset `start` on. The bracket
/// must be at or after offset `min` and on its line. Returns `None` if there is none.
fn end_of_brackets(text: &[u8], start: usize, min: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, b) in (start..).zip(&text[start..]) {
        match b {
            b'[' | b'(' => depth += 1,
            b']' | b')' => depth = depth.saturating_sub(1),
            b'\n' if at >= min => return None,
            _ => continue,
        }
        let continues = matches!(text.get(at + 1), Some(b'[' | b'('));
        if depth == 0 && at + 1 >= min && b"])".contains(b) && !continues {
            return Some(at + 1);
        }
    }
    None
}

/// Appends the description of a URL to `out`: whether `profile` accepts it, its parts, and what a
/// client does with it.
fn push_description(out: &mut String, url: &[u8], profile: Profile) {
    let record = ParseRecord::new(url, profile, true);
    let verdict = if record.is_valid() { "valid" } else { "not valid" };
    let _ =
        writeln!(out, "{}\n\n{verdict} in `{profile}`", format_code(&String::from_utf8_lossy(url)));
    let Ok(url) = &record.result else { return };
    for (title, fields) in [("Parts", url.components()), ("Client behavior", url.semantics())] {
        let lines: Vec<String> = fields
            .into_iter()
            .flatten()
            .filter(|(_, value)| *value != Value::Null)
            .map(|(name, value)| format!("- {name}: {}\n", format_value(&value)))
            .collect();
        if !lines.is_empty() {
            let _ = write!(out, "\n**{title}**\n\n{}", lines.concat());
        }
    }
}

/// Formats the value of a URL's component as Markdown.
fn format_value(value: &Value<'_>) -> String {
    match value {
        Value::Bytes(bytes) => format_code(&String::from_utf8_lossy(bytes)),
        Value::Text(text) => format_code(text),
        Value::List(values) => values.iter().map(format_value).collect::<Vec<_>>().join(", "),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => number.to_string(),
        _ => "none".to_owned(),
    }
}

/// Formats a text as Markdown code. A long text is truncated.
fn format_code(text: &str) -> String {
    let mut end = text.len().min(MAX_VALUE_LEN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let more = if end < text.len() { "..." } else { "" };
    let text = escape_invisible(&text[..end]);
    let mut fence = "`".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    let blank = if fence.len() > 1 || text.is_empty() { " " } else { "" };
    format!("{fence}{blank}{text}{more}{blank}{fence}")
}

/// Appends the message, explanation, notes and help of a problem to `out`.
fn push_explanation(out: &mut String, fault: &Diagnostic) {
    let _ =
        writeln!(out, "**{}** `{}`: {}", fault.level, fault.code, escape_invisible(&fault.message));
    if let Some(rule) = rule(fault.code) {
        let meta = rule.meta();
        let _ = writeln!(out, "\n{} {}", meta.what, meta.why);
    }
    for note in &fault.notes {
        let _ = writeln!(out, "\nNote: {}", format_code(note));
    }
    if let Some(help) = &fault.help {
        let _ = writeln!(out, "\nHelp: {}", format_code(help));
    }
    let source = fault.cited_source();
    if !source.is_empty() {
        let _ = writeln!(out, "\n{source}");
    }
}

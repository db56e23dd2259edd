//! One file linted: opened as what it is, its texts linted, and what was found put back into
//! positions of the file.

pub(crate) mod baseline;
pub(crate) mod mend;
pub(crate) mod settings;

use std::ops::ControlFlow;
use urlsift_archive::{Container, Document, DocumentKind, Options, Reading, detect, documents};
use urlsift_core::{FileSpan, Span};
use urlsift_lint::{Applicability, Diagnostic, Edit, Fix, Linted, Linter};
use urlsift_scanner::{Charset, Dialect, Input};

/// Lints the bytes of a file. `name` is the last component of its path.
///
/// Spans, edits and secrets come in positions of `raw`. A fix survives only where the file shows
/// the edited bytes as they are; what was decoded is never written.
pub(crate) fn lint_bytes(
    linter: &Linter,
    raw: &[u8],
    name: Option<&[u8]>,
    reading: Reading,
) -> Linted {
    let head = raw.get(..64 << 10).unwrap_or(raw);
    let container = detect(head, name, reading);
    let dialect = match container {
        Container::Text(dialect) => Some(scanned(dialect)),
        // The source is linted, not what a browser shows: that is where the fixes go.
        Container::Html => Some(Dialect::Html),
        _ => None,
    };
    if let Some(dialect) = dialect {
        return linter.lint(raw, dialect);
    }
    let mut all = Linted::default();
    documents(raw, container, 0, &Options::default(), &mut |document| {
        let found = match document.kind {
            DocumentKind::Attribute(_) => linter.lint_value(document.text),
            // Pieces of programs: what they put together is not to be judged.
            DocumentKind::Mention(_) => return ControlFlow::Continue(()),
            DocumentKind::Text(dialect) => linter.lint_input(input(document), scanned(dialect)),
            _ => linter.lint_input(input(document), Dialect::Plain),
        };
        let keep = |span: Span| !document.is_opaque(span);
        all.candidates += found.candidates;
        all.secrets.extend(found.secrets.iter().map(|&span| locate(document, span)));
        let kept = found.diagnostics.into_iter().filter(|diagnostic| keep(diagnostic.span));
        all.diagnostics.extend(kept.map(|diagnostic| relocated(document, diagnostic)));
        ControlFlow::Continue(())
    });
    all.secrets.sort_unstable();
    all.diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    all.diagnostics.dedup();
    all
}

fn input<'t>(document: &Document<'t>) -> Input<'t> {
    let charset = match document.charset {
        urlsift_archive::Charset::EightBit => Charset::EightBit,
        _ => Charset::Utf8,
    };
    Input::new(document.text).breaks(document.breaks).charset(charset)
}

fn scanned(dialect: urlsift_archive::Dialect) -> Dialect {
    match dialect {
        urlsift_archive::Dialect::Markdown => Dialect::Markdown,
        urlsift_archive::Dialect::Rst => Dialect::Rst,
        urlsift_archive::Dialect::Html => Dialect::Html,
        _ => Dialect::Plain,
    }
}

/// A span of the document's text as one of the file.
fn locate(document: &Document<'_>, span: Span) -> Span {
    let FileSpan { start, end } = document.locate(span);
    let index = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    Span::new(index(start), index(end))
}

fn relocated(document: &Document<'_>, mut diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.span = locate(document, diagnostic.span);
    for label in &mut diagnostic.labels {
        label.span = locate(document, label.span);
    }
    diagnostic.fix = diagnostic.fix.take().and_then(|fix| {
        let edits: Option<Vec<Edit>> = fix.edits.iter().map(|edit| moved(document, edit)).collect();
        // Mail is a record of what was sent: it is shown what to do, and never rewritten.
        edits.map(|edits| Fix { applicability: Applicability::Display, edits })
    });
    diagnostic
}

/// An edit of the document's text as one of the file, where the file shows these bytes.
fn moved(document: &Document<'_>, edit: &Edit) -> Option<Edit> {
    let span = edit.span;
    if span.is_empty() {
        let before = Span::new(span.start.checked_sub(1)?, span.start);
        let at = locate(document, before).end;
        return document.is_verbatim(before).then(|| Edit::insert(at, edit.text.clone()));
    }
    document.is_verbatim(span).then(|| Edit::replace(locate(document, span), edit.text.clone()))
}

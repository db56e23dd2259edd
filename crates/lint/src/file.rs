//! Files linted: opened as what they are, their texts linted, and what was found put back into
//! positions of the file.

use crate::diagnostic::Diagnostic;
use crate::edit::{Applicability, Edit, Fix};
use crate::linter::{Linted, Linter};
use std::ops::ControlFlow;
use urlsift_archive::{Document, Options, Reading, detect, documents};
use urlsift_core::Span;
use urlsift_records::dispatch::{Purpose, Way, dispatch, source_text};

/// How much of a file is looked at to tell what it is.
const HEAD: usize = 64 << 10;

impl Linter {
    /// Lints the bytes of a file: mail is unpacked, its parts are decoded. `name` is the last
    /// component of the file's path, where it has one.
    ///
    /// Spans, edits and secrets come in positions of `raw`. What was unpacked is never to be
    /// rewritten: its fixes are for display, and only where `raw` shows the edited bytes as they
    /// are. Never fails: any bytes are a file. Linear in `raw`.
    ///
    /// ```
    /// use urlsift_archive::Reading;
    /// use urlsift_lint::{Config, Linter};
    ///
    /// let raw = b"From: joe@host.dom\nSubject: x\nContent-Transfer-Encoding: quoted-printable\n\n\
    ///             See http://www..ho=\nst.dom/ now.\n";
    /// let found = Linter::new(Config::default()).lint_file(raw, None, Reading::Auto);
    /// assert_eq!(found.diagnostics[0].code, "host.label");
    /// assert_eq!(found.diagnostics[0].url.as_deref(), Some("http://www..host.dom/"));
    /// ```
    pub fn lint_file(&self, raw: &[u8], name: Option<&[u8]>, reading: Reading) -> Linted {
        let container = detect(raw.get(..HEAD).unwrap_or(raw), name, reading);
        if let Some(dialect) = source_text(container, Purpose::Lint) {
            return self.lint(raw, dialect);
        }
        let mut all = Linted::default();
        documents(raw, container, 0, &Options::default(), &mut |document| {
            let found = match dispatch(document, Purpose::Lint) {
                Way::Skip => return ControlFlow::Continue(()),
                Way::Text(input, dialect) => self.lint_input(input, dialect),
                Way::Whole { value, otherwise } => self.lint_value(value, otherwise),
            };
            all.candidates += found.candidates;
            all.secrets.extend(found.secrets.iter().map(|&span| document.source(span)));
            let text = found.diagnostics.into_iter().filter(|d| !document.is_opaque(d.span));
            all.diagnostics.extend(text.map(|diagnostic| in_file(document, diagnostic)));
            ControlFlow::Continue(())
        });
        all.hide_passwords_of(raw);
        all.diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
        all.diagnostics.dedup();
        all
    }
}

/// A diagnostic of the document's text as one of the file.
fn in_file(document: &Document<'_>, mut diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.span = document.source(diagnostic.span);
    for label in &mut diagnostic.labels {
        label.span = document.source(label.span);
    }
    diagnostic.fix = diagnostic.fix.take().and_then(|fix| {
        let edits: Option<Vec<Edit>> =
            fix.edits.iter().map(|edit| edit_in_file(document, edit)).collect();
        // Mail is a record of what was sent: it is shown what to do, and never rewritten.
        edits.map(|edits| Fix { applicability: Applicability::Display, edits })
    });
    diagnostic
}

/// An edit of the document's text as one of the file, where the file shows these bytes.
fn edit_in_file(document: &Document<'_>, edit: &Edit) -> Option<Edit> {
    let span = edit.span;
    if span.is_empty() {
        let before = Span::new(span.start.checked_sub(1)?, span.start);
        let at = document.source(before).end;
        return document.is_verbatim(before).then(|| Edit::insert(at, edit.text.clone()));
    }
    document.is_verbatim(span).then(|| Edit::replace(document.source(span), edit.text.clone()))
}

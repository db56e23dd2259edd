//! Lints files: detects the format, lints the texts in the file, and maps the results to positions
//! in the file.

use crate::caches::Caches;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::edit::Applicability;
use crate::linter::{Linted, Linter};
use crate::parts::{Part, Parts};
use crate::place::SourceMap;
use crate::tree::check::Local;
use std::ops::ControlFlow;
use urlsift_archive::{Container, Document, Head, Notation, Options, Reading, detect, documents};
use urlsift_core::Span;
use urlsift_records::dispatch::{Purpose, SearchMode, dispatch};
use urlsift_scanner::Input;

impl Linter {
    /// Lints a file with the content `raw`. Mail is split into its parts, which are decoded and
    /// linted separately. `name` is the last component of the file's path, if it has one. `reading`
    /// is the format to assume, or automatic detection.
    ///
    /// All spans in the result refer to `raw`. Fixes in decoded parts are never applied, and exist
    /// only if `raw` contains the edited bytes unchanged.
    ///
    /// Takes linear time, and accepts any bytes.
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
    /// assert_eq!(found.messages, 1);
    /// ```
    pub fn lint_file(&self, raw: &[u8], name: Option<&[u8]>, reading: Reading) -> Linted {
        let mut diagnostics = Vec::new();
        let mut take = |part: &mut Part| diagnostics.append(&mut part.diagnostics);
        let mut linted = self.lint_file_parts(raw, name, reading, &mut take);
        linted.diagnostics = diagnostics;
        linted
    }

    /// Lints a file like [`Linter::lint_file`], but passes the diagnostics to `take` in parts of
    /// bounded size. The parts have the order of the file. The returned value contains no
    /// diagnostics.
    pub fn lint_file_parts(
        &self,
        raw: &[u8],
        name: Option<&[u8]>,
        reading: Reading,
        take: &mut dyn FnMut(&mut Part),
    ) -> Linted {
        self.lint_file_of_tree(raw, name, reading, None, take)
    }

    /// Lints a file like [`Linter::lint_file_parts`]. If `local` is given, also checks relative
    /// links against the tree of files. `local` is the position of the file in this tree.
    pub(crate) fn lint_file_of_tree(
        &self,
        raw: &[u8],
        name: Option<&[u8]>,
        reading: Reading,
        local: Option<Local<'_>>,
        take: &mut dyn FnMut(&mut Part),
    ) -> Linted {
        let container = detect_container(raw, name, reading);
        if let Some(dialect) = Dialect::of_file(container, name, reading) {
            return self.lint_parts_of_tree(Input::new(raw), dialect, local, take);
        }
        let caches = Caches::new(self.masked_secrets());
        let parts = Parts::new(raw, &caches, take);
        let catalog = matches!(container, Container::Escaped(Notation::Gettext)).then_some(raw);
        let mut file = File { linter: self, parts, candidates: 0, catalog };
        let mut options = Options::default();
        // The whole file is in memory, so reading a long message as plain text would save nothing.
        options.max_message = options.max_message.max(raw.len());
        // HTML in mail is parsed exactly like an HTML file.
        options.html_source = true;
        let walked = documents(raw, container, 0, &options, &mut |document| {
            file.parts.promise_no_earlier_than(
                document.to_unit_span(Span::new(0, document.text.len())).start,
            );
            file.lint_document(document);
            ControlFlow::Continue(())
        });
        Linted {
            diagnostics: Vec::new(),
            secrets: file.parts.finish_and_take_secrets(),
            candidates: file.candidates,
            messages: walked.messages,
            limits: walked.limits,
        }
    }
}

/// The state of linting one file, whose documents are linted one after another.
struct File<'f> {
    linter: &'f Linter,
    parts: Parts<'f>,
    candidates: usize,
    /// The content of a gettext catalog; `None` for other files.
    catalog: Option<&'f [u8]>,
}

impl File<'_> {
    /// Lints one document of the file, e.g. the body of a mail message.
    fn lint_document(&mut self, document: &Document<'_>) {
        let found = match dispatch(document, Purpose::Lint) {
            SearchMode::Skip => return,
            SearchMode::Text(input, dialect) => {
                self.linter.lint_parts(input, Dialect::Text(dialect), &mut |part| {
                    part.secrets.iter().for_each(|&span| self.add_secret(document, span));
                    for diagnostic in part.diagnostics.drain(..) {
                        self.parts
                            .promise_no_earlier_than(document.to_unit_span(diagnostic.span).start);
                        self.add_diagnostic(document, diagnostic);
                    }
                })
            }
            SearchMode::Whole { value, otherwise } => self.linter.lint_value(value, otherwise),
        };
        self.candidates += found.candidates;
        found.secrets.iter().for_each(|&span| self.add_secret(document, span));
        found
            .diagnostics
            .into_iter()
            .for_each(|diagnostic| self.add_diagnostic(document, diagnostic));
    }

    /// Records the span of a secret, which is given as a span in the document.
    fn add_secret(&mut self, document: &Document<'_>, secret: Span) {
        self.parts.add_secret(document.to_unit_span(secret));
    }

    /// True if offset `at` of the file is in an obsolete message of a gettext catalog, whose lines
    /// start with `#~`. Programs don't display such messages.
    fn is_in_obsolete_message(&self, at: usize) -> bool {
        let before = self.catalog.and_then(|text| text.get(..at)).unwrap_or_default();
        let line = memchr::memrchr(b'\n', before).map_or(before, |end| &before[end + 1..]);
        line.trim_ascii_start().starts_with(b"#~")
    }

    /// Adds a diagnostic of a document, after converting its spans to spans in the file.
    fn add_diagnostic(&mut self, document: &Document<'_>, diagnostic: Diagnostic) {
        let start = document.to_unit_span(diagnostic.span).start;
        if document.is_opaque(diagnostic.span) || self.is_in_obsolete_message(start) {
            return;
        }
        let place = SourceMap {
            source: &|span| document.to_unit_span(span),
            is_verbatim: &|span| document.is_verbatim(span),
            // Fixes are shown but never applied. Mail is a record of what was sent, and programs
            // look up the messages of gettext catalogs by their text.
            max: Applicability::Display,
        };
        self.parts.add_diagnostic(place.to_source(diagnostic));
    }
}

/// Detects the format of a file from its content, its name, and the requested reading.
fn detect_container(raw: &[u8], name: Option<&[u8]>, reading: Reading) -> Container {
    detect(Head::of(raw), name, reading)
}

/// Returns the dialect of a file that is linted as a single text. Returns `None` if the file
/// contains several documents, e.g. mail.
pub(crate) fn dialect_of_single_text(
    raw: &[u8],
    name: Option<&[u8]>,
    reading: Reading,
) -> Option<Dialect> {
    Dialect::of_file(detect_container(raw, name, reading), name, reading)
}

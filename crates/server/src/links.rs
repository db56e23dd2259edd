//! Finds the URLs of a document, and converts them to links. A URL that is broken over lines has a
//! link for each of its pieces.

use crate::document::{Encoding, Text};
use crate::project::Project;
use lsp_types::{DocumentLink, Uri};
use std::path::Path;
use std::str::FromStr as _;
use std::sync::Arc;
use urlsift_archive::Reading;
use urlsift_core::{FileSpan, Level, Secrets, Span, masked, percent_encode};
use urlsift_lint::{Applicability, Diagnostic, Edit, Fix, apply, file_name, rule};
use urlsift_records::{FileName, Malformed, Options, Unit, collect_records};

/// The maximum number of links for one document.
const MAX_LINKS: usize = 10_000;

/// A URL in an open document, with the spans and the target of its links.
#[derive(Debug)]
pub(crate) struct Link {
    /// The URL, without line breaks and quote marks inside it.
    pub(crate) url: Vec<u8>,
    /// The span of the URL in the document, including line breaks.
    pub(crate) span: Span,
    /// The spans of the URL's pieces in the document, without the line breaks between them.
    pub(crate) pieces: Vec<Span>,
    /// The URL to open, or `None` if the URL is invalid and has no fix.
    pub(crate) target: Option<Vec<u8>>,
}

/// Returns the URLs of a document, in order. If a URL has an error or a misspelled scheme, its
/// target is the fixed URL, or `None` if there is no fix.
pub(crate) fn find_links(
    text: &str,
    path: &Path,
    reading: Reading,
    project: &Project,
) -> Vec<Link> {
    let config = project.linter.config();
    let mut options = Options::default();
    options.profile = config.profile;
    options.rejoin = config.rejoin;
    options.malformed = Malformed::Include;
    let file = Arc::new(FileName::new(file_name(path).unwrap_or_default()));
    let unit = Unit::whole_file(&file, text.as_bytes(), reading);
    let records = collect_records(text.as_bytes(), &unit, &options);
    let links = records.into_iter().map(|record| {
        let whole = to_text_span(record.span);
        let mut pieces = Vec::new();
        let mut at = whole.start;
        for join in &*record.joins {
            let dropped = to_text_span(join.span);
            pieces.push(Span::new(at, dropped.start.max(at)));
            at = dropped.end.max(at);
        }
        pieces.push(Span::new(at, whole.end.max(at)));
        pieces.retain(|piece| !piece.is_empty() && piece.end <= text.len());
        let target = record.is_valid().then(|| record.url.to_vec());
        Link { url: record.url.into_owned(), span: whole, pieces, target }
    });
    let mut links: Vec<Link> = links.collect();
    project.judge.lint_parts(path, text.as_bytes(), reading, &mut |part| {
        let is_typo = |code| rule(code).is_some_and(|rule| rule.meta().typo);
        let invalidates_target =
            |fault: &&Diagnostic| fault.level == Level::Error || is_typo(fault.code);
        for fault in part.diagnostics.iter().filter(invalidates_target) {
            let first = links.partition_point(|link| link.span.end <= fault.span.start);
            let links = links[first..].iter_mut();
            for link in links.take_while(|link| link.span.start < fault.span.end) {
                link.target = link.fixed_target(text.as_bytes(), fault.fix.as_ref());
            }
        }
    });
    links
}

impl Link {
    /// Returns the link's target with `fix` applied. Returns `None` if `fix` is missing, is only
    /// for display or edits bytes outside the URL, or if the target already differs from the text.
    fn fixed_target(&self, text: &[u8], fix: Option<&Fix>) -> Option<Vec<u8>> {
        let fix = fix.filter(|fix| fix.applicability > Applicability::Display)?;
        let is_inside =
            |edit: &Edit| self.span.start <= edit.span.start && edit.span.end <= self.span.end;
        let is_as_written = text.get(self.span.range()) == self.target.as_deref();
        (is_as_written && fix.edits.iter().all(is_inside))
            .then(|| apply::edited_part(text, self.span, &fix.edits))
    }
}

/// Converts links to document links of the protocol: one for each piece of a URL, all with the
/// target of the whole URL. The tooltip of a URL with several pieces shows the whole URL, with the
/// secrets `hides` masked.
pub(crate) fn to_document_links(
    links: &[Link],
    hides: Secrets,
    text: &Text,
    encoding: Encoding,
) -> Vec<DocumentLink> {
    let mut shown = Vec::new();
    let links = links.iter().filter_map(|link| Some((link, link.target.as_deref()?)));
    for (link, target) in links.take(MAX_LINKS) {
        let Ok(target) = Uri::from_str(&to_uri_text(target)) else { continue };
        let joined = link.pieces.len() > 1;
        let tooltip =
            joined.then(|| String::from_utf8_lossy(&masked(&link.url, hides)).into_owned());
        shown.extend(link.pieces.iter().map(|&piece| DocumentLink {
            range: text.to_lsp_range(piece, encoding),
            target: Some(target.clone()),
            tooltip: tooltip.clone(),
            data: None,
        }));
    }
    shown
}

/// Converts a file span to a span in the text.
fn to_text_span(span: FileSpan) -> Span {
    let at = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    Span::new(at(span.start), at(span.end))
}

/// Percent-encodes the characters that are not allowed in a URI, as browsers do.
fn to_uri_text(url: &[u8]) -> String {
    let is_kept = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte);
    String::from_utf8_lossy(&percent_encode(url, is_kept)).into_owned()
}

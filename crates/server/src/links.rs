//! The URLs of a document, joined where layout breaks them.

use crate::document::{Encoding, Text};
use crate::faults::name;
use crate::project::Project;
use lsp_types::{DocumentLink, Uri};
use std::path::Path;
use std::str::FromStr as _;
use std::sync::Arc;
use urlsift_archive::Reading;
use urlsift_core::{FileSpan, Span, masked, percent_encode};
use urlsift_records::{FileName, Malformed, Options, Unit, collect};

/// No more are shown of one document.
const MOST: usize = 10_000;

/// A URL in a document.
#[derive(Debug)]
pub(crate) struct Link {
    /// Without layout.
    pub(crate) url: Vec<u8>,
    /// From its first byte in the document to its last.
    pub(crate) span: Span,
    /// Its pieces there, without the layout between them.
    pub(crate) pieces: Vec<Span>,
    pub(crate) is_valid: bool,
}

/// All URLs of a document, by place.
pub(crate) fn links(
    text: &str,
    path: Option<&Path>,
    reading: Reading,
    project: &Project,
) -> Vec<Link> {
    let config = project.linter.config();
    let mut options = Options::default();
    options.profile = config.profile;
    options.rejoin = config.rejoin;
    options.malformed = Malformed::Include;
    let file = Arc::new(FileName::new(name(path).unwrap_or_default()));
    let unit = Unit::whole(&file, text.as_bytes(), reading);
    let records = collect(text.as_bytes(), &unit, &options);
    let links = records.into_iter().map(|record| {
        let whole = span_of(record.span);
        let mut pieces = Vec::new();
        let mut at = whole.start;
        for join in &*record.joins {
            let dropped = span_of(join.span);
            pieces.push(Span::new(at, dropped.start.max(at)));
            at = dropped.end.max(at);
        }
        pieces.push(Span::new(at, whole.end.max(at)));
        pieces.retain(|piece| !piece.is_empty() && piece.end <= text.len());
        let is_valid = record.is_valid();
        Link { url: record.url.into_owned(), span: whole, pieces, is_valid }
    });
    links.collect()
}

/// The links for the editor: one for each piece, all leading to the whole URL.
pub(crate) fn shown(links: &[Link], text: &Text, encoding: Encoding) -> Vec<DocumentLink> {
    let mut shown = Vec::new();
    for link in links.iter().filter(|link| link.is_valid).take(MOST) {
        let Ok(target) = Uri::from_str(&in_ascii(&link.url)) else { continue };
        let joined = link.pieces.len() > 1;
        let tooltip = joined.then(|| String::from_utf8_lossy(&masked(&link.url)).into_owned());
        shown.extend(link.pieces.iter().map(|&piece| DocumentLink {
            range: text.range(piece, encoding),
            target: Some(target.clone()),
            tooltip: tooltip.clone(),
            data: None,
        }));
    }
    shown
}

fn span_of(span: FileSpan) -> Span {
    let at = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    Span::new(at(span.start), at(span.end))
}

/// The URL with what no URI holds encoded, as browsers do.
fn in_ascii(url: &[u8]) -> String {
    let is_kept = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte);
    String::from_utf8_lossy(&percent_encode(url, is_kept)).into_owned()
}

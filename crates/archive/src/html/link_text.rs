//! Finds the text of a link in a page.

use super::displayed_text;
use crate::document::{Document, DocumentKind};
use memchr::{memchr, memchr_iter};
use urlsift_core::Breaks;

/// The maximum number of bytes of a page that are searched for the end of a link.
const MAX_LEN: usize = 4096;

/// Returns the text that a page shows for the link whose target is `document`, with its white space
/// collapsed. Returns `None` if the document is not the `href` of an `<a>`, or if the scan doesn't
/// [keep the text](crate::Options::link_texts). A text beyond 4,096 bytes of the page is cut.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents, link_text};
///
/// let mut options = Options::default();
/// options.link_texts = true;
/// let page = b"<a href='http://h.dom/' class=x>The <b>new</b>\n server</a>.";
/// let mut texts = Vec::new();
/// documents(page, Container::Html, 0, &options, &mut |document| {
///     texts.extend(link_text(document));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(texts, [b"The new server".to_vec()]);
/// ```
pub fn link_text(document: &Document<'_>) -> Option<Vec<u8>> {
    if document.kind != DocumentKind::Attribute("a/href") || document.after.is_empty() {
        return None;
    }
    let inside = link_content(document.after)?;
    let memory = Vec::with_capacity(inside.len() + 64);
    let shown = displayed_text(inside, 0, memory, &mut Breaks::new(), 0);
    let words = shown.text().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    Some(words.collect::<Vec<_>>().join(&b' '))
}

/// Returns the content of a link whose `href` ends at the start of `html`. Content beyond the first
/// [`MAX_LEN`] bytes of `html` is cut off. Returns `None` if the start tag doesn't end within them.
pub(super) fn link_content(html: &[u8]) -> Option<&[u8]> {
    let rest = html.get(..MAX_LEN).unwrap_or(html);
    let inside = rest.get(memchr(b'>', rest)? + 1..)?;
    Some(inside.get(..link_end(inside)).unwrap_or(inside))
}

/// Returns the offset in `html` at which a link ends: at its end tag, or at the next link.
fn link_end(html: &[u8]) -> usize {
    let is_end = |&at: &usize| {
        let tag = html.get(at + 1..).unwrap_or_default();
        let tag = tag.strip_prefix(b"/").unwrap_or(tag);
        let is_name_end = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'>' | b'/');
        matches!(tag, [b'a' | b'A', next, ..] if is_name_end(next))
    };
    memchr_iter(b'<', html).find(is_end).unwrap_or(html.len())
}

//! `news:<id@host>`: a Message-ID in angle brackets after `news:`.
//!
//! RFC 1738 §3.6 requires the Message-ID without brackets, but many people wrote such URLs with
//! them. The URL omits the opening bracket, so it is the URL that the writer meant. The bracket is
//! reported as layout.

use crate::candidate::{Candidate, Form, Grade, JoinKind, Seam};
use crate::scheme::Shape;
use crate::scheme::anchor::Anchor;
use crate::scheme::syntax::{self, Setting};
use urlsift_core::Span;

/// The maximum distance to the closing bracket, in bytes.
const MAX_MESSAGE_ID: usize = 256;

/// Returns the URL at `anchor` if it is `news:` with a Message-ID in brackets (`news:<id@host>`),
/// otherwise `None`. Takes constant time.
pub(crate) fn read_bracketed_message_id<'t>(
    text: &'t [u8],
    anchor: &Anchor,
) -> Option<Candidate<'t>> {
    let open = anchor.colon + 1;
    if anchor.shape != Some(Shape::News) || text.get(open) != Some(&b'<') {
        return None;
    }
    let inside = &text[open + 1..text.len().min(open + 1 + MAX_MESSAGE_ID)];
    let id = &inside[..memchr::memchr(b'>', inside)?];
    let is_id = id.iter().all(u8::is_ascii_graphic)
        && id.contains(&b'@')
        && syntax::fits_shape(Shape::News, id, Setting::Bare);
    let outer = anchor.prefix_start(text).unwrap_or(anchor.start);
    let end = open + 1 + id.len();
    is_id.then(|| {
        let form = if outer < anchor.start { Form::Prefixed } else { Form::Bare };
        let bracket = Span::new(open, open + 1);
        let seam = Seam::new(bracket, Some(&b':'), JoinKind::NewsBracket, Grade::Certain);
        let whole = Span::new(outer, end + 1);
        Candidate::new(text, whole, Span::new(anchor.start, end), form).with_seams(&[seam])
    })
}

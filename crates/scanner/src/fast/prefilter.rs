//! Rejects colons where nothing starts.
//!
//! Half of the anchors in mail are words that only end like a scheme (`Reply-To:`, `info:`), and
//! hostile text contains an anchor every other byte (`a:a:a:`, `://://`). For each of them, the
//! readers check whether a wrapper opens before it, find the scheme, and try what follows. Here the
//! bytes next to the colon and the letters before it decide, in 60 to 160 instructions instead of
//! 350 (2026-11-21).

use crate::read::wrapper_start;
use crate::scheme::{self, SCHEME_BYTE, Schemes, anchor};

/// True if certainly neither a URL nor a wrapper around one belongs to the colon at `colon`, so
/// that the readers can be skipped. Call it only if near misses and locators are off.
pub(crate) fn cannot_be_url(text: &[u8], colon: usize, schemes: &Schemes) -> bool {
    let head = text.get(..colon).unwrap_or(text);
    let Some(&before) = head.last() else { return true };
    if !SCHEME_BYTE[usize::from(before)] {
        return !may_be_in_wrapper(text, colon, colon, schemes);
    }
    if text.get(colon + 1..colon + 3) == Some(b"//")
        || schemes.ends_with_bare_scheme(head)
        || anchor::slashes_on_next_line(text, colon).is_some()
    {
        return false;
    }
    let start = colon - scheme::scheme_run_len_before(text, colon);
    !may_be_in_wrapper(text, start, colon, schemes)
}

/// True if a wrapper (`<URL:…>`) may open before the scheme or prefix that starts at byte `start`
/// and ends at `colon`.
#[inline]
fn may_be_in_wrapper(text: &[u8], start: usize, colon: usize, schemes: &Schemes) -> bool {
    let blanks = wrapper_start::count_blanks_before(text, start);
    wrapper_start::may_have_wrapper_before(text, start, blanks, colon, schemes)
}

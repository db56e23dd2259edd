//! Locators used on USENET before there were URLs: `ftp.uu.net:/pub/file`, and
//! `/user@host.dom:/path` as in Emacs.

use crate::candidate::{Candidate, Form, LocatorUrl};
use crate::extent::{ExtentRules, trim};
use crate::limits::MAX_URL;
use crate::rejoin::Cache;
use crate::text::host;
use urlsift_core::Span;

/// The maximum length of a locator's user and host, in bytes.
const MAX_HEAD: usize = 320;

/// The start of an ftp locator (`ftp.uu.net:`), whose path is not read yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Locator {
    pub(crate) start: usize,
    user: Option<Span>,
    host: Span,
}

/// Returns the ftp locator (`ftp.uu.net:/pub`) whose host ends at byte `colon`, or `None` if there
/// is none.
pub(crate) fn ftp_locator_at(text: &[u8], colon: usize) -> Option<Locator> {
    let path = text.get(colon + 1..)?;
    let named = |b: &u8| b.is_ascii_alphanumeric() || b"._~".contains(b);
    if path.first() != Some(&b'/') || !path.get(1).is_some_and(named) {
        return None;
    }
    let bound = colon.saturating_sub(MAX_HEAD);
    let head = &text[bound..colon];
    let host_byte = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-');
    let host_len = head.iter().rev().take_while(host_byte).count();
    let host = Span::new(colon - host_len, colon);
    if !host::is_dotted_host(&text[host.range()]) {
        return None;
    }
    let mut start = host.start;
    let before = |at: usize| at.checked_sub(1).and_then(|i| text.get(i)).copied();
    let mut user = None;
    if before(start) == Some(b'@') {
        // Without a slash before it, `user@host:/path` is a remote file for copy programs such as
        // `scp`, not an ftp locator.
        let user_byte = |b: &&u8| b.is_ascii_alphanumeric() || b"._-+".contains(b);
        let len = text[bound..start - 1].iter().rev().take_while(user_byte).count();
        let span = Span::new(start - 1 - len, start - 1);
        if span.is_empty() || before(span.start) != Some(b'/') {
            return None;
        }
        start = span.start - 1;
        user = Some(span);
    }
    if before(start).is_some_and(|b| {
        b.is_ascii_alphanumeric() || matches!(b, b'/' | b':' | b'@' | b'_' | 0x80..)
    }) {
        return None;
    }
    Some(Locator { start, user, host })
}

impl Locator {
    /// Reads the locator's path. Returns the candidate, and the end of the text that it covers.
    pub(crate) fn read_with_path<'t>(
        &self,
        text: &'t [u8],
        rules: ExtentRules<'_>,
        cache: &mut Cache,
    ) -> (Candidate<'t>, usize) {
        let path = self.host.end + 1;
        let limit = self.start + MAX_URL;
        let end = cache.cached_extent_end(text, path, limit, rules).0;
        let trimmed = trim::trimmed_end(text, self.start, Span::new(self.start, end), true);
        let span = Span::new(self.start, trimmed);
        let pieces = self.user.map(|user| Span::new(user.start, user.end + 1)).into_iter();
        let pieces = pieces.chain([self.host, Span::new(path, trimmed)]).collect();
        let found = Candidate::new(text, span, span, Form::Locator);
        let found = found.with_locator_url(LocatorUrl { scheme: "ftp://", pieces });
        (Candidate { truncated: end >= limit, ..found }, end)
    }
}

//! Compares the text of a link with its target.

use super::super::names::is_www_host;
use super::{Links, TEXT_MISMATCH, starts_url};
use crate::dialect::Markup;
use crate::markup::{Region, RegionKind};
use memchr::memmem;
use urlsift_core::{Anatomy, Span};
use urlsift_scanner::dotted_host_len;

/// The maximum length of a tag after an attribute, and of a link text, in bytes.
const MAX_LEN: usize = 512;

impl Links<'_> {
    /// Reports a link whose text is a URL in another domain than its target, the value of `region`.
    pub(super) fn check_text(&mut self, region: Region) {
        let text = match (region.kind, self.markup) {
            (RegionKind::Destination, Markup::Markdown | Markup::Mdx) => {
                self.markdown_text(region.span)
            }
            (RegionKind::Attribute, _) => self.html_text(region.span),
            _ => None,
        };
        let Some(text) = text else { return };
        let shown = self.text[text.range()].trim_ascii();
        let Some(shown) = host_of_text(shown) else { return };
        let target = &self.text[region.span.range()];
        if !starts_url(target) || target.contains(&b'@') {
            return;
        }
        let host = Anatomy::text(target, Anatomy::split(target).host);
        // Archives and gateways have the original URL in their own.
        let contains_shown =
            || memmem::find(&target.to_ascii_lowercase(), &domain(shown).to_ascii_lowercase());
        if dotted_host_len(host) == host.len()
            && !host.is_empty()
            && !is_same_site(shown, host)
            && contains_shown().is_none()
        {
            self.report_fault(&TEXT_MISMATCH, text, target.to_vec(), Vec::new());
        }
    }

    /// Returns the span of the text of the Markdown link with this target, if it is an inline link.
    fn markdown_text(&self, target: Span) -> Option<Span> {
        let before = &self.text[target.start.saturating_sub(2)..target.start];
        let bracket = target.start.checked_sub(2).filter(|_| before == b"](")?;
        let from = self.matching_open_bracket(bracket, *b"[]")?;
        (self.byte_before(from) != Some(b'!')).then(|| Span::new(from + 1, bracket))
    }

    /// Returns the span of the text of the HTML link whose attribute `href` has its value at
    /// `value`, if it contains no tags.
    fn html_text(&self, value: Span) -> Option<Span> {
        let head = &self.text[value.start.saturating_sub(MAX_LEN)..value.start];
        let name = head.trim_ascii_end().strip_suffix(b"\"").or_else(|| head.strip_suffix(b"'"));
        let name = name.unwrap_or(head).trim_ascii_end().strip_suffix(b"=")?.trim_ascii_end();
        let name_start = name.len().checked_sub(b"href".len())?;
        let tag = &head[memchr::memrchr(b'<', head)? + 1..];
        let is_link = matches!(tag, [b'a' | b'A', blank, ..] if blank.is_ascii_whitespace());
        if !is_link || !name[name_start..].eq_ignore_ascii_case(b"href") {
            return None;
        }
        let rest = &self.text[value.end..self.text.len().min(value.end + MAX_LEN)];
        let start = memchr::memchr(b'>', rest)? + 1;
        let len = memchr::memchr(b'<', &rest[start..])?;
        let is_closed = rest[start + len..].get(1) == Some(&b'/');
        let start = value.end + start;
        is_closed.then(|| Span::new(start, start + len))
    }
}

/// Returns the host of a link text that is only a URL, or a host that starts with `www.`.
fn host_of_text(text: &[u8]) -> Option<&[u8]> {
    if text.iter().any(|b| b.is_ascii_whitespace() || b"@[]<>&{}$".contains(b)) {
        return None;
    }
    if is_www_host(&text[..dotted_host_len(text)]) {
        return Some(&text[..dotted_host_len(text)]);
    }
    if !starts_url(text) {
        return None;
    }
    let host = Anatomy::text(text, Anatomy::split(text).host);
    (dotted_host_len(host) == host.len() && !host.is_empty()).then_some(host)
}

/// True if one of the hosts is the other one, a subdomain of it, or a sibling below the same
/// domain.
fn is_same_site(a: &[u8], b: &[u8]) -> bool {
    domain(a).eq_ignore_ascii_case(domain(b))
}

/// Returns the last two labels of a host, or three if the last but one is short, as in
/// `host.co.uk`.
fn domain(host: &[u8]) -> &[u8] {
    let mut dots = memchr::memrchr_iter(b'.', host);
    let Some(last) = dots.next() else { return host };
    let Some(second) = dots.next() else { return host };
    let is_short = last - second - 1 <= 3 && host.len() - last - 1 == 2;
    let start = if is_short { dots.next().map_or(0, |at| at + 1) } else { second + 1 };
    &host[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subdomains_are_the_same_site() {
        for (a, b) in [("a.dom", "www.a.dom"), ("x.a.co.uk", "a.co.uk"), ("A.dom", "b.a.dom")] {
            assert!(is_same_site(a.as_bytes(), b.as_bytes()), "{a} {b}");
        }
        for (a, b) in [("a.dom", "b.dom"), ("a.co.uk", "b.co.uk"), ("a.dom", "a.org")] {
            assert!(!is_same_site(a.as_bytes(), b.as_bytes()), "{a} {b}");
        }
    }
}

//! An invalid URL with the rules that apply to it, and its parts, split at the delimiters without
//! validation.

use crate::authority;
use crate::bytes::{self, UNSAFE};
use crate::iri;
use crate::scheme::{Grammar, Scheme};
use crate::{Code, Span};

/// An invalid URL and the rules that it was parsed by, from which its methods determine the
/// violated rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'u> {
    /// The URL without its fragment.
    pub(crate) text: &'u [u8],
    pub(crate) scheme: Scheme,
    pub(crate) grammar: Grammar,
    /// True if the rules of profile `web` apply.
    pub(crate) web: bool,
    /// The offset of the colon after the scheme.
    pub(crate) colon: usize,
}

impl Reading<'_> {
    /// Returns the span of the authority, from the byte after `//` to the next delimiter. Returns
    /// `None` if there is no `//` or the scheme has no authority.
    pub(crate) fn authority_span(&self) -> Option<Span> {
        let start = self.colon + 3;
        let slashes = self.text.get(self.colon + 1..start) == Some(b"//");
        let has = match self.grammar {
            Grammar::Rfc1738 => self.scheme.needs_slashes(),
            Grammar::Rfc3986 => self.scheme.authority().is_some(),
        };
        if !slashes || !has {
            return None;
        }
        let end =
            authority::slash_or_question_mark(self.text, start, self.grammar == Grammar::Rfc3986);
        Some(Span::new(start, end))
    }

    /// Returns the rule that `byte` violates, if it is not allowed in any part of a URL. Otherwise
    /// returns `None`.
    pub(crate) fn code_of_disallowed_byte(&self, byte: u8) -> Option<Code> {
        match byte {
            b' ' => Some(Code::CharSpace),
            0..0x20 | 0x7F => Some(Code::CharControl),
            0x80.. => Some(Code::CharNonAscii),
            b'#' if self.grammar == Grammar::Rfc3986
                && !self.scheme.has_fragment()
                && !self.web =>
            {
                Some(Code::FragmentChar)
            }
            b'#' => Some(Code::CharFragment),
            b'~' if self.grammar == Grammar::Rfc1738 => Some(Code::CharUnsafe),
            _ if bytes::is_in(byte, UNSAFE) => Some(Code::CharUnsafe),
            _ => None,
        }
    }

    /// Splits the authority at `span` into its host and port, which come after the last `@`.
    pub(crate) fn split_host(&self, span: Span) -> Host {
        let all = &self.text[span.range()];
        let start = authority::host_start(all);
        let rest = &all[start..];
        let literal = match rest.first() {
            Some(b'[') if self.grammar == Grammar::Rfc3986 => {
                rest.iter().position(|&b| b == b']').unwrap_or(rest.len())
            }
            _ => 0,
        };
        let ends = |b: &u8| {
            *b == b':' || self.grammar == Grammar::Rfc1738 && matches!(b, b'?' | b';' | b'&' | b'=')
        };
        let length = rest[literal..].iter().position(ends).map_or(rest.len(), |i| literal + i);
        let start = span.start + start;
        let host = Span::new(start, start + length);
        if self.text.get(host.end) != Some(&b':') || host.end >= span.end {
            return Host { span: host, port: None, end: host.end };
        }
        let rest = &self.text[host.end + 1..span.end];
        let ends = |b: &u8| matches!(b, b'?' | b';' | b'&' | b'=');
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let port = Span::new(host.end + 1, host.end + 1 + length);
        Host { span: host, port: Some(port), end: port.end }
    }

    /// Returns the span of the text after the authority and its slash, or after the scheme's colon
    /// if there is no authority.
    pub(crate) fn span_after_authority(&self) -> Span {
        let start = match self.authority_span() {
            Some(authority) => {
                authority.end + usize::from(self.text.get(authority.end) == Some(&b'/'))
            }
            None => self.colon + 1,
        };
        Span::new(start.min(self.text.len()), self.text.len())
    }

    /// Returns the length in bytes of the character at byte `at`, or 1 if it is not valid UTF-8.
    pub(crate) fn char_len_at(&self, at: usize) -> usize {
        iri::decode_char_at(self.text, at).map_or(1, char::len_utf8)
    }
}

/// The spans of the host and port of an authority.
pub(crate) struct Host {
    pub(crate) span: Span,
    pub(crate) port: Option<Span>,
    /// The end of host and port. It is before the end of the authority if a `?`, `;`, `&` or `=`
    /// follows.
    pub(crate) end: usize,
}

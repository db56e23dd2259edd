//! Determines the violated rule from the offset at which parsing failed.
//!
//! The parsers only return an *offset*: the length of the longest prefix that some valid URL starts
//! with (the *viable prefix*). This module determines the violated *rule* from the text around that
//! offset, in the same order of checks for all schemes and profiles. Keeping it separate keeps the
//! parsers fast.

use crate::authority::host_start;
use crate::bytes::{self, DIGIT};
use crate::fault::Fault;
use crate::host_name::{first_bad_host_byte, first_bad_label, has_valid_top_label};
use crate::reading::{Host, Reading};
use crate::scheme::{Grammar, SchemePart};
use crate::schemes::rules_of;
use crate::{Code, Span, Violation};

impl Reading<'_> {
    /// Converts a parser's `fault`, which is only an offset, into a violation: the violated rule
    /// and the span to report.
    #[cold]
    pub(crate) fn violation_of(&self, fault: Fault) -> Violation {
        let at = fault.at;
        if let Some((code, end)) = fault.prose {
            return Violation { code, span: Span::new(at, end) };
        }
        let code = self.violated_code_at(at);
        Violation { code, span: self.span_to_report(code, at) }
    }

    /// Returns the rule that the URL violates at byte `at`, the end of the longest prefix that some
    /// valid URL starts with (the viable prefix).
    fn violated_code_at(&self, at: usize) -> Code {
        let rules = rules_of(self.scheme);
        if let Some(code) = (rules.overriding_error)(self, at) {
            return code;
        }
        let authority = self.authority_span();
        let is_after_percent =
            |back: usize| at.checked_sub(back).and_then(|i| self.text.get(i)) == Some(&b'%');
        let repaired = self.web && authority.is_none_or(|a| at > a.end);
        if !repaired {
            let one_digit = at > 0 && bytes::byte_at_is_in(self.text, at - 1, bytes::HEX);
            if is_after_percent(1) || is_after_percent(2) && one_digit {
                return Code::EscapeMalformed;
            }
        }
        if self.lacks_slashes(at) {
            return Code::CissSlashes;
        }
        let in_literal = authority.is_some_and(|a| self.is_in_ip_literal(a, at));
        if let Some(&byte) = self.text.get(at)
            && let Some(code) = self.code_of_disallowed_byte(byte)
            && !(in_literal && matches!(byte, b'[' | b']'))
        {
            return code;
        }
        if in_literal {
            return Code::HostIpLiteral;
        }
        if let Some(authority) = authority
            && at <= authority.end
            && let Some(code) = self.authority_code_at(authority, at)
        {
            return code;
        }
        if self.grammar == Grammar::Rfc3986
            && self.text.get(at) == Some(&b'?')
            && !self.scheme.has_query()
        {
            return Code::QueryChar;
        }
        (rules.error)(self, at)
    }

    /// Returns the violation of a fragment at byte `at`, its first character that is not allowed.
    /// `malformed_escape` is true if a `%` without two hexadecimal digits is the cause.
    #[cold]
    pub(crate) fn fragment_violation(&self, at: usize, malformed_escape: bool) -> Violation {
        let code = match self.text.get(at) {
            _ if malformed_escape => Code::EscapeMalformed,
            Some(b'#') => Code::CharFragment,
            Some(&byte) => self.code_of_disallowed_byte(byte).unwrap_or(Code::CharReserved),
            None => Code::CharReserved,
        };
        Violation { code, span: self.span_to_report(code, at) }
    }

    /// True if the scheme requires `//` after its colon, and the slashes are missing or incomplete
    /// in the text before `at`.
    fn lacks_slashes(&self, at: usize) -> bool {
        if !self.scheme.needs_slashes() || at > self.colon + 2 {
            return false;
        }
        match self.text.get(self.colon + 1..) {
            Some([b'/', b'/', ..]) => false,
            // RFC 8089: `file:/path` has no authority.
            Some([b'/', ..]) if self.scheme.scheme_part() == SchemePart::HostOrPath => {
                self.grammar == Grammar::Rfc1738
            }
            _ => true,
        }
    }

    /// True if byte `at` is inside the brackets of an IP literal in `authority`.
    fn is_in_ip_literal(&self, authority: Span, at: usize) -> bool {
        if self.grammar == Grammar::Rfc1738 {
            return false;
        }
        let Host { span: host, .. } = self.split_host(authority);
        if self.text.get(host.start) != Some(&b'[') || at <= host.start {
            return false;
        }
        let close = self.text[host.start..authority.end].iter().position(|&b| b == b']');
        close.is_none_or(|close| at <= host.start + close + 1)
    }

    /// Returns the rule that the authority at the span `authority` violates, or `None` if it
    /// violates none. `at` is the offset at which parsing failed.
    fn authority_code_at(&self, authority: Span, at: usize) -> Option<Code> {
        let strict = self.grammar == Grammar::Rfc1738;
        let all = &self.text[authority.range()];
        if let Some(first) = all.iter().position(|&b| b == b'@') {
            if !self.scheme.has_userinfo(self.grammar) {
                return Some(Code::UserinfoNotAllowed);
            }
            let colons = all[..first].split(|&b| b == b':').count() - 1;
            if all[first + 1..].contains(&b'@') || strict && colons > 1 {
                return Some(Code::UserinfoChar);
            }
        }
        let Host { span: host, port, end } = self.split_host(authority);
        if port.is_some() && self.scheme.authority().is_none_or(|requirements| !requirements.port) {
            return Some(Code::PortNotAllowed);
        }
        let name = &self.text[host.range()];
        if name.is_empty() && self.requires_host() {
            return Some(Code::HostEmpty);
        }
        if strict || self.web {
            if strict && first_bad_host_byte(name).is_some_and(|i| host.start + i <= at) {
                return Some(Code::HostChar);
            }
            if first_bad_label(name, strict).is_some() && name.first() != Some(&b'[') {
                return Some(Code::HostLabel);
            }
            if strict && !name.is_empty() && !has_valid_top_label(name) {
                return Some(Code::HostToplabel);
            }
        }
        if let Some(port) = port {
            if port.is_empty() && strict {
                return Some(Code::PortEmpty);
            }
            if self.text[port.range()].iter().any(|&b| !bytes::is_in(b, DIGIT)) {
                return Some(Code::PortChar);
            }
        }
        match self.text.get(end) {
            Some(b'?' | b';' | b'&' | b'=') if at >= end => Some(Code::PathChar),
            None if at == authority.end => Some(Code::PathMissing),
            _ => None,
        }
    }

    /// True if the URL must have a host that is not empty.
    fn requires_host(&self) -> bool {
        match self.grammar {
            Grammar::Rfc1738 => self.scheme.scheme_part() == SchemePart::Host,
            Grammar::Rfc3986 => match self.scheme.scheme_part() {
                // Without a path, a news server must have a name.
                SchemePart::Newsgroup => {
                    self.authority_span().is_some_and(|a| a.end == self.text.len())
                }
                _ => self.scheme.authority().is_some_and(|requirements| requirements.host),
            },
        }
    }

    /// Returns the span to report for a violation of `code` at byte `at`. This is the faulty part
    /// of the URL if it is known, otherwise the character at `at`.
    fn span_to_report(&self, code: Code, at: usize) -> Span {
        let end = self.text.len();
        let authority = self.authority_span().filter(|a| at <= a.end);
        if let Some(span) =
            authority.and_then(|authority| self.faulty_authority_part(code, authority, at))
        {
            return span;
        }
        let exact = Span::new(at, (at + self.char_len_at(at)).min(end));
        match code {
            Code::EscapeMalformed => {
                let back = if at > 0 && self.text.get(at - 1) == Some(&b'%') { 1 } else { 2 };
                Span::new(at.saturating_sub(back), at)
            }
            Code::GopherType => Span::new(at - 2, at + 1),
            Code::FtpType | Code::ProsperoField => {
                let rest = self.span_after_authority();
                let semicolon = self.text[..at].iter().rposition(|&b| b == b';');
                match semicolon {
                    Some(start) if start >= rest.start => Span::new(start, exact.end),
                    _ => exact,
                }
            }
            Code::NewsGroup | Code::NewsArticle | Code::NewsWildmat | Code::WaisForm
                if at == end =>
            {
                let mut start = self.span_after_authority().start;
                // A news URL has no authority in RFC 1738. If it looks like one, a new part starts
                // after it.
                if self.text.get(start..).is_some_and(|rest| rest.starts_with(b"//")) {
                    let rest = &self.text[start + 2..];
                    start = rest.iter().position(|&b| b == b'/').map_or(end, |i| start + i + 3);
                }
                Span::new(start.min(at), end)
            }
            Code::MailtoAddrSpec if at == end => {
                Span::new(self.span_after_authority().start.min(at), end)
            }
            Code::MailtoHeader if at == end => {
                let mark = self.text.iter().position(|&b| b == b'?').unwrap_or(at);
                Span::new(mark, end)
            }
            _ => exact,
        }
    }
    /// Returns the part of `authority` that violates `code`, e.g. the port. Returns `None` if no
    /// part of it does.
    fn faulty_authority_part(&self, code: Code, authority: Span, at: usize) -> Option<Span> {
        let end = self.text.len();
        let up_to = |start: usize, end: usize| {
            let start = start.min(at);
            Span::new(start, end.max(start))
        };
        let Host { span: host, port, end: host_end } = self.split_host(authority);
        let name = &self.text[host.range()];
        Some(match code {
            Code::UserinfoNotAllowed => {
                let all = &self.text[authority.range()];
                up_to(authority.start, authority.start + host_start(all))
            }
            Code::HostEmpty => up_to(host.start, at + 1).clipped(end),
            Code::HostChar => {
                let start = host.start + first_bad_host_byte(name)?;
                up_to(start, start + 1)
            }
            Code::HostLabel => {
                let label = first_bad_label(name, self.grammar == Grammar::Rfc1738)?;
                let label = label.shifted(host.start);
                up_to(label.start, label.end.max(label.start + 1)).clipped(end)
            }
            Code::HostToplabel => {
                let start = name.iter().rposition(|&b| b == b'.').map_or(0, |i| i + 1);
                up_to(host.start + start, host.end)
            }
            Code::HostIpLiteral => {
                let length = name.iter().position(|&b| b == b']').map_or(name.len(), |i| i + 1);
                up_to(host.start, host.start + length)
            }
            Code::PathChar => up_to(host_end, host_end + 1).clipped(end),
            Code::PortEmpty | Code::PortNotAllowed => {
                let port = port?;
                up_to(port.start - 1, port.end)
            }
            Code::PortChar => {
                let digits = bytes::skip_set(self.text, port?.start, DIGIT);
                up_to(digits, digits + self.char_len_at(digits)).clipped(end)
            }
            _ => return None,
        })
    }
}

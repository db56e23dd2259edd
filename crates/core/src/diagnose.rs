//! Reports all violations and findings of a URL.

use crate::bytes::{self, DIGIT, HOSTNAME, REPAIRABLE, SCHEME, Set, USER, USERINFO};
use crate::collector::Collector;
use crate::findings;
use crate::host_name::first_bad_label;
use crate::normalize::{normalize, normalize_quiet};
use crate::parts::Parts;
use crate::reading::Reading;
use crate::scheme::{Grammar, Scheme};
use crate::{
    Code, Level, Profile, Report, Span, Url, Violation, escape, iri, outline, parse,
    parse_reference,
};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Calls `found` with every violation and finding of `text`, sorted by start. A URL of any scheme
/// may have a fragment.
///
/// There is no violation if and only if [`parse_reference`] succeeds; otherwise the first violation
/// is its error. Accepts any bytes and takes linear time.
///
/// # Example
///
/// ```
/// use urlsift_core::{Profile, diagnose};
/// let mut codes = Vec::new();
/// diagnose(b"ftp://ho_st/a b;type=q", Profile::Rfc1738, |report| codes.push(report.code.name()));
/// assert_eq!(codes, ["host.char", "char.space", "ftp.type"]);
/// ```
pub fn diagnose(text: &[u8], profile: Profile, found: impl FnMut(Report)) {
    report_all(text, profile, true, parse_reference(text, profile), found);
}

/// Calls `found` with every violation and finding of `text`, sorted by start. A fragment is only
/// allowed if the scheme has one; use [`diagnose()`] to always allow one.
///
/// There is no violation if and only if [`parse()`] succeeds. Accepts any bytes and takes linear
/// time.
///
/// ```
/// use urlsift_core::{Profile, diagnose, diagnose_url};
/// let text = b"http://host.dom/#a";
/// let (mut of_url, mut of_reference) = (0, 0);
/// diagnose_url(text, Profile::Rfc1738, |report| of_url += usize::from(report.is_violation()));
/// diagnose(text, Profile::Rfc1738, |report| of_reference += usize::from(report.is_violation()));
/// assert_eq!((of_url, of_reference), (1, 0));
/// ```
pub fn diagnose_url(text: &[u8], profile: Profile, found: impl FnMut(Report)) {
    report_all(text, profile, false, parse(text, profile), found);
}

/// Calls `found` with the findings about a parsed URL, sorted by start. These are the findings of
/// [`diagnose()`], without the cost of parsing again.
///
/// Most http URLs have no findings, which takes a single pass over the bytes.
///
/// # Example
///
/// ```
/// use urlsift_core::{Profile, diagnose_parsed, parse_reference};
/// let url = parse_reference(b"http://Host.dom:80/", Profile::Web).unwrap();
/// let mut codes = Vec::new();
/// diagnose_parsed(&url, |report| codes.push(report.code.name()));
/// assert_eq!(codes, ["host.uppercase", "port.default"]);
/// ```
pub fn diagnose_parsed(url: &Url<'_>, found: impl FnMut(Report)) {
    if !findings::has_no_findings(url) {
        report_all(url.text, url.profile, url.reference, Ok(*url), found);
    }
}

/// Calls `found` with the same findings as [`diagnose_parsed`], and returns the same normal form as
/// [`normalize`](crate::normalize()). For most URLs, one pass over the bytes is enough for both.
///
/// # Example
///
/// ```
/// use urlsift_core::{Profile, diagnose_normalized, parse_reference};
/// let url = parse_reference(b"http://Host.dom:80/", Profile::Web).unwrap();
/// let mut codes = Vec::new();
/// let form = diagnose_normalized(&url, |report| codes.push(report.code.name()));
/// assert_eq!(codes, ["host.uppercase", "port.default"]);
/// assert_eq!(*form, *b"http://host.dom/");
/// ```
pub fn diagnose_normalized<'u>(url: &Url<'u>, found: impl FnMut(Report)) -> Cow<'u, [u8]> {
    if findings::has_no_findings(url)
        && let Some(form) = normalize_quiet(url)
    {
        return form;
    }
    diagnose_parsed(url, found);
    normalize(url)
}

/// Calls `found` with the violations and findings of `text`, sorted by start. `verdict` is the
/// result of parsing `text`. If `allow_fragment` is true, any scheme may have a fragment.
fn report_all(
    text: &[u8],
    profile: Profile,
    allow_fragment: bool,
    verdict: Result<Url<'_>, Violation>,
    found: impl FnMut(Report),
) {
    let mut reports = Vec::new();
    match verdict {
        Ok(url) if profile == Profile::Cern1994 => {
            Collector::new(url, &mut reports).add_common_findings();
        }
        Ok(url) => Collector::new(url, &mut reports).add_all_findings(),
        Err(first) => {
            if profile != Profile::Cern1994 {
                LaterViolations::new(text, profile, allow_fragment, first).add_to(&mut reports);
                reports.retain(|r| {
                    r.span.start >= first.span.end && *r != violation_report(first.code, first.span)
                });
            }
            reports.push(violation_report(first.code, first.span));
            // Base the findings on a split at the delimiters alone.
            if let Some(url) = split_leniently(text, profile, allow_fragment) {
                let mut findings = Vec::new();
                Collector::new(url, &mut findings).add_common_findings();
                reports.append(&mut findings);
            }
        }
    }
    // At the same start, the error of `parse` comes first, then other violations, then findings.
    let first = verdict.err().map(|violation| violation_report(violation.code, violation.span));
    reports.sort_by_key(|r| (r.span.start, Some(*r) != first, !r.is_violation()));
    reports.dedup();
    for report in &mut reports {
        // A part that is missing before a fragment is reported at the `#`.
        if report.span.is_empty() && report.span.start < text.len() {
            report.span.end += 1;
        }
    }
    reports.into_iter().for_each(found);
}

/// Creates the report of a violation of the rule `code` at `span`.
fn violation_report(code: Code, span: Span) -> Report {
    Report { code, level: Level::Error, span }
}

/// Splits an invalid URL into parts at its delimiters, without validating the parts. If
/// `allow_fragment` is true, any scheme may have a fragment. Returns `None` if the text has no
/// scheme.
fn split_leniently(text: &[u8], profile: Profile, allow_fragment: bool) -> Option<Url<'_>> {
    let reading = reading_without_fragment(text, profile, allow_fragment)?;
    let Reading { scheme, grammar, colon, .. } = reading;
    if bytes::skip_set(text, 0, SCHEME) != colon {
        return None;
    }
    let parts = outline::split_at_delimiters(reading.text, scheme, grammar, colon);
    Some(Url { text, profile, reference: allow_fragment, parts })
}

/// Returns the URL in `text`, without its fragment, and the rules that apply to the URL. Keeps a
/// fragment that isn't allowed. If `allow_fragment` is true, any scheme may have a fragment.
/// Returns `None` if the text has no colon.
fn reading_without_fragment(
    text: &[u8],
    profile: Profile,
    allow_fragment: bool,
) -> Option<Reading<'_>> {
    let colon = outline::scheme_colon(text)?;
    let named = Scheme::by_name(&text[..colon]);
    let (scheme, grammar, fragment) = match profile {
        Profile::Rfc1738 | Profile::Cern1994 => {
            let scheme = if named.is_rfc1738() { named } else { Scheme::Other };
            (scheme, Grammar::Rfc1738, allow_fragment)
        }
        Profile::Rfc3986 => (named, Grammar::Rfc3986, allow_fragment || named.has_fragment()),
        Profile::Web => (named, Grammar::Rfc3986, true),
    };
    let end = if fragment { text.iter().position(|&b| b == b'#') } else { None };
    let text = &text[..end.unwrap_or(text.len())];
    Some(Reading { text, scheme, grammar, web: profile == Profile::Web, colon })
}

/// A finder for the violations of an invalid URL after the first one. The parser stops at the first
/// violation, so the rest of the URL is parsed part by part.
struct LaterViolations<'u> {
    /// The text, including its fragment.
    whole: &'u [u8],
    reading: Option<Reading<'u>>,
    first: Violation,
}

impl<'u> LaterViolations<'u> {
    fn new(whole: &'u [u8], profile: Profile, reference: bool, first: Violation) -> Self {
        Self { whole, reading: reading_without_fragment(whole, profile, reference), first }
    }

    /// Appends all later violations to `out`. May also append earlier ones and duplicates, which
    /// the caller must remove.
    fn add_to(&self, out: &mut Vec<Report>) {
        // Without a scheme, the rest cannot be checked.
        let Some(reading) = self.reading else { return };
        let at = self.first.span.start;
        let end = reading.text.len();
        for at in 0..reading.colon {
            if !bytes::byte_at_is_in(reading.text, at, SCHEME) {
                out.push(violation_report(Code::SchemeChar, Span::new(at, at + 1)));
            }
        }
        match reading.authority_span() {
            Some(authority) => {
                if at <= authority.end {
                    Self::add_authority_violations(&reading, authority, out);
                }
                self.add_rest_violations(&reading, authority.end, b"://h.invalid", out);
            }
            None if self.first.code == Code::CissSlashes => {
                Self::add_disallowed_chars(&reading, reading.colon + 1, end, true, out);
            }
            None => self.add_rest_violations(&reading, reading.colon + 1, b":", out),
        }
        if end < self.whole.len() {
            let whole = Reading { text: self.whole, ..reading };
            Self::add_disallowed_chars(&whole, end + 1, self.whole.len(), true, out);
        }
    }

    /// Appends all violations of the authority to `out`, part by part.
    fn add_authority_violations(reading: &Reading<'_>, authority: Span, out: &mut Vec<Report>) {
        let text = reading.text;
        let strict = reading.grammar == Grammar::Rfc1738;
        let mut parts = Parts::new(reading.scheme, reading.grammar, reading.colon);
        parts.set_authority(text, authority);
        let Some(host) = parts.host_start() else { return };
        let host = Span::new(host, parts.host_end);
        if host.start > authority.start {
            let set = if strict { USER } else { USERINFO };
            let userinfo = Span::new(authority.start, host.start - 1);
            // The colon before the password is allowed.
            let password = if strict { parts.password } else { usize::MAX };
            Self::add_chars_outside_set(reading, userinfo, set, Code::UserinfoChar, password, out);
        }
        let name = &text[host.range()];
        if strict {
            Self::add_chars_outside_set(reading, host, HOSTNAME, Code::HostChar, usize::MAX, out);
        } else {
            Self::add_disallowed_chars(reading, host.start, host.end, false, out);
        }
        if strict || reading.web {
            let mut start = host.start;
            let last = name.split(|&b| b == b'.').count() - 1;
            for (i, label) in name.split(|&b| b == b'.').enumerate() {
                let final_dot = !strict && i == last && i > 0 && label.is_empty();
                if first_bad_label(label, true).is_some()
                    || label.is_empty() && !final_dot && last > 0
                {
                    let end = (start + label.len()).max(start + 1).min(text.len());
                    out.push(violation_report(Code::HostLabel, Span::new(start.min(end), end)));
                }
                start += label.len() + 1;
            }
        }
        if parts.host_end < authority.end {
            let port = Span::new(parts.host_end + 1, authority.end);
            let digits = bytes::skip_set(text, port.start, DIGIT).min(port.end);
            if port.is_empty() && strict {
                out.push(violation_report(Code::PortEmpty, Span::new(port.start - 1, port.start)));
            } else if digits < port.end {
                let length = iri::decode_char_at(text, digits).map_or(1, char::len_utf8);
                out.push(violation_report(Code::PortChar, Span::new(digits, digits + length)));
                Self::add_disallowed_chars(reading, digits + length, port.end, false, out);
            }
        }
    }

    /// Appends to `out` the violations at or after byte `from`, the end of the authority (or of the
    /// scheme, if there is none).
    ///
    /// These are all characters that are not allowed in a URL, and the first syntax error that
    /// remains if these characters are replaced by valid ones. `before` is valid text to parse in
    /// place of the authority.
    fn add_rest_violations(
        &self,
        reading: &Reading<'_>,
        from: usize,
        before: &[u8],
        out: &mut Vec<Report>,
    ) {
        let end = reading.text.len();
        let known = out.len();
        Self::add_disallowed_chars(reading, from, end, true, out);
        let is_of_character =
            |code: Code| code.name().starts_with("char.") || code == Code::EscapeMalformed;
        if self.first.span.start >= reading.span_after_authority().start
            && !is_of_character(self.first.code)
        {
            return;
        }
        // The same text with a valid authority, and with valid characters in place of the invalid
        // ones.
        let mut text = Vec::with_capacity(end + before.len());
        text.extend_from_slice(&reading.text[..reading.colon]);
        text.extend_from_slice(before);
        let shift = text.len();
        text.extend_from_slice(&reading.text[from..]);
        for report in &out[known..] {
            text[shift..][report.span.start - from..report.span.end - from].fill(b'x');
        }
        let profile = match reading {
            Reading { web: true, .. } => Profile::Web,
            Reading { grammar: Grammar::Rfc1738, .. } => Profile::Rfc1738,
            Reading { grammar: Grammar::Rfc3986, .. } => Profile::Rfc3986,
        };
        if let Err(Violation { code, span }) = parse(&text, profile)
            && span.start >= shift
            && !is_of_character(code)
        {
            let back = |at: usize| (at - shift + from).min(end);
            out.push(violation_report(code, Span::new(back(span.start), back(span.end))));
        }
    }

    /// Appends a violation with `code` for each character of `span` that is not in `set`, except
    /// for the character at offset `except`.
    fn add_chars_outside_set(
        reading: &Reading<'_>,
        span: Span,
        set: Set,
        code: Code,
        except: usize,
        out: &mut Vec<Report>,
    ) {
        let mut at = span.start;
        while at < span.end {
            let byte = reading.text[at];
            let length = iri::decode_char_at(reading.text, at).map_or(1, char::len_utf8);
            let here = Span::new(at, (at + length).min(span.end));
            if byte == b'%' && set != HOSTNAME {
                match escape::count_hex_digits(reading.text, at + 1) {
                    2 => at += 2,
                    few => out
                        .push(violation_report(Code::EscapeMalformed, Span::new(at, at + 1 + few))),
                }
            } else if !bytes::is_in(byte, set)
                && at != except
                && !Self::is_allowed_iri_char(reading, at)
            {
                out.push(violation_report(
                    reading.code_of_disallowed_byte(byte).unwrap_or(code),
                    here,
                ));
            }
            at += length;
        }
    }

    /// Appends a violation for each character in `at..end` that is not allowed in a URL, and for
    /// each malformed escape. If `repaired` is true, the characters that profile `web` accepts and
    /// repairs are no violations.
    fn add_disallowed_chars(
        reading: &Reading<'_>,
        at: usize,
        end: usize,
        repaired: bool,
        out: &mut Vec<Report>,
    ) {
        let repaired = repaired && reading.web;
        let mut at = at;
        while at < end {
            let byte = reading.text[at];
            let length = iri::decode_char_at(reading.text, at).map_or(1, char::len_utf8);
            if byte == b'%' && !repaired {
                match escape::count_hex_digits(reading.text, at + 1) {
                    2 => {}
                    few => out
                        .push(violation_report(Code::EscapeMalformed, Span::new(at, at + 1 + few))),
                }
            } else if let Some(code) = reading.code_of_disallowed_byte(byte)
                && !(repaired && bytes::is_in(byte, REPAIRABLE))
                && !Self::is_allowed_iri_char(reading, at)
            {
                out.push(violation_report(code, Span::new(at, at + length)));
            }
            at += length;
        }
    }

    /// True if the character at byte `at` is a non-ASCII one that the rules of profile `web` allow,
    /// and these rules apply. False for ASCII characters.
    fn is_allowed_iri_char(reading: &Reading<'_>, at: usize) -> bool {
        reading.web
            && reading.text[at] >= 0x80
            && iri::allowed_char_len(reading.text, at, iri::Place::Query).is_some()
    }
}

//! gopher, RFC 1738 §3.4, RFC 4266.
//!
//! ```text
//! RFC 1738, with the tabs distinguished:
//! gopherurl    = "gopher://" hostport [ "/" [ gtype [ selector
//!                [ "%09" gsearch [ "%09" gplus-string ] ] ] ] ]
//! gtype        = gochar
//! selector     = *gochar
//! gsearch      = *gochar
//! gplus-string = *xchar
//! gochar       = xchar, but not "%09"
//!
//! RFC 3986:
//! gopher-uri   = "gopher://" auth-nonempty path-abempty [ "?" query ]
//! ```
//!
//! One rule is not in the grammar: escapes in the type and selector must not decode to CR or LF.

use super::rules::{
    Controls, FindingsOf, Rules, bytes_value, contains_line_break, decoded_value,
    effective_port_field, expect_end, host_and_port_fields, modern_user_and_password_fields,
    parse_path_and_query, refused_field,
};
use crate::bytes::XCHAR;
use crate::collector::Collector;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::value::value_or_null;
use crate::{Code, Fields, Span, Url, Value, escape, iri, login};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// The rules of the scheme `gopher`: its parsers, components, semantics and findings.
pub(crate) struct Gopher;

impl Rules for Gopher {
    const RFC1738: &'static str =
        "://<hostport>(?:/(?:<gochar><gochar>*(?:%09<gochar>*(?:%09<xchar>*)?)?)?)?";
    const RFC3986: &'static str = "://<authnonempty><abempty>(?:\\?<query>)?(?:#<query>)?";
    const FINDINGS: Option<FindingsOf> = Some(add_findings);

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_ip_schemepart(text, at, parts)?;
        if at == text.len() {
            return Ok(());
        }
        let start = at + 1;
        if is_encoded_tab_at(text, start) {
            return Err(Fault::at(start + 2));
        }
        expect_end(text, escape::run_end::<REPAIR, false>(text, start, XCHAR)?)?;
        for (i, _) in text[start..].iter().enumerate().filter(|&(_, &byte)| byte == b'%') {
            let at = start + i;
            match escape::decode_octet_at(text, at) {
                Some(b'\t') => break,
                Some(b'\r' | b'\n') => {
                    return Err(Fault::with_code(Code::GopherControl, Span::new(at, at + 3)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_net_path::<WEB>(text, at, parts)?;
        parse_path_and_query::<WEB>(text, at)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let item = Item::split(url);
        let item = item.as_ref();
        let mut fields = modern_user_and_password_fields(url);
        fields.extend(host_and_port_fields(url));
        fields.push(("gtype", value_or_null(item.map(|i| i.kind))));
        fields.push(("selector", value_or_null(item.map(|i| i.selector))));
        fields.push(("search", value_or_null(item.and_then(|i| i.search))));
        fields.push(("gopher_plus", value_or_null(item.and_then(|i| i.plus))));
        fields
    }

    /// Returns the line that a client sends to the server (RFC 1738 §3.4.2 to §3.4.9), and the kind
    /// of Gopher+ request.
    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        let item = Item::split(url);
        let item = item.as_ref();
        let mut fields = vec![
            effective_port_field(url),
            ("gtype", item.map_or(decoded_value(b"1"), |i| decoded_value(i.kind))),
        ];
        let selector = item.map_or(&[][..], |i| i.selector);
        let search = item.and_then(|i| i.search);
        let plus = item.and_then(|i| i.plus);
        if contains_line_break(selector) || search.is_some_and(contains_line_break) {
            fields.extend([("request", Value::Null), refused_field()]);
        } else {
            let mut request: Vec<u8> = escape::decode_octets(selector).collect();
            for field in search.into_iter().chain(plus) {
                request.push(b'\t');
                request.extend(escape::decode_octets(field));
            }
            if !request.ends_with(b"\r\n") {
                request.extend(b"\r\n");
            }
            fields.push(("request", bytes_value(request)));
        }
        let kind = plus.map(|plus| Value::Text(gopher_plus_kind(plus).to_string()));
        fields.push(("gopher_plus", kind.unwrap_or(Value::Null)));
        fields
    }

    /// Returns the offsets of the two encoded tabs that separate the selector, the search and the
    /// Gopher+ string, and the offset of that string. The string may contain line breaks: those of
    /// a form that the user filled in (RFC 1738 §3.4.9).
    fn expected_controls(url: &Url<'_>) -> Controls {
        let text = url.text;
        let next = |from: usize| {
            (from..text.len()).find(|&at| escape::decode_octet_at(text, at) == Some(b'\t'))
        };
        let first = next(url.after_authority_start());
        let second = first.and_then(|first| next(first + 3));
        Controls { tabs: [first, second], lines: second.map(|second| second + 3) }
    }

    /// Returns the code for an encoded tab in place of the item type, or `None` if that is not the
    /// error.
    fn overriding_error_code(reading: &Reading<'_>, at: usize) -> Option<Code> {
        let escape = at.checked_sub(2)?;
        let authority = reading.authority_span()?;
        (escape == authority.end + 1 && is_encoded_tab_at(reading.text, escape))
            .then_some(Code::GopherType)
    }
}

/// True if an encoded tab (`%09`) is at byte `at`.
fn is_encoded_tab_at(text: &[u8], at: usize) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(b"%09"))
}

/// The parts of a gopher URL after the slash that follows the host, as written.
pub(crate) struct Item<'u> {
    /// The type: one character or one escape.
    pub(crate) kind: &'u [u8],
    pub(crate) selector: &'u [u8],
    pub(crate) search: Option<&'u [u8]>,
    pub(crate) plus: Option<&'u [u8]>,
}

impl<'u> Item<'u> {
    /// Splits the text after the slash that follows the host. Returns `None` if it contains no item
    /// type.
    pub(crate) fn split(url: &Url<'u>) -> Option<Self> {
        let path = url.path_after_slash().filter(|path| !path.is_empty())?;
        let length = match escape::decode_octet_at(path, 0) {
            Some(_) => 3,
            None => iri::decode_char_at(path, 0).map_or(1, char::len_utf8),
        };
        let (kind, rest) = path.split_at(length);
        let (selector, rest) = split_at_tab(rest);
        let (search, plus) = match rest.map(split_at_tab) {
            Some((search, plus)) => (Some(search), plus),
            None => (None, None),
        };
        Some(Self { kind, selector, search, plus })
    }
}

/// Splits `part` at the first `%09`. The second part is `None` if there is no `%09`.
fn split_at_tab(part: &[u8]) -> (&[u8], Option<&[u8]>) {
    match (0..part.len()).find(|&at| is_encoded_tab_at(part, at)) {
        Some(at) => (&part[..at], Some(&part[at + 3..])),
        None => (part, None),
    }
}

/// Returns the name of the request that a Gopher+ string makes (RFC 1738 §3.4.4 to §3.4.9).
fn gopher_plus_kind(string: &[u8]) -> &'static str {
    match string {
        b"+" => "default-view",
        b"?" => "ask",
        b"!" => "item-attributes",
        b"$" => "directory-attributes",
        [b'!', ..] => "named-item-attributes",
        [b'$', ..] => "named-directory-attributes",
        [b'+', rest @ ..] if is_encoded_tab_at(rest, 0) => "filled-form",
        [b'+', ..] => "alternate-view",
        _ => "unknown",
    }
}

/// Appends to `found` the findings that the rules for `gopher` URLs add to the general ones.
fn add_findings(found: &mut Collector<'_, '_>) {
    let Some(item) = Item::split(&found.url) else { return };
    if item.kind.len() == 3 && item.kind[0] == b'%' {
        found.add_for_part(Code::GopherTypeEncoded, item.kind);
    }
    for part in [Some(item.selector), item.search].into_iter().flatten() {
        if let Some(mark) = part.iter().position(|&b| b == b'?') {
            found.add_for_part(Code::GopherQuestionMark, &part[mark..=mark]);
        }
    }
}

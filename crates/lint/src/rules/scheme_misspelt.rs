//! `scheme.misspelt`: `htttp://host`, with a mistyped scheme.

use crate::context::Context;
use crate::dialect::{Dialect, Markup};
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, Reported};
use urlsift_core::{Code, Span};
use urlsift_scanner::corrected_scheme;

pub(crate) static RULE: Reported = Reported::with_fix(
    Meta::from_code(Code::SchemeMisspelt)
    .with_description("The scheme is unknown, but one keystroke away from a known scheme, or a fragment of http or https. Names that look like a URL with such a fragment but have no host, such as `ht://Dig`, aren't reported.")
    .with_reason("No program knows this scheme, so the link doesn't work.")
    .with_advice("correct the scheme")
    .as_typo_rule()
    .with_example_texts("See htttp://www.host.dom/a.", "See http://www.host.dom/a."),
    Applicability::Unsafe,
    make_fix,
)
.with_fault_span(spot)
.with_exclusion(is_not_misspelt);

/// True if the text before `://` isn't a scheme, or if nothing after it is a host.
fn is_not_misspelt(cx: &Context<'_>) -> bool {
    starts_with_foreign_letter(cx) || is_name(cx)
}

/// True if the URL is a name that is written like one, such as `ht://Dig`. It starts with a
/// fragment of a scheme that lacks two letters or more, and nothing after it looks like a host.
fn is_name(cx: &Context<'_>) -> bool {
    let scheme = cx.bytes_at(cx.parts.scheme);
    let is_fragment =
        corrected_scheme(scheme).is_some_and(|corrected| scheme.len() + 2 <= corrected.len());
    let rest = cx.url.get(cx.parts.scheme.end..).unwrap_or_default();
    // A dot, a port, a path or a login shows that a host is meant.
    let is_host = |word: &[u8]| {
        word.iter().any(|b| b".:/?#@[".contains(b)) || word.eq_ignore_ascii_case(b"localhost")
    };
    is_fragment && rest.strip_prefix(b"://").is_some_and(|word| !is_host(word))
}

/// True if the first letter of the scheme belongs to something else: to an escape (`\nhttp://`), to
/// an option (`-chttp://`), or to binary data in which it is the length of a string (`"Ahttp://`).
fn starts_with_foreign_letter(cx: &Context<'_>) -> bool {
    let scheme = cx.bytes_at(cx.parts.scheme);
    let rest = scheme.get(1..).unwrap_or_default();
    let is_extra = matches!(rest, b"http" | b"https" | b"ftp" | b"mailto");
    let before = cx.text.get(..cx.span.start).unwrap_or_default();
    // PostScript splits words to set their letters apart: `(h)n(ttp://`.
    if cx.text.starts_with(b"%!PS") {
        return true;
    }
    // In a table of reStructuredText, a target continues on the next line of its cell.
    if cx.dialect == Dialect::Text(Markup::Rst) && before.trim_ascii_end().ends_with(b"|") {
        return true;
    }
    // In another charset than UTF-8, a letter may be the second byte of a character.
    if cx.byte_before(cx.span.start).is_some_and(|b| !b.is_ascii()) && !cx.caches.is_utf8(cx.text) {
        return true;
    }
    // The letter may end an escape sequence of terminals: any letter after the character ESC, as in
    // `ESC [ 7 X`, and `m` after its name, as in `\033[4mhttp://`.
    if is_extra {
        let is_number = |b: &&u8| b.is_ascii_digit() || **b == b';';
        let len = before.iter().rev().take(16).take_while(is_number).count();
        let before = &before[..before.len() - len];
        if before.ends_with(b"\x1b[") || scheme[0] == b'm' && before.ends_with(b"[") {
            return true;
        }
    }
    match cx.byte_before(cx.span.start) {
        Some(b'\\') => true,
        Some(b'-') => is_extra,
        Some(b'"') => is_extra && scheme[0].is_ascii_uppercase(),
        _ => false,
    }
}

fn spot(cx: &Context<'_>) -> Span {
    cx.parts.scheme
}

fn make_fix(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    let corrected = corrected_scheme(cx.bytes_at(spot))?;
    Fix::unsafe_fix(Edit::replace(spot, corrected.as_bytes()))
}

//! Text output: one URL per line, after the path and numbers that the options select.

use super::hyperlink;
use super::sanitize;
use super::style::Style;
use memchr::memmem;
use std::borrow::Cow;
use urlsift_records::write::json;
use urlsift_records::write::rows::write_tsv_cell;
use urlsift_records::{FileName, UrlRecord};
use urlsift_scanner::Form;

/// The escape sequence that starts the color of a path.
const PATH: &[u8] = b"\x1b[35m";
/// The escape sequence that starts the color of a number.
const NUMBER: &[u8] = b"\x1b[32m";
/// The escape sequence that ends a color.
pub(super) const RESET: &[u8] = b"\x1b[0m";

/// Appends one line of text output: the position, as the style selects it, and `url`. `url` is the
/// URL of the record or another reading of it.
pub(super) fn write_url_line(style: &Style, out: &mut Vec<u8>, record: &UrlRecord<'_>, url: &[u8]) {
    let (line, column, offset) = (record.line, record.column, record.span.start);
    write_position(style, out, &record.file, Place { line, column, offset }, b':');
    let url =
        if style.defang { Cow::Owned(defang_url(url, record.form)) } else { Cow::Borrowed(url) };
    out.extend_from_slice(&sanitize::escape_unsafe(&url, style.terminal));
    out.push(b'\n');
}

/// The position of a URL or line in its file. The line and column are `None` if they were not
/// counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) line: Option<u64>,
    pub(super) column: Option<u64>,
    pub(super) offset: u64,
}

/// Appends those of the path, line, column and offset that the style selects, to be printed before
/// the URL or line at the position `at`. The byte `separator` follows each of them, but with
/// `--null`, a NUL follows the path.
pub(super) fn write_position(
    style: &Style,
    out: &mut Vec<u8>,
    file: &FileName,
    at: Place,
    separator: u8,
) {
    let numbers = [
        at.line.filter(|_| style.line),
        at.column.filter(|_| style.column),
        style.offset.then_some(at.offset),
    ];
    let is_empty = !style.path && numbers.iter().all(Option::is_none);
    let links = style.links.as_ref().filter(|_| !is_empty);
    let is_link = links.is_some_and(|links| links.push_link_start(out, file, at.line, at.column));
    if style.path {
        write_path(style, out, file, b"!/");
        out.push(if style.null { 0 } else { separator });
    }
    for value in numbers.into_iter().flatten() {
        if style.color {
            out.extend_from_slice(NUMBER);
        }
        json::push_decimal(out, value);
        if style.color {
            out.extend_from_slice(RESET);
        }
        out.push(separator);
    }
    if is_link {
        // The last mark is not part of the link.
        let mark = out.pop();
        out.extend_from_slice(hyperlink::END);
        out.extend(mark);
    }
}

/// Appends a line that consists of `fields`, separated by tabs.
pub(super) fn write_tsv_line<'f>(out: &mut Vec<u8>, fields: impl IntoIterator<Item = &'f [u8]>) {
    for field in fields {
        write_tsv_cell(out, field);
        out.push(b'\t');
    }
    out.pop();
    out.push(b'\n');
}

/// Returns a changed form of `url` that no program turns into a link: `hxxp` replaces `http`, and
/// `[.]` replaces each dot in the host.
fn defang_url(url: &[u8], form: Form) -> Vec<u8> {
    let after = |mark: &[u8]| memmem::find(url, mark).map(|at| at + mark.len());
    let start = match form {
        Form::Schemeless | Form::Locator | Form::Host => Some(0),
        _ => after(b"://").or_else(|| after(b"@")),
    };
    let (scheme, rest) = url.split_at(start.unwrap_or(url.len()));
    let end = rest.iter().position(|byte| b"/?#".contains(byte)).unwrap_or(rest.len());
    let (host, rest) = rest.split_at(end);
    let mut out = scheme.to_vec();
    if scheme.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"http")) {
        out[1..3].copy_from_slice(b"xx");
    }
    for &byte in host {
        out.extend_from_slice(if byte == b'.' { b"[.]" } else { std::slice::from_ref(&byte) });
    }
    out.extend_from_slice(rest);
    out
}

/// Appends the path of `file` like [`write_path`], as a hyperlink to the file if the style has
/// hyperlinks.
pub(super) fn write_linked_path(
    style: &Style,
    out: &mut Vec<u8>,
    file: &FileName,
    member_separator: &[u8],
) {
    let links = style.links.as_ref();
    let is_link = links.is_some_and(|links| links.push_link_start(out, file, None, None));
    write_path(style, out, file, member_separator);
    if is_link {
        out.extend_from_slice(hyperlink::END);
    }
}

/// Appends the path of `file`. For an archive member, also appends `member_separator` and the name
/// of the member.
pub(super) fn write_path(
    style: &Style,
    out: &mut Vec<u8>,
    file: &FileName,
    member_separator: &[u8],
) {
    if style.color {
        out.extend_from_slice(PATH);
    }
    // Paths before NUL are read by programs, so they are printed unchanged.
    let terminal = style.terminal && !style.null;
    if style.null {
        out.extend_from_slice(&file.path);
    } else {
        out.extend_from_slice(&sanitize::escape_unsafe(&file.path, terminal));
    }
    if let Some(member) = &file.member {
        out.extend_from_slice(member_separator);
        out.extend_from_slice(&sanitize::escape_unsafe(member, terminal));
    }
    if style.color {
        out.extend_from_slice(RESET);
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, defang_url};

    #[test]
    fn defanging_changes_host_and_scheme() {
        for (url, form, expected) in [
            ("http://www.h.dom/a.html?b.c", Form::Bare, "hxxp://www[.]h[.]dom/a.html?b.c"),
            ("HTTPS://joe@h.dom:80", Form::Wrapped, "HxxPS://joe@h[.]dom:80"),
            ("ftp://ftp.h.dom#a.b", Form::Bare, "ftp://ftp[.]h[.]dom#a.b"),
            ("mailto:joe@h.dom?cc=a.b", Form::Bare, "mailto:joe@h[.]dom?cc=a.b"),
            ("news:comp.lang.c", Form::Bare, "news:comp.lang.c"),
            ("joe.a@h.dom", Form::Email, "joe.a@h[.]dom"),
            ("h.dom/a.b", Form::Host, "h[.]dom/a.b"),
            ("www.h.dom/a.b", Form::Schemeless, "www[.]h[.]dom/a.b"),
        ] {
            assert_eq!(defang_url(url.as_bytes(), form), expected.as_bytes());
        }
    }
}

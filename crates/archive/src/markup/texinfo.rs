//! Finds the regions of Texinfo: code, and the targets of `@uref{url, text}` and `@url{url}`.

use super::region::{Region, RegionKind};
use crate::decode::derived::Decoded;
use crate::notation::unescape::{self, Replacement};
use memchr::{memchr, memchr_iter};
use urlsift_core::Span;

/// The maximum length of a target or of code within a line, in bytes.
const MAX_LEN: usize = 4096;

/// The maximum number of braces that are open at the same time.
const MAX_DEPTH: usize = 16;

/// The commands whose argument starts with a URL.
const LINKS: [&[u8]; 3] = [b"uref", b"url", b"indicateurl"];

/// The commands whose argument is code.
const CODE: [&[u8]; 7] = [b"code", b"samp", b"kbd", b"verb", b"t", b"command", b"option"];

/// The environments that contain code.
const BLOCKS: [&[u8]; 5] = [b"example", b"smallexample", b"lisp", b"smalllisp", b"verbatim"];

/// Returns the code and the link targets of a Texinfo text, not yet in order.
pub(super) fn texinfo_regions(text: &[u8]) -> Vec<Region> {
    let mut regions = Vec::new();
    // The open environment, and the offset after the line that starts it.
    let mut open: Option<(&[u8], usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive(|&b| b == b'\n') {
        let start = at;
        at += line.len();
        let body = line.trim_ascii();
        if let Some((name, from)) = open {
            if body.strip_prefix(b"@end ").is_some_and(|end| end.trim_ascii() == name) {
                regions.push(Region { span: Span::new(from, start), kind: RegionKind::CodeBlock });
                open = None;
            }
        } else if let Some(name) = body.strip_prefix(b"@")
            && let Some(&name) = BLOCKS.iter().find(|known| **known == name)
        {
            open = Some((name, at));
        } else if !is_comment(body) {
            for command in memchr_iter(b'@', line) {
                push_argument(text, start + command, &mut regions);
            }
        }
    }
    if let Some((_, from)) = open {
        regions.push(Region { span: Span::new(from, text.len()), kind: RegionKind::CodeBlock });
    }
    regions
}

/// True if a line is a comment.
fn is_comment(line: &[u8]) -> bool {
    let Some(name) = line.strip_prefix(b"@") else { return false };
    let rest = name.strip_prefix(b"comment").or_else(|| name.strip_prefix(b"c"));
    rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Adds the argument of the command at offset `at` to `regions` if it is code or a URL. The command
/// starts with `@`.
fn push_argument(text: &[u8], at: usize, regions: &mut Vec<Region>) {
    let rest = text.get(at + 1..).unwrap_or_default();
    let len = rest.iter().take(16).take_while(|b| b.is_ascii_alphabetic()).count();
    let (name, rest) = rest.split_at(len);
    let [b'{', argument @ ..] = rest else { return };
    let argument = argument.get(..MAX_LEN).unwrap_or(argument);
    let from = at + 1 + len + 1;
    if CODE.contains(&name) {
        if let Some(len) = closing_brace(argument) {
            let span = Span::new(from, from + len);
            regions.push(Region { span, kind: RegionKind::CodeSpan });
        }
    } else if LINKS.contains(&name)
        && let Some(len) = closing_brace(argument)
    {
        let argument = argument.get(..len).unwrap_or_default();
        let url = argument.get(..memchr(b',', argument).unwrap_or(len)).unwrap_or_default();
        let blanks = url.len() - url.trim_ascii_start().len();
        let start = from + blanks;
        let span = Span::new(start, start + url.trim_ascii().len());
        regions.push(Region { span, kind: RegionKind::Destination });
    }
}

/// Returns the offset of the brace that closes an argument. The argument may contain commands with
/// braces, and escaped braces such as `@{`. Returns `None` if there are more than [`MAX_DEPTH`]
/// open braces, so that a text of opening braces takes linear time.
fn closing_brace(argument: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = argument.get(at) {
        match byte {
            b'@' => at += 1,
            b'{' if depth == MAX_DEPTH => return None,
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Decodes the escapes `@@`, `@{`, `@}`, `@comma{}`, `@/` and line breaks in a link target. Returns
/// `None` if it has none. `source_offset` is the offset of the target in the text.
pub(super) fn decode_texinfo_target(raw: &[u8], source_offset: usize) -> Option<Decoded> {
    let find = |text: &[u8]| text.iter().position(|b| matches!(b, b'@' | b'\n'));
    unescape::decode_escapes_with(raw, source_offset, &mut Vec::new(), find, |raw, at| {
        match raw.get(at..)? {
            [b'@', next @ (b'@' | b'{' | b'}'), ..] => {
                Some((Replacement::Char(char::from(*next)), 2))
            }
            [b'@', b'/', ..] => Some((Replacement::Nothing, 2)),
            rest if rest.starts_with(b"@comma{}") => Some((Replacement::Char(','), 8)),
            [b'\n', ..] => Some((Replacement::Nothing, 1)),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::RegionKind::{CodeBlock, CodeSpan, Destination};

    #[test]
    fn targets_end_at_their_comma_or_brace() {
        let text = "@uref{http://h/a., b} @url{ http://h/c } @email{d@@h} @code{http://h/@{e@}}\n\
                    @c @url{http://h/f}\n@example\n@url{http://h/g}\n@end example\n@url{h";
        let found: Vec<_> = crate::markup_regions(text.as_bytes(), crate::Dialect::Texinfo)
            .into_iter()
            .map(|region| (text[region.span.range()].trim(), region.kind))
            .collect();
        assert_eq!(
            found,
            [
                ("http://h/a.", Destination),
                ("http://h/c", Destination),
                ("http://h/@{e@}", CodeSpan),
                ("@url{http://h/g}", CodeBlock),
            ]
        );
    }

    #[test]
    fn escapes_are_decoded() {
        for (text, url) in [
            ("@url{http://h/@@a@comma{}b}", "http://h/@a,b"),
            ("@uref{http://h/@/a/\nb, c}", "http://h/a/b"),
        ] {
            let region = crate::markup_regions(text.as_bytes(), crate::Dialect::Texinfo)[0];
            let made = crate::decode_region_text(text.as_bytes(), region, crate::Dialect::Texinfo);
            assert_eq!(made.unwrap().0, url.as_bytes(), "{text}");
        }
    }
}

//! Decodes the raw bytes of a record again, to check that they contain the record's URL. Undoes
//! every layer byte by byte, independently of the decoders and their maps.

use crate::decode::layer::Layer;
use crate::html::entity;

/// Decodes `layers`, outermost first, in `raw`. For a record, pass the bytes of the file between
/// the record's `start` and `end`, and the layers in its list `decoded`. Returns `None` if a layer
/// can't be undone exactly. Records with such layers are marked `approximate`.
///
/// A quoted-printable escape for a byte that is not a printable US-ASCII character is always undone
/// here. In a charset without that character it is not an escape, and the URL contains it as
/// written: `=1D` in `raw` then corresponds to `=3D1D` elsewhere.
///
/// The result still contains the line breaks and other layout inside the URL. For `html`, white
/// space and tags that are layout are already dropped.
///
/// ```
/// use urlsift_archive::{Layer, redecode};
/// let raw = b"http://h/?a=3D1=\n&amp;b=3D2";
/// let layers = [Layer::QuotedPrintable, Layer::Html];
/// assert_eq!(redecode(raw, &layers).unwrap(), b"http://h/?a=1&b=2");
/// assert_eq!(redecode(b"aHR0", &[Layer::Base64]), None);
/// ```
pub fn redecode(raw: &[u8], layers: &[Layer]) -> Option<Vec<u8>> {
    let mut text = raw.to_vec();
    for &layer in layers {
        text = match layer {
            Layer::QuotedPrintable => decode_quoted_printable(&text),
            Layer::ContentLines => decode_content_lines(&text),
            Layer::Pipermail => restore_at_signs(&text),
            Layer::Html => displayed_html_text(&text),
            Layer::Json => replace_escapes(&text, b"\\", |rest| {
                decode_hex_escape(rest).or_else(|| decode_json_escape(rest))
            }),
            // In a cell, quotes, a comma and blanks separate the strings; a quote in a string is
            // escaped.
            Layer::Jupyter => replace_escapes(&text, b"\\\"", |rest| match rest {
                [b'"', between @ ..] => {
                    Some((String::new(), 2 + between.iter().position(|&b| b == b'"')?))
                }
                _ => decode_json_escape(rest),
            }),
            // The boundary between two strings, or an escape.
            Layer::Gettext => replace_escapes(&text, b"\\\"", |rest| match rest {
                [b'"', after @ ..] => {
                    let len = 1 + after.iter().position(|&b| b == b'"')?;
                    let between = after.get(..len - 1)?.iter().filter(|b| !b" \t\r".contains(b));
                    let between: Vec<u8> = between.copied().collect();
                    let borders = [&b"\n"[..], b"\n#~", b"\n#|", b"\n#~|"];
                    borders.contains(&&*between).then(|| (String::new(), 1 + len))
                }
                [_, next, ..] => {
                    let at = b"\"\\abfnrtv".iter().position(|b| b == next)?;
                    Some(("\"\\\x07\x08\x0c\n\r\t\x0b".get(at..=at)?.to_owned(), 2))
                }
                _ => None,
            }),
            Layer::Xml => replace_escapes(&text, b"&", decode_xml_reference),
            Layer::Tex => decode_tex_commands(&text),
            Layer::Defang => refang(&text),
            Layer::Man => replace_escapes(&text, b"\\", decode_roff_escape),
            Layer::Markdown => replace_escapes(&text, b"\\&", |rest| match rest {
                [b'\\', next, ..] if next.is_ascii_punctuation() => {
                    Some((char::from(*next).into(), 2))
                }
                [b'\\', ..] => None,
                _ => entity::parse_character_reference(rest)
                    .filter(|&(_, len)| rest.get(len - 1) == Some(&b';'))
                    .map(|(c, len)| (c.into(), len)),
            }),
            Layer::AsciiDoc => replace_escapes(&text, b"\\", |rest| match rest {
                [_, b'.' | b'-' | b'_' | b'*' | b'#' | b'^' | b'~' | b'+' | b'`', ..] => {
                    Some((String::new(), 1))
                }
                _ => None,
            }),
            Layer::Rst => replace_escapes(&text, b"\\ \t\r\n", |rest| match rest {
                [b'\\', next, ..] if !next.is_ascii_whitespace() && next.is_ascii() => {
                    Some((char::from(*next).into(), 2))
                }
                _ => Some((String::new(), 1)),
            }),
            Layer::Texinfo => replace_escapes(&text, b"@\n", |rest| match rest {
                [b'@', next @ (b'@' | b'{' | b'}'), ..] => Some((char::from(*next).into(), 2)),
                [b'@', b'/', ..] => Some((String::new(), 2)),
                [b'\n', ..] => Some((String::new(), 1)),
                _ => rest.starts_with(b"@comma{}").then(|| (",".to_owned(), 8)),
            }),
            // If the record is not approximate, its URL is ASCII.
            charset if charset.keeps_ascii() => text,
            _ => return None,
        };
    }
    Some(text)
}

/// Decodes quoted-printable with a small state machine, byte by byte.
fn decode_quoted_printable(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'=' {
            out.push(byte);
        } else if let [a, b, tail @ ..] = tail
            && let (Some(a), Some(b)) = (hex_value(*a), hex_value(*b))
        {
            out.push(a * 16 + b);
            rest = tail;
        } else {
            let broken = tail.trim_ascii_start();
            let blanks = tail.get(..tail.len() - broken.len()).unwrap_or_default();
            match blanks.iter().position(|&b| b == b'\n') {
                Some(lf) => rest = tail.get(lf + 1..).unwrap_or_default(),
                // An `=` at the end is kept, too, because a record never ends with dropped bytes.
                None => out.push(b'='),
            }
        }
    }
    out
}

/// Decodes content lines (calendars and vCards): drops folds, then decodes backslash escapes.
fn decode_content_lines(text: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = match rest {
            [b'\r', b'\n', b' ' | b'\t', tail @ ..] | [b'\n', b' ' | b'\t', tail @ ..] => tail,
            _ => {
                lines.push(byte);
                tail
            }
        };
    }
    let mut out = Vec::with_capacity(lines.len());
    let mut bytes = lines.into_iter().peekable();
    while let Some(byte) = bytes.next() {
        let escaped = |next: &u8| byte == b'\\' && b"nN,;:\\".contains(next);
        out.push(match bytes.next_if(escaped) {
            Some(b'n' | b'N') => b'\n',
            Some(other) => other,
            None => byte,
        });
    }
    out
}

/// Replaces the first ` at ` after each `mailto:` with `@`.
fn restore_at_signs(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut is_due = false;
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        if is_due
            && !out.ends_with(b"mailto:")
            && let Some(host) = rest.strip_prefix(b" at ")
        {
            out.push(b'@');
            (rest, is_due) = (host, false);
            continue;
        }
        out.push(byte);
        is_due = out.ends_with(b"mailto:") || is_due && !byte.is_ascii_whitespace();
        rest = tail;
    }
    out
}

/// Replaces escapes that start with one of `marks`. `decode_one` decodes the escape at the start of
/// its argument and returns the replacement and the length of the escape.
fn replace_escapes(
    text: &[u8],
    marks: &[u8],
    decode_one: impl Fn(&[u8]) -> Option<(String, usize)>,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        let undone = if marks.contains(&byte) { decode_one(rest) } else { None };
        let Some((stands, len)) = undone else {
            out.push(byte);
            rest = tail;
            continue;
        };
        out.extend_from_slice(stands.as_bytes());
        rest = rest.get(len..).unwrap_or_default();
    }
    out
}

/// Decodes the escape `\xHH` of JavaScript, which JSON doesn't have. Returns the character and the
/// length of the escape, or `None` if it is not one.
fn decode_hex_escape(rest: &[u8]) -> Option<(String, usize)> {
    let [b'\\', b'x', high, low] = rest.first_chunk::<4>()? else { return None };
    let code = hex_value(*high)? * 16 + hex_value(*low)?;
    Some((char::from(code).to_string(), 4))
}

/// Decodes a JSON escape as serde does: consecutive `\u` escapes are one UTF-16 text. Returns the
/// text and the length of the escapes, or `None` if it is not an escape.
fn decode_json_escape(rest: &[u8]) -> Option<(String, usize)> {
    let mut units = Vec::new();
    while let Some([b'\\', b'u', digits @ ..]) = rest.get(6 * units.len()..)
        && let Some(digits) = digits.first_chunk::<4>()
        && digits.iter().all(u8::is_ascii_hexdigit)
    {
        let unit = digits.iter().filter_map(|&digit| hex_value(digit));
        units.push(unit.fold(0, |unit, digit| unit << 4 | u16::from(digit)));
    }
    if !units.is_empty() {
        return Some((String::from_utf16_lossy(&units), 6 * units.len()));
    }
    let written = b"\"\\/bfnrt".iter().position(|b| Some(b) == rest.get(1))?;
    Some(("\"\\/\x08\x0c\n\r\t".get(written..=written)?.to_owned(), 2))
}

/// Decodes the XML character reference at the start of `rest`. If its result starts another
/// reference (`&amp;#47;`), decodes that one, too. Returns the character and the length of the
/// reference, or `None` if it is not one.
fn decode_xml_reference(rest: &[u8]) -> Option<(String, usize)> {
    let semicolon = |from: usize| {
        rest.iter().skip(from).take(16).position(|&b| b == b';').map(|at| from + at + 1)
    };
    let (mut from, mut end) = (0, semicolon(0)?);
    let (mut c, mut len) =
        entity::parse_character_reference(rest.get(..end)?).filter(|&(_, len)| len == end)?;
    while rest.get(from + 1..end) == Some(b"amp;") {
        from = end - 1;
        let inner = |next| {
            let name = [b"&", rest.get(end..next)?].concat();
            entity::parse_character_reference(&name).filter(|&(_, len)| len == name.len())
        };
        let Some((next, found)) = semicolon(end).and_then(|next| Some((next, inner(next)?.0)))
        else {
            break;
        };
        (c, len, end) = (found, next, next);
    }
    Some((c.to_string(), len))
}

/// Decodes the TeX commands for special characters.
fn decode_tex_commands(text: &[u8]) -> Vec<u8> {
    let tilde = |rest: &[u8]| {
        let ways = ["{\\~{}}", "{\\textasciitilde}", "$\\sim$", "$\\tilde{}$", "\\~{}", "\\~{ }"];
        let way = ways.iter().find(|way| rest.starts_with(way.as_bytes()))?;
        Some(("~".to_owned(), way.len()))
    };
    let command = |rest: &[u8]| {
        if rest.starts_with(b"\\\\") {
            return Some(("\\\\".to_owned(), 2));
        }
        if let Some(found) = tilde(rest) {
            return Some(found);
        }
        if let Some(line) = rest.strip_prefix(b"%") {
            let next = line.trim_ascii_start();
            let dropped = line.get(..line.len() - next.len())?;
            let lines = memchr::memchr_iter(b'\n', dropped).count();
            let at_once = matches!(dropped, [b'\n', ..] | [b'\r', b'\n', ..]);
            return (lines == 1 && at_once && !next.is_empty())
                .then(|| (String::new(), 1 + dropped.len()));
        }
        let names = [
            ("textasciitilde", "~"),
            ("textasciicircum", "^"),
            ("textbackslash", "\\"),
            ("textunderscore", "_"),
            ("slash", "/"),
            ("allowbreak", ""),
            ("string", ""),
        ];
        let word = rest.strip_prefix(b"\\")?;
        let len = word.iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(word.len());
        if len == 0 {
            let c = char::from(*word.first()?);
            let stands = if "-/@".contains(c) { String::new() } else { c.to_string() };
            return "-/@_%&#${}".contains(c).then_some((stands, 2));
        }
        let (_, stands) =
            names.iter().find(|(name, _)| Some(name.as_bytes()) == word.get(..len))?;
        let braces = [&b"{}"[..], b" "]
            .into_iter()
            .find(|end| word.get(len..).is_some_and(|rest| rest.starts_with(end)));
        Some(((*stands).to_owned(), 1 + len + braces.map_or(0, <[u8]>::len)))
    };
    replace_escapes(text, b"\\%${", command)
}

/// Restores a defanged URL: `hxxp://h[.]dom` gives `http://h.dom`.
fn refang(text: &[u8]) -> Vec<u8> {
    let marks = [".", "dot", ":", "/", "@", "at", "://", "tt"];
    let mut out = replace_escapes(text, b"[({", |rest| {
        let (open, inside) = rest.split_first()?;
        let len = inside.iter().take(5).position(|b| matches!(b, b']' | b')' | b'}'))?;
        let pairs = matches!((open, inside.get(len)?), (b'[', b']') | (b'(', b')') | (b'{', b'}'));
        let word = str::from_utf8(inside.get(..len)?).ok()?.to_ascii_lowercase();
        let stands = match word.as_str() {
            "dot" => ".",
            "at" => "@",
            other => other,
        };
        (pairs && marks.contains(&word.as_str())).then(|| (stands.to_owned(), len + 2))
    });
    for (written, meant) in
        [("hxxp", "tt"), ("h**p", "tt"), ("h00p", "tt"), ("hxtp", "tt"), ("fxp", "t")]
    {
        for start in 0..out.len() {
            let end = start + written.len();
            let tail = out.get(end..).unwrap_or_default();
            let ends = matches!(tail, [b':', ..] | [b's' | b'S', b':', ..]);
            let name = out.get_mut(start..end).filter(|_| ends);
            if let Some(name) = name.filter(|name| name.eq_ignore_ascii_case(written.as_bytes()))
                && let Some(letters) = name.get_mut(1..=meant.len())
            {
                letters.copy_from_slice(meant.as_bytes());
            }
        }
    }
    replace_escapes(&out, b" ", |rest| {
        let word = rest.first_chunk::<5>()?;
        word.eq_ignore_ascii_case(b" dot ").then(|| (".".to_owned(), word.len()))
    })
}

/// Decodes the roff escape at the start of `rest`, with one pattern for each kind. Returns the text
/// and the length of the escape, or `None` if it is not an escape.
fn decode_roff_escape(rest: &[u8]) -> Option<(String, usize)> {
    let words: &[(&str, &str)] = &[
        ("-", "-"),
        (".", "."),
        ("\\", "\\"),
        ("e", "\\"),
        (" ", " "),
        ("~", " "),
        ("0", " "),
        ("&", ""),
        ("%", ""),
        (":", ""),
        ("/", ""),
        (",", ""),
        ("|", ""),
        ("^", ""),
        (")", ""),
        ("(ti", "~"),
        ("[ti]", "~"),
        ("(ha", "^"),
        ("[ha]", "^"),
        ("(sl", "/"),
        ("[sl]", "/"),
        ("(at", "@"),
        ("[at]", "@"),
        ("(sh", "#"),
        ("[sh]", "#"),
        ("(hy", "-"),
        ("[hy]", "-"),
        ("(mi", "-"),
        ("[mi]", "-"),
        ("[-]", "-"),
        ("(eq", "="),
        ("[eq]", "="),
        ("(pl", "+"),
        ("[pl]", "+"),
        ("(Do", "$"),
        ("[Do]", "$"),
    ];
    let rest = rest.strip_prefix(b"\\")?;
    if let Some((word, stands)) = words.iter().find(|(word, _)| rest.starts_with(word.as_bytes())) {
        return Some(((*stands).to_owned(), 1 + word.len()));
    }
    if let Some(code) = rest.strip_prefix(b"[u") {
        let len = code.iter().position(|&b| b == b']').filter(|len| (4..=6).contains(len))?;
        let code = u32::from_str_radix(str::from_utf8(code.get(..len)?).ok()?, 16).ok()?;
        return Some((char::from_u32(code)?.to_string(), len + 4));
    }
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let named = |text: &[u8]| match text {
        [b'(', _, _, ..] => Some(3),
        [b'[', name @ ..] => Some(2 + name.iter().take(16).position(|&b| b == b']')?),
        _ => None,
    };
    let len = match rest {
        [b'f', font @ ..] => {
            1 + named(font).or(font.first().filter(|b| b.is_ascii_alphanumeric()).map(|_| 1))?
        }
        [b's', b'-' | b'+', size @ ..] => 2 + named(size).or((digits(size) > 0).then_some(1))?,
        [b's', size @ ..] => {
            let two = digits(size) > 1 && size.first() < Some(&b'4') && size.first() > Some(&b'0');
            let len = if two { 2 } else { 1 };
            1 + named(size).or((digits(size) > 0).then_some(len))?
        }
        _ => return None,
    };
    Some((String::new(), 1 + len))
}

const fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// Returns the text of a piece of HTML: tags dropped, references decoded, line breaks replaced with
/// spaces. This function only shares the table of references with the decoder that it checks.
fn displayed_html_text(html: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(html.len());
    let mut at = 0;
    while let Some(&byte) = html.get(at) {
        let rest = html.get(at..).unwrap_or_default();
        let mut used = 1;
        match byte {
            b'<' => match markup_len(rest) {
                Some(end) => used = end,
                None => out.push(byte),
            },
            b'&' => match entity::parse_character_reference(rest) {
                Some((c, len)) => {
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    used = len;
                }
                None => out.push(byte),
            },
            b'\n' => out.push(b' '),
            b'\r' => {}
            _ => out.push(byte),
        }
        at += used;
    }
    out
}

/// Returns the length of the tag, comment or declaration at the start of `html`, if there is one.
fn markup_len(html: &[u8]) -> Option<usize> {
    if html.starts_with(b"<!--") && !html.starts_with(b"<!-->") {
        return html.windows(3).skip(4).position(|w| w == b"-->").map(|at| at + 7);
    }
    let name = match html {
        [_, b'!' | b'?', ..] => return html.iter().position(|&b| b == b'>').map(|at| at + 1),
        [_, b'/', name @ ..] | [_, name @ ..] => name,
        [] => return None,
    };
    let len = name.iter().position(|b| b.is_ascii_whitespace() || b"/><@".contains(b))?;
    let link = name.get(..len)?.contains(&b':') && name.get(len) == Some(&b'/');
    if !name.first()?.is_ascii_alphabetic() || link || matches!(name.get(len)?, b'@' | b'<') {
        return None;
    }
    // Quotes only count after a `=`.
    let (mut quote, mut last) = (None, b' ');
    let end = html.iter().position(|&b| {
        match quote {
            None if b == b'>' => return true,
            None if last == b'=' && matches!(b, b'"' | b'\'') => quote = Some(b),
            Some(open) if open == b => quote = None,
            _ => {}
        }
        if !b.is_ascii_whitespace() {
            last = b;
        }
        false
    });
    end.map(|end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_lines_are_unfolded() {
        let raw = b"http\\://h/a\r\n b\\,c\n\td\\\\\\x";
        assert_eq!(redecode(raw, &[Layer::ContentLines]).unwrap(), b"http://h/ab,cd\\\\x");
    }

    #[test]
    fn addresses_are_whole() {
        let raw = b"mailto:joe at h.dom?subject=look at me,mailto:a at b.c d at e.f";
        let undone = redecode(raw, &[Layer::Pipermail]).unwrap();
        assert_eq!(undone, b"mailto:joe@h.dom?subject=look at me,mailto:a@b.c d at e.f");
    }

    #[test]
    fn spelled_dots_are_undone_only_in_defanged_text() {
        let raw = b"hxxp://www dot h DOT dom/";
        assert_eq!(redecode(raw, &[Layer::Defang]).unwrap(), b"http://www.h.dom/");
        assert_eq!(redecode(b"a dot b", &[Layer::QuotedPrintable]).unwrap(), b"a dot b");
    }

    #[test]
    fn escapes_of_scripts_are_undone() {
        let raw = br"http:\/\/h\x2Ddom\u002fa\x3d\xg0";
        assert_eq!(redecode(raw, &[Layer::Json]).unwrap(), br"http://h-dom/a=\xg0");
    }

    #[test]
    fn html_becomes_text() {
        assert_eq!(displayed_html_text(b"http://h/<b>x</b>\n?a&amp;b"), b"http://h/x ?a&b");
    }
}

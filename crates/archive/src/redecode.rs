//! The check that a record's raw bytes show its URL: every layer undone again, byte by byte, by
//! other means than the decoders with their maps.

use crate::decode::layer::Layer;
use crate::html::entity;

/// Undoes `layers`, outermost first, in `raw`: the bytes `raw[start..end]` of a record and its
/// `decoded` list. `None` where a layer cannot be undone exactly (such records are marked
/// `approximate`).
///
/// An escape of quoted-printable that gives no printing character of US-ASCII is undone here in any case. Where the
/// charset does not have that character it is no escape, and the URL has it as written: `=1D` then stands in `raw`
/// for what `=3D1D` is elsewhere.
///
/// What remains to be compared with the URL still holds its layout: the bytes of its joins, and
/// under `html` the white space and tags that are layout there are already dropped.
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
            Layer::QuotedPrintable => unquoted(&text),
            Layer::ContentLines => unfolded(&text),
            Layer::Pipermail => addressed(&text),
            Layer::Html => shown(&text),
            // Where the record is not approximate, its URL is ASCII.
            charset if charset.keeps_ascii() => text,
            _ => return None,
        };
    }
    Some(text)
}

/// Quoted-printable undone with a small state machine, one byte after the other.
fn unquoted(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'=' {
            out.push(byte);
        } else if let [a, b, tail @ ..] = tail
            && let (Some(a), Some(b)) = (hex(*a), hex(*b))
        {
            out.push(a * 16 + b);
            rest = tail;
        } else {
            let broken = tail.trim_ascii_start();
            let blanks = tail.get(..tail.len() - broken.len()).unwrap_or_default();
            match blanks.iter().position(|&b| b == b'\n') {
                Some(lf) => rest = tail.get(lf + 1..).unwrap_or_default(),
                // At the end as well: a record never ends with what was dropped.
                None => out.push(b'='),
            }
        }
    }
    out
}

/// Folds dropped, then escapes with a backslash decoded.
fn unfolded(text: &[u8]) -> Vec<u8> {
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
        let escaped = |next: &u8| byte == b'\\' && b"nN,;\\".contains(next);
        out.push(match bytes.next_if(escaped) {
            Some(b'n' | b'N') => b'\n',
            Some(other) => other,
            None => byte,
        });
    }
    out
}

/// The first ` at ` behind each `mailto:` made an `@`.
fn addressed(text: &[u8]) -> Vec<u8> {
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

const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

/// The text of a stretch of HTML: tags dropped, references decoded, line breaks made blanks. It
/// shares nothing with the way in but the table of references.
fn shown(html: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(html.len());
    let mut at = 0;
    while let Some(&byte) = html.get(at) {
        let rest = html.get(at..).unwrap_or_default();
        let mut used = 1;
        match byte {
            b'<' => match markup_end(rest) {
                Some(end) => used = end,
                None => out.push(byte),
            },
            b'&' => match entity::reference(rest) {
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

/// The length of the tag, comment or declaration that starts `html`, if it is one.
fn markup_end(html: &[u8]) -> Option<usize> {
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
    // Quotes count after a `=` only.
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
        let raw = b"http://h/a\r\n b\\,c\n\td\\\\\\x";
        assert_eq!(redecode(raw, &[Layer::ContentLines]).unwrap(), b"http://h/ab,cd\\\\x");
    }

    #[test]
    fn addresses_are_whole() {
        let raw = b"mailto:joe at h.dom?subject=look at me,mailto:a at b.c d at e.f";
        let undone = redecode(raw, &[Layer::Pipermail]).unwrap();
        assert_eq!(undone, b"mailto:joe@h.dom?subject=look at me,mailto:a@b.c d at e.f");
    }

    #[test]
    fn html_is_shown() {
        assert_eq!(shown(b"http://h/<b>x</b>\n?a&amp;b"), b"http://h/x ?a&b");
    }
}

//! The check that a record's raw bytes show its URL: every layer undone again, byte by byte, by
//! other means than the decoders with their maps.

use crate::decode::quoted_printable::hex;

/// Whether undoing the layer called `name` gives back the text exactly, so that a span under it is
/// not approximate.
pub(crate) fn is_exact(name: &str) -> bool {
    matches!(name, "quoted-printable" | "html")
}

/// Whether the layer called `name` leaves US-ASCII as it is, and makes none of anything else: a
/// charset of one or two bytes a character without shifts.
pub(crate) fn is_transparent(name: &str) -> bool {
    matches!(name, "shift_jis" | "big5" | "gb18030" | "euc-kr")
}

/// Undoes `layers`, outermost first, in `raw`: the bytes `raw[start..end]` of a record and its
/// `decoded` list. `None` where a layer cannot be undone exactly (such records are marked
/// `approximate`).
///
/// What remains to be compared with the URL still holds its layout: the bytes of its joins, and
/// under `html` the white space and tags that are layout there are already dropped.
///
/// ```
/// use urlsift_archive::redecode;
/// let raw = b"http://h/?a=3D1=\n&amp;b=3D2";
/// assert_eq!(redecode(raw, &["quoted-printable", "html"]).unwrap(), b"http://h/?a=1&b=2");
/// assert_eq!(redecode(b"aHR0", &["base64"]), None);
/// ```
pub fn redecode(raw: &[u8], layers: &[&str]) -> Option<Vec<u8>> {
    let mut text = raw.to_vec();
    for &layer in layers {
        text = match layer {
            "quoted-printable" => unquoted(&text),
            "html" => crate::html::plain(&text),
            // Where the record is not approximate, its URL is ASCII.
            charset if is_transparent(charset) => text,
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

//! The end of a URL in quoted-printable text that was not decoded.

use super::trim;
use crate::candidate::escape_at;

/// Returns the length of the URL without the encoded blanks and the punctuation of a sentence at
/// its end, encoded or not: `=20`, `=C2=A0` (a no-break space), `=2E`.
pub(crate) fn len_without_encoded_end(url: &[u8]) -> usize {
    let mut url = url;
    loop {
        url = &url[..trim::trimmed_len(url, None)];
        if let Some(rest) = url.strip_suffix(b"=C2=A0") {
            url = rest;
            continue;
        }
        let Some((rest, [b'=', high, low])) = url.split_last_chunk::<3>() else { break };
        let is_blank = matches!((high, low), (b'2', b'0') | (b'0', b'9'));
        if !is_blank && !escape_at(&[b'=', *high, *low], 0).is_some_and(trim::ends_sentence) {
            break;
        }
        url = rest;
    }
    url.len()
}

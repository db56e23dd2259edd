//! HTML.

/// The text of `html` without its tags and with its entities decoded.
pub(crate) fn plain(html: &[u8]) -> Vec<u8> {
    html.to_vec()
}

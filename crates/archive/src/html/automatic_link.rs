//! Recognizes the links that list software makes from the text of a message.

use super::link_text::link_content;
use super::text::{decode_text_attribute, decode_url_attribute};
use core::ops::Range;
use memchr::{memchr, memmem};
use urlsift_core::Scheme;

/// The origin of a link in a message that list software shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AutomaticLink {
    /// The author wrote the link.
    None,
    /// The software made the link from a URL in the text. The text still contains the URL, and the
    /// two may differ in their last characters.
    Url,
    /// The software hid an address: its link leads to a page of the list.
    Address,
}

/// Returns the origin of the link whose `href` is at `value` of `html`.
pub(crate) fn automatic_link(html: &[u8], value: Range<usize>) -> AutomaticLink {
    let text = html.get(value.end..).and_then(link_content);
    let Some(text) = text.filter(|text| memchr(b'<', text).is_none()) else {
        return AutomaticLink::None;
    };
    let text = decode_text_attribute(text.trim_ascii(), 0).text;
    let target = html.get(value).unwrap_or_default();
    let target = decode_url_attribute(target.trim_ascii(), 0).text;
    if starts_with_known_scheme(&text) && (target.starts_with(&text) || text.starts_with(&target)) {
        AutomaticLink::Url
    } else if memmem::find(&text, b" at ").is_some() && target.windows(9).any(|w| w == b"/listinfo")
    {
        AutomaticLink::Address
    } else {
        AutomaticLink::None
    }
}

/// True if `text` starts with a known scheme and `://`, so that it is found as a URL.
fn starts_with_known_scheme(text: &[u8]) -> bool {
    memmem::find(text, b"://").is_some_and(|len| Scheme::by_name(&text[..len]) != Scheme::Other)
}

#[cfg(test)]
mod tests {
    use super::{AutomaticLink, automatic_link};

    #[test]
    fn automatic_links_are_recognized() {
        for (html, expected) in [
            ("<A HREF=\"http://h/\">http://h/</A>", AutomaticLink::Url),
            ("<A HREF=\"http://h/?a&amp;b\">http://h/?a&amp;b</a>", AutomaticLink::Url),
            ("<A HREF=\"http://h/a&quot;\">http://h/a&quot;</A>", AutomaticLink::Url),
            ("<A HREF=\"http://h/a\">http://h/a.</A>", AutomaticLink::Url),
            (
                "<A HREF=\"http://h/mailman/listinfo/talk\">joe at host.dom</A>",
                AutomaticLink::Address,
            ),
            ("<A HREF=\"http://h/a\">http://other/a</A>", AutomaticLink::None),
            ("<A HREF=\"http://h/a\">look at this</A>", AutomaticLink::None),
            ("<A HREF=\"http://h/\"><b>http://h/</b></A>", AutomaticLink::None),
            ("<A HREF=\"x-a://h/\">x-a://h/</A>", AutomaticLink::None),
            ("<A HREF=\"http://h/\">http://h/ and<BR>", AutomaticLink::None),
        ] {
            let start = html.find('"').unwrap() + 1;
            let end = start + html[start..].find('"').unwrap();
            assert_eq!(automatic_link(html.as_bytes(), start..end), expected, "{html}");
        }
    }
}

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
    /// The software made the link from an address that is no URL. If it hid the address, the link
    /// leads to a page of the list.
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
    let is_same = text.starts_with(&target)
        || target
            .strip_prefix(&*text)
            .is_some_and(|rest| !rest.iter().any(u8::is_ascii_alphanumeric));
    let is_hidden =
        || memmem::find(&text, b" at ").is_some() && target.windows(9).any(|w| w == b"/listinfo");
    if is_found_as_url(&text) && is_same {
        AutomaticLink::Url
    } else if is_address_of(&text, &target) || is_hidden() {
        AutomaticLink::Address
    } else {
        AutomaticLink::None
    }
}

/// True if `text` starts with a known scheme, so that it is found as a URL.
fn is_found_as_url(text: &[u8]) -> bool {
    [&b"mailto:"[..], b"news:"].iter().any(|scheme| text.starts_with(scheme))
        || memmem::find(text, b"://")
            .is_some_and(|len| Scheme::by_name(&text[..len]) != Scheme::Other)
}

/// True if `target` is a `mailto` URL for the address `text`.
fn is_address_of(text: &[u8], target: &[u8]) -> bool {
    let address = target.strip_prefix(b"mailto:").and_then(|to| to.split(|&b| b == b'?').next());
    address.is_some_and(|address| address == text && memchr(b'@', text).is_some())
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
            ("<A HREF=\"mailto:a@h?subject=b\">a@h</A>", AutomaticLink::Address),
            ("<A HREF=\"mailto:a@h\">mailto:a@h</A>", AutomaticLink::Url),
            ("<A HREF=\"news:1@h\">news:1@h</A>", AutomaticLink::Url),
            ("<A HREF=\"http://h/\">http://h</A>", AutomaticLink::Url),
            ("<A HREF=\"http://h/a\">http://h/</A>", AutomaticLink::None),
            ("<A HREF=\"mailto:a@h\">Joe</A>", AutomaticLink::None),
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

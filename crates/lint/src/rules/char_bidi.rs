//! `char.bidi`: bidirectional formatting characters in or next to a URL.

use super::invisible::{Search, is_bidi, report_matching_characters};
use crate::context::{Context, Findings};
use crate::edit::Applicability;
use crate::rule::{Meta, On, Rule};
use urlsift_core::Level;

static META: Meta = Meta::new(
    "char.bidi",
    Level::Warning,
    On::NonAscii,
    "invisible character that changes the text direction, in or next to the URL",
)
.source(3987, "4.1")
.with_description("A bidirectional formatting character (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) is in a URL or directly next to it.")
.with_reason("The character is invisible and makes the URL look like a different one. Text that looks like the path may be the host.")
.with_advice("remove the character")
.with_example_texts("See http://www.host.dom/\u{202e}moc.knab now.", "See http://www.host.dom/ now.")
.fix(Applicability::Unsafe);

pub(crate) struct Bidi;

impl Rule for Bidi {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        report_matching_characters(&META, cx, &Search { matches: is_bidi, before: true }, out);
    }
}

//! `char.bidi`: characters that turn the direction of text, in or beside a URL.

use super::unseen::{Unseen, beside, is_bidi};
use crate::context::{Context, Findings};
use crate::edit::Applicability;
use crate::rule::{Meta, On, Rule};
use urlsift_core::Level;

static META: Meta = Meta::new(
    "char.bidi",
    Level::Warning,
    On::NonAscii,
    "a character that turns the direction of text stands in the URL or right beside it",
)
.source(3987, "4.1")
.what("A bidirectional formatting character (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) stands in a URL, or touches it.")
.why("It cannot be seen, and makes the URL look like another one: what reads as the path may be the host.")
.advice("take it out")
.texts("See http://www.host.dom/\u{202e}moc.knab now.", "See http://www.host.dom/ now.")
.fix(Applicability::Unsafe);

pub(crate) struct Bidi;

impl Rule for Bidi {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        beside(&META, cx, &Unseen { is: is_bidi, before: true }, out);
    }
}

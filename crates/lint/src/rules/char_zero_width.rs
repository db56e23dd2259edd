//! `char.zero-width`: characters without width, in a URL or right behind it.

use super::unseen::{Unseen, beside, is_zero_width};
use crate::context::{Context, Findings};
use crate::edit::Applicability;
use crate::rule::{Meta, On, Rule};
use urlsift_core::Level;

static META: Meta = Meta::new(
    "char.zero-width",
    Level::Warning,
    On::NonAscii,
    "a character without width stands in the URL or right behind it",
)
.source(3987, "8")
.what("A zero-width space or joiner, a word joiner, a soft hyphen or a byte order mark (U+00AD, U+200B to U+200D, U+2060, U+FEFF) stands in a URL, or right behind it.")
.why("It cannot be seen, comes along when the URL is copied, and then names another resource. Word processors leave it there.")
.advice("take it out")
.texts("See http://www.host.dom/a\u{200b}b now.", "See http://www.host.dom/ab now.")
.fix(Applicability::Unsafe)
.beside(&["iri.non-ascii"]);

pub(crate) struct ZeroWidth;

impl Rule for ZeroWidth {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        beside(&META, cx, &Unseen { is: is_zero_width, before: false }, out);
    }
}

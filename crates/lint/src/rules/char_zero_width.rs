//! `char.zero-width`: zero-width characters in a URL or right after it.

use super::invisible::{Search, is_zero_width, report_matching_characters};
use crate::context::{Context, Findings};
use crate::edit::Applicability;
use crate::rule::{Meta, On, Rule};
use urlsift_core::Level;

static META: Meta = Meta::new(
    "char.zero-width",
    Level::Warning,
    On::NonAscii,
    "invisible character in the URL or right after it",
)
.source(3987, "8")
.with_description("A zero-width space or joiner, a word joiner, a soft hyphen or a byte order mark (U+00AD, U+200B to U+200D, U+2060, U+FEFF) is in a URL or right after it.")
.with_reason("Such a character is invisible and is copied along with the URL, which then leads to a different resource. Word processors insert such characters into text.")
.with_advice("remove the character")
.with_example_texts("See http://www.host.dom/a\u{200b}b now.", "See http://www.host.dom/ab now.")
.fix(Applicability::Unsafe)
.with_other_rules(&["iri.non-ascii"]);

pub(crate) struct ZeroWidth;

impl Rule for ZeroWidth {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        report_matching_characters(
            &META,
            cx,
            &Search { matches: is_zero_width, before: false },
            out,
        );
    }
}

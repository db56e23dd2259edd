//! `wrapper.missing-brackets`: `URL:http://host/` without `<` and `>`.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule, Usually};
use urlsift_core::Level;
use urlsift_scanner::Form;

static META: Meta = Meta::new(
    "wrapper.missing-brackets",
    Level::Info,
    On::Url,
    "the prefix `URL:` stands there without the angle brackets",
)
.source(1738, "Appendix")
.usually(Usually::Nothing, "Fields and keys named `url:` look just like it.")
        .what("`URL:` precedes a URL that no angle brackets enclose.")
.why("The prefix tells where a URL starts, the brackets where it ends: without them it cannot be broken over lines, and the end is a guess.")
.advice("enclose prefix and URL in angle brackets, or leave the prefix out")
.texts("See URL:http://www.host.dom/a for that.", "See <URL:http://www.host.dom/a> for that.")
.fix(Applicability::Unsafe);

pub(crate) struct MissingBrackets;

impl Rule for MissingBrackets {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if cx.form != Form::Prefixed || cx.is_in_code() {
            return;
        }
        let mut diagnostic = META.at(cx.whole);
        let edits = vec![Edit::insert(cx.whole.start, b"<"), Edit::insert(cx.span.end, b">")];
        let help = format!("{}: <URL:{}>", META.advice, cx.shown());
        cx.mend_text(&mut diagnostic, edits, Applicability::Unsafe, help);
        out.push(diagnostic);
    }
}

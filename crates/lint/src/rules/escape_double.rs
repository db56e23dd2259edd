//! `escape.double`: `%2520` where `%20` was meant.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{LenientLevel, Meta, On, Rule};
use urlsift_core::{Level, Span};

static META: Meta = Meta::new(
    "escape.double",
    Level::Warning,
    On::Url,
    "this looks percent-encoded twice",
)
.source(3986, "2.4")
.with_lenient_level(LenientLevel::Info, "Archives and mirrors name their pages like this, and the links work.")
        .with_description("In the path of a URL, `%25` is followed by two hexadecimal digits. Queries are skipped, because URLs inside them are rightly encoded twice.")
.with_reason("The `%` of an escape was itself encoded. Programs decode a URL only once, so a name that should contain a space contains `%20`.")
.with_advice("percent-encode only once")
.with_example_urls("http://www.host.dom/a%2520b", "http://www.host.dom/a%20b")
.fix(Applicability::Unsafe);

pub(crate) struct Double;

impl Rule for Double {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        // In a mail address, `%25` is the `%` of a route. Paths of other schemes are opaque.
        if !cx.bytes_at(cx.parts.path).contains(&b'%')
            || !matches!(cx.scheme().as_str(), "http" | "https" | "ftp" | "file")
        {
            return;
        }
        let path = cx.parts.path;
        let spans: Vec<Span> = cx
            .bytes_at(path)
            .windows(5)
            .enumerate()
            .filter(|(_, five)| {
                five.starts_with(b"%25")
                    && five[3].is_ascii_hexdigit()
                    && five[4].is_ascii_hexdigit()
            })
            .map(|(at, _)| Span::new(path.start + at, path.start + at + 5))
            .collect();
        let Some(&first) = spans.first() else { return };
        // A URL inside the path is rightly encoded twice.
        if cx.bytes_at(path).windows(3).any(|three| three.eq_ignore_ascii_case(b"%2F")) {
            return;
        }
        let mut diagnostic = META.diagnostic_at(cx.to_text_span(first));
        for &span in &spans[1..] {
            diagnostic
                .labels
                .push(crate::Label { span: cx.to_text_span(span), text: String::new() });
        }
        let edits = spans
            .iter()
            .map(|span| Edit::delete(Span::new(span.start + 1, span.start + 3)))
            .collect();
        let fix = Fix { applicability: Applicability::Unsafe, edits };
        cx.set_fix(&mut diagnostic, Some(fix), META.advice);
        out.push(diagnostic);
    }
}

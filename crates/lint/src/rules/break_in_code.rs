//! `break.in-code`: a URL in a code block that continues on the next line.

use super::breaks::first_break;
use crate::context::{Context, Findings};
use crate::dialect::{Dialect, Markup};
use crate::rule::{Meta, On, Rule};
use urlsift_core::Level;

static META: Meta = Meta::new(
    "break.in-code",
    Level::Warning,
    On::Url,
    "the URL is broken across lines in a code block",
)
.with_description("A URL in a code block of a document reaches the end of a line and continues on the next line. The rule ignores a line that ends in a semicolon, which separates the items of a list.")
.with_reason("Code blocks are shown as they are, and readers copy from them. They get only the first piece of the URL.")
.with_advice("write the URL on one line")
.with_example_texts(
    "```\nhelp: visit https://host.com/rust-\n      clippy/master/index.html#a\n```\n",
    "```\nhelp: visit\n      https://host.com/rust-clippy/master/index.html#a\n```\n",
)
.with_example_dialect(Dialect::Text(Markup::Markdown))
.as_typo_rule();

pub(crate) struct InCode;

impl Rule for InCode {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        let is_document = matches!(cx.dialect, Dialect::Text(_));
        if !is_document || !cx.is_in_code() || first_break(cx).is_none() {
            return;
        }
        // A sample of reStructuredText, whose targets may continue on the next line.
        let line = &cx.text[cx.span.start.saturating_sub(256)..cx.span.start];
        let line = line.rsplit(|&b| b == b'\n').next().unwrap_or_default().trim_ascii_start();
        if line.starts_with(b".. _") || line.starts_with(b"__ ") {
            return;
        }
        let mut diagnostic = META.diagnostic_at(cx.span);
        diagnostic.label = "this is one URL".into();
        diagnostic.help = Some([META.advice, ": ", &cx.masked_url()].concat().into());
        out.push(diagnostic);
    }
}

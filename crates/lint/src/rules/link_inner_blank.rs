//! `link.inner-blank`: `(http://www. host.com)` and `[a](http://host.com /a)`.

use super::names::is_top_level_domain;
use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::{Form, dotted_host_len};

pub(super) static META: Meta = Meta::new(
    "link.inner-blank",
    Level::Error,
    On::Url,
    "there is a space inside the URL",
)
.source(1738, "Appendix")
.with_description("There is a space after `www.`, inside parentheses that contain only a URL, or in the target of a Markdown link.")
.with_reason("Programs end the URL at the space, and Markdown shows the text instead of a link.")
.with_advice("remove the space, or write `%20`")
.with_example_texts("The mill (https://host.com /visit) is open.", "The mill (https://host.com/visit) is open.")
.fix(Applicability::Unsafe);

pub(crate) struct InnerBlank;

impl Rule for InnerBlank {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if cx.form != Form::Bare
            || !cx.seams.is_empty()
            || !cx.url.ends_with(&cx.text[cx.span.range()])
        {
            return;
        }
        let Some(gap) = gap_before_rest_of_url(cx.text, cx.span) else { return };
        let mut diagnostic = META.diagnostic_at(gap);
        let edits = vec![Edit::delete(gap)];
        cx.set_text_fix(&mut diagnostic, edits, Applicability::Unsafe, META.advice.to_owned());
        out.push(diagnostic);
    }
}

/// Returns the span of the spaces after the URL at `span`, if the rest of the URL follows them.
/// Returns `None` if other text follows.
fn gap_before_rest_of_url(text: &[u8], span: Span) -> Option<Span> {
    let url = &text[span.range()];
    let is_www = url.ends_with(b"://www") && text.get(span.end) == Some(&b'.');
    let start = span.end + usize::from(is_www);
    let len = text.get(start..)?.iter().take_while(|&&b| b == b' ').count();
    let gap = Span::new(start, start + len);
    let rest = &text[gap.end..];
    if !matches!(len, 1 | 2) {
        return None;
    }
    if is_www {
        return (dotted_host_len(rest) > 0 && !rest[0].is_ascii_uppercase()).then_some(gap);
    }
    // Link targets are checked by `link`.
    let before = text.get(..span.start)?;
    if !before.ends_with(b"(") || before.ends_with(b"](") {
        return None;
    }
    let word = rest.iter().position(|&b| b.is_ascii_whitespace() || b == b')')?;
    let closed = rest[word] == b')' && word > 1;
    let continues = match rest[0] {
        b'/' => rest[1].is_ascii_alphanumeric(),
        // `(https://host .com/a)`
        b'.' => dotted_host_len(&rest[1..]) > 0 || is_top_level_domain(&rest[1..word.min(4)]),
        _ => false,
    };
    (closed && continues).then_some(gap)
}

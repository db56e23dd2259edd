//! `wrapper.inner-blank`: `<URL:http://host/a b>`.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::Form;

static META: Meta = Meta::new(
    "wrapper.inner-blank",
    Level::Warning,
    On::Url,
    "there is a space inside the URL",
)
.source(1738, "Appendix")
.with_description("A URL in angle brackets contains a space or tab that is not a line break.")
.with_reason("White space inside the brackets is ignored, so programs read the URL without the space. If the space is part of a file name or a gopher selector, it must be written as `%20`.")
.with_advice("remove the space, or write `%20`")
.with_example_texts("See <URL:http://www.host.dom/a b>.", "See <URL:http://www.host.dom/a%20b>.")
.fix(Applicability::Unsafe);

pub(crate) struct InnerBlank;

/// The maximum distance in bytes from the start of a line to a URL in a comment on that line.
const MAX_COMMENT_LEN: usize = 512;

/// True if a word follows the host and the spaces at `blank`. In several markups, `<http://host the
/// mill>` is a link with the text `the mill`.
fn follows_host(cx: &Context<'_>, blank: Span) -> bool {
    let host = cx.parts.host.map(|host| cx.to_text_span(host));
    host.is_some_and(|host| host.start < blank.start && blank.end < host.end)
        && cx.text.get(blank.end).is_some_and(|&b| !b".:".contains(&b))
        && cx.byte_before(blank.start) != Some(b'.')
}

/// True if the URL is in a comment that starts with `--`. In Haskell, `-- see <http://host/a the
/// mill>` is a link with the text `the mill`.
fn is_link_of_haddock(cx: &Context<'_>) -> bool {
    let from = cx.span.start.saturating_sub(MAX_COMMENT_LEN);
    let before = cx.text.get(from..cx.span.start).unwrap_or_default();
    let mut lines = before.rsplitn(2, |&b| b == b'\n');
    let line = lines.next().unwrap_or_default();
    let is_whole = from == 0 || lines.next().is_some();
    cx.form == Form::Bracketed && is_whole && line.trim_ascii_start().starts_with(b"-- ")
}

/// Returns the offset in the text after which a space may be part of a name. It is the end of the
/// authority or, in a URL without authority, of the scheme.
fn name_start(cx: &Context<'_>) -> usize {
    let scheme = Span::new(cx.parts.scheme.start, cx.parts.scheme.end + 1);
    cx.to_text_span(cx.parts.authority.unwrap_or(scheme)).end
}

impl Rule for InnerBlank {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if !matches!(cx.form, Form::Wrapped | Form::Bracketed) {
            return;
        }
        let blanks = cx.seams.iter().map(|seam| seam.gap).filter(|gap| {
            let bytes = cx.text.get(gap.range()).unwrap_or_default();
            !bytes.is_empty() && bytes.iter().all(|b| matches!(b, b' ' | b'\t'))
                // `wrapper.space-after-hyphen` reports spaces after hyphens.
                && cx.byte_before(gap.start) != Some(b'-')
        });
        let blanks: Vec<_> = blanks.collect();
        let Some(&first) = blanks.first() else { return };
        // `<http://host or http://other>` is a sentence.
        let is_sentence = |gap: &Span| {
            let rest = cx.text.get(gap.end..).unwrap_or_default();
            rest.starts_with(b"or ") || rest.starts_with(b"and ")
        };
        if follows_host(cx, first) || blanks.iter().any(is_sentence) || is_link_of_haddock(cx) {
            return;
        }
        let mut diagnostic = META.diagnostic_at(first);
        for &gap in &blanks[1..] {
            diagnostic.labels.push(crate::Label { span: gap, text: String::new() });
        }
        let begin = name_start(cx);
        let edit = |gap: Span| {
            if gap.start <= begin { Edit::delete(gap) } else { Edit::replace(gap, b"%20") }
        };
        // The host of `<git:// url>` is to be replaced.
        let is_placeholder =
            cx.parts.authority.is_some() && first.start <= begin && !cx.host().contains(&b'.');
        let trust = if is_placeholder { Applicability::Display } else { Applicability::Unsafe };
        let edits = blanks.into_iter().map(edit).collect();
        let help = format!("{}; the URL is read as {}", META.advice, cx.masked_url());
        cx.set_text_fix(&mut diagnostic, edits, trust, help);
        out.push(diagnostic);
    }
}

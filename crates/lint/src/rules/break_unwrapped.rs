//! `break.unwrapped`: a bare URL that continues on the next line.

use super::breaks::first_break;
use crate::context::{Context, Findings};
use crate::dialect::{Dialect, Markup};
use crate::edit::{Applicability, Edit};
use crate::rule::{LenientLevel, Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::{Form, Grade, JoinKind};

static META: Meta = Meta::new(
    "break.unwrapped",
    Level::Warning,
    On::Url,
    "the URL is wrapped over several lines without angle brackets",
)
.source(1738, "Appendix")
.with_lenient_level(LenientLevel::InfoInPlainText, "Readers of plain text put the pieces together. Where markup turns URLs into links, the link contains only the first piece.")
        .with_description("A URL in running text reaches the end of a line, and there is evidence that it continues on the next line. The rule ignores a line that ends in a semicolon, which separates the items of a list.")
.with_reason("Other programs find only the first piece of the URL, which leads to another resource.")
.with_advice("put the URL in angle brackets")
.with_example_texts(
    "The minutes of the last meeting are now at http://www.host.dom/minutes/1994/12/\nmeeting-of-the-working-group.html for a while.\nhttp://www.host.dom/minutes/1994/12/meeting-of-the-working-group.html\n",
    "The minutes of the last meeting are now at\n<http://www.host.dom/minutes/1994/12/\nmeeting-of-the-working-group.html> for a while.\nhttp://www.host.dom/minutes/1994/12/meeting-of-the-working-group.html\n",
)
.fix(Applicability::Unsafe);

pub(crate) struct Unwrapped;

impl Rule for Unwrapped {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        let Some(first) = first_break(cx).filter(|_| !cx.is_in_code()) else { return };
        let mut diagnostic = META.diagnostic_at(cx.span);
        diagnostic.label = "this is one URL".into();
        let evidence = match first.kind {
            JoinKind::Twin => "the same URL appears unbroken nearby",
            JoinKind::WrapColumn => "the line is full up to the column at which this text wraps",
            JoinKind::PageBreak => "only page headers and footers separate the pieces",
            _ => "both sides of the break look like pieces of one URL",
        };
        let sure = if first.grade == Grade::Certain { "certain" } else { "likely" };
        diagnostic.notes.push([sure, ": ", evidence].concat());
        let help = [META.advice, ": <", &cx.masked_url(), ">"].concat();
        // Markup doesn't turn a URL in brackets into a link if it continues on the next line.
        let is_markup = cx.dialect != Dialect::Text(Markup::Plain);
        if is_markup || cx.byte_before(cx.span.start) == Some(b'<') {
            // If there are brackets already, they are not a wrapper for some reason, and more
            // brackets don't help.
            diagnostic.help = Some(help.into());
            out.push(diagnostic);
            return;
        }
        let edits = if cx.form == Form::Prefixed {
            vec![Edit::insert(cx.whole.start, b"<"), Edit::insert(cx.span.end, b">")]
        } else {
            vec![
                Edit::replace(Span::new(cx.span.start, cx.span.start), b"<"),
                Edit::insert(cx.span.end, b">"),
            ]
        };
        // The fix is only displayed if the evidence isn't certain, or if the URL follows a quote or
        // `=`, as in source code. Then the next line may not be part of the URL, or angle brackets
        // may have another meaning.
        let is_quoted = cx.byte_before(cx.whole.start).is_some_and(|b| b"\"'=".contains(&b));
        let applicability = if first.grade == Grade::Certain && !is_quoted {
            Applicability::Unsafe
        } else {
            Applicability::Display
        };
        cx.set_text_fix(&mut diagnostic, edits, applicability, help);
        out.push(diagnostic);
    }
}

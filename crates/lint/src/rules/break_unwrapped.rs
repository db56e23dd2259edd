//! `break.unwrapped`: a URL goes on on the next line, and no wrapper says so.

use crate::context::{Context, Findings};
use crate::dialect::Dialect;
use crate::edit::{Applicability, Edit};
use crate::rule::{Meta, On, Rule, Usually};
use urlsift_core::{Level, Span};
use urlsift_scanner::{Form, Grade, JoinKind, Seam};

static META: Meta = Meta::new(
    "break.unwrapped",
    Level::Warning,
    On::Url,
    "the URL is broken over lines, and no wrapper holds it together",
)
.source(1738, "Appendix")
.usually(Usually::RemarkInPlainText, "Whoever reads a plain text puts the pieces together; where markup makes links of URLs, it makes half a link.")
        .what("A URL in running text stops at a line's end, and all evidence says that it goes on on the next line.")
.why("Every other program finds only the first piece, and follows it.")
.advice("enclose it")
.texts(
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
        if !matches!(cx.form, Form::Bare | Form::Prefixed) || cx.is_in_code() {
            return;
        }
        // A soft break of format=flowed is none: the format says that the line goes on. Neither is an escape.
        let is_break = |seam: &&Seam| !matches!(seam.kind, JoinKind::Flowed | JoinKind::Escape);
        let mut seams = cx.seams.iter().filter(is_break);
        let Some(first) = seams.next() else { return };
        let mut diagnostic = META.at(cx.span);
        diagnostic.label = "all this is one URL".into();
        let evidence = match first.kind {
            JoinKind::Twin => "the whole URL stands unbroken nearby",
            JoinKind::WrapColumn => "the line is filled to the column at which this text wraps",
            JoinKind::PageBreak => "only the furniture between two pages separates the pieces",
            _ => "both sides of the break look like pieces of one URL",
        };
        let sure = if first.grade == Grade::Certain { "certain" } else { "likely" };
        diagnostic.notes.push([sure, ": ", evidence].concat());
        let help = [META.advice, ": <", &cx.shown(), ">"].concat();
        // Markup makes no link of a URL in brackets that goes on on the next line.
        let is_markup = cx.dialect != Dialect::Plain;
        if is_markup || cx.byte_before(cx.span.start) == Some(b'<') {
            // Where there are brackets, something keeps them from being a wrapper; more of them would not help.
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
        cx.mend_text(&mut diagnostic, edits, Applicability::Unsafe, help);
        out.push(diagnostic);
    }
}

//! Rules of the scanner about hyphens before white space.

use crate::context::{Context, Findings};
use crate::rule::{Meta, On, Rule, Usually};
use urlsift_core::Code;

static AFTER_HYPHEN: Meta = Meta::of(Code::BreakAfterHyphen)
    .usually(Usually::Remark, "Where the break cannot be helped, neither can this.")
        .what("A URL is broken over two lines right after a hyphen.")
    .why("Whoever broke the line may have put the hyphen there, as in a word. RFC 1738 therefore asks for no white space after a hyphen; both readings are shown.")
    .advice("move the break before the hyphen, or to another place")
    .texts(
        "See <URL:http://www.host.dom/very-\nlong>.",
        "See <URL:http://www.host.dom/very\n-long>.",
    );

static SPACE_AFTER_HYPHEN: Meta = Meta::of(Code::WrapperSpaceAfterHyphen)
    .what("Inside a wrapper a blank follows a hyphen.")
    .why("Once there may have been a line end; whether the hyphen belongs to the URL cannot be seen.")
    .advice("leave the blank out, and the hyphen too if it is not part of the URL")
    .texts("See <URL:http://www.host.dom/very- long>.", "See <URL:http://www.host.dom/very-long>.");

/// `break.after-hyphen`.
pub(crate) struct AfterHyphen;

impl Rule for AfterHyphen {
    fn meta(&self) -> &Meta {
        &AFTER_HYPHEN
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        both_readings(&AFTER_HYPHEN, cx, out);
    }
}

/// `wrapper.space-after-hyphen`.
pub(crate) struct SpaceAfterHyphen;

impl Rule for SpaceAfterHyphen {
    fn meta(&self) -> &Meta {
        &SPACE_AFTER_HYPHEN
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        both_readings(&SPACE_AFTER_HYPHEN, cx, out);
    }
}

fn both_readings(meta: &Meta, cx: &Context<'_>, out: &mut Findings) {
    for report in cx.reports.iter().filter(|report| On::Report(report.code) == meta.on) {
        let mut diagnostic = meta.at(cx.locate(report.span));
        diagnostic.level = report.level;
        for (at, reading) in cx.readings.iter().enumerate().take(4) {
            let how = if at == 0 { "read as" } else { "or as" };
            diagnostic.notes.push([how, " ", &cx.shown_reading(reading)].concat());
        }
        diagnostic.help = Some(meta.advice.into());
        out.push(diagnostic);
    }
}

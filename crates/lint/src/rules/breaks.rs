//! Rules for hyphens before line breaks and spaces, which the scanner reports.

use crate::context::{Context, Findings};
use crate::rule::{LenientLevel, Meta, On, Rule};
use urlsift_core::Code;
use urlsift_scanner::{Form, JoinKind, Seam};

static AFTER_HYPHEN: Meta = Meta::from_code(Code::BreakAfterHyphen)
    .with_lenient_level(LenientLevel::Info, "If the line has to break there, the ambiguity can't be avoided.")
        .with_description("A URL is wrapped to the next line right after a hyphen.")
    .with_reason("The hyphen at the end of the line may be part of the URL, or may have been added when the line was wrapped. So RFC 1738 advises against breaking a URL after a hyphen. The diagnostic shows the URL with and without the hyphen.")
    .with_advice("move the line break before the hyphen, or elsewhere")
    .with_example_texts(
        "See <URL:http://www.host.dom/very-\nlong>.",
        "See <URL:http://www.host.dom/very\n-long>.",
    );

static SPACE_AFTER_HYPHEN: Meta = Meta::from_code(Code::WrapperSpaceAfterHyphen)
    .with_description("In a URL in angle brackets, a space follows a hyphen.")
    .with_reason("The space may once have been a line break. It is not clear whether the hyphen is part of the URL.")
    .with_advice("remove the space, and also the hyphen if it is not part of the URL")
    .with_example_texts("See <URL:http://www.host.dom/very- long>.", "See <URL:http://www.host.dom/very-long>.");

/// The rule `break.after-hyphen`: a URL continues on the next line after a hyphen, which may not
/// belong to it.
pub(crate) struct AfterHyphen;

impl Rule for AfterHyphen {
    fn meta(&self) -> &Meta {
        &AFTER_HYPHEN
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        report_all_readings(&AFTER_HYPHEN, cx, out);
    }
}

/// The rule `wrapper.space-after-hyphen`: in a URL in angle brackets, a space follows a hyphen,
/// which may not belong to the URL.
pub(crate) struct SpaceAfterHyphen;

impl Rule for SpaceAfterHyphen {
    fn meta(&self) -> &Meta {
        &SPACE_AFTER_HYPHEN
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        report_all_readings(&SPACE_AFTER_HYPHEN, cx, out);
    }
}

/// Returns the first gap at which a URL without delimiters is broken. Returns `None` if there is
/// none.
///
/// Gaps that the format itself explains don't count: soft breaks of format=flowed, escapes such as
/// `&amp;`, and ANSI codes. Also returns `None` if the first gap that counts follows a semicolon,
/// unless the semicolon ends an entity.
pub(super) fn first_break<'a>(cx: &Context<'a>) -> Option<&'a Seam> {
    let is_break =
        |seam: &&Seam| !matches!(seam.kind, JoinKind::Flowed | JoinKind::Escape | JoinKind::Ansi);
    let is_loose = matches!(cx.form, Form::Bare | Form::Prefixed);
    let first = cx.seams.iter().find(is_break).filter(|_| is_loose)?;
    // In a list, a semicolon separates URLs.
    let before = &cx.text[cx.span.start..first.gap.start.max(cx.span.start)];
    (!ends_with_semicolon(before)).then_some(first)
}

/// True if `line`, the part of a URL before a line break, ends in a semicolon that is not the end
/// of an entity such as `&amp;`.
fn ends_with_semicolon(line: &[u8]) -> bool {
    line.trim_ascii_end().strip_suffix(b";").is_some_and(|rest| {
        let is_name = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'#';
        let name = rest.iter().rev().take_while(is_name).count();
        name == 0 || !rest[..rest.len() - name].ends_with(b"&")
    })
}

/// Adds a diagnostic for each of the rule's reports about the URL. The notes of the diagnostic
/// contain the possible spellings of the URL.
fn report_all_readings(meta: &Meta, cx: &Context<'_>, out: &mut Findings) {
    for report in cx.reports.iter().filter(|report| On::Report(report.code) == meta.on) {
        let mut diagnostic = meta.diagnostic_at(cx.to_text_span(report.span));
        diagnostic.level = report.level;
        for (at, reading) in cx.readings.iter().enumerate().take(4) {
            let how = if at == 0 { "read as" } else { "or as" };
            diagnostic.notes.push([how, " ", &cx.masked_reading(reading)].concat());
        }
        diagnostic.help = Some(meta.advice.into());
        out.push(diagnostic);
    }
}

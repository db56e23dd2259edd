//! Compares the URLs that an extractor found with the right answers of a case.

use crate::case::{Case, Expected};
use std::fmt::{self, Display, Formatter};
use std::ops::Range;

/// A URL that an extractor found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The byte range in the input.
    pub range: Range<usize>,
    /// The URL without line breaks and encodings. `None` means the text of the range.
    pub url: Option<String>,
}

impl Found {
    /// Creates a URL that equals the text of its range.
    pub fn at(range: Range<usize>) -> Self {
        Self { range, url: None }
    }

    /// Creates a URL that may differ from the text of its range.
    pub fn new(range: Range<usize>, url: impl Into<String>) -> Self {
        Self { range, url: Some(url.into()) }
    }

    /// Returns the text of the range, as far as the input contains it.
    fn text<'c>(&self, case: &'c Case) -> &'c [u8] {
        let end = self.range.end.min(case.input.len());
        case.input.get(self.range.start..end).unwrap_or_default()
    }

    /// Returns the URL as bytes.
    fn url<'c>(&'c self, case: &'c Case) -> &'c [u8] {
        self.url.as_ref().map_or_else(|| self.text(case), |url| url.as_bytes())
    }

    /// True if this is the expected URL. The URL is only compared where it differs from the text of
    /// the range.
    fn is(&self, case: &Case, expected: &Expected) -> bool {
        let Some(range) = expected.range() else {
            return self.url(case) == expected.url.as_bytes();
        };
        let is_as_written = case.input[range.clone()] == *expected.url.as_bytes();
        self.range == range && (is_as_written || self.url(case) == expected.url.as_bytes())
    }

    /// True if the URL counts. URLs in optional parts don't, nor do bare hosts and addresses.
    fn counts(&self, case: &Case) -> bool {
        let Range { start, end } = self.range;
        if case.optional.iter().any(|part| part.start <= start && end <= part.end) {
            return false;
        }
        let is_expected = |e: &Expected| match e.range() {
            Some(range) => range == self.range,
            None => self.url(case) == e.url.as_bytes(),
        };
        if case.answers().any(|answer| answer.iter().any(is_expected)) {
            return true;
        }
        let (text, url) = (self.text(case), self.url(case));
        // A bare host may be reported with a scheme that the text doesn't have.
        starts_with_scheme(text) || starts_with_scheme(url) && !contains(url, text)
    }
}

/// True if `part` is in `whole`.
fn contains(whole: &[u8], part: &[u8]) -> bool {
    part.is_empty() || whole.windows(part.len()).any(|window| window == part)
}

/// True if the bytes start with a scheme and a colon. White space may be anywhere.
fn starts_with_scheme(bytes: &[u8]) -> bool {
    let mut bytes = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
    bytes.next().is_some_and(u8::is_ascii_alphabetic)
        && bytes.find(|&&b| !b.is_ascii_alphanumeric() && !b"+.-".contains(&b)) == Some(&b':')
}

/// The differences between the found URLs and the right answer that fits best. `Display` shows them
/// with the lines of the input.
#[derive(Clone, Debug)]
pub struct Mistakes<'c> {
    /// The case.
    pub case: &'c Case,
    /// The expected URLs that were not found.
    pub missing: Vec<&'c Expected>,
    /// The found URLs that were not expected.
    pub extra: Vec<Found>,
}

/// Compares the found URLs with each right answer.
///
/// # Errors
///
/// Returns the mistakes, compared with the answer that fits best, if none fits.
pub fn judge(case: &Case, found: impl IntoIterator<Item = Found>) -> Result<(), Mistakes<'_>> {
    let mut relevant: Vec<Found> = Vec::new();
    for found in found {
        if found.counts(case) && !relevant.contains(&found) {
            relevant.push(found);
        }
    }
    let compare = |answer: &'_ [Expected]| {
        let mut extra = relevant.clone();
        let mut missing = Vec::new();
        for (number, expected) in answer.iter().enumerate() {
            match extra.iter().position(|found| found.is(case, expected)) {
                Some(at) => drop(extra.remove(at)),
                None => missing.push(number),
            }
        }
        (missing, extra)
    };
    let best = case
        .answers()
        .map(|answer| (answer, compare(answer)))
        .min_by_key(|(_, (missing, extra))| missing.len() + extra.len());
    match best {
        Some((answer, (missing, extra))) if !missing.is_empty() || !extra.is_empty() => {
            let missing = missing.into_iter().map(|number| &answer[number]).collect();
            Err(Mistakes { case, missing, extra })
        }
        _ => Ok(()),
    }
}

impl Display for Mistakes<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let case = self.case;
        writeln!(f, "{} (level {}): {}", case.id, case.level, case.title)?;
        let missing: Vec<_> = self.missing.iter().filter_map(|expected| expected.range()).collect();
        let extra: Vec<_> = self.extra.iter().map(|found| found.range.clone()).collect();
        let mut at = 0;
        for line in case.input.split_inclusive(|&byte| byte == b'\n') {
            let end = at + line.len();
            let touches = |range: &Range<usize>| range.start < end && range.end > at;
            if missing.iter().chain(&extra).any(touches) {
                let text: Vec<(usize, char)> = match str::from_utf8(line) {
                    Ok(text) => text.trim_end().char_indices().collect(),
                    // One character per byte, so that the marks are in the right columns.
                    Err(_) => line.trim_ascii_end().iter().map(|&b| b.into()).enumerate().collect(),
                };
                let shown: String =
                    text.iter().map(|&(_, c)| if c.is_control() { ' ' } else { c }).collect();
                writeln!(f, "  | {shown}")?;
                for (ranges, mark, name) in [(&missing, '^', "expected"), (&extra, '~', "found")] {
                    if ranges.iter().any(touches) {
                        writeln!(f, "  | {}  {name}", underline(&text, at, ranges, mark))?;
                    }
                }
            }
            at = end;
        }
        for expected in &self.missing {
            writeln!(f, "  missing: {}", expected.url)?;
        }
        for found in &self.extra {
            let url = String::from_utf8_lossy(found.url(case));
            writeln!(f, "  not expected: {}..{} {url}", found.range.start, found.range.end)?;
        }
        if case.why.is_empty() { Ok(()) } else { writeln!(f, "  why: {}", case.why) }
    }
}

/// Returns a line with marks under the characters that are in the ranges. `text` has the characters
/// with their offsets in the line, which starts at `at`.
fn underline(text: &[(usize, char)], at: usize, ranges: &[Range<usize>], mark: char) -> String {
    let is_in = |offset| ranges.iter().any(|range| range.contains(&(at + offset)));
    let line: String =
        text.iter().map(|&(offset, _)| if is_in(offset) { mark } else { ' ' }).collect();
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Found, judge};
    use crate::case::Case;
    use serde::Deserialize;

    /// A case of `scoring.json`, which also tests the implementations in Python and JavaScript.
    #[derive(Deserialize)]
    struct Scoring {
        name: String,
        case: Case,
        found: Vec<Link>,
        missing: usize,
        extra: usize,
    }

    #[derive(Deserialize)]
    struct Link {
        start: usize,
        end: usize,
        url: Option<String>,
    }

    #[test]
    fn answers_are_judged_as_in_the_other_languages() {
        let cases: Vec<Scoring> =
            serde_json::from_str(include_str!("../../scoring.json")).expect("it is valid");
        for Scoring { name, mut case, found, missing, extra } in cases {
            case.decode();
            let found = found.into_iter().map(|l| Found { range: l.start..l.end, url: l.url });
            let counts = match judge(&case, found) {
                Ok(()) => (0, 0),
                Err(mistakes) => (mistakes.missing.len(), mistakes.extra.len()),
            };
            assert_eq!(counts, (missing, extra), "{name}");
        }
    }
}

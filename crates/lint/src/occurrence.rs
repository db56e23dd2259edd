//! A URL that is to be judged, in its place in the text.

use crate::config::Config;
use crate::dialect::Dialect;
use crate::markup::{self, Region};
use std::borrow::Cow;
use urlsift_core::{Profile, Report, Span, SpanMap, diagnose};
use urlsift_scanner::{Candidate, Form, NearMiss, Scanner, Seam};

/// One candidate in positions of the whole text, wherever it was found.
pub(crate) struct Occurrence<'t> {
    pub(crate) url: Cow<'t, [u8]>,
    pub(crate) map: SpanMap,
    pub(crate) span: Span,
    pub(crate) whole: Span,
    pub(crate) form: Form,
    pub(crate) near_miss: Option<NearMiss>,
    pub(crate) seams: Vec<Seam>,
    pub(crate) reports: Vec<Report>,
    pub(crate) readings: Vec<Vec<u8>>,
    pub(crate) region: Option<Region>,
    /// The secrets that the URL itself shows.
    pub(crate) secrets: Vec<Span>,
}

impl Occurrence<'_> {
    /// Whether nothing but US-ASCII stands in it or, in the text, right beside it.
    pub(crate) fn is_ascii_within(&self, text: &[u8]) -> bool {
        let before = self.span.start.checked_sub(1).and_then(|at| text.get(at));
        let beside = [before, text.get(self.span.end)];
        self.url.is_ascii() && beside.into_iter().flatten().all(u8::is_ascii)
    }
}

/// The value that markup delimits whole, judged as it stands; nothing if it has no scheme. `found` is what the scanner
/// finds in it first, if it has looked.
pub(crate) fn whole<'t>(
    scanner: &Scanner,
    config: &Config,
    text: &'t [u8],
    region: Region,
    dialect: Dialect,
    found: Option<&Candidate<'t>>,
) -> Option<Occurrence<'t>> {
    let value = markup::value(text, region, dialect);
    // A wrapper in there is a fault, which the scanner sees and this would hide.
    if value.text.starts_with(b"<") {
        return None;
    }
    // Nearly every value is one URL from end to end: the scanner has read it.
    let (url, map, near_miss) = match (&value.text, found) {
        (Cow::Borrowed(_), Some(found)) if fills(found, region.span) => {
            (found.url(), found.map(), found.near_miss())
        }
        _ => {
            let candidate = scanner.attribute(&value.text)?;
            let map = candidate.map().over(&value.map);
            (Cow::Owned(candidate.url().into_owned()), map, candidate.near_miss())
        }
    };
    Some(Occurrence {
        span: map.source(Span::new(0, url.len())),
        whole: region.span,
        secrets: config.hides.in_url(&url),
        reports: reports(&url, near_miss, config.profile),
        url,
        map,
        form: Form::Attribute,
        near_miss,
        seams: Vec::new(),
        readings: Vec::new(),
        region: Some(region),
    })
}

/// A candidate of a running text, or one read as a value.
pub(crate) fn occurrence<'t>(
    candidate: &Candidate<'t>,
    region: Option<Region>,
    config: &Config,
) -> Occurrence<'t> {
    let url = candidate.url();
    let mut reports = reports(&url, candidate.near_miss(), config.profile);
    if candidate.near_miss().is_none() {
        let about_the_place = candidate.findings();
        if !about_the_place.is_empty() {
            reports.extend(about_the_place);
            reports.sort_by_key(|report| report.span);
        }
    }
    let mut readings = Vec::new();
    if candidate.seams().iter().any(|seam| seam.hyphen) {
        readings = candidate.readings();
    }
    Occurrence {
        map: candidate.map(),
        secrets: config.hides.in_url(&url),
        url,
        span: candidate.span(),
        whole: candidate.whole(),
        form: candidate.form(),
        near_miss: candidate.near_miss(),
        seams: candidate.seams().to_vec(),
        reports,
        readings,
        region,
    }
}

/// What core says of a URL. Of a near miss its own rules say all there is to say.
fn reports(url: &[u8], near_miss: Option<NearMiss>, profile: Profile) -> Vec<Report> {
    let mut reports = Vec::new();
    if near_miss.is_none() {
        diagnose(url, profile, |report| reports.push(report));
    }
    reports
}

/// Whether a URL in running text is all of the value at `place`, so that read as a value it would be the same. (A scheme of one
/// letter is none there: that is a drive.)
fn fills(found: &Candidate<'_>, place: Span) -> bool {
    let is_drive = || found.url().get(1) == Some(&b':');
    found.form() == Form::Bare && found.span() == place && found.seams().is_empty() && !is_drive()
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_scanner::Input;

    /// What is told of a value by what the scanner found in it, and what by reading it; whether the first goes without the
    /// second.
    fn both_ways(text: &[u8], dialect: Dialect) -> ([String; 2], bool) {
        let scanner = Scanner::builder().near_misses(true).build();
        let region = markup::regions(text, dialect)
            .into_iter()
            .find(|region| region.kind.is_whole())
            .unwrap_or_else(|| panic!("{}", text.escape_ascii()));
        let mut all = scanner.find(Input::new(text));
        let mut found = None;
        while let Some(candidate) = all.advance() {
            if region.span.start <= candidate.span().start {
                found = Some(candidate.clone());
                break;
            }
        }
        let told = |found| {
            whole(&scanner, &Config::default(), text, region, dialect, found).map_or(
                String::new(),
                |it| {
                    let url = it.url.escape_ascii().to_string();
                    let place = it.map.source(Span::new(0, it.url.len()));
                    format!("{url} {place:?} {:?} {:?} {:?}", it.near_miss, it.reports, it.secrets)
                },
            )
        };
        let is_as_written = matches!(markup::value(text, region, dialect).text, Cow::Borrowed(_));
        let is_taken = is_as_written && found.as_ref().is_some_and(|it| fills(it, region.span));
        ([told(found.as_ref()), told(None)], is_taken)
    }

    #[test]
    fn a_value_that_a_url_fills_is_not_read_again_and_says_the_same() {
        for value in [
            "http://h.dom/a",
            "http://h.dom/a_(b)",
            "http://joe:secret@h.dom/a",
            "http://h..dom/%zz",
            "htp://h/a",
            "mailto:joe@h.dom",
            "wibble://h.dom/a",
        ] {
            let link = format!("At [x]({value}) now.");
            let ([found, read], is_taken) = both_ways(link.as_bytes(), Dialect::Markdown);
            assert!(is_taken, "{value}");
            assert_eq!(found, read, "{value}");
            let tag = format!("At <a href=\"{value}\">x</a> now.");
            let ([found, read], is_taken) = both_ways(tag.as_bytes(), Dialect::Html);
            assert!(is_taken, "{value}");
            assert_eq!(found, read, "{value}");
        }
    }

    #[test]
    fn any_other_value_is_read() {
        for value in
            ["../a", "http://h.dom/a.", "see http://h.dom/a", "c://h.dom/a", "http://h.dom/a&#38;b"]
        {
            let tag = format!("At <a href=\"{value}\">http://h.dom/b</a> now.");
            let ([found, read], is_taken) = both_ways(tag.as_bytes(), Dialect::Html);
            assert!(!is_taken, "{value}");
            assert_eq!(found, read, "{value}");
        }
    }
}

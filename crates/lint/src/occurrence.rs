//! The URLs and near misses of a text, in the form in which rules check them.

use crate::config::Config;
use crate::dialect::Dialect;
use crate::markup::{self, Region};
use std::borrow::Cow;
use urlsift_core::{Profile, Report, Span, SpanMap, diagnose};
use urlsift_scanner::{Candidate, Form, NearMiss, Scanner, Seam};

/// A URL or near miss that the rules check. Its fields have the same meaning as those of
/// [`Context`](crate::Context).
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
    /// True if the URL is cut at the scanner's maximum length, and continues in the text.
    pub(crate) is_overlong: bool,
    /// The spans of secrets in the URL.
    pub(crate) secrets: Vec<Span>,
}

impl Occurrence<'_> {
    /// True if the URL and the bytes right before and after it in `text` are all US-ASCII.
    pub(crate) fn is_surrounded_by_ascii(&self, text: &[u8]) -> bool {
        let before = self.span.start.checked_sub(1).and_then(|at| text.get(at));
        let beside = [before, text.get(self.span.end)];
        self.url.is_ascii() && beside.into_iter().flatten().all(u8::is_ascii)
    }
}

/// Returns the URL that fills a region of markup, such as a link target or an attribute value.
/// Returns `None` if the value has no scheme.
///
/// `found` is the scanner's first candidate in the region, if any.
pub(crate) fn occurrence_of_region<'t>(
    scanner: &Scanner,
    config: &Config,
    text: &'t [u8],
    region: Region,
    dialect: Dialect,
    found: Option<&Candidate<'t>>,
) -> Option<Occurrence<'t>> {
    let value = markup::decoded_value(text, region, dialect);
    // A wrapper inside the value is a fault. Only the scanner finds it.
    if value.text.starts_with(b"<") {
        return None;
    }
    // Nearly every value is exactly one URL, which the scanner has already parsed.
    let (url, map, near_miss) = match (&value.text, found) {
        (Cow::Borrowed(_), Some(found)) if is_bare_and_fills(found, region.span) => {
            (found.url(), found.span_map(), found.near_miss())
        }
        _ => {
            let candidate = scanner.read_attribute(&value.text)?;
            let map = candidate.span_map().composed_with(&value.map);
            (Cow::Owned(candidate.url().into_owned()), map, candidate.near_miss())
        }
    };
    Some(Occurrence {
        span: map.to_source(Span::new(0, url.len())),
        whole: region.span,
        secrets: config.hides.in_url(&url),
        reports: reports_unless_near_miss(&url, near_miss, config.profile),
        url,
        map,
        form: Form::Attribute,
        near_miss,
        seams: Vec::new(),
        readings: Vec::new(),
        region: Some(region),
        is_overlong: false,
    })
}

/// Converts a candidate of the scanner to an occurrence. `region` is the region of markup that
/// contains the candidate.
pub(crate) fn occurrence_of_candidate<'t>(
    candidate: &Candidate<'t>,
    region: Option<Region>,
    config: &Config,
) -> Occurrence<'t> {
    let url = candidate.url();
    let mut reports = reports_unless_near_miss(&url, candidate.near_miss(), config.profile);
    if candidate.near_miss().is_none() {
        let findings = candidate.findings();
        if !findings.is_empty() {
            reports.extend(findings);
            reports.sort_by_key(|report| report.span);
        }
    }
    let mut readings = Vec::new();
    if candidate.is_ambiguous() {
        readings = candidate.readings();
    }
    Occurrence {
        map: candidate.span_map(),
        secrets: config.hides.in_url(&url),
        url,
        span: candidate.span(),
        whole: candidate.span_with_wrapper(),
        form: candidate.form(),
        near_miss: candidate.near_miss(),
        seams: candidate.seams().to_vec(),
        reports,
        readings,
        region,
        is_overlong: candidate.is_overlong(),
    }
}

/// Returns the violations and findings that the core crate reports about a URL. Returns an empty
/// list for a near miss, because the rules for near misses check the URL themselves.
fn reports_unless_near_miss(
    url: &[u8],
    near_miss: Option<NearMiss>,
    profile: Profile,
) -> Vec<Report> {
    let mut reports = Vec::new();
    if near_miss.is_none() {
        diagnose(url, profile, |report| reports.push(report));
    }
    reports
}

/// True if `found` is a bare URL that fills the whole `value`. Parsing the value would
/// then give the same URL.
///
/// False for a scheme of one letter, which in a value is a drive letter.
fn is_bare_and_fills(found: &Candidate<'_>, value: Span) -> bool {
    let is_drive = || found.url().get(1) == Some(&b':');
    found.form() == Form::Bare && found.span() == value && found.seams().is_empty() && !is_drive()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Markup;
    use urlsift_scanner::Input;

    /// Returns the result for a value with and without the scanner's candidate. Also returns true
    /// if the candidate is used.
    fn both_ways(text: &[u8], dialect: Dialect) -> ([String; 2], bool) {
        let scanner = Scanner::builder().near_misses(true).build();
        let region = markup::regions(text, dialect)
            .into_iter()
            .find(|region| region.kind.is_whole_url())
            .unwrap_or_else(|| panic!("{}", text.escape_ascii()));
        let mut all = scanner.find(Input::new(text));
        let mut found = None;
        while let Some(candidate) = all.advance() {
            if region.span.start <= candidate.span().start {
                found = Some(candidate.clone());
                break;
            }
        }
        let result = |found| {
            occurrence_of_region(&scanner, &Config::default(), text, region, dialect, found).map_or(
                String::new(),
                |it| {
                    let url = it.url.escape_ascii().to_string();
                    let place = it.map.to_source(Span::new(0, it.url.len()));
                    format!("{url} {place:?} {:?} {:?} {:?}", it.near_miss, it.reports, it.secrets)
                },
            )
        };
        let is_as_written =
            matches!(markup::decoded_value(text, region, dialect).text, Cow::Borrowed(_));
        let is_used =
            is_as_written && found.as_ref().is_some_and(|it| is_bare_and_fills(it, region.span));
        ([result(found.as_ref()), result(None)], is_used)
    }

    #[test]
    fn value_that_is_one_url_is_not_parsed_again() {
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
            let ([found, read], is_used) =
                both_ways(link.as_bytes(), Dialect::Text(Markup::Markdown));
            assert!(is_used, "{value}");
            assert_eq!(found, read, "{value}");
            let tag = format!("At <a href=\"{value}\">x</a> now.");
            let ([found, read], is_used) = both_ways(tag.as_bytes(), Dialect::Text(Markup::Html));
            assert!(is_used, "{value}");
            assert_eq!(found, read, "{value}");
        }
    }

    #[test]
    fn other_values_are_parsed() {
        for value in ["../a", "see http://h.dom/a", "c://h.dom/a", "http://h.dom/a&#38;b"] {
            let tag = format!("At <a href=\"{value}\">http://h.dom/b</a> now.");
            let ([found, read], is_used) = both_ways(tag.as_bytes(), Dialect::Text(Markup::Html));
            assert!(!is_used, "{value}");
            assert_eq!(found, read, "{value}");
        }
    }
}

//! The record of `urlsift parse`: the result of parsing and validating one URL.

use crate::fields::parse as field;
use crate::judge::scheme_before_colon;
use crate::write::json::ObjectWriter;
use urlsift_core::{
    Profile, Report, Url, Violation, diagnose, diagnose_url, parse, parse_reference,
};

/// The record that `urlsift parse` prints for each URL: the result of validating it.
///
/// ```
/// use urlsift_core::Profile;
/// use urlsift_records::parse::ParseRecord;
///
/// let record = ParseRecord::new(b"ftp://host.dom/a", Profile::Rfc1738, false);
/// assert!(record.is_valid());
/// let mut line = Vec::new();
/// record.write_json(&mut line);
/// assert!(line.starts_with(br#"{"type":"parse","input":"ftp://host.dom/a","valid":true,"#));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParseRecord<'u> {
    /// The input as given.
    pub input: &'u [u8],
    /// The profile that the input was validated against.
    pub profile: Profile,
    /// The parsed URL, or the first violation if the input is not valid.
    pub result: Result<Url<'u>, Violation>,
    /// All violations and findings, ordered by position.
    pub reports: Vec<Report>,
}

impl<'u> ParseRecord<'u> {
    /// Validates `input` against `profile` and returns the result as a record. If `reference` is
    /// true, a fragment (`#...`) may follow the URL. Takes linear time.
    pub fn new(input: &'u [u8], profile: Profile, reference: bool) -> Self {
        let mut reports = Vec::new();
        let result = if reference {
            diagnose(input, profile, |report| reports.push(report));
            parse_reference(input, profile)
        } else {
            diagnose_url(input, profile, |report| reports.push(report));
            parse(input, profile)
        };
        Self { input, profile, result, reports }
    }

    /// Masks the passwords in the input and in the parts of the URL. `masked` must be the result of
    /// [`urlsift_core::masked`] for the input.
    #[must_use]
    pub fn with_masked(mut self, masked: &'u [u8]) -> Self {
        self.input = masked;
        // Masking keeps a URL valid, and the fragment was validated already.
        self.result = self.result.and_then(|_| parse_reference(masked, self.profile));
        self
    }

    /// True if the input is a valid URL in the profile.
    pub fn is_valid(&self) -> bool {
        !self.reports.iter().any(Report::is_violation)
    }

    /// Returns the scheme of the input, or `None` if it has none. A known scheme is in lower case.
    /// An unknown one is as written.
    pub fn scheme(&self) -> Option<&str> {
        match &self.result {
            Ok(url) => Some(url.scheme()),
            // The profile `cern1994` only checks validity.
            Err(_) if self.profile == Profile::Cern1994 => None,
            Err(_) => scheme_before_colon(self.input),
        }
    }

    /// Appends the record to `out` as a line of JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let url = self.result.as_ref().ok();
        let of = |violations| self.reports.iter().filter(move |r| r.is_violation() == violations);
        let mut object = ObjectWriter::begin_object(out, "parse");
        object.write_text(&field::INPUT, self.input);
        object.write_boolean(&field::VALID, self.is_valid());
        object.write_text(&field::PROFILE, self.profile.name().as_bytes());
        object.write_optional_text(&field::SCHEME, self.scheme().map(str::as_bytes));
        object.write_url_parts(&field::COMPONENTS, url.and_then(Url::components).as_deref());
        object.write_url_parts(&field::SEMANTICS, url.and_then(Url::semantics).as_deref());
        object.write_reports(&field::VIOLATIONS, of(true));
        object.write_reports(&field::FINDINGS, of(false));
        object.end_line();
    }
}

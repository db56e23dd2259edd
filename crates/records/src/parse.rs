//! The verdict on a single URL.

use crate::fields::parse as field;
use crate::judge::scheme_of;
use crate::write::json::Object;
use urlsift_core::{
    Profile, Report, Url, Violation, diagnose, diagnose_url, parse, parse_reference,
};

/// The record of `urlsift parse`: the verdict on one URL.
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
    /// The input.
    pub input: &'u [u8],
    /// The rules it was judged by.
    pub profile: Profile,
    /// The URL in its parts, or the first rule that it breaks.
    pub result: Result<Url<'u>, Violation>,
    /// Its violations and findings.
    pub reports: Vec<Report>,
}

impl<'u> ParseRecord<'u> {
    /// Judges `input`, in which a fragment may follow the URL if it is a `reference`. Linear.
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

    /// Returns the same verdict with passwords masked in the input and its parts. `masked` is the
    /// result of [`urlsift_core::masked`] for the input.
    #[must_use]
    pub fn shown_as(mut self, masked: &'u [u8]) -> Self {
        self.input = masked;
        // A masked password is still valid, and fragments were validated before.
        self.result = self.result.and_then(|_| parse_reference(masked, self.profile));
        self
    }

    /// True if the profile accepts the input.
    pub fn is_valid(&self) -> bool {
        !self.reports.iter().any(Report::is_violation)
    }

    /// Returns the scheme: in lower case if it is known, otherwise as written.
    pub fn scheme(&self) -> Option<&str> {
        match &self.result {
            Ok(url) => Some(url.scheme()),
            // That profile only checks validity.
            Err(_) if self.profile == Profile::Cern1994 => None,
            Err(_) => scheme_of(self.input),
        }
    }

    /// Appends the record as a line of JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let url = self.result.as_ref().ok();
        let of = |violations| self.reports.iter().filter(move |r| r.is_violation() == violations);
        let mut object = Object::begin(out, "parse");
        object.text(&field::INPUT, self.input);
        object.boolean(&field::VALID, self.is_valid());
        object.text(&field::PROFILE, self.profile.name().as_bytes());
        object.optional_text(&field::SCHEME, self.scheme().map(str::as_bytes));
        object.parts(&field::COMPONENTS, url.and_then(Url::components).as_deref());
        object.parts(&field::SEMANTICS, url.and_then(Url::semantics).as_deref());
        object.reports(&field::VIOLATIONS, of(true));
        object.reports(&field::FINDINGS, of(false));
        object.end_line();
    }
}

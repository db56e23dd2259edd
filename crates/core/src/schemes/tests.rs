//! Adds a made-up scheme, to test that a new scheme takes only a file and a row in the table.
//!
//! ```text
//! madeup  = "x-made-up://" hostport "/" color
//! color  = "red" / "blue"
//! ```

use super::rules::{FindingsOf, Rules, expect_byte, expect_end, host_and_port_fields};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::login;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::registry::{self, Rfc1738, Status};
use crate::value::value_or_null;
use crate::{
    Code, Fields, Profile, Scheme, Url, Value, diagnose, grammar, normalize, outline, parse,
    parse_reference,
};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// The rules of a made-up scheme.
pub(crate) struct MadeUp;

impl Rules for MadeUp {
    const RFC1738: &'static str = "://<hostport>/(?:red|blue)";
    const RFC3986: &'static str = "://<authnonempty>/(?:red|blue)";
    const FINDINGS: Option<FindingsOf> = Some(findings);

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_ip_schemepart(text, at, parts)?;
        color(text, at)
    }

    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_net_path::<WEB>(text, at, parts)?;
        color(text, at)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let mut fields = host_and_port_fields(url);
        fields.push(("color", value_or_null(url.path_after_slash())));
        fields
    }

    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        let warm = url.path_after_slash() == Some(b"red");
        vec![("temper", Value::Text(if warm { "warm" } else { "cool" }.to_string()))]
    }

    fn error_code(_: &Reading<'_>, _: usize) -> Code {
        Code::WaisForm
    }
}

fn color(text: &[u8], at: usize) -> Result<(), Fault> {
    let color = expect_byte(text, at, b'/')?;
    match &text[color..] {
        b"red" | b"blue" => expect_end(text, text.len()),
        _ => Err(Fault::at(color)),
    }
}

fn findings(found: &mut Collector<'_, '_>) {
    if found.url.path_after_slash() == Some(b"red") {
        found.add_for_part(Code::WaisEmptyDoc, b"");
    }
}

// The tests of the made-up scheme.

const URL: &[u8] = b"X-Made-Up://Host.dom:1738/red";

#[test]
fn new_scheme_is_found_by_name() {
    assert_eq!(Scheme::by_name(b"x-Made-up"), Scheme::MadeUp);
    assert_eq!(Scheme::by_name(b"x-made-ups"), Scheme::Other);
    assert!(Scheme::ALL.contains(&Scheme::MadeUp));
    let entry = registry::find_entry(b"X-MADE-UP").unwrap();
    assert_eq!((entry.name, entry.slashes), ("x-made-up", true));
    assert_eq!((entry.status, entry.rfc1738), (Status::Unregistered, Rfc1738::Production));
    assert!(registry::all_entries().is_sorted_by_key(|entry| (entry.name.len(), entry.name)));
    assert!(
        registry::all_entries()
            .iter()
            .all(|entry| registry::find_entry(entry.name.as_bytes()) == Some(entry))
    );
}

#[test]
fn new_scheme_is_parsed_by_its_rules() {
    for profile in [Profile::Rfc1738, Profile::Rfc3986, Profile::Web] {
        let url = parse(URL, profile).unwrap();
        assert_eq!((url.kind(), url.scheme()), (Scheme::MadeUp, "x-made-up"));
        assert_eq!(url.effective_port(), Some(1738));
        let violation = parse(b"x-made-up://host.dom/green", profile).unwrap_err();
        assert_eq!((violation.code, violation.span.start), (Code::WaisForm, 21));
        let violation = parse(b"x-made-up:/host.dom/", profile).unwrap_err();
        assert_eq!(violation.code, Code::CissSlashes);
        let expression = grammar::url_regex(Scheme::MadeUp, profile);
        assert_eq!(expression.is_some(), profile != Profile::Web);
        assert!(expression.is_none_or(|e| e.starts_with("(?i:x-made-up)://")));
    }
    let violation = parse(b"x-made-up://joe@host.dom/red", Profile::Rfc1738).unwrap_err();
    assert_eq!(violation.code, Code::UserinfoNotAllowed);
    assert!(parse(b"x-made-up://joe@host.dom/red", Profile::Web).is_ok());
    let violation = parse(b"x-made-up://host.dom/?red", Profile::Rfc3986).unwrap_err();
    assert_eq!(violation.code, Code::QueryChar);
    assert!(parse(b"x-made-up:any/path", Profile::Cern1994).is_ok());
    assert!(parse_reference(b"x-made-up://host.dom/red#x", Profile::Rfc1738).is_ok());
}

#[test]
fn new_scheme_has_semantics() {
    let url = parse(URL, Profile::Web).unwrap();
    let components = url.components().unwrap();
    let names: Vec<&str> = components.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["host", "port", "color", "fragment"]);
    assert_eq!(url.semantics().unwrap(), [("temper", Value::Text("warm".into()))]);
    assert_eq!(&*normalize(&url), b"x-made-up://host.dom/red");
    let outline = outline(b"x-made-up://joe:pw@ho st/");
    assert_eq!(outline.password.unwrap().range(), 16..18);
}

#[test]
fn new_scheme_reports_its_own_findings() {
    let mut codes = Vec::new();
    diagnose(URL, Profile::Web, |report| codes.push(report.code));
    assert_eq!(
        codes,
        [
            Code::SchemeUppercase,
            Code::SchemeExperimental,
            Code::HostUppercase,
            Code::PortDefault,
            Code::WaisEmptyDoc
        ]
    );
}

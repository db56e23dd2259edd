//! wais, RFC 1738 §3.9, RFC 4156.
//!
//! ```text
//! RFC 1738:
//! waisurl  = "wais://" hostport "/" database [ "?" search / "/" wtype "/" wpath ]
//! database = *uchar
//! wtype    = *uchar
//! wpath    = *uchar
//!
//! RFC 4156:
//! wais-uri = "wais://" hostport "/" wseg [ "?" query / "/" wseg "/" wseg ]
//! wseg     = *( unreserved / pct-encoded / sub-delims / ":" / "@" )
//! ```

use super::rules::{
    FindingsOf, Rules, effective_port_field, expect_byte, expect_end, host_and_port_fields,
    split_at_byte,
};
use crate::bytes::{QUERY, SEARCH, SEGMENT, Set, UCHAR};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::value::value_or_null;
use crate::{Code, Fields, Url, Value, escape, login};
use alloc::vec;

/// The rules of the scheme `wais`: its parsers, components, semantics and findings.
pub(crate) struct Wais;

impl Rules for Wais {
    const RFC1738: &'static str = "://<hostport>/<uchar>*(?:\\?<search>|/<uchar>*/<uchar>*)?";
    const RFC3986: &'static str = "://<hostport>/<pchar>*(?:\\?<query>|/<pchar>*/<pchar>*)?";
    const FINDINGS: Option<FindingsOf> = Some(add_findings);

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_ip_schemepart(text, at, parts)?;
        parse_forms::<REPAIR, false>(text, at, UCHAR, SEARCH)
    }

    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_net_path::<WEB>(text, at, parts)?;
        parse_forms::<WEB, WEB>(text, at, SEGMENT, QUERY)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let Resource { database, search, document } = Resource::from_url(url);
        let mut fields = host_and_port_fields(url);
        fields.push(("database", value_or_null(Some(database))));
        fields.push(("search", value_or_null(search)));
        fields.push(("wtype", value_or_null(document.map(|d| d.0))));
        fields.push(("wpath", value_or_null(document.map(|d| d.1))));
        fields
    }

    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        let form = match Resource::from_url(url) {
            Resource { document: Some(_), .. } => 3,
            Resource { search: Some(_), .. } => 2,
            _ => 1,
        };
        vec![effective_port_field(url), ("form", Value::Number(form))]
    }

    fn error_code(_: &Reading<'_>, _: usize) -> Code {
        Code::WaisForm
    }
}

/// Parses one of the three forms of a WAIS URL (database, search or document), from the slash at
/// byte `at` to the end of the text. `segment` and `search` are the character sets that are allowed
/// in a path segment and in a search.
fn parse_forms<const REPAIR: bool, const IRI: bool>(
    text: &[u8],
    at: usize,
    segment: Set,
    search: Set,
) -> Result<(), Fault> {
    let mut at = expect_byte(text, at, b'/')?;
    at = escape::run_end::<REPAIR, IRI>(text, at, segment)?;
    match text.get(at) {
        Some(b'?') => at = escape::run_end::<REPAIR, IRI>(text, at + 1, search)?,
        Some(b'/') => {
            at = escape::run_end::<REPAIR, IRI>(text, at + 1, segment)?;
            at = expect_byte(text, at, b'/')?;
            at = escape::run_end::<REPAIR, IRI>(text, at, segment)?;
        }
        _ => {}
    }
    expect_end(text, at)
}

/// The parts of a WAIS URL after the host's slash. They name a database, a search in it, or a
/// document in it.
pub(crate) struct Resource<'u> {
    pub(crate) database: &'u [u8],
    pub(crate) search: Option<&'u [u8]>,
    /// The type and id of a document.
    pub(crate) document: Option<(&'u [u8], &'u [u8])>,
}

impl<'u> Resource<'u> {
    pub(crate) fn from_url(url: &Url<'u>) -> Self {
        let (path, search) = split_at_byte(url.path_after_slash().unwrap_or_default(), b'?');
        let (database, document) = split_at_byte(path, b'/');
        let document = document.map(|document| {
            let (kind, id) = split_at_byte(document, b'/');
            (kind, id.unwrap_or_default())
        });
        Self { database, search, document }
    }
}

/// Appends to `found` the findings that the rules for `wais` URLs add to the general ones.
fn add_findings(found: &mut Collector<'_, '_>) {
    let Resource { database, document, .. } = Resource::from_url(&found.url);
    if database.is_empty() {
        found.add_for_part(Code::WaisEmptyDatabase, database);
    }
    if let Some((kind, id)) = document {
        for part in [kind, id].into_iter().filter(|part| part.is_empty()) {
            found.add_for_part(Code::WaisEmptyDoc, part);
        }
    }
}

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

use super::rules::{FindingsOf, Rules, cut, end, expect, host_and_port, port};
use crate::bytes::{QUERY, SEARCH, SEGMENT, Set, UCHAR};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::value::optional;
use crate::{Code, Fields, Url, Value, escape, login};
use alloc::vec;

/// The parsers, components, semantics and findings of the scheme `wais`.
pub(crate) struct Wais;

impl Rules for Wais {
    const RFC1738: &'static str = "://<hostport>/<uchar>*(?:\\?<search>|/<uchar>*/<uchar>*)?";
    const RFC3986: &'static str = "://<hostport>/<pchar>*(?:\\?<query>|/<pchar>*/<pchar>*)?";
    const FINDINGS: Option<FindingsOf> = Some(findings);

    fn rfc1738<const REPAIR: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault> {
        let at = login::ip_schemepart(text, at, parts)?;
        forms::<REPAIR, false>(text, at, UCHAR, SEARCH)
    }

    fn rfc3986<const WEB: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault> {
        let at = login::net_path::<WEB>(text, at, parts)?;
        forms::<WEB, WEB>(text, at, SEGMENT, QUERY)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let Resource { database, search, document } = Resource::of(url);
        let mut fields = host_and_port(url);
        fields.push(("database", optional(Some(database))));
        fields.push(("search", optional(search)));
        fields.push(("wtype", optional(document.map(|d| d.0))));
        fields.push(("wpath", optional(document.map(|d| d.1))));
        fields
    }

    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        let form = match Resource::of(url) {
            Resource { document: Some(_), .. } => 3,
            Resource { search: Some(_), .. } => 2,
            _ => 1,
        };
        vec![port(url), ("form", Value::Number(form))]
    }

    fn error(_: &Reading<'_>, _: usize) -> Code {
        Code::WaisForm
    }
}

/// Parses one of the three forms from the slash at `at` to the end of the text.
fn forms<const REPAIR: bool, const IRI: bool>(
    text: &[u8],
    at: usize,
    segment: Set,
    search: Set,
) -> Result<(), Fault> {
    let mut at = expect(text, at, b'/')?;
    at = escape::run_end::<REPAIR, IRI>(text, at, segment)?;
    match text.get(at) {
        Some(b'?') => at = escape::run_end::<REPAIR, IRI>(text, at + 1, search)?,
        Some(b'/') => {
            at = escape::run_end::<REPAIR, IRI>(text, at + 1, segment)?;
            at = expect(text, at, b'/')?;
            at = escape::run_end::<REPAIR, IRI>(text, at, segment)?;
        }
        _ => {}
    }
    end(text, at)
}

/// The parts of a WAIS URL after the slash: a database, a search in it, or a document in it.
pub(crate) struct Resource<'u> {
    pub(crate) database: &'u [u8],
    pub(crate) search: Option<&'u [u8]>,
    /// The type and id of a document.
    pub(crate) document: Option<(&'u [u8], &'u [u8])>,
}

impl<'u> Resource<'u> {
    pub(crate) fn of(url: &Url<'u>) -> Self {
        let (path, search) = cut(url.path_after_slash().unwrap_or_default(), b'?');
        let (database, document) = cut(path, b'/');
        let document = document.map(|document| {
            let (kind, id) = cut(document, b'/');
            (kind, id.unwrap_or_default())
        });
        Self { database, search, document }
    }
}

/// Adds the findings about a `wais` URL.
fn findings(found: &mut Collector<'_, '_>) {
    let Resource { database, document, .. } = Resource::of(&found.url);
    if database.is_empty() {
        found.add_at(Code::WaisEmptyDatabase, database);
    }
    if let Some((kind, id)) = document {
        for part in [kind, id].into_iter().filter(|part| part.is_empty()) {
            found.add_at(Code::WaisEmptyDoc, part);
        }
    }
}

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

use super::{cut, end, expect, host_and_port, port};
use crate::bytes::{QUERY, SEARCH, SEGMENT, Set, UCHAR};
use crate::escape;
use crate::fault::Fault;
use crate::login;
use crate::parts::Parts;
use crate::scheme::Authority;
use crate::url::optional;
use crate::{Fields, Url, Value};
use alloc::vec;

pub(crate) fn rfc1738<const MEND: bool>(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<(), Fault> {
    let authority = login::slashes(text, at)?;
    let at = login::hostport(text, authority, parts)?;
    forms::<MEND, false>(text, at, UCHAR, SEARCH)
}

pub(crate) fn rfc3986<const WEB: bool>(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<(), Fault> {
    let authority = login::slashes(text, at)?;
    let at = login::authority::<WEB>(text, authority, Authority::WITHOUT_USERINFO, parts)?;
    forms::<WEB, WEB>(text, at, SEGMENT, QUERY)
}

fn forms<const MEND: bool, const IRI: bool>(
    text: &[u8],
    at: usize,
    segment: Set,
    search: Set,
) -> Result<(), Fault> {
    let mut at = expect(text, at, b'/')?;
    at = escape::run::<MEND, IRI>(text, at, segment)?;
    match text.get(at) {
        Some(b'?') => at = escape::run::<MEND, IRI>(text, at + 1, search)?,
        Some(b'/') => {
            at = escape::run::<MEND, IRI>(text, at + 1, segment)?;
            at = expect(text, at, b'/')?;
            at = escape::run::<MEND, IRI>(text, at, segment)?;
        }
        _ => {}
    }
    end(text, at)
}

/// The three forms of a WAIS URL.
pub(crate) struct Resource<'u> {
    pub(crate) database: &'u [u8],
    pub(crate) search: Option<&'u [u8]>,
    /// The type and the id of a document.
    pub(crate) document: Option<(&'u [u8], &'u [u8])>,
}

impl<'u> Resource<'u> {
    pub(crate) fn of(url: &Url<'u>) -> Self {
        let (path, search) = cut(url.path().unwrap_or_default(), b'?');
        let (database, document) = cut(path, b'/');
        let document = document.map(|document| {
            let (kind, id) = cut(document, b'/');
            (kind, id.unwrap_or_default())
        });
        Self { database, search, document }
    }
}

pub(crate) fn components<'u>(url: &Url<'u>) -> Fields<'u> {
    let Resource { database, search, document } = Resource::of(url);
    let mut fields = host_and_port(url);
    fields.push(("database", optional(Some(database))));
    fields.push(("search", optional(search)));
    fields.push(("wtype", optional(document.map(|d| d.0))));
    fields.push(("wpath", optional(document.map(|d| d.1))));
    fields
}

pub(crate) fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
    let form = match Resource::of(url) {
        Resource { document: Some(_), .. } => 3,
        Resource { search: Some(_), .. } => 2,
        _ => 1,
    };
    vec![port(url), ("form", Value::Number(form))]
}

//! prospero, RFC 1738 §3.11, RFC 4157.
//!
//! ```text
//! RFC 1738:
//! prosperourl  = "prospero://" hostport "/" ppath *fieldspec
//! ppath        = psegment *( "/" psegment )
//! psegment     = *( uchar / "?" / ":" / "@" / "&" / "=" )
//! fieldspec    = ";" fieldname "=" fieldvalue
//! fieldname    = *( uchar / "?" / ":" / "@" / "&" )
//! fieldvalue   = *( uchar / "?" / ":" / "@" / "&" )
//!
//! RFC 4157:
//! prospero-uri = "prospero://" hostport path-abempty
//! ```

use super::rules::{FindingsOf, Rules, cut, decoded, end, expect, host_and_port, port};
use crate::bytes::{FIELD, FPATH, PATH};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::value::{optional, written};
use crate::{Code, Fields, Url, Value, escape, login};
use alloc::vec;

/// The parsers, components, semantics and findings of the scheme `prospero`.
pub(crate) struct Prospero;

impl Rules for Prospero {
    const RFC1738: &'static str = "://<hostport>/<fpath>(?:;<field>=<field>)*";
    const RFC3986: &'static str = "://<hostport><abempty>";
    const FINDINGS: Option<FindingsOf> = Some(findings);

    fn rfc1738<const REPAIR: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault> {
        let at = login::ip_schemepart(text, at, parts)?;
        let path = expect(text, at, b'/')?;
        let mut at = escape::run_end::<REPAIR, false>(text, path, FPATH)?;
        while text.get(at) == Some(&b';') {
            at = escape::run_end::<REPAIR, false>(text, at + 1, FIELD)?;
            at = expect(text, at, b'=')?;
            at = escape::run_end::<REPAIR, false>(text, at, FIELD)?;
        }
        end(text, at)
    }

    fn rfc3986<const WEB: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault> {
        let at = login::net_path::<WEB>(text, at, parts)?;
        end(text, escape::run_end::<WEB, WEB>(text, at, PATH)?)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let (name, specs) = object(url);
        let specs =
            specs.map(|(name, value)| Value::List(vec![written(name), optional(value)])).collect();
        let mut fields = host_and_port(url);
        fields.push(("hsoname", optional(name)));
        fields.push(("fields", Value::List(specs)));
        fields
    }

    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        let (name, specs) = object(url);
        let specs = specs
            .map(|(name, value)| {
                Value::List(vec![decoded(name), value.map_or(Value::Null, decoded)])
            })
            .collect();
        vec![
            port(url),
            ("hsoname", name.map_or(Value::Null, decoded)),
            ("fields", Value::List(specs)),
        ]
    }

    fn error(_: &Reading<'_>, _: usize) -> Code {
        Code::ProsperoField
    }
}

/// The name and value of a field, as written. The value is `None` if the `=` is missing.
type Field<'u> = (&'u [u8], Option<&'u [u8]>);

/// Splits the path into the name of the object and the fields after it. The name is `None` if there
/// is no path.
pub(crate) fn object<'u>(
    url: &Url<'u>,
) -> (Option<&'u [u8]>, impl Iterator<Item = Field<'u>> + use<'u>) {
    let path = url.path_after_slash();
    let (name, fields) = cut(path.unwrap_or_default(), b';');
    let fields = fields.into_iter().flat_map(|all| all.split(|&b| b == b';'));
    (path.map(|_| name), fields.map(|field| cut(field, b'=')))
}

/// Adds the findings about a `prospero` URL.
fn findings(found: &mut Collector<'_, '_>) {
    let (_, fields) = object(&found.url);
    for (name, _) in fields.filter(|(name, _)| name.is_empty()) {
        found.add_at(Code::ProsperoEmptyField, name);
    }
}

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

use super::rules::{
    FindingsOf, Rules, decoded_value, effective_port_field, expect_byte, expect_end,
    host_and_port_fields, split_at_byte,
};
use crate::bytes::{FIELD, FPATH, PATH};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::value::{value_or_null, verbatim_value};
use crate::{Code, Fields, Url, Value, escape, login};
use alloc::vec;

/// The rules of the scheme `prospero`: its parsers, components, semantics and findings.
pub(crate) struct Prospero;

impl Rules for Prospero {
    const RFC1738: &'static str = "://<hostport>/<fpath>(?:;<field>=<field>)*";
    const RFC3986: &'static str = "://<hostport><abempty>";
    const FINDINGS: Option<FindingsOf> = Some(add_findings);

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_ip_schemepart(text, at, parts)?;
        let path = expect_byte(text, at, b'/')?;
        let mut at = escape::run_end::<REPAIR, false>(text, path, FPATH)?;
        while text.get(at) == Some(&b';') {
            at = escape::run_end::<REPAIR, false>(text, at + 1, FIELD)?;
            at = expect_byte(text, at, b'=')?;
            at = escape::run_end::<REPAIR, false>(text, at, FIELD)?;
        }
        expect_end(text, at)
    }

    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_net_path::<WEB>(text, at, parts)?;
        expect_end(text, escape::run_end::<WEB, WEB>(text, at, PATH)?)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let (name, specs) = split_object(url);
        let specs = specs
            .map(|(name, value)| Value::List(vec![verbatim_value(name), value_or_null(value)]))
            .collect();
        let mut fields = host_and_port_fields(url);
        fields.push(("hsoname", value_or_null(name)));
        fields.push(("fields", Value::List(specs)));
        fields
    }

    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        let (name, specs) = split_object(url);
        let specs = specs
            .map(|(name, value)| {
                Value::List(vec![decoded_value(name), value.map_or(Value::Null, decoded_value)])
            })
            .collect();
        vec![
            effective_port_field(url),
            ("hsoname", name.map_or(Value::Null, decoded_value)),
            ("fields", Value::List(specs)),
        ]
    }

    fn error_code(_: &Reading<'_>, _: usize) -> Code {
        Code::ProsperoField
    }
}

/// The name and value of a field, as written. The value is `None` if the `=` is missing.
type Field<'u> = (&'u [u8], Option<&'u [u8]>);

/// Splits the path of a prospero URL into the name of the object and the fields after it
/// (`;name=value`). The name is `None` if there is no path.
pub(crate) fn split_object<'u>(
    url: &Url<'u>,
) -> (Option<&'u [u8]>, impl Iterator<Item = Field<'u>> + use<'u>) {
    let path = url.path_after_slash();
    let (name, fields) = split_at_byte(path.unwrap_or_default(), b';');
    let fields = fields.into_iter().flat_map(|all| all.split(|&b| b == b';'));
    (path.map(|_| name), fields.map(|field| split_at_byte(field, b'=')))
}

/// Appends to `found` the findings that the rules for `prospero` URLs add to the general ones.
fn add_findings(found: &mut Collector<'_, '_>) {
    let (_, fields) = split_object(&found.url);
    for (name, _) in fields.filter(|(name, _)| name.is_empty()) {
        found.add_for_part(Code::ProsperoEmptyField, name);
    }
}

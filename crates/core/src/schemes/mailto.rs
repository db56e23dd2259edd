//! mailto, RFC 1738 §3.5, RFC 6068.
//!
//! ```text
//! RFC 1738:
//! mailtourl      = "mailto:" encoded822addr
//! encoded822addr = 1*xchar
//!
//! RFC 6068:
//! mailto-uri     = "mailto:" [ to ] [ hfields ]
//! to             = addr *( "," addr )
//! hfields        = "?" hfield *( "&" hfield )
//! hfield         = hfname "=" hfvalue
//! hfname         = *qchar
//! hfvalue        = *qchar
//! addr           = mlocal "@" mdomain
//! ```
//!
//! In RFC 1738 the decoded address must be an addr-spec of RFC 822 without comments and folding:
//!
//! ```text
//! addr-spec      = local-part "@" domain
//! local-part     = word *( "." word )
//! domain         = sub-domain *( "." sub-domain )
//! sub-domain     = atom / domain-literal
//! word           = atom / quoted-string
//! quoted-string  = DQUOTE *( qtext / quoted-pair ) DQUOTE
//! domain-literal = "[" *( dtext / quoted-pair ) "]"
//! ```

use super::rules::{FindingsOf, Rules, decoded_value, expect_byte, expect_end, split_at_byte};
use crate::bytes::{self, ATOM, MDOMAIN, MLOCAL, QCHAR, XCHAR};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::form::Form;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::scheme::Grammar;
use crate::value::{value_or_null, verbatim_value};
use crate::{Code, Fields, Profile, Span, Url, escape};
use alloc::vec;

/// The rules of the scheme `mailto`: its parsers, components, semantics and findings.
pub(crate) struct Mailto;

impl Rules for Mailto {
    const RFC1738: &'static str = ":<xchar>+";
    const RFC3986: &'static str = ":(?:<addr>(?:,<addr>)*)?(?:\\?<hfield>(?:&<hfield>)*)?";
    const FINDINGS: Option<FindingsOf> = Some(add_findings);

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        _: &mut Parts,
    ) -> Result<(), Fault> {
        if at == text.len() {
            return Err(Fault::at(at));
        }
        expect_end(text, escape::run_end::<REPAIR, false>(text, at, XCHAR)?)?;
        if is_addr_spec(escape::decode_octets(&text[at..])) {
            Ok(())
        } else {
            Err(Fault::with_code(Code::MailtoAddrSpec, Span::new(at, text.len())))
        }
    }

    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        mut at: usize,
        _: &mut Parts,
    ) -> Result<(), Fault> {
        if at < text.len() && text[at] != b'?' {
            loop {
                let local = escape::run_end::<WEB, WEB>(text, at, MLOCAL)?;
                if local == at {
                    return Err(Fault::at(at));
                }
                let has_encoded_at = WEB
                    && text.get(local) != Some(&b'@')
                    && encoded_at_sign(&text[at..local]).is_some();
                if has_encoded_at {
                    at = local;
                } else {
                    let domain = expect_byte(text, local, b'@')?;
                    at = escape::run_end::<WEB, WEB>(text, domain, MDOMAIN)?;
                    if at == domain {
                        return Err(Fault::at(at));
                    }
                }
                if text.get(at) != Some(&b',') {
                    break;
                }
                at += 1;
            }
        }
        if text.get(at) == Some(&b'?') {
            loop {
                let equals = escape::run_end::<WEB, WEB>(text, at + 1, QCHAR)?;
                let value = expect_byte(text, equals, b'=')?;
                at = escape::run_end::<WEB, WEB>(text, value, QCHAR)?;
                if text.get(at) != Some(&b'&') {
                    break;
                }
            }
        }
        expect_end(text, at)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let (address, search) = split_addresses(url);
        let mut fields =
            vec![("address", verbatim_value(address)), ("address_decoded", decoded_value(address))];
        if url.is_modern() {
            fields.push(("search", value_or_null(search)));
        }
        fields
    }

    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        vec![("address", decoded_value(split_addresses(url).0))]
    }

    fn normalize_after_authority(url: &Url<'_>, form: &mut Form<'_>) {
        if !form.repair {
            return form.write_after_authority(url);
        }
        let (addresses, _) = split_addresses(url);
        for (at, address) in addresses.split(|&b| b == b',').enumerate() {
            if at > 0 {
                form.out.push(b',');
            }
            match encoded_at_sign(address) {
                Some(sign) => {
                    form.write_part(&address[..sign], form.bare);
                    form.out.push(b'@');
                    form.write_part(&address[sign + 3..], form.bare);
                }
                None => form.write_part(address, form.bare),
            }
        }
        form.write_part(&url.after_authority()[addresses.len()..], form.bare);
    }

    fn error_code(reading: &Reading<'_>, at: usize) -> Code {
        match reading.grammar {
            Grammar::Rfc1738 => Code::MailtoEmpty,
            Grammar::Rfc3986
                if reading.text[reading.span_after_authority().start..at].contains(&b'?') =>
            {
                Code::MailtoHeader
            }
            Grammar::Rfc3986 => Code::MailtoAddrSpec,
        }
    }
}

/// A state of the automaton that recognizes an addr-spec. It is the part of the addr-spec in which
/// the next octet is expected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Word,
    Atom,
    Quoted,
    QuotedPair,
    AfterQuoted,
    SubDomain,
    DomainAtom,
    Literal,
    LiteralPair,
    AfterLiteral,
}

/// True if the octets are a mail address: an addr-spec of RFC 822 without comments and folding.
fn is_addr_spec(octets: impl Iterator<Item = u8>) -> bool {
    let mut place = Place::Word;
    for octet in octets {
        let atom = bytes::is_in(octet, ATOM);
        let next = match place {
            _ if octet >= 0x80 => None,
            Place::Word if octet == b'"' => Some(Place::Quoted),
            Place::Word | Place::Atom if atom => Some(Place::Atom),
            Place::Atom | Place::AfterQuoted => match octet {
                b'.' => Some(Place::Word),
                b'@' => Some(Place::SubDomain),
                _ => None,
            },
            Place::Quoted => match octet {
                b'"' => Some(Place::AfterQuoted),
                b'\\' => Some(Place::QuotedPair),
                b'\r' | b'\n' => None,
                _ => Some(Place::Quoted),
            },
            Place::QuotedPair => Some(Place::Quoted),
            Place::SubDomain if octet == b'[' => Some(Place::Literal),
            Place::SubDomain | Place::DomainAtom if atom => Some(Place::DomainAtom),
            Place::Word | Place::SubDomain => None,
            Place::DomainAtom | Place::AfterLiteral => (octet == b'.').then_some(Place::SubDomain),
            Place::Literal => match octet {
                b']' => Some(Place::AfterLiteral),
                b'\\' => Some(Place::LiteralPair),
                b'[' | b'\r' | b'\n' => None,
                _ => Some(Place::Literal),
            },
            Place::LiteralPair => Some(Place::Literal),
        };
        match next {
            Some(next) => place = next,
            None => return false,
        }
    }
    matches!(place, Place::DomainAtom | Place::AfterLiteral)
}

/// Splits a `mailto` URL at its `?` into the addresses and the header fields. The fields are `None`
/// if there is no `?`, or if the URL's grammar has no header fields.
pub(crate) fn split_addresses<'u>(url: &Url<'u>) -> (&'u [u8], Option<&'u [u8]>) {
    if url.is_by_rfc1738() {
        (url.after_authority(), None)
    } else {
        split_at_byte(url.after_authority(), b'?')
    }
}

/// Returns the offset of the `%40` that profile `web` reads as the `@` of an address. Returns
/// `None` if the address contains an `@`, or if nothing comes before or after the `%40`.
fn encoded_at_sign(address: &[u8]) -> Option<usize> {
    let at = address.windows(3).rposition(|escape| escape == b"%40")?;
    (at > 0 && at + 3 < address.len() && !address.contains(&b'@')).then_some(at)
}

/// Appends to `found` the findings that the rules for `mailto` URLs add to the general ones.
fn add_findings(found: &mut Collector<'_, '_>) {
    let (address, _) = split_addresses(&found.url);
    if found.url.profile == Profile::Web {
        for address in address.split(|&b| b == b',') {
            if let Some(at) = encoded_at_sign(address) {
                found.add_for_part(Code::MailtoEncodedAt, &address[at..at + 3]);
            }
        }
    }
    // Only RFC 1738 treats the question mark as part of the address. Before the `@`, this may be
    // intended.
    if found.url.is_by_rfc1738()
        && let Some(sign) = address.iter().position(|&b| b == b'@')
        && let Some(mark) = address[sign..].iter().position(|&b| b == b'?')
    {
        found.add_for_part(Code::MailtoLooksLikeHeaders, &address[sign + mark..]);
    }
}

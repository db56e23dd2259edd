//! ftp, RFC 1738 §3.2, and with the characters of RFC 3986.
//!
//! ```text
//! RFC 1738:
//! ftpurl   = "ftp://" login [ "/" fpath [ %s";type=" ftptype ] ]
//! fpath    = fsegment *( "/" fsegment )
//! fsegment = *( uchar / "?" / ":" / "@" / "&" / "=" )
//! ftptype  = "A" / "I" / "D"
//!
//! RFC 3986:
//! ftp-uri  = "ftp://" auth-nonempty path-abempty
//! ```

use super::rules::{
    FindingsOf, Rules, bytes_value, contains_line_break, effective_port_field, expect_end,
    host_and_port_fields, refused_field, user_and_password_fields,
};
use crate::bytes::{FPATH, PATH};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::form::Form;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::scheme::Grammar;
use crate::value::{list_value, value_or_null};
use crate::{Code, Fields, Profile, Url, Value, escape, login};
use alloc::vec;
use alloc::vec::Vec;

/// The rules of the scheme `ftp`: its parsers, components, semantics and findings.
pub(crate) struct Ftp;

impl Rules for Ftp {
    const RFC1738: &'static str = "://<login>(?:/<fpath>(?:;type=[AIDaid])?)?";
    const RFC3986: &'static str = "://<authnonempty><abempty>(?:#<query>)?";
    const FINDINGS: Option<FindingsOf> = Some(add_findings);

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let mut at = login::parse_ip_schemepart(text, at, parts)?;
        if at < text.len() {
            at = escape::run_end::<REPAIR, false>(text, at + 1, FPATH)?;
            if text.get(at) == Some(&b';') {
                for &expected in TYPE {
                    match text.get(at) {
                        Some(&byte) if byte == expected => {}
                        Some(&byte) if REPAIR && byte.eq_ignore_ascii_case(&expected) => {}
                        _ => return Err(Fault::at(at)),
                    }
                    at += 1;
                }
                if !text.get(at).copied().is_some_and(is_typecode) {
                    return Err(Fault::at(at));
                }
                at += 1;
            }
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
        let path = Path::split(url);
        let mut fields = user_and_password_fields(url);
        fields.extend(host_and_port_fields(url));
        fields.push(("path", value_or_null(path.as_ref().map(|p| p.whole))));
        fields.push(("cwd", path.as_ref().map_or(Value::Null, |p| list_value(p.directories()))));
        fields.push(("name", value_or_null(path.as_ref().map(|p| p.name))));
        fields.push(("typecode", value_or_null(path.and_then(|p| p.typecode))));
        fields
    }

    /// Returns the commands with which an ftp client fetches the file (RFC 1738 §3.2.2). The
    /// commands log in, change directories one by one, set the transfer type, and retrieve or list
    /// the file.
    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        let path = Path::split(url);
        let (user, password) = (url.user(), url.password());
        let name = path.as_ref().map_or(&[][..], |p| p.name);
        let broken = user.into_iter().chain(password).chain([name]).any(contains_line_break)
            || path.as_ref().is_some_and(|p| p.directories().any(contains_line_break));
        if broken {
            return vec![effective_port_field(url), ("commands", Value::Null), refused_field()];
        }
        let mut commands = Vec::new();
        let mut send = |verb: &[u8], argument: &[u8]| {
            commands.push(bytes_value(
                verb.iter().copied().chain(escape::decode_octets(argument)).collect(),
            ));
        };
        send(b"USER ", user.unwrap_or(b"anonymous"));
        send(b"PASS ", password.unwrap_or(if user.is_some() { b"<prompt>" } else { b"<e-mail>" }));
        if let Some(path) = path {
            for directory in path.directories() {
                send(b"CWD ", directory);
            }
            match path.typecode {
                Some(b"d" | b"D") if name.is_empty() => send(b"NLST", b""),
                Some(b"d" | b"D") => send(b"NLST ", name),
                typecode => {
                    if let Some(code) = typecode {
                        send(b"TYPE ", &code.to_ascii_uppercase());
                    }
                    if !name.is_empty() {
                        send(b"RETR ", name);
                    }
                }
            }
        }
        vec![effective_port_field(url), ("commands", Value::List(commands))]
    }

    fn normalize_after_authority(url: &Url<'_>, form: &mut Form<'_>) {
        let Some(path) = Path::split(url) else { return form.write_after_authority(url) };
        form.out.push(b'/');
        let start = form.out.written().len();
        form.write_part(path.whole, form.bare);
        if let Some(code) = path.typecode {
            form.out.extend(TYPE);
            for letter in code {
                form.out.push(letter.to_ascii_lowercase());
            }
        } else if split_type_code(&form.out.written()[start..], form.repair).1.is_some() {
            // Decoding must not turn a part of the name into a type.
            form.out.truncate(start);
            form.write_part(path.whole, 0);
        }
    }

    fn error_code(reading: &Reading<'_>, _: usize) -> Code {
        match reading.grammar {
            Grammar::Rfc1738 => Code::FtpType,
            Grammar::Rfc3986 => Code::CharReserved,
        }
    }
}

/// The text before the type code, in the only spelling that RFC 1738 allows.
pub(crate) const TYPE: &[u8] = b";type=";

fn is_typecode(byte: u8) -> bool {
    matches!(byte, b'a' | b'i' | b'd' | b'A' | b'I' | b'D')
}

/// The parts of an ftp URL's path.
pub(crate) struct Path<'u> {
    /// The whole path, without the type.
    pub(crate) whole: &'u [u8],
    /// The directories to change to, separated by `/`; `None` if there is only a name.
    pub(crate) directories: Option<&'u [u8]>,
    pub(crate) name: &'u [u8],
    /// The type code: one letter.
    pub(crate) typecode: Option<&'u [u8]>,
}

impl<'u> Path<'u> {
    /// Splits the path of `url` into its parts. Returns `None` if nothing follows the authority.
    pub(crate) fn split(url: &Url<'u>) -> Option<Self> {
        let path = url.path_after_slash()?;
        let (whole, typecode) = split_type_code(path, url.profile == Profile::Web);
        let (directories, name) = match whole.iter().rposition(|&b| b == b'/') {
            Some(slash) => (Some(&whole[..slash]), &whole[slash + 1..]),
            None => (None, whole),
        };
        Some(Self { whole, directories, name, typecode })
    }

    /// Returns the directories that an ftp client changes to (`CWD`), in order, as written.
    pub(crate) fn directories(&self) -> impl Iterator<Item = &'u [u8]> + use<'u> {
        self.directories.into_iter().flat_map(|all| all.split(|&b| b == b'/'))
    }
}

/// Splits the type code `;type=x` off a path. Returns the path without it, and the `x`. If there is
/// no type code, returns the whole path and `None`. If `any_case` is true, `type` may contain
/// capital letters.
fn split_type_code(path: &[u8], any_case: bool) -> (&[u8], Option<&[u8]>) {
    if let Some(start) = path.len().checked_sub(TYPE.len() + 1)
        && let (whole, suffix) = path.split_at(start)
        && let (literal, code) = suffix.split_at(TYPE.len())
        && (literal == TYPE || any_case && literal.eq_ignore_ascii_case(TYPE))
        && code.first().copied().is_some_and(is_typecode)
    {
        return (whole, Some(code));
    }
    (path, None)
}

/// Appends to `found` the findings that the rules for `ftp` URLs add to the general ones.
fn add_findings(found: &mut Collector<'_, '_>) {
    let Some(path) = Path::split(&found.url) else { return };
    for directory in path.directories().filter(|directory| directory.is_empty()) {
        found.add_for_part(Code::FtpNullCwd, directory);
    }
    if path.name.is_empty() && path.typecode.is_none() {
        found.add_for_part(Code::FtpEmptyName, path.name);
    }
    if let Some(code) = path.typecode {
        let end = found.url.parts.end - code.len();
        let literal = &found.url.text[end - TYPE.len()..end];
        if literal != TYPE {
            found.add_for_part(Code::FtpTypeUppercase, literal);
        }
    }
}

//! news, RFC 1738 §3.6, RFC 5538 §4.
//!
//! ```text
//! RFC 1738:
//! newsurl    = "news:" ( "*" / article / group )
//! group      = ALPHA *( ALPHA / DIGIT / "-" / "." / "+" / "_" )
//! article    = unique "@" host
//! unique     = 1*( uchar / ";" / "/" / "?" / ":" / "&" / "=" )
//!
//! RFC 5538:
//! news-uri   = "news:" [ "//" authority "/" ] ( msg-id / newsgroups )
//!            / "news://" auth-nonempty
//! msg-id     = 1*idchar "@" 1*idchar
//! idchar     = unreserved / pct-encoded / sub-delims / ":"
//! newsgroups = *( unreserved / pct-encoded / "$" / "&" / "'" / "(" / ")"
//!              / "*" / "+" / ";" / "=" / ":" )
//! ```

use super::rules::{
    FindingsOf, Rules, bytes_value, check_group_form, expect_byte, expect_end, split_at_byte,
    user_and_password_fields,
};
use crate::bytes::{self, ALPHA, GROUP, NEWSGROUPS, UNIQUE, USERINFO};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::scheme::Grammar;
use crate::value::value_or_null;
use crate::{Code, Fields, Url, Value, escape, login};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// The rules of the scheme `news`: its parsers, components, semantics and findings.
pub(crate) struct News;

impl Rules for News {
    const RFC1738: &'static str = ":(?:\\*|<group>|<article>)";
    const RFC3986: &'static str =
        ":(?:(?://<authority>/)?(?:<msgid>|<newsgroups>)|//<authnonempty>)";
    const FINDINGS: Option<FindingsOf> = Some(add_findings);

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        start: usize,
        _: &mut Parts,
    ) -> Result<(), Fault> {
        let at = escape::run_end::<REPAIR, false>(text, start, UNIQUE)?;
        if at == start {
            return Err(Fault::at(start));
        }
        if text.get(at) == Some(&b'@') {
            return expect_end(text, login::parse_host(text, at + 1)?);
        }
        // All characters of a group are allowed in a Message-ID, so an invalid group could still
        // become a Message-ID. The fault is at its end, where an `@` is missing.
        expect_end(text, at)?;
        if is_group(&text[start..]) || &text[start..] == b"*" { Ok(()) } else { Err(Fault::at(at)) }
    }

    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        mut start: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        if text.get(start..).is_some_and(|rest| rest.starts_with(b"//")) {
            let at = login::parse_authority::<WEB>(text, start + 2, parts)?;
            if at == text.len() {
                let host = parts.host_start().unwrap_or(at);
                return if parts.host_end > host { Ok(()) } else { Err(Fault::at(at)) };
            }
            start = expect_byte(text, at, b'/')?;
        } else if text.get(start) == Some(&b'/') {
            return Err(Fault::at(start + 1));
        }
        let at = escape::run_end::<WEB, WEB>(text, start, USERINFO)?;
        if text.get(at) == Some(&b'@') {
            let right = escape::run_end::<WEB, WEB>(text, at + 1, USERINFO)?;
            if at == start || right == at + 1 {
                return Err(Fault::at(if at == start { at } else { right }));
            }
            return expect_end(text, right);
        }
        expect_end(text, at)?;
        // All characters of a newsgroup pattern are allowed in a Message-ID, but not vice versa.
        let pattern = escape::run_end::<WEB, WEB>(text, start, NEWSGROUPS)?;
        if pattern == at { Ok(()) } else { Err(Fault::at(at)) }
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let resource = Resource::from_url(url);
        let (group, unique, host) = match resource {
            Resource::Group(group) => (Some(group), None, None),
            Resource::Article(unique, host) => (None, Some(unique), Some(host)),
            Resource::All | Resource::Server => (None, None, None),
        };
        let mut fields = vec![
            ("all", Value::Bool(matches!(resource, Resource::All))),
            ("group", value_or_null(group)),
            ("unique", value_or_null(unique)),
            ("host", value_or_null(host)),
        ];
        if url.is_modern() {
            fields.extend(user_and_password_fields(url));
            fields.push(("server", value_or_null(url.host())));
            fields.push(("port", value_or_null(url.port())));
        }
        fields
    }

    fn semantics<'u>(url: &Url<'u>) -> Fields<'u> {
        let (kind, id) = match Resource::from_url(url) {
            Resource::Server => (None, None),
            Resource::All => (Some("all"), None),
            Resource::Group(_) => (Some("group"), None),
            Resource::Article(unique, host) => {
                let mut id: Vec<u8> = b"<".to_vec();
                id.extend(escape::decode_octets(unique));
                id.push(b'@');
                id.extend(escape::decode_octets(host));
                id.push(b'>');
                (Some("article"), Some(id))
            }
        };
        vec![
            ("kind", kind.map_or(Value::Null, |kind| Value::Text(kind.to_string()))),
            ("message_id", id.map_or(Value::Null, bytes_value)),
        ]
    }

    fn error_code(reading: &Reading<'_>, _: usize) -> Code {
        let part = &reading.text[reading.span_after_authority().range()];
        match reading.grammar {
            _ if part.contains(&b'@') => Code::NewsArticle,
            Grammar::Rfc1738 if part.is_empty() => Code::NewsEmpty,
            Grammar::Rfc1738 => Code::NewsGroup,
            Grammar::Rfc3986 => Code::NewsWildmat,
        }
    }
}

/// True if `name` is a valid newsgroup name by RFC 1738.
fn is_group(name: &[u8]) -> bool {
    bytes::byte_at_is_in(name, 0, ALPHA) && bytes::skip_set(name, 0, GROUP) == name.len()
}

/// The resource that a news URL names, e.g. a newsgroup or an article.
pub(crate) enum Resource<'u> {
    /// Only a server.
    Server,
    All,
    /// A newsgroup, or a pattern that matches several.
    Group(&'u [u8]),
    /// A Message-ID: the text before its `@` and after it.
    Article(&'u [u8], &'u [u8]),
}

impl<'u> Resource<'u> {
    pub(crate) fn from_url(url: &Url<'u>) -> Self {
        let name = match (url.host(), url.path_after_slash()) {
            (None, _) => url.after_authority(),
            (Some(_), Some(path)) => path,
            (Some(_), None) => return Self::Server,
        };
        match split_at_byte(name, b'@') {
            (unique, Some(host)) => Self::Article(unique, host),
            (b"*", None) => Self::All,
            (group, None) => Self::Group(group),
        }
    }
}

/// Appends to `found` the findings that the rules for `news` URLs add to the general ones.
fn add_findings(found: &mut Collector<'_, '_>) {
    if let Resource::Group(group) = Resource::from_url(&found.url) {
        check_group_form(found, group);
    }
}

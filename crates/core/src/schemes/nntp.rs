//! nntp, RFC 1738 §3.7, RFC 5538 §3.
//!
//! ```text
//! RFC 1738:
//! nntpurl        = "nntp://" hostport "/" group [ "/" article-number ]
//! group          = ALPHA *( ALPHA / DIGIT / "-" / "." / "+" / "_" )
//! article-number = 1*DIGIT
//!
//! RFC 5538:
//! nntp-uri       = "nntp://" auth-nonempty "/" ngroup [ "/" 1*16DIGIT ]
//! ngroup         = 1*( ALPHA / DIGIT / "-" / "+" / "_" / "." / pct-encoded )
//! ```

use super::rules::{
    FindingsOf, Rules, check_group_form, expect_byte, expect_end, host_and_port_fields,
    modern_user_and_password_fields, split_at_byte,
};
use crate::bytes::{self, ALPHA, DIGIT, GROUP, HOSTNAME, Set};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::value::value_or_null;
use crate::{Code, Fields, Span, Url, escape, login};

/// The rules of the scheme `nntp`: its parsers, components, semantics and findings.
pub(crate) struct Nntp;

impl Rules for Nntp {
    const UNESCAPED: Set = HOSTNAME; // a group's name has no other

    const RFC1738: &'static str = "://<hostport>/<group>(?:/[0-9]+)?";
    const RFC3986: &'static str =
        "://<authnonempty>/(?:[A-Za-z0-9+_.-]|<escape>)+(?:/[0-9]{1,16})?";
    const FINDINGS: Option<FindingsOf> = Some(add_findings);

    fn parse_rfc1738<const REPAIR: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_ip_schemepart(text, at, parts)?;
        let group = expect_byte(text, at, b'/')?;
        if !bytes::byte_at_is_in(text, group, ALPHA) {
            return Err(Fault::at(group));
        }
        parse_article_number(text, bytes::skip_set(text, group, GROUP), usize::MAX)
    }

    fn parse_rfc3986<const WEB: bool>(
        text: &[u8],
        at: usize,
        parts: &mut Parts,
    ) -> Result<(), Fault> {
        let at = login::parse_net_path::<WEB>(text, at, parts)?;
        let group = expect_byte(text, at, b'/')?;
        let at = escape::run_end::<WEB, false>(text, group, GROUP)?;
        if at == group {
            return Err(Fault::at(at));
        }
        parse_article_number(text, at, 16)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let (group, number) = split_at_byte(url.path_after_slash().unwrap_or_default(), b'/');
        let mut fields = modern_user_and_password_fields(url);
        fields.extend(host_and_port_fields(url));
        fields.push(("group", value_or_null(Some(group))));
        fields.push(("article_number", value_or_null(number)));
        fields
    }

    fn error_code(reading: &Reading<'_>, at: usize) -> Code {
        let rest = reading.span_after_authority();
        match reading.text[rest.range()].iter().position(|&b| b == b'/') {
            Some(slash) if at > rest.start + slash => Code::NntpArticleNumber,
            _ => Code::NntpGroup,
        }
    }
}

/// Parses `[ "/" article-number ]` from byte `at` to the end of the text. The number may have up to
/// `max_digits` digits.
fn parse_article_number(text: &[u8], at: usize, max_digits: usize) -> Result<(), Fault> {
    if text.get(at) != Some(&b'/') {
        return expect_end(text, at);
    }
    let number = at + 1;
    let last = bytes::skip_set(text, number, DIGIT).min(number.saturating_add(max_digits));
    if last == number {
        return Err(Fault::at(number));
    }
    expect_end(text, last)
}

/// Appends to `found` the findings that the rules for `nntp` URLs add to the general ones.
fn add_findings(found: &mut Collector<'_, '_>) {
    found.add(Code::NntpPreferNews, Span::new(0, found.url.parts.colon));
    let (group, number) = split_at_byte(found.url.path_after_slash().unwrap_or_default(), b'/');
    check_group_form(found, group);
    if number.is_none() {
        found.add_for_part(Code::NntpNoArticle, group);
    }
}

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
    FindingsOf, Rules, check_group_form, cut, end, expect, host_and_port, modern_user_and_password,
};
use crate::bytes::{self, ALPHA, DIGIT, GROUP, HOSTNAME, Set};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::value::optional;
use crate::{Code, Fields, Span, Url, escape, login};

/// The parsers, components, semantics and findings of the scheme `nntp`.
pub(crate) struct Nntp;

impl Rules for Nntp {
    const UNESCAPED: Set = HOSTNAME; // a group's name has no other

    const RFC1738: &'static str = "://<hostport>/<group>(?:/[0-9]+)?";
    const RFC3986: &'static str =
        "://<authnonempty>/(?:[A-Za-z0-9+_.-]|<escape>)+(?:/[0-9]{1,16})?";
    const FINDINGS: Option<FindingsOf> = Some(findings);

    fn rfc1738<const REPAIR: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault> {
        let at = login::ip_schemepart(text, at, parts)?;
        let group = expect(text, at, b'/')?;
        if !bytes::is_at(text, group, ALPHA) {
            return Err(Fault::at(group));
        }
        article_number(text, bytes::skip(text, group, GROUP), usize::MAX)
    }

    fn rfc3986<const WEB: bool>(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault> {
        let at = login::net_path::<WEB>(text, at, parts)?;
        let group = expect(text, at, b'/')?;
        let at = escape::run_end::<WEB, false>(text, group, GROUP)?;
        if at == group {
            return Err(Fault::at(at));
        }
        article_number(text, at, 16)
    }

    fn components<'u>(url: &Url<'u>) -> Fields<'u> {
        let (group, number) = cut(url.path_after_slash().unwrap_or_default(), b'/');
        let mut fields = modern_user_and_password(url);
        fields.extend(host_and_port(url));
        fields.push(("group", optional(Some(group))));
        fields.push(("article_number", optional(number)));
        fields
    }

    fn error(reading: &Reading<'_>, at: usize) -> Code {
        let rest = reading.rest();
        match reading.text[rest.range()].iter().position(|&b| b == b'/') {
            Some(slash) if at > rest.start + slash => Code::NntpArticleNumber,
            _ => Code::NntpGroup,
        }
    }
}

/// Parses `[ "/" article-number ]`, with at most `most_digits` digits, at the end of the text.
fn article_number(text: &[u8], at: usize, most_digits: usize) -> Result<(), Fault> {
    if text.get(at) != Some(&b'/') {
        return end(text, at);
    }
    let number = at + 1;
    let last = bytes::skip(text, number, DIGIT).min(number.saturating_add(most_digits));
    if last == number {
        return Err(Fault::at(number));
    }
    end(text, last)
}

/// Adds the findings about an `nntp` URL.
fn findings(found: &mut Collector<'_, '_>) {
    found.add(Code::NntpPreferNews, Span::new(0, found.url.parts.colon));
    let (group, number) = cut(found.url.path_after_slash().unwrap_or_default(), b'/');
    check_group_form(found, group);
    if number.is_none() {
        found.add_at(Code::NntpNoArticle, group);
    }
}

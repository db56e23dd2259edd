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

use super::{cut, end, expect, host_and_port, later_user_and_password};
use crate::bytes::{self, ALPHA, DIGIT, GROUP};
use crate::escape;
use crate::fault::Fault;
use crate::login;
use crate::parts::Parts;
use crate::scheme::Authority;
use crate::url::optional;
use crate::{Fields, Url};

pub(crate) fn rfc1738(text: &[u8], at: usize, parts: &mut Parts) -> Result<(), Fault> {
    let authority = login::slashes(text, at)?;
    let at = login::hostport(text, authority, parts)?;
    let group = expect(text, at, b'/')?;
    if !bytes::is_at(text, group, ALPHA) {
        return Err(Fault::at(group));
    }
    article_number(text, bytes::skip(text, group, GROUP), usize::MAX)
}

pub(crate) fn rfc3986<const WEB: bool>(
    text: &[u8],
    at: usize,
    parts: &mut Parts,
) -> Result<(), Fault> {
    let authority = login::slashes(text, at)?;
    let at = login::authority::<WEB>(text, authority, Authority::WITH_HOST, parts)?;
    let group = expect(text, at, b'/')?;
    let at = escape::run::<WEB, false>(text, group, GROUP)?;
    if at == group {
        return Err(Fault::at(at));
    }
    article_number(text, at, 16)
}

/// `[ "/" article-number ]` and the end.
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

pub(crate) fn components<'u>(url: &Url<'u>) -> Fields<'u> {
    let (group, number) = cut(url.path().unwrap_or_default(), b'/');
    let mut fields = later_user_and_password(url);
    fields.extend(host_and_port(url));
    fields.push(("group", optional(Some(group))));
    fields.push(("article_number", optional(number)));
    fields
}

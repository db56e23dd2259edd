//! `scheme.doubled`: `http://http://host`: the scheme stands there twice.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

static META: Meta =
    Meta::new("scheme.doubled", Level::Error, On::Candidate, "the scheme is doubled")
        .source(1738, "3.1")
        .what("A scheme and its slashes are followed by a scheme and its slashes.")
        .why("The second scheme is taken for the host: `http://http//...` asks a host called http.")
        .advice("leave one of them out")
        .texts("See http://http://www.host.dom/a.", "See http://www.host.dom/a.")
        .beside(&["host.single-label", "port.empty"])
        .typo()
        .fix(Applicability::Safe);

pub(crate) struct Doubled;

impl Rule for Doubled {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        // In a wrapper it is a candidate like any other, whose host is called `http`.
        let doubled = if let Some(miss) = cx.near_miss {
            miss == NearMiss::DoubledScheme
        } else {
            let host = cx.parts.host.map(|host| cx.bytes(host)).unwrap_or_default();
            cx.parts.port.is_none_or(Span::is_empty)
                && cx.bytes(cx.parts.path).starts_with(b"//")
                && SCHEMES.iter().any(|known| host.eq_ignore_ascii_case(known.as_bytes()))
        };
        if !doubled {
            return;
        }
        let span = spot(cx);
        let mut diagnostic = META.at(cx.locate(span));
        cx.mend(&mut diagnostic, mend(cx, span), META.advice);
        out.push(diagnostic);
    }
}

/// What nobody calls a host.
const SCHEMES: [&str; 6] = ["http", "https", "ftp", "gopher", "telnet", "file"];

/// What is too much at the front: every scheme but the last.
fn outer(cx: &Context<'_>) -> Span {
    let mut end = 0;
    loop {
        let rest = &cx.url[end..];
        let scheme = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let len = scheme + rest[scheme..].iter().take_while(|b| b":/ ".contains(b)).count();
        let is_scheme =
            SCHEMES.iter().any(|known| rest[..scheme].eq_ignore_ascii_case(known.as_bytes()));
        // `http://http/` may be a host of that name.
        if !is_scheme
            || !matches!(rest.get(scheme), Some(b':')) && !rest[scheme..].starts_with(b"//")
        {
            break;
        }
        end += len;
    }
    let kept = cx.url[..end].iter().rposition(u8::is_ascii_alphanumeric).unwrap_or(0);
    let start = cx.url[..kept].iter().rposition(|b| !b.is_ascii_alphanumeric());
    Span::new(0, start.map_or(0, |at| at + 1))
}

/// The second scheme, with its slashes.
fn spot(cx: &Context<'_>) -> Span {
    let word = |from: usize| {
        let rest = &cx.url[from..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        from + len + rest[len..].iter().take_while(|b| b":/ ".contains(b)).count()
    };
    let start = word(0);
    Span::new(start, word(start))
}

fn mend(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    let first = outer(cx);
    let name = |span: Span| {
        cx.bytes(span).split(|b| !b.is_ascii_alphanumeric()).next().unwrap_or_default()
    };
    // The inner one is what was pasted, whole. Where the two differ, a person knows better.
    if first.is_empty() {
        None
    } else if name(first).eq_ignore_ascii_case(name(spot)) {
        Fix::safe(Edit::delete(first))
    } else {
        Fix::risky(Edit::delete(first))
    }
}

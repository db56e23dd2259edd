//! `scheme.doubled`: `http://http://host`, with the scheme twice.

use crate::context::{Context, Findings};
use crate::edit::{Applicability, Edit, Fix};
use crate::rule::{Meta, On, Rule};
use urlsift_core::{Level, Span};
use urlsift_scanner::NearMiss;

static META: Meta = Meta::new(
    "scheme.doubled",
    Level::Error,
    On::Candidate,
    "the scheme is written twice",
)
.source(1738, "3.1")
.what("A scheme and its slashes are followed by another scheme and slashes.")
.why("The second scheme is read as the host: `http://http//...` connects to a host called `http`.")
.advice("remove one of the schemes")
.texts("See http://http://www.host.dom/a.", "See http://www.host.dom/a.")
.other_rules(&["host.single-label", "port.empty"])
.typo()
.fix(Applicability::Safe);

pub(crate) struct Doubled;

impl Rule for Doubled {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        // In brackets, the scanner finds an ordinary URL whose host is `http`.
        let doubled = if let Some(miss) = cx.near_miss {
            miss == NearMiss::DoubledScheme
        } else {
            let host = cx.parts.host.map(|host| cx.bytes_at(host)).unwrap_or_default();
            cx.parts.port.is_none_or(Span::is_empty)
                && cx.bytes_at(cx.parts.path).starts_with(b"//")
                && SCHEMES.iter().any(|known| host.eq_ignore_ascii_case(known.as_bytes()))
        };
        if !doubled {
            return;
        }
        let span = second_scheme(cx);
        let mut diagnostic = META.diagnostic_at(cx.to_text_span(span));
        cx.set_fix(&mut diagnostic, make_fix(cx, span), META.advice);
        out.push(diagnostic);
    }
}

/// Schemes that are not used as names of hosts.
const SCHEMES: [&str; 6] = ["http", "https", "ftp", "gopher", "telnet", "file"];

/// Returns the span in the URL of all schemes except the last one, e.g. of the first `http://` in
/// `http://http://host`.
fn outer_schemes(cx: &Context<'_>) -> Span {
    let mut end = 0;
    loop {
        let rest = &cx.url[end..];
        let scheme = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let len = scheme + rest[scheme..].iter().take_while(|b| b":/ ".contains(b)).count();
        let is_scheme =
            SCHEMES.iter().any(|known| rest[..scheme].eq_ignore_ascii_case(known.as_bytes()));
        // In `http://http/`, the host may really have this name.
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

/// Returns the span in the URL of the second scheme, including its slashes.
fn second_scheme(cx: &Context<'_>) -> Span {
    let word = |from: usize| {
        let rest = &cx.url[from..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        from + len + rest[len..].iter().take_while(|b| b":/ ".contains(b)).count()
    };
    let start = word(0);
    Span::new(start, word(start))
}

fn make_fix(cx: &Context<'_>, spot: Span) -> Option<Fix> {
    let first = outer_schemes(cx);
    let name = |span: Span| {
        cx.bytes_at(span).split(|b| !b.is_ascii_alphanumeric()).next().unwrap_or_default()
    };
    // The author pasted a complete URL after a scheme. If the schemes differ, the author has to
    // decide.
    if first.is_empty() {
        None
    } else if name(first).eq_ignore_ascii_case(name(spot)) {
        Fix::safe(Edit::delete(first))
    } else {
        Fix::risky(Edit::delete(first))
    }
}

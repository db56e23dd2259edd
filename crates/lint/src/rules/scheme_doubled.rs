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
.with_description("A scheme and its slashes are followed by another scheme and slashes.")
.with_reason(
    "The second scheme is read as the host: `http://http//...` connects to a host called `http`.",
)
.with_advice("remove one of the schemes")
.with_example_texts("See http://http://www.host.dom/a.", "See http://www.host.dom/a.")
.with_other_rules(&["host.single-label", "port.empty"])
.as_typo_rule()
.fix(Applicability::Safe);

pub(crate) struct Doubled;

impl Rule for Doubled {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, cx: &Context<'_>, out: &mut Findings) {
        if !is_doubled(cx) || is_proxy_of_scheme(cx) || has_player_scheme(cx) {
            return;
        }
        let span = second_scheme(cx);
        let mut diagnostic = META.diagnostic_at(cx.to_text_span(span));
        cx.set_fix(&mut diagnostic, make_fix(cx, span), META.advice);
        out.push(diagnostic);
    }
}

/// True for a proxy that is assigned to a scheme, as in `--proxy=http:http://host`.
fn is_proxy_of_scheme(cx: &Context<'_>) -> bool {
    /// The number of bytes before the URL that are searched.
    const MARGIN: usize = 96;
    let has_slashes = cx.url.get(cx.parts.scheme.end + 1) == Some(&b'/');
    let before = &cx.text[cx.span.start.saturating_sub(MARGIN)..cx.span.start];
    !has_slashes && memchr::memmem::find(&before.to_ascii_lowercase(), b"proxy").is_some()
}

/// True if the outer scheme doesn't belong to the web, as in `hls://https://host`. Some programs
/// use such schemes to say how to read the URL after it.
fn has_player_scheme(cx: &Context<'_>) -> bool {
    let scheme = cx.url.split(|b| !b.is_ascii_alphanumeric()).next().unwrap_or_default();
    let is_known = |known: &[u8]| scheme.eq_ignore_ascii_case(known);
    ![&b"http"[..], b"https", b"ftp", b"www"].into_iter().any(is_known)
}

/// True if the URL contains a second scheme with its slashes right after the first one.
fn is_doubled(cx: &Context<'_>) -> bool {
    // In brackets, the scanner finds an ordinary URL whose host is `http`. With a user name, the
    // schemes are apart, as in the command `s@^http://www@http://host@` of sed.
    match cx.near_miss {
        Some(miss) => miss == NearMiss::DoubledScheme,
        None => is_host_scheme(cx) && cx.parts.userinfo.is_none(),
    }
}

/// True if the host of a URL is the name of a scheme, and its slashes follow.
pub(super) fn is_host_scheme(cx: &Context<'_>) -> bool {
    let host = cx.parts.host.map(|host| cx.bytes_at(host)).unwrap_or_default();
    // `https://www.https://host`
    let www = www_len(host);
    let host = &host[www..];
    let path = cx.bytes_at(cx.parts.path);
    // `http://http/a` may be a page of a host with this name, but `http://http:/a` has no port.
    let has_slashes = match cx.parts.port {
        None => www == 0 && path.starts_with(b"//"),
        Some(port) => port.is_empty() && path.starts_with(b"/"),
    };
    has_slashes && SCHEMES.iter().any(|known| host.eq_ignore_ascii_case(known.as_bytes()))
}

/// Schemes that are not used as names of hosts.
const SCHEMES: [&str; 6] = ["http", "https", "ftp", "gopher", "telnet", "file"];

/// Returns the length of `www.` at the start of `text`, or 0.
fn www_len(text: &[u8]) -> usize {
    let www = b"www.";
    if text.get(..www.len()).is_some_and(|head| head.eq_ignore_ascii_case(www)) {
        www.len()
    } else {
        0
    }
}

/// Returns the span in the URL of all schemes except the last one, e.g. of the first `http://` in
/// `http://http://host`.
fn outer_schemes(cx: &Context<'_>) -> Span {
    let mut end = 0;
    loop {
        let www = www_len(&cx.url[end..]);
        let rest = &cx.url[end + www..];
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
        end += www + len;
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
    let start = start + www_len(&cx.url[start..]);
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
        Fix::safe_fix(Edit::delete(first))
    } else {
        Fix::unsafe_fix(Edit::delete(first))
    }
}

//! Computes lookup keys of web archives (Sort-friendly URI Reordering Transform, SURT).

use std::borrow::Cow;
use urlsift_core::{Scheme, decode_escapes, percent_encode};

/// Returns the SURT key of a URL, under which the index of a web archive lists it.
/// `http://www.host.dom/a` has the key `dom,host)/a`. The labels of the host are reversed, and
/// parts that don't distinguish pages are removed.
///
/// The result is the same as that of the Internet Archive's package `surt`, with one exception: a
/// non-ASCII host is percent-encoded and not converted to Punycode.
///
/// Takes time proportional to the length of the URL times the nesting depth of its escapes.
///
/// ```
/// use urlsift_records::surt;
///
/// assert_eq!(surt(b"http://www.Host.dom:80/A/../B/?y=2&X=1#top"), b"dom,host)/b?x=1&y=2");
/// assert_eq!(surt(b"mailto:joe@host.dom"), b"mailto:joe@host.dom");
/// ```
pub fn surt(url: &[u8]) -> Vec<u8> {
    let url: Vec<u8> = url.iter().copied().filter(|b| !b"\n\r\t".contains(b)).collect();
    let url = without_repeated_scheme(url.trim_ascii());
    let (scheme, rest) = match split_once_at(url, b':') {
        Some((scheme, rest)) if Scheme::may_be_named(scheme) => (scheme, rest),
        _ => (&b"http"[..], url),
    };
    let rest = rest.split(|&b| b == b'#').next().unwrap_or_default();
    let (rest, query) =
        split_once_at(rest, b'?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
    let (authority, path) = match rest.strip_prefix(b"//") {
        Some(rest) => rest.split_at(rest.iter().position(|&b| b == b'/').unwrap_or(rest.len())),
        None if scheme == b"http" && !url.starts_with(b"http:") => {
            rest.split_at(rest.iter().position(|&b| b == b'/').unwrap_or(rest.len()))
        }
        None => (&b""[..], rest),
    };
    let (mut host, mut port) = host_and_port(authority);
    let mut path = Cow::Borrowed(path);
    if host.is_empty() && scheme.starts_with(b"http") && !path.is_empty() {
        let start = path.iter().position(|&b| b != b'/').unwrap_or(path.len());
        let inner = &path[start..];
        let (name, rest) = split_once_at(inner, b'/').unwrap_or((inner, b""));
        host = name.to_vec();
        path = Cow::Owned([b"/", rest].concat());
    }
    let default: &[u8] = match &scheme.to_ascii_lowercase()[..] {
        b"http" => b"80",
        b"https" => b"443",
        _ => b"",
    };
    port = port.filter(|port| *port != default);

    let mut out = Vec::with_capacity(url.len());
    if host.is_empty() {
        out.extend_from_slice(scheme);
        out.push(b':');
    } else {
        let name = reverse_labels(&canonical_host(&host));
        out.extend_from_slice(&name);
        if let Some(port) = port {
            out.push(b':');
            out.extend_from_slice(port);
        }
        out.push(b')');
    }
    let path = decode_percent_escapes_repeatedly(&path);
    let path = if host.is_empty() { path } else { remove_dot_segments(&path) };
    let mut path = remove_path_session(percent_encode_for_surt(&path).to_ascii_lowercase());
    if path.len() > 1 && path.ends_with(b"/") {
        path.pop();
    }
    let query = query.filter(|query| !query.is_empty()).map(canonical_query);
    let query = query.filter(|query| !query.is_empty());
    if path.is_empty() && query.is_some() {
        path.push(b'/');
    }
    out.extend_from_slice(&path);
    if let Some(query) = query {
        out.push(b'?');
        out.extend_from_slice(&query);
    }
    out
}

/// Splits `text` at the first byte `at`. Returns the parts before and after it, or `None` if `text`
/// doesn't contain the byte.
fn split_once_at(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let found = text.iter().position(|&b| b == at)?;
    Some((&text[..found], &text[found + 1..]))
}

/// Removes each scheme that is followed by another scheme, e.g. `http://https://host` becomes
/// `https://host`.
fn without_repeated_scheme(mut url: &[u8]) -> &[u8] {
    let scheme_len = |url: &'_ [u8]| {
        [&b"http://"[..], b"https://"].iter().find(|it| url.starts_with(it)).map(|it| it.len())
    };
    while let Some(len) = scheme_len(url)
        && scheme_len(&url[len..]).is_some()
    {
        url = &url[len..];
    }
    url
}

/// Returns the host of an authority in lower case, and the port if it is a number other than 0. The
/// user name and password are left out.
fn host_and_port(authority: &[u8]) -> (Vec<u8>, Option<&[u8]>) {
    let start = authority.iter().rposition(|&b| b == b'@').map_or(0, |at| at + 1);
    let mut place = &authority[start..];
    while let Some(rest) = place.strip_suffix(b":") {
        place = rest;
    }
    let (host, port) = match place.strip_prefix(b"[").and_then(|inner| split_once_at(inner, b']')) {
        Some((host, rest)) => (host, rest.strip_prefix(b":")),
        None => split_once_at(place, b':').map_or((place, None), |(host, port)| (host, Some(port))),
    };
    let is_number = |port: &&[u8]| !port.is_empty() && port.iter().all(u8::is_ascii_digit);
    match port {
        Some(port) if !is_number(&port) => (place.to_ascii_lowercase(), None),
        Some(port) => {
            let zeros = port.iter().take_while(|&&b| b == b'0').count();
            (host.to_ascii_lowercase(), Some(&port[zeros..]).filter(|port| !port.is_empty()))
        }
        None => (host.to_ascii_lowercase(), None),
    }
}

/// Returns the canonical form of a host: without escapes, in lower case, and without `www.` and
/// superfluous dots.
fn canonical_host(host: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(host.len());
    // Two adjacent dots become one, and three become two.
    let mut bytes = decode_percent_escapes_repeatedly(host).into_iter().peekable();
    while let Some(byte) = bytes.next() {
        plain.push(byte);
        if byte == b'.' {
            bytes.next_if_eq(&b'.');
        }
    }
    let start = plain.iter().position(|&b| b != b'.').unwrap_or(plain.len());
    let end = plain.iter().rposition(|&b| b != b'.').map_or(start, |at| at + 1);
    let plain = plain[start..end].to_ascii_lowercase();
    let host = parse_ipv4(&plain).unwrap_or_else(|| percent_encode_for_surt(&plain));
    // Remove `www.` or `www2.` from the start.
    let digits = host.iter().skip(3).take_while(|b| b.is_ascii_digit()).count();
    match host.strip_prefix(b"www").and_then(|rest| rest[digits..].strip_prefix(b".")) {
        Some(rest) => rest.to_vec(),
        None => host,
    }
}

/// Returns an IPv4 address in the usual form of four decimal numbers. Returns `None` if `host` is
/// not an IPv4 address. Accepts all notations of C libraries, with fewer than four numbers and with
/// octal numbers.
fn parse_ipv4(host: &[u8]) -> Option<Vec<u8>> {
    let parts: Vec<&[u8]> = host.split(|&b| b == b'.').collect();
    let is_number = |part: &&[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    if parts.len() > 4 || !parts.iter().all(is_number) {
        return None;
    }
    let value = |part: &[u8]| {
        let octal = parts.len() > 1 && part.len() > 1 && part[0] == b'0';
        u64::from_str_radix(str::from_utf8(part).ok()?, if octal { 8 } else { 10 }).ok()
    };
    let (last, first) = parts.split_last()?;
    let mut number: u64 = 0;
    for part in first {
        number = number << 8 | value(part).filter(|&value| value < 256)?;
    }
    let bits = 8 * (4 - first.len());
    let last = match value(last) {
        // Only the lowest 32 bits of a single number are used.
        Some(last) if first.is_empty() => last & 0xFFFF_FFFF,
        last => last.filter(|&last| last >> bits == 0)?,
    };
    number = number << bits | last;
    let [.., a, b, c, d] = number.to_be_bytes();
    Some(format!("{a}.{b}.{c}.{d}").into_bytes())
}

/// Returns the labels of a host in reverse order, separated by commas, e.g. `dom,host` for
/// `host.dom`.
fn reverse_labels(host: &[u8]) -> Vec<u8> {
    let mut labels: Vec<_> = host.split(|&b| b == b'.').collect();
    labels.reverse();
    labels.join(&b',')
}

/// Decodes percent escapes again and again, until `text` contains none.
fn decode_percent_escapes_repeatedly(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    while let Cow::Owned(decoded) = decode_escapes(&text)
        && decoded.len() < text.len()
    {
        text = decoded;
    }
    text
}

/// Percent-encodes all bytes except printable ASCII, and also `#` and `%`.
fn percent_encode_for_surt(text: &[u8]) -> Vec<u8> {
    percent_encode(text, |byte| byte.is_ascii_graphic() && byte != b'#' && byte != b'%')
}

/// Returns a path without its segments `.` and `..` and without empty segments.
fn remove_dot_segments(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|&b| b == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !kept.is_empty() => drop(kept.pop()),
            segment => kept.push(segment),
        }
    }
    let last = kept.pop().unwrap_or_default();
    let mut out = b"/".to_vec();
    for segment in kept.into_iter().filter(|segment| !segment.is_empty()) {
        out.extend_from_slice(segment);
        out.push(b'/');
    }
    out.extend_from_slice(last);
    out
}

/// True if `text` consists of exactly `len` ASCII letters and digits.
fn is_alphanumeric_of_len(text: &[u8], len: usize) -> bool {
    text.len() == len && text.iter().all(u8::is_ascii_alphanumeric)
}

/// Removes a path segment before an ASP.NET page if it is a session identifier, such as 24 letters
/// and digits in parentheses.
fn remove_path_session(mut path: Vec<u8>) -> Vec<u8> {
    let is_plain = |inner: &[u8]| is_alphanumeric_of_len(inner, 24);
    let is_nested = |inner: &[u8]| {
        !inner.is_empty()
            && inner.chunks(27).all(|it| {
                it.len() == 27
                    && it[0].is_ascii_alphabetic()
                    && (it[1], it[26]) == (b'(', b')')
                    && is_alphanumeric_of_len(&it[2..26], 24)
            })
    };
    for is_session in [&is_nested as &dyn Fn(&[u8]) -> bool, &is_plain] {
        let mut end = path.len();
        while let Some(slash) = path[..end].iter().rposition(|&b| b == b'/') {
            let segment = path[..slash].iter().rposition(|&b| b == b'/').map_or(0, |at| at + 1);
            let rest = &path[slash + 1..];
            let name = rest.split(|&b| b == b'?').next().unwrap_or_default();
            let is_page = name.windows(5).skip(1).any(|it| it == b".aspx");
            let inner =
                path[segment..slash].strip_prefix(b"(").and_then(|it| it.strip_suffix(b")"));
            if segment > 0 && is_page && inner.is_some_and(is_session) {
                path.drain(segment..=slash);
                break;
            }
            end = slash;
        }
    }
    path
}

/// Returns the canonical form of a query: without session identifiers, in lower case, and with
/// sorted arguments.
fn canonical_query(query: &[u8]) -> Vec<u8> {
    let mut query = percent_encode_for_surt(&decode_percent_escapes_repeatedly(query));
    for (start, end) in [
        (&b"jsessionid="[..], Session::Letters(32)),
        (b"phpsessid=", Session::Letters(32)),
        (b"sid=", Session::Letters(32)),
        (b"aspsessionid", Session::Asp),
        (b"cfid=", Session::ColdFusion),
    ] {
        strip_session(&mut query, start, &end);
    }
    query.make_ascii_lowercase();
    let mut arguments: Vec<(&[u8], Option<&[u8]>)> = query
        .split(|&b| b == b'&')
        .map(|it| split_once_at(it, b'=').map_or((it, None), |(name, value)| (name, Some(value))))
        .collect();
    arguments.sort_unstable();
    let joined = arguments.iter().map(|(name, value)| match value {
        Some(value) => [name, &b"="[..], value].concat(),
        None => name.to_vec(),
    });
    joined.collect::<Vec<_>>().join(&b'&')
}

/// The syntax of a session identifier after the name of its parameter.
enum Session {
    /// This number of letters and digits.
    Letters(usize),
    /// Eight letters, `=` and 24 letters, as in ASP.
    Asp,
    /// A value, `&cftoken=` and another value, as in ColdFusion.
    ColdFusion,
}

/// Removes the last session identifier from a query. `start` is the name of the parameter that
/// contains it, with the equals sign. The identifier is removed only if `&` or the end of the query
/// follows it.
fn strip_session(query: &mut Vec<u8>, start: &[u8], session: &Session) {
    let lower = query.to_ascii_lowercase();
    let value = |from: usize| {
        lower[from..].iter().position(|&b| b == b'&').map_or(lower.len(), |at| from + at)
    };
    let end_of = |from: usize| -> Option<usize> {
        match *session {
            Session::Letters(len) => {
                is_alphanumeric_of_len(lower.get(from..from + len)?, len).then_some(from + len)
            }
            Session::Asp => {
                let is_name = lower.get(from..from + 8)?.iter().all(u8::is_ascii_alphabetic);
                let is_value = lower.get(from + 9..from + 33)?.iter().all(u8::is_ascii_alphabetic);
                (is_name && is_value && lower[from + 8] == b'=').then_some(from + 33)
            }
            Session::ColdFusion => {
                let end = value(from);
                let token = end + b"&cftoken=".len();
                (end > from && lower[end..].starts_with(b"&cftoken=") && value(token) > token)
                    .then(|| value(token))
            }
        }
    };
    let places = (0..lower.len()).rev().filter(|&at| lower[at..].starts_with(start));
    for at in places {
        let Some(end) = end_of(at + start.len()) else { continue };
        if end == lower.len() || lower[end] == b'&' {
            query.drain(at..lower.len().min(end + 1));
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::surt;

    /// Checks the keys against the output of the Python package `surt` 0.3.1.
    #[test]
    fn keys_equal_those_of_the_surt_package() {
        for (url, key) in [
            ("http://www.host.dom", "dom,host)/"),
            ("http://www2.host.dom/A//b/./c/../d/", "dom,host)/a/b/d"),
            ("HTTP://HOST.dom:8080/x", "dom,host:8080)/x"),
            ("https://joe:pw@host.dom:443/?", "dom,host)/"),
            ("ftp://ftp.host.dom/pub/a%2520b", "dom,host,ftp)/pub/a%20b"),
            ("http://host.dom/?b=2&a&a=1", "dom,host)/?a&a=1&b=2"),
            ("http://host.dom/x?sid=0123456789abcdef0123456789ABCDEF&q=1", "dom,host)/x?q=1"),
            ("http://host.dom/x?cfid=1&cftoken=2&q=1", "dom,host)/x?q=1"),
            ("http://host.dom/(s(0123456789abcdefghijklmn))/p.aspx", "dom,host)/p.aspx"),
            ("http://3232235777/", "1,1,168,192)/"),
            ("http://0300.0250.1.1/", "1,1,168,192)/"),
            ("http://http://host.dom/", "dom,host)/"),
            ("http:///host.dom/a", "dom,host)/a"),
            ("http://host.dom/\u{e9}#x", "dom,host)/%c3%a9"),
            ("host.dom/a", "dom,host)/a"),
            ("news:comp.lang.C", "news:comp.lang.c"),
            ("http://host.dom:/a", "dom,host)/a"),
        ] {
            assert_eq!(String::from_utf8(surt(url.as_bytes())).unwrap(), key, "{url}");
        }
    }
}

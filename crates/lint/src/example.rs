//! Recognizes URLs that are not real links: examples, hosts in private networks, and templates.

use urlsift_core::{Anatomy, Span};

/// Words that are used as placeholders for a host, user name or password.
const WORDS: [&[u8]; 30] = [
    b"host",
    b"hostname",
    b"server",
    b"servername",
    b"proxy",
    b"domain",
    b"example",
    b"foo",
    b"bar",
    b"baz",
    b"site",
    b"user",
    b"username",
    b"usr",
    b"name",
    b"login",
    b"me",
    b"someone",
    b"anonymous",
    b"user1",
    b"pass",
    b"password",
    b"passwd",
    b"pwd",
    b"secret",
    b"token",
    b"pw",
    b"xxx",
    b"abc",
    b"p",
];

/// Passwords that mark a URL as an example, with any user name and host. Case matters.
const PASSWORDS: [&[u8]; 3] = [b"secret", b"test", b"xyzzy"];

/// Domains that RFC 2606 reserves for examples.
const EXAMPLES: [&[u8]; 6] =
    [b"example", b"example.com", b"example.net", b"example.org", b"invalid", b"test"];

/// Domains that RFC 6761, RFC 6762 and RFC 8375 reserve for private networks.
const PRIVATE_DOMAINS: [&[u8]; 5] =
    [b"localhost", b"local", b"home.arpa", b"internal", b"localdomain"];

/// True if `text` is one of the placeholder words in [`WORDS`], ignoring case.
fn is_placeholder_word(text: &[u8]) -> bool {
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// True if `text`, in lower case, consists of several words of which one names a password, such as
/// `your-project-secret` and `passwd_on_proxy`.
fn is_placeholder_phrase(text: &[u8]) -> bool {
    const NAMES: [&[u8]; 7] = [b"pass", b"passwd", b"pwd", b"secret", b"token", b"your", b"key"];
    let is_letter = |b: &u8| b.is_ascii_lowercase() || b"-_".contains(b);
    let mut words = text.split(|b| b"-_".contains(b));
    text.iter().all(is_letter)
        && words.clone().count() > 1
        && words.any(|word| NAMES.contains(&word))
}

/// True if `host` is `domain` or one of its subdomains.
fn is_in_domain(host: &[u8], domain: &[u8]) -> bool {
    host.len().checked_sub(domain.len()).is_some_and(|at| {
        host[at..].eq_ignore_ascii_case(domain) && (at == 0 || host[at - 1] == b'.')
    })
}

/// True if `url` is an example and not a real URL. Its host isn't real, or its user name and
/// password are placeholders.
///
/// A host isn't real if it is reserved for examples or private networks, is a placeholder, or
/// consists of punctuation.
pub(crate) fn is_example(url: &[u8], parts: &Anatomy) -> bool {
    let get = |part: Option<Span>| Anatomy::text(url, part);
    let host = get(parts.host);
    let user = get(parts.userinfo).split(|&b| b == b':').next().unwrap_or_default();
    let password = get(parts.password);
    let is_called_password = |text: &[u8]| {
        let text = text.to_ascii_lowercase();
        text.ends_with(b"pass")
            || memchr::memmem::find(&text, b"password").is_some()
            || is_placeholder_phrase(&text)
    };
    // `****` and `xxxx`
    let is_masked = password.iter().all(|&b| b == b'*')
        || password.len() > 3 && password.iter().all(|b| b.eq_ignore_ascii_case(&b'x'));
    // A name without a dot is a host in a private network.
    let is_private =
        !host.is_empty() && host.iter().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(b));
    let words = !password.is_empty()
        && (is_private
            || is_masked
            || PASSWORDS.contains(&password)
            || password == user
            || is_placeholder_word(user) && is_placeholder_word(password)
            || is_called_password(password));
    let dots = !host.iter().any(u8::is_ascii_alphanumeric) && host.is_ascii();
    words || dots || is_example_host(host)
}

/// True if `url` contains a mail address in a form that address harvesters don't recognize, such as
/// `mailto:joeAThostDOTdom`.
pub(crate) fn is_obfuscated_address(url: &[u8]) -> bool {
    const SIGNS: [&str; 9] =
        ["AT", "_at_", "-at-", "(at)", "[at]", " at ", "%20at%20", " dot ", "%20dot%20"];
    let address = url.split(|&b| b == b'?').next().unwrap_or_default();
    is_mailto(address)
        && !address.contains(&b'@')
        && SIGNS.iter().any(|sign| memchr::memmem::find(&address[7..], sign.as_bytes()).is_some())
}

/// True if `url` is the first part of an obfuscated mail address that a program has cut off by
/// closing the link too early. `rest` is the text after `url`. It must close the link and then
/// continue the address, as in `mailto:joe</a> -at- host.dom`.
pub(crate) fn is_obfuscated_address_before(url: &[u8], rest: &[u8]) -> bool {
    const SIGNS: [&str; 5] = [" at ", " -at- ", " dot ", " (at) ", " [at] "];
    let continues = || {
        // If a tag follows, the URL is the text of a link. Otherwise, it is the value of an
        // attribute: skip the rest of the start tag and the link's text.
        let rest = if rest.starts_with(b"<") {
            rest
        } else {
            let rest = rest.iter().position(|&b| b == b'>').map_or(rest, |at| &rest[at + 1..]);
            rest.iter().position(|&b| b == b'<').map_or(rest, |at| &rest[at..])
        };
        rest.strip_prefix(b"</a>")
            .or_else(|| rest.strip_prefix(b"</A>"))
            .is_some_and(|after| SIGNS.iter().any(|sign| after.starts_with(sign.as_bytes())))
    };
    is_mailto(url) && !url.contains(&b'@') && continues()
}

/// True if `url` starts with `mailto:`.
fn is_mailto(url: &[u8]) -> bool {
    url.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"mailto:"))
}

/// True if `url` is `mailto:` and a placeholder in upper case, such as `mailto:YOUR_ADDRESS_HERE`.
pub(crate) fn is_placeholder_address(url: &[u8]) -> bool {
    let address = url.split(|&b| b == b'?').next().unwrap_or_default();
    let name = address.get(b"mailto:".len()..).unwrap_or_default();
    name.len() > 3
        && name.iter().all(|b| b.is_ascii_uppercase() || b"_- ".contains(b))
        && is_mailto(address)
}

/// True if `url`, a mistyped URL, has a host that RFC 2606 reserves for examples. Such a URL
/// probably shows a mistake on purpose.
pub(crate) fn has_reserved_host(url: &[u8]) -> bool {
    // The first name with a dot is the host; what follows is a path.
    let Some(dot) = url.iter().position(|&b| b == b'.') else { return false };
    let ends_name = |b: &u8| !b.is_ascii_alphanumeric() && !b".-".contains(b);
    let start = url[..dot].iter().rposition(ends_name).map_or(0, |at| at + 1);
    let end = url[dot..].iter().position(ends_name).map_or(url.len(), |len| dot + len);
    EXAMPLES.iter().any(|domain| is_in_domain(&url[start..end], domain))
}

/// True if `host` is reserved for examples or private networks, or is a placeholder.
fn is_example_host(host: &[u8]) -> bool {
    let host = host.strip_suffix(b".").unwrap_or(host);
    if let Some(inner) = host.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]")) {
        return std::str::from_utf8(inner).is_ok_and(|text| {
            text.parse::<std::net::Ipv6Addr>().is_ok_and(|address| {
                let [first, second, ..] = address.segments();
                address.is_unicast_link_local()
                    || address.is_unique_local()
                    || first == 0
                    || (first, second) == (0x2001, 0xdb8)
            })
        });
    }
    if let Ok(address) = String::from_utf8_lossy(host).parse::<std::net::Ipv4Addr>() {
        return address.is_loopback()
            || address.is_private()
            || address.is_link_local()
            || address.is_documentation()
            || address.octets().starts_with(&[192, 0, 0])
            || address.is_unspecified();
    }
    if is_placeholder_word(host)
        || EXAMPLES.iter().chain(&PRIVATE_DOMAINS).any(|domain| is_in_domain(host, domain))
    {
        return true;
    }
    // `your-host.com`, `my_domain.org`, `example.co.uk`.
    host.split(|&b| b == b'.').any(|label| {
        let label = label.to_ascii_lowercase();
        let rest = label.strip_prefix(b"your").or_else(|| label.strip_prefix(b"my"));
        let rest =
            rest.map(|rest| rest.strip_prefix(b"-").or(rest.strip_prefix(b"_")).unwrap_or(rest));
        label == b"example"
            || label == b"yourdomain"
            || rest.is_some_and(|rest| !rest.is_empty() && is_placeholder_word(rest))
    })
}

/// True if one label of `host` is a placeholder in upper case, such as `YOUR-ACCOUNT` or `BUCKET`,
/// and other labels are in lower case.
pub(crate) fn has_upper_case_placeholder(host: &[u8]) -> bool {
    let has = |label: &[u8], test: fn(&u8) -> bool| label.iter().any(test);
    let is_capital =
        |label: &[u8]| has(label, u8::is_ascii_uppercase) && !has(label, u8::is_ascii_lowercase);
    let labels = || host.split(|&b| b == b'.');
    labels().any(|label| has(label, u8::is_ascii_lowercase))
        && labels().any(|label| {
            is_capital(label)
                && (label.len() >= 5
                    || is_placeholder_word(label)
                    || label.iter().any(|b| b"-_".contains(b)))
        })
}

/// A table of the bytes with which a placeholder may start.
static STARTS_PLACEHOLDER: [bool; 256] = {
    let (mut table, mut at) = ([false; 256], 0);
    let bytes = b"{<[$%.\xe2";
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
};

const ELLIPSIS: &[u8] = "\u{2026}".as_bytes();

/// True if `text` contains a placeholder that a program or the reader will replace, or an ellipsis.
/// Takes linear time.
///
/// The placeholders are `{{ x }}`, `{% x %}`, `${x}`, `$x`, `[[x]]`, `/[x]/`, `[X]`, `<%= x %>`,
/// `<x>`, `{x}`, `%s`, `%(x)s` and `%X%`.
pub(crate) fn contains_placeholder(text: &[u8]) -> bool {
    let after = |at: usize| text.get(at + 1).copied().unwrap_or(b' ');
    let closes = |at: usize, close: u8| memchr::memchr(close, &text[at..]).is_some();
    let mut braces = None;
    let mut angles = None;
    // The texts are short, so one loop is faster than a search for each of these marks.
    let is_start = |byte: &u8| STARTS_PLACEHOLDER[usize::from(*byte)];
    let Some(first) = text.iter().position(is_start) else { return false };
    let mut marks = (first..).zip(&text[first..]).filter(|(_, byte)| is_start(byte));
    marks.any(|(at, byte)| match byte {
        // Quotes within `{{ }}` may end the value before it is closed.
        b'{' if matches!(after(at), b'{' | b'%') => true,
        b'{' => *braces.get_or_insert_with(|| closes(at, b'}')),
        b'[' if after(at) == b'[' => memchr::memmem::find(&text[at..], b"]]").is_some(),
        b'[' => is_bracketed_name(text, at),
        b'<' if after(at) == b'%' => true,
        b'<' => *angles.get_or_insert_with(|| closes(at, b'>')),
        b'$' => after(at).is_ascii_alphanumeric() || matches!(after(at), b'_' | b'{' | b'(' | b'$'),
        b'%' => {
            let escape =
                text.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
            !escape
                && matches!(after(at), b's' | b'd' | b'i' | b'u' | b'r' | b'(' | b'{' | b'%' | b'@')
                || starts_with_variable(&text[at..], escape)
        }
        b'.' => text[at..].starts_with(b"..."),
        0xe2 => text[at..].starts_with(ELLIPSIS),
        _ => false,
    })
}

/// The maximum length of the name of a placeholder, in bytes.
const MAX_NAME_LEN: usize = 64;

/// True if the `[` at offset `at` starts a placeholder in square brackets. Such a placeholder is a
/// name that fills a segment of a path, as in `/[command]/`, or a name in capitals, as in
/// `[VERSION]`.
fn is_bracketed_name(text: &[u8], at: usize) -> bool {
    let inner = &text[at + 1..text.len().min(at + 1 + MAX_NAME_LEN)];
    let Some(len) = memchr::memchr(b']', inner) else { return false };
    let name = &inner[..len];
    let is_name = |is_letter: fn(&u8) -> bool| {
        name.first().is_some_and(is_letter)
            && name.iter().all(|b| is_letter(b) || b.is_ascii_digit() || b"-_. ".contains(b))
    };
    let ends_segment = text.get(at + len + 2).is_none_or(|b| b"/.?#,;:)\"'".contains(b));
    let fills_segment = at > 0 && text[at - 1] == b'/' && ends_segment;
    len > 1
        && (is_name(u8::is_ascii_uppercase) || fills_segment && is_name(u8::is_ascii_alphabetic))
}

/// True if `text` starts with a variable between percent signs, such as `%TOPIC%`. `is_escape` is
/// true if `text` starts with a valid percent escape.
///
/// If `text` starts with an escape, two percent signs don't always enclose a variable: `%20AND%20`
/// contains none.
fn starts_with_variable(text: &[u8], is_escape: bool) -> bool {
    let inner = &text[1..text.len().min(1 + MAX_NAME_LEN)];
    let Some(len) = memchr::memchr(b'%', inner) else { return false };
    let name = &inner[..len];
    let rest = &text[len + 2..];
    let is_second = rest.get(..2).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
    let is_name = |is_letter: fn(&u8) -> bool| {
        name[0].is_ascii_alphabetic()
            && name.iter().all(|b| is_letter(b) || b.is_ascii_digit() || *b == b'_')
    };
    len > 1
        && !(is_escape && is_second)
        && (is_name(u8::is_ascii_uppercase)
            || !is_escape && !is_second && is_name(u8::is_ascii_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_and_private_hosts_are_recognized() {
        let is = |url: &str| is_example(url.as_bytes(), &Anatomy::split(url.as_bytes()));
        for url in [
            "http://localhost:3000/",
            "http://a.example.com:81/",
            "http://10.1.2.3:82/",
            "http://[::1]:80/",
            "http://printer.local/",
            "ftp://user:pass@ftp.host.dom/",
            "http://host:1/",
            "http://your-server.com/",
            "http://[2001:db8::1]/",
            "http://192.0.2.7/",
            "http://mydomain.com/",
            "mysql://mill:MILL_DBPASS@db.host.dom/",
            "rabbit://joe:sesame@controller:5672/",
            "ftp://joe:****@host.dom/",
            "ftp://joe:xxxx@host.dom/",
            "https://a:YOUR-PROJECT-SECRET@www.mill.dom/1",
            "http://joe:passwd-on-proxy@www.mill.dom/",
            "sftp://mill:wheel@mill_sftp:2244/public/",
            "sftp://mill:test@www.mill.dom/",
            "ftp://joe:secret@host.dom/",
            "ftp://joe:xyzzy@host.dom/",
            "sftp://mill:mill@www.mill.dom/",
        ] {
            assert!(is(url), "{url}");
        }
        for url in [
            "http://www.host.dom:81/",
            "http://notexample.com/",
            "http://172.15.0.1/",
            "ftp://joe:sesame@host.dom/",
            "ftp://joe:@host.dom/",
            "ftp://joe:secret7@host.dom/",
            "ftp://joe:key2-sesame@host.dom/",
            "ftp://joe:xx@host.dom/",
            "http://[2a00::1]/",
            "http://mylocal.dom/",
            "http://mypage.dom/",
        ] {
            assert!(!is(url), "{url}");
        }
    }

    #[test]
    fn words_in_capitals_are_placeholders() {
        let has = |host: &str| has_upper_case_placeholder(host.as_bytes());
        assert!(has("BUCKET.s3.dom") && has("YOUR-HOST.dom") && has("HOST.dom"));
        assert!(
            !has("WWW.host.dom") && !has("IBM.com") && !has("WWW.SERVER.DOM") && !has("Host.dom")
        );
    }

    #[test]
    fn obfuscated_addresses_are_recognized() {
        let is = |url: &str| is_obfuscated_address(url.as_bytes());
        assert!(is("mailto:joeAThostDOTdom") && is("mailto:joe[at]host.dom?subject=hello"));
        assert!(is("mailto:joe -at- host.dom") && is("mailto:joe dot mill at host dot dom"));
        for url in ["mailto:joe@matAT.dom", "mailto:pat", "http://www.host.dom/(at)"] {
            assert!(!is(url), "{url}");
        }
        let is =
            |url: &str, rest: &str| is_obfuscated_address_before(url.as_bytes(), rest.as_bytes());
        assert!(is("mailto:joe", "</a> -at- host.dom"));
        assert!(is("mailto:joe", "\">mailto:joe</a> at host.dom"));
        assert!(!is("mailto:joe", "</a> or Pat") && !is("mailto:joe", ""));
        assert!(!is("mailto:joe@host.dom", "</a> at noon"));
    }

    #[test]
    fn placeholders_are_recognized() {
        for text in [
            "http://h/[[a]]",
            "http://h/{{ a }}",
            "http://h/{% a %}",
            "http://h/${a}",
            "http://h/<%= a %>",
            "http://h/<%",
            "http://h/{a}",
            "http://{{ host|default(",
            "http://h/%s",
            "http://h/$A",
            "http://h:%d/",
            "http://h/%(a)s",
            "http://h/...",
            "http://<host>/",
            "http://h/[command]/a",
            "http://h/[command]",
            "http://h/a-5.[VERSION.MINOR]/b",
            "http://h/%TOPIC%Dev",
            "http://h/%FEATURE%/a",
            "http://h/%env%/a",
        ] {
            assert!(contains_placeholder(text.as_bytes()), "{text}");
        }
        for text in [
            "http://h/%20a",
            "http://h/50%",
            "http://h/a{",
            "http://h/a[b[0]]",
            "http://h/[[a",
            "http://h/a$",
            "http://h/%da",
            "http://h/a..b",
            "http://h/a?b[c]=d",
            "http://h/[1]",
            "http://h/%C3%A9",
            "http://h/%20AND%20",
            "http://h/%DATE%De",
            "http://h/100%off%20",
        ] {
            assert!(!contains_placeholder(text.as_bytes()), "{text}");
        }
    }
}

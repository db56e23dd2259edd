//! Breaks inside the host of a URL.

use super::tail::{TOPS, is_top_label};

/// True if `core`, a token, starts with a port number and a slash.
pub(super) fn is_port(core: &[u8]) -> bool {
    let digits = core.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
    (2..=5).contains(&digits) && core.get(digits) == Some(&b'/')
}

/// True if the break is inside a label of the host, as in `http://lore.kern` + `el.org/lists/`, or
/// before a dot, as in `http://lore.kernel` + `.org/lists/`. The host before the break must
/// end with a label that is not a top-level domain. The token must contain the rest of a host up to
/// its top-level domain, and a path.
pub(super) fn is_host_cut(host: &[u8], core: &[u8]) -> bool {
    let Some(slash) = memchr::memchr(b'/', core) else { return false };
    let starts_with_dot = core[0] == b'.';
    let (core, slash) = if starts_with_dot { (&core[1..], slash - 1) } else { (core, slash) };
    let is_of_label = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-';
    let last = host.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let mut labels = core[..slash].split(|&byte| byte == b'.');
    let top = labels.clone().next_back().unwrap_or_default();
    last.len() > 2
        && last.iter().all(is_of_label)
        && last.last().is_some_and(u8::is_ascii_lowercase)
        && !TOPS.contains(&last)
        && !OTHER_TOPS.contains(&last)
        && labels.clone().count() > usize::from(!starts_with_dot)
        && labels.all(|label| !label.is_empty() && label.iter().all(is_of_label))
        && !core.starts_with(b"-")
        && is_top_label(top)
}

/// True if the token `core` starts with the top-level domain that completes `host`:
/// `http://host.` + `org/a`, `http://www.host` + `.org`.
///
/// The domain must be one of [`TOPS`], and not a word of prose without a path (`info`). A host that
/// doesn't end with a dot must start with `www.`.
pub(super) fn completes_host(host: &[u8], core: &[u8]) -> bool {
    let label = core.strip_prefix(b".").unwrap_or(core);
    let len = label.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let (label, after) = label.split_at(len);
    let is_top = TOPS.contains(&label) && matches!(after, [] | [b'/', ..]);
    let is_word = after.is_empty() && matches!(label, b"net" | b"int" | b"info" | b"mil");
    let (host, has_dot) = match host {
        [host @ .., b'.'] => (host, !core.starts_with(b".") && !is_word),
        host => (host, core.starts_with(b".") && host.starts_with(b"www.")),
    };
    let name = host.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    is_top && has_dot && name.len() > 1 && !is_top_label(name)
}

/// Last labels of hosts other than [`TOPS`] and country codes: common top-level domains of recent
/// years, and names in private networks and examples.
const OTHER_TOPS: [&[u8]; 32] = [
    b"aero",
    b"app",
    b"arpa",
    b"biz",
    b"blog",
    b"cloud",
    b"coop",
    b"corp",
    b"dev",
    b"example",
    b"home",
    b"host",
    b"internal",
    b"intranet",
    b"invalid",
    b"lan",
    b"local",
    b"localdomain",
    b"localhost",
    b"museum",
    b"name",
    b"news",
    b"online",
    b"onion",
    b"page",
    b"pro",
    b"shop",
    b"site",
    b"space",
    b"tech",
    b"test",
    b"xyz",
];

#[cfg(test)]
mod tests {
    use super::completes_host;

    #[test]
    fn top_level_domain_completes_the_host() {
        let completes = |host: &str, core: &str| completes_host(host.as_bytes(), core.as_bytes());
        for (host, core) in [
            ("host.", "org/tds"),
            ("www.host.", "com"),
            ("a.host.", "info/x"),
            ("www.host", ".org"),
            ("www.host", ".edu/~joe"),
        ] {
            assert!(completes(host, core), "{host} {core}");
        }
        for (host, core) in [
            ("host.", "info"),
            ("host.", "organ/a"),
            ("host.com.", "org/a"),
            ("host.", ".org"),
            ("host", ".org"),
            ("www.host.com", ".net"),
            ("www.host", "org/a"),
            ("a.", "org/a"),
        ] {
            assert!(!completes(host, core), "{host} {core}");
        }
    }
}

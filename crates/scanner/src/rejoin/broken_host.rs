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

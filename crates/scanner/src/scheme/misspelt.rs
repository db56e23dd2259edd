//! What a name that is no scheme was meant to be.

use super::known::classic_shape;

/// The schemes that people misspell. Of two that a name is as near to, the earlier is meant: `http` rather than `https`
/// costs nobody a certificate.
const MISSPELT: [&str; 4] = ["http", "https", "gopher", "telnet"];

/// The schemes of which the beginning or the end alone tells what they were.
const TORN: [&str; 2] = ["http", "https"];

/// How many letters must be left of one, in bytes.
const SHORTEST_REMNANT: usize = 2;

/// The scheme that is meant by a `name` one keystroke away from it, or by what a torn line left of `http` or `https`, in
/// any case: `http` by `htttp` and by `tp`. `None` for any other name, those of schemes included. Linear in the name.
///
/// ```
/// assert_eq!(urlsift_scanner::meant_scheme(b"htttp"), Some("http"));
/// assert_eq!(urlsift_scanner::meant_scheme(b"tps"), Some("https"));
/// assert_eq!(urlsift_scanner::meant_scheme(b"sftp"), None);
/// ```
pub fn meant_scheme(name: &[u8]) -> Option<&'static str> {
    let is_remnant = |known: &&&str| {
        let (len, known) = (name.len(), known.as_bytes());
        len >= SHORTEST_REMNANT
            && len < known.len()
            && (known[..len].eq_ignore_ascii_case(name)
                || known[known.len() - len..].eq_ignore_ascii_case(name))
    };
    if classic_shape(name).is_some() {
        return None;
    }
    let one_off = MISSPELT.iter().find(|known| is_one_off(name, known.as_bytes()));
    one_off.or_else(|| TORN.iter().find(is_remnant)).copied()
}

/// Whether one letter was left out, added, replaced, or swapped with its neighbour.
fn is_one_off(a: &[u8], b: &[u8]) -> bool {
    let same = |x: &(&u8, &u8)| x.0.eq_ignore_ascii_case(x.1);
    let head = a.iter().zip(b).take_while(same).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(same).count();
    let (left, right) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    match (left, right) {
        ([_], [] | [_]) | ([], [_]) => true,
        ([one, two], [other_two, other_one]) => {
            one.eq_ignore_ascii_case(other_one) && two.eq_ignore_ascii_case(other_two)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_keystroke() {
        for typo in ["htttp", "htp", "hhtp", "ttp", "htpp", "http1", "HTPP", "htttps", "goper"] {
            assert!(meant_scheme(typo.as_bytes()).is_some(), "{typo}");
        }
        for torn in ["ht", "htt", "tp", "PS", "tps", "ttps"] {
            assert!(meant_scheme(torn.as_bytes()).is_some(), "{torn}");
        }
        for other in ["s", "ft", "net", "http", "https", "ftp", "hxxps", "sftp", "git", "xmpp"] {
            assert_eq!(meant_scheme(other.as_bytes()), None, "{other}");
        }
        assert_eq!(meant_scheme(b"htp"), Some("http"));
        assert_eq!(meant_scheme(b"httpz"), Some("http"));
        assert_eq!(meant_scheme(b"htps"), Some("https"));
    }
}

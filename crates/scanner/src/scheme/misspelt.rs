//! Corrections of misspelled schemes.

use super::known::classic_shape;

/// The schemes that are recognized when misspelled. If a name is equally close to two of them, the
/// earlier one is chosen: `http` comes before `https`, since it works without a certificate.
const MISSPELT: [&str; 4] = ["http", "https", "gopher", "telnet"];

/// The schemes that are recognized from their first or last letters alone.
const FRAGMENTED: [&str; 2] = ["http", "https"];

/// The minimum length of a part of a scheme that is recognized, in bytes.
const MIN_FRAGMENT: usize = 2;

/// Returns the correct spelling of a misspelled scheme `name`. Case doesn't matter. Returns `None`
/// for any other name, also for a correct scheme.
///
/// A misspelled name is one keystroke away from a scheme (`htttp`), or is what a line break has
/// left of `http` or `https` (`tp`). Takes linear time in the length of the name.
///
/// ```
/// assert_eq!(urlsift_scanner::corrected_scheme(b"htttp"), Some("http"));
/// assert_eq!(urlsift_scanner::corrected_scheme(b"tps"), Some("https"));
/// assert_eq!(urlsift_scanner::corrected_scheme(b"sftp"), None);
/// ```
pub fn corrected_scheme(name: &[u8]) -> Option<&'static str> {
    let is_remnant = |known: &&&str| {
        let (len, known) = (name.len(), known.as_bytes());
        len >= MIN_FRAGMENT
            && len < known.len()
            && (known[..len].eq_ignore_ascii_case(name)
                || known[known.len() - len..].eq_ignore_ascii_case(name))
    };
    if classic_shape(name).is_some() {
        return None;
    }
    let letters = Letters::pack(name)?;
    let one_off = MISSPELT.iter().zip(&LETTERS).find(|(_, known)| letters.is_one_edit_away(known));
    one_off.map(|(known, _)| known).or_else(|| FRAGMENTED.iter().find(is_remnant)).copied()
}

/// A short name in lower case, packed into a number for fast comparison. The first letter is in the
/// lowest byte.
#[derive(Clone, Copy)]
struct Letters {
    bytes: u64,
    len: u32,
}

/// The packed names of [`MISSPELT`].
static LETTERS: [Letters; MISSPELT.len()] = {
    let mut all = [Letters { bytes: 0, len: 0 }; MISSPELT.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = Letters::pack(MISSPELT[at].as_bytes()).expect("the name is short");
        at += 1;
    }
    all
};

impl Letters {
    /// Packs a name of one to eight bytes. Returns `None` for an empty or longer one.
    const fn pack(name: &[u8]) -> Option<Self> {
        if name.is_empty() || name.len() > size_of::<u64>() {
            return None;
        }
        let (mut bytes, mut len) = (0, 0);
        while len < name.len() {
            bytes |= (name[len].to_ascii_lowercase() as u64) << (8 * len);
            len += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "it is at most eight")]
        Some(Self { bytes, len: len as u32 })
    }

    /// Returns the number shifted so that the name's last letter is in the highest byte.
    const fn aligned_at_end(self) -> u64 {
        self.bytes << (u64::BITS - 8 * self.len)
    }

    /// True if the names differ in a single letter that was omitted, added, replaced, or swapped
    /// with its neighbor.
    fn is_one_edit_away(self, other: &Self) -> bool {
        let shorter = self.len.min(other.len);
        let head = ((self.bytes ^ other.bytes).trailing_zeros() / 8).min(shorter);
        let tail = (self.aligned_at_end() ^ other.aligned_at_end()).leading_zeros() / 8;
        let tail = tail.min(shorter - head);
        let byte = |letters: &Self, at: u32| letters.bytes >> (8 * at) & 0xFF;
        let is_at = |at, other_at| byte(&self, at) == byte(other, other_at);
        match (self.len - head - tail, other.len - head - tail) {
            (1, 0 | 1) | (0, 1) => true,
            (2, 2) => is_at(head, head + 1) && is_at(head + 1, head),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_keystroke_is_corrected() {
        for typo in ["htttp", "htp", "hhtp", "ttp", "htpp", "http1", "HTPP", "htttps", "goper"] {
            assert!(corrected_scheme(typo.as_bytes()).is_some(), "{typo}");
        }
        for torn in ["ht", "htt", "tp", "PS", "tps", "ttps"] {
            assert!(corrected_scheme(torn.as_bytes()).is_some(), "{torn}");
        }
        for other in ["s", "ft", "net", "http", "https", "ftp", "hxxps", "sftp", "git", "xmpp"] {
            assert_eq!(corrected_scheme(other.as_bytes()), None, "{other}");
        }
        for far in ["", "h", "phtt", "tthp", "httpsss", "gopherer", "gopherspace", "telent1"] {
            assert_eq!(corrected_scheme(far.as_bytes()), None, "{far}");
        }
        assert_eq!(corrected_scheme(b"htp"), Some("http"));
        assert_eq!(corrected_scheme(b"httpz"), Some("http"));
        assert_eq!(corrected_scheme(b"htps"), Some("https"));
    }

    #[test]
    fn every_single_edit_is_corrected() {
        for known in MISSPELT.map(str::as_bytes) {
            for at in 0..=known.len() {
                let (head, tail) = known.split_at(at);
                let mut slips = vec![[head, b"x", tail].concat()];
                if let Some((letter, rest)) = tail.split_first() {
                    slips.extend([[head, rest].concat(), [head, b"X", rest].concat()]);
                    if let Some((next, rest)) = rest.split_first() {
                        slips.push([head, &[*next, *letter], rest].concat());
                    }
                }
                for slip in slips.iter().filter(|slip| classic_shape(slip).is_none()) {
                    assert!(corrected_scheme(slip).is_some(), "{}", slip.escape_ascii());
                }
            }
        }
    }
}

//! The character sets of the grammars: one table with a bit for each set.
//!
//! Escapes (`%` and two digits) and non-ASCII characters are not in the table: see
//! [`escape::run_end`](crate::escape::run_end).

/// A set of bytes, as one or several bits of the entries in [`CLASSES`].
pub(crate) type Set = u32;

pub(crate) const ALPHA: Set = 1;
pub(crate) const DIGIT: Set = 1 << 1;
pub(crate) const HEX: Set = 1 << 2;
/// scheme = 1*( ALPHA / DIGIT / "+" / "-" / "." )
pub(crate) const SCHEME: Set = 1 << 3;
/// The characters of a host name: ALPHA / DIGIT / "-" / "."
pub(crate) const HOSTNAME: Set = 1 << 4;

// RFC 1738 §5. Escapes are allowed in each of these, unless the comment says otherwise.

/// unreserved = ALPHA / DIGIT / safe / extra
pub(crate) const UCHAR: Set = 1 << 5;
/// user, password = *( uchar / ";" / "?" / "&" / "=" )
pub(crate) const USER: Set = 1 << 6;
/// hsegment = *( uchar / ";" / ":" / "@" / "&" / "=" ), and the "/" between two of them
pub(crate) const HPATH: Set = 1 << 7;
/// search = *( uchar / ";" / ":" / "@" / "&" / "=" )
pub(crate) const SEARCH: Set = 1 << 8;
/// fsegment, psegment = *( uchar / "?" / ":" / "@" / "&" / "=" ), and the "/" between two of them
pub(crate) const FPATH: Set = 1 << 9;
/// fieldname, fieldvalue = *( uchar / "?" / ":" / "@" / "&" )
pub(crate) const FIELD: Set = 1 << 10;
/// unique = 1*( uchar / ";" / "/" / "?" / ":" / "&" / "=" )
pub(crate) const UNIQUE: Set = 1 << 11;
/// group = ALPHA *( ALPHA / DIGIT / "-" / "." / "+" / "_" ), no escapes
pub(crate) const GROUP: Set = 1 << 12;
/// xchar = unreserved / reserved / escape
pub(crate) const XCHAR: Set = 1 << 13;

// RFC 3986 Appendix A, RFC 6068 §2, RFC 5538 §§3-4.

/// unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"
pub(crate) const UNRESERVED: Set = 1 << 14;
/// reg-name = *( unreserved / pct-encoded / sub-delims )
pub(crate) const REG_NAME: Set = 1 << 15;
/// userinfo, idchar = unreserved / pct-encoded / sub-delims / ":"
pub(crate) const USERINFO: Set = 1 << 16;
/// wseg = segment = *( unreserved / pct-encoded / sub-delims / ":" / "@" )
pub(crate) const SEGMENT: Set = 1 << 17;
/// pchar, and the "/" between segments
pub(crate) const PATH: Set = 1 << 18;
/// query = *( pchar / "/" / "?" )
pub(crate) const QUERY: Set = 1 << 19;
/// fragment: the same bytes as a query; separate because RFC 3987 allows `iprivate` in queries only
pub(crate) const FRAGMENT: Set = 1 << 20;
/// mlocal = 1*( unreserved / pct-encoded / "!" / "$" / "'" / "*" / "+" )
pub(crate) const MLOCAL: Set = 1 << 21;
/// mdomain: mlocal or ":"
pub(crate) const MDOMAIN: Set = 1 << 22;
/// qchar = unreserved / pct-encoded / "!" / "$" / "'" / "(" / ")" / "*" / "+" / "," / ";" / ":" /
/// "@"
pub(crate) const QCHAR: Set = 1 << 23;
/// newsgroups: unreserved / pct-encoded / "$" / "&" / "'" / "(" / ")" / "*" / "+" / ";" / "=" / ":"
pub(crate) const NEWSGROUPS: Set = 1 << 24;

/// The characters that RFC 1738 §2.2 calls unsafe, without space, `#`, `%` and `~`.
pub(crate) const UNSAFE: Set = 1 << 25;
/// The unsafe characters that profile `web` accepts and treats as percent-encoded: braces, square
/// brackets, `|`, `^`, `\` and the backquote.
pub(crate) const REPAIRABLE: Set = 1 << 26;

/// xalpha of the 1994 draft, without its escapes
pub(crate) const XALPHA: Set = 1 << 27;
/// The characters of an atom in RFC 822.
pub(crate) const ATOM: Set = 1 << 28;

/// The characters of a query in profile `web`: [`QUERY`], [`REPAIRABLE`], and `%`, which may occur
/// without digits.
pub(crate) const WEB_QUERY: Set = 1 << 29;

/// The ASCII characters that cause no finding: all except `%` and [`REPAIRABLE`].
pub(crate) const QUIET: Set = 1 << 30;

/// The sets that contain each byte.
pub(crate) static CLASSES: [Set; 256] = build_classes();

/// Adds each of `bytes` to the character sets whose bits are set in `set`. `table` is the table
/// that becomes [`CLASSES`].
const fn add_to_sets(table: &mut [Set; 256], bytes: &[u8], set: Set) {
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] |= set;
        i += 1;
    }
}

/// Builds [`CLASSES`], the table of the character sets that contain each byte.
const fn build_classes() -> [Set; 256] {
    const ALNUM: Set = SCHEME
        | HOSTNAME
        | UCHAR
        | USER
        | HPATH
        | SEARCH
        | FPATH
        | FIELD
        | UNIQUE
        | GROUP
        | XCHAR
        | OF_UNRESERVED
        | XALPHA
        | ATOM;
    // `OF_X` are the sets that contain all characters of X.
    const OF_UCHAR: Set = UCHAR | USER | HPATH | SEARCH | FPATH | FIELD | UNIQUE | XCHAR;
    const OF_UNRESERVED: Set = UNRESERVED | MLOCAL | MDOMAIN | QCHAR | NEWSGROUPS | OF_SUB_DELIMS;
    const OF_SUB_DELIMS: Set = REG_NAME | USERINFO | SEGMENT | OF_PATH;
    const OF_PATH: Set = PATH | OF_QUERY;
    const OF_QUERY: Set = QUERY | FRAGMENT | WEB_QUERY;

    let mut t = [0; 256];
    add_to_sets(&mut t, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", ALPHA | ALNUM);
    add_to_sets(&mut t, b"0123456789", DIGIT | HEX | ALNUM);
    add_to_sets(&mut t, b"ABCDEFabcdef", HEX);
    add_to_sets(&mut t, b"+-.", SCHEME);
    add_to_sets(&mut t, b"-.", HOSTNAME);

    add_to_sets(&mut t, b"$-_.+!*'(),", OF_UCHAR);
    add_to_sets(&mut t, b";?&=", USER);
    add_to_sets(&mut t, b"/;:@&=", HPATH);
    add_to_sets(&mut t, b";:@&=", SEARCH);
    add_to_sets(&mut t, b"/?:@&=", FPATH);
    add_to_sets(&mut t, b"?:@&", FIELD);
    add_to_sets(&mut t, b";/?:&=", UNIQUE);
    add_to_sets(&mut t, b"-.+_", GROUP);
    add_to_sets(&mut t, b";/?:@&=", XCHAR);

    add_to_sets(&mut t, b"-._~", OF_UNRESERVED);
    add_to_sets(&mut t, b"!$&'()*+,;=", OF_SUB_DELIMS);
    add_to_sets(&mut t, b":", USERINFO | SEGMENT | OF_PATH);
    add_to_sets(&mut t, b"@", SEGMENT | OF_PATH);
    add_to_sets(&mut t, b"/", OF_PATH);
    add_to_sets(&mut t, b"?", OF_QUERY);
    add_to_sets(&mut t, b"!$'*+", MLOCAL | MDOMAIN | QCHAR);
    add_to_sets(&mut t, b":", MDOMAIN | NEWSGROUPS);
    add_to_sets(&mut t, b"(),;:@", QCHAR);
    add_to_sets(&mut t, b"$&'()*+;=", NEWSGROUPS);

    add_to_sets(&mut t, b"<>\"{}|\\^[]`", UNSAFE);
    add_to_sets(&mut t, b"{}[]|^`\\", REPAIRABLE | WEB_QUERY);
    add_to_sets(&mut t, b"%", WEB_QUERY);

    add_to_sets(&mut t, b"$-_@.&!*\"'():;, ", XALPHA);
    add_to_sets(&mut t, b"!#$%&'*+-/=?^_`{|}~", ATOM);
    let mut byte = 0;
    while byte < 0x80 {
        if byte != b'%' as usize && t[byte] & REPAIRABLE == 0 {
            t[byte] |= QUIET;
        }
        byte += 1;
    }
    t
}

/// True if `byte` is in at least one of the character sets whose bits are set in `set`.
#[inline]
pub(crate) const fn is_in(byte: u8, set: Set) -> bool {
    CLASSES[byte as usize] & set != 0
}

/// True if `text` has a byte at offset `at`, and this byte is in at least one of the character sets
/// in `set`.
#[inline]
pub(crate) fn byte_at_is_in(text: &[u8], at: usize, set: Set) -> bool {
    text.get(at).is_some_and(|&b| is_in(b, set))
}

/// Returns the offset of the first byte at or after `at` that is in none of the character sets in
/// `set`. Returns the text's length if there is no such byte.
#[inline]
pub(crate) fn skip_set(text: &[u8], mut at: usize, set: Set) -> usize {
    while byte_at_is_in(text, at, set) {
        at += 1;
    }
    at
}

/// Returns the offset of the first byte at or after `at` that is not in `single_set`.
/// Returns the text's length if there is no such byte. Tests eight bytes at a time, unlike
/// [`skip_set`], and accepts only a single set.
///
/// It is fastest if the bytes before `at` are in the set as well. The last eight bytes of the text
/// can then be tested together, even if some of them are before `at`.
#[inline]
pub(crate) fn skip_set_by_chunks(text: &[u8], mut at: usize, single_set: Set) -> usize {
    debug_assert!(single_set.is_power_of_two());
    let all =
        |chunk: &[u8; 8]| chunk.iter().fold(single_set, |all, &b| all & CLASSES[b as usize]) != 0;
    while let Some((chunk, rest)) = text.get(at..).and_then(|rest| rest.split_first_chunk::<8>()) {
        if !all(chunk) {
            return skip_set(text, at, single_set);
        }
        at += 8;
        if rest.len() < 8 {
            break;
        }
    }
    if text.last_chunk::<8>().is_some_and(all) {
        text.len()
    } else {
        skip_set(text, at, single_set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skips_to_the_first_other_byte() {
        for length in 0..70 {
            for other in 0..=length {
                let mut text = [b'a'; 70];
                text[other] = b'<';
                let text = &text[..length];
                for at in 0..=other.min(length) {
                    assert_eq!(skip_set_by_chunks(text, at, WEB_QUERY), other.min(length));
                }
            }
        }
    }
}

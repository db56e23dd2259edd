//! The two ends at a break: how the URL so far ends, and what it would go on with.

use super::tail::{Tail, has_suffix, holds_url, joined_has_suffix};

/// The end of the URL so far, and the token that starts the next line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends<'t> {
    /// The URL so far, on this line and those before it.
    pub(super) head: &'t [u8],
    /// Its path and all that follows; empty if it has none.
    pub(super) path: &'t [u8],
    pub(super) tail: Tail<'t>,
    /// Whether what opened right before the URL closes right behind the token.
    pub(super) closes: bool,
    /// Whether the token completes what the URL so far has begun.
    pub(super) completes: bool,
    /// Whether the break stands within the host's name, and the token goes on with that.
    pub(super) host_goes_on: bool,
    host: &'t [u8],
}

impl<'t> Ends<'t> {
    /// `None` if the token is a thing of its own, and no more of the URL.
    pub(super) fn new(head: &'t [u8], tail: Tail<'t>, closes: bool) -> Option<Self> {
        // Slashes follow the first colon, or nothing would be weighed.
        let colon = head.iter().position(|byte| *byte == b':').unwrap_or(head.len());
        let rest = head.get(colon + 3..).unwrap_or_default();
        let ends_host = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
        let host = rest.iter().position(ends_host).unwrap_or(rest.len());
        let (host, path) = rest.split_at(host);
        let is_host = path.is_empty();
        let core = tail.core;
        let host_goes_on = is_host
            && if host.ends_with(b":") {
                is_port(core)
            } else if host.contains(&b'.') {
                host.ends_with(b".")
                    && core.first().is_some_and(u8::is_ascii_lowercase)
                    && !tail.is_word()
                    && core.iter().any(|byte| matches!(byte, b'.' | b'/'))
            } else {
                core.contains(&b'.') && core.first().is_some_and(u8::is_ascii_alphanumeric)
            };
        let ends = Self { head, path, tail, closes, completes: false, host_goes_on, host };
        if ends.is_other_thing() {
            return None;
        }
        Some(Self { completes: completes(head, path, &tail, closes), ..ends })
    }

    /// Whether the last byte is one that hardly a URL ends with.
    pub(super) fn is_open(&self) -> bool {
        let is_open = self.head.last().is_some_and(|last| is_open_end(*last));
        // A question may end in a URL, and a dash stands behind one.
        let asks = self.head.ends_with(b"?") && self.tail.is_word();
        is_open && !asks && !self.head.ends_with(b"--") && !self.head.ends_with(b"__")
    }

    /// Whether a hyphen stands between the two, as it may do in both.
    pub(super) fn is_at_hyphen(&self) -> bool {
        matches!(self.head, [.., a, b'-'] if a.is_ascii_alphanumeric())
            && self.tail.core.first().is_some_and(u8::is_ascii_alphanumeric)
    }

    /// Whether a hyphen stands where formatters divide a word: not before a digit, nor where a capital follows a small
    /// letter.
    pub(super) fn may_divide_word(&self) -> bool {
        let first = self.tail.core.first();
        let is_new_word = first.is_some_and(u8::is_ascii_uppercase)
            && matches!(self.head, [.., a, b'-'] if !a.is_ascii_uppercase());
        self.is_at_hyphen() && !is_new_word && !first.is_some_and(u8::is_ascii_digit)
    }

    /// Whether the token has a path or a query, but a fragment has begun that holds neither, being no route of a program.
    pub(super) fn leaves_fragment(&self) -> bool {
        memchr::memchr3(b'/', b'=', b'&', self.tail.core).is_some()
            && memchr::memchr(b'#', self.path)
                .is_some_and(|at| !matches!(self.path.get(at + 1), Some(b'/' | b'!')))
    }

    /// Whether the URL so far looks whole: it is no more than a host, or ends in a file's suffix.
    pub(super) fn is_complete(&self) -> bool {
        let goes_deeper =
            self.tail.core.first().is_some_and(|b| matches!(b, b'/' | b'?' | b'#' | b':'));
        let is_host = self.path.is_empty() && self.host.contains(&b'.') && !self.host_goes_on;
        (is_host || self.is_file()) && !goes_deeper && !self.is_open() && !self.completes
    }

    /// Whether it is a file's, and the token could be no more than the rest of a suffix that is complete.
    pub(super) fn is_whole_file(&self) -> bool {
        let first = self.tail.core.first();
        first.is_some_and(u8::is_ascii_alphanumeric)
            && !self.closes
            && !self.completes
            && !matches!(self.head, [.., b'.', _])
            && self.is_file()
    }

    fn is_file(&self) -> bool {
        // No suffix ends otherwise.
        if !self.path.last().is_some_and(u8::is_ascii_alphanumeric) {
            return false;
        }
        let has_more = self.path.iter().any(|byte| matches!(byte, b'?' | b'#'));
        // One letter behind a dot may be the beginning of a longer suffix.
        let may_grow = matches!(self.head, [.., b'.', _])
            && self.tail.lone
            && self.tail.core.first().is_some_and(u8::is_ascii_alphanumeric);
        !has_more && !may_grow && has_suffix(self.path)
    }

    /// Whether the token is a word, and not the rest of one that was broken.
    pub(super) fn is_word(&self) -> bool {
        let tail = &self.tail;
        let is_rest = tail.is_scrap() || (tail.lone && is_same_run(self.head, tail.core));
        tail.is_word() && !is_rest && !self.completes && !self.closes
    }

    /// Whether the token is a thing of its own, and no more of the URL.
    fn is_other_thing(&self) -> bool {
        let Self { tail, closes, .. } = *self;
        let core = tail.core;
        let is_query = |byte: &u8| matches!(byte, b'=' | b'&' | b'%');
        !closes && ((!self.host_goes_on && tail.is_listed()) || tail.is_other_thing())
            || is_option(core)
            || (core.starts_with(b"?") && self.is_file() && !core.iter().any(is_query))
            || (tail.is_host() && !self.path.is_empty() && !self.is_open())
            || (!closes && self.is_setting())
            || (core.contains(&b'#') && self.path.contains(&b'#'))
            || repeats(self.path, core)
            || (self.path.ends_with(b"/") && tail.is_serial())
    }

    /// Whether the token sets something by its name, where no query has begun that it could be part of.
    fn is_setting(&self) -> bool {
        let has_begun = self.path.iter().any(|byte| matches!(byte, b'?' | b';' | b'='));
        !has_begun && !self.is_open() && self.tail.sets()
    }

    /// Whether the line below is one token of the same kind: both are of a list.
    pub(super) fn is_series(&self, below: &[u8], hangs: bool) -> bool {
        if !self.tail.lone || below.is_empty() {
            return false;
        }
        let is_file = self.tail.has_suffix();
        let assigns = self.tail.may_set() && is_assignment(self.tail.core);
        let is_path = !hangs && self.tail.core.starts_with(b"/");
        if !is_file && !assigns && !is_path {
            return false;
        }
        let next = Tail::new(below, None);
        // Another URL below says nothing.
        let is_url = holds_url(next.token);
        next.lone
            && !is_url
            && (is_file && next.has_suffix()
                || assigns && is_assignment(next.core)
                || is_path && next.core.starts_with(b"/"))
    }

    /// Whether the token is a name with a slash before it, as some sign.
    pub(super) fn is_name_behind_slash(&self) -> bool {
        let [b'/', first, rest @ ..] = self.tail.core else { return false };
        first.is_ascii_uppercase() && !rest.is_empty() && rest.iter().all(u8::is_ascii_lowercase)
    }
}

/// Whether hardly a URL ends with this byte.
pub(super) const fn is_open_end(last: u8) -> bool {
    matches!(last, b'=' | b'&' | b'?' | b'%' | b'-' | b'_' | b'+' | b'#')
}

/// Whether the token completes what the URL so far has begun: a file's suffix, an escape, `cgi-bin`.
fn completes(head: &[u8], path: &[u8], tail: &Tail<'_>, closes: bool) -> bool {
    let core = tail.core;
    let grows = || {
        !path.ends_with(b"/")
            && !path.iter().any(|byte| matches!(byte, b'?' | b'#'))
            && (tail.lone || closes || !head.ends_with(b"."))
            && !tail.is_capitalised()
            && tail.is_one_piece()
            && joined_has_suffix(path, tail)
    };
    let is_hex = |at: usize| core.get(at).is_some_and(u8::is_ascii_hexdigit);
    let escape = match head {
        [.., b'%'] => is_hex(0) && is_hex(1),
        [.., b'%', a] => a.is_ascii_hexdigit() && is_hex(0),
        _ => false,
    };
    escape || (head.ends_with(b"/cgi-") && core.starts_with(b"bin")) || grows()
}

/// Whether it starts with a port's number and a slash.
fn is_port(core: &[u8]) -> bool {
    let digits = core.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
    (2..=5).contains(&digits) && core.get(digits) == Some(&b'/')
}

/// Whether a run of digits, or of capitals, goes on over the break.
fn is_same_run(head: &[u8], core: &[u8]) -> bool {
    let [.., a, b] = head else { return false };
    let both = |is: fn(&u8) -> bool| {
        let follows = |byte: &u8| is(byte) || byte.is_ascii_digit();
        is(a) && is(b) && core.first().is_some_and(is) && core.get(1).is_none_or(follows)
    };
    both(u8::is_ascii_digit) || both(u8::is_ascii_uppercase)
}

/// Whether the token is an option, a signature's name behind a dash, or a telephone number.
fn is_option(core: &[u8]) -> bool {
    match core {
        [b'-', rest @ ..] => {
            rest.len() < 3 || rest[0] == b'-' || rest.iter().all(u8::is_ascii_alphabetic)
        }
        [b'+', rest @ ..] => {
            rest.iter().all(|byte| byte.is_ascii_digit() || b"-.()/".contains(byte))
        }
        _ => false,
    }
}

/// Whether it reads `NAME=value`.
fn is_assignment(core: &[u8]) -> bool {
    let Some(equals) = memchr::memchr(b'=', core) else { return false };
    let is_of_name = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    equals > 2 && core[..equals].iter().all(is_of_name)
}

/// Whether the token names once more what the URL ends with: it starts as the URL's last segment does, or the URL ends with all of it.
fn repeats(path: &[u8], core: &[u8]) -> bool {
    if core.len() >= REPEATED && path.ends_with(core) {
        return true;
    }
    let Some(head) = core.first_chunk::<4>() else { return false };
    let name = path.rsplit(|&byte| matches!(byte, b'/' | b'=' | b'?')).next().unwrap_or_default();
    name.first_chunk::<4>().is_some_and(|name| name.eq_ignore_ascii_case(head))
}

/// Bytes at the end of a URL that are not met again by chance.
const REPEATED: usize = 8;

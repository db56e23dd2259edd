//! Finds possible passwords in one pass over a text.
//!
//! A *gap* is a run of white space, or a line break with the quote prefix after it, that interrupts
//! a user name or password. A *candidate* is the start of a possible password, which becomes a
//! password when an `@` follows.

use super::symbol::{LEVELS, Symbol};
use crate::registry::{self, Registered};
use crate::scheme::{Scheme, SchemePart};
use crate::{Span, simd};
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use wide::u8x16;

/// The maximum number of gaps within a user name or password, in a text that is not known to be one
/// URL.
const MAX_GAPS: u32 = 2;
/// The maximum number of bytes to examine for a host name, a port or an IP literal.
const MAX_NAME_LEN: usize = 256;
/// Punctuation that may follow a URL in a sentence.
const PUNCTUATION: &[u8] = b".,;:!?)]}'";

/// A class of bytes, which decides how many of them can be skipped at once.
#[derive(Clone, Copy)]
enum ByteClass {
    /// A byte that is allowed in scheme names.
    Letter,
    /// A byte that ends a word and has no other effect.
    Other,
    /// A delimiter, or the first byte of an encoded delimiter (`%3A`, `&#58;`, `\u003a`, `：`).
    Special,
}

/// The class of each byte.
const CLASSES: [ByteClass; 256] = {
    let mut kinds = [ByteClass::Other; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        kinds[byte as usize] = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b'/' | b'\\' | b':' | b'@' | b'?' | b'#' | b'['
            | b'(' | b'%' | b'&' => ByteClass::Special,
            b'+' | b'-' | b'.' => ByteClass::Letter,
            _ if byte.is_ascii_alphanumeric() => ByteClass::Letter,
            _ => ByteClass::Other,
        };
        byte += 1;
    }
    // The first byte of a fullwidth delimiter.
    kinds[0xEF] = ByteClass::Special;
    kinds
};

/// Returns a vector that marks the bytes with which a colon, slash or backslash may start, in any
/// spelling (`:`, `%3A`, `&#58;`). Every user name or password comes after one of these.
#[inline]
fn may_start_user(bytes: u8x16) -> u8x16 {
    let of = |byte| simd::equal_to(bytes, byte);
    of(b':') | of(b'/') | of(b'\\') | of(b'%') | of(b'&') | of(0xEF)
}

/// The last scheme name (or other word) with a colon after it.
#[derive(Clone, Copy)]
struct NamedScheme {
    /// The offset after the colon.
    at: usize,
    scheme: Scheme,
}

/// The user name (or host) at the start of the current authority, so far. It ends at the
/// authority's first colon.
struct UserName {
    start: usize,
    level: usize,
    /// The number of gaps in the name.
    gaps: u32,
    /// True if a colon precedes the authority's slashes (`http://`), so that a gap may follow them.
    is_named: bool,
    scheme: Scheme,
}

/// The start of text that is a password if an `@` follows.
#[derive(Clone, Copy)]
struct Candidate {
    start: usize,
    /// The value of [`Finder::gaps`] at the start of the password's user name. A lower value means
    /// that the password may contain fewer gaps.
    gaps: u32,
}

/// A finder for passwords, which makes one pass over a text. The fields describe the text read so
/// far.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact about the text so far")]
pub(super) struct Finder<'t> {
    text: &'t [u8],
    /// True if the whole text is one URL.
    is_url: bool,
    /// The start of the current word, i.e. after the last byte that is not allowed in scheme names.
    word: usize,
    /// The offset after the last slash, or `usize::MAX`.
    slash: usize,
    /// The number of consecutive slashes that end at offset `slash`.
    slashes: u32,
    /// The last slash character, `/` or `\`, or 0 before the first one.
    slash_before: u8,
    /// The number of gaps so far plus [`MAX_GAPS`], so that the gaps of a user name can be
    /// subtracted.
    gaps: u32,
    /// The last word before a colon, if it may be the scheme of the next authority.
    named: Option<NamedScheme>,
    /// The current authority, until its first colon or its end.
    user: Option<UserName>,
    /// Candidates that an `@` would complete, in order, by the percent-encoding level of the
    /// slashes before their authority.
    candidates: [VecDeque<Candidate>; LEVELS],
    /// True if the current password may contain a question mark.
    has_login: bool,
    /// The start of the candidate without a scheme, as in `joe:secret@www.host.dom`.
    bare: Option<usize>,
    /// True after `mailto:`, up to the next gap.
    is_mail: bool,
    /// True in a header field of a `mailto` URL other than `body`. A colon there is punctuation
    /// (`Subject=Re%3A`).
    is_mail_header: bool,
    found: Vec<Span>,
    /// True if no byte is skipped.
    #[cfg(test)]
    pub(super) visits_all: bool,
}

impl<'t> Finder<'t> {
    pub(super) fn new(text: &'t [u8], is_url: bool) -> Self {
        Self {
            text,
            is_url,
            word: 0,
            slash: usize::MAX,
            slashes: 0,
            slash_before: 0,
            gaps: MAX_GAPS,
            named: None,
            user: None,
            candidates: Default::default(),
            has_login: false,
            bare: None,
            is_mail: false,
            is_mail_header: false,
            found: Vec::new(),
            #[cfg(test)]
            visits_all: false,
        }
    }

    /// Returns the spans of all passwords that start before byte `until`, in no particular order.
    /// May also return some that start later.
    ///
    /// If `is_truncated` is true, the text is truncated. A candidate that reaches the end of the
    /// text without a gap is then returned as well.
    pub(super) fn find_passwords(mut self, until: usize, is_truncated: bool) -> Vec<Span> {
        let mut at = self.skip_to_possible_start(0);
        let mut gaps_after_limit = 0;
        while let Some(&byte) = self.text.get(at) {
            match CLASSES[usize::from(byte)] {
                ByteClass::Letter => {
                    at += 1;
                    continue;
                }
                ByteClass::Other => {
                    at += 1;
                    self.word = at;
                    continue;
                }
                ByteClass::Special => {}
            }
            let Some(symbol) = Symbol::decode_at(self.text, at) else { break };
            match symbol.byte {
                b' ' | b'\t' | b'\r' | b'\n' if symbol.level == 0 => {
                    self.handle_at_word(at);
                    gaps_after_limit += u32::from(at >= until);
                    // A password that starts before `until` can't contain more gaps.
                    if gaps_after_limit > MAX_GAPS {
                        return self.found;
                    }
                    at = self.skip_gap(at, symbol);
                    at = self.skip_to_possible_start(at);
                    continue;
                }
                b'/' | b'\\' => self.handle_slash(at, symbol),
                b':' => self.handle_colon(at, symbol),
                b'@' => self.handle_at_sign(at, symbol),
                // An encoded space ends a candidate without a scheme.
                b' ' | b'\t' | b'\r' | b'\n' => self.bare = None,
                b'?' | b'#' => {
                    self.end_user_name(symbol);
                    self.handle_mail_field(symbol.end);
                }
                b'&' => self.handle_mail_field(symbol.end),
                b'(' | b'['
                    if symbol.level == 0 && at_word_end(self.text, symbol.end).is_some() =>
                {
                    self.handle_at_word(at);
                }
                b'[' if self.is_start_of_user(at) => {
                    if let Some(end) = ip_literal_end(self.text, at) {
                        at = end;
                        continue;
                    }
                }
                _ => {}
            }
            let is_letter = symbol.byte.is_ascii_alphanumeric() || b"+-.".contains(&symbol.byte);
            if !is_letter || symbol.level > 0 {
                self.word = symbol.end;
            }
            at = self.skip_to_possible_start(symbol.end);
        }
        if is_truncated
            && let Some(open) = self.earliest_candidate().filter(|open| open.gaps == self.gaps)
        {
            self.found.push(Span::new(open.start, self.text.len()));
        }
        self.found
    }

    /// Returns the next offset at or after `at` at which a user name or password may start. Returns
    /// `at` itself while one may be in progress.
    fn skip_to_possible_start(&mut self, at: usize) -> usize {
        #[cfg(test)]
        if self.visits_all {
            return at;
        }
        let is_open = self.user.is_some() || self.bare.is_some() || self.is_mail;
        let has_candidates = self.candidates.iter().any(|open| !open.is_empty());
        if is_open || has_candidates && self.earliest_candidate().is_some() {
            return at;
        }
        let next = simd::find_in_class(self.text, at, may_start_user).unwrap_or(self.text.len());
        let is_end = |byte: &u8| !matches!(CLASSES[usize::from(*byte)], ByteClass::Letter);
        if let Some(end) = self.text[at..next].iter().rposition(is_end) {
            self.word = at + end + 1;
        }
        next
    }

    /// True if the user name of the current authority starts at byte `at`.
    fn is_start_of_user(&self, at: usize) -> bool {
        self.user.as_ref().is_some_and(|user| user.start == at)
    }

    /// Skips the gap (white space within a user name or password) that starts at byte `start`, and
    /// returns its end. `first` is the first character of the gap, which may be an HTML character
    /// reference. A gap with an empty line discards all candidates.
    fn skip_gap(&mut self, start: usize, first: Symbol) -> usize {
        let (at, breaks) = gap_end(self.text, first.end, u32::from(first.byte == b'\n'));
        self.gaps += 1;
        (self.word, self.bare) = (at, None);
        (self.is_mail, self.is_mail_header) = (false, false);
        if breaks > 1 {
            self.user = None;
            self.candidates = Default::default();
        }
        if let Some(user) = &mut self.user {
            if user.start == start && user.is_named {
                user.start = at;
            } else {
                user.gaps += 1;
                if user.start == start || user.gaps > MAX_GAPS {
                    self.user = None;
                }
            }
        }
        at
    }

    /// Updates the state at a slash or backslash, which may start or end an authority.
    fn handle_slash(&mut self, at: usize, slash: Symbol) {
        self.slashes = if self.slash == at { self.slashes + 1 } else { 1 };
        self.slash = slash.end;
        self.named.take_if(|named| self.slashes == 1 && named.at != at);
        if let Some(user) = &mut self.user {
            // In `///host` the third slash is skipped. Only in a `file` URL does the third slash
            // start the path.
            if user.start == at && (user.scheme != Scheme::File || self.slashes < 2) {
                (user.start, user.level) = (slash.end, slash.level);
                return;
            }
            // A backslash doesn't end the authority: it may separate a Windows domain from the user
            // name.
            if user.level >= slash.level && slash.byte == b'/' {
                self.user = None;
            }
        }
        // A pair of different slashes (`/\`) only starts an authority after a colon, as in JSON's
        // `http:\/\/`.
        let is_pair = slash.byte == self.slash_before || self.named.is_some();
        self.slash_before = slash.byte;
        if self.slashes == 2 && is_pair {
            let is_named = at > 1 && !self.text[at - 2].is_ascii_whitespace();
            let scheme = self.named.map_or(Scheme::Other, |named| named.scheme);
            self.start_authority(slash, scheme, is_named);
        }
    }

    /// Records that an authority, and with it possibly a user name, starts after `delimiter`.
    /// `is_named` is true if a scheme's colon comes before the slashes.
    fn start_authority(&mut self, delimiter: Symbol, scheme: Scheme, is_named: bool) {
        let Symbol { level, end, .. } = delimiter;
        self.user = Some(UserName { start: end, level, gaps: 0, is_named, scheme });
    }

    /// Ends the user name of the current authority at `symbol`, a `?` or `#`, unless the URL's
    /// scheme allows this character in user names.
    fn end_user_name(&mut self, symbol: Symbol) {
        let ends = |user: &mut UserName| user.level >= symbol.level && !has_login(user.scheme);
        self.user.take_if(ends);
    }

    /// Updates the state after a `?` or `&`, where a header field of a `mailto` URL may start.
    fn handle_mail_field(&mut self, at: usize) {
        if self.is_mail {
            let name = &self.text[at..];
            let name = name.strip_prefix(b"amp;").unwrap_or(name);
            let is_body = name.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"body="));
            (self.is_mail_header, self.bare) = (!is_body, None);
        }
    }

    /// Updates the state at a colon, which ends a scheme name, a user name or a host, or is
    /// punctuation.
    fn handle_colon(&mut self, at: usize, colon: Symbol) {
        let mut name = self.text.get(self.word..at).unwrap_or_default();
        self.is_mail |= is_mailto(name);
        // Skips the letter of a string escape, as in `\nhttp:`.
        if let [b'n' | b'r' | b't', rest @ ..] = name
            && self.text[..self.word].ends_with(b"\\")
            && registry::find_entry(rest).is_some()
        {
            name = rest;
        }
        let is_start = self.is_url && self.word == 0;
        let registered = registry::find_entry(name);
        let scheme = Scheme::by_name(name);
        self.named = Some(NamedScheme { at: colon.end, scheme });
        let following = Symbol::decode_at(self.text, colon.end);
        let is_before_gap = self.text.get(colon.end).is_none_or(u8::is_ascii_whitespace);
        let level = self.user.as_ref().map_or(LEVELS, |user| user.level);
        let is_before_slashes = following.is_some_and(|first| {
            let second = Symbol::decode_at(self.text, first.end);
            let is_pair = |next: Symbol| (next.byte, next.level) == (first.byte, first.level);
            first.is_slash() && first.level <= level && second.is_some_and(is_pair)
        });
        if registered.is_some() && is_before_slashes && !self.is_url {
            // A password that contains a URL has no gaps, so earlier candidates end here.
            let gaps = self.gaps;
            self.candidates.iter_mut().for_each(|open| open.retain(|open| open.gaps == gaps));
        }
        // In `URL:http:` the word `http` is a scheme, not a user name.
        let is_prefixed = |user: &mut UserName| {
            let before = self.text[..user.start].last_chunk();
            user.start == self.word
                && before.is_some_and(|b: &[u8; 4]| b.eq_ignore_ascii_case(b"URL:"))
        };
        if registered.is_some_and(|known| known.slashes) {
            self.user.take_if(is_prefixed);
        }
        let is_wide = !self.text[at].is_ascii();
        if let Some(user) = self.user.take() {
            let is_other = is_mailto(name)
                || is_wide && has_fullwidth_punctuation(&self.text[user.start..at])
                || registered.is_some() && (is_before_slashes || user.gaps > 0)
                || (is_before_slashes || is_before_gap) && self.is_host_before_prose(&user, at);
            let is_port = self.is_port(colon.end, user.level);
            if !(is_other || is_port && is_host(&self.text[user.start..at])) {
                self.has_login = has_login(user.scheme);
                let gaps = if is_port { user.gaps.max(MAX_GAPS - 1) } else { user.gaps };
                self.add_candidate(user.level, colon.end, gaps);
            }
            return;
        }
        let is_after_name = !name.is_empty() || at > 0 && !self.text[at - 1].is_ascii();
        match registered {
            Some(Registered { slashes: true, .. }) => self.start_authority(colon, scheme, true),
            // Only schemes with the generic syntax; a second colon in `mailto` or `news` is part of
            // the address.
            Some(_) if is_start && scheme.scheme_part() == SchemePart::Any => {
                self.start_authority(colon, scheme, true);
            }
            None if name.eq_ignore_ascii_case(b"URL") => self.start_authority(colon, scheme, true),
            None if is_before_slashes => {}
            None if is_start => self.add_candidate(colon.level, colon.end, 0),
            None if is_after_name && !(is_before_gap || is_wide || self.is_mail_header) => {
                self.bare.get_or_insert(colon.end);
            }
            _ => {}
        }
    }

    /// True if the text of `user`, up to the colon at byte `at`, is probably a host followed by
    /// words, and not a user name. Such text contains gaps.
    fn is_host_before_prose(&self, user: &UserName, at: usize) -> bool {
        let name = self.text[user.start..at].split(u8::is_ascii_whitespace).next();
        let name = name.unwrap_or_default();
        let marks = name.iter().rev().take_while(|byte| PUNCTUATION.contains(byte)).count();
        !self.is_url && (user.gaps > 1 || user.gaps > 0 && is_host(&name[..name.len() - marks]))
    }

    /// Adds a candidate for a password that starts at byte `start`, after an authority's colon.
    /// `level` is the encoding level of the colon, and `gaps` the number of gaps in the user name.
    fn add_candidate(&mut self, level: usize, start: usize, gaps: u32) {
        let gaps = self.gaps - gaps;
        // An earlier candidate that allows as many gaps already covers this one.
        let is_hidden =
            self.candidates[level].back().is_some_and(|open| self.is_url || open.gaps >= gaps);
        if !is_hidden {
            self.candidates[level].push_back(Candidate { start, gaps });
        }
    }

    /// Returns the candidate with the first start that an `@` at the current offset would complete,
    /// or `None` if there is none. Drops the candidates with too many gaps.
    fn earliest_candidate(&mut self) -> Option<Candidate> {
        let (gaps, is_url) = (self.gaps, self.is_url);
        for open in &mut self.candidates {
            while !is_url && open.front().is_some_and(|open| gaps - open.gaps > MAX_GAPS) {
                open.pop_front();
            }
        }
        self.candidates
            .iter()
            .filter_map(|open| open.front().copied())
            .min_by_key(|open| open.start)
    }

    /// Handles the `@` at byte `at`, which `sign` describes. If there is a candidate, records a
    /// password that ends at byte `at`. If a complete host follows, drops the candidates.
    fn handle_at_sign(&mut self, at: usize, sign: Symbol) {
        let host = host_end(self.text, sign.end);
        let is_of_url = host.is_some_and(|host| {
            let name = &self.text[sign.end..host];
            name.starts_with(b"www.")
                || name.starts_with(b"ftp.")
                || Symbol::decode_at(self.text, host)
                    .is_some_and(|next| next.is_slash() || next.byte == b':')
        });
        let bare = self.bare.filter(|_| is_of_url);
        let open = self.earliest_candidate().map(|open| open.start);
        if let Some(start) = open.into_iter().chain(bare).min() {
            self.found.push(Span::new(start, at));
        }
        if host.is_some_and(|host| self.ends_complete_host(host, sign.level)) {
            for open in &mut self.candidates[sign.level..] {
                open.clear();
            }
            self.bare.take_if(|_| sign.level == 0);
        }
    }

    /// Records a password that ends at byte `at` if the word `at` and a host follow. Examples are
    /// `joe:secret at host.dom` and `joe:secret (at) host.dom`. Byte `at` must be white space or an
    /// opening bracket.
    ///
    /// The password starts at the earliest candidate, and all candidates are dropped. Does nothing
    /// if there is no candidate, or if it starts with white space.
    fn handle_at_word(&mut self, at: usize) {
        let bracket = gap_end(self.text, at, 0).0;
        let is_bracket = matches!(self.text.get(bracket), Some(b'(' | b'['));
        if at_word_end(self.text, bracket + usize::from(is_bracket)).is_some()
            && let Some(open) = self.earliest_candidate()
            // A space after the colon indicates prose: `http://h.dom: be at i.dom`.
            && !self.text[open.start].is_ascii_whitespace()
        {
            self.found.push(Span::new(open.start, at));
            self.candidates = Default::default();
        }
    }

    /// True if a complete host, with an optional port, ends at byte `end`, so that no password
    /// continues after it. `level` is the encoding level of the `@` before the host.
    fn ends_complete_host(&self, end: usize, level: usize) -> bool {
        let end = match Symbol::decode_at(self.text, end) {
            Some(colon) if colon.byte == b':' => {
                colon.end + count_digits(self.text.get(colon.end..).unwrap_or_default())
            }
            _ => end,
        };
        self.ends_authority(end, level)
            || Symbol::decode_at(self.text, end).is_some_and(|next| match next.byte {
                b'?' | b'#' => next.level <= level && !self.has_login,
                b'&' => level > 0,
                _ => false,
            })
    }

    /// True if the text at `at` is a valid port number that ends the authority. `level` is the
    /// encoding level of the authority's slashes.
    fn is_port(&self, at: usize, level: usize) -> bool {
        let end = at + count_digits(&self.text[at..]);
        let number = core::str::from_utf8(&self.text[at..end]).unwrap_or_default();
        number.parse::<u16>().is_ok() && self.ends_authority(end, level)
    }

    /// True if an authority certainly ends at byte `at`, because a slash or the end of the URL is
    /// there. `level` is the encoding level of the authority's slashes.
    fn ends_authority(&self, at: usize, level: usize) -> bool {
        let marks = self.text.get(at..).unwrap_or_default().iter().take(MAX_NAME_LEN);
        let marks = marks.take_while(|byte| PUNCTUATION.contains(byte)).count();
        let is_end = self.text.get(at + marks).is_none_or(|byte| {
            !self.is_url && (byte.is_ascii_whitespace() || b"<>\"".contains(byte))
        });
        let is_slash = |next: Symbol| next.byte == b'/' && next.level <= level;
        is_end || Symbol::decode_at(self.text, at).is_some_and(is_slash)
    }
}

/// Returns the end of the gap (white space within a user name or password) that contains byte `at`,
/// and the number of line breaks in the whole gap. `breaks` is the number of line breaks in the gap
/// before `at`.
fn gap_end(text: &[u8], mut at: usize, mut breaks: u32) -> (usize, u32) {
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => breaks += 1,
            b' ' | b'\t' | b'\r' => {}
            b'>' | b'|' if breaks > 0 => {}
            _ => break,
        }
        at += 1;
    }
    (at, breaks)
}

/// Returns the last offset at which a password that starts before byte `at` can end, including its
/// `@`.
pub(super) fn max_password_end(text: &[u8], mut at: usize) -> usize {
    // If `at` is inside a gap with a line break, the rest of it doesn't count as another gap.
    let is_of_gap = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'>' | b'|');
    let gap = at - text[..at].iter().rev().take_while(is_of_gap).count();
    at = text[gap..at].iter().position(|byte| *byte == b'\n').map_or(at, |feed| gap + feed);
    for _ in 0..=MAX_GAPS {
        let Some(gap) = simd::find_in_class(text, at, may_start_gap) else { return text.len() };
        at = gap_end(text, gap, 0).0;
    }
    // The last gap may be before the word `at`, or `(at`.
    text.len().min(at + 2)
}

/// Returns a vector that marks the bytes that may start a gap.
#[inline]
fn may_start_gap(bytes: u8x16) -> u8x16 {
    let of = |byte| simd::equal_to(bytes, byte);
    of(b' ') | of(b'\t') | of(b'\r') | of(b'\n')
}

/// True if RFC 1738 allows user names in URLs of this scheme. Such user names may contain question
/// marks.
fn has_login(scheme: Scheme) -> bool {
    scheme.is_rfc1738() && scheme.has_login()
}

/// True if `name` ends with `mailto`, ignoring case. Only the end is compared, because the letter
/// of a string escape may precede the scheme (`\nmailto`).
fn is_mailto(name: &[u8]) -> bool {
    let address = Scheme::Mailto.name().as_bytes();
    let tail = &name[name.len().saturating_sub(address.len())..];
    tail.eq_ignore_ascii_case(address)
}

/// True if `authority` certainly contains a host, with or without a user name: an IP address,
/// `localhost`, or a name with a domain. False for `joe` and `j.o.e`, which may be user names.
fn is_host(authority: &[u8]) -> bool {
    let at_sign = authority.iter().rposition(|&byte| byte == b'@');
    let name = at_sign.map_or(authority, |at| &authority[at + 1..]);
    let dots = name.split(|&byte| byte == b'.').count() - 1;
    let domain = name.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let is_domain = domain.len() > 1
        && (domain.iter().all(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
            || domain.starts_with(b"xn--"));
    !name.is_empty()
        && host_end(name, 0) == Some(name.len())
        && (name.starts_with(b"[")
            || name.eq_ignore_ascii_case(b"localhost")
            || dots > 0 && is_domain
            || dots == 3 && name.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.'))
}

/// Returns the end of the word `at` at byte `at` if the word is written in place of an `@`, as in
/// `joe at host.dom`. Otherwise returns `None`. The word must be between spaces or brackets, and a
/// host name with a domain must follow.
pub(super) fn at_word_end(text: &[u8], at: usize) -> Option<usize> {
    let end = at + 2;
    let is_at = text.get(at..end).is_some_and(|word| word.eq_ignore_ascii_case(b"at"));
    let before = *text.get(at.checked_sub(1)?)?;
    match (is_at, before, *text.get(end)?) {
        (true, b' ' | b'\t' | b'\r' | b'\n', b' ' | b'\t' | b'\r' | b'\n')
        | (true, b'(', b')')
        | (true, b'[', b']') => {}
        _ => return None,
    }
    let host = gap_end(text, end + usize::from(!before.is_ascii_whitespace()), 0).0;
    let name = &text[host..host_end(text, host)?];
    let dots = name.iter().rev().take_while(|byte| **byte == b'.').count();
    let name = &name[..name.len() - dots];
    (name.contains(&b'.') && is_host(name)).then_some(end)
}

/// True if the text contains fullwidth or CJK punctuation, which occurs in Chinese and Japanese
/// sentences but not in user names.
fn has_fullwidth_punctuation(text: &[u8]) -> bool {
    text.windows(2).any(|pair| matches!(pair, [0xEF, 0xBC | 0xBD] | [0xE3, 0x80]))
}

/// Returns the number of digits that `text` starts with, at most [`MAX_NAME_LEN`].
fn count_digits(text: &[u8]) -> usize {
    text.iter().take(MAX_NAME_LEN).take_while(|byte| byte.is_ascii_digit()).count()
}

/// Returns the end of the host at byte `at`: a run of host name characters, or an IP literal.
/// Returns `None` if there is none.
fn host_end(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) == Some(&b'[') {
        return ip_literal_end(text, at);
    }
    let host = text[at..].iter().take(MAX_NAME_LEN);
    let is_of_host =
        |byte: &&u8| byte.is_ascii_alphanumeric() || b".-_".contains(byte) || !byte.is_ascii();
    let len = host.take_while(is_of_host).count();
    (len > 0).then_some(at + len)
}

/// Returns the end of the IP literal at `at`, after its closing bracket. Returns `None` if it is
/// malformed or an `@` follows.
fn ip_literal_end(text: &[u8], at: usize) -> Option<usize> {
    let inside = text[at + 1..].iter().take(MAX_NAME_LEN);
    let len = inside.take_while(|byte| byte.is_ascii_hexdigit() || b":.%".contains(byte)).count();
    let end = at + 1 + len;
    (text.get(end) == Some(&b']') && text.get(end + 1) != Some(&b'@')).then_some(end + 1)
}

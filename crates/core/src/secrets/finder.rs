//! Finds possible passwords in one pass over a text.

use super::symbol::{LEVELS, Symbol};
use crate::Span;
use crate::registry::{self, Registered};
use crate::scheme::{Scheme, SchemePart};
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// The maximum number of interruptions by layout within a user name or password, in a text that is
/// not known to be one URL.
const MAX_GAPS: u32 = 2;
/// The maximum number of bytes to examine for a name, a port or an IP literal; none is longer.
const MAX_NAME_LEN: usize = 256;
/// Punctuation after a URL in a sentence.
const MARKS: &[u8] = b".,;:!?)]}'";

/// The class of a byte.
#[derive(Clone, Copy)]
enum Kind {
    /// A byte that is allowed in scheme names.
    Letter,
    /// It ends a word, and does nothing else.
    Other,
    /// It is a delimiter, or may be written so.
    Special,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        kinds[byte as usize] = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b'/' | b'\\' | b':' | b'@' | b'?' | b'#' | b'['
            | b'(' | b'%' | b'&' => Kind::Special,
            b'+' | b'-' | b'.' => Kind::Letter,
            _ if byte.is_ascii_alphanumeric() => Kind::Letter,
            _ => Kind::Other,
        };
        byte += 1;
    }
    // The first byte of a wide form.
    kinds[0xEF] = Kind::Special;
    kinds
};

/// The scheme before a colon, and its effect on the following text.
#[derive(Clone, Copy)]
struct Named {
    /// The offset after the colon.
    at: usize,
    scheme: Scheme,
}

/// The current authority, up to its first colon.
struct User {
    start: usize,
    level: usize,
    /// The number of interruptions.
    gaps: u32,
    /// True if a colon precedes it, so that it may contain a gap.
    is_named: bool,
    scheme: Scheme,
}

/// The start of a possible password.
#[derive(Clone, Copy)]
struct Open {
    start: usize,
    /// The gaps of the text before its user name.
    gaps: u32,
}

/// The state of one pass over a text.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact about the text so far")]
pub(super) struct Finder<'t> {
    text: &'t [u8],
    /// True if the text is one URL.
    is_url: bool,
    /// The start of the current word.
    word: usize,
    /// The offset after the last slash.
    slash: usize,
    /// The number of consecutive slashes, and the last of them.
    slashes: u32,
    slash_before: u8,
    gaps: u32,
    named: Option<Named>,
    user: Option<User>,
    /// Possible passwords that an `@` would complete, by the encoding level of their authority's
    /// slashes.
    open: [VecDeque<Open>; LEVELS],
    /// True if a question mark does not end the current password.
    has_login: bool,
    /// The start of a possible password without a scheme, as in `joe:secret@www.host.dom`.
    bare: Option<usize>,
    /// True after `mailto:`, up to the next layout.
    is_mail: bool,
    /// True in a header field of such a URL that isn't its body: a colon there is punctuation (`Subject=Re%3A`).
    is_mail_header: bool,
    found: Vec<Span>,
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
            open: Default::default(),
            has_login: false,
            bare: None,
            is_mail: false,
            is_mail_header: false,
            found: Vec::new(),
        }
    }

    /// Returns the passwords that start before `until`, and possibly others, in no order. If the
    /// text is `cut`, a possible password that extends to its end without a gap is returned, too.
    pub(super) fn run(mut self, until: usize, cut: bool) -> Vec<Span> {
        let mut at = 0;
        let mut gaps_behind = 0;
        while let Some(&byte) = self.text.get(at) {
            match KINDS[usize::from(byte)] {
                Kind::Letter => {
                    at += 1;
                    continue;
                }
                Kind::Other => {
                    at += 1;
                    self.word = at;
                    continue;
                }
                Kind::Special => {}
            }
            let Some(symbol) = Symbol::at(self.text, at) else { break };
            match symbol.byte {
                b' ' | b'\t' | b'\r' | b'\n' if symbol.level == 0 => {
                    self.at_word(at);
                    gaps_behind += u32::from(at >= until);
                    // No password continues over this many gaps.
                    if gaps_behind > MAX_GAPS {
                        return self.found;
                    }
                    at = self.gap(at, symbol);
                    continue;
                }
                b'/' | b'\\' => self.slash(at, symbol),
                b':' => self.colon(at, symbol),
                b'@' => self.at_sign(at, symbol),
                // An encoded space: a password without a scheme contains none.
                b' ' | b'\t' | b'\r' | b'\n' => self.bare = None,
                b'?' | b'#' => {
                    self.end_of_authority(symbol);
                    self.mail_field(symbol.end);
                }
                b'&' => self.mail_field(symbol.end),
                b'(' | b'[' if symbol.level == 0 && at_word(self.text, symbol.end).is_some() => {
                    self.at_word(at);
                }
                b'[' if self.is_start_of_user(at) => {
                    if let Some(end) = ip_literal(self.text, at) {
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
            at = symbol.end;
        }
        if cut && let Some(open) = self.earliest().filter(|open| open.gaps == self.gaps) {
            self.found.push(Span::new(open.start, self.text.len()));
        }
        self.found
    }

    fn is_start_of_user(&self, at: usize) -> bool {
        self.user.as_ref().is_some_and(|user| user.start == at)
    }

    /// Skips layout: spaces, and line breaks with the quote marks after them. The end of a
    /// paragraph ends everything. `first` is its first byte, or the character reference for it.
    fn gap(&mut self, start: usize, first: Symbol) -> usize {
        let (at, breaks) = gap_end(self.text, first.end, u32::from(first.byte == b'\n'));
        self.gaps += 1;
        (self.word, self.bare) = (at, None);
        (self.is_mail, self.is_mail_header) = (false, false);
        if breaks > 1 {
            self.user = None;
            self.open = Default::default();
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

    fn slash(&mut self, at: usize, slash: Symbol) {
        self.slashes = if self.slash == at { self.slashes + 1 } else { 1 };
        self.slash = slash.end;
        self.named.take_if(|named| self.slashes == 1 && named.at != at);
        if let Some(user) = &mut self.user {
            // In `///` the last slash starts the path, if there is no user name.
            if user.start == at && (user.scheme != Scheme::File || self.slashes < 2) {
                (user.start, user.level) = (slash.end, slash.level);
                return;
            }
            // A backslash separates domain and name.
            if user.level >= slash.level && slash.byte == b'/' {
                self.user = None;
            }
        }
        // `/\` does not start an authority, except after a colon: `http:\/\/` in JSON.
        let is_pair = slash.byte == self.slash_before || self.named.is_some();
        self.slash_before = slash.byte;
        if self.slashes == 2 && is_pair {
            let is_named = at > 1 && !self.text[at - 2].is_ascii_whitespace();
            let scheme = self.named.map_or(Scheme::Other, |named| named.scheme);
            self.begin(slash, scheme, is_named);
        }
    }

    /// Starts an authority after a delimiter.
    fn begin(&mut self, behind: Symbol, scheme: Scheme, is_named: bool) {
        let Symbol { level, end, .. } = behind;
        self.user = Some(User { start: end, level, gaps: 0, is_named, scheme });
    }

    /// Ends a user name that contains no question mark and no `#`.
    fn end_of_authority(&mut self, symbol: Symbol) {
        let ends = |user: &mut User| user.level >= symbol.level && !has_login(user.scheme);
        self.user.take_if(ends);
    }

    /// Handles the possible start of a header field of a `mailto` URL at `at`.
    fn mail_field(&mut self, at: usize) {
        if self.is_mail {
            let name = &self.text[at..];
            let name = name.strip_prefix(b"amp;").unwrap_or(name);
            let is_body = name.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"body="));
            (self.is_mail_header, self.bare) = (!is_body, None);
        }
    }

    fn colon(&mut self, at: usize, colon: Symbol) {
        let mut name = self.text.get(self.word..at).unwrap_or_default();
        self.is_mail |= is_address(name);
        // The letter of an escape: `\nhttp`.
        if let [b'n' | b'r' | b't', rest @ ..] = name
            && self.text[..self.word].ends_with(b"\\")
            && registry::known(rest).is_some()
        {
            name = rest;
        }
        let is_start = self.is_url && self.word == 0;
        let registered = registry::known(name);
        let scheme = Scheme::by_name(name);
        self.named = Some(Named { at: colon.end, scheme });
        let goes_on = Symbol::at(self.text, colon.end);
        let is_before_gap = self.text.get(colon.end).is_none_or(u8::is_ascii_whitespace);
        let level = self.user.as_ref().map_or(LEVELS, |user| user.level);
        let is_before_slashes = goes_on.is_some_and(|first| {
            let second = Symbol::at(self.text, first.end);
            let is_pair = |next: Symbol| (next.byte, next.level) == (first.byte, first.level);
            first.is_slash() && first.level <= level && second.is_some_and(is_pair)
        });
        if registered.is_some() && is_before_slashes && !self.is_url {
            // A password that contains a URL contains no layout.
            let gaps = self.gaps;
            self.open.iter_mut().for_each(|open| open.retain(|open| open.gaps == gaps));
        }
        // After `URL:` a scheme is not a user name.
        let is_prefixed = |user: &mut User| {
            let before = self.text[..user.start].last_chunk();
            user.start == self.word
                && before.is_some_and(|b: &[u8; 4]| b.eq_ignore_ascii_case(b"URL:"))
        };
        if registered.is_some_and(|known| known.slashes) {
            self.user.take_if(is_prefixed);
        }
        let is_wide = !self.text[at].is_ascii();
        if let Some(user) = self.user.take() {
            let is_other = is_address(name)
                || is_wide && has_wide_mark(&self.text[user.start..at])
                || registered.is_some() && (is_before_slashes || user.gaps > 0)
                || (is_before_slashes || is_before_gap) && self.is_prose(&user, at);
            let is_port = self.is_port(colon.end, user.level);
            if !(is_other || is_port && is_host(&self.text[user.start..at])) {
                self.has_login = has_login(user.scheme);
                let gaps = if is_port { user.gaps.max(MAX_GAPS - 1) } else { user.gaps };
                self.open(user.level, colon.end, gaps);
            }
            return;
        }
        let is_behind_name = !name.is_empty() || at > 0 && !self.text[at - 1].is_ascii();
        match registered {
            Some(Registered { slashes: true, .. }) => self.begin(colon, scheme, true),
            // Another colon in `mailto` or `news` is part of an address.
            Some(_) if is_start && scheme.follows() == SchemePart::Any => {
                self.begin(colon, scheme, true);
            }
            None if name.eq_ignore_ascii_case(b"URL") => self.begin(colon, scheme, true),
            None if is_before_slashes => {}
            None if is_start => self.open(colon.level, colon.end, 0),
            None if is_behind_name && !(is_before_gap || is_wide || self.is_mail_header) => {
                self.bare.get_or_insert(colon.end);
            }
            _ => {}
        }
    }

    /// True if the interrupted text before a colon at `at` is probably words after a host, not a
    /// user name.
    fn is_prose(&self, user: &User, at: usize) -> bool {
        let name = self.text[user.start..at].split(u8::is_ascii_whitespace).next();
        let name = name.unwrap_or_default();
        let marks = name.iter().rev().take_while(|byte| MARKS.contains(byte)).count();
        !self.is_url && (user.gaps > 1 || user.gaps > 0 && is_host(&name[..name.len() - marks]))
    }

    /// Adds a possible password after an authority's colon. `gaps` reduces the number of
    /// interruptions that it may contain.
    fn open(&mut self, level: usize, start: usize, gaps: u32) {
        let gaps = self.gaps - gaps;
        // One that begins earlier and ends no earlier hides as much.
        let is_hidden =
            self.open[level].back().is_some_and(|open| self.is_url || open.gaps >= gaps);
        if !is_hidden {
            self.open[level].push_back(Open { start, gaps });
        }
    }

    /// Returns the first possible password that an `@` at the current offset completes.
    fn earliest(&mut self) -> Option<Open> {
        let (gaps, is_url) = (self.gaps, self.is_url);
        for open in &mut self.open {
            while !is_url && open.front().is_some_and(|open| gaps - open.gaps > MAX_GAPS) {
                open.pop_front();
            }
        }
        self.open.iter().filter_map(|open| open.front().copied()).min_by_key(|open| open.start)
    }

    fn at_sign(&mut self, at: usize, sign: Symbol) {
        let host = host_end(self.text, sign.end);
        let is_of_url = host.is_some_and(|host| {
            let name = &self.text[sign.end..host];
            name.starts_with(b"www.")
                || name.starts_with(b"ftp.")
                || Symbol::at(self.text, host)
                    .is_some_and(|next| next.is_slash() || next.byte == b':')
        });
        let bare = self.bare.filter(|_| is_of_url);
        let open = self.earliest().map(|open| open.start);
        if let Some(start) = open.into_iter().chain(bare).min() {
            self.found.push(Span::new(start, at));
        }
        if host.is_some_and(|host| self.is_whole(host, sign.level)) {
            for open in &mut self.open[sign.level..] {
                open.clear();
            }
            self.bare.take_if(|_| sign.level == 0);
        }
    }

    /// Handles an `@` written as a word at `at`, as in `joe:secret at host.dom` or `joe:secret (at)
    /// host.dom`.
    fn at_word(&mut self, at: usize) {
        let bracket = gap_end(self.text, at, 0).0;
        let is_bracket = matches!(self.text.get(bracket), Some(b'(' | b'['));
        if at_word(self.text, bracket + usize::from(is_bracket)).is_some()
            && let Some(open) = self.earliest()
            // After a blank it is prose, as in `http://h.dom: be at i.dom`.
            && !self.text[open.start].is_ascii_whitespace()
        {
            self.found.push(Span::new(open.start, at));
            self.open = Default::default();
        }
    }

    /// True if a host certainly ends at `end`, so that no password continues after it.
    fn is_whole(&self, end: usize, level: usize) -> bool {
        let end = match Symbol::at(self.text, end) {
            Some(colon) if colon.byte == b':' => {
                colon.end + digits(self.text.get(colon.end..).unwrap_or_default())
            }
            _ => end,
        };
        self.ends(end, level)
            || Symbol::at(self.text, end).is_some_and(|next| match next.byte {
                b'?' | b'#' => next.level <= level && !self.has_login,
                b'&' => level > 0,
                _ => false,
            })
    }

    /// True if a port and nothing else is at `at`.
    fn is_port(&self, at: usize, level: usize) -> bool {
        let end = at + digits(&self.text[at..]);
        let number = core::str::from_utf8(&self.text[at..end]).unwrap_or_default();
        number.parse::<u16>().is_ok() && self.ends(end, level)
    }

    /// True if, by all rules, an authority after slashes of that level ends at `at`.
    fn ends(&self, at: usize, level: usize) -> bool {
        let marks = self.text.get(at..).unwrap_or_default().iter().take(MAX_NAME_LEN);
        let marks = marks.take_while(|byte| MARKS.contains(byte)).count();
        let is_end = self.text.get(at + marks).is_none_or(|byte| {
            !self.is_url && (byte.is_ascii_whitespace() || b"<>\"".contains(byte))
        });
        let is_slash = |next: Symbol| next.byte == b'/' && next.level <= level;
        is_end || Symbol::at(self.text, at).is_some_and(is_slash)
    }
}

/// Returns the end of the layout that continues at `at`, and the number of its line breaks,
/// including the `breaks` before.
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

/// Returns the maximum end of a password that starts before `at`.
pub(super) fn reach(text: &[u8], mut at: usize) -> usize {
    for _ in 0..=MAX_GAPS {
        let rest = text.get(at..).unwrap_or_default();
        let gap = rest.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        let Some(gap) = gap else { return text.len() };
        at = gap_end(text, at + gap, 0).0;
    }
    at
}

/// True if RFC 1738 allows user names in the scheme; a question mark is an ordinary character in
/// them.
fn has_login(scheme: Scheme) -> bool {
    scheme.is_rfc1738() && scheme.has_login()
}

/// True if a mail address follows. The end of the name decides, because letters of escapes
/// (`\nmailto`) may precede it.
fn is_address(name: &[u8]) -> bool {
    let address = Scheme::Mailto.name().as_bytes();
    let tail = &name[name.len().saturating_sub(address.len())..];
    tail.eq_ignore_ascii_case(address)
}

/// True if the text before a colon is certainly a host, with or without a user name: an address,
/// `localhost`, or a name with a domain. `joe` or `j.o.e` may be a user.
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

/// Returns the end of the word `at` at `at` that replaces an `@`: between spaces or brackets, and
/// before a name with a domain.
pub(super) fn at_word(text: &[u8], at: usize) -> Option<usize> {
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

/// True if the text has a wide mark of punctuation, as sentences in Chinese or Japanese do and user names don't.
fn has_wide_mark(text: &[u8]) -> bool {
    text.windows(2).any(|pair| matches!(pair, [0xEF, 0xBC | 0xBD] | [0xE3, 0x80]))
}

/// Returns the number of leading digits.
fn digits(text: &[u8]) -> usize {
    text.iter().take(MAX_NAME_LEN).take_while(|byte| byte.is_ascii_digit()).count()
}

/// Returns the end of the host at `at`, by its characters.
fn host_end(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) == Some(&b'[') {
        return ip_literal(text, at);
    }
    let host = text[at..].iter().take(MAX_NAME_LEN);
    let is_of_host =
        |byte: &&u8| byte.is_ascii_alphanumeric() || b".-_".contains(byte) || !byte.is_ascii();
    let len = host.take_while(is_of_host).count();
    (len > 0).then_some(at + len)
}

/// Returns the end of the IP literal at `at`, including its brackets.
fn ip_literal(text: &[u8], at: usize) -> Option<usize> {
    let inside = text[at + 1..].iter().take(MAX_NAME_LEN);
    let len = inside.take_while(|byte| byte.is_ascii_hexdigit() || b":.%".contains(byte)).count();
    let end = at + 1 + len;
    (text.get(end) == Some(&b']') && text.get(end + 1) != Some(&b'@')).then_some(end + 1)
}

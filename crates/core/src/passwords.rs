//! Where passwords stand: in a URL, in URLs within it, and in the text around it.
//!
//! A password begins behind the first colon of an authority and ends before an `@`. Nobody who leaves something
//! unencoded in it gets what RFC 3986 reads there, so what lies between is taken for a password whatever it holds, unless it is
//! surely something else: the port of a host that a slash or the text's end follows, or what stands behind a whole host.

use crate::registry::{self, Registered};
use crate::scheme::{Scheme, SchemePart};
use crate::{Span, SpanMap};
use alloc::borrow::Cow;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// How often layout may interrupt a user name, or a password, in a text that is not known to be one URL.
const MOST_GAPS: u32 = 2;
/// Bytes that are looked at for a name, a port or an IP literal; none is longer.
const LONGEST_NAME: usize = 256;
/// Bytes of the text before and behind a URL that are looked at: see [`passwords_at`].
const NEIGHBOURHOOD: usize = 1024;
/// How often a delimiter may be percent-encoded over and over and still be told from other levels.
const LEVELS: usize = 4;

/// Every password in `url`: its own, and those of URLs inside it, also where they are percent-encoded (`//u%3Apw%40h`)
/// or written with character references. In order, not overlapping, none of them empty.
///
/// Linear, and total: it need not be a URL. What stands in doubt is taken for a password.
pub fn passwords(url: &[u8]) -> Vec<Span> {
    if has_at_sign(url) { Finder::new(url, true).run(false) } else { Vec::new() }
}

/// Every password in a running text: of URLs, and of what is none for a fault in it. In order, not overlapping.
///
/// Linear; no byte counts for what is found further away than a paragraph.
pub fn passwords_in_text(text: &[u8]) -> Vec<Span> {
    if has_at_sign(text) { Finder::new(text, false).run(false) } else { Vec::new() }
}

/// Every password in a `url` that stands at `span` in `text`, led there by `map`: what [`passwords`] finds in it, and pieces
/// of passwords that the ends of the URL cut, as in `ftp://joe:sec{ret@host.dom/`. In order, not overlapping; spans are
/// within the URL.
///
/// Depends on the URL and on 1,024 bytes before and behind it; linear in all of them.
pub fn passwords_at(url: &[u8], map: &SpanMap, text: &[u8], span: Span) -> Vec<Span> {
    let from = span.start.saturating_sub(NEIGHBOURHOOD).min(text.len());
    let to = span.end.saturating_add(NEIGHBOURHOOD).min(text.len());
    if !has_at_sign(&text[span.start.clamp(from, to)..to]) && url.len() < NEIGHBOURHOOD {
        return passwords(url);
    }
    let around = Finder::new(&text[from..to], false).run(to < text.len());
    let around: Vec<Span> = around.into_iter().map(|secret| secret.shifted(from)).collect();
    passwords_among(url, map, span, &around)
}

/// Every password in a `url` that stands at `span` in a text, led there by `map`: what [`passwords`] finds in it, and
/// what lies in those that were found in the text before. `around` are these, in order and not overlapping. In order,
/// not overlapping; spans are within the URL.
///
/// Linear in the URL, logarithmic in the number of passwords of the text.
pub fn passwords_among(url: &[u8], map: &SpanMap, span: Span, around: &[Span]) -> Vec<Span> {
    let mut found = passwords(url);
    let whole = Span::new(0, url.len());
    let first = around.partition_point(|secret| secret.end <= span.start);
    for &secret in around[first..].iter().take_while(|secret| secret.start < span.end) {
        // Bytes that were copied are found one by one; those that were made are hidden if their source is.
        let made = |from: usize, to: usize| {
            let made = Span::new(from, to);
            (from < to && map.source(made).overlaps(secret)).then_some(made)
        };
        let mut at = 0;
        for (derived, source) in map.pieces(whole) {
            found.extend(made(at, derived.start));
            let (start, end) = (source.start.max(secret.start), source.end.min(secret.end));
            if start < end {
                let start = derived.start + (start - source.start);
                found.push(Span::new(start, derived.start + (end - source.start)));
            }
            at = derived.end;
        }
        found.extend(made(at, url.len()));
    }
    merged(found)
}

/// Every password in another `reading` of a URL, which differs from it by at most so many `hyphens`, given what
/// [`passwords_at`] found in the `url`. In order, not overlapping.
pub fn passwords_of_reading(
    reading: &[u8],
    url: &[u8],
    found: &[Span],
    hyphens: usize,
) -> Vec<Span> {
    let mut all = passwords(reading);
    // One that the URL's end cuts has no `@` here, either.
    if let Some(cut) = found.last().filter(|last| last.end == url.len()) {
        let start = cut.start.saturating_sub(hyphens).min(reading.len());
        all.push(Span::new(start, reading.len()));
    }
    merged(all)
}

/// The spans in order, those that overlap or touch made one.
pub fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|span| !span.is_empty());
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let is_one = next.start <= last.end;
        last.end = if is_one { last.end.max(next.end) } else { last.end };
        is_one
    });
    spans
}

/// The text with `***` in place of each of the spans, which are in order and do not overlap.
pub fn hidden<'t>(text: &'t [u8], spans: &[Span]) -> Cow<'t, [u8]> {
    hidden_in(text, Span::new(0, text.len()), spans)
}

/// The bytes of the text at `part` with `***` in place of each of the spans, which are in order and do not overlap.
pub fn hidden_in<'t>(text: &'t [u8], part: Span, spans: &[Span]) -> Cow<'t, [u8]> {
    let bytes = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let mut out = Vec::new();
    let mut at = part.start;
    for span in spans.iter().filter(|span| span.overlaps(part)) {
        out.extend_from_slice(bytes(at, span.start));
        out.extend_from_slice(b"***");
        at = span.end;
    }
    if out.is_empty() {
        return Cow::Borrowed(bytes(part.start, part.end));
    }
    out.extend_from_slice(bytes(at, part.end));
    Cow::Owned(out)
}

/// The URL with `***` in place of its [`passwords`]. Works on what stands there, valid or not; where
/// there is no `@` it costs one look for it.
///
/// ```
/// use urlsift_core::masked;
/// assert_eq!(&*masked(b"http://a.org/http://joe:pw@h.dom/"), b"http://a.org/http://joe:***@h.dom/");
/// assert_eq!(&*masked(b"http://a.org/?u=ftp%3A%2F%2Fu%3Apw%40h"), b"http://a.org/?u=ftp%3A%2F%2Fu%3A***%40h");
/// ```
pub fn masked(url: &[u8]) -> Cow<'_, [u8]> {
    hidden(url, &passwords(url))
}

/// Whether an `@` may stand in the text, however it is written.
fn has_at_sign(text: &[u8]) -> bool {
    text.iter().any(|&byte| matches!(byte, b'@' | b'%' | b'&'))
}

/// A character of ASCII, however it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Symbol {
    byte: u8,
    /// How often it is percent-encoded.
    level: usize,
    /// Where the next one starts.
    end: usize,
}

impl Symbol {
    /// The symbol at `at`.
    fn at(text: &[u8], at: usize) -> Option<Self> {
        let byte = *text.get(at)?;
        let written = match byte {
            b'%' => Self::escaped(text, at),
            b'&' => Self::referred(text, at),
            _ => None,
        };
        Some(written.unwrap_or(Self { byte, level: 0, end: at + 1 }))
    }

    /// `%3A`, `%253A`, `%25253A`.
    fn escaped(text: &[u8], at: usize) -> Option<Self> {
        let hex = |at: usize| {
            let digits = core::str::from_utf8(text.get(at..at + 2)?).ok()?;
            u8::from_str_radix(digits, 16).ok()
        };
        let (mut at, mut level) = (at + 1, 1);
        let mut byte = hex(at)?;
        while byte == b'%'
            && let Some(inner) = hex(at + 2)
        {
            (byte, at, level) = (inner, at + 2, level + 1);
        }
        Some(Self { byte, level: level.min(LEVELS - 1), end: at + 2 })
    }

    /// `&colon;`, `&#58;`, `&#x3a;`.
    fn referred(text: &[u8], at: usize) -> Option<Self> {
        let rest = &text[at + 1..text.len().min(at + 12)];
        for (name, byte) in NAMED {
            if rest.starts_with(name.as_bytes()) {
                return Some(Self { byte, level: 0, end: at + 1 + name.len() });
            }
        }
        let digits = rest.strip_prefix(b"#")?;
        let (radix, digits, sign) = match digits {
            [b'x' | b'X', digits @ ..] => (16, digits, 2),
            _ => (10, digits, 1),
        };
        let len = digits.iter().take_while(|byte| (**byte as char).is_digit(radix)).count();
        let number = core::str::from_utf8(&digits[..len]).ok()?;
        let byte = u8::from_str_radix(number, radix).ok().filter(u8::is_ascii)?;
        let end = at + 1 + sign + len;
        Some(Self { byte, level: 0, end: end + usize::from(text.get(end) == Some(&b';')) })
    }

    fn is_slash(self) -> bool {
        matches!(self.byte, b'/' | b'\\')
    }
}

/// The delimiters that HTML has names for.
const NAMED: [(&str, u8); 4] =
    [("colon;", b':'), ("commat;", b'@'), ("sol;", b'/'), ("bsol;", b'\\')];

/// The scheme before a colon, and what that means for what follows.
#[derive(Clone, Copy)]
struct Named {
    /// Behind the colon.
    at: usize,
    scheme: Scheme,
}

/// The authority at hand, up to its first colon.
struct User {
    start: usize,
    level: usize,
    /// How often it was interrupted.
    gaps: u32,
    /// Whether a colon stands before it, so that a gap may, too.
    is_named: bool,
    scheme: Scheme,
}

/// What may be a password.
#[derive(Clone, Copy)]
struct Open {
    start: usize,
    /// The gaps of the text before its user name.
    gaps: u32,
}

/// One pass over a text.
struct Finder<'t> {
    text: &'t [u8],
    /// Whether it is one URL.
    is_url: bool,
    /// Where the word at hand starts.
    word: usize,
    /// Behind the last slash.
    slash: usize,
    /// How many of them stand side by side, and which the last of them is.
    slashes: u32,
    slash_before: u8,
    gaps: u32,
    named: Option<Named>,
    user: Option<User>,
    /// What an `@` makes a password, by how often its authority's slashes are encoded.
    open: [VecDeque<Open>; LEVELS],
    /// Whether a question mark goes on with the password at hand.
    has_login: bool,
    /// A password without anything that says so, as in `joe:secret@www.host.dom`.
    bare: Option<usize>,
    found: Vec<Span>,
}

impl<'t> Finder<'t> {
    fn new(text: &'t [u8], is_url: bool) -> Self {
        Self {
            text,
            is_url,
            word: 0,
            slash: usize::MAX,
            slashes: 0,
            slash_before: 0,
            gaps: 0,
            named: None,
            user: None,
            open: Default::default(),
            has_login: false,
            bare: None,
            found: Vec::new(),
        }
    }

    /// Finds them. If the text is `cut`, what goes on at its end without a gap is one, too.
    fn run(mut self, cut: bool) -> Vec<Span> {
        let mut at = 0;
        while let Some(symbol) = Symbol::at(self.text, at) {
            match symbol.byte {
                b' ' | b'\t' | b'\r' | b'\n' if symbol.level == 0 => {
                    at = self.gap(at);
                    continue;
                }
                b'/' | b'\\' => self.slash(at, symbol),
                b':' => self.colon(at, symbol),
                b'@' => self.at_sign(at, symbol),
                b'?' | b'#' => self.end_of_authority(symbol),
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
        merged(self.found)
    }

    fn is_start_of_user(&self, at: usize) -> bool {
        self.user.as_ref().is_some_and(|user| user.start == at)
    }

    /// Layout: blanks, and line breaks with the quote marks behind them. The end of a paragraph ends everything.
    fn gap(&mut self, start: usize) -> usize {
        let (mut at, mut breaks) = (start, 0);
        while let Some(&byte) = self.text.get(at) {
            match byte {
                b'\n' => breaks += 1,
                b' ' | b'\t' | b'\r' => {}
                b'>' | b'|' if breaks > 0 => {}
                _ => break,
            }
            at += 1;
        }
        self.gaps += 1;
        (self.word, self.bare) = (at, None);
        if breaks > 1 {
            self.user = None;
            self.open = Default::default();
        }
        if let Some(user) = &mut self.user {
            if user.start == start && user.is_named {
                user.start = at;
            } else {
                user.gaps += 1;
                if user.start == start || user.gaps > MOST_GAPS {
                    self.user = None;
                }
            }
        }
        at
    }

    fn slash(&mut self, at: usize, slash: Symbol) {
        self.slashes = if self.slash == at { self.slashes + 1 } else { 1 };
        self.slash = slash.end;
        self.bare = None;
        self.named.take_if(|named| self.slashes == 1 && named.at != at);
        if let Some(user) = &mut self.user {
            // Of `///` the last is the path's, where there is no user name.
            if user.start == at && (user.scheme != Scheme::File || self.slashes < 2) {
                (user.start, user.level) = (slash.end, slash.level);
                return;
            }
            // A backslash stands between domain and name.
            if user.level >= slash.level && slash.byte == b'/' {
                self.user = None;
            }
        }
        // `/\` is none of the two, unless a colon says so: `http:\/\/` as JSON has it.
        let is_pair = slash.byte == self.slash_before || self.named.is_some();
        self.slash_before = slash.byte;
        if self.slashes == 2 && is_pair {
            let is_named = at > 1 && !self.text[at - 2].is_ascii_whitespace();
            let scheme = self.named.map_or(Scheme::Other, |named| named.scheme);
            self.begin(slash, scheme, is_named);
        }
    }

    /// An authority starts behind a delimiter.
    fn begin(&mut self, behind: Symbol, scheme: Scheme, is_named: bool) {
        let Symbol { level, end, .. } = behind;
        self.user = Some(User { start: end, level, gaps: 0, is_named, scheme });
    }

    /// Ends a user name that holds no question mark and no `#`.
    fn end_of_authority(&mut self, symbol: Symbol) {
        let ends = |user: &mut User| user.level >= symbol.level && !has_login(user.scheme);
        self.user.take_if(ends);
    }

    fn colon(&mut self, at: usize, colon: Symbol) {
        let name = self.text.get(self.word..at).unwrap_or_default();
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
            // No layout stands in a password that a URL stands in.
            let gaps = self.gaps;
            self.open.iter_mut().for_each(|open| open.retain(|open| open.gaps == gaps));
        }
        // Behind `URL:` a scheme is no user name.
        let is_prefixed = |user: &mut User| {
            let before = self.text[..user.start].last_chunk();
            user.start == self.word
                && before.is_some_and(|b: &[u8; 4]| b.eq_ignore_ascii_case(b"URL:"))
        };
        if registered.is_some_and(|known| known.slashes) {
            self.user.take_if(is_prefixed);
        }
        if let Some(user) = self.user.take() {
            let is_other = is_address(name)
                || is_before_slashes && (!self.is_url || registered.is_some())
                || registered.is_some() && user.gaps > 0
                || user.gaps > 0 && is_before_gap && !self.is_url
                || self.is_port(colon.end, user.level);
            if !is_other {
                self.has_login = has_login(user.scheme);
                self.open(user.level, colon.end, user.gaps);
            }
            return;
        }
        match registered {
            Some(Registered { slashes: true, .. }) => self.begin(colon, scheme, true),
            // A further colon of `mailto` or `news` stands in an address.
            Some(_) if is_start && scheme.follows() == SchemePart::Any => {
                self.begin(colon, scheme, true);
            }
            None if name.eq_ignore_ascii_case(b"URL") => self.begin(colon, scheme, true),
            None if is_before_slashes => {}
            None if is_start => self.open(colon.level, colon.end, 0),
            None if !name.is_empty() && !is_before_gap => {
                self.bare.get_or_insert(colon.end);
            }
            _ => {}
        }
    }

    /// What follows an authority's colon may be a password. Its user name was interrupted so often.
    fn open(&mut self, level: usize, start: usize, gaps: u32) {
        let gaps = self.gaps - gaps;
        // One that begins earlier and ends no earlier hides as much.
        let is_hidden =
            self.open[level].back().is_some_and(|open| self.is_url || open.gaps >= gaps);
        if !is_hidden {
            self.open[level].push_back(Open { start, gaps });
        }
    }

    /// The first place from which an `@` at hand makes a password.
    fn earliest(&mut self) -> Option<Open> {
        let (gaps, is_url) = (self.gaps, self.is_url);
        for open in &mut self.open {
            while !is_url && open.front().is_some_and(|open| gaps - open.gaps > MOST_GAPS) {
                open.pop_front();
            }
        }
        self.open.iter().filter_map(|open| open.front().copied()).min_by_key(|open| open.start)
    }

    fn at_sign(&mut self, at: usize, sign: Symbol) {
        let host = host_end(self.text, sign.end);
        if let Some(open) = self.earliest() {
            self.found.push(Span::new(open.start, at));
        } else if let Some(start) = self.bare
            && let Some(host) = host
        {
            let name = &self.text[sign.end..host];
            let is_of_url = name.starts_with(b"www.") || name.starts_with(b"ftp.");
            if is_of_url || matches!(self.text.get(host), Some(b'/' | b':')) {
                self.found.push(Span::new(start, at));
            }
        }
        if host.is_some_and(|host| self.is_whole(host, sign.level)) {
            for open in &mut self.open[sign.level..] {
                open.clear();
            }
            self.bare = None;
        }
    }

    /// Whether a host that ends at `end` ends there for sure, so that no password goes on behind it.
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

    /// Whether a port stands at `at`, and nothing but a port.
    fn is_port(&self, at: usize, level: usize) -> bool {
        let end = at + digits(&self.text[at..]);
        let number = core::str::from_utf8(&self.text[at..end]).unwrap_or_default();
        number.parse::<u16>().is_ok() && self.ends(end, level)
    }

    /// Whether an authority in slashes of that level ends at `at` by all rules.
    fn ends(&self, at: usize, level: usize) -> bool {
        let marks = self.text.get(at..).unwrap_or_default().iter().take(LONGEST_NAME);
        let marks = marks.take_while(|byte| b".,;:!?)]}'".contains(byte)).count();
        let is_end = self.text.get(at + marks).is_none_or(|byte| {
            !self.is_url && (byte.is_ascii_whitespace() || b"<>\"".contains(byte))
        });
        let is_slash = |next: Symbol| next.byte == b'/' && next.level <= level;
        is_end || Symbol::at(self.text, at).is_some_and(is_slash)
    }
}

/// Whether RFC 1738 has user names for it, in which a question mark is a character like others.
fn has_login(scheme: Scheme) -> bool {
    scheme.is_rfc1738() && scheme.has_login()
}

/// Whether a mail address follows: a name that ends so will do, for letters of escapes (`\nmailto`) may stand before it.
fn is_address(name: &[u8]) -> bool {
    let address = Scheme::Mailto.name().as_bytes();
    let tail = &name[name.len().saturating_sub(address.len())..];
    tail.eq_ignore_ascii_case(address)
}

/// How many digits there are.
fn digits(text: &[u8]) -> usize {
    text.iter().take(LONGEST_NAME).take_while(|byte| byte.is_ascii_digit()).count()
}

/// The end of a host that stands at `at`, by its characters.
fn host_end(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) == Some(&b'[') {
        return ip_literal(text, at);
    }
    let host = text[at..].iter().take(LONGEST_NAME);
    let is_of_host =
        |byte: &&u8| byte.is_ascii_alphanumeric() || b".-_".contains(byte) || !byte.is_ascii();
    let len = host.take_while(is_of_host).count();
    (len > 0).then_some(at + len)
}

/// The end of an IP literal, brackets included, that stands at `at`.
fn ip_literal(text: &[u8], at: usize) -> Option<usize> {
    let inside = text[at + 1..].iter().take(LONGEST_NAME);
    let len = inside.take_while(|byte| byte.is_ascii_hexdigit() || b":.%".contains(byte)).count();
    let end = at + 1 + len;
    (text.get(end) == Some(&b']') && text.get(end + 1) != Some(&b'@')).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn masks_wherever_a_password_can_be() {
        for (url, shown) in [
            ("http://u:pw@h/", "http://u:***@h/"),
            ("http:/u:pw@h/", "http:/u:***@h/"),
            ("http:\\\\u:pw@h/", "http:\\\\u:***@h/"),
            ("http//u:pw@h/", "http//u:***@h/"),
            ("http;//u:pw@h/", "http;//u:***@h/"),
            ("ftp://u:@h/", "ftp://u:@h/"),
            ("http://h/a:b@c", "http://h/a:b@c"),
            ("mailto:a:b@c", "mailto:a:b@c"),
            ("http://http://u:pw@h/", "http://http://u:***@h/"),
            ("http://a:b@h/?u=http://u:pw@h/", "http://a:***@h/?u=http://u:***@h/"),
            ("ftp://u:a:b@c@h/p:q@r", "ftp://u:***@h/p:q@r"),
            ("ftp://u@h/", "ftp://u@h/"),
            ("ftp://u@h/", "ftp://u@h/"),
            // RFC 1738 §5: these are characters of a password like others.
            ("ftp://u:p?w@h/", "ftp://u:***@h/"),
            ("ftp://u:p;a&b=c@h/", "ftp://u:***@h/"),
            ("ftp://us?er:pw@h/", "ftp://us?er:***@h/"),
            ("http://a.b/?f=ftp://u:p?w@h/", "http://a.b/?f=ftp://u:***@h/"),
            // These are not, and stand there all the same.
            ("http://u:p/w@h/", "http://u:***@h/"),
            ("http://u:p#w@h/", "http://u:***@h/"),
            ("http://u:p\\w@h/", "http://u:***@h/"),
            ("http://u:p w@h/", "http://u:***@h/"),
            ("http://u:p:w@h/", "http://u:***@h/"),
            ("http://u:p//w@h/", "http://u:***@h/"),
            ("http://u:/pw@h/", "http://u:***@h/"),
            ("http://u:80?pw@h/", "http://u:***@h/"),
            ("http://u:99999/pw@h/", "http://u:***@h/"),
            ("http://u:pw@h dom/", "http://u:***@h dom/"),
            ("http://u:p\u{e9}\u{202e}w@h/", "http://u:***@h/"),
            ("http://u:p%40w@h/", "http://u:***@h/"),
            ("http://u:p{w}<x>\"y\"@h/", "http://u:***@h/"),
            ("http://us er:pw@h/", "http://us er:***@h/"),
            ("http:// u:pw@h/", "http:// u:***@h/"),
            ("http://DOM\\u:pw@h/", "http://DOM\\u:***@h/"),
            ("http://joe@a.org:pw@h/", "http://joe@a.org:***@h/"),
            ("http://:pw@h/", "http://:***@h/"),
            ("http://u:pw@", "http://u:***@"),
            ("http://u:pw@/p", "http://u:***@/p"),
            ("http://u:pw@[::1]:80/", "http://u:***@[::1]:80/"),
            ("http:///u:pw@h/", "http:///u:***@h/"),
            ("http:u:pw@h/", "http:u:***@h/"),
            ("//u:pw@h/", "//u:***@h/"),
            ("u:pw@h/", "u:***@h/"),
            ("x-y://u:pw@h/", "x-y://u:***@h/"),
            ("sip:u:pw@h", "sip:u:***@h"),
            ("jdbc:a:b/pw@h", "jdbc:***@h"),
            // A host before them makes them something else.
            ("http://h:80/a@b", "http://h:80/a@b"),
            ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
            ("http://h?u:p@w", "http://h?u:p@w"),
            ("http://h#u:p@w", "http://h#u:p@w"),
            ("http://u:pw@h?a@b", "http://u:***@h?a@b"),
            ("file:///C:/a@b", "file:///C:/a@b"),
            ("news:1:2@h", "news:1:2@h"),
            // However they are written.
            ("http://h/?u=http%3A%2F%2Fu%3Apw%40h%2F", "http://h/?u=http%3A%2F%2Fu%3A***%40h%2F"),
            ("http://h/?u=http%3a%2f%2fu:pw@h", "http://h/?u=http%3a%2f%2fu:***@h"),
            (
                "http://h/http%253A%252F%252Fu%253Apw%2540h",
                "http://h/http%253A%252F%252Fu%253A***%2540h",
            ),
            (
                "http://h/?u=http%3A%2F%2Fu%3Ap%2Fw%40h&a=b@c",
                "http://h/?u=http%3A%2F%2Fu%3A***%40h&a=b@c",
            ),
            ("http://h/#ftp://u:pw@h/", "http://h/#ftp://u:***@h/"),
            ("mailto:a@b?body=ftp://u:pw@h/", "mailto:a@b?body=ftp://u:***@h/"),
            ("http://u%3Apw@h/", "http://u%3A***@h/"),
            ("http://u:pw%40h/", "http://u:***%40h/"),
            ("http&colon;//u&#58;pw&#x40;h/", "http&colon;//u&#58;***&#x40;h/"),
            ("http:\\/\\/u:pw@h\\/", "http:\\/\\/u:***@h\\/"),
            ("http://h/http%253a", "http://h/http%253a"),
            ("http://h?u:p@w", "http://h?u:p@w"),
            ("", ""),
            ("x", "x"),
            ("%", "%"),
            ("&#", "&#"),
        ] {
            assert_eq!(String::from_utf8_lossy(&masked(url.as_bytes())), shown, "{url}");
        }
    }

    #[test]
    fn masks_in_running_text() {
        for (text, shown) in [
            ("see http://u:pw@h/ and joe@h", "see http://u:***@h/ and joe@h"),
            ("<URL:u:pw@h/path>", "<URL:u:***@h/path>"),
            ("<url:\n  u:pw@h>", "<url:\n  u:***@h>"),
            ("<URL:mailto:joe@h>", "<URL:mailto:joe@h>"),
            ("URL:gopher:/joe@a.dom:? pw @h", "URL:gopher:/joe@a.dom:***@h"),
            ("> http://u:p\n> w@h/", "> http://u:***@h/"),
            ("http://u:\n  pw@h/", "http://u:***@h/"),
            ("http://us er:pw@h", "http://us er:***@h"),
            ("u:pw@www.h.dom", "u:***@www.h.dom"),
            ("u:pw@h/a", "u:***@h/a"),
            ("u:pw@h", "u:pw@h"),
            ("http://u:p\n\nw@h/", "http://u:p\n\nw@h/"),
            ("http://h:80 and joe@h", "http://h:80 and joe@h"),
            ("http://h:80/ or: joe@h", "http://h:80/ or: joe@h"),
            ("(http://h:80), joe@h", "(http://h:80), joe@h"),
            ("http://h.dom and write: joe@h", "http://h.dom and write: joe@h"),
            ("http://h.dom or mailto:joe@h", "http://h.dom or mailto:joe@h"),
            (
                "http://h.dom:port, of which you hear more from joe@h",
                "http://h.dom:port, of which you hear more from joe@h",
            ),
            ("12:30 @home, a:b @ c", "12:30 @home, a:b @ c"),
            ("// see foo: joe@h", "// see foo: joe@h"),
        ] {
            let found = passwords_in_text(text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&hidden(text.as_bytes(), &found)), shown, "{text}");
        }
    }

    #[test]
    fn masks_what_the_ends_of_a_url_cut() {
        let at = |text: &str, url: &str| {
            let start = text.find(url).unwrap();
            let span = Span::new(start, start + url.len());
            let found =
                passwords_at(url.as_bytes(), &SpanMap::cut_from(start), text.as_bytes(), span);
            String::from_utf8_lossy(&hidden(url.as_bytes(), &found)).into_owned()
        };
        assert_eq!(at("see http://u:p{w}@h/", "http://u:p"), "http://u:***");
        assert_eq!(at("http://u:p{w.www.h.dom}@h/", "www.h.dom"), "***");
        assert_eq!(at("http://u:p{w}", "http://u:p"), "http://u:p");
        let mut long = String::from("http://u:");
        long.extend(core::iter::repeat_n('p', 9000));
        assert_eq!(at(&long, &long[..7000]), "http://u:***");
        assert_eq!(at(&long, &long[..8500]), long[..8500]);

        // Over a break, and over what was decoded.
        let text = b"<URL:http://u:p\n w{x}@h>";
        let mut map = crate::MapBuilder::new();
        map.copied(5, 10);
        map.copied(17, 1);
        let found = passwords_at(b"http://u:pw", &map.finish(), text, Span::new(5, 18));
        assert_eq!(found, [Span::new(9, 11)]);
        let mut map = crate::MapBuilder::new();
        map.copied(0, 9);
        map.replaced(Span::new(9, 12), 1);
        let found =
            passwords_at(b"http://u:p", &map.finish(), b"http://u:=70{w}@h", Span::new(0, 12));
        assert_eq!(found, [Span::new(9, 10)]);
    }

    #[test]
    fn spans_are_merged() {
        let spans = [(4, 6), (1, 2), (9, 9), (2, 3), (5, 5)].map(|(from, to)| Span::new(from, to));
        assert_eq!(merged(spans.to_vec()), [Span::new(1, 3), Span::new(4, 6)]);
    }
}

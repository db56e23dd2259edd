//! The header of a message or part: one cheap pass over its lines, and fields found by name.

use memchr::memchr;

/// A header longer than this is no header: what follows is taken for the body, so that a runaway
/// line is scanned and not lost.
const LONGEST: usize = 1 << 20;

/// The longest name of a field that is believed (RFC 5322 knows no limit but the line's).
const LONGEST_NAME: usize = 76;

/// One field as it stands, folds and all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field<'t> {
    /// The name, in whatever case it was written.
    pub name: &'t [u8],
    /// The bytes after the colon up to the line break that ends the field.
    pub value: &'t [u8],
    /// Where `value` starts in the text that the fields were read from.
    pub at: usize,
}

/// The fields at the start of a text, in order. A stray line among them comes as a field without
/// a name. When it is exhausted, [`Fields::body`] says where
/// the body starts.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'t> {
    text: &'t [u8],
    start: usize,
    at: usize,
    done: bool,
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The offset of the first line feed in `text`. Header lines are short: a vector search spends
/// more on its entry than it saves (143 instructions a line against 60, on list mail).
#[inline]
fn line_feed(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    for chunk in text.get(..128.min(text.len()))?.as_chunks::<8>().0 {
        let word = u64::from_le_bytes(*chunk) ^ (ONES * 0x0A);
        let found = word.wrapping_sub(ONES) & !word & HIGH;
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    Some(at + memchr(b'\n', text.get(at..)?)?)
}

/// Where the first colon, blank or control character stands among the first eight bytes, 8 if
/// nowhere. Every line of every header passes here, hence by words and not by bytes.
#[inline]
fn name_end(bytes: [u8; 8]) -> usize {
    let word = u64::from_le_bytes(bytes);
    let colon = word ^ (ONES * 0x3A);
    // The lowest marked byte is always right; borrows can only mark bytes above it.
    let colons = colon.wrapping_sub(ONES) & !colon;
    let blanks = word.wrapping_sub(ONES * 0x21) & !word;
    (((colons | blanks) & HIGH).trailing_zeros() / 8) as usize
}

/// The offset of the colon when a line that starts `text` is `name:` or `name :`. The name starts
/// with a letter or digit, and `//` does not follow the colon: where an empty line is missing,
/// `<http://host.dom/>` is the body.
#[inline]
pub(crate) fn field_colon(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    if !text.first()?.is_ascii_alphanumeric() {
        return None;
    }
    loop {
        if let Some(&chunk) = text.get(at..).and_then(<[u8]>::first_chunk) {
            let end = name_end(chunk);
            at += end;
            if end < 8 {
                break;
            }
        } else {
            let rest = text.get(at..)?;
            at += rest.iter().position(|&b| b <= b' ' || b == b':')?;
            break;
        }
        if at > LONGEST_NAME {
            return None;
        }
    }
    if at > LONGEST_NAME {
        return None;
    }
    if text.get(at) == Some(&b':') {
        return (!text.get(at + 1..).is_some_and(|rest| rest.starts_with(b"//"))).then_some(at);
    }
    let blanks = text.get(at..)?.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    (text.get(at + blanks) == Some(&b':')).then_some(at + blanks)
}

impl<'t> Fields<'t> {
    pub(crate) const fn new(text: &'t [u8], start: usize) -> Self {
        Self { text, start, at: start, done: false }
    }

    /// Where the body starts, once the fields are exhausted: after the empty line, or at the first
    /// line that belongs to no header.
    pub(crate) const fn body(&self) -> usize {
        self.at
    }

    /// The offset just after the line break that ends the line holding `from`.
    #[inline]
    fn after_line(&self, from: usize) -> usize {
        match self.text.get(from..).and_then(line_feed) {
            Some(end) => from + end + 1,
            None => self.text.len(),
        }
    }
}

impl<'t> Iterator for Fields<'t> {
    type Item = Field<'t>;

    #[inline]
    fn next(&mut self) -> Option<Field<'t>> {
        while !self.done {
            let line = self.text.get(self.at..).unwrap_or_default();
            match line {
                [] => break,
                [b'\n', ..] => {
                    self.at += 1;
                    break;
                }
                [b'\r', b'\n', ..] => {
                    self.at += 2;
                    break;
                }
                _ => {}
            }
            if let Some(colon) = field_colon(line) {
                let mut after = self.after_line(self.at + colon);
                let mut end = after;
                while matches!(self.text.get(after), Some(b' ' | b'\t')) {
                    after = self.after_line(after);
                    end = after;
                }
                if after - self.start > LONGEST {
                    break;
                }
                let from = self.at + colon + 1;
                if self.text.get(end - 1) == Some(&b'\n') {
                    end -= 1;
                    if self.text.get(end - 1) == Some(&b'\r') {
                        end -= 1;
                    }
                }
                self.at = after;
                return Some(Field {
                    name: line.get(..colon).unwrap_or_default(),
                    value: self.text.get(from..end.max(from)).unwrap_or_default(),
                    at: from,
                });
            }
            // Not a field. An envelope line, or one stray line among fields, is passed over;
            // anything else is where a body without the empty line starts.
            let next = self.after_line(self.at);
            let envelope = line.starts_with(b"From ") || line.starts_with(b">From ");
            let continued = self.at > self.start || matches!(line.first(), Some(b' ' | b'\t'));
            let goes_on = self.text.get(next..).is_some_and(|rest| field_colon(rest).is_some());
            if !(goes_on && (envelope || continued)) || next - self.start > LONGEST {
                break;
            }
            let at = core::mem::replace(&mut self.at, next);
            if !envelope {
                let value = self.text.get(at..next).unwrap_or_default();
                return Some(Field { name: b"", value, at });
            }
        }
        self.done = true;
        None
    }
}

/// The value of the first field called `name`, as it stands.
pub(crate) fn find<'t>(header: &'t [u8], name: &str) -> Option<&'t [u8]> {
    Fields::new(header, 0)
        .find(|field| field.name.trim_ascii_end().eq_ignore_ascii_case(name.as_bytes()))
        .map(|field| field.value)
}

/// What a field is to the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    ContentType,
    TransferEncoding,
    ContentLength,
    Subject,
    /// Holds a URL, after the field's purpose.
    Url,
    Other,
}

/// What the field is to the walk. Every line of every header passes through here,
/// so the first byte decides first.
#[inline]
pub(crate) fn role(field: &Field<'_>) -> Role {
    match field.name.first() {
        Some(first)
            if matches!(first | 0x20, b'c' | b's' | b'l' | b'a' | b'x' | b'u' | b'h' | b'w') =>
        {
            likely_role(first | 0x20, field)
        }
        _ => Role::Other,
    }
}

fn likely_role(first: u8, field: &Field<'_>) -> Role {
    let name = field.name;
    let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
    match first {
        b'c' => match name.trim_ascii_end().len() {
            12 if is("content-type") => Role::ContentType,
            25 if is("content-transfer-encoding") => Role::TransferEncoding,
            14 if is("content-length") => Role::ContentLength,
            16 if is("content-location") => Role::Url,
            12 if is("content-base") => Role::Url,
            _ => Role::Other,
        },
        b's' if name.len() == 7 && is("subject") => Role::Subject,
        b'l' if is("link") => Role::Url,
        b'l' if !is("list-id")
            && name.get(..5).is_some_and(|head| head.eq_ignore_ascii_case(b"list-")) =>
        {
            Role::Url
        }
        b'a' if is("archived-at") => Role::Url,
        b'x' if holds_a_link(field.value) => Role::Url,
        b'x' | b'u' | b'h' | b'w' if named_for_a_url(name) => Role::Url,
        _ => Role::Other,
    }
}

/// Whether the field holds identifiers, addresses in angle brackets or traces, which look like
/// URLs at most by chance.
pub(crate) fn is_identifier(name: &[u8]) -> bool {
    const NAMES: [&str; 14] = [
        "Message-ID",
        "In-Reply-To",
        "References",
        "Received",
        "Return-Path",
        "Delivered-To",
        "Envelope-To",
        "Resent-Message-ID",
        "Content-ID",
        "List-Id",
        "DKIM-Signature",
        "ARC-Seal",
        "ARC-Message-Signature",
        "Xref",
    ];
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// Whether some colon is followed by anything but white space. Most subjects hold just the colon
/// of `Re: `, and need not be looked at again.
pub(crate) fn may_hold_a_url(value: &[u8]) -> bool {
    memchr::memchr_iter(b':', value)
        .any(|at| value.get(at + 1).is_some_and(|next| !next.is_ascii_whitespace()))
}

/// Whether a private field's value starts with `word://`: `X-GPG-Keyserver`, `X-Website`, …
fn holds_a_link(value: &[u8]) -> bool {
    let value = value.trim_ascii_start();
    let word = value.iter().take(12).take_while(|b| b.is_ascii_alphanumeric()).count();
    word > 0 && value.get(word..).is_some_and(|rest| rest.starts_with(b"://"))
}

/// `X-URL`, `X-Homepage`, `X-Blog-URI`, `URL`, …: free-form fields whose last word says it.
fn named_for_a_url(name: &[u8]) -> bool {
    const WORDS: [&[u8]; 8] =
        [b"url", b"uri", b"www", b"homepage", b"home-page", b"web", b"webpage", b"archived-at"];
    let last = name.last().map(|b| b | 0x20);
    WORDS.iter().filter(|word| word.last().copied() == last).any(|word| {
        name.len().checked_sub(word.len()).is_some_and(|at| {
            name.get(at..).is_some_and(|tail| tail.eq_ignore_ascii_case(word))
                && (at == 0 || name.get(at - 1) == Some(&b'-'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (Vec<String>, usize) {
        let mut fields = Fields::new(text.as_bytes(), 0);
        let names = fields.by_ref().map(|f| String::from_utf8_lossy(f.name).into_owned()).collect();
        (names, fields.body())
    }

    #[test]
    fn fields_end_at_the_empty_line() {
        assert_eq!(names("A: 1\n 2\nB : 3\n\nC: 4\n"), (vec!["A".into(), "B ".into()], 15));
        assert_eq!(names("A: 1\r\n\r\nC: 4\r\n"), (vec!["A".into()], 8));
        assert_eq!(names("A: 1"), (vec!["A".into()], 4));
        assert_eq!(names("\nbody"), (vec![], 1));
        assert_eq!(names(""), (vec![], 0));
    }

    #[test]
    fn colons() {
        for (line, colon) in [
            ("A: b", Some(1)),
            ("http://h/", None),
            ("<news:x>", None),
            ("Content-Transfer-Encoding:x", Some(25)),
            ("Subject : x and more", Some(8)),
            ("Subject x: and more", None),
            (": and more of it", None),
            (" A: and more", None),
            ("no colon at all", None),
            ("nocolonatallnocolonatall", None),
            ("caf\u{e9}: and more", Some(5)),
        ] {
            assert_eq!(field_colon(line.as_bytes()), colon, "{line}");
        }
        let long = format!("{}: x", "n".repeat(76));
        assert_eq!(field_colon(long.as_bytes()), Some(76));
        assert_eq!(field_colon(format!("n{long}").as_bytes()), None);
    }

    #[test]
    fn stray_lines() {
        let envelope = "From joe Thu Dec  1 10:00:00 1994\nA: 1\n\nx";
        assert_eq!(names(envelope), (vec!["A".into()], envelope.len() - 1));
        let among = "A: 1\nstray line\nB: 2\n\nx";
        assert_eq!(names(among), (vec!["A".into(), String::new(), "B".into()], among.len() - 1));
        // No empty line: the body starts at its first line.
        assert_eq!(names("A: 1\nHello there,\nhow are you\n\n"), (vec!["A".into()], 5));
    }

    #[test]
    fn values_keep_their_folds() {
        let mut fields = Fields::new(b"A: 1\r\n\t2\r\nB:3\r\n\r\n", 0);
        assert_eq!(fields.next(), Some(Field { name: b"A", value: b" 1\r\n\t2", at: 2 }));
        assert_eq!(fields.next(), Some(Field { name: b"B", value: b"3", at: 12 }));
        assert_eq!(fields.next(), None);
    }

    #[test]
    fn colons_worth_a_look() {
        assert!(may_hold_a_url(b" Re: see URL: http://host.dom/"));
        assert!(may_hold_a_url(b" news:comp.lang.c"));
        assert!(!may_hold_a_url(b" Re: Fwd:\tlunch:"));
    }

    #[test]
    fn roles() {
        for (name, expected) in [
            ("Content-Type", Role::ContentType),
            ("CONTENT-TRANSFER-ENCODING", Role::TransferEncoding),
            ("List-Unsubscribe", Role::Url),
            ("List-ID", Role::Other),
            ("X-URL", Role::Url),
            ("X-Home-Page", Role::Url),
            ("X-Curl", Role::Other),
            ("URL", Role::Url),
            ("References", Role::Other),
            ("To", Role::Other),
            ("X-Keyserver", Role::Other),
        ] {
            let field = Field { name: name.as_bytes(), value: b" x", at: 0 };
            assert_eq!(role(&field), expected, "{name}");
        }
        let field = Field { name: b"X-Keyserver", value: b" http://host.dom/", at: 0 };
        assert_eq!(role(&field), Role::Url);
    }
}

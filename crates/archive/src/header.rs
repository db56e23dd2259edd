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

/// The fields at the start of a text, in order. When it is exhausted, [`Fields::body`] says where
/// the body starts.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'t> {
    text: &'t [u8],
    start: usize,
    at: usize,
    done: bool,
}

/// `ftext` of RFC 5322: printable, no colon, no blank.
const fn in_name(byte: u8) -> bool {
    matches!(byte, 33..=57 | 59..=126)
}

/// The offset of the colon when a line that starts `text` is `name:` or `name :`.
pub(crate) fn field_colon(text: &[u8]) -> Option<usize> {
    let mut name = 0;
    for &byte in text.iter().take(LONGEST_NAME + 1) {
        if !in_name(byte) {
            break;
        }
        name += 1;
    }
    if name == 0 {
        return None;
    }
    let blanks = text.get(name..)?.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    (text.get(name + blanks) == Some(&b':')).then_some(name + blanks)
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
    fn after_line(&self, from: usize) -> usize {
        match self.text.get(from..).and_then(|rest| memchr(b'\n', rest)) {
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
                while matches!(self.text.get(after), Some(b' ' | b'\t')) {
                    after = self.after_line(after);
                }
                if after - self.start > LONGEST {
                    break;
                }
                let from = self.at + colon + 1;
                let mut value = self.text.get(from..after).unwrap_or_default();
                if let [rest @ .., b'\n'] = value {
                    value = rest;
                }
                if let [rest @ .., b'\r'] = value {
                    value = rest;
                }
                self.at = after;
                let name = line.get(..colon).unwrap_or_default().trim_ascii_end();
                return Some(Field { name, value, at: from });
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
            self.at = next;
        }
        self.done = true;
        None
    }
}

/// The value of the first field called `name`, as it stands.
pub(crate) fn find<'t>(header: &'t [u8], name: &str) -> Option<&'t [u8]> {
    Fields::new(header, 0)
        .find(|field| field.name.eq_ignore_ascii_case(name.as_bytes()))
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
    /// Holds identifiers, addresses or traces only.
    Identifier,
    Other,
}

/// What the field called `name` is to the walk. Every line of every header passes through here,
/// so the first byte decides first.
#[inline]
pub(crate) fn role(name: &[u8]) -> Role {
    let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
    let Some(&first) = name.first() else { return Role::Other };
    match first | 0x20 {
        b'c' => match name.len() {
            12 if is("content-type") => Role::ContentType,
            25 if is("content-transfer-encoding") => Role::TransferEncoding,
            14 if is("content-length") => Role::ContentLength,
            16 if is("content-location") => Role::Url,
            12 if is("content-base") => Role::Url,
            10 if is("content-id") => Role::Identifier,
            _ => Role::Other,
        },
        b's' if name.len() == 7 && is("subject") => Role::Subject,
        b'l' if is("link") => Role::Url,
        b'l' if is("list-id") => Role::Identifier,
        b'l' if name.len() > 5
            && name.get(..5).is_some_and(|p| p.eq_ignore_ascii_case(b"list-")) =>
        {
            Role::Url
        }
        b'a' if is("archived-at") => Role::Url,
        b'm' if is("message-id") => Role::Identifier,
        b'i' if is("in-reply-to") => Role::Identifier,
        b'r' if is("received") || is("references") || is("return-path") => Role::Identifier,
        b'r' if is("resent-message-id") => Role::Identifier,
        b'd' if is("delivered-to") || is("dkim-signature") => Role::Identifier,
        b'x' | b'u' | b'h' | b'w' if named_for_a_url(name) => Role::Url,
        _ => Role::Other,
    }
}

/// `X-URL`, `X-Homepage`, `X-Blog-URI`, `URL`, …: free-form fields whose last word says it.
fn named_for_a_url(name: &[u8]) -> bool {
    const WORDS: [&[u8]; 8] =
        [b"url", b"uri", b"www", b"homepage", b"home-page", b"web", b"webpage", b"archived-at"];
    WORDS.iter().any(|word| {
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
        assert_eq!(names("A: 1\n 2\nB : 3\n\nC: 4\n"), (vec!["A".into(), "B".into()], 15));
        assert_eq!(names("A: 1\r\n\r\nC: 4\r\n"), (vec!["A".into()], 8));
        assert_eq!(names("A: 1"), (vec!["A".into()], 4));
        assert_eq!(names("\nbody"), (vec![], 1));
        assert_eq!(names(""), (vec![], 0));
    }

    #[test]
    fn stray_lines() {
        let envelope = "From joe Thu Dec  1 10:00:00 1994\nA: 1\n\nx";
        assert_eq!(names(envelope), (vec!["A".into()], envelope.len() - 1));
        let among = "A: 1\nstray line\nB: 2\n\nx";
        assert_eq!(names(among), (vec!["A".into(), "B".into()], among.len() - 1));
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
    fn roles() {
        for (name, expected) in [
            ("Content-Type", Role::ContentType),
            ("CONTENT-TRANSFER-ENCODING", Role::TransferEncoding),
            ("List-Unsubscribe", Role::Url),
            ("List-ID", Role::Identifier),
            ("X-URL", Role::Url),
            ("X-Home-Page", Role::Url),
            ("X-Curl", Role::Other),
            ("URL", Role::Url),
            ("References", Role::Identifier),
            ("To", Role::Other),
        ] {
            assert_eq!(role(name.as_bytes()), expected, "{name}");
        }
    }
}

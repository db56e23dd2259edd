//! The header of a message or part: a fast pass over its fields, and lookup by name.

use crate::simd::{self, FieldEnds};
use core::ops::Range;
use memchr::memchr;

/// The maximum length of a header, in bytes. The text after that counts as body, so that the rest
/// of an endless line is still scanned.
const MAX_HEADER_LEN: usize = 1 << 20;

/// The maximum length of a field name, in bytes. RFC 5322 only limits the length of the line.
const MAX_NAME_LEN: usize = 76;

/// One raw header field, including its continuation lines (*folds*). The name and the value are
/// only extracted on request, because most fields can be skipped by their first byte. A line
/// between the fields that has no name is called *stray*.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'t> {
    text: &'t [u8],
    /// The offset of the field's first byte.
    start: usize,
    /// The distance from the start of the field to its colon; 0 for a stray line.
    colon: usize,
    /// The offset just after the line break that ends the field.
    end: usize,
}

impl<'t> Field<'t> {
    /// True if this is a stray line, which has no name.
    pub(crate) const fn is_stray(&self) -> bool {
        self.colon == 0
    }

    /// True if the field, or stray line, starts with `prefix`.
    #[inline]
    pub(crate) fn line_starts_with(&self, prefix: &[u8]) -> bool {
        self.text.get(self.start..self.end).is_some_and(|line| line.starts_with(prefix))
    }

    /// Returns the first byte of the field, or stray line.
    #[inline]
    pub(crate) fn first_byte(&self) -> Option<u8> {
        self.text.get(self.start).copied()
    }

    /// Returns the name as written, without the blanks that RFC 822 allows before the colon.
    #[inline]
    pub(crate) fn name(&self) -> &'t [u8] {
        let name = self.text.get(self.start..self.start + self.colon).unwrap_or_default();
        name.trim_ascii_end()
    }

    /// Returns the range of the name in the text that contains the header.
    pub(crate) fn name_range(&self) -> Range<usize> {
        self.start..self.start + self.name().len()
    }

    /// Returns the bytes after the colon up to the line break that ends the field, or all of a
    /// stray line.
    pub(crate) fn value(&self) -> &'t [u8] {
        self.text.get(self.value_range()).unwrap_or_default()
    }

    /// Returns the range of the value in the text that contains the header.
    pub(crate) fn value_range(&self) -> Range<usize> {
        if self.is_stray() {
            return self.start..self.end;
        }
        let from = self.start + self.colon + 1;
        let end = match self.text.get(from..self.end) {
            Some([.., b'\r', b'\n']) => self.end - 2,
            Some([.., b'\n']) => self.end - 1,
            _ => self.end,
        };
        from..end.max(from)
    }
}

/// An iterator over the fields of a header. A stray line among them is a field without a name.
/// After the last field, [`Fields::body_start`] returns the start of the body.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'t> {
    text: &'t [u8],
    start: usize,
    at: usize,
    done: bool,
    ends: FieldEnds<'t>,
    /// True if an empty line ended the fields.
    closed: bool,
    /// True if some line was not of the form `Name:`.
    odd: bool,
}

/// Returns the offset of the colon if `text` starts with a line `name:` or `name :`.
///
/// The name must start with a letter or digit, and `//` must not follow the colon. Otherwise a body
/// that starts with `http://host.dom/`, without an empty line before it, would count as a field.
pub(crate) fn field_colon(text: &[u8]) -> Option<usize> {
    usual_field_colon(text).or_else(|| unusual_field_colon(text))
}

/// Returns the offset of the colon if `text` starts with a line `name:` without blanks before the
/// colon, as most fields do. Returns `None` for other lines.
#[inline]
fn usual_field_colon(text: &[u8]) -> Option<usize> {
    let chunk = text.first_chunk()?;
    let end = match simd::name_end(*chunk) {
        16 => long_name_len(text)?,
        end => end,
    };
    (text.get(end) == Some(&b':')
        && chunk.first().is_some_and(u8::is_ascii_alphanumeric)
        && text.get(end + 1..end + 3) != Some(b"//"))
    .then_some(end)
}

/// Returns the length of a name of more than 15 bytes, or `None` if the name is too long or the
/// text ends.
#[inline(never)]
fn long_name_len(text: &[u8]) -> Option<usize> {
    let mut at = 16;
    while at <= MAX_NAME_LEN {
        let end = simd::name_end(*text.get(at..)?.first_chunk()?);
        at += end;
        if end < 16 {
            return (at <= MAX_NAME_LEN).then_some(at);
        }
    }
    None
}

/// Does the work of [`field_colon`] for lines that [`usual_field_colon`] rejects.
fn unusual_field_colon(text: &[u8]) -> Option<usize> {
    if !text.first()?.is_ascii_alphanumeric() {
        return None;
    }
    let window = text.get(..text.len().min(MAX_NAME_LEN + 1))?;
    let at = window.iter().position(|&b| b <= b' ' || b == b':')?;
    let rest = text.get(at..)?;
    if let [b':', after @ ..] = rest {
        return (!after.starts_with(b"//")).then_some(at);
    }
    let blanks = rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    (rest.get(blanks) == Some(&b':')).then_some(at + blanks)
}

impl<'t> Fields<'t> {
    pub(crate) fn new(text: &'t [u8], start: usize) -> Self {
        Self::resume_at(text, start, start)
    }

    /// Returns an iterator over those fields of the header at byte `start` that start at or after
    /// byte `at`.
    pub(crate) fn resume_at(text: &'t [u8], start: usize, at: usize) -> Self {
        let ends = FieldEnds::new(text, at);
        Self { text, start, at, done: false, ends, closed: false, odd: false }
    }

    /// Returns the start of the body: after the empty line, or at the first line that is not part
    /// of the header. Call this when the iterator is exhausted.
    pub(crate) const fn body_start(&self) -> usize {
        self.at
    }

    /// True if the header is complete, so that no bytes after the text could add a field. Call this
    /// when the iterator is exhausted.
    pub(crate) fn is_over(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let next = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        self.closed || self.done && next < rest.len()
    }

    /// True if the header consists of `Name:` lines and their folds, and an empty line ends it.
    /// Then the fields don't depend on the bytes after it.
    pub(crate) const fn is_plain(&self) -> bool {
        self.closed && !self.odd
    }
}

impl<'t> Iterator for Fields<'t> {
    type Item = Field<'t>;

    #[inline]
    fn next(&mut self) -> Option<Field<'t>> {
        if !self.done
            && let Some(colon) = self.text.get(self.at..).and_then(usual_field_colon)
        {
            return self.take_field(colon);
        }
        self.next_unusual()
    }
}

impl<'t> Fields<'t> {
    /// Returns the current field, given the distance from its start to its colon, and advances to
    /// the next one. Returns `None` if the header is longer than [`MAX_HEADER_LEN`].
    #[inline]
    fn take_field(&mut self, colon: usize) -> Option<Field<'t>> {
        let end = self.ends.next_end();
        if end - self.start > MAX_HEADER_LEN {
            self.done = true;
            return None;
        }
        let start = core::mem::replace(&mut self.at, end);
        Some(Field { text: self.text, start, colon, end })
    }

    /// Returns the next field, whose first line doesn't have the usual form, or `None` after the
    /// last field. This is the slow path of `next`.
    fn next_unusual(&mut self) -> Option<Field<'t>> {
        while !self.done {
            let line = self.text.get(self.at..).unwrap_or_default();
            match line {
                [] => break,
                [b'\n', ..] => {
                    self.at += 1;
                    self.closed = true;
                    break;
                }
                [b'\r', b'\n', ..] => {
                    self.at += 2;
                    self.closed = true;
                    break;
                }
                _ => {}
            }
            if let Some(colon) = field_colon(line) {
                self.odd |= line.get(..colon).is_some_and(|name| name.ends_with(b" "));
                return self.take_field(colon);
            }
            // Not a field. An envelope line or a single stray line between fields is skipped; any
            // other line starts a body that no empty line precedes.
            self.odd = true;
            let next = self.at + memchr(b'\n', line).map_or(line.len(), |end| end + 1);
            // If the next line starts with a blank, it is another stray line.
            self.ends = FieldEnds::new(self.text, next);
            let envelope = line.starts_with(b"From ") || line.starts_with(b">From ");
            let continued = self.at > self.start || matches!(line.first(), Some(b' ' | b'\t'));
            let field_follows =
                self.text.get(next..).is_some_and(|rest| field_colon(rest).is_some());
            if !(field_follows && (envelope || continued)) || next - self.start > MAX_HEADER_LEN {
                break;
            }
            let start = core::mem::replace(&mut self.at, next);
            if !envelope {
                return Some(Field { text: self.text, start, colon: 0, end: next });
            }
        }
        self.done = true;
        None
    }
}

/// True if the header at `start..end` was cut because it is too long: no empty line ends it, and
/// another field follows.
pub(crate) fn is_header_cut(text: &[u8], start: usize, end: usize) -> bool {
    let header = text.get(start..end).unwrap_or_default();
    let is_closed = header.is_empty() || header.ends_with(b"\n\n") || header.ends_with(b"\n\r\n");
    let rest = text.get(end..).unwrap_or_default();
    !is_closed && text.len() - start > MAX_HEADER_LEN && field_colon(rest).is_some()
}

/// Calls `visit` with the fields whose first byte `accepts_first_byte` accepts, as [`visit_fields`]
/// does, up to the first line that [`usual_field_colon`] rejects. Returns the start of that line.
#[inline]
pub(crate) fn visit_usual_fields<'t>(
    text: &'t [u8],
    start: usize,
    accepts_first_byte: impl Fn(u8) -> bool,
    visit: &mut impl FnMut(Field<'t>),
) -> usize {
    let mut ends = FieldEnds::new(text, start);
    let mut at = start;
    while let Some(line) = text.get(at..)
        && let Some(&first) = line.first()
        && let Some(colon) = usual_field_colon(line)
    {
        let end = ends.next_end();
        if end - start > MAX_HEADER_LEN {
            break;
        }
        if accepts_first_byte(first) {
            visit(Field { text, start: at, colon, end });
        }
        at = end;
    }
    at
}

/// Calls `visit` with the fields of the header at byte `start`, and may skip those whose first byte
/// `accepts_first_byte` rejects. Returns the start of the body, and true if the header is plain
/// (see [`Fields::is_plain`]).
///
/// The other fields are visited exactly as [`Fields`] returns them. Most fields of a header aren't
/// needed. Skipping those in a loop that handles only the usual form halves their cost.
#[inline]
pub(crate) fn visit_fields<'t>(
    text: &'t [u8],
    start: usize,
    accepts_first_byte: impl Fn(u8) -> bool,
    mut visit: impl FnMut(Field<'t>),
) -> (usize, bool) {
    let at = visit_usual_fields(text, start, accepts_first_byte, &mut visit);
    if text.get(at) == Some(&b'\n') {
        return (at + 1, true);
    }
    let mut fields = Fields::resume_at(text, start, at);
    fields.by_ref().for_each(visit);
    (fields.body_start(), fields.is_plain())
}

/// Returns the raw value of the first field called `name`, ignoring case, or `None` if there is no
/// such field.
pub(crate) fn find_field_value<'t>(header: &'t [u8], name: &str) -> Option<&'t [u8]> {
    Fields::new(header, 0)
        .find(|field| field.name().eq_ignore_ascii_case(name.as_bytes()))
        .map(|field| field.value())
}

/// The purpose for which a header field is read: to find the body of a message, or to find URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    ContentType,
    TransferEncoding,
    Disposition,
    ContentLength,
    Subject,
    /// A field meant to contain a URL.
    Url,
    Other,
}

/// True if a field whose name starts with `first` may have a role other than [`Role::Other`].
#[inline]
pub(crate) fn may_have_role(first: u8) -> bool {
    matches!(first | 0x20, b'c' | b's' | b'l' | b'a' | b'x' | b'u' | b'h' | b'w')
}

/// Returns the role of a field. This is called for every header line, so it checks the first byte
/// first.
#[inline]
pub(crate) fn field_role(field: &Field<'_>) -> Role {
    match field.text.get(field.start) {
        Some(&first) if may_have_role(first) => likely_role(first | 0x20, field),
        _ => Role::Other,
    }
}

/// Does the work of [`field_role`], given the first byte of the name in lower case.
fn likely_role(first: u8, field: &Field<'_>) -> Role {
    let name = field.name();
    match (first, name.len()) {
        (b's', 7) if equals_ignoring_case(name, b"subject") => Role::Subject,
        (b'c', 12) if equals_ignoring_case(name, b"content-type") => Role::ContentType,
        (b'c', 25) if equals_ignoring_case(name, b"content-transfer-encoding") => {
            Role::TransferEncoding
        }
        (b'c', 14) if equals_ignoring_case(name, b"content-length") => Role::ContentLength,
        (b'c', 19) if equals_ignoring_case(name, b"content-disposition") => Role::Disposition,
        _ if is_field_for_urls(name, field.value()) => Role::Url,
        _ => Role::Other,
    }
}

/// True if a header field is meant to contain URLs.
///
/// Such a field has a certain name (`List-*` except `List-Id`, `Archived-At`, `Content-Location`,
/// `X-URL`, …), or is a private field (`X-*`) whose value starts with `word://`. A `Content-Type`
/// counts if `value` is only the URL of an external body. A subject is prose and does not count.
///
/// ```
/// use urlsift_archive::is_field_for_urls;
///
/// assert!(is_field_for_urls(b"List-Archive", b"<http://host.dom/>"));
/// assert!(is_field_for_urls(b"X-Keyserver", b"http://host.dom/"));
/// assert!(!is_field_for_urls(b"Subject", b"http://host.dom/"));
/// ```
pub fn is_field_for_urls(name: &[u8], value: &[u8]) -> bool {
    match (name.first().map_or(0, |first| first | 0x20), name.len()) {
        (b'c', 16) => equals_ignoring_case(name, b"content-location"),
        (b'c', 12) => {
            equals_ignoring_case(name, b"content-base")
                || equals_ignoring_case(name, b"content-type") && starts_with_link(value)
        }
        (b'l', 4) => equals_ignoring_case(name, b"link"),
        (b'l', 5..) => {
            starts_with_ignoring_case(name, b"list-") && !equals_ignoring_case(name, b"list-id")
        }
        (b'a', 11) => equals_ignoring_case(name, b"archived-at"),
        (b'x', _) => starts_with_link(value) || is_named_for_url(name),
        (b'u' | b'h' | b'w', _) => is_named_for_url(name),
        _ => false,
    }
}

/// True if `name` equals `lower`, ignoring case. `lower` must consist of letters and hyphens. A
/// name has no control characters, so setting the case bit turns no other byte into a letter or
/// hyphen.
#[inline]
fn equals_ignoring_case<const N: usize>(name: &[u8], lower: &[u8; N]) -> bool {
    name.len() == N && starts_with_ignoring_case(name, lower)
}

/// True if `name` starts with `lower`, ignoring case. `lower` must consist of letters and hyphens.
///
/// Compares words of four bytes, the last two of which may overlap. For a comparison of the whole
/// arrays, most of which have an odd length, the compiler generates slow code.
#[inline]
fn starts_with_ignoring_case<const N: usize>(name: &[u8], lower: &[u8; N]) -> bool {
    const { assert!(N >= 4, "it is a word at least") };
    let word =
        |of: &[u8; N], at: usize| u32::from_le_bytes([of[at], of[at + 1], of[at + 2], of[at + 3]]);
    name.first_chunk().is_some_and(|name| {
        let words = (0..N).step_by(4).map(|at| at.min(N - 4));
        words.fold(0, |other, at| other | (word(name, at) | 0x2020_2020) ^ word(lower, at)) == 0
    })
}

/// The header fields that [`Provenance`](crate::Provenance) contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProvenanceField {
    Id,
    From,
    Date,
    PostingDate,
    Received,
    Newsgroups,
    List,
    InReplyTo,
    References,
}

/// True if a field whose name starts with `first` may be a [`ProvenanceField`].
#[inline]
pub(crate) fn may_have_provenance(first: u8) -> bool {
    matches!(first | 0x20, b'm' | b'f' | b'd' | b'n' | b'r' | b'l' | b'i')
}

/// Returns the kind of a field that [`Provenance`](crate::Provenance) contains, or `None` for other
/// fields.
#[inline]
pub(crate) fn provenance_field(field: &Field<'_>) -> Option<ProvenanceField> {
    let name = field.name();
    let (kind, is_it) = match (name.first()? | 0x20, name.len()) {
        (b'm', 10) => (ProvenanceField::Id, equals_ignoring_case(name, b"message-id")),
        (b'f', 4) => (ProvenanceField::From, equals_ignoring_case(name, b"from")),
        (b'd', 4) => (ProvenanceField::Date, equals_ignoring_case(name, b"date")),
        (b'n', 17) => {
            (ProvenanceField::PostingDate, equals_ignoring_case(name, b"nntp-posting-date"))
        }
        (b'n', 10) => (ProvenanceField::Newsgroups, equals_ignoring_case(name, b"newsgroups")),
        (b'r', 8) => (ProvenanceField::Received, equals_ignoring_case(name, b"received")),
        (b'r', 10) => (ProvenanceField::References, equals_ignoring_case(name, b"references")),
        (b'l', 7) => (ProvenanceField::List, equals_ignoring_case(name, b"list-id")),
        (b'i', 11) => (ProvenanceField::InReplyTo, equals_ignoring_case(name, b"in-reply-to")),
        _ => return None,
    };
    is_it.then_some(kind)
}

/// True if a field called `name` contains identifiers, addresses in angle brackets or trace
/// information. These look like URLs only by chance.
#[inline]
pub(crate) fn is_identifier_field(name: &[u8]) -> bool {
    match (name.first().map(|first| first | 0x20), name.len()) {
        (Some(b'm'), 10) => equals_ignoring_case(name, b"message-id"),
        (Some(b'i'), 11) => equals_ignoring_case(name, b"in-reply-to"),
        (Some(b'r'), 8) => equals_ignoring_case(name, b"received"),
        (Some(b'r'), 10) => equals_ignoring_case(name, b"references"),
        (Some(b'r'), 11) => equals_ignoring_case(name, b"return-path"),
        (Some(b'r'), 17) => equals_ignoring_case(name, b"resent-message-id"),
        (Some(b'd'), 12) => equals_ignoring_case(name, b"delivered-to"),
        (Some(b'd'), 14) => equals_ignoring_case(name, b"dkim-signature"),
        (Some(b'e'), 11) => equals_ignoring_case(name, b"envelope-to"),
        (Some(b'c'), 10) => equals_ignoring_case(name, b"content-id"),
        (Some(b'l'), 7) => equals_ignoring_case(name, b"list-id"),
        (Some(b'a'), 8) => equals_ignoring_case(name, b"arc-seal"),
        (Some(b'a'), 21) => equals_ignoring_case(name, b"arc-message-signature"),
        (Some(b'x'), 4) => equals_ignoring_case(name, b"xref"),
        _ => false,
    }
}

/// The features of a header value that decide whether it must be decoded or scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueMarks {
    /// True if the value contains the start of an encoded word: `=?`.
    pub encoded: bool,
    /// True if the value contains a colon that no white space follows, so that it may contain a
    /// URL. Most subjects only have the colon of `Re: `.
    pub colon: bool,
}

/// Returns the features of the header value at the range `value` of `text`.
#[inline]
pub(crate) fn value_marks(text: &[u8], value: Range<usize>) -> ValueMarks {
    let mut marks = ValueMarks { encoded: false, colon: false };
    let end = value.end;
    for at in simd::find_marks(text, value) {
        match text.get(at..end) {
            Some([b'=', b'?', ..]) => marks.encoded = true,
            Some([b':', next, ..]) if !next.is_ascii_whitespace() => marks.colon = true,
            _ => {}
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(text: &str) -> (Vec<String>, usize) {
        let mut fields = Fields::new(text.as_bytes(), 0);
        let names =
            fields.by_ref().map(|f| String::from_utf8_lossy(f.name()).into_owned()).collect();
        (names, fields.body_start())
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
    fn field_colons_are_found() {
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

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]
        /// Checks that `visit_fields` visits the fields that the iterator returns, except those
        /// that it may skip.
        #[test]
        fn the_walk_sees_the_same_fields(
            pieces in proptest::collection::vec(proptest::sample::select(&[
                "Abc: 1\n", "X-Y:2\r\n", "From x\n", ">From y\n", "From : 1\n", " fold\n", "\tfold\n", "\n", "\r\n", "stray\n",
                "http://h/\n", "Content-Transfer-Encoding: 7bit\n", "X", ":", "Y-0123456789-0123456789-0123456789", " ", "\r",
            ][..]), 0..16),
        ) {
            let text = pieces.concat();
            let mut fields = Fields::new(text.as_bytes(), 0);
            let expected: Vec<_> = fields.by_ref().map(|f| (f.start, f.colon, f.end)).collect();
            let (mut all, mut some) = (Vec::new(), Vec::new());
            let walked = visit_fields(text.as_bytes(), 0, |_| true, |f| all.push((f.start, f.colon, f.end)));
            prop_assert_eq!(walked, (fields.body_start(), fields.is_plain()));
            prop_assert_eq!(&all, &expected);
            visit_fields(text.as_bytes(), 0, |first| first != b'X', |f| some.push((f.start, f.colon, f.end)));
            all.retain(|field| text.as_bytes()[field.0] != b'X');
            some.retain(|field| text.as_bytes()[field.0] != b'X');
            prop_assert_eq!(some, all);
        }
    }

    #[test]
    fn stray_lines_are_fields_without_name() {
        let envelope = "From joe Thu Dec  1 10:00:00 1994\nA: 1\n\nx";
        assert_eq!(names(envelope), (vec!["A".into()], envelope.len() - 1));
        let among = "A: 1\nstray line\nB: 2\n\nx";
        assert_eq!(names(among), (vec!["A".into(), String::new(), "B".into()], among.len() - 1));
        // No empty line: the body starts at its first line.
        assert_eq!(names("A: 1\nHello there,\nhow are you\n\n"), (vec!["A".into()], 5));
    }

    #[test]
    fn values_keep_their_folds() {
        let fields = Fields::new(b"A: 1\r\n\t2\r\nB:3\r\n\r\n", 0);
        let found: Vec<_> = fields.map(|f| (f.name(), f.value(), f.value_range().start)).collect();
        assert_eq!(found, [(&b"A"[..], &b" 1\r\n\t2"[..], 2), (b"B", b"3", 12)]);
    }

    #[test]
    fn only_colons_inside_words_are_reported() {
        for (value, encoded, colon) in [
            (" Re: see URL: http://host.dom/", false, true),
            (" news:comp.lang.c", false, true),
            (" Re: Fwd:\tlunch:", false, false),
            (" Re: =?utf-8?q?a?=", true, false),
            (" a=? b=", true, false),
            ("", false, false),
        ] {
            for far in [0, 1, 61, 62, 63, 64] {
                let text = format!("{}{value}=?:x", " ".repeat(far));
                let found = value_marks(text.as_bytes(), far / 2..far + value.len());
                assert_eq!(found, ValueMarks { encoded, colon }, "{text}");
            }
        }
    }
}

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
/// The name must start with a letter or digit, and `//` must not follow the colon in `name:`.
/// Otherwise, `http://host.dom/` at the start of a body, without an empty line before it, would
/// count as a field.
pub(crate) fn find_field_colon(text: &[u8]) -> Option<usize> {
    find_usual_field_colon(text).or_else(|| find_unusual_field_colon(text))
}

/// Returns the offset of the colon if `text` starts with a line `name:` without blanks before the
/// colon, as most fields do. Returns `None` for other lines.
#[inline]
fn find_usual_field_colon(text: &[u8]) -> Option<usize> {
    let chunk = text.first_chunk()?;
    let end = match simd::field_name_end(*chunk) {
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
        let end = simd::field_name_end(*text.get(at..)?.first_chunk()?);
        at += end;
        if end < 16 {
            return (at <= MAX_NAME_LEN).then_some(at);
        }
    }
    None
}

/// Does the work of [`find_field_colon`] for lines that [`find_usual_field_colon`] rejects.
fn find_unusual_field_colon(text: &[u8]) -> Option<usize> {
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

    /// Returns an iterator over those fields of the header at byte `header_start` that start at or
    /// after byte `offset`.
    pub(crate) fn resume_at(text: &'t [u8], header_start: usize, offset: usize) -> Self {
        let ends = FieldEnds::new(text, offset);
        Self { text, start: header_start, at: offset, done: false, ends, closed: false, odd: false }
    }

    /// Returns the start of the body: after the empty line, or at the first line that is not part
    /// of the header. Call this when the iterator is exhausted.
    pub(crate) const fn body_start(&self) -> usize {
        self.at
    }

    /// True if the header is complete, so that no bytes after the text could add a field. Call this
    /// when the iterator is exhausted.
    pub(crate) fn is_complete(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let next = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        self.closed || self.done && next < rest.len()
    }

    /// True if the header consists of `Name:` lines and their folds, and an empty line ends it.
    /// Then the fields don't depend on the bytes after it.
    pub(crate) const fn has_only_usual_lines(&self) -> bool {
        self.closed && !self.odd
    }
}

impl<'t> Iterator for Fields<'t> {
    type Item = Field<'t>;

    #[inline]
    fn next(&mut self) -> Option<Field<'t>> {
        if !self.done
            && let Some(colon) = self.text.get(self.at..).and_then(find_usual_field_colon)
        {
            return self.take_usual_field(colon);
        }
        self.next_unusual_field()
    }
}

impl<'t> Fields<'t> {
    /// Returns the current field, given the distance from its start to its colon, and advances to
    /// the next one. Returns `None` if the header is longer than [`MAX_HEADER_LEN`].
    #[inline]
    fn take_usual_field(&mut self, colon: usize) -> Option<Field<'t>> {
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
    fn next_unusual_field(&mut self) -> Option<Field<'t>> {
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
            if let Some(colon) = find_field_colon(line) {
                self.odd |= line.get(..colon).is_some_and(|name| name.ends_with(b" "));
                return self.take_usual_field(colon);
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
                self.text.get(next..).is_some_and(|rest| find_field_colon(rest).is_some());
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
pub(crate) fn is_cut_by_max_len(text: &[u8], start: usize, end: usize) -> bool {
    let header = text.get(start..end).unwrap_or_default();
    let is_closed = header.is_empty() || header.ends_with(b"\n\n") || header.ends_with(b"\n\r\n");
    let rest = text.get(end..).unwrap_or_default();
    !is_closed && text.len() - start > MAX_HEADER_LEN && find_field_colon(rest).is_some()
}

/// Calls `visit` with the fields whose first byte `accepts_first_byte` accepts, as [`visit_fields`]
/// does, up to the first line that [`find_usual_field_colon`] rejects. Returns the start of that
/// line.
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
        && let Some(colon) = find_usual_field_colon(line)
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
/// (see [`Fields::has_only_usual_lines`]).
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
    (fields.body_start(), fields.has_only_usual_lines())
}

/// Returns the raw value of the first field called `name`, ignoring case, or `None` if there is no
/// such field.
pub(crate) fn find_field_value<'t>(header: &'t [u8], name: &str) -> Option<&'t [u8]> {
    Fields::new(header, 0)
        .find(|field| field.name().eq_ignore_ascii_case(name.as_bytes()))
        .map(|field| field.value())
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
pub(crate) fn find_value_marks(text: &[u8], value: Range<usize>) -> ValueMarks {
    let mut marks = ValueMarks { encoded: false, colon: false };
    let end = value.end;
    for at in simd::find_header_value_marks(text, value) {
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
            assert_eq!(find_field_colon(line.as_bytes()), colon, "{line}");
        }
        let long = format!("{}: x", "n".repeat(76));
        assert_eq!(find_field_colon(long.as_bytes()), Some(76));
        assert_eq!(find_field_colon(format!("n{long}").as_bytes()), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]
        /// Checks that `visit_fields` visits the fields that the iterator returns, except those
        /// that it may skip.
        #[test]
        fn visited_fields_are_those_of_the_iterator(
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
            prop_assert_eq!(walked, (fields.body_start(), fields.has_only_usual_lines()));
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
                let found = find_value_marks(text.as_bytes(), far / 2..far + value.len());
                assert_eq!(found, ValueMarks { encoded, colon }, "{text}");
            }
        }
    }
}

//! The first bytes of a document, from which its kind is detected.

/// The first [`Head::LEN`] bytes of a document, after decompression, from which
/// [`detect`](crate::detect()) determines the kind of the document. A flag says if more bytes
/// follow.
///
/// Bytes after the head don't count. If the head is not enough and more bytes follow, the name
/// decides. So a file named `.html` is HTML although its first tag comes later. One named `.eml` is
/// a message if it starts with a header field.
///
/// ```
/// use urlsift_archive::{Container, Head, Reading, detect};
/// let late = [b"A".repeat(Head::LEN), b"<p>".to_vec()].concat();
/// assert_eq!(detect(Head::of(&late), Some(b"a.html"), Reading::Auto), Container::Html);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head<'h> {
    bytes: &'h [u8],
    has_more: bool,
    is_partial: bool,
}

impl<'h> Head<'h> {
    /// The number of bytes from which the kind of a document is detected.
    pub const LEN: usize = 256 << 10;

    /// Returns the head of a document that is in memory as a whole.
    pub fn of(document: &'h [u8]) -> Self {
        Self::new(document, false)
    }

    /// Returns the head of a document that starts with `bytes`; `has_more` is true if more bytes
    /// follow these.
    pub fn new(bytes: &'h [u8], has_more: bool) -> Self {
        let head = bytes.get(..Self::LEN).unwrap_or(bytes);
        Self {
            bytes: head,
            has_more: has_more || head.len() < bytes.len(),
            is_partial: has_more && head.len() < Self::LEN,
        }
    }

    /// Returns the head, marked as complete although more bytes may follow.
    /// [`Head::answer_if_complete`] then accepts every answer.
    pub(crate) fn as_complete(self) -> Self {
        Self { is_partial: false, ..self }
    }

    /// Returns the head without its incomplete last line if more of the head may follow. Otherwise,
    /// returns it unchanged.
    pub(crate) fn without_incomplete_line(self) -> Self {
        if !self.is_partial {
            return self;
        }
        let len = memchr::memrchr(b'\n', self.bytes).map_or(0, |end| end + 1);
        Self { bytes: self.bytes.get(..len).unwrap_or(self.bytes), ..self }
    }

    /// Returns the first bytes of the document.
    pub(crate) const fn bytes(self) -> &'h [u8] {
        self.bytes
    }

    /// True if the document is longer than the head.
    pub(crate) const fn has_more(self) -> bool {
        self.has_more
    }

    /// Returns `answer`, or `None` if the head isn't complete, so that further bytes may change the
    /// answer.
    pub(crate) fn answer_if_complete<T>(self, answer: T) -> Option<T> {
        (!self.is_partial).then_some(answer)
    }

    /// True if the head contains at least `count` complete lines.
    pub(crate) fn has_complete_lines(self, count: usize) -> bool {
        memchr::memchr_iter(b'\n', self.bytes).nth(count - 1).is_some()
    }

    /// Returns true if the document starts with `mark`, and `None` if too few bytes are available
    /// to decide.
    #[inline]
    pub(crate) fn starts_with(self, mark: &[u8]) -> Option<bool> {
        // Most documents already differ in the first byte.
        if self.bytes.first().is_some_and(|first| mark.first() != Some(first)) {
            return Some(false);
        }
        if self.bytes.len() < mark.len() && mark.starts_with(self.bytes) {
            return self.answer_if_complete(false);
        }
        Some(self.bytes.starts_with(mark))
    }

    /// Returns the head's bytes without a byte order mark and leading white space. Returns `None`
    /// if no other character has been read yet and more bytes may follow.
    pub(crate) fn trimmed_text(self) -> Option<&'h [u8]> {
        let text = self.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(self.bytes);
        let text = text.trim_ascii_start();
        if text.is_empty() { self.answer_if_complete(text) } else { Some(text) }
    }
}

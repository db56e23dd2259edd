//! The scanner's input: a text, its charset and its known line breaks.

use urlsift_core::{Breaks, Charset};

/// A text to scan, with facts that the text itself doesn't show: its charset, the kinds of its line
/// breaks, and whether its markup has link labels.
///
/// ```
/// use urlsift_core::{Break, BreakKind, Breaks, Charset};
/// use urlsift_scanner::{Input, Scanner};
///
/// let scanner = Scanner::builder().build();
/// let url = |input| scanner.find(input).next().unwrap().url().into_owned();
/// let text = b"http://host.dom/a/ \nb\xE9";
/// // A soft break whose blank the sending program added.
/// let breaks = Breaks::from_iter([Break { at: 19, kind: BreakKind::SoftDelSp }]);
/// let input = Input::new(text).breaks(&breaks).charset(Charset::EightBit);
/// assert_eq!(url(input), b"http://host.dom/a/b");
/// assert_eq!(url(Input::new(text)), b"http://host.dom/a/");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Input<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) breaks: &'t Breaks,
    pub(crate) charset: Charset,
    pub(crate) has_labels: bool,
}

impl<'t> Input<'t> {
    /// Creates an input for plain UTF-8 text, without soft line breaks and labels. Use the other
    /// methods to change that.
    pub const fn new(text: &'t [u8]) -> Self {
        const NONE: &Breaks = &Breaks::new();
        Self { text, breaks: NONE, charset: Charset::Utf8, has_labels: false }
    }

    /// Sets the line breaks whose kind is known from the text's format, such as the soft breaks of
    /// a `format=flowed` mail.
    #[must_use]
    pub const fn breaks(mut self, breaks: &'t Breaks) -> Self {
        self.breaks = breaks;
        self
    }

    /// Sets the charset of the text, which decides what its non-ASCII bytes mean.
    #[must_use]
    pub const fn charset(mut self, charset: Charset) -> Self {
        self.charset = charset;
        self
    }

    /// Sets whether square brackets right after a URL always contain its label, as in AsciiDoc
    /// (`http://host.dom/[the label]`).
    ///
    /// ```
    /// use urlsift_scanner::{Input, Scanner};
    /// let scanner = Scanner::builder().build();
    /// let input = Input::new(b"http://host.dom/a/[b]s").labels(true);
    /// assert_eq!(&*scanner.find(input).next().unwrap().url(), b"http://host.dom/a/");
    /// ```
    #[must_use]
    pub const fn labels(mut self, yes: bool) -> Self {
        self.has_labels = yes;
        self
    }

    /// Returns the text to scan.
    pub const fn text(&self) -> &'t [u8] {
        self.text
    }
}

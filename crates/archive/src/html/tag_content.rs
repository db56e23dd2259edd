//! The content of elements, and where it ends.

use memchr::memmem;

/// The kind of content that an element has, which decides how the content is read (HTML standard,
/// sections 13.1.2 and 13.2.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Content {
    /// Markup.
    #[default]
    Markup,
    /// A program or a style sheet, which is not shown.
    Source,
    /// Text with character references and no tags.
    EscapableText,
    /// Text in which character references and tags have no meaning, as in `<script>`.
    RawText,
    /// Raw text up to the end of the page.
    PlainText,
    /// Content for browsers that don't support the element, such as `<noscript>`. It is read as
    /// markup, but no markup in it extends beyond the end tag.
    Fallback,
}

impl Content {
    /// True if the content contains no tags.
    pub(super) fn is_without_tags(self) -> bool {
        !matches!(self, Self::Markup | Self::Fallback)
    }
}

/// Returns the offset in `content` of the end tag of the element `name`, or `None` if there is
/// none. `content` is the text after the element's start tag. The content of the element must not
/// contain tags.
pub(super) fn find_end_tag(content: &[u8], name: &[u8]) -> Option<usize> {
    let ends_name =
        |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' | b'/' | b'>');
    memmem::find_iter(content, b"</").find(|&at| {
        content.get(at + 2..at + 2 + name.len()).is_some_and(|n| n.eq_ignore_ascii_case(name))
            && content.get(at + 2 + name.len()).is_none_or(ends_name)
    })
}

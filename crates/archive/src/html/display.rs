//! The effect of elements on the text that a page shows.

use super::bare_tags::BareTags;
use super::names::NameTable;
use super::tag_content::Content;
use crate::name::Name;

/// The default display of an element, reduced to its effect on line breaks (the CSS property
/// `display`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Display {
    /// The element is part of a line of text, like `<b>`.
    Inline,
    /// The element is an image or control, which separates two words.
    Space,
    /// The element is a line break, like `<br>`.
    Line,
    /// The element is a block on lines of its own. True if a blank line separates it from its
    /// surroundings.
    Block(bool),
    /// The element is a block whose line breaks are kept. No blank line separates it from its
    /// surroundings.
    Preformatted,
}

impl Display {
    /// Returns the text that replaces the element's tags: two bytes, and the number of them that
    /// are used. (The code has no branches, because the kind of the next tag can't be predicted.)
    #[inline]
    pub(super) fn tag_replacement(self) -> ([u8; 2], usize) {
        let byte = if self == Self::Space { b' ' } else { b'\n' };
        let len = usize::from(self != Self::Inline) + usize::from(self == Self::Block(true));
        ([byte; 2], len)
    }

    /// True if the element's tags end a paragraph.
    #[inline]
    pub(super) const fn is_block(self) -> bool {
        matches!(self, Self::Block(_) | Self::Preformatted)
    }
}

/// The elements that aren't displayed inline. (`noembed` is inline.)
const KNOWN: &[(Display, &[&str])] = &[
    (Display::Line, &["br"]),
    (Display::Space, &["img", "input", "button", "textarea", "object", "iframe"]),
    (Display::Block(true), &["p", "h1", "h2", "h3", "h4", "h5", "h6"]),
    (Display::Preformatted, &["plaintext", "pre", "xmp"]),
    (Display::Inline, &["noembed"]),
    (
        Display::Block(false),
        &[
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "caption",
            "center",
            "dd",
            "details",
            "dir",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "head",
            "header",
            "hr",
            "html",
            "legend",
            "li",
            "main",
            "menu",
            "nav",
            "noscript",
            "ol",
            "option",
            "script",
            "section",
            "select",
            "style",
            "summary",
            "table",
            "tbody",
            "td",
            "tfoot",
            "th",
            "thead",
            "title",
            "tr",
            "ul",
        ],
    ),
];

/// The display of each element.
static ELEMENTS: NameTable<Display, 512> = NameTable::new(KNOWN, Display::Inline);

/// The display of elements, for short tags without attributes.
static BARE_TAGS: BareTags<Display, 256> = BareTags::new(KNOWN, CONTENTS, Display::Inline);

/// The elements whose content isn't markup.
const CONTENTS: &[(Content, &[&str])] = &[
    (Content::Source, &["script", "style"]),
    (Content::EscapableText, &["textarea", "title"]),
    (Content::RawText, &["xmp"]),
    (Content::PlainText, &["plaintext"]),
    (Content::Fallback, &["iframe", "noembed", "noframes", "noscript"]),
];

/// The kind of content of each element.
static CONTENT: NameTable<Content, 32> = NameTable::new(CONTENTS, Content::Markup);

/// Returns the kind of content between the tags of an element.
#[inline]
pub(super) fn content_of_element(element: Name) -> Content {
    CONTENT.get(element)
}

/// Returns how an element is displayed.
#[inline]
pub(super) fn display_of_element(element: Name) -> Display {
    ELEMENTS.get(element)
}

/// A tag that was read, and how its element is displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShownTag {
    pub display: Display,
    /// True for an end tag.
    pub closes: bool,
    /// The offset after the tag.
    pub end: usize,
}

/// The elements of links and of verbatim text. If the text of such an element ends with a URL, a
/// word that follows the end tag isn't part of the URL.
const WHOLE: [&[u8]; 5] = [b"a", b"code", b"kbd", b"samp", b"tt"];

/// The length in bytes of the window before an end tag in which [`ends_element_with_url`] looks for
/// a URL.
const MAX_LINK_TEXT_LEN: usize = 512;

impl ShownTag {
    /// Returns how the tag at offset `at` is displayed. The end tag of a link or of verbatim text
    /// (`</a>`, `</code>`) counts as a space if the text before it ends with a URL, and a letter, a
    /// digit or any non-ASCII character follows, as in
    /// `<a href="http://h.dom/">http://h.dom/</a>and`. Readers of the page see where the link ends.
    #[inline]
    pub(super) fn display_at(self, html: &[u8], at: usize) -> Display {
        let is_inside_word = || html.get(self.end).is_some_and(|b| is_of_word(*b));
        if self.display == Display::Inline
            && self.closes
            && is_inside_word()
            && ends_element_with_url(html, at)
        {
            return Display::Space;
        }
        self.display
    }
}

/// True for letters and digits of US-ASCII, and for bytes of other characters.
const fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// True if the end tag at offset `at` is that of a link or of verbatim text, and its text ends with
/// a URL.
#[inline(never)]
fn ends_element_with_url(html: &[u8], at: usize) -> bool {
    let name = html.get(at + b"</".len()..).unwrap_or_default();
    let len = name.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let is_whole = name.get(len).is_some_and(|b| *b == b'>' || b.is_ascii_whitespace())
        && WHOLE.iter().any(|whole| name[..len].eq_ignore_ascii_case(whole));
    if !is_whole {
        return false;
    }
    let mut text = &html[at.saturating_sub(MAX_LINK_TEXT_LEN)..at];
    // Other elements may end here, too: `<a><b>http://h.dom/</b></a>`.
    while text.ends_with(b">")
        && let Some(tag) = memchr::memrchr(b'<', text)
        && text[tag..].starts_with(b"</")
    {
        text = &text[..tag];
    }
    let is_end = |b: &u8| *b == b'>' || b.is_ascii_whitespace();
    let word = text.rsplit(is_end).next().unwrap_or_default();
    memchr::memmem::find(word, b"://").is_some()
}

/// Returns the tag that starts with the `<` at offset `at`, if the tag is short and has no
/// attributes, and its element contains markup. `None` means that the tag needs the full parser,
/// not that there is no tag.
#[inline]
pub(super) fn read_bare_tag(html: &[u8], at: usize) -> Option<ShownTag> {
    let (display, closes, len) = BARE_TAGS.look_up_tag(html.get(at + 1..)?)?;
    Some(ShownTag { display, closes, end: at + len + 2 })
}

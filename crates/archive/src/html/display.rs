//! How elements stand among the text that is shown.

use super::bare_tags::BareTags;
use super::names::Names;
use super::tag_content::Content;
use crate::name::Name;

/// How a browser shows an element by default, as far as line breaks go (the property `display` of
/// CSS).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Display {
    /// Within the line.
    Inline,
    /// As a picture or control, which parts two words.
    Space,
    /// As a line break.
    Line,
    /// On lines of its own, and whether a blank line sets it off.
    Block(bool),
    /// The same without a blank line, its line breaks kept.
    Preformatted,
}

impl Display {
    /// What is shown in the place of its tags: so many of these bytes. (Without a branch: what tag comes next nobody can guess.)
    #[inline]
    pub(super) fn shown(self) -> ([u8; 2], usize) {
        let byte = if self == Self::Space { b' ' } else { b'\n' };
        let len = usize::from(self != Self::Inline) + usize::from(self == Self::Block(true));
        ([byte; 2], len)
    }

    /// Whether its tags end a paragraph.
    #[inline]
    pub(super) const fn is_block(self) -> bool {
        matches!(self, Self::Block(_) | Self::Preformatted)
    }
}

/// How elements are shown that are not within the line.
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

static ELEMENTS: Names<Display, 512> = Names::new(KNOWN, Display::Inline);

static BARE_TAGS: BareTags<Display, 256> = BareTags::new(KNOWN, CONTENTS, Display::Inline);

/// The elements that hold something other than markup.
const CONTENTS: &[(Content, &[&str])] = &[
    (Content::Source, &["script", "style"]),
    (Content::EscapableText, &["textarea", "title"]),
    (Content::RawText, &["xmp"]),
    (Content::PlainText, &["plaintext"]),
    (Content::Fallback, &["iframe", "noembed", "noframes", "noscript"]),
];

static CONTENT: Names<Content, 32> = Names::new(CONTENTS, Content::Markup);

/// Returns what stands between the tags of an element.
#[inline]
pub(super) fn content(element: Name) -> Content {
    CONTENT.get(element)
}

/// How an element of that name is shown.
#[inline]
pub(super) fn display(element: Name) -> Display {
    ELEMENTS.get(element)
}

/// A tag, and how its element is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShownTag {
    pub display: Display,
    pub closes: bool,
    /// The offset behind it.
    pub end: usize,
}

/// The tag that starts with the `<` at `at` of `html`, if it is a short one without attributes of an element that holds markup.
/// `None` says nothing.
#[inline]
pub(super) fn bare_tag(html: &[u8], at: usize) -> Option<ShownTag> {
    let (display, closes, len) = BARE_TAGS.get(html.get(at + 1..)?)?;
    Some(ShownTag { display, closes, end: at + len + 2 })
}

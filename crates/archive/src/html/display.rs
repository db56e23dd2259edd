//! How elements stand among the text that is shown.

use super::names::{Name, Names};

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

/// How elements are shown that are not within the line.
static ELEMENTS: Names<Display, 128> = Names::new(
    &[
        (Display::Line, &["br"]),
        (Display::Space, &["img", "input", "button", "textarea", "object", "iframe"]),
        (Display::Block(true), &["p", "h1", "h2", "h3", "h4", "h5", "h6"]),
        (Display::Preformatted, &["pre"]),
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
    ],
    Display::Inline,
);

/// How an element of that name is shown.
#[inline]
pub(super) fn display(element: Name) -> Display {
    ELEMENTS.get(element)
}

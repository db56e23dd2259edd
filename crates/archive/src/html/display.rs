//! How elements stand among the text that is shown.

use crate::lower_case::in_lower_case;

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
}

pub(super) fn display(element: &[u8]) -> Display {
    let mut name = [0; 10];
    match in_lower_case(element, &mut name) {
        b"br" => Display::Line,
        b"img" | b"input" | b"button" | b"textarea" | b"object" | b"iframe" => Display::Space,
        b"p" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Display::Block(true),
        b"address" | b"article" | b"aside" | b"blockquote" | b"body" | b"caption" | b"center"
        | b"dd" | b"details" | b"dir" | b"div" | b"dl" | b"dt" | b"fieldset" | b"figcaption"
        | b"figure" | b"footer" | b"form" | b"head" | b"header" | b"hr" | b"html" | b"legend"
        | b"li" | b"main" | b"menu" | b"nav" | b"noscript" | b"ol" | b"option" | b"pre"
        | b"script" | b"section" | b"select" | b"style" | b"summary" | b"table" | b"tbody"
        | b"td" | b"tfoot" | b"th" | b"thead" | b"title" | b"tr" | b"ul" => Display::Block(false),
        _ => Display::Inline,
    }
}

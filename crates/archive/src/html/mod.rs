//! HTML taken apart: the attributes that hold URLs, the comments, and the text as it is shown.
//!
//! No library is used: those tried keep no offsets within what they decode (see the crate's
//! README).

pub(crate) mod entity;
mod token;

use crate::decode::derived::{Decoded, Derived};
use core::ops::{ControlFlow, Range};
use memchr::memmem;
use token::{Attribute, Attributes, Token, Tokens};
use urlsift_core::{Break, BreakKind};

/// Something found in a tag or between tags.
pub(crate) enum Piece<'n> {
    /// An attribute's value, one URL of it where it holds several, by `element/attribute`.
    Attribute(&'n str, Range<usize>),
    /// The inside of a comment: HTML that is not shown.
    Comment(Range<usize>),
    /// What follows a tag, comment or script that is never closed.
    Broken(Range<usize>),
    /// A value that is no URL itself but may speak of one, by `element/attribute`.
    Mention(&'n str, Range<usize>),
    /// A script, style or declaration that may speak of a URL. It has no references to decode.
    Source(&'n str, Range<usize>),
}

/// Attributes whose whole value is a URL, whatever the element.
const URLS: [&str; 22] = [
    "action",
    "archive",
    "background",
    "cite",
    "classid",
    "codebase",
    "data",
    "dynsrc",
    "formaction",
    "href",
    "icon",
    "longdesc",
    "lowsrc",
    "manifest",
    "pluginspage",
    "pluginurl",
    "poster",
    "profile",
    "src",
    "usemap",
    "xlink:href",
    "data-src",
];

/// Walks through `html`: hands every piece to `found` in order, and returns the shown text. Breaks
/// that elements of their own line make are hard; those of `<br>` and preformatted text are not
/// marked.
///
/// Time is linear.
pub(crate) fn take_apart(
    html: &[u8],
    base: usize,
    breaks: &mut Vec<Break>,
    mut found: impl FnMut(Piece<'_>) -> ControlFlow<()>,
) -> ControlFlow<(), Decoded> {
    let mut out = Derived::new(html.len() / 2, base);
    let mut tokens = Tokens::new(html);
    let mut preformatted = 0_u32;
    let mut label = String::new();
    while let Some(token) = tokens.next() {
        match token {
            Token::Text(range) if tokens.is_broken() => found(Piece::Broken(range))?,
            Token::Text(range) => push_text(&mut out, html, &range, preformatted == 0),
            Token::Hidden { element, range } => {
                if may_mention(html.get(range.clone()).unwrap_or_default()) {
                    label.clear();
                    push_lower(&mut label, html.get(element).unwrap_or_default());
                    found(Piece::Source(&label, range))?;
                }
            }
            Token::Comment { inside, .. } => found(Piece::Comment(inside))?,
            Token::Tag { whole, name, closes } => {
                let element = html.get(name.clone()).unwrap_or_default();
                match layout(element) {
                    Layout::Inline => {}
                    Layout::Space => out.replace(b" ", whole.start, whole.end),
                    Layout::Line => out.replace(b"\n", whole.start, whole.end),
                    Layout::Block(blank) => {
                        if element.eq_ignore_ascii_case(b"pre") {
                            preformatted = if closes {
                                preformatted.saturating_sub(1)
                            } else {
                                preformatted + 1
                            };
                        }
                        for _ in 0..=u8::from(blank) {
                            let at = out.text.len();
                            breaks.push(Break { at, kind: BreakKind::Hard, quote_depth: 0 });
                            out.replace(b"\n", whole.start, whole.end);
                        }
                    }
                }
                if !closes && whole.len() > name.len() + 2 {
                    tag(html, &whole, &name, &mut label, &mut found)?;
                }
            }
        }
    }
    ControlFlow::Continue(out.finish())
}

/// Whether a text that is mostly something else may speak of a URL all the same.
fn may_mention(text: &[u8]) -> bool {
    match memchr::memchr(b':', text) {
        Some(colon) => memmem::find(text, b"://").is_some() || has_address(text, colon),
        None => false,
    }
}

/// Whether there is an `@` after the colon, as in `mailto:joe@host.dom`.
fn has_address(text: &[u8], colon: usize) -> bool {
    text.get(colon..).is_some_and(|rest| memchr::memchr(b'@', rest).is_some())
}

/// The URLs in the attributes of one start tag.
fn tag(
    html: &[u8],
    whole_tag: &Range<usize>,
    element: &Range<usize>,
    label: &mut String,
    found: &mut impl FnMut(Piece<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut refresh = false;
    for Attribute { name, value } in (Attributes { html, at: element.end }) {
        let attribute = html.get(name).unwrap_or_default();
        let is = |word: &str| attribute.eq_ignore_ascii_case(word.as_bytes());
        let text = html.get(value.clone()).unwrap_or_default();
        if is("http-equiv") {
            refresh |= text.trim_ascii().eq_ignore_ascii_case(b"refresh");
            continue;
        }
        let meta = is("content")
            && html.get(element.clone()).is_some_and(|e| e.eq_ignore_ascii_case(b"meta"));
        let several = is("srcset") || is("ping") || is("imagesrcset");
        let whole = URLS.iter().any(|word| is(word));
        let known = meta || several || whole;
        // What is no link may hold one: `<input value>`, `onclick`, `data-*`, `xmlns`.
        let mentions = (!whole || is_script(text)) && may_mention(text);
        if !known && !mentions {
            continue;
        }
        label.clear();
        push_lower(label, html.get(element.clone()).unwrap_or_default());
        label.push('/');
        push_lower(label, attribute);
        if meta {
            if let Some(url) = meta_url(text, refresh) {
                found(Piece::Attribute(label, shifted(&url, value.start)))?;
            } else if mentions {
                found(Piece::Mention(label, value))?;
            }
        } else if several {
            for url in candidates(text) {
                found(Piece::Attribute(label, shifted(&url, value.start)))?;
            }
        } else {
            if whole {
                let url = value_url(text);
                let end = url.end;
                found(Piece::Attribute(label, shifted(&url, value.start)))?;
                if text.get(end..).is_some_and(|rest| !rest.trim_ascii().is_empty()) {
                    // The closing quote is missing, so what follows is no attribute either.
                    return found(Piece::Broken(value.start + end..whole_tag.end));
                }
            }
            if mentions {
                found(Piece::Mention(label, value))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Whether a link's value is a script, in which URLs may stand.
fn is_script(value: &[u8]) -> bool {
    const SCHEME: &[u8] = b"javascript:";
    let value = value.trim_ascii_start();
    value.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME))
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

fn push_lower(label: &mut String, name: &[u8]) {
    label.extend(name.iter().map(|b| char::from(b.to_ascii_lowercase())));
}

/// `range` of `text` without the white space around it.
fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    let start = range.start + part.len() - part.trim_ascii_start().len();
    start..start + part.trim_ascii().len()
}

/// The URL that a value is. A value with tags in it lacks its closing quote; it ends with the
/// first of them.
fn value_url(text: &[u8]) -> Range<usize> {
    let gt = text.iter().position(|&b| b == b'>');
    let unclosed = gt.filter(|&gt| text.get(gt..).is_some_and(|rest| rest.contains(&b'<')));
    trimmed(text, 0..unclosed.unwrap_or(text.len()))
}

/// The URL in `<meta content>`: after `url=` in a refresh, else the value if it is one word.
fn meta_url(text: &[u8], refresh: bool) -> Option<Range<usize>> {
    let after = text
        .windows(4)
        .position(|w| w.eq_ignore_ascii_case(b"url="))
        .map(|at| at + 4)
        .filter(|_| refresh || text.first().is_some_and(u8::is_ascii_digit));
    let Some(from) = after else {
        let range = trimmed(text, 0..text.len());
        let value = text.get(range.clone())?;
        let word = value.contains(&b':') && !value.iter().any(u8::is_ascii_whitespace);
        return word.then_some(range);
    };
    let range = trimmed(text, from..text.len());
    let value = text.get(range.clone())?;
    let Some(quote @ (b'"' | b'\'')) = value.first() else { return Some(range) };
    let rest = value.get(1..)?;
    let len = rest.iter().position(|b| b == quote).unwrap_or(rest.len());
    Some(range.start + 1..range.start + 1 + len)
}

/// The URLs of a `srcset`: each up to white space, descriptors and commas left out.
fn candidates(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    core::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let skip = rest.iter().take_while(|b| b.is_ascii_whitespace() || **b == b',').count();
        let start = at + skip;
        let word = text.get(start..)?;
        let len = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        if len == 0 {
            return None;
        }
        let word = word.get(..len)?;
        let commas = word.iter().rev().take_while(|&&b| b == b',').count();
        at = start + len;
        if commas == 0 {
            // Descriptors run up to the comma.
            let rest = text.get(at..)?;
            at += rest.iter().position(|&b| b == b',').unwrap_or(rest.len());
        }
        Some(start..start + len - commas)
    })
}

/// How an element stands among the text.
enum Layout {
    Inline,
    Space,
    Line,
    /// On lines of its own, and whether a blank line sets it off.
    Block(bool),
}

fn layout(element: &[u8]) -> Layout {
    const BLOCKS: [&[u8]; 44] = [
        b"address",
        b"article",
        b"aside",
        b"blockquote",
        b"body",
        b"caption",
        b"center",
        b"dd",
        b"details",
        b"dir",
        b"div",
        b"dl",
        b"dt",
        b"fieldset",
        b"figcaption",
        b"figure",
        b"footer",
        b"form",
        b"head",
        b"header",
        b"hr",
        b"html",
        b"legend",
        b"li",
        b"main",
        b"menu",
        b"nav",
        b"noscript",
        b"ol",
        b"option",
        b"pre",
        b"script",
        b"section",
        b"select",
        b"style",
        b"summary",
        b"table",
        b"tbody",
        b"td",
        b"tfoot",
        b"th",
        b"thead",
        b"title",
        b"ul",
    ];
    let mut name = [0_u8; 10];
    let Some(lower) = name.get_mut(..element.len()) else { return Layout::Inline };
    lower.copy_from_slice(element);
    lower.make_ascii_lowercase();
    match &*lower {
        b"br" => Layout::Line,
        b"img" | b"input" | b"button" | b"textarea" | b"object" | b"iframe" => Layout::Space,
        b"p" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Layout::Block(true),
        b"tr" => Layout::Block(false),
        name if BLOCKS.binary_search(&name).is_ok() => Layout::Block(false),
        _ => Layout::Inline,
    }
}

/// Appends shown text: references decoded, line breaks made blanks unless preformatted.
fn push_text(out: &mut Derived, html: &[u8], range: &Range<usize>, flowing: bool) {
    let Some(html) = html.get(..range.end) else { return };
    let mut from = range.start;
    let mut at = range.start;
    while let Some(next) = html.get(at..).and_then(|rest| token::special(rest, flowing)) {
        at += next;
        let rest = html.get(at..).unwrap_or_default();
        match rest.first() {
            Some(b'\n') => {
                out.copy(html, from, at);
                out.character(b" ", at, at + 1);
                at += 1;
                from = at;
            }
            Some(b'\r') => {
                out.copy(html, from, at);
                at += 1;
                from = at;
            }
            _ => {
                if let Some((c, len)) = entity::reference(rest) {
                    out.copy(html, from, at);
                    out.replace(c.encode_utf8(&mut [0; 4]).as_bytes(), at, at + len);
                    at += len;
                    from = at;
                } else {
                    at += 1;
                }
            }
        }
    }
    out.copy(html, from, html.len());
}

/// Whether an attribute's value differs from what it says.
pub(crate) fn is_coded(value: &[u8]) -> bool {
    memchr::memchr(b'&', value).is_some() || memchr::memchr3(b'\n', b'\r', b'\t', value).is_some()
}

/// What an attribute's value says: references decoded; tabs and line breaks, which no URL holds,
/// dropped.
pub(crate) fn attribute_value(value: &[u8], base: usize) -> Decoded {
    let mut out = Derived::new(value.len(), base);
    let (mut from, mut at) = (0, 0);
    while let Some(&byte) = value.get(at) {
        let len = match byte {
            b'\n' | b'\r' | b'\t' => {
                out.copy(value, from, at);
                1
            }
            b'&' => match entity::reference(value.get(at..).unwrap_or_default()) {
                Some((c, len)) => {
                    out.copy(value, from, at);
                    out.replace(c.encode_utf8(&mut [0; 4]).as_bytes(), at, at + len);
                    len
                }
                None => 0,
            },
            _ => 0,
        };
        at += len.max(1);
        if len > 0 {
            from = at;
        }
    }
    out.copy(value, from, value.len());
    out.finish()
}

/// What running text in an attribute's value says: references decoded, line breaks kept.
pub(crate) fn mention(value: &[u8], base: usize) -> Decoded {
    let mut out = Derived::new(value.len(), base);
    push_text(&mut out, value, &(0..value.len()), false);
    out.finish()
}

/// The charset that a page declares in its head (`<meta charset=…>`, `<?xml encoding=…?>`).
pub(crate) fn declared_charset(html: &[u8]) -> Option<&[u8]> {
    let head = html.get(..2048.min(html.len()))?;
    let at = ["charset=", "encoding="].iter().find_map(|word| {
        let at = head.windows(word.len()).position(|w| w.eq_ignore_ascii_case(word.as_bytes()))?;
        Some(at + word.len())
    })?;
    let rest = head.get(at..)?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let len = rest
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b':' | b'.')))
        .unwrap_or(rest.len());
    rest.get(..len).filter(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlsift_core::Span;

    fn apart(html: &str) -> (Vec<String>, String) {
        let mut pieces = Vec::new();
        let mut breaks = Vec::new();
        let flow = take_apart(html.as_bytes(), 0, &mut breaks, |piece| {
            pieces.push(match piece {
                Piece::Attribute(name, range) => format!("{name}={}", &html[range]),
                Piece::Comment(range) => format!("comment={}", &html[range]),
                Piece::Broken(range) => format!("broken={}", &html[range]),
                Piece::Mention(name, range) => format!("{name}~{}", &html[range]),
                Piece::Source(name, range) => format!("{name}:{}", &html[range]),
            });
            ControlFlow::Continue(())
        });
        let ControlFlow::Continue(text) = flow else { panic!("stopped") };
        (pieces, String::from_utf8_lossy(&text.text).into_owned())
    }

    #[test]
    fn attributes_of_all_kinds() {
        let (pieces, text) = apart(
            "<BODY Background=' http://a/ '><a href=http://b/?x=1&amp;y>t</a><img srcset='http://c/ 1x,\n \
             http://d/ 2x, http://e/'><meta http-equiv=Refresh content=\"5; URL='http://f/'\">\
             <meta name=x content='a b:c'><meta content=http://g/><p title='http://h/'>",
        );
        assert_eq!(
            pieces,
            [
                "body/background=http://a/",
                "a/href=http://b/?x=1&amp;y",
                "img/srcset=http://c/",
                "img/srcset=http://d/",
                "img/srcset=http://e/",
                "meta/content=http://f/",
                "meta/content=http://g/",
                "p/title~http://h/"
            ]
        );
        assert_eq!(text, "\nt \n\n");
    }

    #[test]
    fn text_is_as_shown() {
        for (html, text) in [
            ("http://h/<b>x</b>?a&amp;b", "http://h/x?a&b"),
            ("a\nb<pre>c\nd</pre>e\r\nf", "a b\nc\nd\ne f"),
            ("a<br>b<wbr>c", "a\nbc"),
            ("&lt;URL:<A HREF=x>http://h/</A>&gt;", "<URL:http://h/>"),
            ("<script>x</script><style>y</style>z", "\n\n\n\nz"),
            ("<http://h/> and <joe@host.dom>", "<http://h/> and <joe@host.dom>"),
        ] {
            assert_eq!(apart(html).1, text, "{html}");
        }
    }

    #[test]
    fn nothing_is_lost_in_broken_html() {
        let (pieces, text) = apart("a <a href='http://h/>b</a> http://i/");
        assert_eq!(
            (pieces.concat(), &*text),
            ("broken=<a href='http://h/>b</a> http://i/".into(), "a ")
        );
        let (pieces, _) = apart("<a href=\"http://h/>b</a><a href=\"http://i/\">");
        assert_eq!(pieces, ["a/href=http://h/", "broken=>b</a><a href=\"http://i/\">"]);
        let (pieces, _) = apart("<!-- http://h/ -->");
        assert_eq!(pieces, ["comment= http://h/ "]);
    }

    #[test]
    fn what_is_no_link_may_hold_one() {
        let (pieces, text) = apart(
            "<!DOCTYPE html SYSTEM \"http://a/\"><input value='http://b/ x' name=c:d>\
             <a href=\"javascript:open('http://c/')\" onclick=\"go('http://d/')\" title=none>t</a>\
             <meta content='see http://e/'><script>x='http://f/'</script><style>y{z:0}</style>\
             <b data-x=mailto:joe@h style='a:b'>",
        );
        assert_eq!(
            pieces,
            [
                "!doctype:<!DOCTYPE html SYSTEM \"http://a/\">",
                "input/value~http://b/ x",
                "a/href=javascript:open('http://c/')",
                "a/href~javascript:open('http://c/')",
                "a/onclick~go('http://d/')",
                "meta/content~see http://e/",
                "script:x='http://f/'",
                "b/data-x~mailto:joe@h",
            ]
        );
        assert_eq!(text.trim(), "t");
        let Decoded { text, map } = mention(b"a&amp;b\nc", 5);
        assert_eq!(text, b"a&b\nc");
        assert_eq!(map.source(Span::new(1, 2)), Span::new(6, 11));
    }

    #[test]
    fn values_and_positions() {
        let Decoded { text, map } = attribute_value(b"http://h/\n?a&amp;b&c", 10);
        assert_eq!(text, b"http://h/?a&b&c");
        assert_eq!(map.source(Span::new(11, 12)), Span::new(22, 27));
        assert_eq!(declared_charset(b"<meta charset='Big5'>"), Some(&b"Big5"[..]));
        assert_eq!(declared_charset(b"<p>"), None);
    }
}

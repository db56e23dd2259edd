//! Distinguishes placeholders in angle brackets (`http://h.dom/<user>/a`) from the tags of markup
//! (`http://h.dom/a<br>`).
//!
//! A placeholder is part of the URL, although a URL can't contain angle brackets. The text before
//! it is a valid URL, but not the one that the author means. In 436 cases from manuals, packages
//! and mail (2026-11-26), a name that is not an HTML element was always a placeholder, except in
//! POD's `E<gt>`.

use crate::text::host::ends_in_host;
use memchr::memmem;

/// The maximum length of the name of a placeholder, in bytes.
const MAX_NAME: usize = 40;

/// An opening and a closing angle bracket: as they are, in escaped markup, and escaped twice.
const BRACKETS: [(&[u8], &[u8]); 3] =
    [(b"<", b">"), (b"&lt;", b"&gt;"), (b"&amp;lt;", b"&amp;gt;")];

/// True if a placeholder in angle brackets follows `url`. `rest` is the text after the URL.
///
/// The name of the placeholder is not one of [`MARKUP`], and no end tag with this name follows. The
/// URL must also be incomplete before the placeholder, or continue after it.
pub(super) fn follows(url: &[u8], rest: &[u8]) -> bool {
    let brackets = BRACKETS
        .into_iter()
        .find_map(|(open, close)| Some((open, close, strip_prefix_ignoring_case(rest, open)?)));
    let Some((open, close, rest)) = brackets else { return false };
    if !rest.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let is_of_name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'-' | b'_' | b'.');
    let len = rest.iter().take(MAX_NAME).take_while(is_of_name).count();
    let (name, after) = rest.split_at(len);
    let after = strip_prefix_ignoring_case(after, close).filter(|_| len > 1);
    let Some(after) = after else { return false };
    let word = name.split(|byte| *byte == b' ').next().unwrap_or_default();
    // The end of an escaped bracket in Perl's documentation: `E<gt>`.
    let is_escape = url.ends_with(b"E") && matches!(name, b"gt" | b"lt" | b"sol" | b"verbar");
    if is_escape || MARKUP.iter().any(|markup| markup.eq_ignore_ascii_case(word)) {
        return false;
    }
    let is_end_tag = |at: usize| {
        let before = after[..at].strip_suffix(b"/").unwrap_or_default();
        let open_at = before.len().checked_sub(open.len());
        open_at.is_some_and(|open_at| before[open_at..].eq_ignore_ascii_case(open))
            && strip_prefix_ignoring_case(&after[at + name.len()..], close).is_some()
    };
    let is_closed = memmem::find_iter(after, name).any(is_end_tag);
    !is_closed && (is_incomplete(url) || continues_url(after))
}

/// Removes `prefix` from the start of `text`, ignoring case. Returns `None` if `text` doesn't start
/// with it.
fn strip_prefix_ignoring_case<'t>(text: &'t [u8], prefix: &[u8]) -> Option<&'t [u8]> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// True if `url` is probably incomplete: it is only a host, or ends with a delimiter.
fn is_incomplete(url: &[u8]) -> bool {
    ends_in_host(url) || url.last().is_some_and(|byte| b"/=-_:?&#@+~%".contains(byte))
}

/// True if `after`, the text after a placeholder, is more of the URL.
fn continues_url(after: &[u8]) -> bool {
    match after {
        [b'.', next, ..] => next.is_ascii_alphanumeric(),
        [b'-' | b'_' | b'?' | b'=', next, ..] => next.is_ascii_graphic(),
        [first, ..] => matches!(first, b'/' | b'#' | b'@'),
        [] => false,
    }
}

/// Names in angle brackets that are not placeholders: the elements of HTML except `var`, which
/// marks a placeholder, a few elements of other markup, and remarks and keys (`<snip>`, `<Enter>`).
const MARKUP: &[&[u8]] = &[
    b"abbr",
    b"acronym",
    b"address",
    b"applet",
    b"area",
    b"article",
    b"aside",
    b"audio",
    b"base",
    b"basefont",
    b"bdi",
    b"bdo",
    b"bg",
    b"bgsound",
    b"big",
    b"blink",
    b"blockquote",
    b"body",
    b"br",
    b"button",
    b"canvas",
    b"caption",
    b"center",
    b"cite",
    b"code",
    b"col",
    b"colgroup",
    b"cr",
    b"data",
    b"datalist",
    b"dd",
    b"del",
    b"details",
    b"dfn",
    b"dialog",
    b"dir",
    b"div",
    b"dl",
    b"dt",
    b"em",
    b"embed",
    b"emphasis",
    b"end",
    b"enter",
    b"eof",
    b"eom",
    b"fieldset",
    b"figcaption",
    b"figure",
    b"font",
    b"footer",
    b"form",
    b"frame",
    b"frameset",
    b"gallery",
    b"grin",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"header",
    b"hgroup",
    b"hr",
    b"html",
    b"iframe",
    b"image",
    b"img",
    b"includeonly",
    b"input",
    b"ins",
    b"item",
    b"kbd",
    b"label",
    b"layer",
    b"legend",
    b"lf",
    b"li",
    b"link",
    b"listing",
    b"main",
    b"map",
    b"mark",
    b"marquee",
    b"math",
    b"menu",
    b"meta",
    b"meter",
    b"nav",
    b"nl",
    b"nobr",
    b"noembed",
    b"noframes",
    b"noinclude",
    b"noscript",
    b"nowiki",
    b"object",
    b"ol",
    b"onlyinclude",
    b"optgroup",
    b"option",
    b"output",
    b"para",
    b"param",
    b"picture",
    b"plaintext",
    b"pre",
    b"progress",
    b"quote",
    b"rb",
    b"ref",
    b"references",
    b"return",
    b"rp",
    b"rt",
    b"rtc",
    b"ruby",
    b"samp",
    b"script",
    b"section",
    b"select",
    b"sigh",
    b"slot",
    b"small",
    b"smile",
    b"snip",
    b"source",
    b"space",
    b"spacer",
    b"span",
    b"strike",
    b"strong",
    b"style",
    b"sub",
    b"summary",
    b"sup",
    b"svg",
    b"tab",
    b"table",
    b"tbody",
    b"td",
    b"template",
    b"textarea",
    b"tfoot",
    b"th",
    b"thead",
    b"time",
    b"title",
    b"tr",
    b"track",
    b"tt",
    b"ul",
    b"url",
    b"video",
    b"wbr",
    b"xmp",
];

#[cfg(test)]
mod tests {
    use super::BRACKETS;

    #[test]
    fn placeholders_are_not_tags() {
        let follows = |url: &str, rest: &str| {
            let results = BRACKETS.map(|(open, close)| {
                let rest = format!("<{rest}").replace('<', "\0").replace('>', "\x01");
                let shown = |bracket: &[u8]| String::from_utf8(bracket.to_owned()).unwrap();
                let rest = rest.replace('\0', &shown(open)).replace('\x01', &shown(close));
                super::follows(url.as_bytes(), rest.as_bytes())
            });
            assert_eq!(results, [results[0]; 3], "{url}<{rest}");
            results[0]
        };
        for (url, rest) in [
            ("smb://tjener/", "user> now"),
            ("http://host", "user> x"),
            ("http://localhost:", "port>/x"),
            ("http://h.dom/a-", "version>.tar.gz"),
            ("http://h.dom/bot", "token>/getMe"),
            ("http://h.dom/?q=", "your name>"),
            ("http://h.dom/", "user>/a/user"),
            ("http://h.dom/", "lang>/lang.html</a>"),
        ] {
            assert!(follows(url, rest), "{url}<{rest}");
        }
        for (url, rest) in [
            ("http://h.dom/", "br>x"),
            ("http://h.dom/", "b>x</b>"),
            ("http://h.dom/", "Enter>"),
            ("http://h.dom/", "note>x</note>"),
            ("http://h.dom/", "note class=\"a\">"),
            ("http://h.dom/", "note/>"),
            ("http://h.dom/", "joe@h.dom>"),
            ("http://h.dom/", "http://h.dom/>"),
            ("http://h.dom/a", "user>"),
            ("http://h.dom/E", "gt>"),
            ("http://h.dom/", "/a>"),
            ("http://h.dom/", "user"),
        ] {
            assert!(!follows(url, rest), "{url}<{rest}");
        }
        assert!(super::follows(b"http://h.dom/", b"&LT;user&GT;"));
    }
}

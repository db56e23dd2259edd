//! An HTML tokenizer that never fails and keeps offsets.
//!
//! It follows the HTML standard for attributes and text, but not where the standard drops input: a
//! tag, comment or script that is never closed is text, so that no URL in it is lost.

use super::display::content_of_element;
use super::tag_content::{Content, find_end_tag};
use super::within::Within;
use crate::name::Name;
use crate::simd::quoted_attributes_end;
use core::ops::Range;
use memchr::{memchr, memmem};

/// Classes of bytes in a tag, as bits.
mod class {
    pub(super) const BLANK: u8 = 1;
    pub(super) const SLASH: u8 = 2;
    pub(super) const END: u8 = 4;
    pub(super) const EQUALS: u8 = 8;
    /// A byte after a name that shows that the markup isn't a tag: `<joe@host.dom>`.
    pub(super) const NO_TAG: u8 = 16;
}

/// The class of each byte in a tag.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "it is less than 256")]
        let here = byte as u8;
        classes[byte] = match here {
            b'/' => class::SLASH,
            b'>' => class::END,
            b'=' => class::EQUALS,
            b'<' | b'@' => class::NO_TAG,
            _ if here.is_ascii_whitespace() => class::BLANK,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Returns the number of bytes at the start of `text` that are in none of the byte classes whose
/// bits are set in `classes`.
#[inline]
fn len_outside_classes(text: &[u8], classes: u8) -> usize {
    text.iter().position(|&byte| is_in_classes(byte, classes)).unwrap_or(text.len())
}

/// Returns the number of bytes at the start of `text` that are in one of the byte classes whose
/// bits are set in `classes`.
#[inline]
fn len_in_classes(text: &[u8], classes: u8) -> usize {
    text.iter().position(|&byte| !is_in_classes(byte, classes)).unwrap_or(text.len())
}

/// True if the byte is in one of the byte classes whose bits are set in `classes`.
#[inline]
fn is_in_classes(byte: u8, classes: u8) -> bool {
    CLASSES[usize::from(byte)] & classes != 0
}

/// A token of HTML. Ranges are byte offsets in the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// Text, with undecoded character references.
    Text(Range<usize>),
    /// `<name …>` or `</name>`.
    Tag { whole: Range<usize>, name: Range<usize>, element: Name, closes: bool },
    /// A comment; `inside` is its content.
    Comment { whole: Range<usize>, inside: Range<usize> },
    /// Markup that is neither shown nor a comment: a declaration, an instruction, a script, a
    /// style. `element` is its name (`!DOCTYPE`, `script`).
    Hidden { element: Range<usize>, range: Range<usize> },
}

/// A tag that was read without the full parser: see [`read_plain_tag`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlainTag {
    pub element: Name,
    pub closes: bool,
    pub has_attributes: bool,
    /// The offset after the tag.
    pub end: usize,
}

/// Returns the tag that starts with the `<` at offset `at`, if it is a plain one, as most are. The
/// name of a plain tag is short, its attributes are written in the usual way, and its element
/// contains markup. `None` means that the tag needs the full parser, not that there is no tag.
#[inline]
pub(super) fn read_plain_tag(html: &[u8], at: usize) -> Option<PlainTag> {
    let closes = html.get(at + 1)? == &b'/';
    let start = at + 1 + usize::from(closes);
    let rest = html.get(start..)?;
    let (element, len) = Name::from_tag_start(rest)?;
    if !rest.first()?.is_ascii_alphabetic() {
        return None;
    }
    let end = start + len;
    let has_attributes = match rest.get(len)? {
        b'>' => false,
        &after if is_in_classes(after, class::BLANK) => true,
        _ => return None,
    };
    let end = if has_attributes { quoted_attributes_end(html, end)? } else { end } + 1;
    (closes || content_of_element(element) == Content::Markup).then_some(PlainTag {
        element,
        closes,
        has_attributes,
        end,
    })
}

/// An iterator over the tokens of `html`, which cover it without gaps.
#[derive(Debug)]
pub(crate) struct Tokens<'t> {
    html: &'t [u8],
    at: usize,
    /// The name of the script or style whose start tag was the last token.
    raw: Option<Range<usize>>,
    /// The open element whose content is not plain markup, at the current offset.
    within: Within,
    /// True if the rest of the page is text, because markup was not closed.
    broken: bool,
}

impl<'t> Tokens<'t> {
    pub(crate) const fn new(html: &'t [u8]) -> Self {
        Self::resume_within(html, Within::NOTHING)
    }

    /// Returns the tokens of a page for a reader that resumes inside the element `within`.
    pub(super) const fn resume_within(html: &'t [u8], within: Within) -> Self {
        Self { html, at: 0, raw: None, within, broken: false }
    }

    /// Returns the open element whose content is not plain markup, at the current offset.
    #[inline]
    pub(super) const fn open_element(&self) -> Within {
        self.within
    }

    /// Parses the markup that starts with the `<` at offset `at`. Returns `None` if the `<` is a
    /// plain character, or the markup is never closed.
    #[inline]
    pub(crate) fn parse_markup_at(&mut self, at: usize) -> Option<Token> {
        self.at = at;
        self.parse_markup()
    }

    /// Returns the token that starts at offset `at`, or `None` at the end of the page.
    pub(crate) fn parse_token_at(&mut self, at: usize) -> Option<Token> {
        self.at = at;
        self.next()
    }

    /// Returns the range of the name of the start tag at offset `at`, if its element contains
    /// markup, or `None` for other tokens. There must be markup at `at`.
    #[inline]
    pub(crate) fn start_tag_name_at(&self, at: usize) -> Option<Range<usize>> {
        use class::{BLANK, END, SLASH};
        let name = self.html.get(at + 1..)?;
        if !name.first()?.is_ascii_alphabetic() {
            return None;
        }
        let len = len_outside_classes(name, BLANK | SLASH | END);
        let name = at + 1..at + 1 + len;
        (content_of_element(Name::from_range(self.html, &name)) == Content::Markup).then_some(name)
    }

    /// True if the last token was the start tag of a script or style.
    pub(crate) const fn is_at_raw_content(&self) -> bool {
        self.raw.is_some()
    }

    /// Skips the content of the script or style, if the last token was its start tag.
    #[inline]
    pub(crate) fn skip_raw_content(&mut self) {
        if let Some(name) = self.raw.take() {
            self.parse_hidden_content(name);
        }
    }

    /// Returns the offset of the next token.
    pub(crate) const fn next_offset(&self) -> usize {
        self.at
    }

    /// True if the rest of the page is read as text, because markup was not closed.
    pub(crate) const fn reads_rest_as_text(&self) -> bool {
        self.broken
    }

    fn rest(&self) -> &'t [u8] {
        self.html.get(self.at..).unwrap_or_default()
    }

    /// Returns the text in which markup at the current offset must end. Inside an element with
    /// fallback content, such as `<noscript>`, this is the rest of that element, and the flag is
    /// true. Otherwise it is the rest of the page.
    fn rest_within_fallback(&self) -> (&'t [u8], bool) {
        match self.within.end_of_fallback_around(self.at) {
            Some(end) => (self.html.get(self.at..end).unwrap_or_default(), true),
            None => (self.rest(), false),
        }
    }

    /// Advances by `len` bytes, and returns their range.
    fn advance(&mut self, len: usize) -> Range<usize> {
        let start = self.at;
        self.at = (start + len).min(self.html.len());
        start..self.at
    }

    /// Parses the markup that starts with the `<` at the current offset. Returns `None` if it is a
    /// plain character, or the markup is never closed.
    #[inline]
    fn parse_markup(&mut self) -> Option<Token> {
        match self.rest() {
            [b'<', letter, ..] if letter.is_ascii_alphabetic() => self.parse_tag(1),
            [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => self.parse_tag(2),
            [b'<', b'!' | b'?', ..] => self.parse_comment_or_hidden(),
            _ => None,
        }
    }

    /// Parses the comment, declaration or instruction at the current offset. Returns `None` if it
    /// is never closed.
    fn parse_comment_or_hidden(&mut self) -> Option<Token> {
        let (rest, is_bounded) = self.rest_within_fallback();
        let start = self.at;
        let Some(inside) = rest.strip_prefix(b"<!--") else {
            let end = memchr(b'>', rest);
            self.broken |= end.is_none() && !is_bounded;
            let range = self.advance(end? + 1);
            let inside = self.html.get(range.start + 1..range.end).unwrap_or_default();
            let len = inside.iter().position(|b| b.is_ascii_whitespace() || *b == b'>')?;
            let element = range.start + 1..range.start + 1 + len;
            return Some(Token::Hidden { element, range });
        };
        // `<!-->` is empty.
        let (len, end) = if inside.starts_with(b">") {
            (0, 1)
        } else {
            match memmem::find(inside, b"-->") {
                Some(len) => (len, len + 3),
                None if is_bounded => (inside.len(), inside.len()),
                None => {
                    self.broken = true;
                    return None;
                }
            }
        };
        let whole = self.advance(4 + end);
        Some(Token::Comment { whole, inside: start + 4..start + 4 + len })
    }

    /// Parses the tag at the current offset, whose name starts `name_offset` bytes after its `<`.
    /// Returns `None` if it isn't a tag, or is never closed.
    #[inline]
    fn parse_tag(&mut self, name_offset: usize) -> Option<Token> {
        use class::{BLANK, END, NO_TAG, SLASH};
        let html = self.html;
        let start = self.at + name_offset;
        let len = len_outside_classes(
            html.get(start..).unwrap_or_default(),
            BLANK | SLASH | END | NO_TAG,
        );
        let name = start..start + len;
        let &after = html.get(name.end)?;
        // `<joe@host.dom>` and `<http://…>` aren't tags.
        if is_in_classes(after, NO_TAG) || after == b'/' && html.get(name.clone())?.contains(&b':')
        {
            return None;
        }
        // Most tags have no attributes.
        let end = if after == b'>' { Some(name.end) } else { find_attributes_end(html, name.end) };
        let Some(end) = end else {
            self.broken = true;
            return None;
        };
        let whole = self.at..end + 1;
        self.at = end + 1;
        let closes = name_offset == 2;
        let element = Name::from_range(html, &name);
        if !closes {
            match content_of_element(element) {
                Content::Markup => {}
                Content::Source => self.raw = Some(name.clone()),
                content => {
                    let element = html.get(name.clone()).unwrap_or_default();
                    self.within.enter_element(html, self.at, element, content);
                }
            }
        }
        Some(Token::Tag { whole, name, element, closes })
    }

    /// Returns the content of the script or style whose name is at the range `name`, up to its end
    /// tag. Returns `None` if the content is empty, or there is no end tag.
    fn parse_hidden_content(&mut self, name: Range<usize>) -> Option<Token> {
        let element = name.clone();
        let name = self.html.get(name)?;
        let (rest, is_bounded) = self.rest_within_fallback();
        match find_end_tag(rest, name) {
            None if is_bounded => (!rest.is_empty())
                .then(|| Token::Hidden { element, range: self.advance(rest.len()) }),
            Some(0) => None,
            Some(end) => Some(Token::Hidden { element, range: self.advance(end) }),
            None => {
                self.broken = true;
                None
            }
        }
    }
}

/// Returns the offset of the `>` after the attributes that start at `at`, if there is one.
#[inline]
fn find_attributes_end(html: &[u8], at: usize) -> Option<usize> {
    quoted_attributes_end(html, at).or_else(|| {
        let mut attributes = Attributes { html, at };
        attributes.by_ref().for_each(drop);
        (html.get(attributes.at) == Some(&b'>')).then_some(attributes.at)
    })
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if self.rest().is_empty() {
            return None;
        }
        if let Some(name) = self.raw.take()
            && let Some(token) = self.parse_hidden_content(name)
        {
            return Some(token);
        }
        let rest = self.rest();
        if self.broken {
            return Some(Token::Text(self.advance(rest.len())));
        }
        if let Some(end) = self.within.end_of_text_around(self.at) {
            return Some(Token::Text(self.advance(end - self.at)));
        }
        if rest.first() == Some(&b'<')
            && let Some(token) = self.parse_markup()
        {
            return Some(token);
        }
        if self.broken {
            return Some(Token::Text(self.advance(rest.len())));
        }
        let len = memchr(b'<', rest.get(1..).unwrap_or_default()).map_or(rest.len(), |n| n + 1);
        Some(Token::Text(self.advance(len)))
    }
}

/// An attribute of a tag, by the byte ranges of its parts in the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    pub name: Range<usize>,
    pub value: Range<usize>,
}

/// An iterator over the attributes of a tag. Set `at` to the offset after the name of the tag. When
/// the iterator is exhausted, `at` is the offset of the `>`, or the end of the page if there is
/// none.
pub(crate) struct Attributes<'t> {
    pub html: &'t [u8],
    pub at: usize,
}

impl<'t> Attributes<'t> {
    #[inline]
    fn rest(&self) -> &'t [u8] {
        self.html.get(self.at..).unwrap_or_default()
    }
}

impl Iterator for Attributes<'_> {
    type Item = Attribute;

    #[inline]
    fn next(&mut self) -> Option<Attribute> {
        use class::{BLANK, END, EQUALS, SLASH};
        self.at += len_in_classes(self.rest(), BLANK | SLASH);
        if matches!(self.rest().first(), None | Some(b'>')) {
            return None;
        }
        let start = self.at;
        // By the HTML standard, a `=` may start a name.
        self.at += 1;
        self.at += len_outside_classes(self.rest(), BLANK | SLASH | END | EQUALS);
        let name = start..self.at;
        let mark = self.at;
        self.at += len_in_classes(self.rest(), BLANK);
        if self.rest().first() != Some(&b'=') {
            self.at = mark;
            return Some(Attribute { name, value: mark..mark });
        }
        self.at += 1;
        self.at += len_in_classes(self.rest(), BLANK);
        let value = if let Some((&quote @ (b'"' | b'\''), inside)) = self.rest().split_first() {
            let from = self.at + 1;
            let Some(len) = memchr(quote, inside) else {
                self.at = self.html.len();
                return None;
            };
            self.at = from + len + 1;
            from..from + len
        } else {
            let from = self.at;
            self.at += len_outside_classes(self.rest(), BLANK | END);
            from..self.at
        };
        Some(Attribute { name, value })
    }
}

#[cfg(test)]
mod tests {
    use super::super::display::{ShownTag, display_of_element, read_bare_tag};
    use super::*;

    /// Returns the tokens, written `kind:text`.
    fn token_texts(html: &str) -> Vec<String> {
        Tokens::new(html.as_bytes())
            .map(|token| match token {
                Token::Text(range) => format!("text:{}", &html[range]),
                Token::Tag { name, closes, .. } => {
                    format!("{}:{}", if closes { "end" } else { "tag" }, &html[name])
                }
                Token::Comment { inside, .. } => format!("comment:{}", &html[inside]),
                Token::Hidden { range, .. } => format!("hidden:{}", &html[range]),
            })
            .collect()
    }

    #[test]
    fn well_formed_html_is_tokenized() {
        assert_eq!(
            token_texts("<!DOCTYPE x>a<b c='>'>d</b><!-- e --><SCRIPT>f<g></script>h"),
            [
                "hidden:<!DOCTYPE x>",
                "text:a",
                "tag:b",
                "text:d",
                "end:b",
                "comment: e ",
                "tag:SCRIPT",
                "hidden:f<g>",
                "end:script",
                "text:h"
            ]
        );
    }

    #[test]
    fn invalid_tags_are_text() {
        for text in ["a < b", "<http://h/>", "<joe@host.dom>", "<a href='x", "<!-- x", "<!x", "<3"]
        {
            assert_eq!(token_texts(text).concat().replace("text:", ""), text);
        }
        assert_eq!(token_texts("<script>x"), ["tag:script", "text:x"]);
    }

    #[test]
    fn raw_text_elements_contain_no_tags() {
        for (html, expected) in [
            (
                "<title><style>a</TITLE ><b>",
                &["tag:title", "text:<style>a", "end:TITLE", "tag:b"][..],
            ),
            (
                "<textarea x='>'><!-- <a></textarea><b>",
                &["tag:textarea", "text:<!-- <a>", "end:textarea", "tag:b"],
            ),
            ("<xmp></xmpx></xmp>", &["tag:xmp", "text:</xmpx>", "end:xmp"]),
            ("<plaintext><b></plaintext>", &["tag:plaintext", "text:<b></plaintext>"]),
            // Markup that is never closed hides nothing.
            ("<title><b>x", &["tag:title", "tag:b", "text:x"]),
        ] {
            assert_eq!(token_texts(html), expected, "{html}");
        }
    }

    #[test]
    fn fallback_content_is_markup_that_ends_with_its_element() {
        for element in ["iframe", "noembed", "noframes", "noscript"] {
            for (inside, expected) in [
                ("<b>c", &["tag:b", "text:c"][..]),
                ("<style>c", &["tag:style", "hidden:c"]),
                ("<script>", &["tag:script"]),
                ("<!-- c", &["comment: c"]),
                ("<!c", &["text:<!c"]),
                ("<title>c", &["tag:title", "text:c"]),
                ("<style>c</style>d", &["tag:style", "hidden:c", "end:style", "text:d"]),
            ] {
                let html = format!("<{element}>{inside}</{element}><i></style></title>-->");
                let found = token_texts(&html);
                let inner = &found[1..=expected.len()];
                assert_eq!(inner, expected, "{html}");
                assert_eq!(found[expected.len() + 2], "tag:i", "{html}");
            }
        }
    }

    #[test]
    fn attributes_are_parsed() {
        let html = "<a b c=d e = 'f g' h=\"i\"/ j>";
        let found: Vec<_> = Attributes { html: html.as_bytes(), at: 2 }
            .map(|a| format!("{}={}", &html[a.name], &html[a.value]))
            .collect();
        assert_eq!(found, ["b=", "c=d", "e=f g", "h=i", "j="]);
    }

    /// Checks that a plain tag has the same properties as the token for it.
    #[test]
    fn plain_tags_match_tokens() {
        let pieces = [
            "<",
            "</",
            "a",
            "B",
            "br",
            " ",
            ">",
            "/",
            "=",
            "\"c\"",
            "@",
            "SCRIPT",
            "é",
            "[",
            "\u{1}",
            "0",
            "p",
            "H",
            "1",
            "\u{11}",
            "a-long-name-of-an-element",
            " d='e'",
            "title",
            "XMP",
            "iframe",
            "noembed",
        ];
        let (mut state, mut compared, mut compared_bare) = (1738_usize, 0, 0);
        for _ in 0..100_000 {
            let mut html = "<".to_owned();
            for _ in 0..state % 7 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                html.push_str(pieces[(state >> 33) % pieces.len()]);
            }
            state = state.wrapping_add(1);
            html.push_str(
                "> and what follows it in the text that is shown, which is longer than any block",
            );
            let mut tokens = Tokens::new(html.as_bytes());
            let bare = read_bare_tag(html.as_bytes(), 0);
            let Some(plain) = read_plain_tag(html.as_bytes(), 0) else {
                assert_eq!(bare, None, "{html}");
                continue;
            };
            if let Some(bare) = bare {
                let PlainTag { element, closes, end, .. } = plain;
                assert_eq!(
                    bare,
                    ShownTag { display: display_of_element(element), closes, end },
                    "{html}"
                );
                assert!(!plain.has_attributes, "{html}");
                compared_bare += 1;
            }
            let Some(Token::Tag { whole, name, element, closes }) = tokens.parse_markup_at(0)
            else {
                panic!("no tag: {html}")
            };
            let has_attributes = whole.len() > name.len() + 2 + usize::from(closes);
            let expected = PlainTag { element, closes, has_attributes, end: whole.end };
            assert_eq!(plain, expected, "{html}");
            assert!(!tokens.is_at_raw_content() && tokens.open_element() == Within::NOTHING);
            assert!(closes || content_of_element(element) == Content::Markup, "{html}");
            compared += 1;
        }
        assert!(compared > 5_000 && compared_bare > 2_000, "{compared} {compared_bare}");
    }

    /// Checks that both searches for the end of a tag agree: the one with bit masks, for plain
    /// attributes, and the one that reads the attributes.
    #[test]
    fn both_searches_find_the_same_tag_end() {
        let pieces = [
            " ",
            "a",
            "=",
            "\"",
            "'",
            ">",
            "/",
            "b=\"c>\"",
            " d='e",
            "\n",
            "=\"",
            "<",
            "long-name-and-value",
        ];
        let mut state = 1738_usize;
        let mut compared = 0;
        for _ in 0..20_000 {
            let mut html = String::new();
            for _ in 0..state % 9 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                html.push_str(pieces[(state >> 33) % pieces.len()]);
            }
            state = state.wrapping_add(1);
            html.push_str(
                "> and what follows it in the text that is shown, which is longer than any block",
            );
            let mut attributes = Attributes { html: html.as_bytes(), at: 0 };
            attributes.by_ref().for_each(drop);
            if let Some(end) = quoted_attributes_end(html.as_bytes(), 0) {
                assert_eq!(end, attributes.at, "{html}");
                compared += 1;
            }
        }
        assert!(compared > 1_000, "{compared}");
    }
}

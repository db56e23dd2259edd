//! A tokenizer that never fails and keeps offsets.
//!
//! It follows the HTML standard where this decides what an attribute or a text is, and not where
//! it decides what to throw away: a tag, comment or script that is never closed is text, so that
//! no URL in it is lost.

use core::ops::Range;
use memchr::{memchr, memmem};

/// One piece of HTML. Ranges are offsets in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// Characters, references not yet decoded.
    Text(Range<usize>),
    /// `<name …>` or `</name>`.
    Tag { whole: Range<usize>, name: Range<usize>, closes: bool },
    /// The inside of a comment.
    Comment { whole: Range<usize>, inside: Range<usize> },
    /// What is neither shown nor a comment: a declaration, an instruction, a script, a style.
    /// `element` is its name (`!DOCTYPE`, `script`).
    Hidden { element: Range<usize>, range: Range<usize> },
}

/// The tokens of `html`, which cover it without gaps.
#[derive(Debug)]
pub(crate) struct Tokens<'t> {
    html: &'t [u8],
    at: usize,
    /// The name of a raw text element whose start tag was the last token.
    raw: Option<Range<usize>>,
    /// Nothing is a tag from here on: one was not closed.
    broken: bool,
}

impl<'t> Tokens<'t> {
    pub(crate) const fn new(html: &'t [u8]) -> Self {
        Self { html, at: 0, raw: None, broken: false }
    }

    /// Where the next token starts.
    pub(crate) const fn place(&self) -> usize {
        self.at
    }

    /// Whether the rest was taken for text because something was not closed.
    pub(crate) const fn is_broken(&self) -> bool {
        self.broken
    }

    fn rest(&self) -> &'t [u8] {
        self.html.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, len: usize) -> Range<usize> {
        let start = self.at;
        self.at = (start + len).min(self.html.len());
        start..self.at
    }

    /// What starts with the `<` at hand; `None` where that is a plain character.
    fn markup(&mut self) -> Option<Token> {
        let rest = self.rest();
        let start = self.at;
        if rest.starts_with(b"<!--") {
            // `<!-->` is empty.
            let inside = rest.get(4..)?;
            let (len, end) = if inside.starts_with(b">") {
                (0, 1)
            } else {
                let Some(len) = memmem::find(inside, b"-->") else {
                    self.broken = true;
                    return None;
                };
                (len, len + 3)
            };
            let whole = self.take(4 + end);
            return Some(Token::Comment { whole, inside: start + 4..start + 4 + len });
        }
        match rest {
            [b'<', b'!' | b'?', ..] => {
                let end = memchr(b'>', rest);
                self.broken |= end.is_none();
                let range = self.take(end? + 1);
                let inside = self.html.get(range.start + 1..range.end).unwrap_or_default();
                let len = inside.iter().position(|b| b.is_ascii_whitespace() || *b == b'>')?;
                let element = range.start + 1..range.start + 1 + len;
                Some(Token::Hidden { element, range })
            }
            [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => self.tag(2),
            [b'<', letter, ..] if letter.is_ascii_alphabetic() => self.tag(1),
            _ => None,
        }
    }

    fn tag(&mut self, from: usize) -> Option<Token> {
        let rest = self.rest();
        let name_len = rest
            .get(from..)?
            .iter()
            .position(|&b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>' | b'<' | b'@'))?;
        // `<joe@host.dom>` and `<http://…>` are no tags.
        let after = rest.get(from + name_len).copied();
        let name = rest.get(from..from + name_len)?;
        if matches!(after, Some(b'@' | b'<')) || name.contains(&b':') && after == Some(b'/') {
            return None;
        }
        let mut attributes = Attributes { html: rest, at: from + name_len };
        attributes.by_ref().for_each(drop);
        if rest.get(attributes.at) != Some(&b'>') {
            self.broken = true;
            return None;
        }
        let start = self.at;
        let whole = self.take(attributes.at + 1);
        let name = start + from..start + from + name_len;
        let closes = from == 2;
        if !closes && is_raw(self.html.get(name.clone())?) {
            self.raw = Some(name.clone());
        }
        Some(Token::Tag { whole, name, closes })
    }

    /// The inside of a script or style, up to its end tag.
    fn hidden(&mut self, name: Range<usize>) -> Option<Token> {
        let element = name.clone();
        let name = self.html.get(name)?;
        let rest = self.rest();
        let end = memmem::find_iter(rest, b"</").find(|&at| {
            rest.get(at + 2..at + 2 + name.len()).is_some_and(|n| n.eq_ignore_ascii_case(name))
        });
        match end {
            Some(0) => None,
            Some(end) => Some(Token::Hidden { element, range: self.take(end) }),
            None => {
                self.broken = true;
                None
            }
        }
    }
}

fn is_raw(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"script") || name.eq_ignore_ascii_case(b"style")
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if self.rest().is_empty() {
            return None;
        }
        if let Some(name) = self.raw.take()
            && let Some(token) = self.hidden(name)
        {
            return Some(token);
        }
        let rest = self.rest();
        if self.broken {
            return Some(Token::Text(self.take(rest.len())));
        }
        if rest.first() == Some(&b'<')
            && let Some(token) = self.markup()
        {
            return Some(token);
        }
        if self.broken {
            return Some(Token::Text(self.take(rest.len())));
        }
        let len = memchr(b'<', rest.get(1..).unwrap_or_default()).map_or(rest.len(), |n| n + 1);
        Some(Token::Text(self.take(len)))
    }
}

/// One attribute of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    pub name: Range<usize>,
    pub value: Range<usize>,
}

/// The attributes of a tag, from after its name on. When exhausted, `at` stands at the `>`, or at
/// the end where there is none.
pub(crate) struct Attributes<'t> {
    pub html: &'t [u8],
    pub at: usize,
}

impl Attributes<'_> {
    fn peek(&self) -> Option<u8> {
        self.html.get(self.at).copied()
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
    }
}

impl Iterator for Attributes<'_> {
    type Item = Attribute;

    fn next(&mut self) -> Option<Attribute> {
        self.skip(|b| b.is_ascii_whitespace() || b == b'/');
        if matches!(self.peek(), None | Some(b'>')) {
            return None;
        }
        let start = self.at;
        // A `=` may start a name (the standard says so).
        self.at += 1;
        self.skip(|b| !b.is_ascii_whitespace() && !matches!(b, b'/' | b'>' | b'='));
        let name = start..self.at;
        let mark = self.at;
        self.skip(|b| b.is_ascii_whitespace());
        if self.peek() != Some(b'=') {
            self.at = mark;
            return Some(Attribute { name, value: mark..mark });
        }
        self.at += 1;
        self.skip(|b| b.is_ascii_whitespace());
        let value = if let Some(quote @ (b'"' | b'\'')) = self.peek() {
            let from = self.at + 1;
            let Some(len) = memchr(quote, self.html.get(from..).unwrap_or_default()) else {
                self.at = self.html.len();
                return None;
            };
            self.at = from + len + 1;
            from..from + len
        } else {
            let from = self.at;
            self.skip(|b| !b.is_ascii_whitespace() && b != b'>');
            from..self.at
        };
        Some(Attribute { name, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens, written `kind:text`.
    fn tokens(html: &str) -> Vec<String> {
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
    fn well_formed() {
        assert_eq!(
            tokens("<!DOCTYPE x>a<b c='>'>d</b><!-- e --><SCRIPT>f<g></script>h"),
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
    fn what_is_no_tag_is_text() {
        for text in ["a < b", "<http://h/>", "<joe@host.dom>", "<a href='x", "<!-- x", "<!x", "<3"]
        {
            assert_eq!(tokens(text).concat().replace("text:", ""), text);
        }
        assert_eq!(tokens("<script>x"), ["tag:script", "text:x"]);
    }

    #[test]
    fn attributes() {
        let html = "<a b c=d e = 'f g' h=\"i\"/ j>";
        let found: Vec<_> = Attributes { html: html.as_bytes(), at: 2 }
            .map(|a| format!("{}={}", &html[a.name], &html[a.value]))
            .collect();
        assert_eq!(found, ["b=", "c=d", "e=f g", "h=i", "j="]);
    }
}

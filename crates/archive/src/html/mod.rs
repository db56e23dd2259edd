//! An HTML parser. It returns the attributes that contain URLs, the comments, and the text that a
//! browser shows.
//!
//! No library is used, because those that were tried keep no offsets in decoded text (see the
//! crate's README). A *place* is the offset of a tag, comment or script that may contain URLs.

mod attribute;
mod automatic_link;
mod bare_tags;
mod display;
pub(crate) mod entity;
mod link_text;
mod names;
mod open;
mod page_map;
mod piece;
mod places;
mod quotation;
mod reader;
mod shown;
mod source;
mod tag_content;
mod text;
mod token;
mod within;

pub(crate) use self::attribute::{BASE, find_base_url};
pub(crate) use self::automatic_link::{AutomaticLink, automatic_link};
pub use self::link_text::link_text;
pub(crate) use self::open::{Inside, OpenMarkup};
pub(crate) use self::piece::Piece;
pub(crate) use self::places::Places;
pub(crate) use self::quotation::quotation_ranges;
pub(crate) use self::shown::displayed_text;
pub(crate) use self::source::{PageTarget, page_targets};
pub use self::source::{SourcePart, decode_attribute, source_parts};
pub(crate) use self::text::{decode_text_attribute, decode_url_attribute, may_need_decoding};

use self::piece::{may_mention_url, push_lower_case};
use self::places::AllPlaces;
use self::token::{Token, Tokens};
use crate::lower_case::has_suffix_ignoring_case;
use core::ops::{ControlFlow, Range};
use memchr::memchr_iter;

/// A reader for the parts of an HTML page that are not displayed text, such as attribute values,
/// comments and scripts. It reads them in order.
#[derive(Debug)]
pub(crate) struct Pieces<'t> {
    html: &'t [u8],
    tokens: Tokens<'t>,
    places: AllPlaces,
    /// The offset of the next tag, comment or script that may contain pieces.
    place: Option<usize>,
    /// A buffer for the label of an attribute, such as `a/href`.
    label: String,
}

impl<'t> Pieces<'t> {
    /// Returns a reader for the pieces at `places`, the offsets that [`displayed_text`] returned
    /// for this page.
    pub(crate) fn new(html: &'t [u8], places: Places) -> Self {
        let mut places = places.into_offsets();
        let place = places.next();
        Self { html, tokens: Tokens::new(html), places, place, label: String::new() }
    }

    /// Returns the offset of the next tag, comment or script that may contain a piece, or `None` if
    /// there is none.
    pub(crate) const fn next_place(&self) -> Option<usize> {
        self.place
    }

    /// Passes the pieces of the next tag, comment or script to `found`. Takes time linear in the
    /// length of the markup.
    pub(crate) fn pass_next_pieces(
        &mut self,
        found: &mut dyn FnMut(Piece<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Self { html, tokens, places, place, label } = self;
        let of = |range: &Range<usize>| html.get(range.clone()).unwrap_or_default();
        let Some(at) = place.take() else { return ControlFlow::Continue(()) };
        if !tokens.is_at_raw_content() {
            if places.is_unclosed_at(at) {
                return found(Piece::Broken(at..html.len()));
            }
            if let Some(name) = tokens.start_tag_name_at(at) {
                *place = places.next();
                return attribute::pass_urls_of_tag(html, &name, false, label, found);
            }
        }
        let token = tokens.parse_token_at(at);
        // The content of a script follows its tag.
        *place = if token.is_some() && tokens.is_at_raw_content() {
            Some(tokens.next_offset())
        } else {
            places.next()
        };
        match token {
            Some(Token::Text(range)) if tokens.reads_rest_as_text() => found(Piece::Broken(range)),
            Some(Token::Hidden { element, range }) if may_mention_url(of(&range)) => {
                label.clear();
                push_lower_case(label, of(&element));
                found(Piece::Source(label, range))
            }
            Some(Token::Comment { inside, .. }) => found(Piece::Comment(inside)),
            Some(Token::Tag { name, closes: false, .. }) => {
                attribute::pass_urls_of_tag(html, &name, false, label, found)
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Returns the charset that a page declares in its first 2048 bytes (`<meta charset=…>`, `<?xml
/// encoding=…?>`), or `None` if it declares none there.
pub(crate) fn declared_charset(html: &[u8]) -> Option<&[u8]> {
    let head = html.get(..2048.min(html.len()))?;
    let is_at = |at: usize, word: &[u8]| {
        head.get(..at).is_some_and(|before| has_suffix_ignoring_case(before, word))
    };
    let mut encoding = None;
    let charset = memchr_iter(b'=', head).find(|&at| {
        if encoding.is_none() && is_at(at, b"encoding") {
            encoding = Some(at);
        }
        is_at(at, b"charset")
    });
    let at = charset.or(encoding)? + 1;
    charset_label(head.get(at..)?)
}

/// Returns the label of a charset at the start of `value`, the text after the `=` of a declaration.
/// Returns `None` if there is no label.
pub(crate) fn charset_label(value: &[u8]) -> Option<&[u8]> {
    let rest = value.trim_ascii_start();
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
    use crate::decode::derived::Decoded;
    use urlsift_core::{Breaks, Span};

    fn pieces_and_text(html: &str) -> (Vec<String>, String) {
        let mut all = Vec::new();
        let mut shown = displayed_text(html.as_bytes(), 0, Vec::new(), &mut Breaks::new(), 0);
        let places = core::mem::take(&mut shown.places);
        let mut pieces = Pieces::new(html.as_bytes(), places);
        let mut found = |piece: Piece<'_>| {
            all.push(match piece {
                Piece::Attribute(name, range) => format!("{name}={}", &html[range]),
                Piece::Comment(range) => format!("comment={}", &html[range]),
                Piece::Broken(range) => format!("broken={}", &html[range]),
                Piece::Mention(name, range) => format!("{name}~{}", &html[range]),
                Piece::Source(name, range) => format!("{name}:{}", &html[range]),
            });
            ControlFlow::Continue(())
        };
        while pieces.next_place().is_some() {
            assert!(pieces.pass_next_pieces(&mut found).is_continue());
        }
        (all, String::from_utf8_lossy(shown.text()).into_owned())
    }

    #[test]
    fn urls_are_found_in_attributes_of_all_kinds() {
        let (pieces, text) = pieces_and_text(
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
    fn lists_of_urls_are_read_to_their_ends() {
        let (pieces, _) = pieces_and_text(
            "<a ping=' http://a/ b\n/c,d '><object archive='http://e/ http://f/'>\
             <applet archive='http://g/ , h.jar,'><head profile='http://i/ http://j/'>\
             <b style='x: url(http://k/)'>",
        );
        assert_eq!(
            pieces,
            [
                "a/ping=http://a/",
                "a/ping=b",
                "a/ping=/c,d",
                "object/archive=http://e/",
                "object/archive=http://f/",
                "applet/archive=http://g/",
                "applet/archive=h.jar",
                "head/profile=http://i/",
                "head/profile=http://j/",
                "b/style~x: url(http://k/)",
            ]
        );
    }

    #[test]
    fn text_after_raw_text_is_kept() {
        for (html, text, pieces) in [
            ("<title><style>a&amp;b\nc</title>d", "\n<style>a&b c\nd", &[][..]),
            ("<xmp><b>&amp;\nc</xmp>d", "\n<b>&amp;\nc\nd", &[]),
            ("<plaintext></b>&lt;", "\n</b>&lt;", &[]),
            (
                "<noscript><style>http://h/</noscript><a href=x>t</a><style></style>",
                "\n\n\nt\n\n",
                &["style:http://h/", "a/href=x"],
            ),
            ("<iframe><!-- c</iframe>t-->", "  t-->", &["comment= c"]),
            ("<title>a<b title='http://h/'>t", "\nat", &["b/title~http://h/"]),
        ] {
            let (found, shown) = pieces_and_text(html);
            assert_eq!(
                (&*shown, found.iter().map(String::as_str).collect()),
                (text, pieces.to_vec()),
                "{html}"
            );
        }
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
            assert_eq!(pieces_and_text(html).1, text, "{html}");
        }
    }

    #[test]
    fn nothing_is_lost_in_broken_html() {
        let (pieces, text) = pieces_and_text("a <a href='http://h/>b</a> http://i/");
        assert_eq!(
            (pieces.concat(), &*text),
            ("broken=<a href='http://h/>b</a> http://i/".into(), "a ")
        );
        let (pieces, _) = pieces_and_text("<a href=\"http://h/>b</a><a href=\"http://i/\">");
        assert_eq!(pieces, ["a/href=http://h/", "broken=>b</a><a href=\"http://i/\">"]);
        let (pieces, _) = pieces_and_text("<!-- http://h/ -->");
        assert_eq!(pieces, ["comment= http://h/ "]);
    }

    #[test]
    fn mentions_are_found_outside_links() {
        let (pieces, text) = pieces_and_text(
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
        let Decoded { text, map } = decode_text_attribute(b"a&amp;b\nc", 5);
        assert_eq!(text, b"a&b\nc");
        assert_eq!(map.to_source(Span::new(1, 2)), Span::new(6, 11));
    }

    #[test]
    fn values_map_to_their_source() {
        let Decoded { text, map } = decode_url_attribute(b"http://h/\n?a&amp;b&c", 10);
        assert_eq!(text, b"http://h/?a&b&c");
        assert_eq!(map.to_source(Span::new(11, 12)), Span::new(22, 27));
        assert_eq!(declared_charset(b"<meta charset='Big5'>"), Some(&b"Big5"[..]));
        let quoted = b"<a b=c charset = x><?xml x=\"1\" Encoding=\"koi8-r\"?>=";
        assert_eq!(declared_charset(quoted), Some(&b"koi8-r"[..]));
        assert_eq!(declared_charset(b"=<p>"), None);
    }

    #[test]
    fn base_is_the_first_with_href() {
        for (html, expected) in [
            (
                "<head><BASE target=x><base target=_top HREF=' /a/?b&amp;c '><base href=/d/>",
                Some("/a/?b&c"),
            ),
            ("<!-- <base href=/a/> --><script>'<base href=/b/>'</script><basefont href=/c/>", None),
            ("<p title='<base href=/a/>'><base href=\"http://h/\n>", None),
            ("<base href=/a/", None),
            ("<base href>", Some("")),
            ("</base href=/a/>", None),
        ] {
            let found = find_base_url(html.as_bytes()).map(|base| String::from_utf8(base).unwrap());
            assert_eq!(found.as_deref(), expected, "{html}");
        }
    }
}

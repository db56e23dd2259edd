//! The state of a page at an offset: the elements and markup that are open there. A reader that
//! resumes at the offset needs this state.

use super::display::{Display, content_of_element, display_of_element};
use super::piece::{Piece, may_mention_url, push_lower_case};
use super::quotation::update_quotation_depth;
use super::tag_content::find_end_tag;
use super::token::{Token, Tokens};
use core::ops::Range;
use memchr::{memchr, memchr_iter, memmem};

/// The elements and markup that are open at an offset of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpenMarkup {
    /// The number of open elements whose line breaks are kept.
    pub preformatted: u32,
    /// The number of open quotations.
    pub quotations: u32,
    /// The markup that contains the offset, if it is too long to be in memory as a whole.
    pub inside: Option<Inside>,
}

/// The kind of markup that contains an offset of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    /// A tag, or a declaration.
    Tag,
    /// A comment.
    Comment,
    /// A script, style, or another element that contains no tags, by its name.
    Source(String),
}

impl Inside {
    /// Returns the offset at which the content of the markup ends, and the offset at which the page
    /// continues. `html` starts inside the markup. Both offsets are the length of `html` if the end
    /// isn't found.
    pub(crate) fn find_content_end(&self, html: &[u8]) -> (usize, usize) {
        let end = match self {
            // The tag may start inside a quoted value, whose end can't be recognized, so the next
            // tag ends this one.
            Self::Tag => Some(next_tag_start(html)).map(|end| (end, end)),
            Self::Comment => memmem::find(html, b"-->").map(|end| (end, end + 3)),
            Self::Source(name) => find_end_tag(html, name.as_bytes()).map(|end| (end, end)),
        };
        end.unwrap_or((html.len(), html.len()))
    }

    /// Returns the piece for `range` of `html`, which is inside this markup, or `None` if it
    /// contains no URL.
    pub(crate) fn piece_of_range(&self, html: &[u8], range: Range<usize>) -> Option<Piece<'_>> {
        match self {
            Self::Tag | Self::Comment => Some(Piece::Comment(range)),
            Self::Source(name) => may_mention_url(html.get(range.clone()).unwrap_or_default())
                .then_some(Piece::Source(name, range)),
        }
    }
}

/// Returns the offset at which the next tag starts in `html`, which begins inside another tag.
/// Returns the length of `html` if there is no further tag.
fn next_tag_start(html: &[u8]) -> usize {
    let is_tag = |at: &usize| {
        html.get(at + 1).is_some_and(|&next| next.is_ascii_alphabetic() || next == b'/')
    };
    memchr_iter(b'<', html).find(is_tag).unwrap_or(html.len())
}

/// Updates `open`, the number of open preformatted elements, at a start tag of such an element, or
/// at an end tag if `closes` is true.
pub(super) fn update_preformatted(open: &mut u32, closes: bool) {
    *open = if closes { open.saturating_sub(1) } else { *open + 1 };
}

impl OpenMarkup {
    /// Returns an offset at which another reader can resume the page, and the state there. `self`
    /// is the state at offset `from`.
    ///
    /// The offset is at or after `at`, and not inside markup. But if the markup around `at` ends
    /// after `latest`, the offset is `at`. Takes linear time.
    pub(crate) fn resume_offset_and_state(
        &self,
        html: &[u8],
        from: usize,
        (at, latest): (usize, usize),
    ) -> (usize, Self) {
        if from > latest || from >= html.len() {
            return (at, self.clone());
        }
        let mut open = Self { inside: None, ..*self };
        let mut tokens = Tokens::new(html);
        let mut done = from;
        while let Some(mark) = memchr(b'<', html.get(done..at).unwrap_or_default()) {
            let mark = done + mark;
            let mut inside = Inside::Tag;
            match tokens.parse_markup_at(mark) {
                // A character of the text.
                None if !tokens.reads_rest_as_text() => {
                    done = mark + 1;
                    continue;
                }
                Some(Token::Tag { name, element, closes, .. }) => {
                    if display_of_element(element) == Display::Preformatted {
                        update_preformatted(&mut open.preformatted, closes);
                    }
                    update_quotation_depth(&mut open.quotations, html, name.clone(), closes);
                    if content_of_element(element).is_without_tags() && !closes {
                        let mut label = String::new();
                        push_lower_case(&mut label, html.get(name).unwrap_or_default());
                        inside = Inside::Source(label);
                    }
                }
                _ if html.get(mark..).is_some_and(|rest| rest.starts_with(b"<!--")) => {
                    inside = Inside::Comment;
                }
                _ => {}
            }
            tokens.skip_raw_content();
            done = tokens.next_offset();
            if let Some(end) = tokens.open_element().end_of_text_around(done) {
                done = end;
            }
            if tokens.reads_rest_as_text() || done > latest {
                return (at, Self { inside: Some(inside), ..open });
            }
        }
        (done.max(at), open)
    }
}

#[cfg(test)]
mod tests {
    use super::{Inside, OpenMarkup};

    fn at(html: &str, at: usize, latest: usize) -> (usize, u32, Option<Inside>) {
        let (place, open) =
            OpenMarkup::default().resume_offset_and_state(html.as_bytes(), 0, (at, latest));
        (place, open.preformatted, open.inside)
    }

    #[test]
    fn page_resumes_between_tags() {
        let html = "<pre>a <b title='>'>c</b> 1 < 2 </pre><!-- d --><script>e</script>";
        let place = |text: &str| html.find(text).unwrap();
        assert_eq!(at(html, 2, 60), (place("a <b"), 1, None));
        assert_eq!(at(html, place("b title"), 60), (place("c</b>"), 1, None));
        assert_eq!(at(html, place("2 <"), 60), (place("2 <"), 1, None));
        assert_eq!(at(html, place("- d"), 60), (place("<script"), 0, None));
        assert_eq!(at(html, place("e</"), html.len()), (place("</script"), 0, None));
    }

    #[test]
    fn open_quotations_are_counted() {
        let html = "<blockquote type=cite>a<blockquote>b</blockquote></blockquote>z";
        let depth = |text: &str| {
            let at = html.find(text).unwrap();
            let state = OpenMarkup::default().resume_offset_and_state(html.as_bytes(), 0, (at, at));
            state.1.quotations
        };
        assert_eq!(["a<", "b<", "z"].map(depth), [1, 2, 0]);
    }

    #[test]
    fn overlong_markup_is_cut() {
        let html = "<pre><SCRIPT>a</script><!-- b -->c<i d='e'>";
        let place = |text: &str| html.find(text).unwrap();
        let source = Some(Inside::Source("script".into()));
        assert_eq!(at(html, place("a"), place("a")), (place("a"), 1, source));
        assert_eq!(at(html, place("b"), place("b")), (place("b"), 1, Some(Inside::Comment)));
        assert_eq!(at(html, place("e'"), place("e'")), (place("e'"), 1, Some(Inside::Tag)));
        // Never closed.
        assert_eq!(at("<!-- a", 5, 6), (5, 0, Some(Inside::Comment)));
        for (inside, html, end) in [
            (Inside::Comment, "a -->b", (2, 5)),
            (Inside::Comment, "a", (1, 1)),
            (Inside::Source("style".into()), "a</b></STYLE>", (5, 5)),
            (Inside::Tag, "a' b='c'><p>", (9, 9)),
        ] {
            assert_eq!(inside.find_content_end(html.as_bytes()), end, "{html}");
        }
    }
}

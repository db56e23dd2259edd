//! A cache of the last long extent. All URLs that start within an extent end with it, so an extent
//! with many starts is followed once.

use super::{ExtentRules, extent_end_and_marks, may_start_ip_literal_at};
use crate::scheme::syntax;
use urlsift_core::Span;

/// A long extent (run of URL characters) whose end was found before. The fields are the span from
/// the byte at which the search entered the extent, and the offset of the last round bracket or `*` in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownExtent {
    span: Span,
    mark: Option<usize>,
}

impl KnownExtent {
    /// The minimum length of a cached extent, in bytes.
    const MIN_LEN: usize = 256;

    /// A cached version of [`extent_end_and_marks`]. If the extent in `known` contains byte `from`,
    /// returns the result from there. Otherwise scans the text, and stores the extent in `known` if
    /// it has at least `MIN_LEN` bytes and ends before `limit`.
    #[inline(always)]
    pub(crate) fn url_end(
        known: &mut Option<Self>,
        text: &[u8],
        from: usize,
        limit: usize,
        rules: ExtentRules<'_>,
    ) -> (usize, bool) {
        if let Some(known) = known
            && known.span.range().contains(&from)
        {
            let (end, has_mark) = known.end_from(text, from, rules);
            return (end.min(limit), has_mark);
        }
        let (end, has_mark) = extent_end_and_marks(text, from, limit, rules);
        if end.saturating_sub(from) >= Self::MIN_LEN && end < limit {
            let extent = &text[from..end];
            let mark = memchr::memrchr3(b'(', b')', b'*', extent).map(|at| from + at);
            *known = Some(Self { span: Span::new(from, end), mark });
        }
        (end, has_mark)
    }

    /// Returns the end of this extent for a URL that starts at byte `from` in it. Also returns true
    /// if the extent contains a round bracket or `*` at or after that byte.
    #[cold]
    fn end_from(self, text: &[u8], from: usize, rules: ExtentRules<'_>) -> (usize, bool) {
        // The cached extent skipped IP literals as a whole, but an extent that starts inside of one
        // may end there.
        if let Some(limit) = ip_literal_end(text, from) {
            let (end, has_mark) = extent_end_and_marks(text, from, limit, rules);
            if end < limit {
                return (end, has_mark);
            }
        }
        (self.span.end, self.mark.is_some_and(|at| at >= from))
    }
}

/// Returns the end of the IP literal that contains byte `from` of an extent, or `None` if `from` is
/// not in an IP literal.
fn ip_literal_end(text: &[u8], from: usize) -> Option<usize> {
    let reach = from.saturating_sub(syntax::MAX_IP_LITERAL_LEN);
    let start = reach + memchr::memrchr(b'[', &text[reach..from])?;
    if !may_start_ip_literal_at(text, start) {
        return None;
    }
    let end = start + syntax::ip_literal_len(&text[start..]);
    (end > from).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::Schemes;
    use urlsift_core::{Charset, Profile};

    #[test]
    fn known_extent_equals_fresh_one() {
        let texts = [
            "news:a(",
            "news:a",
            "http://[::1]/news:(",
            "@[news:a(b]",
            "news://[mailto:a",
            "//[a:b]|news:[a]",
            "news:{a}^b",
            "mailto:a,http:",
            "a:&amp;b",
        ];
        for profile in [Profile::Rfc1738, Profile::Web] {
            let schemes = Schemes::new(profile, &[]);
            let rules = ExtentRules {
                schemes: &schemes,
                charset: Charset::Utf8,
                iri: true,
                has_labels: false,
            };
            for unit in texts {
                for suffix in ["", " http://h.dom/\n"] {
                    let text = [&unit.repeat(100), suffix].concat().into_bytes();
                    let mut known = None;
                    for from in 0..text.len() {
                        let expected = extent_end_and_marks(&text, from, usize::MAX, rules);
                        let found =
                            KnownExtent::url_end(&mut known, &text, from, usize::MAX, rules);
                        assert_eq!(found, expected, "{unit} from {from}");
                    }
                }
            }
        }
    }
}

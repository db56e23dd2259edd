//! The break that was weighed last, where nothing but its own lines had a say.
//!
//! Lists made by programs, and text made to hurt, say the same again and again. Where the lines around
//! a break read as those around the last one did, all that can be told of them is the same, and is not
//! told again: a comparison takes a fiftieth of it.

use super::{Asked, Continuation, Memo, Site, line_at, line_before};
use crate::Rejoin;
use crate::read::bare::Followed;
use crate::text::line::ends_softly;
use urlsift_core::Span;

/// Longer lines are not kept.
const LONGEST: usize = 512;

/// The last break, and what was decided.
#[derive(Clone, Debug)]
pub(super) struct Recent {
    /// The line before the break, the next one and the one below it, with the bytes before them and
    /// behind them that part them from others.
    lines: Span,
    url: Span,
    break_at: usize,
    opener: Option<u8>,
    level: Rejoin,
    /// The blocks in which no twin was found, and whether the layout around tells nothing; where that
    /// was asked for.
    blocks: Option<(usize, usize)>,
    is_quiet: bool,
    pub(super) decision: Option<Continuation>,
    /// The URL, if the same can be told of that.
    pub(super) followed: Option<Followed>,
}

/// How many bytes behind the last break this one stands, if what was decided there is sure to hold here.
#[inline]
pub(super) fn again(site: &Site<'_>, memo: &mut Memo) -> Option<usize> {
    let recent = memo.recent.as_ref()?;
    let is_same = site.url.len() == recent.url.len()
        && site.joined_so_far.len() == recent.url.len()
        && site.break_at - site.url.end == recent.break_at - recent.url.end
        && site.opener == recent.opener
        && site.level == recent.level;
    if is_same { reads_the_same(site, memo) } else { None }
}

fn reads_the_same(site: &Site<'_>, memo: &mut Memo) -> Option<usize> {
    let recent = memo.recent.as_ref()?;
    let text = site.input.text;
    let by = site.url.start.checked_sub(recent.url.start)?;
    let here = text.get(recent.lines.start + by..recent.lines.end + by)?;
    let holds = here == &text[recent.lines.range()]
        && recent.blocks.is_none_or(|blocks| memo.twins.are_around(blocks, text, site.break_at))
        && (!recent.is_quiet
            || memo.ruler.quiet.holds(text, recent.lines.start + 1 + by, site.break_at));
    holds.then_some(by)
}

/// Keeps the decision, if it was made by the lines around the break alone.
pub(super) fn keep(site: &Site<'_>, memo: &mut Memo, decision: Option<Continuation>) {
    memo.recent = decided(site, memo, decision);
}

fn decided(site: &Site<'_>, memo: &Memo, decision: Option<Continuation>) -> Option<Recent> {
    let is_plain = site.input.breaks.is_empty()
        && site.joined_so_far.len() == site.url.len()
        && !ends_softly(site.joined_so_far);
    if !is_plain || memo.twins.asked == Asked::Closely || memo.ruler.asked == Asked::Closely {
        return None;
    }
    let text = site.input.text;
    let own = line_before(text, site.break_at);
    let start = (site.break_at - own.len()).checked_sub(1)?;
    let (_, next) = line_at(text, site.break_at);
    let (_, below) = line_at(text, next);
    let (_, end) = line_at(text, below);
    // (A line feed may follow what looks like the last byte of a break.)
    let end = end + 1;
    (end - start <= LONGEST && end <= text.len()).then_some(Recent {
        lines: Span::new(start, end),
        url: site.url,
        break_at: site.break_at,
        opener: site.opener,
        level: site.level,
        blocks: memo.twins.blocks_asked(),
        is_quiet: memo.ruler.asked == Asked::AtSight,
        decision,
        followed: None,
    })
}

/// Keeps the URL at `url` that was followed over the break, if nothing further had a say.
pub(super) fn keep_followed(
    memo: &mut Memo,
    url: Span,
    followed: impl FnOnce() -> Option<Followed>,
) {
    let Some(recent) = memo.recent.as_mut().filter(|recent| recent.url == url) else { return };
    // A hyphen at the break is asked for in the twins too.
    if memo.twins.asked != Asked::Closely {
        recent.followed = followed();
        recent.blocks = memo.twins.blocks_asked();
    }
}

#[cfg(test)]
mod tests {
    use super::super::decide;
    use super::*;
    use crate::Input;
    use proptest::prelude::*;

    /// The break behind the URL that starts at byte `start`, if that reaches the end of its line.
    fn site<'a>(input: &'a Input<'_>, start: usize) -> Option<Site<'a>> {
        let text = input.text();
        let len = text[start..].iter().position(|byte| b" \r\n)".contains(byte))?;
        Some(Site {
            input,
            url: Span::new(start, start + len),
            break_at: crate::read::bare::line_end(text, start + len)?,
            opener: text[..start].ends_with(b"(").then_some(b'('),
            level: Rejoin::Likely,
            joined_so_far: &text[start..start + len],
        })
    }

    #[test]
    fn the_line_below_has_a_say() {
        let text = b"\nhttp://a.b/c-\nx.html\nhttp://a.b/c-\nx.html\nh.html\n";
        let input = Input::new(text);
        let mut memo = Memo::default();
        let mut goes_on = |start| decide(&site(&input, start).unwrap(), &mut memo).is_some();
        assert_eq!((goes_on(1), goes_on(22)), (true, false));
    }

    #[test]
    fn a_twin_is_found_as_soon_as_it_is_near() {
        let text = "http://a.b/c/\nd\n".repeat(10_000) + "http://a.b/c/d\n";
        let input = Input::new(text.as_bytes());
        let mut memo = Memo::default();
        let starts = memchr::memmem::find_iter(text.as_bytes(), b"http://");
        let sites: Vec<_> = starts.filter_map(|start| site(&input, start)).collect();
        let found: Vec<_> = sites.iter().map(|site| decide(site, &mut memo)).collect();
        for (site, found) in sites.iter().zip(&found).step_by(199) {
            assert_eq!(*found, decide(site, &mut Memo::default()), "at {}", site.break_at);
        }
        assert!(found[0].is_none() && found[9_999].is_some());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn what_was_decided_before_makes_no_difference(
            // As many repeated lines as make a stretch that is told at once, and then others.
            unit in proptest::sample::select(&["http://a.b/c/;d;", "http://a.b/c-;d;", "http://a.b/c/;x.html;y;"][..]),
            times in proptest::sample::select(&[0, 20, 700][..]),
            lines in proptest::collection::vec(proptest::sample::select(&[
                "", "d", "h.html", "http://a.b/c-;x.html", "http://a.b/c-;x.html", "http://a.b/c/;d", "http://a.b/c/;d", "http://a.b/c-;d",
                "http://a.b/c=;d", "> http://a.b/c/", "> d", "(http://a.b/c/", "d)", "\td", "http://a.b/c/d", "a\tb\tc",
                "http://a.dom/a/long/path/that/is/all/of/its/line/and/reaches/the/margin/", "a b c d e f g",
            ][..]), 0..60),
            is_quiet in any::<bool>(),
            line_break in proptest::sample::select(&["\n", "\r\n", "\r"][..]),
        ) {
            // Without prose and lines that reach the margin, the short ones decide.
            let mut lines = lines;
            lines.retain(|line| !is_quiet || line.len() < 30 && !line.starts_with("a "));
            let before = unit.repeat(times).replace(';', line_break);
            let text = before.clone() + &lines.join(";").replace(';', line_break);
            let input = Input::new(text.as_bytes());
            let mut memo = Memo::default();
            for start in memchr::memmem::find_iter(text.as_bytes(), b"http://") {
                let Some(site) = site(&input, start) else { continue };
                let decision = decide(&site, &mut memo);
                // To go through the text anew for each would take long.
                if start + 200 > before.len() {
                    prop_assert_eq!(decision, decide(&site, &mut Memo::default()), "at {}", start);
                }
            }
        }
    }
}

//! Tests of decisions that the corpus doesn't cover: soft breaks, the window, hyphens, the table of
//! weights.

use super::evidence::WEIGHTS;
use super::site::WINDOW;
use super::*;
use crate::Scanner;
use crate::text::undecoded::Encoding;
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use urlsift_core::{Break, Breaks, Span};

/// The corpus. The published crate doesn't contain it.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");

/// Decides whether the URL at the first `http` in the text continues after its first line. Returns
/// `None` if it ends there.
fn decide_first(input: &Input<'_>, level: Rejoin) -> Option<Continuation> {
    let text = input.text();
    let start = memmem::find(text, b"http").expect("there is a URL");
    let break_at = start + memchr::memchr(b'\n', &text[start..]).expect("there is a break");
    let end = start + trim_blanks_at_end(&text[start..break_at]).len();
    decide(&site(input, Span::new(start, end), break_at, level), &mut Cache::default())
}

fn site<'a>(input: &'a Input<'_>, url: Span, break_at: usize, level: Rejoin) -> BreakSite<'a> {
    BreakSite {
        input,
        url,
        break_at,
        outer: url.start,
        has_mark: true,
        level,
        joined_so_far: &input.text()[url.range()],
        encoding: Encoding::Unknown,
    }
}

#[test]
fn delsp_soft_break_after_one_space_joins() {
    let soft = |text: &str, kind, level| {
        let at = memchr::memchr(b'\n', text.as_bytes()).expect("there is a break");
        let breaks = Breaks::from_iter([Break { at, kind }]);
        decide_first(&Input::new(text.as_bytes()).breaks(&breaks), level)
    };
    let one = "See http://example.org/spring \nmeeting and others.";
    let two = "See http://example.org/spring  \nmeeting and others.";
    let joined = soft(one, BreakKind::SoftDelSp, Rejoin::Certain).expect("the URL continues");
    assert_eq!((joined.kind, joined.grade), (JoinKind::Flowed, Grade::Certain));
    assert_eq!(&one[joined.resume..], "meeting and others.");
    assert_eq!(soft(two, BreakKind::SoftDelSp, Rejoin::Likely), None);
    // Without DelSp the space is the author's, and separates words.
    assert_eq!(soft(one, BreakKind::Soft, Rejoin::Likely), None);
    assert_eq!(soft(one, BreakKind::Hard, Rejoin::Likely), None);
    assert_eq!(soft(one, BreakKind::SoftDelSp, Rejoin::Off), None);
}

#[test]
fn twin_outside_the_window_is_ignored() {
    let pair = |between: usize, before: bool| {
        let twin = "at http://example.org/group/gardeners now\n";
        let broken = "at http://example.org/group/\ngardeners\n";
        let gap = "x\n".repeat(between / 2);
        if before { format!("{twin}{gap}{broken}") } else { format!("{broken}{gap}{twin}") }
    };
    for before in [false, true] {
        for (between, counts) in [(10, true), (WINDOW - 100, true), (WINDOW + 100, false)] {
            let text = pair(between, before);
            let scanner = Scanner::builder().rejoin(Rejoin::Certain).build();
            let joined = scanner.find_iter(text.as_bytes()).any(|url| !url.seams().is_empty());
            assert_eq!(joined, counts, "{between} bytes between, twin before: {before}");
        }
    }
}

#[test]
fn twin_must_end_where_the_tail_ends() {
    for (text, is_twin) in [
        ("http://a.dom/x/\nyz-1.c\n\nhttp://a.dom/x/yz-1.c", true),
        ("http://a.dom/x/\nyz-1.c\n\nhttp://a.dom/x/yz-1.c.", true),
        ("http://a.dom/x/\nyz-1.c\n\n(http://a.dom/x/yz-1.c)", true),
        ("http://a.dom/x/\nyz-1.c\n\nhttp://a.dom/x/yz-1.cc", false),
        ("http://a.dom/x/\nyz-1.c\n\nxhttp://a.dom/x/yz-1.c", false),
        ("http://a.dom/x/\nyz-1.c\n\nhttp://a.dom/x/yz-1", false),
    ] {
        let joined = decide_first(&Input::new(text.as_bytes()), Rejoin::Certain);
        assert_eq!(joined.is_some(), is_twin, "{text:?}");
    }
}

#[test]
fn hyphen_is_dropped_if_only_the_url_without_it_occurs_nearby() {
    let with = "see http://a.dom/multi-cast, ";
    let without = "see (http://a.dom/multicast) ";
    for (text, dropped) in [
        (without.to_owned(), true),
        (with.to_owned(), false),
        (format!("{with}{without}"), false),
        ("http://a.dom/multicasting".to_owned(), false),
        (String::new(), false),
    ] {
        let input = Input::new(text.as_bytes());
        let (head, tail): (&[u8], &[u8]) = (b"http://a.dom/multi-", b"cast).");
        let found = drops_hyphen(&input, head, tail, 0, &mut Cache::default());
        assert_eq!(found, dropped, "{text:?}");
    }
}

#[test]
fn table_contains_each_feature_once() {
    assert!(WEIGHTS.len() <= 25);
    for (at, (feature, weight)) in WEIGHTS.iter().enumerate() {
        assert_eq!(*feature as usize, at, "the rows are in the order of the features");
        assert_ne!(*weight, 0);
    }
}

#[test]
fn text_cut_to_the_window_gives_the_same_decisions() {
    // Only published crates have this file.
    if Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml.orig").exists() {
        return;
    }
    // All cases of the corpus, several times in a row.
    let cases = fs::read_to_string(format!("{CORPUS}/rejoin/breaks.jsonl")).expect("readable");
    let mut round = String::new();
    for row in cases.lines() {
        let row: serde_json::Value = serde_json::from_str(row).expect("the corpus is well-formed");
        for line in row["context"].as_array().into_iter().flatten() {
            round.push_str(line.as_str().unwrap_or_default());
            round.push('\n');
        }
    }
    let text = round.repeat(2 + 3 * WINDOW / round.len()).into_bytes();
    let whole = Input::new(&text);
    let mut cache = Cache::default();
    let mut joined = 0;
    let mut seen = 0;
    for colon in memmem::find_iter(&text, b"://") {
        let scheme =
            text[..colon].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let start = colon - scheme;
        let line = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
        let end = start + trim_blanks_at_end(&text[start..line]).len();
        if text[start..end].iter().any(|byte| matches!(byte, b' ' | b'>' | b'"'))
            || line >= text.len()
        {
            continue;
        }
        seen += 1;
        let decision =
            decide(&site(&whole, Span::new(start, end), line, Rejoin::Likely), &mut cache);
        joined += usize::from(decision.is_some());
        // Now and then, decide again on a text cut to the window.
        if seen % 7 == 0 {
            let (low, high) = (line.saturating_sub(WINDOW), text.len().min(line + WINDOW));
            let cut = Input::new(&text[low..high]);
            let url = Span::new(start - low, end - low);
            let again = decide(&site(&cut, url, line - low, Rejoin::Likely), &mut Cache::default());
            let again = again.map(|found| Continuation { resume: found.resume + low, ..found });
            assert_eq!(again, decision, "the break at {line}");
        }
    }
    assert!(seen > 1000 && joined > 300, "{joined} of {seen}");
}

#[test]
fn hostile_bytes_do_not_panic() {
    let nasty: [&[u8]; 9] = [
        b"http://\n",
        b"http://a\r",
        b"http://a.b/\r\n\r\n",
        b"http://a.b/-\n-",
        b"http://a.b/(\n)",
        b"http://a.b/=\n=\n=",
        b"\xC2http://a.b/\xA0\n\xC2\xA0\xE2\x80\n\xBA",
        b">>>>>>>>>http://a.b/c%\n>>>>>>>>>%%%%\n>",
        b"\"http://a.b/\n\"\n((((\n://\n",
    ];
    for text in nasty {
        for times in [1, 3, 2000] {
            let text = text.repeat(times);
            let scanner = Scanner::builder().build();
            for url in scanner.find_iter(&text) {
                assert!(url.span().end <= text.len());
            }
        }
    }
}

/// Returns the break after the URL that starts at byte `start`, or `None` if the URL doesn't reach
/// the end of its line.
fn site_after<'a>(input: &'a Input<'_>, start: usize) -> Option<BreakSite<'a>> {
    let text = input.text();
    let len = text[start..].iter().position(|byte| b" \r\n)".contains(byte))?;
    Some(BreakSite {
        input,
        url: Span::new(start, start + len),
        break_at: line::line_end_after_blanks(text, start + len)?,
        outer: start,
        has_mark: true,
        level: Rejoin::Likely,
        joined_so_far: &text[start..start + len],
        encoding: Encoding::Unknown,
    })
}

#[test]
fn line_below_affects_the_decision() {
    let text = b"\nhttp://a.b/c-\nx.html\nhttp://a.b/c-\nx.html\nh.html\n";
    let input = Input::new(text);
    let mut cache = Cache::default();
    let mut is_joined = |start| decide(&site_after(&input, start).unwrap(), &mut cache).is_some();
    assert_eq!((is_joined(1), is_joined(22)), (true, false));
}

#[test]
fn twin_is_found_once_it_is_in_the_window() {
    let text = "http://a.b/c/\nd\n".repeat(10_000) + "http://a.b/c/d\n";
    let input = Input::new(text.as_bytes());
    let mut cache = Cache::default();
    let starts = memmem::find_iter(text.as_bytes(), b"http://");
    let sites: Vec<_> = starts.filter_map(|start| site_after(&input, start)).collect();
    let found: Vec<_> = sites.iter().map(|site| decide(site, &mut cache)).collect();
    for (site, found) in sites.iter().zip(&found).step_by(199) {
        assert_eq!(*found, decide(site, &mut Cache::default()), "at {}", site.break_at);
    }
    assert!(found[0].is_none() && found[9_999].is_some());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn cached_decisions_equal_fresh_ones(
        // Enough repeated lines that runs without prose are skipped, and then others.
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
        // Without prose and lines that reach the margin, the short lines decide.
        let mut lines = lines;
        lines.retain(|line| !is_quiet || line.len() < 30 && !line.starts_with("a "));
        let before = unit.repeat(times).replace(';', line_break);
        let text = before.clone() + &lines.join(";").replace(';', line_break);
        let input = Input::new(text.as_bytes());
        let mut cache = Cache::default();
        for start in memmem::find_iter(text.as_bytes(), b"http://") {
            let Some(site) = site_after(&input, start) else { continue };
            let decision = decide(&site, &mut cache);
            // Deciding about all of them without the cache would take too long.
            if start + 200 > before.len() {
                prop_assert_eq!(decision, decide(&site, &mut Cache::default()), "at {}", start);
            }
        }
    }
}

#[test]
fn known_extent_is_dropped_when_the_text_changes() {
    let schemes = crate::scheme::Schemes::new(urlsift_core::Profile::Web, &[]);
    let charset = urlsift_core::Charset::Utf8;
    let rules = ExtentRules { schemes: &schemes, charset, iri: true, has_labels: false };
    let text = ["news:a(".repeat(100), " http://h.dom/ ".repeat(100)].concat().into_bytes();
    let mut cache = Cache::default();
    assert_eq!(cache.cached_extent_end(&text, 5, text.len(), rules), (700, true));
    assert!(cache.extent.is_some());
    assert!(
        cache.clone().after_removing(300).extent.is_none()
            && cache.after_appending(300).extent.is_none()
    );
}

//! Tests that the matches in a text never depend on how it was cut: whole, in chunks of any size,
//! or split into ranges with no more context than the documentation requires.

use std::ops::ControlFlow;
use urlsift_core::{FileSpan, Profile, Span};
use urlsift_scanner::{
    AFTER, BEFORE, Builder, Candidate, Engine, Found, Input, Rejoin, Scanner, Seam, safe_cut,
};

/// The fields of a candidate that are compared, with offsets in the whole text.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    span: Span,
    whole: Span,
    url: Vec<u8>,
    form: &'static str,
    seams: Vec<Span>,
    depth: u32,
    truncated: bool,
    readings: usize,
}

fn seen(base: usize, found: &Candidate<'_>) -> Seen {
    let gap = |seam: &Seam| seam.gap.shifted(base);
    Seen {
        span: found.span().shifted(base),
        whole: found.span_with_wrapper().shifted(base),
        url: found.url().into_owned(),
        form: found.form().name(),
        seams: found.seams().iter().map(gap).collect(),
        depth: found.quote_depth(),
        truncated: found.is_truncated(),
        readings: found.readings().len(),
    }
}

/// Scans the whole text at once.
fn whole(scanner: &Scanner, text: &[u8]) -> Vec<Seen> {
    scanner.find_iter(text).map(|c| seen(0, &c)).collect()
}

/// Scans the text in chunks, whose lengths `size` returns.
fn streamed(scanner: &Scanner, text: &[u8], mut size: impl FnMut() -> usize) -> Vec<Seen> {
    let mut all = Vec::new();
    let mut sink = |base: u64, found: &Candidate<'_>| {
        all.push(seen(usize::try_from(base).unwrap(), found));
        ControlFlow::Continue(())
    };
    let mut stream = scanner.stream();
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, tail) = rest.split_at(size().clamp(1, rest.len()));
        assert!(stream.push(chunk, &mut sink).is_continue());
        rest = tail;
    }
    assert!(stream.finish(&mut sink).is_continue());
    all
}

/// Scans the text in chunks, with a sink that returns `Break` at random, and continues each time.
fn interrupted(scanner: &Scanner, text: &[u8], random: &mut Random) -> Vec<Seen> {
    let mut all = Vec::new();
    let mut pause = Random(random.0);
    let mut sink = |base: u64, found: &Candidate<'_>| {
        all.push(seen(usize::try_from(base).unwrap(), found));
        if pause.below(3) == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut stream = scanner.stream();
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, tail) = rest.split_at((1 + random.below(300_000)).min(rest.len()));
        let _ = stream.push(chunk, &mut sink);
        if random.below(2) == 0 {
            let _ = stream.push(b"", &mut sink);
        }
        rest = tail;
    }
    while stream.finish(&mut sink).is_break() {}
    assert!(stream.finish(&mut sink).is_continue());
    all
}

fn seen_owned(found: &Found) -> Seen {
    let mut seen =
        seen(usize::try_from(found.span_with_wrapper().start).unwrap(), &found.candidate());
    seen.depth = found.quote_depth();
    assert_eq!(&*found.url(), seen.url);
    assert_eq!((found.span(), found.span_with_wrapper()), (file(seen.span), file(seen.whole)));
    seen
}

fn file(span: Span) -> FileSpan {
    FileSpan::from_base(0, span)
}

/// Scans the text in ranges, whose lengths `size` returns, each with only the required context.
fn shared(scanner: &Scanner, text: &[u8], mut size: impl FnMut() -> usize) -> Vec<Seen> {
    let mut all = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = (start + size().max(1)).min(text.len());
        let from = start.saturating_sub(BEFORE);
        let to = (end + AFTER).min(text.len());
        let input = Input::new(&text[from..to]);
        all.extend(scanner.find_within(input, start - from..end - from).map(|c| seen(from, &c)));
        start = end;
    }
    all
}

/// A small deterministic generator, so that failing cases can be reproduced.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }
}

/// Returns about `len` bytes of pieces that are dangerous in combination.
fn soup(pieces: &[&str], len: usize, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut text = Vec::new();
    while text.len() < len {
        text.extend_from_slice(pieces[random.below(pieces.len())].as_bytes());
    }
    text
}

/// Returns the texts of the corpus, one paragraph each, repeated up to `len` bytes.
fn corpus(len: usize) -> Vec<u8> {
    let files = [
        include_str!("../../../corpus/text/appendix.toml"),
        include_str!("../../../corpus/text/boundaries.toml"),
        include_str!("../../../corpus/text/extraction.toml"),
        include_str!("../../../corpus/text/neighbours.toml"),
        include_str!("../../../corpus/text/none.toml"),
        include_str!("../../../corpus/text/pages.toml"),
        include_str!("../../../corpus/text/quoted.toml"),
        include_str!("../../../corpus/text/schemes.toml"),
        include_str!("../../../corpus/text/wrappers.toml"),
    ];
    let mut text = String::new();
    for file in files {
        let file: toml::Table = file.parse().unwrap();
        for case in file["case"].as_array().unwrap() {
            text.push_str(case["text"].as_str().unwrap());
            text.push_str("\n\n");
        }
    }
    text.repeat(len / text.len() + 1).into_bytes()
}

/// Returns names and texts. The texts are longer than all context, and each is a worst case of its
/// kind.
fn texts() -> Vec<(String, Vec<u8>)> {
    let len = 600_000;
    let mut texts = Vec::new();
    for piece in [
        "http://",
        "http://a.b/",
        "<URL:",
        "<URL:http://a.b/c\n> ",
        "> <URL:http://a.b/c\n",
        "http://a.b/c\n",
        "a:",
        "((((",
        "http://a.b/c,",
        "(http://a.b/c)",
        "mailto:",
        "<http://x",
        ">>>>> http://a.b/\n",
    ] {
        texts.push((format!("{piece:?} repeated"), piece.repeat(len / piece.len()).into_bytes()));
    }
    let url = [
        "http://",
        "a.b",
        "/",
        "x",
        ":",
        "//",
        "foo://q",
        "-",
        "%20",
        "mailto:",
        "a@b.c",
        "seehttp://h",
    ];
    let line = [
        "http://a.b/c",
        " ",
        "\n",
        "> ",
        "<URL:",
        ">",
        "<",
        "tail/of/it",
        "(",
        ")",
        ",",
        "\n\n",
        "-\n",
        "é",
        "日",
    ];
    for seed in 0..3 {
        texts.push((format!("one long word, {seed}"), soup(&url, len, seed)));
        texts.push((format!("lines, {seed}"), soup(&line, len, seed)));
        let both: Vec<_> = url.iter().chain(&line).copied().collect();
        texts.push((format!("both, {seed}"), soup(&both, len, seed)));
    }
    texts.push(("the corpus".into(), corpus(len)));
    let mut far = b"http://a.b/".repeat(3);
    for distance in [60_000, 65_530, 65_536, 65_540, 70_000, 100_000, 200_000] {
        far.extend(vec![b'x'; distance]);
        far.extend_from_slice(b"/http://a.b/");
    }
    texts.push(("starts far apart in one word".into(), far));
    // Broken URLs, each of which also occurs unbroken at nearly the maximum distance, before and
    // after.
    let mut twins = String::new();
    for n in 0..len / 4300 {
        let round = format!(
            "{} http://h.dom/a/page-{n}-of-\nsome/{n}.html for\n{}\nhttp://h.dom/a/page-{}-of-some/{}.html\n",
            "word ".repeat(420),
            "word ".repeat(410),
            n ^ 15,
            n ^ 15,
        );
        twins.push_str(&round);
    }
    texts.push(("twins far off".into(), twins.into_bytes()));
    // A window or a step may end inside a character.
    let cut = "http://a.b/を".repeat(2 * len / 14);
    texts.push(("one word in letters, cut".into(), format!("    {cut}").into_bytes()));
    texts.push(("one word in letters".into(), "http://h/éééééé".repeat(len / 21).into_bytes()));
    let mut glued = "http://a.b/x".repeat(2 * len / 12).into_bytes();
    for at in (12 * 12_000..glued.len()).step_by(12 * 12_001) {
        glued.splice(at..at, *b",http://h.dom/");
    }
    texts.push(("an endless word, and some glued to it".into(), glued));
    let names = [
        "joe@h.dom",
        " ",
        "a.h.dom/b",
        ".",
        "-",
        "=",
        "http://h.dom/x",
        "<URL:ftp://f.dom/",
        ">",
        "\n",
    ];
    texts.push(("addresses and hosts".into(), soup(&names, len, 5)));
    texts
}

/// Returns a builder with all features enabled.
fn everything() -> Builder {
    let builder = Scanner::builder().schemeless(true).locators(true).near_misses(true);
    builder.emails(true).hosts(true).scheme("x")
}

#[test]
fn no_cut_changes_the_matches() {
    let default = Scanner::builder();
    let strict = Scanner::builder().profile(Profile::Rfc1738).rejoin(Rejoin::Off);
    let everything = everything();
    for scanner in [default, strict, everything].map(Builder::build) {
        for (name, text) in texts() {
            let expected = whole(&scanner, &text);
            let mut random = Random(7);
            let cut = shared(&scanner, &text, || 100_000 + random.below(250_000));
            assert_same(&name, "split", &cut, &expected);
            let chunks = streamed(&scanner, &text, || 1 + random.below(200_000));
            assert_same(&name, "in chunks", &chunks, &expected);
        }
    }
}

#[test]
fn owning_iterators_find_the_same() {
    let everything = everything();
    let scanner = everything.build();
    let mut random = Random(7);
    for (name, text) in texts() {
        let expected = whole(&scanner, &text);
        let broken = interrupted(&scanner, &text, &mut random);
        assert_same(&name, "interrupted", &broken, &expected);
        let owned: Vec<_> = scanner.find_owned(&text).map(|found| seen_owned(&found)).collect();
        assert_same(&name, "owned", &owned, &expected);
        let read = scanner.read_from(&*text).map(|found| seen_owned(&found.unwrap()));
        assert_same(&name, "read", &read.collect::<Vec<_>>(), &expected);
    }
}

#[test]
fn small_chunks_change_nothing() {
    for &engine in Engine::all() {
        let step = if engine == Engine::default() { 1 } else { 21 };
        small_chunks_change_nothing_for(&Scanner::builder().engine(engine).build(), step);
    }
}

fn small_chunks_change_nothing_for(scanner: &Scanner, step: usize) {
    let text = soup(&["http://a.b/c", " ", "\n", "<URL:http://h/", "x-\ny>", "word "], 620_000, 1);
    let expected = whole(scanner, &text);
    assert!(expected.len() > 5_000);
    for size in (1..=64).step_by(step) {
        assert_same(
            "soup",
            &format!("chunks of {size}"),
            &streamed(scanner, &text, || size),
            &expected,
        );
    }
}

#[test]
fn urls_of_one_wrapper_survive_interruptions() {
    let scanner = Scanner::builder().build();
    let mut urls = Vec::new();
    let mut sink = |_: u64, found: &Candidate<'_>| {
        urls.push(found.url_lossy().into_owned());
        ControlFlow::Break(())
    };
    let mut stream = scanner.stream();
    assert!(
        stream
            .push(b"<URL:http://a.dom URL:http://b.dom URL:http://c.dom> ", &mut sink)
            .is_continue()
    );
    let times = (0..9).take_while(|_| stream.finish(&mut sink).is_break()).count();
    assert_eq!(
        (times, urls),
        (3, ["http://a.dom", "http://b.dom", "http://c.dom"].map(String::from).to_vec())
    );
}

#[test]
fn urls_before_a_read_error_are_found() {
    struct Broken(usize);
    impl std::io::Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let text = b"See http://h.dom/a and so on";
            self.0 += 1;
            match self.0 {
                1 => Err(std::io::ErrorKind::Interrupted.into()),
                2 => {
                    buffer[..text.len()].copy_from_slice(text);
                    Ok(text.len())
                }
                _ => Err(std::io::ErrorKind::ConnectionReset.into()),
            }
        }
    }
    let mut found = Scanner::builder().build().read_from(Broken(0));
    assert_eq!(found.next().unwrap().unwrap().span(), FileSpan { start: 4, end: 18 });
    assert_eq!(found.next().unwrap().unwrap_err().kind(), std::io::ErrorKind::ConnectionReset);
    assert!(found.next().is_none());
}

#[test]
fn safe_cut_is_between_lines_if_possible() {
    assert_eq!(safe_cut(b"one\ntwo\nthree", 9), 8);
    assert_eq!(safe_cut(b"one\ntwo\nthree", 8), 8);
    assert_eq!(safe_cut(b"one", 2), 2);
    assert_eq!(safe_cut(b"one", 9), 3);
}

fn assert_same(name: &str, how: &str, found: &[Seen], expected: &[Seen]) {
    let same = found.iter().zip(expected).take_while(|(a, b)| a == b).count();
    assert!(
        same == found.len() && same == expected.len(),
        "{name}, {how}: candidate {same} is {:?}, expected {:?}",
        found.get(same).map(short),
        expected.get(same).map(short),
    );
}

fn short(seen: &Seen) -> (Span, &str, usize, bool, u32) {
    (seen.span, seen.form, seen.seams.len(), seen.truncated, seen.depth)
}

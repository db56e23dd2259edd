//! Tests which tokens an index gets from a text.

use proptest::prelude::*;
use tantivy::tokenizer::{
    LowerCaser, NgramTokenizer, RawTokenizer, RemoveLongFilter, SimpleTokenizer, TextAnalyzer,
    Token, TokenFilter, Tokenizer, WhitespaceTokenizer,
};
use urlsift_core::{Span, decode_escapes};
use urlsift_scanner::Scanner;
use urlsift_tantivy::Urls;

/// Returns tantivy's analyzer `default`.
fn default_words() -> impl Tokenizer {
    LowerCaser.transform(RemoveLongFilter::limit(40).transform(SimpleTokenizer::default()))
}

fn tokens<T: Tokenizer>(tokenizer: T, text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    TextAnalyzer::from(tokenizer)
        .token_stream(text)
        .process(&mut |token| tokens.push(token.clone()));
    tokens
}

fn with_urls(text: &str) -> Vec<Token> {
    tokens(Urls::default().transform(default_words()), text)
}

/// Formats the positions and texts of tokens.
fn told(text: &str) -> String {
    let told =
        with_urls(text).into_iter().map(|token| format!("{} {}", token.position, token.text));
    told.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_url_is_itself_its_host_and_words() {
    assert_eq!(
        told("At HTTP://joe:pw@www.Host.dom:80/%7Ejoe/a-b.html?q=c#d, he says."),
        "0 at, 1 http://joe:pw@www.host.dom/~joe/a-b.html?q=c#d, 1 www.host.dom, 1 www, 2 host, 3 dom, \
         4 joe, 5 a, 6 b, 7 html, 8 he, 9 says"
    );
    assert_eq!(told("mailto:Joe@host.dom"), "0 mailto:Joe@host.dom, 0 joe, 1 host, 2 dom");
    assert_eq!(told("news:comp.lang.c"), "0 news:comp.lang.c, 0 comp, 1 lang, 2 c");
    // A host of one word yields only that word.
    assert_eq!(told("ftp://localhost/a"), "0 ftp://localhost/a, 0 localhost, 1 a");
    assert_eq!(told("http://[::1]/a"), "0 http://[::1]/a, 0 [::1], 0 1, 1 a");
    // Invalid URLs are kept as written.
    assert_eq!(
        told("http://Host..dom/A b"),
        "0 http://Host..dom/A, 0 host..dom, 0 host, 1 dom, 2 a, 3 b"
    );
    // The URL is longer than the inner filter's limit for words.
    let long = "x".repeat(50);
    assert_eq!(
        told(&format!("http://h.dom/{long}/a b")),
        format!("0 http://h.dom/{long}/a, 0 h.dom, 0 h, 1 dom, 3 a, 4 b")
    );
}

#[test]
fn a_url_without_words_stands_where_the_next_word_does() {
    let host = "x".repeat(50);
    let url = format!("http://{host}/");
    assert_eq!(told(&format!("a {url} b")), format!("0 a, 2 {url}, 2 b"));
    assert_eq!(told(&format!("a {url}")), format!("0 a, 1 {url}"));
}

#[test]
fn prose_around_a_url_is_not_glued_to_its_words() {
    assert_eq!(told("seehttp://h.dom/a"), "0 see, 1 http://h.dom/a, 1 h.dom, 1 h, 2 dom, 3 a");
    assert_eq!(
        told("http://h.dom/aを読む"),
        "0 http://h.dom/a, 0 h.dom, 0 h, 1 dom, 2 a, 3 を読む"
    );
    assert_eq!(told("(http://h.dom/a)b"), "0 http://h.dom/a, 0 h.dom, 0 h, 1 dom, 2 a, 3 b");
}

#[test]
fn broken_over_quoted_lines() {
    let text =
        "Joe writes:\n> at <http://www.host.dom/archive/\n> 1994/minu\n> tes.html>, as\n> I said";
    let tokens = with_urls(text);
    let raw =
        |token: &Token| (token.text.clone(), text[token.offset_from..token.offset_to].to_owned());
    let url = "http://www.host.dom/archive/1994/minutes.html";
    let found: Vec<_> = tokens.iter().filter(|token| token.text == url).map(raw).collect();
    assert_eq!(
        found,
        [(url.to_owned(), "http://www.host.dom/archive/\n> 1994/minu\n> tes.html".to_owned())]
    );
    let found: Vec<_> = tokens.iter().filter(|token| token.text == "minutes").map(raw).collect();
    assert_eq!(found, [("minutes".to_owned(), "minu\n> tes".to_owned())]);
    assert!(!tokens.iter().any(|token| ["minu", "tes", "http"].contains(&token.text.as_str())));
    let positions: Vec<_> = tokens.iter().map(|token| token.position).collect();
    assert_eq!(positions, [0, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);

    // A bare URL is joined because it occurs unbroken elsewhere.
    let text = "http://www.host.dom/archive/1994/minutes.html\n\n> http://www.host.dom/archive/1994/\n> minutes.html";
    assert_eq!(with_urls(text).iter().filter(|token| token.text == url).count(), 2);
}

#[test]
fn escapes_are_decoded_for_words() {
    let text = "http://h.dom/caf%C3%A9%20au%20lait/%E9t%E9/100%25";
    let words: Vec<_> = with_urls(text)
        .split_off(4)
        .iter()
        .map(|token| (token.text.clone(), text[token.offset_from..token.offset_to].to_owned()))
        .collect();
    let expected = [
        ("café", "caf%C3%A9"),
        ("au", "au"),
        ("lait", "lait"),
        ("e9t", "E9t"),
        ("e9", "E9"),
        ("100", "100"),
    ];
    assert_eq!(words, expected.map(|(word, raw)| (word.to_owned(), raw.to_owned())));
}

#[test]
fn what_is_found_is_the_callers_choice() {
    let scanner = Scanner::builder().schemeless(true).locators(true).near_misses(true).build();
    let urls = Urls::new(scanner, urlsift_core::Profile::Rfc1738);
    let told = |text: &str| -> Vec<String> {
        tokens(urls.clone().transform(default_words()), text)
            .into_iter()
            .map(|token| token.text)
            .collect()
    };
    assert_eq!(told("www.host.dom/a"), ["www.host.dom/a", "www", "host", "dom", "a"]);
    assert_eq!(
        told("ftp.uu.net:/pub/x"),
        ["ftp://ftp.uu.net/pub/x", "ftp.uu.net", "ftp", "uu", "net", "pub", "x"]
    );
    // A near miss is tokenized as prose.
    assert_eq!(told("http//host.dom/a"), ["http", "host", "dom", "a"]);
}

#[test]
fn any_tokenizer_will_do() {
    let text = "see (http://h.dom/a) or\nhttp://i.dom";
    let texts = |tokens: Vec<Token>| tokens.into_iter().map(|token| token.text).collect::<Vec<_>>();
    assert_eq!(
        texts(tokens(Urls::default().transform(WhitespaceTokenizer::default()), text)),
        [
            "see",
            "(",
            "http://h.dom/a",
            "h.dom",
            "h.dom",
            "/a",
            ")",
            "or",
            "http://i.dom/",
            "i.dom",
            "i.dom"
        ]
    );
    let raw = tokens(Urls::default().transform(RawTokenizer::default()), text);
    assert_eq!((raw[0].offset_from, raw[0].offset_to), (0, text.len()));
    let grams = NgramTokenizer::all_ngrams(2, 3).unwrap();
    assert!(
        tokens(Urls::default().transform(grams), text)
            .iter()
            .any(|token| token.text == "http://h.dom/a")
    );
    // Applying the filter twice only repeats the tokens of URLs.
    let once = Urls::default().transform(SimpleTokenizer::default());
    assert_eq!(tokens(once.clone(), text), tokens(once, text));
}

#[test]
fn a_tokenizer_serves_text_after_text() {
    let mut analyzer = TextAnalyzer::from(Urls::default().transform(default_words()));
    for text in ["at http://h.dom/a", "no URL", "", "> http://h.dom/\n> b <http://i.dom/\n> c>"] {
        let mut found = Vec::new();
        analyzer.token_stream(text).process(&mut |token| found.push(token.clone()));
        assert_eq!(found, with_urls(text));
    }
}

/// Returns the text that the words of a URL are read from: `raw` without layout, escapes decoded.
fn as_read(raw: &str, gaps: &[Span], start: usize) -> String {
    let kept: Vec<u8> = raw
        .bytes()
        .enumerate()
        .filter(|(at, _)| !gaps.iter().any(|gap| gap.range().contains(&(start + at))))
        .map(|(_, byte)| byte)
        .collect();
    let kept = String::from_utf8(kept).unwrap();
    let octets = decode_escapes(kept.as_bytes());
    let mut read = String::new();
    for chunk in octets.utf8_chunks() {
        read.push_str(chunk.valid());
        // Escapes that don't encode a character stay as they are.
        read.extend(chunk.invalid().iter().map(|octet| format!("%{octet:02x}")));
    }
    read.to_lowercase()
}

/// Checks that all tokens match the text at their offsets, and that those of prose are the inner
/// tokenizer's.
fn check(text: &str) {
    let scanner = Scanner::builder().build();
    let urls = Urls::default();
    let found: Vec<_> = scanner.find_str(text).collect();
    let tokens = with_urls(text);
    let within = |token: &Token| {
        found
            .iter()
            .find(|url| url.span().start <= token.offset_from && token.offset_to <= url.span().end)
    };
    let mut wholes = 0;
    for token in &tokens {
        // Slicing asserts that the offsets are character boundaries.
        let raw = &text[token.offset_from..token.offset_to];
        let Some(url) = within(token) else {
            assert_eq!(token.text, raw.to_lowercase());
            continue;
        };
        if token.offset_from == url.span().start
            && token.offset_to == url.span().end
            && token.text == urls.url_key(&url.url_lossy())
        {
            wholes += 1;
        } else if !url.is_encoded() {
            let gaps: Vec<_> = url.seams().iter().map(|seam| seam.gap).collect();
            // A host is in A-labels, and a word is as written.
            let read = as_read(raw, &gaps, token.offset_from);
            assert!(
                token.text == read || token.text == Urls::host_key(&read),
                "{:?}: {raw:?} of {:?}",
                token.text,
                url.url_lossy()
            );
        }
    }
    assert!(wholes >= found.len());
    assert!(tokens.is_sorted_by_key(|token| token.position), "{text:?}");

    // Between URLs, the tokens are those of the inner tokenizer for each piece, except for
    // positions.
    let starts = std::iter::once(0).chain(found.iter().map(|url| url.span().end));
    let ends = found.iter().map(|url| url.span().start).chain([text.len()]);
    let expected = starts.zip(ends).flat_map(|(start, end)| {
        tokens_of_piece(&text[start..end])
            .into_iter()
            .map(move |(from, to, word)| (start + from, start + to, word))
    });
    let prose = tokens.iter().filter(|token| within(token).is_none());
    let prose = prose.map(|token| (token.offset_from, token.offset_to, token.text.clone()));
    assert!(prose.eq(expected), "{text:?}");
}

fn tokens_of_piece(piece: &str) -> Vec<(usize, usize, String)> {
    let told = tokens(default_words(), piece).into_iter();
    told.map(|token| (token.offset_from, token.offset_to, token.text)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn offsets_lead_back_to_the_raw_text(pieces in prop::collection::vec(piece(), 0..12)) {
        check(&pieces.concat());
    }
}

fn piece() -> impl Strategy<Value = String> {
    let fixed = [
        "http://",
        "HTTP://Host.dom:80/",
        "ftp://joe:pw@h.dom/",
        "mailto:joe@h.dom",
        "<URL:",
        "<http://h.dom/",
        ">",
        "\n",
        "\n> ",
        "\r\n>> ",
        " ",
        "a/",
        "b-",
        "-\n",
        "%41",
        "%C3%A9",
        "%C3",
        "=\n",
        "=3D",
        "é",
        "日本",
        "を",
        "?q=",
        "#",
        ".html",
        "www.h.dom",
        ")",
        "(",
        "words of prose ",
        "İ",
    ];
    prop_oneof![4 => prop::sample::select(fixed.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,4}"]
}

#[test]
fn the_texts_of_the_corpus() {
    fn below(folder: &std::path::Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries
            .flat_map(|path| {
                if path.is_dir() {
                    below(&path)
                } else {
                    std::fs::read_to_string(path).into_iter().collect()
                }
            })
            .collect()
    }
    let texts = below(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"));
    assert!(texts.len() > 50);
    for text in &texts {
        check(text);
    }
}

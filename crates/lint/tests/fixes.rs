//! Checks that safe fixes change neither the meaning of URLs nor the content of documents.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag as MarkdownTag};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use urlsift_archive::Reading;
use urlsift_core::{Profile, parse_reference};
use urlsift_lint::{Applicability, Config, Dialect, Linter, Markup, apply};
use urlsift_scanner::{Input, Scanner};

/// The pieces of random URLs, in order. One of each list is used.
const PIECES: [&[&str]; 9] = [
    &[
        "http://",
        "HTTP://",
        "https://",
        "ftp://",
        "nntp://",
        "NNTP://",
        "gopher://",
        "telnet://",
        "news:",
        "mailto:",
        "http://http://",
        "file:///",
        "file:/",
    ],
    &["", "", "joe@", "joe:se%7ecret@", "u:SE?CRET@", "a:b;c&d@", "%41:%42@"],
    &[
        "www.host.dom",
        "WWW.Host.DOM",
        "h%41.dom",
        "[::1]",
        "10.1.2.3",
        "h\u{e9}.dom",
        "localhost",
        "host_a.dom",
        "HOST",
        "YOUR-ID.host.dom",
        "h.dom,Some",
    ],
    &["", "", ":80", ":443", ":21", ":", ":0080", ":8080", ":;type=a"],
    &[
        "",
        "/",
        "/a",
        "/%7Ejoe",
        "/a%2fb",
        "/%41%2e%2E",
        "/a b",
        "/ a /b",
        "/a|b",
        "/;type=A",
        "/{x}",
        "//",
        "/1%09q",
        "/\u{65e5}",
    ],
    &["", "/b", "/%7e", "/%25%32", "%", "%2", "/a%0Ab", "/..", "/[b]", "/b\\c"],
    &["", "", "?q", "?a=%7E&b=%2F", "?a|b", "?a b", "?x=http://h/", "?%41?", "?a^b"],
    &["", "", "#f", "#%7Ef", "#a|b", "#:~:text=a%2d-b", "#a#b", "#%2f"],
    &["", "", "", ".", ","],
];

fn url() -> impl Strategy<Value = String> {
    let places = PIECES.map(prop::sample::select);
    places.into_iter().collect::<Vec<_>>().prop_map(|pieces| pieces.concat())
}

/// Mistyped schemes and slashes.
const TYPOS: [&str; 12] = [
    "http:",
    "http:/",
    "https:\\\\",
    "https//",
    "https.//",
    "http;//",
    "file:",
    "file:/",
    "mailto:",
    "mailto: ",
    "tel:",
    "https://",
];

const HOSTS: [&str; 8] = [
    "www.host.com",
    "index.html",
    "docs/a.b",
    "joe @host.org",
    "host.org ",
    "10.1.2.3",
    "h\u{e9}.org",
    "a b.org",
];

/// The rule whose fix intentionally changes the meaning of a URL.
const CHANGES_MEANING: &str = "scheme.doubled";

/// The normalized form of a URL, and its fragment.
type Meaning = (Vec<u8>, Vec<u8>);

fn means(url: &[u8], profile: Profile) -> Option<Meaning> {
    let parsed = parse_reference(url, profile).ok()?;
    let mut form = parsed.normalized().into_owned();
    // `file:/` and `file:///` mean the same (RFC 8089 §2).
    if form.starts_with(b"file:/") && !form.starts_with(b"file://") {
        form.splice(5..5, *b"//");
    }
    Some((form, parsed.fragment().unwrap_or_default().to_vec()))
}

/// Returns a linter, strict or not.
fn linter(strict: bool, profile: Profile) -> Linter {
    let mut config = Config::new(profile);
    config.strict = strict;
    Linter::new(config)
}

fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 4000 };
    ProptestConfig { cases, ..default }
}

/// A linter and a scanner for each profile, and a strict one for the default profile.
static LINTERS: LazyLock<Vec<(Profile, Linter, Scanner)>> = LazyLock::new(|| {
    let profiles = Profile::ALL.into_iter().map(|profile| (profile, false));
    let all = profiles.chain([(Profile::Web, true)]).map(|(profile, strict)| {
        (profile, linter(strict, profile), Scanner::builder().profile(profile).build())
    });
    all.collect()
});

proptest! {
    #![proptest_config(config())]

    #[test]
    fn safe_fix_keeps_the_meaning_of_a_url(url in url()) {
        for &(profile, ref linter, _) in &*LINTERS {
            let diagnostics = linter.lint_url(url.as_bytes()).diagnostics;
            for diagnostic in &diagnostics {
                if diagnostic.code == CHANGES_MEANING {
                    continue;
                }
                let one = std::slice::from_ref(diagnostic);
                let Some(mended) = apply::apply_once(url.as_bytes(), one, Applicability::Safe) else { continue };
                let shown = String::from_utf8_lossy(&mended.text).into_owned();
                if let Some(before) = means(url.as_bytes(), profile) {
                    let after = means(&mended.text, profile);
                    prop_assert_eq!(Some(before), after, "{} {} {}", diagnostic.code, url, shown);
                }
            }
        }
    }

    #[test]
    fn safe_fixes_keep_the_urls_of_a_text(url in url(), text in prop::sample::select(&TEXTS[..])) {
        for &(profile, ref linter, ref scanner) in &*LINTERS {
            let text = text.replace("{}", &url);
            let dialect = if text.contains("](") { Dialect::Text(Markup::Markdown) } else { Dialect::Text(Markup::Plain) };
            let lint = |text: &[u8]| linter.lint(text, dialect).diagnostics;
            if lint(text.as_bytes()).iter().any(|fault| fault.code == CHANGES_MEANING) {
                continue;
            }
            let fixed = apply::apply_until_stable(text.as_bytes(), Applicability::Safe, lint);
            let shown = String::from_utf8_lossy(&fixed.text).into_owned();
            prop_assert!(fixed.settled, "{} {}", text, shown);
            let again = apply::apply_until_stable(&fixed.text, Applicability::Safe, lint);
            prop_assert_eq!(again.fixes, 0, "{}", shown);
            let (mut before, after) =
                (valid(text.as_bytes(), scanner, profile), valid(&fixed.text, scanner, profile));
            // The meaning of a URL that is cut at the fault is unknown.
            before.retain(|(found, _)| *found == url.as_bytes());
            let mut rest = after.iter();
            for url in &before {
                prop_assert!(rest.any(|kept| kept.1 == url.1), "{} {:?} {:?}", text, before, after);
            }
        }
    }
}

/// Texts around URLs.
const TEXTS: [&str; 10] = [
    "See {} now.",
    "See {}, or {}.",
    "See <URL:{}> now.",
    "See <{}>",
    "See ({}).",
    "say \"{}\" twice",
    "See [x]({}) now.",
    "See [x](<{}>).",
    "{}[the mill]",
    "@uref{{},The mill}",
];

/// Returns the valid URLs of a text with their meanings, in order.
fn valid(text: &[u8], scanner: &Scanner, profile: Profile) -> Vec<(Vec<u8>, Meaning)> {
    let mut all = scanner.find(Input::new(text));
    let mut found = Vec::new();
    while let Some(candidate) = all.advance() {
        let url = candidate.url().into_owned();
        found.extend(means(&url, profile).map(|meaning| (url, meaning)));
    }
    found
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn safe_fix_keeps_the_target_of_a_link(
        scheme in prop::sample::select(&TYPOS[..]),
        host in prop::sample::select(&HOSTS[..]),
        path in prop::sample::select(PIECES[4]),
        more in prop::sample::select(PIECES[5]),
        query in prop::sample::select(PIECES[6]),
    ) {
        let url = [scheme, host, path, more, query].concat();
        let linter = linter(true, Profile::Web);
        let documents = [
            (Dialect::Text(Markup::Html), format!("<p><a href=\"{url}\">x</a>")),
            (Dialect::Text(Markup::Markdown), format!("See [x](<{url}>).")),
        ];
        for (dialect, text) in documents {
            let lint = |text: &[u8]| linter.lint(text, dialect).diagnostics;
            let mended = apply::apply_until_stable(text.as_bytes(), Applicability::Safe, lint);
            let what = broken(&linter, text.as_bytes(), &mended.text, dialect);
            prop_assert_eq!(what, None, "{}", text);
        }
    }
}

/// A piece of a document's structure.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Shape(String),
    /// The target of a link, decoded.
    Target(String),
}

/// Returns the structure of a document and the targets of its links, without the words of its text.
fn outline(text: &[u8], dialect: Dialect) -> Vec<Piece> {
    let text = String::from_utf8_lossy(text);
    match dialect {
        Dialect::Text(Markup::Markdown) => markdown(&text),
        _ => html(&text),
    }
}

fn markdown(text: &str) -> Vec<Piece> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let mut outline = Vec::new();
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(tag @ (MarkdownTag::Link { .. } | MarkdownTag::Image { .. })) => {
                outline.push(Piece::Shape(format!("{:?}", tag.to_end())));
                if let MarkdownTag::Link { dest_url, .. } | MarkdownTag::Image { dest_url, .. } =
                    tag
                {
                    outline.push(Piece::Target(dest_url.into_string()));
                }
            }
            Event::Start(tag) => outline.push(Piece::Shape(format!("{:?}", tag.to_end()))),
            Event::Text(_) => {}
            Event::Html(text) | Event::InlineHtml(text) => outline.extend(html(&text)),
            other => outline.push(Piece::Shape(format!("{other:?}"))),
        }
    }
    outline
}

#[derive(Default)]
struct Tags(RefCell<Vec<Piece>>);

impl TokenSink for Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut outline = self.0.borrow_mut();
        match token {
            Token::TagToken(Tag { kind, name, attrs, .. }) => {
                let end = if kind == TagKind::EndTag { "/" } else { "" };
                outline.push(Piece::Shape(format!("{end}{name}")));
                for attribute in attrs {
                    outline.push(Piece::Shape(attribute.name.local.to_string()));
                    outline.push(Piece::Target(attribute.value.to_string()));
                }
            }
            Token::CommentToken(_) => outline.push(Piece::Shape("comment".to_owned())),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn html(text: &str) -> Vec<Piece> {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(text));
    let tokenizer = Tokenizer::new(Tags::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

/// True if a safe fix may change the link target `old` to `new`.
///
/// A valid URL must keep its meaning, except for `scheme.doubled`. An invalid one must become the
/// result of fixing it as a single URL, or a part of that: with the same words, and without
/// encoding a space that may be a mistake.
fn may_become(linter: &Linter, old: &str, new: &str) -> bool {
    // Some mistakes are recognized only in running text.
    let lint = |value: &[u8]| {
        let [whole, text] =
            [linter.lint_value(value, None), linter.lint(value, Dialect::Text(Markup::Plain))];
        [whole.diagnostics, text.diagnostics].concat()
    };
    let alone =
        |url: &str| apply::apply_until_stable(url.as_bytes(), Applicability::Safe, lint).text;
    if old == new {
        return true;
    }
    let before = means(old.as_bytes(), Profile::Web);
    if before.is_some() && !lint(old.as_bytes()).iter().any(|fault| fault.code == CHANGES_MEANING) {
        return means(new.as_bytes(), Profile::Web) == before;
    }
    let count = |url: &str, slip: &str| url.matches(slip).count();
    let slips = ["/%20", "%20/", "%20%20", ":%20", "%20@"];
    alone(old) == alone(new)
        && words(old).ends_with(&words(new))
        && slips.iter().all(|slip| count(new, slip) <= count(old, slip))
}

/// Returns the letters and digits of a URL, with escapes decoded.
fn words(url: &str) -> Vec<u8> {
    let decoded = percent(url.as_bytes());
    decoded.into_iter().filter(|b| b.is_ascii_alphanumeric() || !b.is_ascii()).collect()
}

fn percent(url: &[u8]) -> Vec<u8> {
    let hex = |at: usize| {
        let digits = str::from_utf8(url.get(at + 1..at + 3)?).ok()?;
        u8::from_str_radix(digits, 16).ok()
    };
    let mut decoded = Vec::new();
    let mut at = 0;
    while at < url.len() {
        let escape = if url[at] == b'%' { hex(at) } else { None };
        decoded.push(escape.unwrap_or(url[at]));
        at += if escape.is_some() { 3 } else { 1 };
    }
    decoded
}

/// Returns a description of a forbidden change that safe fixes made in a document, if any.
fn broken(linter: &Linter, old: &[u8], new: &[u8], dialect: Dialect) -> Option<String> {
    let (before, after) = (outline(old, dialect), outline(new, dialect));
    let wrong = before.iter().zip(&after).find(|(old, new)| match (old, new) {
        (Piece::Target(old), Piece::Target(new)) => !may_become(linter, old, new),
        (old, new) => old != new,
    });
    match wrong {
        Some(wrong) => Some(format!("{wrong:?}")),
        None => (before.len() != after.len()).then(|| "another structure".to_owned()),
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            files(&entry.path(), found);
        } else if kind.is_file() {
            found.push(entry.path());
        }
    }
}

/// Checks the documents of this project, or those in the directory given by the variable
/// `DOCUMENTS`.
#[test]
fn safe_fixes_keep_the_content_of_documents() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = std::env::var_os("DOCUMENTS").map_or_else(
        || vec![own.join("corpus"), own.join("docs"), own.join("crates/lint")],
        |folder| vec![PathBuf::from(folder)],
    );
    let mut found = Vec::new();
    for folder in folders {
        files(&folder, &mut found);
    }
    let linter = linter(true, Profile::Web);
    let mut wrong = Vec::new();
    let mut fixes = 0;
    for path in found {
        let dialect = match path.extension().and_then(|extension| extension.to_str()) {
            Some("md" | "markdown") => Dialect::Text(Markup::Markdown),
            Some("html" | "htm") => Dialect::Text(Markup::Html),
            _ => continue,
        };
        let reading =
            if dialect == Dialect::Text(Markup::Html) { Reading::Html } else { Reading::Markdown };
        let text = std::fs::read(&path).unwrap();
        let lint = |text: &[u8]| linter.lint_file(text, None, reading).diagnostics;
        let mended = apply::apply_until_stable(&text, Applicability::Safe, lint);
        fixes += mended.fixes;
        if let Some(what) = broken(&linter, &text, &mended.text, dialect) {
            wrong.push(format!("{}: {what}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "of {fixes} fixes:\n{}", wrong.join("\n"));
}

/// In a text that isn't UTF-8, a byte above 0x7F may be half a character.
#[test]
fn bytes_of_other_charsets_are_not_touched() {
    let linter = Linter::new(Config::default());
    let lint = |text: &[u8]| linter.lint(text, Dialect::Text(Markup::Html)).diagnostics;
    // EUC-KR. The second character is also valid UTF-8.
    let text = b"<a href=\"http://www.host.dom/\xbc\xbc\xce\xb7\">a</a>";
    let mended = apply::apply_until_stable(text, Applicability::Unsafe, lint);
    assert_eq!(mended.text, text);
    // Shift_JIS
    let text = b"<p>\x82\xa0\x81\x69http://www.host.dom/ ihttp://www.host.dom/</p>";
    let found = lint(text);
    let found: Vec<_> = found.iter().map(|it| (it.code, it.span.start)).collect();
    assert_eq!(found, [("scheme.misspelt", 28)]);
}

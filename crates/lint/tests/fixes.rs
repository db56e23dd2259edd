//! What a safe fix may change: nothing that a URL means, nothing that a document says.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag as MarkdownTag};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use urlsift_archive::{Dialect, Reading};
use urlsift_core::{Profile, parse_reference};
use urlsift_lint::{Applicability, Config, Linter, apply};

/// The pieces that URLs are made of, in order; of each place one is drawn.
const PIECES: [&[&str]; 9] = [
    &[
        "http://",
        "HTTP://",
        "https://",
        "ftp://",
        "nntp://",
        "gopher://",
        "telnet://",
        "news:",
        "mailto:",
        "http://http://",
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
    ],
    &["", "", ":80", ":443", ":21", ":", ":0080", ":8080"],
    &[
        "",
        "/",
        "/a",
        "/%7Ejoe",
        "/a%2fb",
        "/%41%2e%2E",
        "/a b",
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

fn means(url: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let parsed = parse_reference(url, Profile::Web).ok()?;
    Some((parsed.normalized().into_owned(), parsed.fragment().unwrap_or_default().to_vec()))
}

fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 4000 };
    ProptestConfig { cases, ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_safe_fix_keeps_what_a_url_means(url in url()) {
        for strict in [false, true] {
            let linter = Linter::new(Config { strict, ..Config::default() });
            let diagnostics = linter.lint_url(url.as_bytes()).diagnostics;
            for diagnostic in &diagnostics {
                // That rule says that another URL is meant.
                if diagnostic.code == "scheme.doubled" {
                    continue;
                }
                let one = std::slice::from_ref(diagnostic);
                let Some(mended) = apply::once(url.as_bytes(), one, Applicability::Safe) else { continue };
                if let Some(before) = means(url.as_bytes()) {
                    let shown = String::from_utf8_lossy(&mended.text).into_owned();
                    prop_assert_eq!(Some(before), means(&mended.text), "{} {} {}", diagnostic.code, url, shown);
                }
            }
        }
    }
}

/// What a document says, apart from the words of its text: its structure, and where its links lead.
fn outline(text: &[u8], dialect: Dialect) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    match dialect {
        Dialect::Markdown => markdown(&text),
        _ => html(&text),
    }
}

fn target(url: &str) -> String {
    match means(url.as_bytes()) {
        Some((form, fragment)) => {
            format!("{} {}", String::from_utf8_lossy(&form), String::from_utf8_lossy(&fragment))
        }
        // What was no URL may have been mended.
        None => String::new(),
    }
}

fn markdown(text: &str) -> Vec<String> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let mut outline = Vec::new();
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(MarkdownTag::Link { dest_url, .. }) => {
                outline.push(format!("link {}", target(&dest_url)));
            }
            Event::Start(MarkdownTag::Image { dest_url, .. }) => {
                outline.push(format!("image {}", target(&dest_url)));
            }
            Event::Start(tag) => outline.push(format!("{:?}", tag.to_end())),
            Event::Text(_) => {}
            Event::Html(text) | Event::InlineHtml(text) => outline.extend(html(&text)),
            other => outline.push(format!("{other:?}")),
        }
    }
    outline
}

#[derive(Default)]
struct Tags(RefCell<Vec<String>>);

impl TokenSink for Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(Tag { kind, name, attrs, .. }) => {
                let mut line = format!("{}{name}", if kind == TagKind::EndTag { "/" } else { "" });
                for attribute in attrs {
                    let value = &attribute.value;
                    let shown = if value.contains(':') { target(value) } else { value.to_string() };
                    line.extend([" ", &*attribute.name.local, "=", &shown]);
                }
                self.0.borrow_mut().push(line);
            }
            Token::CommentToken(_) => self.0.borrow_mut().push("comment".to_owned()),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn html(text: &str) -> Vec<String> {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(text));
    let tokenizer = Tokenizer::new(Tags::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.into_inner()
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

/// The documents of this project, or those below the folder that `DOCUMENTS` names.
#[test]
fn safe_fixes_keep_what_documents_say() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = std::env::var_os("DOCUMENTS").map_or_else(
        || vec![own.join("corpus"), own.join("docs"), own.join("crates/lint")],
        |folder| vec![PathBuf::from(folder)],
    );
    let mut found = Vec::new();
    for folder in folders {
        files(&folder, &mut found);
    }
    let linter = Linter::new(Config { strict: true, ..Config::default() });
    let mut wrong = Vec::new();
    let mut fixes = 0;
    for path in found {
        let dialect = match path.extension().and_then(|extension| extension.to_str()) {
            Some("md" | "markdown") => Dialect::Markdown,
            Some("html" | "htm") => Dialect::Html,
            _ => continue,
        };
        let reading = if dialect == Dialect::Html { Reading::Html } else { Reading::Markdown };
        let text = std::fs::read(&path).unwrap();
        let lint = |text: &[u8]| linter.lint_file(text, None, reading).diagnostics;
        let mended = apply::to_fixpoint(&text, Applicability::Safe, lint);
        fixes += mended.fixes;
        let (before, after) = (outline(&text, dialect), outline(&mended.text, dialect));
        let differ = |(old, new): &(&String, &String)| {
            // Where there was no URL, one may have come.
            old != new && !(old.starts_with("link ") && old.len() == 5)
        };
        let first = before.iter().zip(&after).find(differ);
        if before.len() != after.len() || first.is_some() {
            wrong.push(format!("{}: {first:?}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "of {fixes} fixes:\n{}", wrong.join("\n"));
}

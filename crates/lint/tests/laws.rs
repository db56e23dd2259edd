//! Properties of random texts: nothing panics, positions are in the text, fixes reach a fixpoint
//! and change only their spans.

use proptest::prelude::*;
use urlsift_core::{Secrets, masked};
use urlsift_lint::snippet::Snippets;
use urlsift_lint::{Applicability, Config, Dialect, Lines, Linter, Markup, Settings, apply};
use urlsift_scanner::Input;

/// Pieces of texts with faulty URLs.
const PIECES: [&str; 59] = [
    "http:",
    "HTTP:",
    "//",
    "/",
    "\\\\",
    "\\",
    ";//",
    "http//",
    "htttp://",
    "ftp://",
    "mailto:",
    "news:",
    "<URL:",
    "<",
    ">",
    "URL:",
    "www.host.dom",
    "host",
    "h\u{e9}.dom",
    "joe:pw@",
    "@",
    ":80",
    ":",
    "/a-\n b",
    "%2",
    "%41",
    "%7e",
    "%2541",
    "#x",
    "?q=",
    "|",
    "{",
    " ",
    "\n",
    "\r\n",
    "> ",
    ".",
    "`",
    "[a](",
    ")",
    "\u{200b}",
    "\u{202e}",
    "\"",
    "&amp;",
    "http://www.mill.com/a",
    "www.mill.com",
    "[",
    "]",
    "](",
    "](http://",
    "(",
    ")[http://",
    ">`_",
    "`_",
    "\n.. _a:",
    "link:",
    "[[",
    "=\"http://",
    "\"\"\"",
];

fn texts() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        12 => prop::sample::select(&PIECES[..]).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..3),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn dialects() -> impl Strategy<Value = Dialect> {
    prop::sample::select(Dialect::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_can_be_linted(text in texts(), dialect in dialects()) {
        let linter = Linter::new(Config::default());
        let linted = linter.lint(&text, dialect);
        let lines = Lines::new(&text);
        let snippets = Snippets::new("f", &text, &lines, &linted.secrets, true);
        let mut out = String::new();
        for diagnostic in &linted.diagnostics {
            prop_assert!(diagnostic.span.start <= diagnostic.span.end);
            prop_assert!(diagnostic.span.end <= text.len());
            prop_assert!(diagnostic.help.is_some(), "{} has no help", diagnostic.code);
            snippets.write(&mut out, diagnostic);
        }
        let bare = out.replace("\u{1b}[", "").replace('\n', "");
        prop_assert!(!bare.contains(char::is_control), "{bare:?}");
        for secret in &linted.secrets {
            prop_assert!(secret.end <= text.len());
        }
        for level in [Applicability::Safe, Applicability::Unsafe] {
            let lint = |text: &[u8]| linter.lint(text, dialect).diagnostics;
            let once = apply::apply_until_stable(&text, level, lint);
            prop_assert!(once.settled, "{:?}", String::from_utf8_lossy(&text));
            let twice = apply::apply_until_stable(&once.text, level, lint);
            prop_assert_eq!(twice.fixes, 0);
        }
    }

    #[test]
    fn edits_change_only_their_spans(text in texts(), dialect in dialects()) {
        let linter = Linter::new(Config::default());
        for diagnostic in linter.lint(&text, dialect).diagnostics {
            let Some(fix) = &diagnostic.fix else { continue };
            let (first, last) = (&fix.edits[0], &fix.edits[fix.edits.len() - 1]);
            let applied = apply::apply_once(&text, std::slice::from_ref(&diagnostic), Applicability::Display);
            let Some(applied) = applied else { continue };
            let tail = &text[last.span.end..];
            prop_assert!(applied.text.starts_with(&text[..first.span.start]));
            prop_assert!(applied.text.ends_with(tail));
        }
    }

    #[test]
    fn masking_hides_every_password(url in texts()) {
        let shown = String::from_utf8_lossy(&masked(&url, Secrets::All)).into_owned();
        let stars = url.windows(3).filter(|three| three == b"***").count();
        prop_assert_eq!(shown.matches("***").count(), Secrets::All.in_url(&url).len() + stars);
        if let [b'h', b't', b't', b'p', b':', b'/', b'/', b'j', ..] = url.as_slice() {
            prop_assert!(!shown.starts_with("http://joe:pw@"), "{}", shown);
        }
    }
}

/// Checks that faults of URLs, links and comments on one long line arrive in order, in parts of
/// bounded size and number.
#[test]
fn diagnostics_arrive_in_parts() {
    let linter = Linter::new(Config::default());
    for piece in [
        "[y](www.host.com/a) ",
        "http:/www.host.dom/a ",
        "[y](www.host.com/a) http:/www.host.dom/a [z] (https://host.com/b) www,host.com ",
        "[y](www.host.com/a) http:/www.host.dom/a\n\n<!-- urlsift: ignore[port.char] -->\n\n",
    ] {
        let text = piece.repeat(8000);
        let (mut parts, mut faults, mut last) = (0, 0, 0);
        linter.lint_parts(
            Input::new(text.as_bytes()),
            Dialect::Text(Markup::Markdown),
            &mut |part| {
                parts += 1;
                faults += part.diagnostics.len();
                assert!(part.diagnostics.len() <= 4096, "{piece}: {}", part.diagnostics.len());
                for fault in &part.diagnostics {
                    assert!(last <= fault.span.start, "{piece}");
                    last = fault.span.start;
                }
            },
        );
        assert!(faults >= 8000, "{piece}: {faults}");
        assert!(parts <= faults / 64 + 2, "{piece}: {faults} in {parts}");
    }
}

#[test]
fn excluded_hosts_are_excluded_with_typing_mistakes() {
    let settings = Settings::parse("[exclude]\nhosts = ['bad.com']", "/".as_ref()).unwrap();
    let linter = Linter::new(settings.config);
    for slip in [
        "http:/www.bad.com/a",
        "https.//bad.com/a",
        "htp://bad.com/a",
        "http:www.bad.com:80/a",
        "https: //bad.com/a",
        "http://www..bad.com/a",
        "[x](www.bad.com/a)",
        "www,bad.com is good",
        "[x](http://bad.com/a /b)",
        "[x](http://bad.com/a for more",
        "[mill] (http://bad.com/a)",
        "[mill]\u{ff08}http://bad.com/a\u{ff09}",
        "(mill)[http://bad.com/a]",
        "`mill<http://bad.com/a>`_",
    ] {
        let other = slip.replace("bad.com", "host.com");
        let dialect = if slip.starts_with('`') {
            Dialect::Text(Markup::Rst)
        } else {
            Dialect::Text(Markup::Markdown)
        };
        let found = |text: &str| linter.lint(text.as_bytes(), dialect).diagnostics;
        assert_eq!(found(slip), [], "{slip}");
        assert!(!found(&other).is_empty(), "{other}");
    }
    let settings = Settings::parse("[exclude]\nurls = ['*/old/*']", "/".as_ref()).unwrap();
    let linter = Linter::new(settings.config);
    for (target, faults) in [("www.host.com/old/a", 0), ("www.host.com/a", 1)] {
        let text = format!("[x]({target})");
        assert_eq!(
            linter.lint(text.as_bytes(), Dialect::Text(Markup::Markdown)).diagnostics.len(),
            faults
        );
    }
}

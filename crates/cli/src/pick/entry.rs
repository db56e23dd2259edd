//! The entries of the list that `urlsift pick` shows: the URLs of a message.

use crate::print::sanitize::escape_unsafe;
use std::collections::HashMap;
use std::ops::ControlFlow;
use urlsift_core::{Profile, Secrets, Span, mask_spans, parse};
use urlsift_lint::{Config, Linter};
use urlsift_records::{Sink, UrlRecord};

/// The lint rules whose diagnostics are shown as warnings, with the short text that is shown.
const WARNINGS: [(&str, &str); 4] = [
    ("host.mixed-script", "look-alike host"),
    ("userinfo.host-like", "the host is after the @"),
    ("char.bidi", "turns its direction"),
    ("char.zero-width", "unseen characters"),
];

/// A URL that the user can choose in an entry of the list. It is the URL itself, another reading of
/// it, or the original URL of a rewritten link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The URL.
    pub(crate) url: Vec<u8>,
    /// A description, e.g. `as rewritten`, or an empty string for the URL as written.
    pub(crate) what: &'static str,
    /// The warnings about the URL, as shown.
    pub(crate) marks: Vec<&'static str>,
    /// The spans of `url` that contain secrets. They are shown as `***`.
    secrets: Vec<Span>,
}

impl Choice {
    /// Returns the URL as it is shown to the user: secrets are masked, and control characters are
    /// escaped.
    pub(crate) fn display_text(&self) -> String {
        to_safe_text(&mask_spans(&self.url, &self.secrets))
    }

    /// Returns the scheme of the URL in lower case, or an empty string if the URL has no colon.
    pub(crate) fn scheme(&self) -> String {
        let end = self.url.iter().position(|&byte| byte == b':').unwrap_or(0);
        String::from_utf8_lossy(&self.url[..end]).to_ascii_lowercase()
    }
}

/// An entry of the list that `urlsift pick` shows: a URL in the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The line of the URL, counted from 1.
    pub(crate) line: Option<u64>,
    /// The text around the URL, as shown: the text before it, the URL as written, and the text
    /// after it.
    pub(crate) quoted: [String; 3],
    /// True if the URL was broken over lines.
    pub(crate) joined: bool,
    /// The number of times that the URL occurs in the message.
    pub(crate) count: usize,
    /// The URLs to choose from, the most likely one first. The list is never empty.
    pub(crate) choices: Vec<Choice>,
}

/// The key that identifies equal entries: for each choice, the normalized URL and the warnings.
type Key = Vec<(Vec<u8>, Vec<&'static str>)>;

/// A [`Sink`] that collects the entries for `urlsift pick` while a message is scanned.
pub(crate) struct Entries {
    list: Vec<Entry>,
    /// The index in `list` of each key.
    places: HashMap<Key, usize>,
    linter: Linter,
    /// The secrets to hide.
    hides: Secrets,
    /// True if every occurrence of a URL gets an entry.
    all: bool,
}

impl Entries {
    /// Creates an empty collector. If `lists_repeats` is true, every occurrence of a URL gets its
    /// own entry; otherwise, equal URLs share one entry. Secrets of the kinds `masked_secrets` are
    /// masked when an entry is shown.
    pub(crate) fn new(lists_repeats: bool, masked_secrets: Secrets) -> Self {
        Self {
            list: Vec::new(),
            places: HashMap::new(),
            linter: Linter::new(Config::default()),
            hides: masked_secrets,
            all: lists_repeats,
        }
    }

    /// Returns the collected entries, in the order in which their URLs first occur in the message.
    pub(crate) fn into_list(self) -> Vec<Entry> {
        self.list
    }

    /// Creates a choice for `url`, and lints the URL to find the warnings to show. `description` is
    /// about the choice, e.g. `as rewritten`.
    fn build_choice(&self, url: &[u8], description: &'static str) -> Choice {
        let linted = self.linter.lint_url(url);
        let has_diagnostic =
            |code| linted.diagnostics.iter().any(|diagnostic| diagnostic.code == code);
        let mut marks: Vec<&'static str> = WARNINGS
            .iter()
            .filter(|(code, _)| has_diagnostic(*code))
            .map(|&(_, words)| words)
            .collect();
        if has_international_host(url) {
            marks.push("international host");
        }
        if !linted.secrets.is_empty() {
            marks.push("password");
        }
        Choice { url: url.to_vec(), what: description, marks, secrets: self.hides.in_url(url) }
    }
}

/// True if the host of `url` contains non-ASCII letters, either literally or in Punycode (`xn--`).
/// Such a host can look like another host.
fn has_international_host(url: &[u8]) -> bool {
    let Ok(url) = parse(url, Profile::Web) else { return false };
    let host = url.host().unwrap_or_default().to_ascii_lowercase();
    !host.is_ascii() || host.split(|&byte| byte == b'.').any(|label| label.starts_with(b"xn--"))
}

impl Sink for Entries {
    fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
        let mut choices = Vec::new();
        if let Some(target) = &record.target {
            choices.push(self.build_choice(target, "rewritten link, undone"));
            choices.push(self.build_choice(&record.url, "as rewritten"));
        } else {
            choices.push(self.build_choice(&record.url, ""));
        }
        for reading in record.other_readings.iter() {
            choices.push(self.build_choice(reading, "other reading of a hyphen"));
        }
        if !self.all {
            // `http://h.dom` and `http://H.dom/` are one entry.
            let normalized = record.normalized.as_deref().unwrap_or(&record.url);
            let form = |url: &[u8]| if *url == *record.url { normalized } else { url }.to_vec();
            let key = choices.iter().map(|choice| (form(&choice.url), choice.marks.clone()));
            let place = *self.places.entry(key.collect()).or_insert(self.list.len());
            if let Some(known) = self.list.get_mut(place) {
                known.count += 1;
                return ControlFlow::Continue(());
            }
        }
        let quoted = record.quoted.as_deref().map_or_else(Default::default, |quoted| {
            let whole = [&*quoted.before, &*quoted.written, &*quoted.after];
            whole.map(|piece| {
                let piece = mask_spans(piece, &self.hides.in_text(piece)).into_owned();
                // Line breaks inside the URL, and quote prefixes after them, are shown as spaces.
                let lines: Vec<String> =
                    piece.split(|&byte| byte == b'\n').map(to_safe_text).collect();
                lines.join(" ").replace("\\x09", " ").replace("\\x0d", "")
            })
        });
        let joined = !record.joins.is_empty();
        self.list.push(Entry { line: record.line, quoted, joined, count: 1, choices });
        ControlFlow::Continue(())
    }
}

/// Converts untrusted bytes to text that can be printed on a terminal: escapes control characters,
/// and replaces invalid UTF-8.
pub(super) fn to_safe_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&escape_unsafe(bytes, true)).into_owned()
}

/// Formats the entries as text, one line for each: the number, the line in the message, the URL and
/// its warnings, separated by tabs. This format is used if there is no terminal on which the user
/// can choose. `is_terminal` is true if the text is printed on a terminal.
pub(crate) fn format_numbered_list(entries: &[Entry], is_terminal: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for (number, entry) in (1..).zip(entries) {
        let Some(choice) = entry.choices.first() else { continue };
        let line = entry.line.map(|line| line.to_string()).unwrap_or_default();
        out.extend_from_slice(format!("{number}\t{line}\t").as_bytes());
        out.extend_from_slice(&escape_unsafe(
            &mask_spans(&choice.url, &choice.secrets),
            is_terminal,
        ));
        if !choice.marks.is_empty() {
            out.extend_from_slice(format!("\t[{}]", choice.marks.join(", ")).as_bytes());
        }
        out.push(b'\n');
    }
    out
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Entries, Entry, format_numbered_list};
    use urlsift_core::Secrets;
    use urlsift_records::{Input, Options, Scan, Unwrap};

    pub(in crate::pick) fn entries(text: &str) -> Vec<Entry> {
        let mut options = Options::default();
        options.unwrap = Unwrap::Add;
        options.quoted = true;
        let mut entries = Entries::new(false, Secrets::Passwords);
        Scan::new(options).read(Input::from_bytes("-", text.as_bytes()), &mut entries).unwrap();
        entries.into_list()
    }

    #[test]
    fn broken_rewritten_and_repeated() {
        let list = entries(
            "See <URL:http://www.host.dom/a\n  b.html> and http://h.dom/ or http://h.dom/ or\n\
             https://www.google.com/url?q=http%3A%2F%2Fother.dom%2F\n",
        );
        let urls: Vec<_> = list.iter().map(|entry| entry.choices[0].display_text()).collect();
        assert_eq!(urls, ["http://www.host.dom/ab.html", "http://h.dom/", "http://other.dom/"]);
        assert!(list[0].joined && list[0].line == Some(1));
        assert_eq!(list[1].count, 2);
        assert_eq!(list[2].choices[1].what, "as rewritten");
        assert_eq!(list[2].quoted[1], "https://www.google.com/url?q=http%3A%2F%2Fother.dom%2F");
    }

    #[test]
    fn one_url_written_in_several_ways() {
        let list = entries(
            "http://h.dom or http://H.dom/ or HTTP://h.dom:80/, but not http://h.dom/#a nor https://h.dom\n\
             nor http://joe:pw@h.dom/ nor http://joe:wp@h.dom/.",
        );
        let urls: Vec<_> = list.iter().map(|entry| (&*entry.choices[0].url, entry.count)).collect();
        let expected: [(&[u8], usize); 5] = [
            (b"http://h.dom", 3),
            (b"http://h.dom/#a", 1),
            (b"https://h.dom", 1),
            (b"http://joe:pw@h.dom/", 1),
            (b"http://joe:wp@h.dom/", 1),
        ];
        assert_eq!(urls, expected);
    }

    #[test]
    fn warnings_are_the_linters() {
        let list = entries(
            "http://www.p\u{430}ypal.dom/ http://joe:secret@h.dom/ https://www.bank.com@evil.dom/ \
             http://xn--pypal-4ve.dom/ http://plain.dom/",
        );
        let marks: Vec<_> = list.iter().map(|entry| entry.choices[0].marks.join(", ")).collect();
        assert_eq!(
            marks,
            [
                "look-alike host, international host",
                "password",
                "the host is after the @",
                "international host",
                ""
            ]
        );
        assert_eq!(list[1].choices[0].display_text(), "http://joe:***@h.dom/");
        assert!(
            list.iter().all(|entry| entry.quoted.iter().all(|piece| !piece.contains("secret")))
        );
    }

    #[test]
    fn the_list_without_a_terminal() {
        let list = entries("a\nhttp://h.dom/ then\nhttp://joe:pw@h.dom/\n");
        let expected = "1\t2\thttp://h.dom/\n2\t3\thttp://joe:***@h.dom/\t[password]\n";
        assert_eq!(String::from_utf8(format_numbered_list(&list, false)).unwrap(), expected);
    }
}

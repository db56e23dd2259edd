//! The cases and their data, which is compiled in.

use serde::Deserialize;
use std::borrow::Cow;
use std::ops::Range;

/// The files of the cases, one per level.
const FILES: [&str; 7] = [
    include_str!("../../cases/level-1-bare.json"),
    include_str!("../../cases/level-2-markup.json"),
    include_str!("../../cases/level-3-angle-brackets.json"),
    include_str!("../../cases/level-4-line-breaks.json"),
    include_str!("../../cases/level-5-schemes-and-scripts.json"),
    include_str!("../../cases/level-6-mail.json"),
    include_str!("../../cases/level-7-not-urls.json"),
];

/// A file of cases.
#[derive(Deserialize)]
struct File {
    level: u8,
    cases: Vec<Case>,
}

/// One case: an input, and the URLs that a reader finds in it.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// The name of the case, which never changes.
    pub id: String,
    /// The phenomenon that the case shows.
    pub title: String,
    /// The level, from 1 to 7.
    #[serde(skip)]
    pub level: u8,
    /// Keywords of the phenomenon.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The rule, and the standard or practice that it comes from.
    #[serde(default)]
    pub why: String,
    /// The input. For a few cases of mail, it isn't UTF-8.
    #[serde(skip)]
    pub input: Vec<u8>,
    /// The expected URLs.
    pub spans: Answer,
    /// Other right answers, where practice differs.
    #[serde(default)]
    pub alternatives: Vec<Alternative>,
    /// Parts of the input that may be reported or not, such as bare hosts.
    #[serde(default)]
    pub optional: Vec<Optional>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    bytes: Option<String>,
}

/// The URLs of an input, in text order.
pub type Answer = Vec<Expected>;

/// An answer that is also right.
#[derive(Clone, Debug, Deserialize)]
pub struct Alternative {
    /// The URLs.
    pub spans: Answer,
    /// Why this answer is right, too.
    pub reason: String,
}

/// An expected URL.
#[derive(Clone, Debug, Deserialize)]
pub struct Expected {
    start: Option<usize>,
    end: Option<usize>,
    /// The URL without line breaks, quote marks and encodings.
    pub url: String,
    /// The scheme in lower case.
    pub scheme: String,
}

impl Expected {
    /// Returns the byte range of the URL in the input. It is `None` if the URL has no range, as in
    /// a base64 part.
    pub fn range(&self) -> Option<Range<usize>> {
        Some(self.start?..self.end?)
    }
}

/// A part of an input that may be reported or not.
#[derive(Clone, Debug, Deserialize)]
pub struct Optional {
    /// The byte where it starts.
    pub start: usize,
    /// The byte after it.
    pub end: usize,
}

impl Case {
    /// Returns all cases, by level.
    pub(crate) fn all() -> Vec<Self> {
        FILES.iter().flat_map(|file| Self::parse(file)).collect()
    }

    /// Parses a file of cases.
    fn parse(file: &str) -> Vec<Self> {
        let File { level, mut cases } = serde_json::from_str(file).expect("the cases are valid");
        for case in &mut cases {
            case.level = level;
            case.decode();
        }
        cases
    }

    /// Sets `input` from `text` or `bytes`.
    pub(crate) fn decode(&mut self) {
        self.input = match (self.text.take(), self.bytes.take()) {
            (Some(text), _) => text.into_bytes(),
            (None, bytes) => {
                let bytes = bytes.unwrap_or_default();
                data_encoding::BASE64.decode(bytes.as_bytes()).expect("the cases are valid")
            }
        };
    }

    /// Returns the input as text. Bytes that aren't UTF-8 are replaced, so use
    /// [`input`](Self::input) for level 6.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.input)
    }

    /// True if the input is a whole mail message.
    pub fn is_message(&self) -> bool {
        self.level == 6
    }

    /// True if URLs of every registered scheme count. Otherwise, only schemes followed by `//`,
    /// `mailto:` and `news:` count.
    pub fn has_any_scheme(&self) -> bool {
        self.level == 5
    }

    /// Returns all right answers, the usual one first.
    pub fn answers(&self) -> impl Iterator<Item = &[Expected]> {
        let others = self.alternatives.iter().map(|alternative| &alternative.spans[..]);
        std::iter::once(&self.spans[..]).chain(others)
    }
}

//! Generates sentences, paragraphs and other text between URLs.

use super::address;
use crate::random::Random;

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "the", "of", "and", "to", "a", "in", "that", "it", "is", "for", "was", "on", "with", "as",
    "be", "this", "are", "by", "not", "but", "have", "from", "or", "which", "one", "you", "all",
    "they", "were", "had", "when", "can", "there", "more", "if", "no", "out", "so", "said",
    "what", "up", "its", "about", "into", "than", "them", "only", "other", "new", "some", "could",
    "time", "these", "two", "may", "then", "do", "first", "any", "my", "now", "such", "like",
    "our", "over", "me", "even", "most", "made", "after", "also", "did", "many", "before", "must",
    "through", "back", "years", "where", "much", "your", "way", "well", "down", "should",
    "because", "each", "just", "those", "people", "how", "too", "little", "state", "good", "very",
    "make", "world", "still", "own", "see", "work", "long", "get", "here", "between", "both",
    "life", "being", "under", "never", "day", "same", "another", "know", "while", "last", "might",
    "us", "great", "old", "year", "off", "come", "since", "against", "go", "came", "right",
    "used", "take", "three", "server", "client", "document", "archive", "message", "browser",
    "network", "protocol", "header", "address", "hypertext", "library", "version", "release",
    "problem", "question", "answer", "script", "function", "variable", "compiler", "kernel",
    "system", "process", "memory", "buffer", "pointer", "thread", "signal", "file", "directory",
    "permission", "password", "account", "mailing", "list", "newsgroup", "article", "posting",
    "reader", "gateway", "proxy", "cache", "index", "search", "result", "number", "table",
    "column", "figure", "matrix", "vector", "model", "estimate", "sample", "package", "install",
    "configure", "default", "option", "argument", "parameter", "return", "value", "error",
    "warning", "failure", "patch", "commit", "branch", "review", "comment", "section", "manual",
    "page", "example", "reference", "standard", "specification", "implementation", "behaviour",
    "interface", "character", "encoding", "language", "translation", "international",
    "university", "department", "institute", "conference", "workshop", "proposal", "committee",
    "government", "information", "technology", "development", "software", "hardware", "machine",
    "terminal", "keyboard", "screen", "printer", "modem", "telephone", "service", "price",
    "order", "customer", "company", "market", "report", "account", "history", "science", "nature",
    "energy", "measurement", "experiment", "observation", "theory", "practice", "purpose",
    "reason", "difference", "similarity", "apparently", "certainly", "unfortunately", "obviously",
    "probably", "sometimes", "usually", "recently", "already",
];

/// Abbreviations and phrases with a colon that does not start a URL. This is the most common reason
/// why the scanner examines a position without finding a URL.
const COLON_PHRASES: &[&str] = &[
    "note:",
    "PS:",
    "Q:",
    "A:",
    "for example:",
    "at 10:30",
    "from 9:15 to 17:45",
    "std::vector",
    "Re: your mail",
    "see below:",
    "C:\\WINDOWS",
    "page 12:",
    "namely:",
    "the following:",
    "ratio 3:1",
    "foo::bar()",
    "error:",
    "TODO:",
    "tel: 555-0199",
    "host:8080",
    "one: two",
    "key: value",
    "PATH=/bin:/usr/bin",
    "news: none",
    "mailto: me",
];

pub(super) fn push_word(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(random.pick(WORDS).as_bytes());
}

/// Appends a sentence without URLs and line breaks. It ends with punctuation.
pub(super) fn push_sentence(random: &mut Random, out: &mut Vec<u8>) {
    let start = out.len();
    for at in 0..random.number_between(5, 19) {
        if at > 0 {
            out.extend_from_slice(
                random.pick(&[" ", " ", " ", " ", " ", " ", " ", " ", ", ", " ("]).as_bytes(),
            );
        }
        let parenthesis = out.last() == Some(&b'(');
        if random.is_hit(5) {
            out.extend_from_slice(random.pick(COLON_PHRASES).as_bytes());
        } else {
            push_word(random, out);
        }
        if parenthesis {
            out.push(b')');
        }
    }
    if let Some(first) = out.get_mut(start) {
        first.make_ascii_uppercase();
    }
    out.extend_from_slice(
        random.pick(&[".", ".", ".", ".", ".", ".", ".", ".", ".", "!", "?", ":"]).as_bytes(),
    );
}

/// The frequency of URLs in a paragraph, and of some of their forms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Links {
    /// The number of sentences with a URL, per thousand sentences.
    pub per_mille: u32,
    /// The number of `news:` URLs, per thousand URLs.
    pub news: u32,
    /// The number of URLs that are wrapped in `<URL:...>`, per thousand URLs.
    pub wrapped: u32,
}

/// Appends a paragraph whose lines start with `mark` and are shorter than `width`. Lines can be
/// longer if they contain a URL, because URLs are not broken; only URLs in `<URL:...>` are broken
/// like other text.
pub(super) fn push_paragraph(
    random: &mut Random,
    mark: &str,
    width: usize,
    links: Links,
    out: &mut Vec<u8>,
) {
    let mut text = Vec::with_capacity(600);
    for _ in 0..random.number_between(2, 6) {
        if random.is_hit(links.per_mille) {
            push_sentence(random, &mut text);
            text.pop();
            text.push(b' ');
            push_link(random, links, &mut text);
            // In mail archives, two thirds of URLs are at the end of their line: alone on a line,
            // or at the end of a paragraph.
            if random.is_hit(700) {
                text.push(b'\n');
            } else {
                text.extend_from_slice(random.pick(&[".", ",", "", " which"]).as_bytes());
                text.push(b' ');
            }
        } else {
            push_sentence(random, &mut text);
            text.push(b' ');
        }
    }
    push_filled(&text, mark, width, out);
}

/// Breaks text at spaces so that lines are shorter than `width`, and puts `mark` before each line.
/// Existing line breaks are kept.
pub(super) fn push_filled(text: &[u8], mark: &str, width: usize, out: &mut Vec<u8>) {
    for given in text.split(|&b| b == b'\n') {
        let mut column = 0;
        for piece in given.split(|&b| b == b' ').filter(|piece| !piece.is_empty()) {
            if column == 0 {
                out.extend_from_slice(mark.as_bytes());
            } else if column + 1 + piece.len() > width {
                out.push(b'\n');
                out.extend_from_slice(mark.as_bytes());
                column = 0;
            } else {
                out.push(b' ');
                column += 1;
            }
            out.extend_from_slice(piece);
            column += piece.len();
        }
        if column > 0 {
            out.push(b'\n');
        }
    }
}

/// Appends a URL in one of its forms, as `links` specifies.
fn push_link(random: &mut Random, links: Links, out: &mut Vec<u8>) {
    if random.is_hit(links.wrapped) {
        out.extend_from_slice(random.pick(&["<URL:", "<URL: ", "<", "<", "<"]).as_bytes());
        address::push_url(random, out);
        out.push(b'>');
    } else if random.is_hit(links.news) {
        out.extend_from_slice(b"news:");
        if random.is_hit(600) {
            address::push_message_id(random, out);
        } else {
            address::push_newsgroup(random, out);
        }
    } else if random.is_hit(60) {
        out.extend_from_slice(b"mailto:");
        address::push_mailbox(random, out);
    } else if random.is_hit(80) {
        out.push(b'(');
        address::push_url(random, out);
        out.push(b')');
    } else {
        address::push_url(random, out);
    }
}

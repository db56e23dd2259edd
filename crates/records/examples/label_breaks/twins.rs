//! Labels from URLs that occur complete elsewhere in the list.

use crate::line_kind::kind_of;
use crate::row::{Label, Limits, host_of, key};
use crate::text::Text;
use crate::urls::{
    LineUrl, WholeUrls, after_margin, ends_sentence, is_open_end, line_urls, split_word,
    without_punctuation,
};
use serde_json::Value;

/// The maximum number of lines of a URL.
const MAX_PARTS: usize = 6;
/// The maximum number of rows for a URL with the same word after it.
const MAX_PER_PAIR: usize = 1;
/// The maximum number of rows for a URL.
const MAX_PER_URL: usize = 10;
/// The maximum number of rows in which URLs of one host end.
const MAX_PER_HOST: usize = 200;

/// Returns the labeled breaks of the list `name`.
pub(crate) fn rows(name: &str, texts: &[Text], whole: &WholeUrls) -> Vec<Value> {
    let mut limits = Limits::default();
    let mut rows = Vec::new();
    for Text { thread, bytes: text } in texts {
        for url in line_urls(text) {
            let Some((verdict, below)) = verdict(text, &url, whole) else { continue };
            let (kind, _) = kind_of(below);
            let head = &text[url.span.range()];
            let word = split_word(below).0;
            let mut keys =
                vec![(key(&[head, word]), MAX_PER_PAIR), (key(&[b"url", head]), MAX_PER_URL)];
            let (true_url, parts, label) = match &verdict {
                Verdict::Continues { url, parts } => (&url[..], *parts, "continues"),
                Verdict::Ends(label) => {
                    keys.push((key(&[label.as_bytes(), host_of(head)]), MAX_PER_HOST));
                    (head, 1, *label)
                }
            };
            if !limits.admit(&keys) {
                continue;
            }
            let source = format!("{name}/{label}/{kind}");
            let start = url.span.start;
            rows.push(Label { source, thread, text, start, true_url, parts }.row(rows.len()));
        }
    }
    rows
}

/// The label of a break.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// The URL continues: the whole URL, and the number of its lines.
    Continues { url: Vec<u8>, parts: usize },
    /// The URL ends. Either it is known as complete (`whole`), or the line below can't continue it
    /// (`marks`).
    Ends(&'static str),
}

/// Labels the break after `url`. Also returns the text of the line below. Returns `None` if the
/// URL isn't at the end of its line, or if it isn't clear whether it continues.
pub(crate) fn verdict<'t>(
    text: &'t [u8],
    url: &LineUrl,
    whole: &WholeUrls,
) -> Option<(Verdict, &'t [u8])> {
    let head = url.head(text).filter(|_| url.is_bare)?;
    let mut below = text.get(url.line_end + 1..)?.split(|b| *b == b'\n').map(after_margin);
    let next = below.clone().next().filter(|line| !line.is_empty())?;
    let known = whole.count(&text[url.span.range()]);
    let core = without_punctuation(split_word(next).0);
    let has_path = memchr::memchr_iter(b'/', head).count() > 2;
    if let Some((joined, parts)) = whole_url_over_lines(head, &mut below, whole) {
        let is_word = core.iter().all(u8::is_ascii_alphabetic);
        let is_clear = if is_word {
            known.total() == 0 && (has_path || head.ends_with(b"."))
        } else {
            let joined = whole.count(&joined);
            joined.complete > known.complete || joined.total() > known.total()
        };
        return is_clear.then_some((Verdict::Continues { url: joined, parts }, next));
    }
    let may_continue = [head, &text[url.span.range()]]
        .iter()
        .any(|head| !core.is_empty() && whole.any_starts_with(&[head, core].concat()));
    let is_unclear = may_continue
        || (core.is_empty() && kind_of(next).0 != "signature")
        || head.last().is_some_and(|last| is_open_end(*last))
        || url.is_in_open_bracket(text)
        || next.starts_with(b"/")
        || is_lone_path(next);
    if is_unclear {
        None
    } else if known.complete + known.before_blank > 0 {
        Some((Verdict::Ends("whole"), next))
    } else {
        kind_of(next).1.then_some((Verdict::Ends("marks"), next))
    }
}

/// Returns the complete URL that consists of `head` and the words that start the lines `below`, and
/// the number of its lines.
fn whole_url_over_lines<'t>(
    head: &[u8],
    below: &mut impl Iterator<Item = &'t [u8]>,
    whole: &WholeUrls,
) -> Option<(Vec<u8>, usize)> {
    let mut joined = head.to_vec();
    for (parts, line) in (2..=MAX_PARTS).zip(below) {
        let (mut core, rest) = split_word(line);
        let len = joined.len();
        joined.extend_from_slice(core);
        let token_end = joined.len();
        while !core.is_empty() {
            if whole.count(&joined[..len + core.len()]).total() > 0 {
                joined.truncate(len + core.len());
                return Some((joined, parts));
            }
            let [shorter @ .., last] = core else { break };
            if !ends_sentence(*last) {
                break;
            }
            core = shorter;
        }
        if token_end == len || !rest.is_empty() || !whole.any_starts_with(&joined) {
            return None;
        }
    }
    None
}

/// True if `line` is a single word that may be the rest of a URL: it contains a slash or escapes,
/// and isn't a URL itself.
fn is_lone_path(line: &[u8]) -> bool {
    let (word, rest) = split_word(line);
    rest.is_empty()
        && word.iter().any(|byte| matches!(byte, b'/' | b'%' | b'='))
        && kind_of(line).0 != "url"
        && !word.iter().all(u8::is_ascii_punctuation)
}

//! Attributions: the lines that mail programs add before a quotation.
//!
//! ```text
//! In article <1@host.dom>, Joe <joe@host.dom> wrote:
//! "Joe" <joe@host.dom> wrote in message
//! news:1@host.dom...
//! From: Joe [mailto:joe@host.dom]
//! Sent: Thursday, December 1, 1994 10:00 AM
//! ```
//!
//! The only URLs that mail programs write there are addresses and Message-IDs, which contain an `@`
//! and no `://`. Other URLs are not checked, so the check costs nothing for them.

use memchr::{memchr, memchr_iter, memmem, memrchr, memrchr_iter};
use urlsift_core::Span;

/// The maximum number of bytes that are searched before a URL, and also the maximum after it.
const MAX_LEN: usize = 600;

/// The maximum number of lines of an attribution before the line with the URL, and also the maximum
/// after it.
const MAX_LINES: usize = 2;

/// The maximum number of lines between a URL and another field of a quoted header.
const MAX_FIELDS: usize = 6;

/// The maximum number of words between the verb and the Message-ID, as in `wrote in message`.
const MAX_LINKING_WORDS: usize = 5;

/// Verbs of attributions, in lower case.
const VERBS: &[&str] = &[
    "wrote",
    "writes",
    "said",
    "says",
    "schrieb",
    "schreibt",
    "schreef",
    "schrijft",
    "écrit",
    "écrivit",
    "écrivait",
    "ecrit",
    "escribió",
    "escribio",
    "escribe",
    "escrito",
    "escreveu",
    "escreveram",
    "scritto",
    "scrisse",
    "scrive",
    "scriveva",
    "skrev",
    "skriver",
    "kirjoitti",
    "napisał",
    "napisała",
    "napisal",
    "pisze",
    "napsal",
    "írta",
    "écrivent",
    "написал",
    "пишет",
];

/// Names for messages, in lower case.
const MESSAGE_NOUNS: &[&str] = &[
    "message",
    "article",
    "news",
    "posting",
    "post",
    "newsbeitrag",
    "nachricht",
    "artikel",
    "bericht",
    "mensaje",
    "mensagem",
    "messaggio",
    "articolo",
    "articulo",
    "meddelandet",
    "meddelelsen",
    "meddelelse",
    "melding",
    "viestissä",
    "wiadomości",
];

/// Words between a verb and the name for a message, in lower case.
const LINKING_WORDS: &[&str] = &[
    "in", "im", "i", "en", "na", "no", "nel", "nella", "dans", "w", "the", "der", "die", "el",
    "la", "le", "l", "de", "du", "del",
];

/// Names of the header fields with the author in quoted headers, in lower case.
const FROM_NAMES: &[&str] =
    &["from", "von", "de", "da", "van", "från", "fra", "od", "lähettäjä", "от"];

/// Names of the header fields with the date in quoted headers, in lower case.
const DATE_NAMES: &[&str] = &[
    "sent",
    "date",
    "gesendet",
    "datum",
    "envoyé",
    "enviado",
    "enviada",
    "enviado el",
    "enviada em",
    "fecha",
    "data",
    "inviato",
    "verzonden",
    "skickat",
    "sendt",
    "dato",
    "wysłano",
    "odesláno",
    "lähetetty",
    "päivä",
    "дата",
];

/// Names of the header fields with recipients in quoted headers, in lower case.
const TO_NAMES: &[&str] = &[
    "to",
    "cc",
    "bcc",
    "reply-to",
    "on behalf of",
    "an",
    "kopie",
    "à",
    "a",
    "para",
    "aan",
    "till",
    "til",
    "kopia",
    "do",
    "dw",
    "komu",
    "copia",
    "kopi",
    "кому",
];

/// True if `found`, the span of a URL in `text`, is in a line that a mail program added before a
/// quotation. Such URLs are addresses and Message-IDs. So the result is false if the URL contains
/// no `@`, or if it contains `://`.
///
/// Takes constant time, because only the lines next to the URL are read.
///
/// ```
/// use urlsift_archive::is_in_attribution;
/// use urlsift_core::Span;
/// let text = b"Joe wrote in message\nnews:1@host.dom...\nHello\n";
/// assert!(is_in_attribution(text, Span::new(21, 36)));
/// assert!(!is_in_attribution(b"See news:1@host.dom.\n", Span::new(4, 19)));
/// ```
pub fn is_in_attribution(text: &[u8], found: Span) -> bool {
    text.get(found.range()).is_some_and(is_address_or_id)
        && (names_message_after_verb(text, found)
            || introduces_quotation(text, found)
            || is_in_quoted_header(text, found))
}

/// True if a URL may be a mail address or a Message-ID.
fn is_address_or_id(url: &[u8]) -> bool {
    memchr(b'@', url).is_some() && memmem::find(url, b"://").is_none()
}

/// True if the URL follows a verb and a name for a message, as in `Joe wrote in message news:…`.
fn names_message_after_verb(text: &[u8], found: Span) -> bool {
    let before = sentence_before(text, found.start).to_ascii_lowercase();
    let mut has_noun = false;
    for (count, word) in words(&before).rev().enumerate() {
        has_noun |= is_one_of(word, MESSAGE_NOUNS);
        if is_one_of(word, VERBS) {
            return has_noun;
        }
        if count == MAX_LINKING_WORDS
            || !(is_one_of(word, MESSAGE_NOUNS) || is_one_of(word, LINKING_WORDS))
        {
            return false;
        }
    }
    false
}

/// True if the paragraph up to a line that ends with a colon or an ellipsis says that somebody
/// wrote something, and a quotation follows.
fn introduces_quotation(text: &[u8], found: Span) -> bool {
    let Some(end) = introduction_end(text, found.end) else { return false };
    let before = sentence_before(text, found.start).to_ascii_lowercase();
    let after = text.get(found.end..end).unwrap_or_default().to_ascii_lowercase();
    let has_verb = |part: &[u8]| words(part).any(|word| is_one_of(word, VERBS));
    let has_verb_after = has_verb(&after);
    if !has_verb_after && !has_verb(&before) {
        return false;
    }
    // `In article <news:1@host.dom> joe wrote:`, or `On Dec 1, 1994, Joe <mailto:joe@h> wrote:`
    let is_certain = || {
        let mut first = words(&before);
        let opening = (first.next(), first.next());
        matches!(opening, (Some(b"in"), Some(noun)) if is_one_of(noun, MESSAGE_NOUNS))
            || has_year_or_time(&before) && words(&after).count() == 1
    };
    is_quotation(text.get(end..).unwrap_or_default()) || has_verb_after && is_certain()
}

/// True if the URL is in a line such as `From: Joe [mailto:joe@host.dom]`, next to a line with the
/// date, as Outlook writes them above a quoted message.
fn is_in_quoted_header(text: &[u8], found: Span) -> bool {
    let before = lines_before(text, found.start, MAX_FIELDS).to_ascii_lowercase();
    let line = before.rsplit(|&b| b == b'\n').take(2).find_map(field_name);
    if !line.is_some_and(|name| is_one_of(name, FROM_NAMES) || is_one_of(name, TO_NAMES)) {
        return false;
    }
    let after = text.get(found.end..).unwrap_or_default();
    let after = after.get(..MAX_LEN).unwrap_or(after).to_ascii_lowercase();
    let after = after.split(|&b| b == b'\n').skip(1).take_while(|line| !is_blank(line));
    let lines = before.split(|&b| b == b'\n').chain(after.take(MAX_FIELDS));
    let (mut has_author, mut has_date) = (false, false);
    for name in lines.filter_map(field_name) {
        has_author |= is_one_of(name, FROM_NAMES);
        has_date |= is_one_of(name, DATE_NAMES);
    }
    has_author && has_date
}

/// True if `line` is the header field with the author in a quoted header, such as `from: joe`. The
/// line must be in lower case.
pub(crate) fn is_author_field(line: &[u8]) -> bool {
    field_name(line).is_some_and(|name| is_one_of(name, FROM_NAMES))
}

/// Returns the text from the start of the line that contains byte `at` to `at`, and up to `max`
/// lines of the same paragraph before that line.
fn lines_before(text: &[u8], at: usize, max: usize) -> &[u8] {
    let text = text.get(..at).unwrap_or(text);
    let from = text.len().saturating_sub(MAX_LEN);
    let mut start = text.len();
    for count in 0..=max {
        let line =
            memrchr(b'\n', &text[from..start]).map_or(from, |line_break| from + line_break + 1);
        if count > 0 && is_blank(&text[line..start]) {
            break;
        }
        start = line.saturating_sub(1).max(from);
        if line == from {
            return &text[from..];
        }
    }
    let start = if text.get(start) == Some(&b'\n') { start + 1 } else { start };
    &text[start..]
}

/// Returns the text of the sentence before byte `at`, which starts at most [`MAX_LINES`] lines
/// before it.
fn sentence_before(text: &[u8], at: usize) -> &[u8] {
    let before = lines_before(text, at, MAX_LINES);
    let is_start = |&at: &usize| ends_sentence(&before[..at]);
    let start = memrchr_iter(b'\n', before).find(is_start);
    before.get(start.map_or(0, |line_break| line_break + 1)..).unwrap_or_default()
}

/// True if a line ends a sentence.
fn ends_sentence(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    matches!(line.last(), Some(b'.' | b'!' | b'?')) && !line.ends_with(b"..")
}

/// Returns the offset after the first line that ends with a colon or an ellipsis, from the line
/// that contains byte `from` on. Returns `None` if the sentence ends before it.
fn introduction_end(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let rest = rest.get(..MAX_LEN).unwrap_or(rest);
    let mut start = 0;
    for (count, end) in memchr_iter(b'\n', rest).take(MAX_LINES + 1).enumerate() {
        let line = rest[start..end].trim_ascii_end();
        if count > 0 && (is_blank(line) || is_quotation(line)) {
            return None;
        }
        if [&b":"[..], b"...", "…".as_bytes()].iter().any(|mark| line.ends_with(mark)) {
            return Some(from + end + 1);
        }
        if ends_sentence(line) {
            return None;
        }
        start = end + 1;
    }
    None
}

/// True if `text` starts with a quoted line, with at most one empty line before it.
fn is_quotation(text: &[u8]) -> bool {
    let text = text.get(..MAX_LEN).unwrap_or(text);
    let text = text.strip_prefix(b"\r").unwrap_or(text);
    let line = text.strip_prefix(b"\n").unwrap_or(text).trim_ascii_start();
    let initials = line.iter().take_while(|b| b.is_ascii_alphabetic()).take(4).count();
    matches!(line.first(), Some(b'>' | b'|' | b':' | b'}')) || line.get(initials) == Some(&b'>')
}

/// True if a line contains nothing but white space and quote marks.
fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'|'))
}

/// Returns the words of a text without the punctuation around them.
fn words(text: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    let is_mark = |b: &u8| b.is_ascii_punctuation();
    text.split(u8::is_ascii_whitespace).filter_map(move |word| {
        let start = word.iter().position(|b| !is_mark(b))?;
        let end = word.iter().rposition(|b| !is_mark(b))?;
        word.get(start..=end)
    })
}

/// Returns the name of the header field that starts at the start of `line`, without quote marks and
/// emphasis before it. Returns `None` if there is no colon, or more than three words before it.
fn field_name(line: &[u8]) -> Option<&[u8]> {
    let name = line.get(..memchr(b':', line)?)?;
    let is_around =
        |b: &u8| b.is_ascii_whitespace() || matches!(b, b'>' | b'|' | b'"' | b'*' | b'_');
    let start = name.iter().position(|b| !is_around(b))?;
    let end = name.iter().rposition(|b| !is_around(b))?;
    // French sets a no-break space before the colon.
    let name = name.get(start..=end)?;
    Some(name.strip_suffix(b"\xC2\xA0").or_else(|| name.strip_suffix(b"\xA0")).unwrap_or(name))
}

/// True if a text contains a year or a time of day, such as `1994` or `10:00`.
fn has_year_or_time(text: &[u8]) -> bool {
    text.split(|b| !b.is_ascii_digit()).any(|digits| {
        digits.len() == 4 && matches!(digits, [b'1', b'9', ..] | [b'2', b'0', ..])
    }) || text.windows(4).any(|part| {
        matches!(part, [hour, b':', ten, one] if [hour, ten, one].iter().all(|b| b.is_ascii_digit()))
    })
}

/// True if `word` is one of `list`, in UTF-8 or in ISO-8859-1.
fn is_one_of(word: &[u8], list: &[&str]) -> bool {
    list.iter().any(|one| {
        one.as_bytes() == word
            || word.len() < one.len()
                && one.chars().map(u32::from).eq(word.iter().map(|&byte| u32::from(byte)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the result for the URL between `{` and `}`.
    fn is_attribution(text: &str) -> bool {
        let (before, rest) = text.split_once('{').unwrap();
        let (url, after) = rest.split_once('}').unwrap();
        let text = format!("{before}{url}{after}");
        is_in_attribution(text.as_bytes(), Span::new(before.len(), before.len() + url.len()))
    }

    #[test]
    fn attributions_are_recognized() {
        for text in [
            "\"Joe\" <j@h.dom> wrote in message\n{news:1@h.dom}...\n> Hello\n",
            "Joe <j@h.dom> wrote in message {news:1@h.dom}...\nHello\n",
            "joe@h.dom (Joe) wrote in message news:<{news:1@h.dom}>...\n> Hello\n",
            "Joe <j@h.dom> wrote in\nmessage {news:1@h.dom}...\n",
            "\"Joe\" <j@h.dom> wrote #\nin message {news:1@h.dom}...\n| Hello\n",
            "Joe schreef in bericht\n{news:1@h.dom}...\n> Hello\n",
            "Joe schrieb im Newsbeitrag\n{news:1@h.dom}...\n",
            "Joe escreveu na mensagem\n{news:1@h.dom}...\n",
            "Joe a écrit dans le message de news:{news:1@h.dom}...\n",
            "Joe skrev i meddelandet {news:1@h.dom}...\n",
            "Joe napisał w wiadomości {news:1@h.dom}...\n",
            "> > Joe wrote in message\n{news:1@h.dom}...\n> > Hello\n",
            "In article <{news:1@h.dom}>, Joe says...\nHello\n",
            "In article <{news:1@h.dom}>,\n\tjoe@h.dom (Joe) writes:\n> Hello\n",
            "In message <{mid:1@h.dom}> Joe <j@h.dom>\nwrote:\n\n> Hello\n",
            "On Thu, 1 Dec 1994, Joe <{mailto:joe@h.dom}> wrote:\n> Hello\n",
            "On 1 Dec 1994, at 10:00, Joe <j@h.dom<{mailto:j@h.dom}>> wrote:\n\nHello\n",
            "Am 01.12.1994 schrieb Joe <{mailto:j@h.dom}>:\n\n> Hello\n",
            "Le 01/12/1994, Joe <{mailto:j@h.dom}> a écrit :\n> Hello\n",
            ">>>>> \"J\" == Joe <{mailto:j@h.dom}> writes:\nJ> Hello\n",
            "-----Original Message-----\nFrom: Joe [{mailto:j@h.dom}]On Behalf Of\nJoe\nSent: today\n",
            "-----Original Message-----\nFrom: j@h.dom\n[{mailto:j@h.dom}]\nSent: today\n",
            "*Von:* Joe [{mailto:j@h.dom}]\n*Gesendet:* heute\n",
            "De\u{A0}: Joe <{mailto:j@h.dom}>\nEnvoyé\u{A0}: jeudi\n",
            "From: Joe\nDate: today\nTo: Ann <{mailto:a@h.dom}>\nSubject: x\n",
        ] {
            assert!(is_attribution(text), "{text}");
        }
    }

    #[test]
    fn other_lines_are_no_attributions() {
        for text in [
            "Joe wrote {http://h.dom/}:\n> Hello\n",
            "In {https://lists.dom/1@h.dom/}\nJoe said:\n> Hello\n",
            "See {news:1@h.dom}.\n> Hello\n",
            "Joe wrote to {mailto:j@h.dom}.\n> Hello\n",
            "He wrote a book.\n\nAsk {mailto:j@h.dom}:\n\n> Hello\n",
            "Please write to {mailto:j@h.dom}:\n> Hello\n",
            "Joe wrote this in {mailto:j@h.dom}\nand then\n",
            "In article <{news:1@h.dom}> you find more.\n",
            "From: Joe [{mailto:j@h.dom}]\nHello\n",
            "Sender: <{mailto:j@h.dom}>\nList-Help: x\nDate: today\n",
            "To subscribe, write to {mailto:j@h.dom}\nDate: today\n",
            "Ask {mailto:j@h.dom}.\nJoe wrote:\n> Hello\n",
            "{mailto:j@h.dom}",
        ] {
            assert!(!is_attribution(text), "{text}");
        }
    }

    #[test]
    fn latin_1_is_recognized() {
        let text = b"Joe a \xE9crit dans le message de news:1@h.dom...\n";
        let start = text.windows(5).position(|word| word == b"news:").unwrap();
        assert!(is_in_attribution(text, Span::new(start, start + 12)));
    }
}

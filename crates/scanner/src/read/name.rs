//! Email addresses and hosts in running text without a scheme: `joe@host.dom`, `www.host.dom/path`.
//!
//! Such names aren't URLs and have no anchors. The scanner searches for them between URLs. So they
//! never affect the URLs found, and no part of a URL is reported again as a name.

use crate::candidate::{Candidate, Form};
use crate::extent::ExtentRules;
use crate::read::near_miss::NonUrlStart;
use crate::rejoin::Cache;
use crate::text::{host, iri};
use memchr::{memchr, memchr2, memrchr};
use std::ops::Range;
use urlsift_core::Span;

/// The maximum length of a mailbox name, in bytes. RFC 5321 allows 64, but mailing lists create
/// longer ones.
const MAX_LOCAL: usize = 256;
/// The maximum length of a host name, in bytes (RFC 1123 §2.1).
const MAX_HOST: usize = 255;

/// The kinds of names to search for: email addresses, hosts, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameKinds {
    /// True if email addresses are searched for.
    pub(crate) emails: bool,
    /// True if hosts are searched for.
    pub(crate) hosts: bool,
}

impl NameKinds {
    /// True if at least one kind of name is to be searched for.
    pub(crate) fn is_any(self) -> bool {
        self.emails || self.hosts
    }
}

/// The maximum distance from the last blank to the start of a name, in bytes. In an endless word,
/// the whole word before an offset would decide which parts belong to a URL.
const MAX_WORD: usize = 4096;

/// The progress of a search for names (email addresses, and hosts without a scheme).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchProgress {
    /// The offset of the first byte that was not searched.
    pub(crate) from: usize,
    /// The end of the last match. No name starts before this offset.
    pub(crate) free_from: usize,
    /// The offset after the last blank before `blanks_until`.
    word: usize,
    /// The offset up to which blanks were searched for.
    blanks_until: usize,
}

impl SearchProgress {
    /// Returns the progress of a search that covered the text up to byte `at`.
    pub(crate) const fn up_to(at: usize) -> Self {
        Self { from: at, free_from: at, word: at, blanks_until: at }
    }

    /// Returns the progress after a match that ends at byte `end`. The search continues at `end`,
    /// or at the end of the searched text if that is later.
    pub(crate) fn after_match(self, end: usize) -> Self {
        let end = end.max(self.from);
        Self { from: end, free_from: end, ..self }
    }

    /// Adapts the progress after the first `by` bytes of the text were removed.
    pub(crate) fn without_first(self, by: usize) -> Self {
        let [from, free_from, word, blanks_until] =
            [self.from, self.free_from, self.word, self.blanks_until]
                .map(|at| at.saturating_sub(by));
        Self { from, free_from, word, blanks_until }
    }

    /// True if byte `at` is in a word that starts more than [`MAX_WORD`] bytes before it. Such
    /// words are not searched. Each byte of the text is visited only once.
    fn is_in_long_word(&mut self, text: &[u8], at: usize) -> bool {
        if self.blanks_until < at {
            let last_blank = text[self.blanks_until..at].iter().rposition(|&b| b <= b' ');
            self.word = last_blank.map_or(self.word, |blank| self.blanks_until + blank + 1);
            self.blanks_until = at;
        }
        at.saturating_sub(self.word) > MAX_WORD
    }
}

/// Returns the next name (an email address or host) whose `@` or dot is before byte `end` of the
/// text. Returns `None` if there are no more. `url` is the start of the next URL, including its
/// wrapper. Takes linear time in the text searched.
pub(crate) fn next_name<'t>(
    text: &'t [u8],
    searched: &mut SearchProgress,
    end: usize,
    url: usize,
    kinds: NameKinds,
    rules: ExtentRules<'_>,
    cache: &mut Cache,
) -> Option<Candidate<'t>> {
    let end = end.min(text.len());
    while searched.from < end {
        let rest = &text[searched.from..end];
        let mark = match (kinds.emails, kinds.hosts) {
            (true, true) => memchr2(b'@', b'.', rest),
            (true, false) => memchr(b'@', rest),
            _ => memchr(b'.', rest),
        };
        let Some(mark) = mark else { break };
        let mark = searched.from + mark;
        let free = searched.free_from..url;
        let is_mailbox = text[mark] == b'@';
        let found = if is_mailbox {
            searched.from = mark + 1;
            mailbox_around(text, mark, &free)
        } else {
            let word = word_around(text, mark);
            searched.from = word.end.max(mark + 1);
            host_from_word(text, word, &free)
        };
        if let Some(span) = found.filter(|span| !searched.is_in_long_word(text, span.start)) {
            let candidate = if is_mailbox {
                Candidate::new(text, span, span, Form::Email)
            } else {
                host_with_path(text, span, url, rules, cache)
            };
            *searched = searched.after_match(candidate.span.end);
            return Some(candidate);
        }
    }
    searched.from = searched.from.max(end);
    None
}

/// Returns the span of the email address around the `@` at byte `at`. Returns `None` if there is
/// none, or if it isn't within `free`.
fn mailbox_around(text: &[u8], at: usize, free: &Range<usize>) -> Option<Span> {
    let host = host::dotted_host_len(&text[at + 1..]);
    let end = at + 1 + host;
    // `a@b.dom@c.dom` isn't an address, and neither is `a@b.dom_c`.
    if host == 0
        || end > free.end
        || matches!(text.get(end), Some(b'@' | b'_'))
        || iri::starts_with_word(&text[end..])
    {
        return None;
    }
    let before = &text[at.saturating_sub(MAX_LOCAL + 1)..at];
    let run = before.iter().rev().take_while(|b| is_local_part_byte(**b)).count();
    let before = &text[..at - run];
    if run > MAX_LOCAL || before.ends_with(b"@") || iri::ends_with_word(before) {
        return None;
    }
    let mut start = at - run;
    // `address=joe@host.dom` starts after the `=`, but `list-owner+joe=h.dom@host.dom` is one
    // address.
    let local = &text[start..at];
    if let Some(equals) = memrchr(b'=', local)
        && memchr(b'+', &local[..equals]).is_none()
        && !local.starts_with(b"prvs=")
    {
        start += equals + 1;
    }
    start += text[start..at].iter().take_while(|b| !can_start_local_part(**b)).count();
    let local = &text[start..at];
    let is_whole = !local.is_empty() && !local.ends_with(b".") && !has_empty_label(local);
    (is_whole && start >= free.start).then(|| Span::new(start, end))
}

/// True if the part of an address before the `@` may contain the byte without quotes (RFC 5322
/// §3.2.3). Characters that running text puts around an address are excluded.
fn is_local_part_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._%+-=!~&'#".contains(&byte)
}

/// True if the part of an address before the `@` may start with the byte. Other bytes before it are
/// punctuation of the text.
fn can_start_local_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// True if `name` contains two dots in a row.
fn has_empty_label(name: &[u8]) -> bool {
    name.windows(2).any(|pair| pair == b"..")
}

/// Returns the range of the word that contains byte `at`: a run of letters, digits, dots and
/// dashes.
fn word_around(text: &[u8], at: usize) -> Range<usize> {
    let is_of_word = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
    let first = at.saturating_sub(MAX_HOST + 1);
    let start = at - text[first..at].iter().rev().take_while(is_of_word).count();
    start..at + text[at..].iter().take_while(is_of_word).count()
}

/// Returns the span of the word at `word` if that word is a host. Returns `None` if it isn't within
/// `free`, or if the text around it shows that it is part of something else.
fn host_from_word(text: &[u8], word: Range<usize>, free: &Range<usize>) -> Option<Span> {
    if word.start < free.start || word.len() > MAX_HOST || text[word.start] == b'.' {
        return None;
    }
    let dashes = text[word.clone()].iter().take_while(|b| matches!(b, b'-' | b'_')).count();
    let start = word.start + dashes;
    let end = start + host::dotted_host_len(&text[start..word.end]);
    let tail = &text[end..word.end];
    let is_whole = end > start && tail.iter().all(|b| matches!(b, b'.' | b'-' | b'_'));
    let before = word.start.checked_sub(1).map(|before| text[before]);
    let is_part = before.is_some_and(|b| b"@/\\%&#$~?!".contains(&b))
        || iri::ends_with_word(&text[..word.start])
        || iri::starts_with_word(&text[word.end..])
        || continues_other_name(&text[word.end..])
        || is_glued_to_address(&text[..word.start])
        || host::is_newsgroup(&text[start..end]);
    let label = &text[start..end];
    let label = &label[memrchr(b'.', label)? + 1..];
    // `end.The`: a missing space after a sentence.
    let is_one_case =
        label.iter().all(u8::is_ascii_lowercase) || label.iter().all(u8::is_ascii_uppercase);
    (is_whole && end <= free.end && !is_part && is_one_case).then(|| Span::new(start, end))
}

/// True if `following`, the text after a word, shows that the word is part of another name and not
/// a host.
fn continues_other_name(following: &[u8]) -> bool {
    let local = following.iter().take(MAX_LOCAL).take_while(|b| is_local_part_byte(**b)).count();
    match following {
        // `joe.bloggs+news@host.dom`
        _ if following.get(local) == Some(&b'@') => true,
        [b'@' | b'\\' | b'(' | b'=' | b'$' | b'%', ..] | [b':', b':' | b'/', ..] => true,
        [b'!', next, ..] => next.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// True if a name is only the end of an address, because an `@` comes before it in the same word:
/// `joe@[remove]host.dom`, `joe@ex··e.dom`. `before` is the text before the name.
fn is_glued_to_address(before: &[u8]) -> bool {
    let word = before.iter().rev().take(MAX_HOST);
    let mut word = word.take_while(|b| !b.is_ascii_whitespace() && !b",;|<>\"=:".contains(b));
    word.any(|&b| b == b'@')
}

/// Creates the candidate for the host at `span`, together with its path if it has one. `url` is the
/// start of the next URL.
fn host_with_path<'t>(
    text: &'t [u8],
    span: Span,
    url: usize,
    rules: ExtentRules<'_>,
    cache: &mut Cache,
) -> Candidate<'t> {
    let host = Candidate::new(text, span, span, Form::Host);
    if !matches!(text.get(span.end), Some(b'/' | b':' | b'?' | b'#')) {
        return host;
    }
    let (candidate, _) = NonUrlStart::of_host(span).read_rest(text, rules, cache);
    if candidate.span.end <= url { candidate } else { host }
}

#[cfg(test)]
mod tests {
    use crate::{Form, Scanner};

    fn found(text: &str) -> Vec<(Form, &str)> {
        let scanner = Scanner::builder().emails(true).hosts(true).build();
        let found = scanner.find_iter(text.as_bytes());
        found.map(|found| (found.form(), &text[found.span().range()])).collect()
    }

    #[test]
    fn addresses_are_found() {
        for (text, expected) in [
            ("Joe <joe@host.dom>,", Some("joe@host.dom")),
            ("write to joe.bloggs+news@mail.host.dom.", Some("joe.bloggs+news@mail.host.dom")),
            ("'joe@host.dom'", Some("joe@host.dom")),
            ("o'brien@host.dom", Some("o'brien@host.dom")),
            ("to=joe@host.dom", Some("joe@host.dom")),
            ("list-owner+joe=h.dom@host.dom", Some("list-owner+joe=h.dom@host.dom")),
            ("joe%vms@gateway.host.dom", Some("joe%vms@gateway.host.dom")),
            ("ann@host.dom:/path", Some("ann@host.dom")),
            ("電話joe@host.dom", Some("joe@host.dom")),
            ("andré@host.dom", None),
            ("joe@localhost", None),
            ("@host.dom", None),
            ("a..b@host.dom", None),
            ("joe@host.dom@other.dom", None),
            ("5 @ 3.50", None),
        ] {
            let all = found(text);
            let expected: Vec<_> = expected.into_iter().map(|url| (Form::Email, url)).collect();
            assert_eq!(all, expected, "{text}");
        }
    }

    #[test]
    fn hosts_are_found() {
        for (text, expected) in [
            ("see www.host.dom, or", Some("www.host.dom")),
            ("(host.dom/a/b.html).", Some("host.dom/a/b.html")),
            ("host.dom:8080/x", Some("host.dom:8080/x")),
            ("HOST.DOM", Some("HOST.DOM")),
            ("host.dom+more", Some("host.dom")),
            ("-- host.dom --", Some("host.dom")),
            ("_host.dom_", Some("host.dom")),
            ("The end.The next", None),
            ("f(a.name()) x.name = 5", Some("x.name")),
            ("x.name=5", None),
            ("/usr/lib/a.name", None),
            ("x::a.name", Some("a.name")),
            ("a.name::x", None),
            ("uunet.uu.net!joe", None),
            ("*.host.dom and ...host.dom", None),
            ("a_b.host.dom", None),
            ("1.2.3.4 v1.2", None),
            ("$x.name", None),
            ("joe@ex··e.dom", None),
            ("joe@[remove]host.dom", None),
            ("**Joe**@**host.dom**", None),
            ("joe@(no-spam)host.dom", None),
            ("joe@REMOVE*this*host.dom", None),
            ("<5mf$u.··.@ns2··a.dom>", None),
            ("joe@here,host.dom", Some("host.dom")),
            ("joe at host.dom", Some("host.dom")),
            ("(net.cafe@) host.dom", Some("host.dom")),
            ("rec.autos", None),
            ("alt.sex:292849", None),
            ("comp.lang.java,", None),
            ("rec.arts.tv", None),
            ("Sci.space", None),
            ("de.comp.security", None),
            ("news.software.host.com", Some("news.software.host.com")),
            ("comp.host.edu.sg", Some("comp.host.edu.sg")),
            ("alt.host.de", Some("alt.host.de")),
            ("de.host.org", Some("de.host.org")),
            ("talk.org", Some("talk.org")),
        ] {
            let all = found(text);
            let expected: Vec<_> = expected.into_iter().map(|url| (Form::Host, url)).collect();
            assert_eq!(all, expected, "{text}");
        }
    }

    #[test]
    fn part_of_url_is_not_a_name() {
        let text = "a.dom http://b.dom/c.dom?d@e.dom <URL:ftp://f.dom/> mailto:g@h.dom i@j.dom host.dom/x=http://k.dom/";
        let expected = [
            (Form::Host, "a.dom"),
            (Form::Bare, "http://b.dom/c.dom?d@e.dom"),
            (Form::Wrapped, "ftp://f.dom/"),
            (Form::Bare, "mailto:g@h.dom"),
            (Form::Email, "i@j.dom"),
            (Form::Host, "host.dom"),
            (Form::Bare, "http://k.dom/"),
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn long_word_is_not_a_name() {
        assert_eq!(found(&format!("{}.dom", "a.".repeat(5000))), []);
        assert_eq!(found(&format!("{}@host.dom", "a".repeat(5000))), []);
    }
}

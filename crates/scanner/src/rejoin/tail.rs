//! What the next line starts with: more of a URL, a word of prose, or a thing of its own.

use crate::extent::{self, opener, trim};
use crate::limits::{MAX_LINE, MAX_URL};
use crate::scheme::{Classic, Shape, classic_shape, is_prefix_word, is_scheme_byte};
use crate::text::blank::{blank_len, blanks_len, trim_end};
use crate::text::line::find;
use std::sync::LazyLock;

/// A token that starts a line, judged as a URL's continuation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail<'t> {
    /// The bytes up to the next blank.
    pub(super) token: &'t [u8],
    /// Of these, what can be in a URL, without closing punctuation.
    pub(super) core: &'t [u8],
    /// Whether the token is all of its line.
    pub(super) lone: bool,
    /// What follows it on its line, blanks left out.
    pub(super) rest: &'t [u8],
    /// Whether what opened before the URL closes right after the core.
    pub(super) closes: bool,
    /// The kinds of bytes that stand in the core, and in the token.
    kinds: u16,
    token_kinds: u16,
}

/// The kinds of bytes that tell tokens apart. Most questions about a token are settled by what does
/// not stand in it.
mod kind {
    use crate::table::table;

    pub(super) const LETTER: u16 = 1;
    pub(super) const DIGIT: u16 = 1 << 1;
    pub(super) const SLASH: u16 = 1 << 2;
    pub(super) const DOT: u16 = 1 << 3;
    pub(super) const COLON: u16 = 1 << 4;
    pub(super) const AT: u16 = 1 << 5;
    /// `- ' ,`: what words hold beside letters.
    pub(super) const JOINT: u16 = 1 << 6;
    /// `= & # % ?`: what structures a URL.
    pub(super) const MARK: u16 = 1 << 7;
    /// `[ * '`: what names no resource.
    pub(super) const QUOTE: u16 = 1 << 8;
    pub(super) const OPENING: u16 = 1 << 9;
    /// Other scripts, and what no URL holds.
    pub(super) const STRANGE: u16 = 1 << 10;
    pub(super) const OTHER: u16 = 1 << 11;
    /// What may close a bracket or a quotation.
    pub(super) const CLOSING: u16 = 1 << 12;
    /// What is in no URL of running text.
    pub(super) const FOREIGN: u16 = 1 << 13;

    /// What words are made of.
    pub(super) const OF_WORDS: u16 = LETTER | JOINT | SLASH | DOT | QUOTE | CLOSING;

    static KINDS: [u16; 256] = table!(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' => LETTER,
        b'0'..=b'9' => DIGIT,
        b'/' => SLASH,
        b'.' => DOT,
        b':' => COLON,
        b'@' => AT,
        b'-' | b',' => JOINT,
        b'\'' => JOINT | QUOTE | CLOSING,
        b'=' | b'&' | b'#' | b'%' | b'?' => MARK,
        b'[' | b'*' => QUOTE | OTHER,
        b'(' => OPENING | OTHER,
        b')' | b']' => CLOSING | OTHER,
        b'}' | b'>' | b'"' | b'`' => CLOSING | OTHER | FOREIGN,
        b'\\' | b'^' | b'{' | 0x80.. => STRANGE | FOREIGN,
        0..=b' ' | b'<' | b'|' | 0x7F => OTHER | FOREIGN,
        _ => OTHER,
    });

    pub(super) fn of(byte: u8) -> u16 {
        KINDS[usize::from(byte)]
    }
}

/// Whether a byte stands in the URLs of running text.
fn is_url_byte(byte: u8) -> bool {
    kind::of(byte) & kind::FOREIGN == 0
}

/// Whether a byte can end a sentence, or close something, and so ends no URL by itself.
pub(super) const fn is_closing(byte: u8) -> bool {
    trim::ends_sentence(byte) || matches!(byte, b'"' | b')' | b']' | b'*')
}

impl<'t> Tail<'t> {
    /// The token that starts a line's own text.
    pub(super) fn new(text: &'t [u8], opener: Option<u8>) -> Self {
        let text = trim_end(text);
        let reach = &text[..text.len().min(MAX_LINE)];
        let (mut len, mut run, mut token_kinds) = (0, None, 0);
        for &byte in reach {
            let kind = kind::of(byte);
            if kind & kind::FOREIGN != 0 {
                if blank_len(&text[len..]) > 0 {
                    break;
                }
                run = run.or(Some(len));
            }
            token_kinds |= kind;
            len += 1;
        }
        let token = &text[..len];
        let mut core = &token[..run.unwrap_or(len)];
        let mut closes = false;
        if let Some(opener) = opener
            && let Some(at) = opener::closes_at(token, opener)
            && at <= core.len()
        {
            core = &core[..at];
            closes = true;
        }
        while let [rest @ .., last] = core
            && is_closing(*last)
            && !(matches!(last, b')' | b']') && is_balanced(core))
        {
            core = rest;
        }
        let rest = &text[len..];
        let rest = &rest[blanks_len(rest)..];
        let mut kinds = token_kinds;
        if core.len() < token.len() {
            kinds = core.iter().fold(0, |kinds, byte| kinds | kind::of(*byte));
        }
        Self { token, core, lone: rest.is_empty(), rest, closes, kinds, token_kinds }
    }

    /// Whether no byte of these kinds stands in the core.
    const fn lacks(&self, kinds: u16) -> bool {
        self.kinds & kinds == 0
    }

    /// Whether a URL that ends with it could hardly stand elsewhere by chance.
    pub(super) fn is_telling(&self) -> bool {
        self.lone || self.closes || self.is_structured() || self.has_suffix() || self.is_mixed()
    }

    /// Whether this is a word of a human language: letters, perhaps joined by hyphens,
    /// apostrophes or one slash (`and/or`), perhaps abbreviated (`e.g.`).
    pub(super) fn is_word(&self) -> bool {
        let core = self.core;
        let others = !kind::OF_WORDS;
        if self.lacks(kind::LETTER) || !self.lacks(others) {
            return false;
        }
        if self.lacks(kind::SLASH | kind::DOT) {
            return true;
        }
        let slashes = memchr::memchr_iter(b'/', core).count();
        if slashes > 1 || core.first() == Some(&b'/') || core.last() == Some(&b'/') {
            return false;
        }
        // Dots stand in abbreviations only: between single letters.
        self.lacks(kind::DOT) || core.split(|&byte| byte == b'.').all(|part| part.len() <= 1)
    }

    /// Whether it is a letter or two, alone on its line: the rest of something.
    pub(super) fn is_scrap(&self) -> bool {
        self.lone
            && self.core.len() <= 2
            && !is_short_word(self.core)
            && self.core.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    }

    /// Whether it is a word that stands in every text, or the last one of a sentence.
    pub(super) fn is_common_word(&self) -> bool {
        const WORDS: [&[u8]; 40] = [
            b"a", b"also", b"and", b"are", b"as", b"at", b"best", b"but", b"by", b"bye", b"can",
            b"cheers", b"for", b"from", b"has", b"hello", b"here", b"hi", b"if", b"in", b"is",
            b"it", b"mail", b"not", b"of", b"on", b"or", b"page", b"regards", b"see", b"site",
            b"thank", b"thanks", b"that", b"the", b"this", b"to", b"und", b"with", b"you",
        ];
        let is_common = |part: &[u8]| WORDS.iter().any(|word| part.eq_ignore_ascii_case(word));
        let ends_sentence =
            matches!(self.token[self.core.len()..], [b'.' | b',' | b'!' | b';', ..]);
        (ends_sentence && self.core.len() > 2)
            || self.core.split(|byte| *byte == b'/').all(is_common)
    }

    /// Whether something that opened before the token may close in it.
    pub(super) const fn may_close(&self) -> bool {
        self.token_kinds & kind::CLOSING != 0
    }

    /// Whether it starts as names and sentences do.
    pub(super) fn is_capitalised(&self) -> bool {
        self.core.first().is_some_and(u8::is_ascii_uppercase)
    }

    /// Whether it ends in a file's suffix, or has one before `?` or `#`.
    pub(super) fn has_suffix(&self) -> bool {
        !self.lacks(kind::DOT) && has_suffix(self.core)
    }

    /// Whether words are joined as in the names of pages: `how-to-fold-maps-2`.
    fn is_slug(&self) -> bool {
        if self.lacks(kind::JOINT | kind::OTHER) {
            return false;
        }
        let joints = self.core.iter().filter(|byte| matches!(byte, b'-' | b'_')).count();
        let is_name = !self.lacks(kind::DIGIT) || self.core.contains(&b'_');
        !self.lacks(kind::LETTER) && (joints > 3 || (joints > 2 && is_name))
    }

    /// Whether it has what structures a URL and no text: a path, a query, an escape, many words joined.
    pub(super) fn is_structured(&self) -> bool {
        if self.is_slug() {
            return true;
        }
        if self.lacks(kind::SLASH | kind::MARK) {
            return false;
        }
        let core = self.core;
        let inner = core.get(1..).unwrap_or_default();
        (inner.contains(&b'/') && !self.is_word() && !is_date(core))
            || inner.iter().any(|byte| matches!(byte, b'=' | b'&' | b'#'))
            || core
                .iter()
                .zip(inner)
                .zip(core.iter().skip(2))
                .any(|((a, b), c)| *a == b'%' && b.is_ascii_hexdigit() && c.is_ascii_hexdigit())
            || inner
                .iter()
                .zip(inner.iter().skip(1))
                .any(|(a, b)| *a == b'?' && b.is_ascii_alphanumeric())
    }

    /// Whether letters and digits are mixed, or words joined, as in the names of files and records.
    pub(super) fn is_mixed(&self) -> bool {
        let core = self.core;
        let inner = core.get(1..core.len().saturating_sub(1)).unwrap_or_default();
        core.len() >= 8
            && (!self.lacks(kind::DIGIT) || inner.contains(&b'_'))
            && core.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 2
    }

    /// Whether it is a number, a date, a time or a telephone number. Numbers between slashes that
    /// are all of their line may be a path.
    pub(super) fn is_number(&self) -> bool {
        let core = self.core;
        let is_path = self.lone && !self.lacks(kind::SLASH);
        !is_path
            && self.lacks(kind::LETTER)
            && core.iter().all(|byte| byte.is_ascii_digit() || b"-.:/+,()%".contains(byte))
    }

    /// Whether it is a number in three groups or more: a date, a telephone.
    fn is_dashed_number(&self) -> bool {
        self.is_number() && memchr::memchr_iter(b'-', self.core).take(2).count() == 2
    }

    /// Whether it is a thing of its own that is no part of a URL: a label, an address of mail, a
    /// call, a local path, a word in another script.
    pub(super) fn is_other_thing(&self) -> bool {
        let core = self.core;
        // A file may have brackets in its name.
        let call = (self.token_kinds & kind::OPENING != 0 && !self.has_suffix())
            || !self.lacks(kind::QUOTE);
        let foreign = self.token_kinds & kind::STRANGE != 0
            && self
                .token
                .iter()
                .position(|byte| *byte >= 0x80 || matches!(byte, b'\\' | b'^' | b'{'))
                .is_some_and(|at| !closes_wide(&self.token[at..]));
        call || foreign
            // An equals sign follows, as in tables and programs.
            || matches!(self.rest, [b'=', ..] | [b':' | b'+', b'=', ..])
            || self.is_labelled()
            || (!self.lacks(kind::AT) && is_mail(core))
            || core.starts_with(b"HTTP/")
            || (core.ends_with(b"=") && self.token.get(core.len()) == Some(&b'"'))
            // A pattern for files: `.o*`.
            || (core.starts_with(b".") && self.token.get(core.len()) == Some(&b'*'))
            || core.starts_with(b"./")
            || core.starts_with(b"../")
            || self.is_dashed_number()
            || (!self.lacks(kind::MARK) && is_greeting(core))
            || is_local_path(core)
    }

    /// Whether its line is one of a list: leaders, a size in brackets, another file or a URL of its own follow.
    pub(super) fn is_listed(&self) -> bool {
        let rest = self.rest;
        if rest.is_empty() {
            return false;
        }
        // Behind a comma the sentence goes on, and the URL is its next.
        if rest[0] != b'(' && !self.token.ends_with(b",") && holds_url(rest) {
            return true;
        }
        let is_size = match rest {
            [b'(' | b'[', digit, ..] => digit.is_ascii_digit(),
            _ => false,
        };
        let has_leaders =
            self.token.ends_with(b"...") || rest.starts_with(b"...") || rest.starts_with(b". .");
        let is_release = [&b"InRelease"[..], b"Release", b"Packages", b"main"]
            .iter()
            .any(|word| rest.starts_with(word));
        let next = &rest[..find([b' ', b'\t'], rest).unwrap_or(rest.len())];
        is_size || has_leaders || is_release || (self.has_suffix() && has_suffix(next))
    }

    /// Whether it sets something by its name. An equals sign at the end of a line may be a soft break.
    pub(super) fn sets(&self) -> bool {
        self.may_set() && setting(self.core).is_some_and(|len| len < self.token.len() || !self.lone)
    }

    /// Whether what sets something may stand in it.
    pub(super) const fn may_set(&self) -> bool {
        !self.lacks(kind::MARK)
    }

    /// Whether neither a dot nor a slash parts it, up to a query or fragment.
    pub(super) fn is_one_piece(&self) -> bool {
        let end = find([b'?', b'#'], self.core).unwrap_or(self.core.len());
        find([b'/', b'.'], &self.core[..end]).is_none()
    }

    /// Whether it starts with a host of its own and a path: `www-1.host.dom/a`.
    pub(super) fn is_host(&self) -> bool {
        if self.lacks(kind::SLASH) {
            return false;
        }
        let Some(slash) = memchr::memchr(b'/', self.core) else { return false };
        let host = &self.core[..slash];
        let top = host.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
        let labels = host.split(|&byte| byte == b'.');
        labels.clone().count() > 2
            && labels.clone().all(|label| {
                !label.is_empty()
                    && label.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
            })
            && (2..=LONGEST_TOP).contains(&top.len())
            && top.iter().all(u8::is_ascii_alphabetic)
            && !has_suffix(host)
    }

    /// Whether it is a serial number as senders of bulk mail add them: groups of digits and of letters in both cases,
    /// joined by hyphens alone.
    pub(super) fn is_serial(&self) -> bool {
        let is_new_run = |pair: &[u8]| {
            matches!(pair, [a, b] if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric()
                && a.is_ascii_digit() != b.is_ascii_digit())
        };
        let core = self.core;
        self.lone
            && self.lacks(kind::DOT | kind::SLASH | kind::MARK | kind::OTHER)
            && core.contains(&b'-')
            && core.iter().any(u8::is_ascii_lowercase)
            && core.iter().any(u8::is_ascii_uppercase)
            && core.windows(2).filter(|pair| is_new_run(pair)).count() >= SERIAL_RUNS
    }

    /// Whether it is a label (`Tel:`), or starts with one (`doi:10.1000`).
    fn is_labelled(&self) -> bool {
        if self.lacks(kind::COLON) {
            return self.token.ends_with(b":");
        }
        let colon = memchr::memchr(b':', self.core).unwrap_or_default();
        // A property may have parameters: `EMAIL;TYPE=work:`.
        let name = &self.core[..colon];
        let bare = &name[..find([b';'; 2], name).unwrap_or(name.len())];
        colon > 1
            && (bare.len() == name.len()
                || bare.iter().all(|b| b.is_ascii_uppercase() || *b == b'-'))
            && bare.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_+.".contains(byte))
    }
}

/// So many times digits and letters take turns in a serial number at the least.
const SERIAL_RUNS: usize = 5;

/// The length of the last labels that most hosts have: `info`.
const LONGEST_TOP: usize = 4;

/// Whether two letters, or one, are a word nevertheless.
fn is_short_word(core: &[u8]) -> bool {
    const WORDS: &[u8; 48] = b"amanasatbebydogoheifinisitmemynoofonorsotoupuswe";
    match core {
        [letter] => b"aeiouy".contains(letter),
        _ => WORDS.as_chunks::<2>().0.iter().any(|word| word == core),
    }
}

/// Whether it starts with `name=`, and at what length.
pub(super) fn setting(text: &[u8]) -> Option<usize> {
    let of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let name = text.iter().take(LONGEST_NAME).take_while(of_name).count();
    let is_name = name > 1 && text[0].is_ascii_alphabetic();
    (is_name && text.get(name) == Some(&b'=')).then_some(name + 1)
}

/// The length of the longest name that something is set by.
const LONGEST_NAME: usize = 64;

/// Whether a bracket or quote outside US-ASCII closes here.
fn closes_wide(text: &[u8]) -> bool {
    ["⟩", "”", "’", "»", "›", "」", "）"].iter().any(|close| text.starts_with(close.as_bytes()))
}

/// Whether the last byte, a closing bracket, has its opening one within.
fn is_balanced(core: &[u8]) -> bool {
    let Some((&close, rest)) = core.split_last() else { return false };
    let open = if close == b')' { b'(' } else { b'[' };
    let opened = memchr::memchr_iter(open, rest).count();
    let closed = memchr::memchr_iter(close, rest).count();
    opened > closed
}

/// The suffixes of files that are written with their host and path. Not of hosts.
const SUFFIXES: [&[u8]; 57] = [
    b"html", b"htm", b"shtml", b"xhtml", b"php", b"php3", b"asp", b"aspx", b"jsp", b"cgi", b"pl",
    b"cfm", b"mspx", b"pdf", b"ps", b"eps", b"dvi", b"tex", b"txt", b"text", b"md", b"rst", b"doc",
    b"ppt", b"xls", b"csv", b"xml", b"rss", b"json", b"zip", b"gz", b"tgz", b"z", b"bz2", b"xz",
    b"tar", b"lha", b"lzh", b"arc", b"zoo", b"hqx", b"sit", b"rpm", b"deb", b"exe", b"iso", b"gif",
    b"jpg", b"jpeg", b"png", b"mpg", b"au", b"r", b"c", b"h", b"git", b"jar",
];

/// The length of the longest of them.
const LONGEST_SUFFIX: usize = 5;

/// Whether a path's last segment ends in a file's suffix.
pub(super) fn has_suffix(path: &[u8]) -> bool {
    let end = find([b'?', b'#'], path).unwrap_or(path.len());
    let reach = &path[end.saturating_sub(LONGEST_SUFFIX + 1)..end];
    match reach.iter().rposition(|byte| matches!(byte, b'/' | b'.')) {
        Some(dot) if reach[dot] == b'.' => is_suffix(&reach[dot + 1..]),
        _ => false,
    }
}

/// Whether the last segment of a path that goes on with the tail's core ends in a file's suffix.
pub(super) fn joined_has_suffix(path: &[u8], tail: &Tail<'_>) -> bool {
    if path.iter().any(|byte| matches!(byte, b'?' | b'#')) {
        return has_suffix(path);
    }
    if !tail.lacks(kind::SLASH | kind::DOT) {
        let end = find([b'?', b'#'], tail.core).unwrap_or(tail.core.len());
        if tail.core[..end].iter().any(|byte| matches!(byte, b'/' | b'.')) {
            return has_suffix(tail.core);
        }
    }
    // The path's own last segment goes on to the end of the core, or to the `?` in it.
    let end = find([b'?', b'#'], tail.core).unwrap_or(tail.core.len());
    let Some(dot) = path.iter().rposition(|byte| matches!(byte, b'/' | b'.')) else { return false };
    let (begun, rest) = (&path[dot + 1..], &tail.core[..end]);
    let len = begun.len() + rest.len();
    let mut suffix = [0; LONGEST_SUFFIX];
    if path[dot] == b'/' || len > LONGEST_SUFFIX {
        return false;
    }
    suffix[..begun.len()].copy_from_slice(begun);
    suffix[begun.len()..len].copy_from_slice(rest);
    is_suffix(&suffix[..len])
}

/// Whether it is the suffix of files, in any case.
fn is_suffix(suffix: &[u8]) -> bool {
    static KEYS: LazyLock<[u64; SUFFIXES.len()]> = LazyLock::new(|| SUFFIXES.map(key));
    (1..=LONGEST_SUFFIX).contains(&suffix.len()) && KEYS.contains(&key(suffix))
}

/// A few letters, in any case, as one number, by which they are compared at once.
fn key(letters: &[u8]) -> u64 {
    letters.iter().fold(1, |key, letter| key << 8 | u64::from(letter.to_ascii_lowercase()))
}

/// Whether a scheme's colon and slashes stand in it.
pub(super) fn holds_url(text: &[u8]) -> bool {
    memchr::memchr_iter(b':', text).any(|at| text[at + 1..].starts_with(b"//"))
}

/// Whether it reads `12/31/1999` or `24/7`.
fn is_date(core: &[u8]) -> bool {
    core.iter().all(|byte| byte.is_ascii_digit() || *byte == b'/')
}

/// Whether it reads `Cheers?Joe`: two words, and what is left of a line break between them.
fn is_greeting(core: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'?', core) else { return false };
    let is_word = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_alphabetic);
    core[0].is_ascii_uppercase() && is_word(&core[..at]) && is_word(&core[at + 1..])
}

/// Whether it reads `joe@host.dom`.
fn is_mail(core: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'@', core) else { return false };
    at > 0
        && core[at + 1..].contains(&b'.')
        && !core.iter().any(|byte| matches!(byte, b'/' | b'=' | b'&' | b'?'))
}

/// Whether it is the path of a file on the reader's own machine: the top directories of UNIX.
fn is_local_path(core: &[u8]) -> bool {
    let Some(rest) = core.strip_prefix(b"/") else { return false };
    let top = rest.split(|&byte| byte == b'/').next().unwrap_or_default();
    let tops: [&[u8]; 12] = [
        b"usr", b"etc", b"home", b"tmp", b"var", b"bin", b"sbin", b"opt", b"dev", b"proc", b"lib",
        b"sys",
    ];
    tops.contains(&top)
}

/// Whether the line starts with a word that a comma or a blank and more words follow, or with a
/// label: what can be told of prose and headers at first sight.
pub(super) fn is_prose(text: &[u8]) -> bool {
    let (mut len, mut slashes) = (0, 0);
    loop {
        len += text[len..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        match text.get(len) {
            Some(b'-') => {}
            Some(b'/') => slashes += 1,
            _ => break,
        }
        len += 1;
    }
    let (word, rest) = text.split_at(len);
    let is_followed =
        matches!(rest.strip_prefix(b",").unwrap_or(rest), [b' ', next, ..] if *next > b' ');
    (is_followed || (word.len() > 1 && rest.starts_with(b": ")))
        && word.first().is_some_and(u8::is_ascii_alphabetic)
        && word.last().is_some_and(u8::is_ascii_alphabetic)
        && slashes < 2
}

/// Whether a number starts the line and more follows, as in a log or a table: a line of its own.
pub(super) fn starts_with_number(line: &[u8]) -> bool {
    let digits = line.iter().take(MAX_NUMBER).take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && matches!(line[digits..], [b' ', next, ..] if next.is_ascii_graphic())
}

/// The digits of a number that starts a line of its own.
const MAX_NUMBER: usize = 16;

/// Whether the next line is furniture, and surely no continuation: a list mark, a header, a rule,
/// a patch line, an option, a man macro, a bracket, another URL.
pub(super) fn is_furniture(text: &[u8], opener: Option<u8>) -> bool {
    let (token, rest) = split_token(text);
    is_furniture_token(token, rest, opener)
}

/// What stands up to the first space or tab, and what from there on.
pub(super) fn split_token(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(find([b' ', b'\t'], text).unwrap_or(text.len()))
}

/// Whether a line of that first token and that rest is furniture.
pub(super) fn is_furniture_token(token: &[u8], rest: &[u8], opener: Option<u8>) -> bool {
    let opens = !token.first().is_some_and(|&byte| {
        is_url_byte(byte)
            && !matches!(
                byte,
                b'(' | b')' | b'[' | b']' | b'*' | b'\'' | b'!' | b',' | b';' | b':' | b'@' | b'$'
            )
    });
    // Most furniture is another URL.
    if opens || is_another_url(token) {
        return true;
    }
    let list_number = match token {
        [name @ .., b'.' | b':' | b')']
            if opener.is_none_or(|opener| token.last() != Some(&opener::closer(opener))) =>
        {
            matches!(name, [byte] if byte.is_ascii_alphanumeric())
                || (matches!(name.len(), 2..=3) && name.iter().all(u8::is_ascii_digit))
        }
        _ => false,
    } && !rest.is_empty();
    let mark = match token {
        [mark] => mark.is_ascii_punctuation(),
        // The line of a batch of news that counts an article's bytes; or what starts a program.
        b"#!" => !rest.is_empty(),
        [a, b, ..] if a == b => b"-+.=&#/|_~".contains(a),
        _ => token.starts_with(b"/*") || is_directive(token),
    };
    let rule = matches!(token, [a, b, c, ..] if a == b && b == c && !a.is_ascii_alphanumeric())
        || (token.len() >= 5 && token[..5].iter().all(u8::is_ascii_punctuation));
    let encoded = matches!(token, [b'=', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
    let macro_line = matches!(token, [b'.', name @ ..]
        if (1..=2).contains(&name.len()) && name.iter().all(u8::is_ascii_alphabetic) && !has_suffix(token));
    list_number || mark || rule || encoded || macro_line
}

/// Whether the token is an instruction to a C preprocessor.
fn is_directive(token: &[u8]) -> bool {
    const NAMES: [&[u8]; 9] =
        [b"if", b"ifdef", b"ifndef", b"else", b"elif", b"endif", b"define", b"include", b"pragma"];
    token.strip_prefix(b"#").is_some_and(|name| NAMES.contains(&name))
}

/// Whether a token is, or starts, a URL of its own, or a host that is known by its first label.
pub(super) fn is_another_url(token: &[u8]) -> bool {
    let Some(colon) = find([b':'; 2], token) else { return is_host_label(token) };
    let (name, rest) = token.split_at(colon);
    (colon > 1 && rest.starts_with(b"://") && name.iter().all(|byte| is_scheme_byte(*byte)))
        || is_prefix_word(name)
        || matches!(classic_shape(name), Some(Shape::Mailto | Shape::News))
        || is_host_label(token)
}

/// Whether a token starts as hosts do that go without a scheme: `www.`, `ftp.`.
fn is_host_label(token: &[u8]) -> bool {
    let label = token.get(..4).unwrap_or_default();
    label.eq_ignore_ascii_case(b"www.") || label.eq_ignore_ascii_case(b"ftp.")
}

/// Whether the line's first word, from its first byte on, runs into a URL of its own: what follows a
/// break is left to that one (see [`bare`](crate::read::bare)), whatever speaks for a continuation.
///
/// `head` is the URL so far.
pub(super) fn runs_into_url(head: &[u8], text: &[u8]) -> bool {
    let text = &text[..text.len().min(MAX_LINE)];
    if head.len() > MAX_URL - MAX_LINE {
        // What is cut may be cut before it.
        return false;
    }
    let colon = extent::plain(text, 0);
    if !matches!(text[colon..], [b':', b'/', b'/', host, ..] if host.is_ascii_alphanumeric()) {
        return false;
    }
    let Some(classic) = Classic::at_end(&text[..colon]) else { return false };
    // Another URL that is glued by a comma or an apostrophe ends what stands before it.
    let before = text[..colon - classic.name.len()].last();
    classic.shape == Shape::Host
        && before.is_some_and(|&last| !is_scheme_byte(last) && !matches!(last, b',' | b'\''))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_word_naively(core: &str) -> bool {
        let is_joint = |c| matches!(c, '-' | '\'' | '/' | '.' | ',');
        let dots = core.contains('.');
        core.contains(|c: char| c.is_ascii_alphabetic())
            && core.chars().all(|c| c.is_ascii_alphabetic() || is_joint(c))
            && core.matches('/').count() <= 1
            && !core.starts_with('/')
            && !core.ends_with('/')
            && (!dots || core.split('.').all(|part| part.len() <= 1))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn kinds_settle_what_bytes_would(
            path in "(/?[a-z1.?#%=]{0,3}){0,3}",
            core in "([a-zA-Z0-9]|[-'/.,:@=&#%?*(]|html|gz){1,9}",
        ) {
            let tail = Tail::new(core.as_bytes(), None);
            let core = std::str::from_utf8(tail.core).unwrap();
            prop_assert_eq!(tail.is_word(), is_word_naively(core));
            prop_assert_eq!(tail.has_suffix(), has_suffix(tail.core));
            let joined = [path.as_bytes(), tail.core].concat();
            prop_assert_eq!(joined_has_suffix(path.as_bytes(), &tail), has_suffix(&joined));
            let is_joined = core.len() > 2 && core[1..core.len() - 1].contains('_');
            let is_mixed = core.len() >= 8
                && (is_joined || core.contains(|c: char| c.is_ascii_digit()))
                && core.matches(|c: char| c.is_ascii_alphabetic()).count() >= 2;
            prop_assert_eq!(tail.is_mixed(), is_mixed);
            let is_number = !(tail.lone && core.contains('/'))
                && core.chars().all(|c| c.is_ascii_digit() || "-.:/+,()%".contains(c));
            prop_assert_eq!(tail.is_number(), is_number);
        }
    }
}

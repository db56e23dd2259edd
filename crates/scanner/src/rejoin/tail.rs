//! The token that starts the next line. It is more of the URL, a word of prose, or a separate item.

use super::suffix::{has_suffix, is_file_name};
use crate::extent::{self, opener, trim};
use crate::limits::{MAX_LINE, MAX_URL};
use crate::scheme::{Classic, Shape, classic_shape, is_prefix_word, is_scheme_byte};
use crate::text::blank::{first_blank_len, leading_blanks_len, trim_blanks_at_end};
use crate::text::line::find_either;

/// The token (first word) of the line after a break, with facts that show whether it may continue
/// the URL.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail<'t> {
    /// The bytes up to the next blank.
    pub(super) token: &'t [u8],
    /// The part of the token that can be in a URL, without closing punctuation.
    pub(super) core: &'t [u8],
    /// True if the token is alone on its line.
    pub(super) is_alone: bool,
    /// The rest of the line after the token and the blanks.
    pub(super) rest: &'t [u8],
    /// True if the opener before the URL closes right after the core.
    pub(super) closes: bool,
    /// The kinds of the bytes in the core, as bits.
    kinds: u16,
    /// The kinds of the bytes in the token, as bits.
    token_kinds: u16,
}

/// The kinds of bytes that distinguish tokens. Most checks of a token can be decided by the kinds
/// that it doesn't contain.
pub(super) mod kind {
    use crate::table::table;

    pub(crate) const LETTER: u16 = 1;
    pub(crate) const DIGIT: u16 = 1 << 1;
    pub(crate) const SLASH: u16 = 1 << 2;
    pub(crate) const DOT: u16 = 1 << 3;
    pub(crate) const COLON: u16 = 1 << 4;
    pub(crate) const AT: u16 = 1 << 5;
    /// `- ' ,`: bytes of words other than letters.
    pub(crate) const JOINT: u16 = 1 << 6;
    /// `= & # % ?`: the delimiters within a URL.
    pub(crate) const MARK: u16 = 1 << 7;
    /// `[ * '`: bytes that don't occur in names of resources.
    pub(crate) const QUOTE: u16 = 1 << 8;
    pub(crate) const OPENING: u16 = 1 << 9;
    /// Bytes outside US-ASCII, and some that no URL contains.
    pub(crate) const STRANGE: u16 = 1 << 10;
    pub(crate) const OTHER: u16 = 1 << 11;
    /// Bytes that may close a bracket or a quotation.
    pub(crate) const CLOSING: u16 = 1 << 12;
    /// Bytes that URLs in running text don't contain.
    pub(crate) const FOREIGN: u16 = 1 << 13;

    /// The kinds of bytes that occur in ordinary words.
    pub(crate) const OF_WORDS: u16 = LETTER | JOINT | SLASH | DOT | QUOTE | CLOSING;

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
        b'\\' | b'^' | b'{' => STRANGE | FOREIGN,
        0x80.. => STRANGE | FOREIGN | CLOSING,
        0..=b' ' | b'<' | b'|' | 0x7F => OTHER | FOREIGN,
        _ => OTHER,
    });

    /// Returns the kinds that `byte` has, as a bit mask.
    pub(crate) fn kinds_of_byte(byte: u8) -> u16 {
        KINDS[usize::from(byte)]
    }
}

/// True if URLs in running text may contain the byte.
fn is_url_byte(byte: u8) -> bool {
    kind::kinds_of_byte(byte) & kind::FOREIGN == 0
}

/// True if `byte` can end a sentence, or close a bracket, a quotation or an emphasis. URLs hardly
/// ever end with such a byte.
pub(super) const fn is_closing(byte: u8) -> bool {
    trim::ends_sentence(byte) || matches!(byte, b'"' | b')' | b']' | b'*')
}

impl<'t> Tail<'t> {
    /// Reads the token that starts `text`, a line without its margin. `opener` is the bracket or
    /// quote that opened before the URL, or `None`.
    pub(super) fn new(text: &'t [u8], opener: Option<u8>) -> Self {
        let text = trim_blanks_at_end(text);
        let reach = &text[..text.len().min(MAX_LINE)];
        let (mut len, mut run, mut token_kinds) = (0, None, 0);
        for &byte in reach {
            let kind = kind::kinds_of_byte(byte);
            if kind & kind::FOREIGN != 0 {
                if first_blank_len(&text[len..]) > 0 {
                    break;
                }
                run = run.or(Some(len));
            }
            token_kinds |= kind;
            len += 1;
        }
        let token = &text[..len];
        let mut core = &token[..run.unwrap_or(len)];
        if token_kinds & kind::QUOTE != 0
            && let Some(tag) = memchr::memmem::find(core, b"[/")
        {
            core = &core[..tag];
        }
        let mut closes = false;
        if let Some(opener) = opener
            && let Some(at) = opener::closing_offset(token, opener)
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
        let rest = &rest[leading_blanks_len(rest)..];
        let mut kinds = token_kinds;
        if core.len() < token.len() {
            kinds = core.iter().fold(0, |kinds, byte| kinds | kind::kinds_of_byte(*byte));
        }
        Self { token, core, is_alone: rest.is_empty(), rest, closes, kinds, token_kinds }
    }

    /// True if the token, without its closing punctuation, contains no byte of the kinds in the bit
    /// mask `kinds`.
    pub(super) const fn lacks_kinds(&self, kinds: u16) -> bool {
        self.kinds & kinds == 0
    }

    /// True if the token is so unusual that another URL is unlikely to end with it by chance.
    pub(super) fn is_distinctive(&self) -> bool {
        self.is_alone
            || self.closes
            || self.is_structured()
            || self.has_suffix()
            || self.mixes_letters_and_digits()
    }

    /// True if the token is a word of a human language: letters, perhaps joined by hyphens,
    /// apostrophes or one slash (`and/or`), or an abbreviation (`e.g.`).
    pub(super) fn is_word(&self) -> bool {
        let core = self.core;
        let others = !kind::OF_WORDS;
        if self.lacks_kinds(kind::LETTER) || !self.lacks_kinds(others) {
            return false;
        }
        if self.lacks_kinds(kind::SLASH | kind::DOT) {
            return true;
        }
        let slashes = memchr::memchr_iter(b'/', core).count();
        if slashes > 1 || core.first() == Some(&b'/') || core.last() == Some(&b'/') {
            return false;
        }
        // Dots only occur in abbreviations, between single letters.
        self.lacks_kinds(kind::DOT) || core.split(|&byte| byte == b'.').all(|part| part.len() <= 1)
    }

    /// True if the token is one or two letters or digits alone on a line, probably the rest of a
    /// broken word.
    pub(super) fn is_scrap(&self) -> bool {
        self.is_alone
            && self.core.len() <= 2
            // No line consists of a word of one letter.
            && (self.core.len() == 1 || !is_short_word(self.core))
            && self.core.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    }

    /// True if the token is a very common word, or ends with the punctuation of a sentence.
    pub(super) fn is_common_word(&self) -> bool {
        const WORDS: [&[u8]; 40] = [
            b"a", b"also", b"and", b"are", b"as", b"at", b"best", b"but", b"by", b"bye", b"can",
            b"cheers", b"for", b"from", b"has", b"hello", b"here", b"hi", b"if", b"in", b"is",
            b"it", b"mail", b"not", b"of", b"on", b"or", b"page", b"regards", b"see", b"site",
            b"thank", b"thanks", b"that", b"the", b"this", b"to", b"und", b"with", b"you",
        ];
        let is_common = |part: &[u8]| WORDS.iter().any(|word| part.eq_ignore_ascii_case(word));
        let ends_sentence =
            matches!(self.token[self.core.len()..], [b'.' | b',' | b'!' | b';' | b'?', ..]);
        (ends_sentence && self.core.len() > 2)
            || !self.is_scrap() && self.core.split(|byte| *byte == b'/').all(is_common)
    }

    /// True if a non-ASCII bracket or quote at the end of `before` (the text before the URL) closes
    /// right after the token.
    pub(super) fn closes_non_ascii_bracket(&self, before: &[u8]) -> bool {
        self.token_kinds & kind::STRANGE != 0
            && opener::wide_pair_surrounds(before, &self.token[self.core.len()..])
    }

    /// True if the token contains a byte that may close a bracket or quotation.
    pub(super) const fn may_close(&self) -> bool {
        self.token_kinds & kind::CLOSING != 0
    }

    /// True if the token starts with a capital letter, like names and sentences.
    pub(super) fn is_capitalized(&self) -> bool {
        self.core.first().is_some_and(u8::is_ascii_uppercase)
    }

    /// True if the token has a file's suffix at its end or before `?` or `#`.
    pub(super) fn has_suffix(&self) -> bool {
        !self.lacks_kinds(kind::DOT) && has_suffix(self.core)
    }

    /// True if the token consists of several words joined by hyphens or the like, as the names of
    /// pages do: `how-to-fold-maps-2`.
    fn is_slug(&self) -> bool {
        if self.lacks_kinds(kind::JOINT | kind::OTHER) {
            return false;
        }
        let joints = self.core.iter().filter(|byte| matches!(byte, b'-' | b'_')).count();
        let is_name = !self.lacks_kinds(kind::DIGIT) || self.core.contains(&b'_');
        !self.lacks_kinds(kind::LETTER) && (joints > 3 || (joints > 2 && is_name))
    }

    /// True if the token is structured like part of a URL, unlike prose: it has a path, a query, an
    /// escape or many joined words.
    pub(super) fn is_structured(&self) -> bool {
        if self.is_slug() {
            return true;
        }
        if self.lacks_kinds(kind::SLASH | kind::MARK) {
            return false;
        }
        let core = self.core;
        let inner = core.get(1..).unwrap_or_default();
        (inner.contains(&b'/') && !self.is_word() && !is_date(core))
            || inner.iter().any(|byte| matches!(byte, b'=' | b'&' | b'#'))
            || escapes_in(core).next().is_some()
            || inner
                .iter()
                .zip(inner.iter().skip(1))
                .any(|(a, b)| *a == b'?' && b.is_ascii_alphanumeric())
    }

    /// True if the token mixes letters and digits or joins words, as the names of files and records
    /// do.
    pub(super) fn mixes_letters_and_digits(&self) -> bool {
        let core = self.core;
        let inner = core.get(1..core.len().saturating_sub(1)).unwrap_or_default();
        core.len() >= 8
            && (!self.lacks_kinds(kind::DIGIT) || inner.contains(&b'_'))
            && core.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 2
    }

    /// True if the token is a number, a date, a time or a telephone number. Numbers between slashes
    /// that are alone on their line don't count, since they may be a path.
    pub(super) fn is_number(&self) -> bool {
        let core = self.core;
        let is_path = self.is_alone && !self.lacks_kinds(kind::SLASH);
        !is_path
            && self.lacks_kinds(kind::LETTER)
            && core.iter().all(|byte| byte.is_ascii_digit() || b"-.:/+,()%".contains(byte))
    }

    /// True if the token is a number in three or more groups, such as a date or a telephone number.
    pub(super) fn is_dashed_number(&self) -> bool {
        self.is_number() && memchr::memchr_iter(b'-', self.core).take(2).count() == 2
    }

    /// True if the token is an item of its own and not part of a URL: a function call, a local path,
    /// an item of a log, or a word in another script. Labels and e-mail addresses are not included:
    /// see `Ends::token_is_separate_item`.
    pub(super) fn is_separate_item(&self) -> bool {
        let core = self.core;
        // File names and escaped text may contain brackets.
        let call = (self.token_kinds & kind::OPENING != 0
            && !self.has_suffix()
            && !self.has_several_escapes())
            || !self.lacks_kinds(kind::QUOTE);
        let foreign = self.token_kinds & kind::STRANGE != 0
            && self
                .token
                .iter()
                .position(|byte| *byte >= 0x80 || matches!(byte, b'\\' | b'^' | b'{'))
                .is_some_and(|at| !opener::starts_with_wide_closer(&self.token[at..]));
        call || foreign
            // Followed by an equals sign, as in tables and programs.
            || matches!(self.rest, [b'=', ..] | [b':' | b'+', b'=', ..])
            || core.starts_with(b"HTTP/")
            || ((core.ends_with(b"=") || core.ends_with(b"=3D"))
                && self.token.get(core.len()) == Some(&b'"'))
            // A file pattern: `.o*`.
            || (core.starts_with(b".") && self.token.get(core.len()) == Some(&b'*'))
            || core.starts_with(b"./")
            || core.starts_with(b"../")
            || (!self.lacks_kinds(kind::MARK) && (is_greeting(core) || core.ends_with(b"#")))
            || is_local_path(core)
            || core.starts_with(b"~/")
            || core.starts_with(b"#+")
            || core.starts_with(b"=3D=3D")
            || self.is_in_log()
    }

    /// True if the token's line is an item of a list. After the token come leader dots, a size in
    /// brackets, another file or another URL.
    pub(super) fn is_list_entry(&self) -> bool {
        let rest = self.rest;
        if rest.is_empty() {
            return false;
        }
        if precedes_url(self.token, rest) {
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
        let next = &rest[..find_either([b' ', b'\t'], rest).unwrap_or(rest.len())];
        is_size || has_leaders || is_release || (self.has_suffix() && has_suffix(next))
    }

    /// True if the token assigns a value to a name (`name=value`). An equals sign at the end of a
    /// line doesn't count, since it may be a soft break.
    pub(super) fn assigns_value(&self) -> bool {
        self.may_assign_value()
            && assignment_prefix_len(self.core)
                .is_some_and(|len| len < self.token.len() || !self.is_alone)
    }

    /// True if the token contains a byte that every assignment (`name=value`) contains. This is a
    /// fast check with false positives, after which [`Self::assigns_value`] decides.
    pub(super) const fn may_assign_value(&self) -> bool {
        !self.lacks_kinds(kind::MARK)
    }

    /// True if the token contains neither a dot nor a slash, except in a query or fragment.
    pub(super) fn has_no_dot_or_slash(&self) -> bool {
        let end = find_either([b'?', b'#'], self.core).unwrap_or(self.core.len());
        find_either([b'/', b'.'], &self.core[..end]).is_none()
    }

    /// True if the token starts with a host, after which a path follows: `www-1.host.dom/a`.
    pub(super) fn starts_with_host_and_path(&self) -> bool {
        if self.lacks_kinds(kind::SLASH) {
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
            && is_top_label(top)
            && !has_suffix(host)
    }

    /// True if the token is an e-mail address.
    pub(super) fn is_mail_address(&self) -> bool {
        !self.lacks_kinds(kind::AT) && is_mail(self.core)
    }

    /// True if the token contains at least two escapes of US-ASCII characters, such as `%2F`. Other
    /// escapes don't count, because registers in assembly code look like them: `8(%ebp),%eax`.
    pub(super) fn has_several_escapes(&self) -> bool {
        let is_ascii = |escape: &&[u8]| matches!(escape[1], b'2'..=b'7');
        !self.lacks_kinds(kind::MARK) && escapes_in(self.core).filter(is_ascii).take(2).count() == 2
    }

    /// True if the token is a label (`Tel:`) or starts with one (`doi:10.1000`).
    pub(super) fn starts_with_label(&self) -> bool {
        if self.lacks_kinds(kind::COLON) {
            return self.token.ends_with(b":") && !self.token.ends_with(b">:");
        }
        let colon = memchr::memchr(b':', self.core).unwrap_or_default();
        // A vCard property may have parameters: `EMAIL;TYPE=work:`.
        let name = &self.core[..colon];
        let bare = &name[..find_either([b';'; 2], name).unwrap_or(name.len())];
        colon > 1
            && (bare.len() == name.len()
                || bare.iter().all(|b| b.is_ascii_uppercase() || *b == b'-'))
            && bare.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_+.".contains(byte))
    }
}

/// The last labels of most hosts, except those of countries, which have two letters.
pub(super) const TOPS: [&[u8]; 8] =
    [b"com", b"org", b"net", b"edu", b"gov", b"mil", b"int", b"info"];

/// True if `label` is one of [`TOPS`] or may be that of a country.
pub(super) fn is_top_label(label: &[u8]) -> bool {
    TOPS.iter().any(|top| top.eq_ignore_ascii_case(label))
        || (label.len() == 2 && label.iter().all(u8::is_ascii_alphabetic))
}

/// True if `core`, a token of one or two letters, is a word.
fn is_short_word(core: &[u8]) -> bool {
    const WORDS: &[u8; 48] = b"amanasatbebydogoheifinisitmemynoofonorsotoupuswe";
    WORDS.as_chunks::<2>().0.iter().any(|word| word == core)
}

/// Returns the length of the `name=` with which `text` starts, including the equals sign. Returns
/// `None` if it doesn't start with one.
pub(super) fn assignment_prefix_len(text: &[u8]) -> Option<usize> {
    let of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let name = text.iter().take(MAX_NAME).take_while(of_name).count();
    let is_name = name > 1 && text[0].is_ascii_alphabetic();
    (is_name && text.get(name) == Some(&b'=')).then_some(name + 1)
}

/// The maximum length of the name in an assignment, in bytes.
const MAX_NAME: usize = 64;

/// True if the closing bracket at the end of `core`, a token, matches an opening one in it.
fn is_balanced(core: &[u8]) -> bool {
    let Some((&close, rest)) = core.split_last() else { return false };
    let open = if close == b')' { b'(' } else { b'[' };
    let opened = memchr::memchr_iter(open, rest).count();
    let closed = memchr::memchr_iter(close, rest).count();
    opened > closed
}

/// True if `text` starts with a round or angle bracket and `head`, the URL up to the break.
pub(super) fn starts_with_bracketed(text: &[u8], head: &[u8]) -> bool {
    matches!(text, [b'(' | b'<', url @ ..] if url.starts_with(head))
}

/// Returns `word` without the closing punctuation at its end.
pub(super) fn without_closing(word: &[u8]) -> &[u8] {
    &word[..word.iter().rposition(|byte| !is_closing(*byte)).map_or(0, |last| last + 1)]
}

/// True if the first line of `rest`, the text after the first word `token` of a line, contains a
/// separate URL. Returns false if `token` ends with a comma, because the URL then belongs to the
/// sentence. Also returns false if `rest` starts with `(` or `<`, because the URL is then the target
/// of a link.
pub(super) fn precedes_url(token: &[u8], rest: &[u8]) -> bool {
    !matches!(rest.first(), None | Some(b'(' | b'<'))
        && !token.ends_with(b",")
        && contains_url(rest)
}

/// True if the first line of `text` contains `://`.
pub(super) fn contains_url(text: &[u8]) -> bool {
    memchr::memchr3_iter(b':', b'\n', b'\r', text)
        .map(|at| &text[at..])
        .find(|rest| !matches!(rest, [b':', ..]) || rest.starts_with(b"://"))
        .is_some_and(|rest| rest[0] == b':')
}

/// Returns the percent escapes in `core`, a token: `%` and two hexadecimal digits each.
fn escapes_in(core: &[u8]) -> impl Iterator<Item = &[u8]> {
    core.windows(3)
        .filter(|escape| escape[0] == b'%' && escape[1..].iter().all(u8::is_ascii_hexdigit))
}

/// True if `text`, a line without its margin, is only a drawn line: `--------`, `_._._._._`.
pub(super) fn is_drawn_line(text: &[u8]) -> bool {
    text.len() >= MIN_DRAWN && text.iter().all(u8::is_ascii_punctuation)
}

/// The minimum length of a drawn line, in bytes.
const MIN_DRAWN: usize = 8;

/// True if `core`, a token, reads like a date or fraction: `12/31/1999`, `24/7`.
fn is_date(core: &[u8]) -> bool {
    core.iter().all(|byte| byte.is_ascii_digit() || *byte == b'/')
}

/// True if `core`, a token, reads like `Cheers?Joe`: two words with the remains of a line break
/// between them.
fn is_greeting(core: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'?', core) else { return false };
    let is_word = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_alphabetic);
    core[0].is_ascii_uppercase() && is_word(&core[..at]) && is_word(&core[at + 1..])
}

/// True if `core`, a token, reads like a mail address: `joe@host.dom`.
fn is_mail(core: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'@', core) else { return false };
    at > 0
        && core[at + 1..].contains(&b'.')
        && !core.iter().any(|byte| matches!(byte, b'/' | b'=' | b'&' | b'?'))
}

/// True if `core`, a token, is a local file path that starts with a top directory of UNIX, such as
/// `/usr`.
fn is_local_path(core: &[u8]) -> bool {
    let Some(rest) = core.strip_prefix(b"/") else { return false };
    let top = rest.split(|&byte| byte == b'/').next().unwrap_or_default();
    let tops: [&[u8]; 12] = [
        b"usr", b"etc", b"home", b"tmp", b"var", b"bin", b"sbin", b"opt", b"dev", b"proc", b"lib",
        b"sys",
    ];
    tops.contains(&top)
}

/// True if `text`, a line, starts like prose; see [`prose_word`].
pub(super) fn is_prose(text: &[u8]) -> bool {
    prose_word(text).is_some()
}

/// Returns the first word of `text`, a line that starts like prose (a word, perhaps a comma, then a
/// blank and more text) or like a header field (`To: joe`), with the comma or colon. A space
/// follows it. Returns `None` for other lines. Only the word and the bytes after it are read.
pub(super) fn prose_word(text: &[u8]) -> Option<&[u8]> {
    let (mut len, mut slashes, mut hyphens) = (0, 0, 0);
    loop {
        len += text[len..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        match text.get(len) {
            Some(b'-') => hyphens += 1,
            Some(b'/') => slashes += 1,
            _ => break,
        }
        len += 1;
    }
    let (word, rest) = text.split_at(len);
    // A word of prose has at most one hyphen. The name of a header field may have any number.
    let (mark, is_short) = match rest {
        [b' ', next, ..] if *next > b' ' => (0, hyphens < 2),
        [b',', b' ', next, ..] if *next > b' ' => (1, hyphens < 2),
        [b':', b' ', ..] if len > 1 => (1, true),
        _ => return None,
    };
    let is_word = word.first().is_some_and(u8::is_ascii_alphabetic)
        && word.last().is_some_and(u8::is_ascii_alphabetic);
    (is_word && is_short && slashes < 2).then(|| &text[..len + mark])
}

/// True if `line` starts with a number and more follows, as in a log or a table.
pub(super) fn starts_with_number(line: &[u8]) -> bool {
    let digits = line.iter().take(MAX_NUMBER).take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && matches!(line[digits..], [b' ', next, ..] if next.is_ascii_graphic())
}

/// The maximum number of digits that [`starts_with_number`] reads.
const MAX_NUMBER: usize = 16;

/// True if a line is *furniture*, i.e. text that never continues a URL. Examples are a list mark, a
/// header, a drawn line, a line of a patch, an option, a man page macro, a bracket and another URL.
///
/// `text` is the line without its margin. `opener` is the bracket or quote that opened before the
/// URL.
pub(super) fn is_furniture(text: &[u8], opener: Option<u8>) -> bool {
    let (token, rest) = split_token(text);
    is_furniture_token(token, rest, opener)
}

/// Splits `text` before its first space or tab. Returns the first word, and the rest with that
/// blank.
pub(super) fn split_token(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(find_either([b' ', b'\t'], text).unwrap_or(text.len()))
}

/// Returns the same as [`is_furniture`] for a line that consists of the first word `token` and the
/// text `rest` after it.
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
            if opener
                .is_none_or(|opener| token.last() != Some(&opener::closing_bracket_of(opener))) =>
        {
            matches!(name, [byte] if byte.is_ascii_alphanumeric())
                || (matches!(name.len(), 2..=3) && name.iter().all(u8::is_ascii_digit))
        }
        _ => false,
    } && !rest.is_empty();
    let mark = match token {
        [mark] => mark.is_ascii_punctuation(),
        // `#! rnews 1234`, the line before an article in a batch of news; or the first line of a
        // script.
        b"#!" => !rest.is_empty(),
        // The rest of a section number: `3.9.2` + `..3`. See `Ends`.
        [b'.', b'.', digit, ..] if digit.is_ascii_digit() => false,
        [a, b, ..] if a == b => b"-+.=&#/|_~".contains(a),
        _ => token.starts_with(b"/*") || is_directive(token),
    };
    let rule = matches!(token, [a, b, c, ..] if a == b && b == c && !a.is_ascii_alphanumeric())
        || (token.len() >= 5 && token[..5].iter().all(u8::is_ascii_punctuation));
    let encoded = matches!(token, [b'=', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
    let macro_line = matches!(token, [b'.', name @ ..]
        if (1..=2).contains(&name.len()) && name.iter().all(u8::is_ascii_alphabetic) && !is_file_name(token));
    list_number || mark || rule || encoded || macro_line
}

/// True if the token is a directive of the C preprocessor.
fn is_directive(token: &[u8]) -> bool {
    const NAMES: [&[u8]; 9] =
        [b"if", b"ifdef", b"ifndef", b"else", b"elif", b"endif", b"define", b"include", b"pragma"];
    token.strip_prefix(b"#").is_some_and(|name| NAMES.contains(&name))
}

/// True if `token` starts with another URL or its prefix `URL:`, or with a host that starts with
/// `www.` or `ftp.`.
pub(super) fn is_another_url(token: &[u8]) -> bool {
    let Some(colon) = find_either([b':'; 2], token) else { return is_host_label(token) };
    let (name, rest) = token.split_at(colon);
    (colon > 1 && rest.starts_with(b"://") && name.iter().all(|byte| is_scheme_byte(*byte)))
        || is_prefix_word(name)
        || matches!(classic_shape(name), Some(Shape::Mailto | Shape::News))
        || is_host_label(token)
}

/// True if `token` starts like a host without a scheme: with `www.` or `ftp.`.
fn is_host_label(token: &[u8]) -> bool {
    let label = token.get(..4).unwrap_or_default();
    label.eq_ignore_ascii_case(b"www.") || label.eq_ignore_ascii_case(b"ftp.")
}

/// True if the first word of `text`, the line after the break, contains the start of another URL
/// (`word=http://…`). `head` is the URL up to the break.
///
/// The text after the break is then left to the other URL (see [`bare`](crate::read::bare)),
/// regardless of other evidence.
pub(super) fn runs_into_url(head: &[u8], text: &[u8]) -> bool {
    let text = &text[..text.len().min(MAX_LINE)];
    if head.len() > MAX_URL - MAX_LINE {
        // A URL that is cut at the maximum length may be cut before the other URL starts.
        return false;
    }
    let colon = extent::plain_url_bytes_end(text, 0);
    if !matches!(text[colon..], [b':', b'/', b'/', host, ..] if host.is_ascii_alphanumeric()) {
        return false;
    }
    let Some(classic) = Classic::scheme_at_end(&text[..colon]) else { return false };
    // A URL glued by a comma or an apostrophe ends the text before it.
    let before = text[..colon - classic.name.len()].last();
    classic.shape == Shape::Host
        && before.is_some_and(|&last| !is_scheme_byte(last) && !matches!(last, b',' | b'\''))
}

#[cfg(test)]
mod tests {
    use super::super::suffix::joined_is_file_name;
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
        fn byte_kinds_agree_with_naive_checks(
            path in "(/?[a-z1.?#%=]{0,3}){0,3}",
            core in "([a-zA-Z0-9]|[-'/.,:@=&#%?*(]|html|gz){1,9}",
        ) {
            let tail = Tail::new(core.as_bytes(), None);
            let core = std::str::from_utf8(tail.core).unwrap();
            prop_assert_eq!(tail.is_word(), is_word_naively(core));
            prop_assert_eq!(tail.has_suffix(), has_suffix(tail.core));
            let joined = [path.as_bytes(), tail.core].concat();
            prop_assert_eq!(joined_is_file_name(path.as_bytes(), tail.core), is_file_name(&joined));
            let is_joined = core.len() > 2 && core[1..core.len() - 1].contains('_');
            let is_mixed = core.len() >= 8
                && (is_joined || core.contains(|c: char| c.is_ascii_digit()))
                && core.matches(|c: char| c.is_ascii_alphabetic()).count() >= 2;
            prop_assert_eq!(tail.mixes_letters_and_digits(), is_mixed);
            let is_number = !(tail.is_alone && core.contains('/'))
                && core.chars().all(|c| c.is_ascii_digit() || "-.:/+,()%".contains(c));
            prop_assert_eq!(tail.is_number(), is_number);
        }
    }
}

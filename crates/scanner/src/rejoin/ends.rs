//! The two sides of a break: the end of the URL so far, and the token that may continue it.

use super::broken_host::{completes_host, is_host_cut, is_port};
use super::completion::{
    Completion, certainly_completes, is_message_id_domain, may_complete, starts_with_time,
};
use super::items::{ends_in_line_number, is_line_number, is_lower_hex};
use super::line_start::starts_separate_item;
use super::suffix::{has_suffix, is_file_name, last_segment};
use super::tail::{Tail, contains_url, is_another_url, kind, split_token};

/// The two sides of a break: the URL up to the break, and the token (first word) of the next line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends<'t> {
    /// The URL so far, on this line and those before it.
    pub(super) head: &'t [u8],
    /// The path, query and fragment of the URL so far; empty if it has none.
    pub(super) path: &'t [u8],
    pub(super) tail: Tail<'t>,
    /// True if the bracket or quote right before the URL closes right after the token.
    pub(super) closes: bool,
    completion: Completion,
    /// True if the break is inside the host name, and the token continues it.
    pub(super) host_continues: bool,
    /// The host of the URL so far, with user name and port.
    host: &'t [u8],
}

impl<'t> Ends<'t> {
    /// Describes the two sides of a break: `head` is the URL up to it, `tail` the token after it.
    /// `closes` is true if the bracket or quote right before the URL closes right after the token.
    /// Returns `None` if the token can't be part of the URL.
    pub(super) fn new(head: &'t [u8], tail: Tail<'t>, closes: bool) -> Option<Self> {
        // The first colon is followed by slashes, since the caller checked `has_slashes`.
        let colon = head.iter().position(|byte| *byte == b':').unwrap_or(head.len());
        let rest = head.get(colon + 3..).unwrap_or_default();
        let ends_host = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
        let host = rest.iter().position(ends_host).unwrap_or(rest.len());
        let (host, path) = rest.split_at(host);
        let is_host = path.is_empty();
        let core = tail.core;
        let completes_host = is_host && completes_host(host, core);
        let host_continues = completes_host
            || is_host
                && if host.ends_with(b":") {
                    is_port(core)
                } else if host.contains(&b'.') {
                    matches!(host, [.., b'.'] | [.., b'a'..=b'z', b'-'])
                        && core.first().is_some_and(u8::is_ascii_lowercase)
                        && !tail.is_word()
                        && core.iter().any(|byte| matches!(byte, b'.' | b'/'))
                        || is_host_cut(host, core)
                } else {
                    core.contains(&b'.') && core.first().is_some_and(u8::is_ascii_alphanumeric)
                };
        let completion = Completion::None;
        let ends = Self { head, path, tail, closes, completion, host_continues, host };
        // Check this first: it is cheap, and true for most tokens.
        if ends.token_is_separate_item() {
            return None;
        }
        let completion = if completes_host || !is_host && certainly_completes(head, path, &tail) {
            Completion::Unmistakable
        } else if may_complete(head, path, &tail, closes) {
            Completion::Likely
        } else {
            Completion::None
        };
        Some(Self { completion, ..ends })
    }

    /// True if the token after the break completes something that the URL before it has begun, such
    /// as a file's suffix.
    pub(super) fn token_completes_url(&self) -> bool {
        self.completion > Completion::None
    }

    /// True if the token after the break certainly completes the URL, for example as the second
    /// half of an escape.
    pub(super) fn token_certainly_completes_url(&self) -> bool {
        self.completion == Completion::Unmistakable
    }

    /// True if the URL is probably incomplete, because its last byte before the break is one that
    /// URLs hardly ever end with.
    pub(super) fn is_url_probably_incomplete(&self) -> bool {
        let is_open = self.head.last().is_some_and(|last| is_open_end(*last));
        // A question may end in a URL, and a dash may follow one.
        let asks = self.head.ends_with(b"?") && self.tail.is_word();
        is_open && !asks && !self.head.ends_with(b"--") && !self.head.ends_with(b"__")
    }

    /// True if the break is at a joint between two words of the URL. The URL ends there with a
    /// hyphen or underscore between two letters or digits, or the token starts with such an
    /// underscore.
    pub(super) fn is_at_joint(&self) -> bool {
        let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        match (self.head, self.tail.core) {
            ([.., a, b'-' | b'_'], [b, ..]) | ([.., a], [b'_', b, ..]) => {
                is_word(Some(a)) && is_word(Some(b))
            }
            _ => false,
        }
    }

    /// True if the break is inside a word of a name that is made of words joined by hyphens: on
    /// both sides, as in `#section-7-dep` + `osit-and-interest`, or before a suffix, as in
    /// `temperatur` + `e-and-wind.dat`. Sentences contain few such words.
    pub(super) fn is_within_joined_words(&self) -> bool {
        let core = self.tail.core;
        let is_of_name = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-';
        let is_joined = |part: &[u8]| memchr::memchr_iter(b'-', part).take(2).count() == 2;
        if self.tail.lacks_kinds(kind::JOINT)
            || !is_joined(core)
            || core[0] == b'-'
            || !self.path.last().is_some_and(u8::is_ascii_lowercase)
        {
            return false;
        }
        let ends_name = |byte: &u8| matches!(byte, b'/' | b'=' | b'?' | b'#' | b'&');
        let name = self.path.rsplit(ends_name).next().unwrap_or_default();
        let mut parts = core.splitn(2, |byte| *byte == b'.');
        let words = parts.next().unwrap_or_default();
        words.iter().all(is_of_name)
            && match parts.next() {
                Some(suffix) => {
                    matches!(suffix.len(), 2..=4)
                        && suffix.iter().all(u8::is_ascii_lowercase)
                        && !name.contains(&b'.')
                }
                None => is_joined(name),
            }
    }

    /// True if the break seems to be inside a word, and the rest of the word is long enough that
    /// another URL doesn't end with it by chance.
    pub(super) fn is_within_word(&self) -> bool {
        let core = self.tail.core;
        core.len() >= MIN_REST
            && core[0].is_ascii_lowercase()
            && self.path.last().is_some_and(u8::is_ascii_alphanumeric)
            && !self.tail.is_common_word()
    }

    /// True if the URL ends at the break with a hyphen between two letters or digits.
    fn is_at_hyphen(&self) -> bool {
        self.is_at_joint() && self.head.ends_with(b"-")
    }

    /// True if the URL ends at the break with a hyphen that a formatter may have inserted to divide
    /// a word. Formatters don't divide words before a digit, or before a capital that follows a
    /// small letter.
    pub(super) fn may_divide_word(&self) -> bool {
        let first = self.tail.core.first();
        let is_new_word = first.is_some_and(u8::is_ascii_uppercase)
            && matches!(self.head, [.., a, b'-'] if !a.is_ascii_uppercase());
        self.is_at_hyphen() && !is_new_word && !first.is_some_and(u8::is_ascii_digit)
    }

    /// True if the token after the break has a path or a query, but the URL before it is already in
    /// its fragment. A fragment contains neither, unless it is a route of a web application (`#/a`
    /// or `#!a`).
    pub(super) fn leaves_fragment(&self) -> bool {
        memchr::memchr3(b'/', b'=', b'&', self.tail.core).is_some()
            && memchr::memchr(b'#', self.path)
                .is_some_and(|at| !matches!(self.path.get(at + 1), Some(b'/' | b'!')))
    }

    /// True if the URL looks complete before the break: it is only a host, or ends in a file's
    /// suffix.
    pub(super) fn url_looks_complete(&self) -> bool {
        let goes_deeper =
            self.tail.core.first().is_some_and(|b| matches!(b, b'/' | b'?' | b'#' | b':'));
        let is_host = self.path.is_empty() && self.host.contains(&b'.') && !self.host_continues;
        (is_host || self.url_ends_in_file_suffix())
            && !goes_deeper
            && !self.is_url_probably_incomplete()
            && !self.token_completes_url()
    }

    /// True if the URL ends in a complete file suffix before the break, and the token could only
    /// make that suffix longer.
    pub(super) fn url_ends_in_whole_file_suffix(&self) -> bool {
        let first = self.tail.core.first();
        first.is_some_and(u8::is_ascii_alphanumeric)
            && (!self.closes || self.path.ends_with(b".git"))
            && !self.token_completes_url()
            && !matches!(self.head, [.., b'.', _])
            && self.url_ends_in_file_suffix()
    }

    /// True if the URL ends in a file's suffix before the break, and the token doesn't make that
    /// suffix longer.
    fn url_ends_in_file_suffix(&self) -> bool {
        // Suffixes end with a letter or digit.
        if !self.path.last().is_some_and(u8::is_ascii_alphanumeric) {
            return false;
        }
        let has_more = self.path.iter().any(|byte| matches!(byte, b'?' | b'#'));
        // One letter after a dot may be the start of a longer suffix.
        let may_grow = matches!(self.head, [.., b'.', _])
            && self.tail.is_alone
            && self.tail.core.first().is_some_and(u8::is_ascii_alphanumeric);
        !has_more && !may_grow && is_file_name(self.path)
    }

    /// True if the token after the break is a word of prose, and not the rest of a broken word.
    pub(super) fn token_is_word(&self) -> bool {
        let tail = &self.tail;
        let is_rest = tail.is_scrap() || (tail.is_alone && continues_run(self.head, tail.core));
        tail.is_word() && !is_rest && !self.token_completes_url() && !self.closes
    }

    /// True if the form of the token after the break shows that it is an item of its own, not part
    /// of the URL. Doesn't use `completion`, which isn't known yet.
    fn token_is_separate_item(&self) -> bool {
        let Self { head, tail, closes, .. } = *self;
        let core = tail.core;
        let is_query = |byte: &u8| matches!(byte, b'=' | b'&' | b'%');
        !closes
            && ((!self.host_continues && tail.is_list_entry())
                || tail.is_separate_item()
                || (tail.starts_with_encoded_text() && !ends_in_query_name(head))
                || (tail.starts_with_label() && !self.may_contain_label())
                || (tail.is_mail_address() && !self.ends_in_message_id()))
            || (core.starts_with(b"..") && !ends_in_digit(head))
            || (!closes
                && tail.is_dashed_number()
                && !(core.starts_with(b"-") && ends_in_digit(head)))
            || is_option(core)
            || (core.starts_with(b"?")
                && self.url_ends_in_file_suffix()
                && !core.iter().any(is_query))
            || (tail.starts_with_host_and_path()
                && !self.path.is_empty()
                && !self.is_url_probably_incomplete()
                && !last_segment(self.path).contains(&b'@'))
            || (self.path.is_empty() && head.ends_with(b"-") && !self.host_continues)
            || (!closes && self.token_assigns_value())
            || (core.contains(&b'#') && self.path.contains(&b'#'))
            || repeats_end(self.path, core)
            || (self.path.ends_with(b"/") && tail.is_bulk_mail_serial())
            || (!self.is_url_probably_incomplete() && self.token_is_remark())
            || (core.starts_with(b"+") && !self.path.contains(&b'?'))
    }

    /// True if the token after the break may be part of the URL, although it looks like a label.
    /// There are two cases:
    ///
    /// - The path of the URL contains another colon.
    /// - The token looks like the rest of a URL, and the colon at its end belongs to the sentence.
    ///
    /// The line before the token must also be full, which
    /// [`BreakContext::is_doubtful`](super::evidence::BreakContext::is_doubtful) checks.
    fn may_contain_label(&self) -> bool {
        let Tail { token, core, is_alone, .. } = self.tail;
        if token.ends_with(b":") {
            return is_alone
                && (self.tail.has_several_escapes()
                    || (self.head.ends_with(b".") && core.contains(&b'/')));
        }
        let is_in_word = self.head.last().is_some_and(u8::is_ascii_alphanumeric);
        is_in_word && self.path.contains(&b':')
    }

    /// True if the URL before the break ends with the start of a Message-ID: a hyphen after at
    /// least six digits, as in `20260118-2-`, or a date and a time, as in
    /// `20260118220910.1234-2-a.for`. An address after the break is then the rest of the Message-ID.
    fn ends_in_message_id(&self) -> bool {
        let name = last_segment(self.path);
        starts_with_time(name)
            || (self.is_at_hyphen()
                && name.iter().filter(|byte| byte.is_ascii_digit()).count() >= MIN_ID_DIGITS)
    }

    /// True if the token after the break is a separate remark: an enumerator, the number of a
    /// footnote, a constant or a commit. False if the URL breaks off in the middle of such an item.
    ///
    /// Also true for an item of a list in brackets, and after a URL that is finished.
    fn token_is_remark(&self) -> bool {
        let Self { head, tail, .. } = *self;
        let has_enumerator = tail.is_lone_enumerator() && !tail.closes;
        let is_footnote = matches!(head, [.., a, b'.'] if a.is_ascii_alphabetic());
        let splits_name =
            || continues_run(head, tail.core) || (head.ends_with(b"/") && tail.is_alone);
        (has_enumerator && !(ends_in_digit(head) && tail.token.ends_with(b".")))
            || (is_footnote && (tail.is_lone_number() || tail.is_lone_section_number()))
            || (tail.is_constant_name()
                && !splits_name()
                && !self.closes
                && !self.path.contains(&b'?'))
            || (tail.is_commit_hash() && ends_in_word(self.path))
            || self.joins_items_of_bracketed_list()
            || self.is_url_finished()
    }

    /// True if the URL ends before the break where URLs of its kind end. This may be at the line
    /// number of a file, at the end of a mail gateway's link, at a slash with a comma after it, or
    /// at a repository that a branch or tag follows.
    fn is_url_finished(&self) -> bool {
        let core = self.tail.core;
        let is_branch = !core.iter().any(|byte| matches!(byte, b'/' | b'?' | b'='))
            || core.starts_with(b"tags/")
            || core.starts_with(b"heads/");
        (ends_in_line_number(self.path) && !is_line_number(core))
            || self.path.ends_with(b"reserved=0")
            || self.path.ends_with(b"/,")
            || (self.path.ends_with(b".git/") && is_branch)
    }

    /// True if the URL and the token after the break are items of a list in brackets. The URL then
    /// ends with a comma, and a bracket closes after the token.
    fn joins_items_of_bracketed_list(&self) -> bool {
        let Tail { token, core, .. } = self.tail;
        self.head.ends_with(b",")
            && matches!(token[core.len()..], [b')' | b']', ..])
            && !core.first().is_some_and(u8::is_ascii_digit)
            && !self.tail.has_suffix()
    }

    /// True if the token after the break assigns a value to a name (`name=value`), and the URL has
    /// no query that this could belong to.
    fn token_assigns_value(&self) -> bool {
        let has_begun = self.path.iter().any(|byte| matches!(byte, b'?' | b';' | b'='));
        !has_begun && !self.is_url_probably_incomplete() && self.tail.assigns_value()
    }

    /// True if the token after the break is an item of a list. It is alone on its line, and the
    /// line below, `below`, is a single token of the same kind. `hangs` is true if the token is
    /// aligned with the URL.
    pub(super) fn token_is_list_item(&self, below: &[u8], hangs: bool) -> bool {
        if !self.tail.is_alone || below.is_empty() {
            return false;
        }
        let is_file = self.tail.has_suffix();
        let assigns = self.tail.may_assign_value() && is_assignment(self.tail.core);
        let is_path = !hangs && self.tail.core.starts_with(b"/");
        let is_host = self.tail.is_lone_host() && !self.path.is_empty();
        if !is_file && !assigns && !is_path && !is_host {
            return false;
        }
        let next = Tail::new(below, None);
        if is_host && (next.is_lone_host() || is_another_url(next.token)) {
            return true;
        }
        // A URL on the line below says nothing about this line.
        let is_url = contains_url(next.token);
        next.is_alone
            && !is_url
            && (is_file && next.has_suffix()
                || assigns && is_assignment(next.core)
                || is_path && next.core.starts_with(b"/"))
    }

    /// True if the token after the break has a file's suffix, and the part of the URL that it
    /// continues has none. That part is the URL's path, or a path within its query.
    pub(super) fn token_adds_suffix(&self) -> bool {
        self.tail.has_suffix() && {
            let query = memchr::memchr(b'?', self.path).map_or(&b""[..], |at| &self.path[at + 1..]);
            let part = if query.contains(&b'/') { query } else { self.path };
            !has_suffix(part)
        }
    }

    /// True if the token after the break is a capitalized name after a slash, as in a signature.
    pub(super) fn token_is_name_after_slash(&self) -> bool {
        let [b'/', first, rest @ ..] = self.tail.core else { return false };
        first.is_ascii_uppercase() && !rest.is_empty() && rest.iter().all(u8::is_ascii_lowercase)
    }
}

/// True if URLs hardly ever end with the byte `last`, so that a URL which ends with it probably
/// continues.
pub(super) const fn is_open_end(last: u8) -> bool {
    matches!(last, b'=' | b'&' | b'?' | b'%' | b'-' | b'_' | b'+' | b'#')
}

/// The minimum number of digits in the start of a Message-ID.
const MIN_ID_DIGITS: usize = 6;

/// True if `head`, the URL up to the break, ends in a digit.
fn ends_in_digit(head: &[u8]) -> bool {
    head.last().is_some_and(u8::is_ascii_digit)
}

/// True if `head`, the URL up to the break, ends in the name of a query field, without the equals
/// sign and the value.
pub(super) fn ends_in_query_name(head: &[u8]) -> bool {
    let Some(start) = memchr::memrchr2(b'?', b'&', head) else { return false };
    let name = &head[start + 1..];
    !name.is_empty()
        && head[..=start].contains(&b'?')
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// True if `next`, the text of the next line, is the rest of the URL `head`, although page furniture
/// may look the same. There are three cases: a slash alone on the line after a name, the equals sign
/// after the name of a query field, and the domain of a Message-ID.
pub(super) fn rest_resembles_furniture(head: &[u8], next: &[u8]) -> bool {
    match next {
        b"/" => head.last().is_some_and(u8::is_ascii_alphanumeric),
        b"=" => ends_in_query_name(head),
        [b'@', ..] => is_message_id_domain(head, Tail::new(next, None).core),
        _ => false,
    }
}

/// True if a URL that was broken at a soft break of quoted-printable may continue with `next`, the
/// text of the next line. False if `next` is a separate item, or starts with another URL or an
/// equals sign.
pub(super) fn continues_after_soft_break(next: &[u8]) -> bool {
    !next.starts_with(b"=") && !starts_separate_item(next) && !is_another_url(split_token(next).0)
}

/// True if `path` ends in a word without digits that isn't the start of a hexadecimal number.
fn ends_in_word(path: &[u8]) -> bool {
    let run = path.rsplit(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
    !run.is_empty() && !run.iter().any(u8::is_ascii_digit) && !is_lower_hex(run)
}

/// The minimum length of the rest of a word that a twin may end with, in bytes.
const MIN_REST: usize = 3;

/// True if a run of digits or of capitals continues over the break, from the end of `head` to the
/// start of `core`.
fn continues_run(head: &[u8], core: &[u8]) -> bool {
    let [.., a, b] = head else { return false };
    let both = |is: fn(&u8) -> bool| {
        let follows = |byte: &u8| is(byte) || byte.is_ascii_digit();
        is(a) && is(b) && core.first().is_some_and(is) && core.get(1).is_none_or(follows)
    };
    both(u8::is_ascii_digit) || both(u8::is_ascii_uppercase)
}

/// True if `core`, a token, is a command line option, the name after a dash in a signature, or a
/// telephone number.
fn is_option(core: &[u8]) -> bool {
    match core {
        [b'-', rest @ ..] => {
            let name = rest.split(|&byte| byte == b'=').next().unwrap_or_default();
            rest.len() < 3 || rest[0] == b'-' || name.iter().all(u8::is_ascii_alphabetic)
        }
        [b'+', rest @ ..] => {
            rest.iter().all(|byte| byte.is_ascii_digit() || b"-.()/".contains(byte))
        }
        _ => false,
    }
}

/// True if `core`, a token, has the form `NAME=value`.
fn is_assignment(core: &[u8]) -> bool {
    let Some(equals) = memchr::memchr(b'=', core) else { return false };
    let is_of_name = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    equals > 2 && core[..equals].iter().all(is_of_name)
}

/// True if `core`, a token, repeats the end of the URL before it, as the items of a list do. There
/// are three cases: `core` and the last segment of `path` start with the same letters, `path` ends
/// with the whole of `core`, or both have the same long ending (`/a-447438-969225/` and
/// `b-447438-969225/`).
fn repeats_end(path: &[u8], core: &[u8]) -> bool {
    if is_run_of_one_escape(core) {
        return false;
    }
    if core.len() >= MIN_REPEATED && path.ends_with(core) {
        return true;
    }
    // A query may contain the same value twice.
    let is_of_query = core.iter().any(|byte| matches!(byte, b'=' | b'&' | b'%' | b'?'));
    let alike = path.iter().rev().zip(core.iter().rev()).take_while(|(a, b)| a == b).count();
    if alike >= MIN_ALIKE && !is_of_query {
        return true;
    }
    // A name that ends with a hyphen is incomplete: `pc-client-work-` + `pc-client-a/`.
    let Some(head) = core.first_chunk::<4>().filter(|_| !path.ends_with(b"-")) else {
        return false;
    };
    let name = path.rsplit(|&byte| matches!(byte, b'/' | b'=' | b'?')).next().unwrap_or_default();
    name.first_chunk::<4>().is_some_and(|name| name.eq_ignore_ascii_case(head))
}

/// True if `core` starts with the same escape twice, as in `%20%20`. Such a run may be broken
/// anywhere.
fn is_run_of_one_escape(core: &[u8]) -> bool {
    matches!(core, [b'%', a, b, b'%', c, d, ..] if a == c && b == d)
}

/// The minimum length of a token that the end of a URL doesn't repeat by chance, in bytes.
const MIN_REPEATED: usize = 8;
/// The minimum length, in bytes, of a common ending of a URL and the token after it that isn't a
/// coincidence.
const MIN_ALIKE: usize = 12;

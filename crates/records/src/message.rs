//! Messages: what is said of them in records, and which of them are wanted.

use crate::fields::{Field, message as field};
use urlsift_archive::{self as archive, DateSource};
use urlsift_core::{FileSpan, hidden, passwords_in_text};

/// The message that a URL stands in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Its Message-ID, with the angle brackets.
    pub id: Option<Vec<u8>>,
    /// When it was sent, in UTC, as RFC 3339 writes it.
    pub date: Option<String>,
    /// What tells it.
    pub date_source: Option<DateSource>,
    /// The `Date` field as it stands, where it does not tell the date.
    pub date_raw: Option<Vec<u8>>,
    /// The newsgroups it was posted to.
    pub newsgroups: Vec<Vec<u8>>,
    /// The identifier of its mailing list.
    pub list: Option<Vec<u8>>,
    /// The domain of its sender, where that was asked for.
    pub from_domain: Option<Vec<u8>>,
    /// The number of the part that holds the URL: see [`archive::Origin::part`].
    pub part: String,
    /// Where it stands in the file, its envelope line included.
    pub span: FileSpan,
    /// The names of the fields that are not whole, because the header's field is longer than 4,096 bytes.
    pub cut: Vec<&'static str>,
}

/// The most bytes of a header's field that a record holds: one field of a message stands in the records of
/// all its URLs.
const MOST_OF_FIELD: usize = 4096;

impl Message {
    /// What records say of `message`, in the part of that number, its sender's domain only where that is asked
    /// for, with passwords or without.
    pub(crate) fn new(
        message: &archive::Message<'_>,
        part: &str,
        from_domain: bool,
        masks: bool,
    ) -> Self {
        let shown = |field: &[u8]| {
            let secrets = if masks { passwords_in_text(field) } else { Vec::new() };
            hidden(field, &secrets).into_owned()
        };
        let date = message.date();
        let mut cut = Vec::new();
        let mut start_of = |field: &Field, value: &[u8]| {
            let value = shown(value);
            let kept = start_of(&value);
            if kept.len() < value.len() {
                cut.push(field.name);
            }
            kept.to_vec()
        };
        let id = message.id().map(|id| start_of(&field::ID, id));
        let is_told = matches!(date.source, Some(DateSource::Date | DateSource::Page));
        let date_raw = Some(date.raw).filter(|raw| !is_told && !raw.is_empty());
        let date_raw = date_raw.map(|raw| start_of(&field::DATE_RAW, &raw));
        let list = message.list().map(|list| start_of(&field::LIST, list));
        let domain = if from_domain { message.from_domain() } else { None };
        let from_domain = domain.map(|domain| start_of(&field::FROM_DOMAIN, domain));
        // Names are whole.
        let (all, mut bytes) = (message.newsgroups(), 0);
        let newsgroups: Vec<_> = all
            .iter()
            .map(|name| shown(name))
            .take_while(|name| {
                bytes += name.len() + 1;
                bytes <= MOST_OF_FIELD
            })
            .collect();
        if newsgroups.len() < all.len() {
            cut.push(field::NEWSGROUPS.name);
        }
        let (part, span) = (part.to_owned(), message.span);
        let (date, date_source) = (date.utc, date.source);
        Self { id, date, date_source, date_raw, newsgroups, list, from_domain, part, span, cut }
    }
}

/// As much of a field's value as a record holds; what is UTF-8 ends with a whole character.
fn start_of(value: &[u8]) -> &[u8] {
    if value.len() <= MOST_OF_FIELD {
        return value;
    }
    let goes_on = |&at: &usize| value[at] & 0xC0 == 0x80;
    let end = (MOST_OF_FIELD - 3..=MOST_OF_FIELD).rev().find(|at| !goes_on(at));
    &value[..end.unwrap_or(MOST_OF_FIELD)]
}

/// Which messages are wanted. The default wants all of them, and what is no message, too.
#[derive(Clone, Debug, Default)]
pub struct MessageFilter {
    /// The first moment that is wanted, as RFC 3339 writes it in UTC: texts of that kind compare
    /// as their moments do.
    since: Option<String>,
    /// The last moment that is wanted, with `~` behind it, which sorts behind everything that the
    /// moment can go on with.
    until: Option<String>,
    /// Whether messages without a date that can be read pass.
    undated: bool,
    newsgroups: Vec<String>,
    lists: Vec<String>,
}

/// A date that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDate;

impl std::fmt::Display for UnknownDate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            "there is no such date: write 1994, 1994-12, 1994-12-01 or 1994-12-01T10:00:00Z",
        )
    }
}

impl std::error::Error for UnknownDate {}

impl MessageFilter {
    /// Only messages of this moment, day, month or year, or later: `1994`, `1994-12`, `1994-12-01`
    /// or `1994-12-01T10:00:00Z`.
    ///
    /// # Errors
    ///
    /// If it is no such date.
    pub fn since(mut self, date: &str) -> Result<Self, UnknownDate> {
        self.since = Some(moment(date)?);
        Ok(self)
    }

    /// Only messages of this moment, day, month or year, or earlier.
    ///
    /// # Errors
    ///
    /// If it is no date as [`MessageFilter::since`] takes them.
    pub fn until(mut self, date: &str) -> Result<Self, UnknownDate> {
        self.until = Some(moment(date)? + "~");
        Ok(self)
    }

    /// Also messages without a date that can be read, where dates are asked for.
    #[must_use]
    pub fn undated(mut self, pass: bool) -> Self {
        self.undated = pass;
        self
    }

    /// Only articles posted to a newsgroup that matches one of the patterns, in which `*` stands for
    /// any bytes and `?` for one.
    #[must_use]
    pub fn newsgroups(mut self, patterns: Vec<String>) -> Self {
        self.newsgroups = patterns;
        self
    }

    /// Only messages of a mailing list whose `List-Id` matches one of the patterns. An `@`, as in the list's address,
    /// stands for the dot that the identifier has there.
    #[must_use]
    pub fn lists(mut self, patterns: Vec<String>) -> Self {
        self.lists = patterns.into_iter().map(|pattern| pattern.replace('@', ".")).collect();
        self
    }

    /// Whether every message is wanted, and what is no message too.
    pub fn is_empty(&self) -> bool {
        !self.asks_for_dates() && self.newsgroups.is_empty() && self.lists.is_empty()
    }

    fn asks_for_dates(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }

    /// Whether dates are asked for, and the message has none that can be read.
    pub(crate) fn misses_date(&self, message: &archive::Message<'_>) -> bool {
        self.asks_for_dates() && message.date().utc.is_none()
    }

    /// Whether a message is wanted.
    pub(crate) fn wants(&self, message: &archive::Message<'_>) -> bool {
        let is_outside = |date: String| {
            self.since.as_ref().is_some_and(|since| date < *since)
                || self.until.as_ref().is_some_and(|until| date > *until)
        };
        if self.asks_for_dates() && message.date().utc.map_or(!self.undated, is_outside) {
            return false;
        }
        let matches = |patterns: &[String], name: &[u8]| {
            patterns.iter().any(|pattern| is_match(pattern.as_bytes(), name))
        };
        (self.newsgroups.is_empty()
            || message.newsgroups().iter().any(|name| matches(&self.newsgroups, name)))
            && (self.lists.is_empty()
                || message.list().is_some_and(|name| matches(&self.lists, name)))
    }
}

/// A date in the shape of those of messages, or the start of one.
fn moment(text: &str) -> Result<String, UnknownDate> {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let known = ["0000", "0000-00", "0000-00-00", "0000-00-00T00:00Z", "0000-00-00T00:00:00Z"];
    let in_range = |from: usize, low: u32, high: u32| {
        text.get(from..from + 2).is_none_or(|digits| {
            digits.parse::<u32>().is_ok_and(|number| (low..=high).contains(&number))
        })
    };
    let number = |from: usize, to: usize| text.get(from..to).and_then(|digits| digits.parse().ok());
    let (year, month): (u32, u32) = (number(0, 4).unwrap_or(0), number(5, 7).unwrap_or(1));
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !known.contains(&shape.as_str()) || !in_range(5, 1, 12) || !in_range(8, 1, days) {
        return Err(UnknownDate);
    }
    Ok(text.trim_end_matches('Z').to_owned())
}

/// Whether a name matches a pattern of `*` (anything), `?` (one byte) and other bytes, which stand
/// for themselves in either case. Linear but for the product of stars and bytes.
fn is_match(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&byte) if byte == b'?' || byte.eq_ignore_ascii_case(&name[n]) => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                (p, n) = (at + 1, taken + 1);
            }
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::{is_match, moment};
    use crate::{FileName, Options, Unit, collect};
    use std::sync::Arc;

    #[test]
    fn long_fields_are_cut_and_the_record_says_so() {
        // 4,095 letters before it: the character would end behind the limit.
        let id = format!("<{}\u{e9}{}@h>", "a".repeat(4094), "b".repeat(9000));
        let groups = format!("comp.a,{},comp.c", "b".repeat(4086));
        let raw = format!(
            "From: a@b.dom\nMessage-ID: {id}\nNewsgroups: {groups},comp.d\nDate: {}\nList-Id: <l.dom>\n\n\
             http://h.dom/a http://h.dom/b\n",
            "y".repeat(5000),
        );
        let file = Arc::new(FileName::default());
        let unit = Unit::whole(&file, raw.as_bytes(), urlsift_archive::Reading::Auto);
        let records = collect(raw.as_bytes(), &unit, &Options::default());
        assert_eq!(records.len(), 2);
        let message = records[0].message.as_deref().unwrap();
        assert_eq!(message.id.as_deref(), Some(&id.as_bytes()[..4095]));
        assert_eq!(message.date_raw.as_ref().map(Vec::len), Some(4096));
        assert_eq!(message.list.as_deref(), Some(&b"l.dom"[..]));
        assert_eq!(message.newsgroups.len(), 2);
        assert_eq!(message.cut, ["id", "date_raw", "newsgroups"]);
        assert!(Arc::ptr_eq(message, records[1].message.as_deref().unwrap()));
        let mut line = Vec::new();
        records[0].write_json(&mut line);
        let line = String::from_utf8(line).unwrap();
        assert!(line.ends_with(",\"cut\":[\"id\",\"date_raw\",\"newsgroups\"]}}\n"), "{line}");
    }

    #[test]
    fn patterns() {
        for (pattern, name, matches) in [
            ("comp.*", "comp.lang.c", true),
            ("comp.*", "Comp.lang", true),
            ("comp.*", "news.comp.x", false),
            ("*.c", "comp.lang.c", true),
            ("*.l?ng.*", "comp.lang.c", true),
            ("a*a*a", "aa", false),
            ("", "", true),
            ("x", "", false),
            ("**", "x", true),
        ] {
            assert_eq!(is_match(pattern.as_bytes(), name.as_bytes()), matches, "{pattern} {name}");
        }
    }

    #[test]
    fn dates() {
        let until = |text| moment(text).unwrap() + "~";
        let since = |text| moment(text).unwrap();
        let date = "1994-12-01T10:00:00Z".to_owned();
        for (text, after, before) in [
            ("1994", true, true),
            ("1995", false, true),
            ("1994-11", true, false),
            ("1994-12-01", true, true),
            ("1994-12-01T10:00:00Z", true, true),
            ("1994-12-01T09:59:59Z", true, false),
            ("1994-12-01T10:00:01Z", false, true),
        ] {
            assert_eq!(date >= since(text), after, "since {text}");
            assert_eq!(date <= until(text), before, "until {text}");
        }
        for wrong in ["94", "1994-13", "1994-00", "1994-12-32", "1994/12/01", "", "yesterday"] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }
}

//! Selects the messages to scan by date, newsgroup and mailing list.

use urlsift_archive::{self as archive, Utc};

/// A filter that selects the messages to scan, by date, newsgroup and mailing list. The default
/// filter accepts all messages, and also text that is not in a message.
///
/// ```
/// use urlsift_records::{Input, MessageFilter, Options, Scan};
/// let filter = MessageFilter::default().since("1994-12")?.until("1994")?;
/// assert!(!filter.is_empty() && MessageFilter::default().newsgroups(Vec::new()).is_empty());
/// let mut options = Options::default();
/// options.messages = filter.undated(false).lists(vec!["talk@lists.*".to_owned()]);
/// let raw = b"From a Thu Dec  1 10:00:00 1994\nDate: 1 Dec 1994 10:00 GMT\nList-Id: <talk.lists.dom>\n\nhttp://host.dom/\n\n\
///             From a Thu Dec  1 10:00:00 1995\nDate: 1 Dec 1995 10:00 GMT\nList-Id: <talk.lists.dom>\n\nhttp://host.dom/\n";
/// let mut found = Vec::new();
/// Scan::new(options).read(Input::from_bytes("talk.mbox", raw), &mut found).unwrap();
/// assert_eq!(found.len(), 1);
/// # Ok::<(), urlsift_records::UnknownDate>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MessageFilter {
    /// The earliest accepted time, in RFC 3339 format and UTC. Such texts sort chronologically.
    since: Option<String>,
    /// The latest accepted time or the start of it, followed by `~`, which sorts after all
    /// characters of a date. So `1994-12~` includes all of December.
    until: Option<String>,
    /// True if messages without a readable date are accepted.
    undated: bool,
    /// Patterns for newsgroups; empty if any is accepted.
    newsgroups: Vec<String>,
    /// Patterns for mailing lists; empty if any is accepted.
    lists: Vec<String>,
}

/// The result of checking a message against the filter.
pub(crate) struct Checked {
    /// True if the filter has a date and the message has no readable date.
    pub(crate) misses_date: bool,
    /// True if the filter accepts the message.
    pub(crate) is_wanted: bool,
}

/// The error for a date that is not in one of the accepted formats.
///
/// ```
/// use urlsift_records::{MessageFilter, UnknownDate};
/// assert_eq!(MessageFilter::default().since("last week").unwrap_err(), UnknownDate);
/// assert!(UnknownDate.to_string().contains("write 1994, 1994-12"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDate;

impl std::fmt::Display for UnknownDate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not a valid date: write 1994, 1994-12, 1994-12-01 or 1994-12-01T10:00:00Z")
    }
}

impl std::error::Error for UnknownDate {}

impl MessageFilter {
    /// Accepts only messages sent in or after this year, month, day or time: `1994`, `1994-12`,
    /// `1994-12-01` or `1994-12-01T10:00:00Z`.
    ///
    /// # Errors
    ///
    /// Fails if `date` is not in one of these formats.
    pub fn since(mut self, date: &str) -> Result<Self, UnknownDate> {
        self.since = Some(normalize_date(date)?);
        Ok(self)
    }

    /// Accepts only messages sent before the end of this year, month, day or time.
    ///
    /// # Errors
    ///
    /// Fails if `date` is not in a format that [`MessageFilter::since`] accepts.
    pub fn until(mut self, date: &str) -> Result<Self, UnknownDate> {
        self.until = Some(normalize_date(date)? + "~");
        Ok(self)
    }

    /// Sets whether messages without a readable date are accepted if the filter has an earliest or
    /// latest date. By default, they are rejected.
    #[must_use]
    pub fn undated(mut self, are_accepted: bool) -> Self {
        self.undated = are_accepted;
        self
    }

    /// Accepts only articles posted to a newsgroup that matches at least one of the patterns. In a
    /// pattern, `*` matches any bytes and `?` one byte.
    #[must_use]
    pub fn newsgroups(mut self, patterns: Vec<String>) -> Self {
        self.newsgroups = patterns;
        self
    }

    /// Accepts only messages of a mailing list whose `List-Id` matches at least one of the
    /// patterns.
    ///
    /// An `@` in a pattern matches a dot, so the list's address can be used: `www-talk@w3.org`
    /// matches the identifier `www-talk.w3.org`.
    #[must_use]
    pub fn lists(mut self, patterns: Vec<String>) -> Self {
        self.lists = patterns.into_iter().map(|pattern| pattern.replace('@', ".")).collect();
        self
    }

    /// True if the filter accepts every message, and also text that is not in a message.
    pub fn is_empty(&self) -> bool {
        !self.has_date_filter() && self.newsgroups.is_empty() && self.lists.is_empty()
    }

    /// True if [`MessageFilter::since`] or [`MessageFilter::until`] has set a date.
    fn has_date_filter(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }

    /// Checks whether the filter accepts a message. Takes linear time in the length of its header.
    pub(crate) fn check(&self, message: &archive::Message<'_>) -> Checked {
        let date = if self.has_date_filter() { message.date().utc } else { None };
        let misses_date = self.has_date_filter() && date.is_none();
        Checked { misses_date, is_wanted: self.accepts(message, date) }
    }

    /// True if the filter accepts `message`, which was sent on `date`. `date` may be `None` if the
    /// filter has no date.
    fn accepts(&self, message: &archive::Message<'_>, date: Option<Utc>) -> bool {
        let is_outside = |date: Utc| {
            let date = date.to_rfc3339();
            self.since.as_ref().is_some_and(|since| &date[..] < since.as_bytes())
                || self.until.as_ref().is_some_and(|until| &date[..] > until.as_bytes())
        };
        if self.has_date_filter() && date.map_or(!self.undated, is_outside) {
            return false;
        }
        let matches = |patterns: &[String], name: &[u8]| {
            patterns.iter().any(|pattern| matches_pattern(pattern.as_bytes(), name))
        };
        (self.newsgroups.is_empty()
            || message.newsgroups().iter().any(|name| matches(&self.newsgroups, name)))
            && (self.lists.is_empty()
                || message.list_id().is_some_and(|name| matches(&self.lists, name)))
    }
}

/// Checks the syntax of a date, which may consist of only a year, month or day. Returns the date
/// without a final `Z`.
fn normalize_date(text: &str) -> Result<String, UnknownDate> {
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

/// True if `name` matches `pattern`, ignoring case. In the pattern, `*` matches any bytes and `?`
/// matches one byte.
///
/// Takes time proportional to the number of stars times the length of the name.
fn matches_pattern(pattern: &[u8], name: &[u8]) -> bool {
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
    use super::{matches_pattern, normalize_date};

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
            assert_eq!(
                matches_pattern(pattern.as_bytes(), name.as_bytes()),
                matches,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn dates() {
        let until = |text| normalize_date(text).unwrap() + "~";
        let since = |text| normalize_date(text).unwrap();
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
            assert!(normalize_date(wrong).is_err(), "{wrong}");
        }
    }
}

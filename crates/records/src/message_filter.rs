//! Selects the messages to scan by date, newsgroup, mailing list, sender and subject.

use crate::patterns::Patterns;
use urlsift_archive::{self as archive, Utc};

/// A filter that selects the messages to scan, by date, newsgroup, mailing list, sender and
/// subject. The default filter accepts all messages, and also text that is not in a message.
///
/// In a pattern, `*` matches any bytes, `?` matches one byte, and a `!` at the start negates the
/// pattern. Case is ignored. A property is accepted if both of these are true:
///
/// - No negated pattern matches it.
/// - At least one of the other patterns matches it, or there are no other patterns.
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
    newsgroups: Patterns,
    lists: Patterns,
    senders: Patterns,
    subjects: Patterns,
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

    /// Sets whether messages without a readable date, and text outside messages, are accepted if
    /// the filter has an earliest or latest date. By default, they are rejected.
    #[must_use]
    pub fn undated(mut self, are_accepted: bool) -> Self {
        self.undated = are_accepted;
        self
    }

    /// Accepts only articles whose newsgroups match the patterns.
    #[must_use]
    pub fn newsgroups(mut self, patterns: Vec<String>) -> Self {
        self.newsgroups = Patterns::new(patterns, |pattern| pattern.into());
        self
    }

    /// Accepts only messages whose `List-Id` matches the patterns.
    ///
    /// An `@` in a pattern matches a dot, so the list's address can be used: `www-talk@w3.org`
    /// matches the identifier `www-talk.w3.org`.
    #[must_use]
    pub fn lists(mut self, patterns: Vec<String>) -> Self {
        self.lists = Patterns::new(patterns, |pattern| pattern.replace('@', ".").into());
        self
    }

    /// Accepts only messages whose sender matches the patterns. A pattern must match either the
    /// address in the `From` field or the whole field.
    ///
    /// ```
    /// use urlsift_records::{Input, MessageFilter, Options, Scan};
    /// let mut options = Options::default();
    /// options.messages = MessageFilter::default()
    ///     .senders(vec!["*@host.dom".to_owned(), "!bot@*".to_owned()])
    ///     .subjects(vec!["*url*".to_owned()]);
    /// let raw = b"From: Joe <joe@host.dom>\nSubject: URLs in print\nDate: 1 Dec 1994\n\nhttp://host.dom/\n";
    /// let mut found = Vec::new();
    /// Scan::new(options).read(Input::from_bytes("1.eml", raw), &mut found).unwrap();
    /// assert_eq!(found.len(), 1);
    /// ```
    #[must_use]
    pub fn senders(mut self, patterns: Vec<String>) -> Self {
        self.senders = Patterns::new(patterns, |pattern| pattern.into());
        self
    }

    /// Accepts only messages whose subject matches the patterns.
    #[must_use]
    pub fn subjects(mut self, patterns: Vec<String>) -> Self {
        self.subjects = Patterns::new(patterns, |pattern| pattern.into());
        self
    }

    /// True if the earliest accepted date is later than the latest one. The filter then accepts no
    /// date.
    pub(crate) fn is_reversed(&self) -> bool {
        self.since.as_ref().zip(self.until.as_ref()).is_some_and(|(since, until)| since > until)
    }

    /// True if the filter accepts text outside messages. The filter treats such text as a message
    /// without a date and without header fields.
    ///
    /// ```
    /// use urlsift_records::MessageFilter;
    /// let filter = MessageFilter::default().since("1994")?;
    /// assert!(!filter.accepts_other_text() && filter.undated(true).accepts_other_text());
    /// # Ok::<(), urlsift_records::UnknownDate>(())
    /// ```
    pub fn accepts_other_text(&self) -> bool {
        let patterns = [&self.newsgroups, &self.lists, &self.senders, &self.subjects];
        (self.undated || !self.has_date_filter())
            && patterns.iter().all(|patterns| patterns.accept(&[]))
    }

    /// True if the filter accepts every message, and also text that is not in a message.
    pub fn is_empty(&self) -> bool {
        let patterns = [&self.newsgroups, &self.lists, &self.senders, &self.subjects];
        !self.has_date_filter() && patterns.iter().all(|patterns| patterns.is_empty())
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
        (self.newsgroups.is_empty() || self.newsgroups.accept(&message.newsgroups()))
            && (self.lists.is_empty() || self.lists.accept(message.list_id().as_slice()))
            && (self.subjects.is_empty() || self.subjects.accept(&[&message.decoded_subject()]))
            && (self.senders.is_empty() || self.accepts_sender_of(message))
    }

    /// True if the sender of `message` matches the patterns for senders.
    fn accepts_sender_of(&self, message: &archive::Message<'_>) -> bool {
        let address = message.from_address().map(|(local, domain)| [local, b"@", domain].concat());
        let field = message.decoded_from();
        let names = [Some(field.as_slice()), address.as_deref()];
        self.senders.accept(&names.into_iter().flatten().collect::<Vec<_>>())
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
    let is_day = in_range(5, 1, 12) && in_range(8, 1, days);
    // A leap second is the 61st second of its minute.
    let is_time = in_range(11, 0, 23) && in_range(14, 0, 59) && in_range(17, 0, 60);
    if !known.contains(&shape.as_str()) || !is_day || !is_time {
        return Err(UnknownDate);
    }
    Ok(text.trim_end_matches('Z').to_owned())
}

#[cfg(test)]
mod tests {
    use super::{MessageFilter, normalize_date};

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
        for time in ["24:00Z", "25:00:00Z", "10:60Z", "10:00:61Z"] {
            assert!(normalize_date(&format!("1994-12-01T{time}")).is_err(), "{time}");
        }
        let range = |since, until| {
            MessageFilter::default().since(since).unwrap().until(until).unwrap().is_reversed()
        };
        assert!(range("1995", "1994-12-31") && range("1994-12-01T10:00Z", "1994-12-01T09:59Z"));
        assert!(!range("1994-12", "1994") && !range("1994", "1994") && !range("1994", "1994-06"));
    }
}

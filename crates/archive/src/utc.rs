//! Times in UTC.

use core::fmt;
use core::num::NonZeroU64;

/// The number of days before the first of each month in a common year.
const DAYS_BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/// A time in UTC with a precision of seconds, up to the year 9999.
///
/// ```
/// use std::ops::ControlFlow;
/// use urlsift_archive::{Container, Options, documents};
///
/// let raw = b"Date: Thu, 1 Dec 1994 10:00:00 +0100\n\nHello\n";
/// documents(raw, Container::Message, 0, &Options::default(), &mut |document| {
///     let time = document.origin.message.unwrap().date().utc.unwrap();
///     assert_eq!((time.year(), time.month(), time.timestamp()), (1994, 12, 786_272_400));
///     assert_eq!(time.to_rfc3339(), *b"1994-12-01T09:00:00Z");
///     assert_eq!(time.to_string(), "1994-12-01T09:00:00Z");
///     ControlFlow::Continue(())
/// });
/// ```
// The lower five bytes are the month, day, hour, minute and second, and the bytes above are the
// year. So the numbers compare like the times. The month is never 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Utc(NonZeroU64);

impl Utc {
    /// Returns the time `seconds` after midnight of a day. `month` counts from 0. `seconds` may be
    /// negative or longer than a day. Returns `None` if the year is out of range.
    pub(crate) fn new(year: i64, month: usize, day: i64, seconds: i64) -> Option<Self> {
        let mut date = (year, month, day);
        let clock = seconds.rem_euclid(86_400);
        if clock != seconds {
            date = date_from_days(days_since_epoch(year, month, day) + seconds.div_euclid(86_400));
        }
        let (year, month, day) = date;
        let month = i64::try_from(month).ok()? + 1;
        let parts = [month, day, clock / 3600, clock / 60 % 60, clock % 60];
        let packed = parts.into_iter().fold(year, |packed, part| packed << 8 | part);
        u64::try_from(packed).ok().and_then(NonZeroU64::new).map(Self)
    }

    /// Returns the year.
    #[inline]
    pub fn year(self) -> u16 {
        let [_, high, low, ..] = self.0.get().to_be_bytes();
        u16::from_be_bytes([high, low])
    }

    /// Returns the month, from 1 to 12.
    #[inline]
    pub fn month(self) -> u8 {
        self.month_to_second()[0]
    }

    /// Returns the month (from 1), day, hour, minute and second.
    #[inline]
    fn month_to_second(self) -> [u8; 5] {
        let [_, _, _, parts @ ..] = self.0.get().to_be_bytes();
        parts
    }

    /// Returns the time `seconds` after the start of 1 January 1970, or before it if the number is
    /// negative. Returns `None` if the year is not between 1 and 9999.
    ///
    /// ```
    /// use urlsift_archive::Utc;
    /// let time = Utc::parse(b"1 Dec 94 10:00 GMT").unwrap();
    /// assert_eq!(Utc::from_timestamp(time.timestamp()), Some(time));
    /// assert_eq!(Utc::from_timestamp(i64::MAX), None);
    /// ```
    pub fn from_timestamp(seconds: i64) -> Option<Self> {
        if !(-62_135_596_800..=253_402_300_799).contains(&seconds) {
            return None;
        }
        Self::new(1970, 0, 1, seconds)
    }

    /// Returns the number of seconds since 1 January 1970, which is negative for earlier times.
    pub fn timestamp(self) -> i64 {
        let [_, day, hour, minute, second] = self.month_to_second().map(i64::from);
        let month = usize::from(self.month()).saturating_sub(1);
        days_since_epoch(self.year().into(), month, day) * 86_400
            + hour * 3600
            + minute * 60
            + second
    }

    /// Formats the time as in RFC 3339, in ASCII: `1994-12-01T10:00:00Z`.
    pub fn to_rfc3339(self) -> [u8; 20] {
        // This is called for every message, and `format!` takes many times as long.
        let mut text = *b"0000-00-00T00:00:00Z";
        let [month, day, hour, minute, second] = self.month_to_second();
        let (century, year) = (self.year() / 100 % 100, self.year() % 100);
        let [century, year] = [century, year].map(|n| u8::try_from(n).unwrap_or_default());
        for (at, number) in
            [(0, century), (2, year), (5, month), (8, day), (11, hour), (14, minute), (17, second)]
        {
            if let Some([tens, ones]) = text.get_mut(at..at + 2) {
                *tens += number / 10;
                *ones += number % 10;
            }
        }
        text
    }
}

impl fmt::Display for Utc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.to_rfc3339()).unwrap_or_default())
    }
}

impl fmt::Debug for Utc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Returns the number of days in the month `month`, counted from 0, of a year.
pub(crate) const fn days_in_month(year: i64, month: usize) -> i64 {
    match month {
        1 => 28 + is_leap(year) as i64,
        3 | 5 | 8 | 10 => 30,
        _ => 31,
    }
}

/// Returns the number of days from 1 January 1970 to a date, which is negative for earlier dates.
/// `month` counts from 0.
fn days_since_epoch(year: i64, month: usize, day: i64) -> i64 {
    let before = year - 1;
    let leaps = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    let passed = DAYS_BEFORE.get(month).copied().unwrap_or(0);
    let this = i64::from(month > 1 && is_leap(year));
    before * 365 + leaps - 719_162 + passed + this + day - 1
}

/// Returns the year, month (from 0) and day of the date `days_passed` days after 1 January 1970.
fn date_from_days(days_passed: i64) -> (i64, usize, i64) {
    let mut left = days_passed;
    // The estimate is at most a year off, so there are only a few steps.
    let mut year = 1970 + left / 366;
    if left < 0 {
        year -= 1;
    }
    left -= days_since_epoch(year, 0, 1);
    loop {
        let length = 365 + i64::from(is_leap(year));
        if left < 0 {
            year -= 1;
            left += 365 + i64::from(is_leap(year));
        } else if left >= length {
            left -= length;
            year += 1;
        } else {
            break;
        }
    }
    let start = |month: usize| {
        DAYS_BEFORE.get(month).copied().unwrap_or(0) + i64::from(month > 1 && is_leap(year))
    };
    let month = (0..12).rev().find(|&month| start(month) <= left).unwrap_or(0);
    (year, month, left - start(month) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_round_trip() {
        for n in (-700_000..2_900_000_i64).step_by(97) {
            let (year, month, day) = date_from_days(n);
            assert_eq!(days_since_epoch(year, month, day), n);
            let time = Utc::new(year, month, day, 3661).unwrap();
            assert_eq!(time.timestamp(), n * 86_400 + 3661);
            let text = format!("{year:04}-{:02}-{day:02}T01:01:01Z", month + 1);
            assert_eq!(time.to_string(), text);
            assert_eq!(Utc::new(1970, 0, 1, n * 86_400 + 3661), Some(time));
        }
    }

    #[test]
    fn times_compare_like_their_texts() {
        let times =
            [(1994, 0, 31, -1), (1994, 0, 31, 86_399), (1994, 0, 31, 86_400), (1995, 0, 1, 0)];
        let times = times.map(|(year, month, day, seconds)| Utc::new(year, month, day, seconds));
        assert!(times.is_sorted() && times.map(|time| time.unwrap().to_rfc3339()).is_sorted());
    }
}

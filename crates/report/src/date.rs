//! Dates as numbers that compare as the dates do: 14 digits, from the year to the second.

use std::num::NonZeroU64;

/// A date in UTC: 19941201100000 is 1994-12-01T10:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Date(NonZeroU64);

impl Date {
    /// Of RFC 3339, as records have it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut digits = text.bytes().filter(u8::is_ascii_digit);
        let date = digits.by_ref().take(14).fold(0, |sum, b| sum * 10 + u64::from(b - b'0'));
        let date = Some(date).filter(|&date| text.len() >= 19 && date >= 10_000_000_000);
        NonZeroU64::new(date?).map(Self)
    }

    /// A month.
    pub(crate) fn month(self) -> u32 {
        u32::try_from(self.0.get() / 100_000_000).unwrap_or_default()
    }

    /// The year.
    pub(crate) fn year(self) -> u16 {
        u16::try_from(self.0.get() / 10_000_000_000).unwrap_or_default()
    }

    /// As RFC 3339 writes it.
    pub(crate) fn text(self) -> String {
        let digits = format!("{:014}", self.0);
        let part = |from, to| &digits[from..to];
        let (year, month, day) = (part(0, 4), part(4, 6), part(6, 8));
        format!("{year}-{month}-{day}T{}:{}:{}Z", part(8, 10), part(10, 12), part(12, 14))
    }
}

/// A month, 199412, as people write it.
pub(crate) fn month_text(month: u32) -> String {
    format!("{:04}-{:02}", month / 100, month % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let date = Date::parse("1994-12-01T10:20:30Z").unwrap();
        assert_eq!((date.year(), date.month()), (1994, 199_412));
        assert_eq!(date.text(), "1994-12-01T10:20:30Z");
        assert_eq!(month_text(date.month()), "1994-12");
        assert!(date < Date::parse("1994-12-01T10:20:31Z").unwrap());
        assert_eq!(Date::parse("soon"), None);
    }
}

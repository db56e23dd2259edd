//! Months as numbers: 199412 is December 1994.

use urlsift_records::Utc;

/// Returns the month of a date as a number, such as 199412 for December 1994.
pub(crate) fn month_number_of(date: Utc) -> u32 {
    u32::from(date.year()) * 100 + u32::from(date.month())
}

/// Formats a month such as 199412 as `1994-12`.
pub(crate) fn format_month(month: u32) -> String {
    format!("{:04}-{:02}", month / 100, month % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months() {
        let date = Utc::parse(b"1994-12-01T10:20:30Z").unwrap();
        assert_eq!(month_number_of(date), 199_412);
        assert_eq!(format_month(month_number_of(date)), "1994-12");
    }
}

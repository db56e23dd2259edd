//! Dates of mail and news, made comparable.

/// Days before the first of the month in a common year.
const DAYS_BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/// The time that `text` names, in UTC, as `YYYY-MM-DDThh:mm:ssZ`; `None` if it names none.
///
/// Takes the forms of RFC 822, 850, 1036, 2822 and asctime in any order of their words: the words
/// are told apart by their looks. A zone that is missing or unknown counts as UTC.
pub(crate) fn to_utc(text: &[u8]) -> Option<String> {
    let (mut day, mut month, mut year, mut time, mut zone) = (None, None, None, None, None);
    let mut depth = 0_u32;
    for word in text.split(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b',')) {
        // Comments name the zone once more.
        if word.starts_with(b"(") || depth > 0 {
            depth += u32::from(word.starts_with(b"("));
            depth = depth.saturating_sub(u32::from(word.ends_with(b")")));
            continue;
        }
        if word.contains(&b':') {
            time = time.or_else(|| clock(word));
        } else if let [sign @ (b'+' | b'-'), digits @ ..] = word {
            zone = zone.or_else(|| offset(*sign == b'-', digits));
        } else if word.contains(&b'-') {
            // RFC 850: `Thursday, 01-Dec-94`.
            let mut parts = word.split(|&b| b == b'-');
            if let (Some(d), Some(m), Some(y)) = (parts.next(), parts.next(), parts.next()) {
                day = day.or_else(|| number(d));
                month = month.or_else(|| month_named(m));
                year = year.or_else(|| number(y).map(|n| full_year(n, y.len())));
            }
        } else if let Some(n) = number(word) {
            if day.is_none() && word.len() <= 2 {
                day = Some(n);
            } else {
                year = year.or(Some(full_year(n, word.len())));
            }
        } else if let Some(found) = month_named(word) {
            month = month.or(Some(found));
        } else if time.is_some() {
            zone = zone.or_else(|| zone_named(word));
        }
    }
    let (day, month, year, time) = (day?, month?, year?, time.unwrap_or(0));
    if !(1..=31).contains(&day) || !(1..=9999).contains(&year) {
        return None;
    }
    let seconds = days(year, month, day) * 86_400 + time - zone.unwrap_or(0) * 60;
    Some(format(seconds))
}

fn number(word: &[u8]) -> Option<i64> {
    if word.is_empty() || word.len() > 4 || !word.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(word.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
}

/// RFC 2822 §4.3: two digits up to 49 are of this century, three count from 1900.
const fn full_year(n: i64, digits: usize) -> i64 {
    match digits {
        0..=2 if n < 50 => n + 2000,
        0..=3 => n + 1900,
        _ => n,
    }
}

/// Seconds since midnight.
fn clock(word: &[u8]) -> Option<i64> {
    let mut parts = word.split(|&b| b == b':').map(number);
    let (h, m) = (parts.next()??, parts.next()??);
    let s = parts.next().map_or(Some(0), |seconds| seconds)?;
    (h < 24 && m < 60 && s < 61).then_some(h * 3600 + m * 60 + s)
}

/// Minutes east of Greenwich.
fn offset(west: bool, digits: &[u8]) -> Option<i64> {
    let n = number(digits)?;
    let minutes = if digits.len() <= 2 { n * 60 } else { n / 100 * 60 + n % 100 };
    (minutes < 24 * 60).then_some(if west { -minutes } else { minutes })
}

fn month_named(word: &[u8]) -> Option<usize> {
    const NAMES: &[u8; 36] = b"janfebmaraprmayjunjulaugsepoctnovdec";
    let head = word.get(..3)?;
    NAMES.chunks_exact(3).position(|name| head.eq_ignore_ascii_case(name))
}

/// The zones of RFC 822, and the European ones met in news, in minutes east.
fn zone_named(word: &[u8]) -> Option<i64> {
    const ZONES: [(&str, i64); 18] = [
        ("UT", 0),
        ("UTC", 0),
        ("GMT", 0),
        ("Z", 0),
        ("EST", -300),
        ("EDT", -240),
        ("CST", -360),
        ("CDT", -300),
        ("MST", -420),
        ("MDT", -360),
        ("PST", -480),
        ("PDT", -420),
        ("WET", 0),
        ("BST", 60),
        ("MET", 60),
        ("CET", 60),
        ("CEST", 120),
        ("JST", 540),
    ];
    ZONES.iter().find(|(name, _)| word.eq_ignore_ascii_case(name.as_bytes())).map(|&(_, m)| m)
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days since 1 January 1970 (negative before).
fn days(year: i64, month: usize, day: i64) -> i64 {
    let before = year - 1;
    let leaps = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    let passed = DAYS_BEFORE.get(month).copied().unwrap_or(0);
    let this = i64::from(month > 1 && is_leap(year));
    before * 365 + leaps - 719_162 + passed + this + day - 1
}

fn format(seconds: i64) -> String {
    let (mut left, clock) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // At most a few steps: the estimate is never more than a year off.
    let mut year = 1970 + left / 366;
    if left < 0 {
        year -= 1;
    }
    left -= days(year, 0, 1);
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
    let day = left - start(month) + 1;
    let (h, m, s) = (clock / 3600, clock / 60 % 60, clock % 60);
    format!("{year:04}-{:02}-{day:02}T{h:02}:{m:02}:{s:02}Z", month + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (text, expected) in [
            ("Thu, 1 Dec 1994 10:00:00 +0100", "1994-12-01T09:00:00Z"),
            ("1 Dec 94 10:00 EST", "1994-12-01T15:00:00Z"),
            ("Thursday, 01-Dec-94 10:00:00 GMT", "1994-12-01T10:00:00Z"),
            ("Thu Dec  1 10:00:00 1994", "1994-12-01T10:00:00Z"),
            ("Fri, 31 Dec 1999 23:59:60 -0000 (UTC (really))", "2000-01-01T00:00:00Z"),
            ("29 Feb 2000 23:30:00 -0700", "2000-03-01T06:30:00Z"),
            ("1 Jan 1970 00:00:00 +0000", "1970-01-01T00:00:00Z"),
            ("31 Dec 1969 00:00:00 GMT", "1969-12-31T00:00:00Z"),
            ("1 Mar 100 00:00:00 GMT", "2000-03-01T00:00:00Z"),
            ("31 Dec 2023 12:00:00\r\n +0000", "2023-12-31T12:00:00Z"),
        ] {
            assert_eq!(to_utc(text.as_bytes()).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "yesterday", "32 Dec 1994 10:00", "Dec 1994", "1 Dec"] {
            assert_eq!(to_utc(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn days_and_back() {
        for n in (-700_000..2_900_000_i64).step_by(97) {
            let text = format(n * 86_400);
            let part = |range: core::ops::Range<usize>| text[range].parse::<i64>().unwrap_or(-1);
            let month = usize::try_from(part(5..7) - 1).unwrap_or(99);
            assert_eq!(days(part(0..4), month, part(8..10)), n, "{text}");
        }
    }
}

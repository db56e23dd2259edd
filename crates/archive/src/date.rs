//! Parses the dates in mail and news.

use crate::utc::{Utc, days_in_month};

/// The years that are accepted, starting with the first mail sent between machines. Other years
/// come from unset clocks and from spam.
const YEARS: core::ops::RangeInclusive<i64> = 1971..=2099;

/// The components of a date that were read so far.
#[derive(Default)]
struct DateParts {
    day: Option<i64>,
    month: Option<usize>,
    /// True if `month` was read from `mar` or a longer word before the day. That word is Tuesday if
    /// another name of a month follows.
    may_be_tuesday: bool,
    year: Option<i64>,
    /// Seconds since midnight.
    time: Option<i64>,
    /// Minutes east of Greenwich.
    zone: Option<i64>,
}

impl Utc {
    /// Parses a date and time.
    ///
    /// Returns `None` if `text` contains no date, if the year is not from 1971 to 2099, or if the
    /// month does not have that day.
    ///
    /// Accepts the forms of RFC 822, 850, 1036, 2822, ISO 8601, asctime, `DejaNews` (`1998/03/12`)
    /// and Google Groups (`Mar 12, 1998, 3:00 PM`), with the names of months in nine European
    /// languages. The words may come in any order: each is recognized by its form. Dates like
    /// `3/12/98` are rejected, because either number could be the month. A missing or unknown zone
    /// counts as UTC.
    ///
    /// ```
    /// use urlsift_archive::Utc;
    /// assert_eq!(Utc::parse(b"1 Dec 94 10:00 EST").unwrap().to_string(), "1994-12-01T15:00:00Z");
    /// assert_eq!(Utc::parse(b"3/12/1998 10:00"), None);
    /// ```
    pub fn parse(text: &[u8]) -> Option<Self> {
        parse_usual_date(text).or_else(|| parse_date_words(text))
    }
}

/// Parses the usual form, `Thu, 1 Dec 1994 10:00:00 +0100 (MET)`, at fixed offsets. Returns `None`
/// if anything differs from it.
///
/// This is a fast path: [`parse_date_words`] gives the same result in ten times the time.
fn parse_usual_date(text: &[u8]) -> Option<Utc> {
    let text = match text {
        [a, b, c, b',', b' ', rest @ ..] if is_day_named([*a, *b, *c]) => rest,
        text => text,
    };
    let text = text.strip_prefix(b" ").unwrap_or(text);
    let (day, text) = match text {
        [ones, b' ', rest @ ..] => (digit_value(*ones)?, rest),
        [tens, ones, b' ', rest @ ..] => (two_digit_number(*tens, *ones)?, rest),
        _ => return None,
    };
    let (name, text) = text.split_first_chunk::<3>()?;
    let month = month_index(name)?;
    let (year, text) = match text {
        [b' ', a, b, b' ', rest @ ..] => (full_year(two_digit_number(*a, *b)?, 2), rest),
        [b' ', a, b, c, d, b' ', rest @ ..] => {
            (two_digit_number(*a, *b)? * 100 + two_digit_number(*c, *d)?, rest)
        }
        _ => return None,
    };
    let (clock, zone) = text.split_first_chunk::<9>()?;
    if (clock[2], clock[5], clock[8]) != (b':', b':', b' ') {
        return None;
    }
    let [hour, minute, second] = [0, 3, 6].map(|at| two_digit_number(clock[at], clock[at + 1]));
    let (hour, minute, second) = (hour?, minute?, second?);
    let east = match zone {
        [sign @ (b'+' | b'-'), a, b, c, d, rest @ ..] if is_empty_or_comment(rest) => {
            let minutes = two_digit_number(*a, *b)? * 60 + two_digit_number(*c, *d)?;
            if *sign == b'-' { -minutes } else { minutes }
        }
        [b'A'..=b'Z', ..] => named_zone_offset(zone)?,
        _ => return None,
    };
    let is_possible = (1..=days_in_month(year, month)).contains(&day)
        && YEARS.contains(&year)
        && (hour < 24 && minute < 60 && second < 60 && east.abs() < 24 * 60);
    let time = hour * 3600 + minute * 60 + second - east * 60;
    if is_possible { Utc::new(year, month, day, time) } else { None }
}

/// Returns the value of a decimal digit, or `None` for any other byte.
#[inline]
fn digit_value(byte: u8) -> Option<i64> {
    byte.is_ascii_digit().then(|| i64::from(byte - b'0'))
}

/// Returns the value of the two decimal digits `tens` and `ones`, or `None` if one of them isn't a
/// digit.
#[inline]
fn two_digit_number(tens: u8, ones: u8) -> Option<i64> {
    Some(digit_value(tens)? * 10 + digit_value(ones)?)
}

fn is_day_named(name: [u8; 3]) -> bool {
    matches!(&name, b"Mon" | b"Tue" | b"Wed" | b"Thu" | b"Fri" | b"Sat" | b"Sun")
}

/// True if `text`, the rest of a date after its zone, is empty or a single comment such as `
/// (MET)`. A comment with nested ones does not count.
fn is_empty_or_comment(text: &[u8]) -> bool {
    match text {
        [] => true,
        [b' ', b'(', within @ .., b')'] => !within.iter().any(|b| matches!(b, b'(' | b')')),
        _ => false,
    }
}

/// Parses a date in any of the supported forms, word by word. Returns `None` if the day, month or
/// year is missing or out of range. This is slower than [`parse_usual_date`], which handles most
/// dates.
fn parse_date_words(text: &[u8]) -> Option<Utc> {
    let mut parts = DateParts::default();
    let mut depth = 0_u32;
    for word in text.split(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b',')) {
        // Comments repeat the zone.
        if word.starts_with(b"(") || depth > 0 {
            depth += u32::from(word.starts_with(b"("));
            depth = depth.saturating_sub(u32::from(word.ends_with(b")")));
            continue;
        }
        parts.read_word(word);
    }
    let (day, month, year) = (parts.day?, parts.month?, parts.year?);
    if !(1..=days_in_month(year, month)).contains(&day) || !YEARS.contains(&year) {
        return None;
    }
    let time = parts.time.unwrap_or(0) - parts.zone.unwrap_or(0) * 60;
    Utc::new(year, month, day, time)
}

impl DateParts {
    /// Reads one word of a date, and sets the components that the word gives.
    fn read_word(&mut self, word: &[u8]) {
        // A period ends abbreviations and ordinal numbers: `17. Dez. 2005`.
        let word = word.strip_suffix(b".").unwrap_or(word);
        let (mut digits, mut has_colon, mut has_mark) = (0, false, false);
        for byte in word {
            match byte {
                b'0'..=b'9' => digits += 1,
                b':' => has_colon = true,
                b'-' | b'/' | b'.' => has_mark = true,
                _ => {}
            }
        }
        if matches!(word, [b'+' | b'-', ..]) {
            self.zone = self.zone.or_else(|| numeric_zone_offset(word));
        } else if has_colon {
            match word.split_at_checked(11) {
                Some(([date @ .., b'T' | b't'], time)) if time.contains(&b':') => {
                    self.read_date(date);
                    self.read_time(time);
                }
                _ => self.read_time(word),
            }
        } else if has_mark {
            let has_date = self.day.is_some() && self.month.is_some();
            let time = seconds_of_day(word, b'.');
            if time.is_some() && has_date || !self.read_date(word) {
                self.time = self.time.or(time);
            }
        } else if digits == word.len() {
            let Some(n) = parse_short_number(word) else { return };
            if self.day.is_none() && word.len() <= 2 {
                self.day = Some(n);
            } else {
                self.year = self.year.or(Some(full_year(n, word.len())));
            }
        } else if let Some(found) = month_index(word) {
            if self.month.is_none() || self.may_be_tuesday {
                self.month = Some(found);
                self.may_be_tuesday = self.day.is_none() && is_tuesday(word);
            }
        } else if self.time.is_some() {
            self.read_time_suffix(word);
        }
    }

    /// Reads a date in one word: `01-Dec-94`, `1994/12/01`, `1994-12-01`, `1.12.1994`. Returns
    /// false if the word is not a date.
    fn read_date(&mut self, word: &[u8]) -> bool {
        let mut parts = word.split(|b| matches!(b, b'-' | b'/' | b'.'));
        let (Some(a), Some(b), Some(c)) = (parts.next(), parts.next(), parts.next()) else {
            return false;
        };
        let is_month = |n: &i64| (1..=12).contains(n);
        let numbered =
            || parse_short_number(b).filter(is_month).and_then(|n| usize::try_from(n - 1).ok());
        let year_first = a.len() == 4 || parse_short_number(a).is_some_and(|n| n > 31);
        let (day, month, year) = if year_first {
            (c, month_index(b).or_else(numbered), a)
        } else if word.contains(&b'.') {
            (a, month_index(b).or_else(numbered), c)
        } else {
            (a, month_index(b), c)
        };
        let (Some(day @ 1..), Some(month), Some(n)) =
            (parse_short_number(day), month, parse_short_number(year))
        else {
            return false;
        };
        self.day = self.day.or(Some(day));
        self.month = self.month.or(Some(month));
        self.year = self.year.or(Some(full_year(n, year.len())));
        true
    }

    /// Reads `word`, a time of day that may have a suffix: `10:00:00.5Z`, `3:00pm`.
    fn read_time(&mut self, word: &[u8]) {
        let end = word.iter().position(|b| !b.is_ascii_digit() && *b != b':');
        let (digits, mut rest) = word.split_at(end.unwrap_or(word.len()));
        if self.time.is_some() {
            return;
        }
        self.time = seconds_of_day(digits, b':');
        if let [b'.', fraction @ ..] = rest {
            let end = fraction.iter().position(|b| !b.is_ascii_digit());
            rest = fraction.get(end.unwrap_or(fraction.len())..).unwrap_or_default();
        }
        if matches!(rest, [b'+' | b'-', ..]) {
            self.zone = self.zone.or_else(|| numeric_zone_offset(rest));
        } else if self.time.is_some() && !rest.is_empty() {
            self.read_time_suffix(rest);
        }
    }

    /// Reads `word`, the suffix of a time: AM, PM or a zone.
    fn read_time_suffix(&mut self, word: &[u8]) {
        const NOON: i64 = 12 * 3600;
        let zone = self.zone;
        match word {
            [b'p' | b'P', b'm' | b'M'] => {
                self.time = self.time.map(|time| if time < NOON { time + NOON } else { time });
            }
            [b'a' | b'A', b'm' | b'M'] => {
                self.time = self.time.map(|time| if time >= NOON { time - NOON } else { time });
            }
            // `MET DST`.
            b"DST" | b"dst" => self.zone = zone.map(|minutes| minutes + 60),
            [b'G', b'M', b'T', rest @ ..] | [b'U', b'T', b'C', rest @ ..] if !rest.is_empty() => {
                self.zone = zone.or_else(|| numeric_zone_offset(rest));
            }
            _ => self.zone = zone.or_else(|| named_zone_offset(word)),
        }
    }
}

/// Returns the date in a `From ` line: the rest of the line from the name of the day on. Returns
/// `None` if there is no such name.
pub(crate) fn envelope_date(line: &[u8]) -> Option<&[u8]> {
    let at = line.windows(5).position(
        |window| matches!(*window, [b' ', a, b, c, b' ' | b','] if is_day_named([a, b, c])),
    )?;
    line.get(at + 1..)
}

/// Parses a number of one to five digits. Returns `None` for any other word.
fn parse_short_number(word: &[u8]) -> Option<i64> {
    if word.is_empty() || word.len() > 5 || !word.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(word.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
}

/// Returns the full year for `year`, which was written with `digit_count` digits (RFC 2822
/// §4.3). Two-digit years up to 49 are in this century. Later two-digit years and three-digit years
/// count from 1900. `19100` and `0100` are both 2000: programs that weren't ready for the year 2000
/// wrote them.
const fn full_year(year: i64, digit_count: usize) -> i64 {
    match year {
        0..50 if digit_count <= 2 => year + 2000,
        0..1000 => year + 1900,
        19_100..19_200 => year - 19_000 + 1900,
        _ => year,
    }
}

/// Parses a time of day (`10:00` or `10:00:00`) and returns the seconds since midnight. `mark` is
/// the byte between the numbers. `None` if it is not a valid time.
fn seconds_of_day(word: &[u8], mark: u8) -> Option<i64> {
    let mut parts = word.split(|&b| b == mark).map(parse_short_number);
    let (h, m) = (parts.next()??, parts.next()??);
    let s = parts.next().map_or(Some(0), |seconds| seconds)?;
    (h < 24 && m < 60 && s < 61).then_some(h * 3600 + m * 60 + s)
}

/// Parses a numeric zone (`+0100`, `-05:30` or `+1`) and returns the minutes east of Greenwich.
/// Returns `None` for any other word.
fn numeric_zone_offset(word: &[u8]) -> Option<i64> {
    let (sign, digits) = word.split_first()?;
    let minutes = match digits {
        [hours @ .., b':', a, b] => {
            parse_short_number(hours)? * 60 + parse_short_number(&[*a, *b])?
        }
        _ if digits.len() <= 2 => parse_short_number(digits)? * 60,
        _ => parse_short_number(digits).map(|n| n / 100 * 60 + n % 100)?,
    };
    match sign {
        _ if minutes >= 24 * 60 => None,
        b'-' => Some(-minutes),
        b'+' => Some(minutes),
        _ => None,
    }
}

/// True if the word may be a name of Tuesday in French, Spanish or Italian that starts like a
/// month: `mar`, `mardi`, `martes`, `martedì`.
fn is_tuesday(word: &[u8]) -> bool {
    let word = word.to_ascii_lowercase();
    word == b"mar" || word.starts_with(b"mardi") || word.starts_with(b"marte")
}

/// Returns the number of the month, from 0, whose name `word` starts with. `None` if it starts with
/// no month. Knows the names in English, German, French, Spanish, Italian, Dutch, Portuguese,
/// Swedish and Danish. Letters with accents are in UTF-8 or Latin-1.
fn month_index(word: &[u8]) -> Option<usize> {
    // Setting this bit makes ASCII letters lower case, and also letters with accents.
    let head = word.first_chunk::<3>()?.map(|byte| byte | 0x20);
    let fourth = word.get(3).map(|byte| byte | 0x20);
    Some(match &head {
        b"jan" | b"ene" | b"gen" | b"j\xE3\xA4" | b"j\xE4n" => 0,
        b"feb" | b"fev" | b"f\xE3\xA9" | b"f\xE9v" => 1,
        b"mar" | b"mrt" | b"mrz" | b"m\xE3\xA4" | b"m\xE4r" => 2,
        // Not `maandag`, Monday in Dutch.
        b"maa" | b"mae" if fourth == Some(b'r') => 2,
        b"apr" | b"avr" | b"abr" => 3,
        b"may" | b"mai" | b"mag" | b"mei" | b"maj" => 4,
        b"jun" | b"giu" => 5,
        b"jui" if fourth == Some(b'n') => 5,
        b"jul" | b"lug" => 6,
        b"jui" if fourth == Some(b'l') => 6,
        b"aug" | b"ago" | b"aou" | b"ao\xE3" | b"ao\xFB" => 7,
        b"sep" | b"set" => 8,
        b"oct" | b"okt" | b"ott" | b"out" => 9,
        b"nov" => 10,
        b"dec" | b"dez" | b"dic" | b"d\xE3\xA9" | b"d\xE9c" => 11,
        _ => return None,
    })
}

/// Returns the offset of a named zone (`PST`) in minutes east of Greenwich. Supports the zones of
/// RFC 822 and others that are common in news. Returns `None` for ambiguous names (`IST`) and
/// unknown ones.
fn named_zone_offset(word: &[u8]) -> Option<i64> {
    let mut name = [0; 4];
    let name = name.get_mut(..word.len())?;
    name.copy_from_slice(word);
    name.make_ascii_uppercase();
    Some(match &*name {
        b"UT" | b"UTC" | b"GMT" | b"Z" | b"WET" => 0,
        b"EST" | b"CDT" => -300,
        b"EDT" => -240,
        b"CST" | b"MDT" => -360,
        b"MST" | b"PDT" => -420,
        b"PST" => -480,
        b"BST" | b"MET" | b"CET" | b"MEZ" | b"WEST" => 60,
        b"CEST" | b"MEST" | b"MESZ" | b"EET" | b"SAST" => 120,
        b"EEST" | b"MSK" => 180,
        b"MSD" => 240,
        b"HKT" | b"AWST" => 480,
        b"JST" | b"KST" => 540,
        b"AEST" => 600,
        b"AEDT" => 660,
        b"NZST" => 720,
        b"NZDT" => 780,
        b"HST" => -600,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Checks that the fast path agrees with the general parser.
        #[test]
        fn usual_dates(
            name in "((Mon|Thu|thu|Thur)(, | |,))?",
            day in "[ 0-3]?[0-9]",
            month in "(Jan|feb|MAR|Dec|Sept|Mai|Dez|juin|jui|maj|maar|ott)",
            year in "([0-9]{2}|(19|20)[0-9]{2}|0100|19100|197)",
            time in "([0-2][0-9]:[0-6][0-9](:[0-6][0-9])?)",
            zone in "( ?[+-][0-2][0-9][0-9]{2}| [+-]0[0-9]00| (GMT|Z|PDT|EST|pst|MET DST|IST|DST|PM|am))?",
            rest in "( \\([A-Z]{3}\\)| \\((a|\\(|\\) | ){0,4}\\)| DST)?",
            mark in 0..200_usize,
            other in "[ -~\r\n\t]",
        ) {
            let mut text = format!("{name}{day} {month} {year} {time}{zone}{rest}");
            if mark < text.len() {
                text.replace_range(mark..=mark, &other);
            }
            let text = text.as_bytes();
            prop_assert!(parse_usual_date(text).is_none_or(|time| Some(time) == parse_date_words(text)), "{text:?}");
        }
    }

    #[test]
    fn common_dates_take_the_fast_path() {
        for text in [
            "Thu, 1 Dec 1994 10:00:00 +0100",
            "Thu, 01 Dec 1994 10:00:00 -0700 (PDT)",
            "Thu,  1 Dec 94 10:00:00 PDT",
            "1 Dec 94 10:00:00 GMT",
        ] {
            assert!(parse_usual_date(text.as_bytes()).is_some(), "{text}");
        }
    }

    #[test]
    fn month_names_in_latin1_are_parsed() {
        for (text, expected) in [
            (&b"So, 6 M\xE4rz 2005 10:00:00 +0100"[..], "2005-03-06T09:00:00Z"),
            (b"lun, 1 AO\xDBT 2005 10:00:00 +0200", "2005-08-01T08:00:00Z"),
            (b"mar, 1 f\xE9vr. 2005 10:00:00 +0100", "2005-02-01T09:00:00Z"),
        ] {
            assert_eq!(Utc::parse(text).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn date_forms_are_parsed() {
        for (text, expected) in [
            ("Thu, 1 Dec 1994 10:00:00 +0100", "1994-12-01T09:00:00Z"),
            ("1 Dec 94 10:00 EST", "1994-12-01T15:00:00Z"),
            ("Thursday, 01-Dec-94 10:00:00 GMT", "1994-12-01T10:00:00Z"),
            ("Thu Dec  1 10:00:00 1994", "1994-12-01T10:00:00Z"),
            ("Fri, 31 Dec 1999 23:59:60 -0000 (UTC (really))", "2000-01-01T00:00:00Z"),
            ("29 Feb 2000 23:30:00 -0700", "2000-03-01T06:30:00Z"),
            ("1 Jan 1971 00:00:00 +0000", "1971-01-01T00:00:00Z"),
            ("1998/03/12", "1998-03-12T00:00:00Z"),
            ("1992/09/05 Sat 10:00:00 CDT", "1992-09-05T15:00:00Z"),
            ("98/03/12 10:00", "1998-03-12T10:00:00Z"),
            ("1998-03-12 10:00:00 PST", "1998-03-12T18:00:00Z"),
            ("Mar 12, 1998, 3:00:00 PM", "1998-03-12T15:00:00Z"),
            ("Mar 12 1998, 12:30 am", "1998-03-12T00:30:00Z"),
            ("12:30pm Mar 12 1998", "1998-03-12T12:30:00Z"),
            ("1998-03-12T10:00:00.25+01:00", "1998-03-12T09:00:00Z"),
            ("1998-03-12T10:00Z", "1998-03-12T10:00:00Z"),
            ("12.3.1998 10:00:00 MESZ", "1998-03-12T08:00:00Z"),
            ("Sat, 05 Sep 92 10:00:00 MET DST", "1992-09-05T08:00:00Z"),
            ("5 Sep 1992 10:00:00 GMT+0200", "1992-09-05T08:00:00Z"),
            ("Sat, 1 Jan 19100 10:00:00 GMT", "2000-01-01T10:00:00Z"),
            ("Tue, 02 Jul 0102 10:00:00 -0700", "2002-07-02T17:00:00Z"),
            ("1 Mar 100 00:00:00 GMT", "2000-03-01T00:00:00Z"),
            ("31 Dec 2023 12:00:00\r\n +0000", "2023-12-31T12:00:00Z"),
            ("fre, 28 maj 1999 21:47:11 +0200 (CEST)", "1999-05-28T19:47:11Z"),
            ("Di, 17 Mai 2005 12:31:00 +0200", "2005-05-17T10:31:00Z"),
            ("Di., 17. Dez. 2005 12:31:00 +0100", "2005-12-17T11:31:00Z"),
            ("So, 6 M\u{e4}r 2005 10:00:00 +0100", "2005-03-06T09:00:00Z"),
            ("Mo, 7 Maerz 2005 10:00:00 +0100", "2005-03-07T09:00:00Z"),
            ("mar., 17 mai 2005 12:31:00 +0200", "2005-05-17T10:31:00Z"),
            ("mardi 17 mars 1998 10:00:00 +0100", "1998-03-17T09:00:00Z"),
            ("mar, 17 mar 1998 10:00:00 +0100", "1998-03-17T09:00:00Z"),
            ("lun., 1 ao\u{fb}t 2005 10:00:00 +0200", "2005-08-01T08:00:00Z"),
            ("ven, 10 juin 2005 10:00:00 +0200", "2005-06-10T08:00:00Z"),
            ("ven, 8 juil. 2005 10:00:00 +0200", "2005-07-08T08:00:00Z"),
            ("jue, 1 D\u{e9}c 2005 10:00:00 +0100", "2005-12-01T09:00:00Z"),
            ("mi\u{e9}, 17 de agosto de 2005 10:00:00 +0200", "2005-08-17T08:00:00Z"),
            ("dom, 2 ene 2005 10:00:00 +0100", "2005-01-02T09:00:00Z"),
            ("gio, 6 ott 2005 10:00:00 +0200", "2005-10-06T08:00:00Z"),
            ("maandag 7 maart 2005 10:00:00 +0100", "2005-03-07T09:00:00Z"),
            ("Wo, 4 mei 2005 10:00:00 +0200", "2005-05-04T08:00:00Z"),
            ("Qui, 10 Fev 2005 10:00:00 -0300", "2005-02-10T13:00:00Z"),
            ("Seg, 3 Out 2005 10:00:00 -0300", "2005-10-03T13:00:00Z"),
            ("l\u{f8}r, 1 okt 2005 10:00:00 +0200", "2005-10-01T08:00:00Z"),
            ("Sun, 30 Jan 2000 00.24.50 +0100", "2000-01-29T23:24:50Z"),
            ("00.24.50 30 Jan 2000 +0100", "2000-01-29T23:24:50Z"),
            ("30.1.2000 10.11.12", "2000-01-30T10:11:12Z"),
            ("Sun, 30 Jan 2000 10.11", "2000-01-30T10:11:00Z"),
        ] {
            let utc = Utc::parse(text.as_bytes()).map(|utc| utc.to_string());
            assert_eq!(utc.as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "32 Dec 1994 10:00",
            "31 Feb 1994 10:00",
            "29 Feb 1995 10:00",
            "Dec 1994",
            "1 Dec",
            "3/12/1998 10:00",
            "1998/13/01",
            "1 Jan 1970 00:00:00 +0000",
            "Fri, 1 Jan 2100 10:00",
            "Mon, 1 Jan 99999 10:00",
        ] {
            assert_eq!(Utc::parse(text.as_bytes()), None, "{text}");
        }
    }
}

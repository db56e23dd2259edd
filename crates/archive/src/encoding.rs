//! Charsets that a caller names.

use crate::decode::charset::{Coding, coding};
use urlsift_core::Charset;

/// A charset by its name.
///
/// ```
/// use urlsift_archive::Encoding;
/// assert_eq!(Encoding::named("latin1").unwrap().name(), "windows-1252");
/// assert_eq!(Encoding::named("SJIS").unwrap().name(), "Shift_JIS");
/// assert_eq!(Encoding::named("latin"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding(&'static str);

/// Those that the Encoding Standard does not have, or calls something else.
const OTHERS: [&str; 8] = [
    "utf-16",
    "utf-16be",
    "utf-16le",
    "utf-7",
    "iso-2022-jp",
    "iso-2022-kr",
    "iso-2022-cn",
    "hz-gb-2312",
];

impl Encoding {
    /// The names that people are likely to mean.
    pub const NAMES: [&str; 34] = [
        "utf-8",
        "utf-16",
        "utf-16be",
        "utf-16le",
        "utf-7",
        "us-ascii",
        "latin1",
        "iso-8859-1",
        "iso-8859-2",
        "iso-8859-5",
        "iso-8859-7",
        "iso-8859-8",
        "iso-8859-9",
        "iso-8859-15",
        "windows-1250",
        "windows-1251",
        "windows-1252",
        "windows-1253",
        "windows-1254",
        "windows-1255",
        "windows-1256",
        "windows-1257",
        "macintosh",
        "koi8-r",
        "koi8-u",
        "ibm866",
        "shift_jis",
        "euc-jp",
        "iso-2022-jp",
        "euc-kr",
        "gbk",
        "gb18030",
        "big5",
        "hz-gb-2312",
    ];

    /// The charset of a label: one of the Encoding Standard (`latin1`, `sjis`), or `utf-7`, `hz-gb-2312` and the family of
    /// ISO-2022; in any case. `None` if there is none.
    pub fn named(label: &str) -> Option<Self> {
        let label = label.trim();
        if let Some(name) = OTHERS.into_iter().find(|name| name.eq_ignore_ascii_case(label)) {
            return Some(Self(name));
        }
        let known = encoding_rs::Encoding::for_label_no_replacement(label.as_bytes())?;
        Some(Self(known.name()))
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// How the bytes above 7F are to be read where a text in it is scanned as it stands; `None` where it must be decoded.
    pub fn in_place(self) -> Option<Charset> {
        match coding(self.0.as_bytes()) {
            Coding::InPlace(charset) => Some(charset),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Encoding;

    #[test]
    fn names_lead_back() {
        for name in Encoding::NAMES {
            let encoding = Encoding::named(name).unwrap();
            assert_eq!(Encoding::named(encoding.name()), Some(encoding), "{name}");
        }
        assert!(Encoding::named("koi8-r").unwrap().in_place().is_some());
        for name in ["gbk", "UTF-16", "utf-7", "iso-2022-jp", "shift-jis"] {
            assert_eq!(Encoding::named(name).unwrap().in_place(), None, "{name}");
        }
    }
}

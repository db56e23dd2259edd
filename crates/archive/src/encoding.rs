//! Charsets chosen by name.

use crate::decode::charset::{Coding, coding_of_label};
use crate::decode::layer::Layer;
use urlsift_core::Charset;

/// A charset that the user chose by its name.
///
/// ```
/// use urlsift_archive::Encoding;
/// assert_eq!(Encoding::by_label("latin1").unwrap().name(), "windows-1252");
/// assert_eq!(Encoding::by_label("SJIS").unwrap().name(), "Shift_JIS");
/// assert_eq!(Encoding::by_label("latin"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding(&'static str);

/// Names that the Encoding Standard doesn't contain, or assigns to another encoding.
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
    /// Commonly used names of charsets, from which the command suggests a similar one if a name is
    /// unknown.
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

    /// Returns the charset for a label, ignoring case: a label of the Encoding Standard (`latin1`,
    /// `sjis`), `utf-7`, `hz-gb-2312` or one of the ISO-2022 family. Returns `None` if the label is
    /// unknown.
    pub fn by_label(label: &str) -> Option<Self> {
        let label = label.trim();
        if let Some(name) = OTHERS.into_iter().find(|name| name.eq_ignore_ascii_case(label)) {
            return Some(Self(name));
        }
        let known = encoding_rs::Encoding::for_label_no_replacement(label.as_bytes())?;
        Some(Self(known.name()))
    }

    /// Returns the canonical name of the charset.
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// Returns the interpretation of bytes above 0x7F if texts in this charset can be scanned
    /// without decoding, or `None` if they must be decoded.
    pub fn scannable_charset(self) -> Option<Charset> {
        match coding_of_label(self.0.as_bytes()) {
            Coding::InPlace(charset) => Some(charset),
            _ => None,
        }
    }

    /// Returns the interpretation of bytes above 0x7F in a text in this charset that is scanned
    /// without decoding, because it is too long to be decoded.
    pub fn charset_if_undecoded(self) -> Charset {
        match coding_of_label(self.0.as_bytes()) {
            Coding::InPlace(charset) => charset,
            Coding::SingleByte(_) | Coding::DoubleByte(_, Layer::EucJp) => Charset::EightBit,
            _ => Charset::Utf8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Encoding;

    #[test]
    fn names_round_trip() {
        for name in Encoding::NAMES {
            let encoding = Encoding::by_label(name).unwrap();
            assert_eq!(Encoding::by_label(encoding.name()), Some(encoding), "{name}");
        }
        assert!(Encoding::by_label("utf-8").unwrap().scannable_charset().is_some());
        for name in ["koi8-r", "euc-jp", "gbk", "UTF-16", "utf-7", "iso-2022-jp", "shift-jis"] {
            assert_eq!(Encoding::by_label(name).unwrap().scannable_charset(), None, "{name}");
        }
    }
}

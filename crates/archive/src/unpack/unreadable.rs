//! Files that can't be read: formats without a reader, and damaged ones.

use super::compression::{detect_compression, strip_compression_suffix};
use crate::lower_case::has_suffix_ignoring_case;
use core::fmt;
use memchr::memmem;

/// A file format that is recognized, but can't be read. The bytes of such a file are scanned as
/// they are, so that only URLs in its uncompressed parts are found.
///
/// ```
/// use urlsift_archive::unpack::UnreadableFormat;
/// let pst = UnreadableFormat::all().iter().find(|format| format.name() == "pst").unwrap();
/// assert!(pst.to_string().contains("an Outlook mailbox (PST)") && pst.to_string().contains("readpst"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UnreadableFormat {
    name: &'static str,
    /// The kind of file, with its article.
    title: &'static str,
    /// Advice for the user on how to read such a file.
    advice: &'static str,
    /// True if a file that starts with these bytes has the format.
    is_start: fn(&[u8]) -> bool,
}

impl UnreadableFormat {
    /// Returns all formats.
    pub fn all() -> &'static [Self] {
        FORMATS
    }

    /// Returns the stable name, such as `pst`.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// Describes a file of the format, and gives the advice.
impl fmt::Display for UnreadableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, advice, .. } = self;
        write!(f, "it is {title}; only its uncompressed parts were scanned; {advice}")
    }
}

/// The reason why a file can't be read.
///
/// ```
/// use urlsift_archive::unpack::detect_unreadable;
/// let reason = detect_unreadable(Some(b"a.txt.gz"), b"\x1f\x8b\0").unwrap();
/// assert!(reason.format().is_none() && reason.to_string().contains("not compressed"));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Unreadable {
    /// There is no reader for the format.
    Format(&'static UnreadableFormat),
    /// The file is named like a compressed one, but its contents are damaged.
    Damaged,
    /// The format with this name is only read from files, not from streams: see
    /// [`Container::needs_file`](crate::Container::needs_file).
    Stream(&'static str),
}

impl Unreadable {
    /// Returns the format, if there is no reader for it.
    pub const fn format(self) -> Option<&'static UnreadableFormat> {
        match self {
            Self::Format(format) => Some(format),
            Self::Damaged | Self::Stream(_) => None,
        }
    }
}

/// Formats the description of the file, and the advice for the user.
impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(format) => format.fmt(f),
            Self::Damaged => f.write_str(
                "it is not compressed, despite its name; it was scanned as it is; fetch the file again",
            ),
            Self::Stream(name) => write!(
                f,
                "the format `{name}` cannot be read from a stream; its bytes were scanned as they are; \
                 save it to a file and name the file",
            ),
        }
    }
}

/// Returns the reason why the file that starts with `head` can't be read: it has a format without a
/// reader, such as RAR, or `name` has the extension of a compressed file, but the contents are
/// damaged. Returns `None` for other files.
///
/// A text that was decompressed but kept its extension is not damaged.
///
/// ```
/// use urlsift_archive::unpack::detect_unreadable;
/// assert_eq!(detect_unreadable(None, b"Rar!\x1A\x07").unwrap().format().unwrap().name(), "rar");
/// assert!(detect_unreadable(Some(b"a.txt.gz"), b"see http://host.dom/").is_none());
/// ```
pub fn detect_unreadable(name: Option<&[u8]>, head: &[u8]) -> Option<Unreadable> {
    let is_readable = |format: &UnreadableFormat| match format.name {
        "pdf" => cfg!(feature = "pdf"),
        "ole" => is_msg(head, name),
        _ => false,
    };
    let unreadable = FORMATS.iter().find(|format| (format.is_start)(head));
    if let Some(format) = unreadable.filter(|format| !is_readable(format)) {
        return Some(Unreadable::Format(format));
    }
    let is_named = name.is_some_and(|name| strip_compression_suffix(name).len() < name.len());
    let is_text = || !head.contains(&0) && head.contains(&b':');
    (is_named && detect_compression(head).is_none() && !is_text()).then_some(Unreadable::Damaged)
}

const fn row(
    name: &'static str,
    title: &'static str,
    advice: &'static str,
    is_start: fn(&[u8]) -> bool,
) -> UnreadableFormat {
    UnreadableFormat { name, title, advice, is_start }
}

/// The number of bytes of a cpio archive that are searched for the NUL after the name of the first
/// member. Without it, the file is a text that starts with digits.
const CPIO_SEARCH_LEN: usize = 1024;

const FORMATS: &[UnreadableFormat] = &[
    row(
        "pst",
        "an Outlook mailbox (PST)",
        "convert it first (readpst -r -D -o DIRECTORY FILE), and scan the directory",
        |head| head.starts_with(b"!BDN") && head.get(8..10) == Some(b"SM"),
    ),
    row("ost", "an Outlook mailbox (OST)", "convert it first (pffexport)", |head| {
        head.starts_with(b"!BDN") && head.get(8..10) == Some(b"SO")
    }),
    row("dbx", "an Outlook Express folder (DBX)", "convert it first (undbx)", |head| {
        head.starts_with(b"\xCF\xAD\x12\xFE")
    }),
    row("mbx", "a mailbox of UW IMAP (MBX)", "convert it first (mailutil copy)", |head| {
        head.starts_with(b"*mbx*\r\n")
    }),
    row("oe4", "an Outlook Express 4 folder (MBX)", "convert it first (readoe)", |head| {
        head.starts_with(b"JMF6") || head.starts_with(b"JMF9")
    }),
    row(
        "ole",
        "an OLE file, such as an Outlook message or an old Word document",
        "convert it first (msgconvert for .msg, soffice --convert-to txt for others)",
        |head| head.starts_with(OLE),
    ),
    row(
        "edb",
        "a database of Microsoft Exchange or Windows (ESE)",
        "convert it first (esedbexport)",
        |head| head.get(4..8) == Some(b"\xEF\xCD\xAB\x89"),
    ),
    row("jet", "an Access database", "convert it first (mdb-export)", |head| {
        head.starts_with(b"\0\x01\0\0Standard Jet DB")
            || head.starts_with(b"\0\x01\0\0Standard ACE DB")
    }),
    row("sqlite", "an SQLite database", "convert it first (sqlite3 FILE .dump)", |head| {
        head.starts_with(b"SQLite format 3\0")
    }),
    row("pdf", "a PDF file", "convert it first (pdftotext)", |head| head.starts_with(b"%PDF-")),
    row("djvu", "a DjVu document", "convert it first (djvutxt)", |head| {
        head.starts_with(b"AT&TFORM")
    }),
    row("mobi", "a Mobipocket book", "convert it first (ebook-convert)", |head| {
        head.get(60..68) == Some(b"BOOKMOBI")
    }),
    row("7z", "a 7-Zip archive", "unpack it first (7z x)", |head| {
        head.starts_with(b"7z\xBC\xAF\x27\x1C")
    }),
    row("rar", "a RAR archive", "unpack it first (unrar x)", |head| {
        head.starts_with(b"Rar!\x1A\x07") || head.starts_with(b"RE\x7E\x5E")
    }),
    row("cab", "a Windows cabinet", "unpack it first (cabextract)", |head| {
        head.starts_with(b"MSCF\0\0\0\0")
    }),
    row("rpm", "an RPM package", "unpack it first (rpm2cpio FILE | cpio -i)", |head| {
        head.starts_with(b"\xED\xAB\xEE\xDB")
    }),
    row("cpio", "a cpio archive", "unpack it first (cpio -i)", |head| {
        [&b"070701"[..], b"070702", b"070707"].iter().any(|magic| head.starts_with(magic))
            && head.iter().take(CPIO_SEARCH_LEN).any(|byte| *byte == 0)
    }),
    row("lha", "an LHA archive", "unpack it first (lha x)", is_lha),
    row("arj", "an ARJ archive", "unpack it first (arj x)", is_arj),
    row("zoo", "a ZOO archive", "unpack it first (unar)", |head| {
        head.get(20..24) == Some(b"\xDC\xA7\xC4\xFD")
    }),
    row("ace", "an ACE archive", "unpack it first (unace x)", |head| {
        head.get(7..14) == Some(b"**ACE**")
    }),
    row("sit", "a StuffIt archive", "unpack it first (unar)", |head| {
        head.starts_with(b"SIT!") && head.get(10..14) == Some(b"rLau")
            || head.starts_with(b"StuffIt")
    }),
    row("lzo", "an lzop file", "unpack it first (lzop -d)", |head| {
        head.starts_with(b"\x89LZO\0\r\n\x1A\n")
    }),
    row("xar", "a XAR archive", "unpack it first (bsdtar -xf)", |head| head.starts_with(b"xar!\0")),
    row("iso", "a CD image (ISO 9660)", "unpack it first (bsdtar -xf)", |head| {
        head.get(32769..32774) == Some(b"CD001")
    }),
    row("nsf", "a Lotus Notes database", "export it from Notes first", |head| {
        head.starts_with(b"\x1A\0\0\x04\0\0")
    }),
    row(
        "git",
        "a git pack file",
        "scan the repository's files, or a public-inbox with `scan PATH.git`",
        |head| head.starts_with(b"PACK\0\0\0\x02"),
    ),
];

/// The first bytes of OLE files (MS-CFB).
pub(crate) const OLE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// True if the file that starts with `head` and is called `name` is an MSG file, and this library
/// was built with a reader for it. Other programs use the same file system (MS-CFB) for their
/// files, so the first entries of its directory decide, or the name if they are not in the head.
pub(crate) fn is_msg(head: &[u8], name: Option<&[u8]>) -> bool {
    /// A part of the name of a file that each message has, in UTF-16.
    const FIXED: &[u8] = b"_\0_\0p\0r\0o\0p\0e\0r\0t\0i\0e\0s\0_\0v\0e\0r\0s\0i\0o\0n\0";
    cfg!(feature = "msg")
        && head.starts_with(OLE)
        && (name.is_some_and(|name| has_suffix_ignoring_case(name, b".msg"))
            || memmem::find(head, FIXED).is_some())
}

/// True if the file starts with the header of an LHA archive: after two bytes, the method, such as
/// `-lh5-`.
fn is_lha(head: &[u8]) -> bool {
    matches!(head.get(2..7), Some([b'-', b'l', b'h' | b'z', method, b'-'])
        if method.is_ascii_alphanumeric())
        && head.get(20).is_some_and(|level| *level <= 3)
}

/// True if the file starts with the header of an ARJ archive: the magic number, the length of the
/// header, and the length of its first part.
fn is_arj(head: &[u8]) -> bool {
    /// The maximum length of a header in bytes.
    const MAX_HEADER_LEN: u16 = 2600;
    let Some([0x60, 0xEA, a, b, first]) = head.first_chunk() else { return false };
    let len = u16::from_le_bytes([*a, *b]);
    (30..=MAX_HEADER_LEN).contains(&len) && (30..=len).contains(&u16::from(*first))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the name of the format of a file that starts with these bytes.
    fn name(head: &[u8]) -> Option<&'static str> {
        detect_unreadable(None, head)?.format().map(UnreadableFormat::name)
    }

    #[test]
    fn formats_are_recognized_by_their_signatures() {
        let at = |offset: usize, magic: &[u8]| [&vec![1; offset], magic, &[0; 40]].concat();
        for (head, format) in [
            (b"!BDN\0\0\0\0SM".to_vec(), "pst"),
            (b"!BDN\0\0\0\0SO".to_vec(), "ost"),
            (b"\xCF\xAD\x12\xFE\xC5\xFD".to_vec(), "dbx"),
            (b"*mbx*\r\n".to_vec(), "mbx"),
            (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1".to_vec(), "ole"),
            (b"SQLite format 3\0".to_vec(), "sqlite"),
            (b"Rar!\x1A\x07\x01\0".to_vec(), "rar"),
            (b"MSCF\0\0\0\0".to_vec(), "cab"),
            (b"\xED\xAB\xEE\xDB\x03\0".to_vec(), "rpm"),
            (b"0707010000A1B2".repeat(8).into_iter().chain([0]).collect(), "cpio"),
            (at(0, b"\x1F\x1C-lh5-"), "lha"),
            (b"\x60\xEA\x29\0\x22\x0B\x01".to_vec(), "arj"),
            (at(20, b"\xDC\xA7\xC4\xFD"), "zoo"),
            (at(7, b"**ACE**"), "ace"),
            (b"SIT!\0\x01\0\0\0\0rLau".to_vec(), "sit"),
            (b"StuffIt (c)1997-2002 Aladdin Systems".to_vec(), "sit"),
            (at(32769, b"CD001"), "iso"),
        ] {
            assert_eq!(name(&head), Some(format));
        }
        for text in [
            &b"070701 is a number"[..],
            b"`\xEA is no archive",
            b"xx-lh5- is a method of LHA",
            b"!BDN",
            b"From a Thu Dec  1 10:00:00 1994",
        ] {
            assert_eq!(name(text), None);
        }
    }
}

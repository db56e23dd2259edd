//! Finds the name of a mailing list in the path of its archive.

use crate::attachment::archive_and_day;
use crate::record::FileName;

/// General names of directories and files, which are not the name of a list.
const GENERAL: [&[u8]; 9] = [
    b"cur",
    b"new",
    b"tmp",
    b"mbox",
    b"inbox",
    b"messages",
    b"archive",
    b"archives",
    b"attachments",
];

/// The extensions of files that may contain many messages, and of compressed files.
const MANY: [&[u8]; 14] = [
    b"mbox", b"mbx", b"mboxrd", b"txt", b"mail", b"log", b"gz", b"bz2", b"xz", b"zst", b"z",
    b"lz4", b"zip", b"tar",
];

/// The extensions of files that contain one message.
const ONE: [&[u8]; 5] = [b"eml", b"emlx", b"html", b"htm", b"msg"];

const MONTHS: [&[u8]; 12] = [
    b"january",
    b"february",
    b"march",
    b"april",
    b"may",
    b"june",
    b"july",
    b"august",
    b"september",
    b"october",
    b"november",
    b"december",
];

/// Returns the name of the mailing list according to the path of an archive. Use it for messages
/// without a `List-Id` field. Returns `None` if the path consists only of dates, numbers and
/// general names such as `cur`.
///
/// ```
/// use urlsift_records::{FileName, list_name_in_path};
/// for path in ["www-talk.mbox.gz", "lists/www-talk/1994-December.txt.gz", "www-talk/cur/1.eml"] {
///     assert_eq!(list_name_in_path(&FileName::new(path)), Some(&b"www-talk"[..]), "{path}");
/// }
/// ```
pub fn list_name_in_path(file: &FileName) -> Option<&[u8]> {
    let of = |path| name_in(path);
    file.member.as_deref().and_then(of).or_else(|| of(&file.path))
}

/// Returns the name of the mailing list according to `path`: see [`list_name_in_path`].
fn name_in(path: &[u8]) -> Option<&[u8]> {
    // The directory of an attachment has an arbitrary name.
    let path = archive_and_day(path).map_or(path, |(archive, _)| archive);
    let mut parts = path.rsplit(|&b| matches!(b, b'/' | b'\\' | b'!')).peekable();
    let file = parts.next()?;
    // The files of a Maildir are single messages with arbitrary names.
    let is_maildir = parts.peek().is_some_and(|part| matches!(*part, b"cur" | b"new"));
    let file = if is_maildir { None } else { name_of_file(file) };
    file.or_else(|| parts.find_map(name_of_part))
}

/// Returns the name of the mailing list according to the name of a file. Returns `None` if the
/// extension shows that the file contains only one message, or if [`name_of_part`] returns `None`.
fn name_of_file(mut name: &[u8]) -> Option<&[u8]> {
    let is_in = |set: &[&[u8]], end: &[u8]| set.iter().any(|it| it.eq_ignore_ascii_case(end));
    while let Some(dot) = memchr::memrchr(b'.', name).filter(|&dot| dot > 0) {
        let end = &name[dot + 1..];
        if is_in(&ONE, end) {
            return None;
        }
        if !is_in(&MANY, end) {
            break;
        }
        name = &name[..dot];
    }
    name_of_part(name)
}

/// Returns `name` without dates and numbers at its end. Returns `None` if nothing is left, or if
/// the rest is a general name.
fn name_of_part(name: &[u8]) -> Option<&[u8]> {
    // In a Maildir, the names of folders start with a dot.
    let mut name = name.strip_prefix(b".").unwrap_or(name);
    let is_mark = |b: &u8| matches!(b, b'.' | b'-' | b'_' | b' ');
    loop {
        let start = name.iter().rposition(is_mark).map_or(0, |mark| mark + 1);
        if !is_of_date(&name[start..]) {
            break;
        }
        name = &name[..start.saturating_sub(1)];
        if name.is_empty() {
            return None;
        }
    }
    let is_general = GENERAL.iter().any(|general| general.eq_ignore_ascii_case(name));
    (!is_general).then_some(name)
}

/// True if `word` is part of a date, such as `1994`, `q3`, `199412` or `December`, or is empty.
fn is_of_date(word: &[u8]) -> bool {
    let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    let is_quarter = |word: &[u8]| {
        word.split_last_chunk::<2>().is_some_and(|(year, quarter)| {
            matches!(quarter, [b'q' | b'Q', b'1'..=b'4']) && is_number(year)
        })
    };
    let is_month = word.len() >= 3
        && MONTHS.iter().any(|month| {
            month.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        });
    is_number(word) || is_quarter(word) || is_month
}

#[cfg(test)]
mod tests {
    use super::list_name_in_path;
    use crate::FileName;

    #[test]
    fn names_of_lists_are_found_in_paths() {
        for (path, name) in [
            ("a/www-talk", Some("www-talk")),
            ("a/www-talk.1994q3.mbox", Some("www-talk")),
            ("www-talk-199412.txt.gz", Some("www-talk")),
            ("www-talk/1994q3", Some("www-talk")),
            ("www-talk/1994/12/0042.html", Some("www-talk")),
            ("www-talk/1994-Dec/msg00012.html", Some("www-talk")),
            ("www-talk/attachments/19941201/1a2b3c4d/attachment.html", Some("www-talk")),
            ("Mail/.talk/cur/123.host:2,S", Some("talk")),
            ("comp/lang/c/1234", Some("c")),
            ("1994-12.mbox", None),
            ("cur/1.eml", None),
            ("cypherpunks.mbox.zst", Some("cypherpunks")),
            ("marvin.mbox", Some("marvin")),
        ] {
            let file = FileName::new(path);
            assert_eq!(list_name_in_path(&file), name.map(str::as_bytes), "{path}");
        }
        let member = FileName::new("lists.tar.gz").with_member(b"talk/1994.txt");
        assert_eq!(list_name_in_path(&member), Some(&b"talk"[..]));
    }
}

//! Recognizes the paths at which a mail archive saves attachments.

use crate::record::FileName;
use urlsift_archive::Utc;

/// Returns the date of the message that contains the file as an attachment, according to the path.
/// Returns `None` if the path is not that of an attachment.
pub(crate) fn attachment_date(file: &FileName) -> Option<Utc> {
    let (_, date) = archive_and_day(file.member.as_ref().unwrap_or(&file.path))?;
    let (year, rest) = date.split_at_checked(4)?;
    let (month, day) = rest.split_at_checked(2)?;
    Utc::parse(&[year, b"-", month, b"-", day, b"T00:00:00Z"].concat())
}

/// Splits the path of an attachment into the directory of the archive and the day of the message.
/// Pipermail saves attachments at paths such as `talk/attachments/19941201/1a2b3c4d/a.html`.
/// Returns `None` for other paths.
pub(crate) fn archive_and_day(path: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut parts = path.rsplitn(5, |&byte| matches!(byte, b'/' | b'\\'));
    let (_, hash, day, directory) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_saved = directory == b"attachments"
        && day.len() == 8
        && day.iter().all(u8::is_ascii_digit)
        && hash.iter().all(u8::is_ascii_hexdigit);
    is_saved.then(|| (parts.next().unwrap_or_default(), day))
}

#[cfg(test)]
mod tests {
    use super::attachment_date;
    use crate::{FileName, Input, Options, Scan};
    use urlsift_archive::DateSource;

    #[test]
    fn date_is_found_in_path() {
        for (path, date) in [
            ("talk/attachments/19941201/1a2b3c4d/attachment.html", Some("1994-12-01T00:00:00Z")),
            ("attachments/19941231/1A2B/a-0001.htm", Some("1994-12-31T00:00:00Z")),
            ("attachments/19941301/1a2b3c4d/attachment.html", None),
            ("attachments/19941201/attachment.html", None),
            ("attachments/19941201/photos/attachment.html", None),
            ("talk/19941201/1a2b3c4d/attachment.html", None),
            ("attachment.html", None),
        ] {
            let found = attachment_date(&FileName::new(path)).map(|date| date.to_string());
            assert_eq!(found.as_deref(), date, "{path}");
        }
    }
    #[test]
    fn attachment_has_the_date_of_its_message() {
        let path = "talk/attachments/19941201/1a2b3c4d/attachment.html";
        let input = Input::from_bytes(path, b"<p>http://h.dom/");
        let mut found = Vec::new();
        let scanned = Scan::new(Options::default()).read(input, &mut found).unwrap();
        let message = found[0].message.as_ref().unwrap();
        assert_eq!(message.date.unwrap().to_string(), "1994-12-01T00:00:00Z");
        assert_eq!(message.date_source, Some(DateSource::Path));
        assert_eq!(scanned.tally.messages, 0);
    }
}

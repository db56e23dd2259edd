//! One message: where it stands, and the fields of its header that say where a URL comes from.

use crate::decode::encoded_word;
use crate::{date, header, pipermail};
use memchr::memmem;
use urlsift_core::FileSpan;

/// A message or article. Nothing of its header is read before it is asked for: most messages hold
/// no URL.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The header's bytes (those of the decoded text, for a message within an encoded part).
    pub(crate) header: &'a [u8],
    /// The whole message in the file, its envelope line included.
    pub span: FileSpan,
    /// Its number among the messages of the walk, those within other messages counted: two
    /// documents of one walk are of the same message if these are equal.
    pub number: u64,
}

/// The date of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Date {
    /// `YYYY-MM-DDThh:mm:ssZ`, where the field can be understood.
    pub utc: Option<String>,
    /// The field as written, unfolded. Empty if there is none.
    pub raw: Vec<u8>,
}

impl<'a> Message<'a> {
    /// The value of the first field called `name` (in any case), as it stands: folds, comments and
    /// encoded words included.
    pub fn field(&self, name: &str) -> Option<&'a [u8]> {
        header::find(self.header, name).map(<[u8]>::trim_ascii)
    }

    /// The Message-ID with its angle brackets; without them only if it was written so.
    pub fn id(&self) -> Option<&'a [u8]> {
        let value = self.field("Message-ID")?;
        let bracketed = value.iter().position(|&b| b == b'<').and_then(|from| {
            let rest = value.get(from..)?;
            rest.get(..=rest.iter().position(|&b| b == b'>')?)
        });
        bracketed
            .or_else(|| value.split(u8::is_ascii_whitespace).next())
            .filter(|id| !id.is_empty())
    }

    /// When it was sent, by its own `Date` field (`Resent-Date` does not count).
    pub fn date(&self) -> Date {
        let raw = unfolded(self.field("Date").unwrap_or_default());
        Date { utc: date::to_utc(&raw), raw }
    }

    /// The newsgroups it was posted to, in order.
    pub fn newsgroups(&self) -> Vec<&'a [u8]> {
        self.field("Newsgroups")
            .unwrap_or_default()
            .split(|b| matches!(b, b',' | b' ' | b'\t' | b'\r' | b'\n'))
            .filter(|name| !name.is_empty())
            .collect()
    }

    /// The identifier of its mailing list: what stands within the angle brackets of `List-Id`.
    pub fn list(&self) -> Option<&'a [u8]> {
        let value = self.field("List-Id")?;
        let Some(from) = value.iter().rposition(|&b| b == b'<') else { return Some(value) };
        let rest = value.get(from + 1..)?;
        rest.get(..rest.iter().position(|&b| b == b'>')?).map(<[u8]>::trim_ascii)
    }

    /// The domain of the first address of its `From` field, as written. Of `joe at host.dom`, too, as
    /// archives write it.
    pub fn from_domain(&self) -> Option<&'a [u8]> {
        let value = self.field("From")?;
        // In `"a@b" <joe@host.dom>` the bracketed address counts.
        let from = value.iter().rposition(|&b| b == b'<').map_or(0, |at| at + 1);
        let address = value.get(from..)?;
        let Some(at) = address.iter().position(|&b| b == b'@') else {
            let at = memmem::find(address, b" at ")?;
            return pipermail::host(address.get(at..)?);
        };
        let rest = address.get(at + 1..)?;
        let end = rest
            .iter()
            .position(|b| {
                !(b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'[' | b']' | b':'))
            })
            .unwrap_or(rest.len());
        rest.get(..end).filter(|domain| !domain.is_empty())
    }

    /// The subject, unfolded and decoded.
    pub fn subject(&self) -> Vec<u8> {
        encoded_word::decode(&unfolded(self.field("Subject").unwrap_or_default()), 0).text
    }
}

/// The value without the line breaks of its folds.
fn unfolded(value: &[u8]) -> Vec<u8> {
    value.iter().copied().filter(|b| !matches!(b, b'\r' | b'\n')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(header: &str) -> Message<'_> {
        Message { header: header.as_bytes(), span: FileSpan::default(), number: 0 }
    }

    #[test]
    fn provenance() {
        let message = message(
            "From: \"x@y\" <joe@host.dom> (Joe)\nMessage-Id: (c) <a@b>\nDATE: Thu, 1 Dec\n 1994 10:00 GMT\n\
             Newsgroups: comp.a,\n comp.b\nList-Id: The List <www.lists.dom>\n\nDate: no",
        );
        assert_eq!(message.id(), Some(&b"<a@b>"[..]));
        assert_eq!(message.date().utc.as_deref(), Some("1994-12-01T10:00:00Z"));
        assert_eq!(message.newsgroups(), [b"comp.a", b"comp.b"]);
        assert_eq!(message.list(), Some(&b"www.lists.dom"[..]));
        assert_eq!(message.from_domain(), Some(&b"host.dom"[..]));
    }

    #[test]
    fn absence() {
        assert_eq!(message("From: joe at h.dom (Joe)\n").from_domain(), Some(&b"h.dom"[..]));
        assert_eq!(message("From: Joe at home\n").from_domain(), None);
        let message = message("Message-ID: \nDate: soon\n\n");
        assert_eq!((message.id(), message.list(), message.from_domain()), (None, None, None));
        assert_eq!(message.date(), Date { utc: None, raw: b"soon".to_vec() });
        assert!(message.newsgroups().is_empty());
    }
}

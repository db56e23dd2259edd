//! Web pages that show one message each, and the header data on them.

use crate::html;
use core::ops::Range;
use memchr::memmem;

/// The header data of a message, as found on a web page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The Message-ID, with or without its angle brackets.
    pub id: Option<Vec<u8>>,
    pub date: Option<Vec<u8>>,
    /// The name of the message's author.
    pub name: Option<Vec<u8>>,
    pub address: Option<Vec<u8>>,
    pub subject: Option<Vec<u8>>,
}

impl Page {
    /// Formats the data as a message header, with one line per field.
    pub(crate) fn into_header(self) -> Vec<u8> {
        let mut header = Vec::new();
        let mut field = |name: &str, parts: &[&[u8]]| {
            header.extend_from_slice(name.as_bytes());
            header.extend_from_slice(&parts.concat());
            header.push(b'\n');
        };
        if let Some(id) = self.id.as_deref().map(strip_angle_brackets).filter(|id| !id.is_empty()) {
            field("Message-ID: <", &[id, b">"]);
        }
        if let Some(date) = self.date {
            field("Date: ", &[&date]);
        }
        if let Some(address) = self.address {
            field(
                "From: ",
                &[&self.name.unwrap_or_default(), b" <", strip_angle_brackets(&address), b">"],
            );
        }
        if let Some(subject) = self.subject {
            field("Subject: ", &[&subject]);
        }
        header
    }
}

/// The comments before and after the message on a page of a mail archive.
struct ArticleMarks {
    start: &'static [u8],
    end: &'static [u8],
    /// True if the software writes the URLs of plain text as links with the same text.
    has_automatic_links: bool,
}

/// The marks of Pipermail, Hypermail and `MHonArc`.
const ARTICLE_MARKS: [ArticleMarks; 3] = [
    ArticleMarks {
        start: b"<!--beginarticle-->",
        end: b"<!--endarticle-->",
        has_automatic_links: true,
    },
    ArticleMarks {
        start: b"<!-- body=\"start\" -->",
        end: b"<!-- body=\"end\" -->",
        has_automatic_links: false,
    },
    ArticleMarks {
        start: b"<!--X-Body-of-Message-->",
        end: b"<!--X-Body-of-Message-End-->",
        has_automatic_links: false,
    },
];

/// The message on a page of a mail archive.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Article {
    /// The range of the message in the page. The rest was written by list software.
    pub range: Range<usize>,
    /// True if the software wrote the URLs of plain text as links with the same text.
    pub has_automatic_links: bool,
}

/// Returns the message on a page of a mail archive, or `None` if no comment marks its start. If no
/// comment marks its end, it ends with the page.
pub(crate) fn find_article(page: &[u8]) -> Option<Article> {
    ARTICLE_MARKS.iter().find_map(|marks| {
        let start = memmem::find(page, marks.start)? + marks.start.len();
        let rest = page.get(start..).unwrap_or_default();
        let end = memmem::find(rest, marks.end).map_or(page.len(), |len| start + len);
        Some(Article { range: start..end, has_automatic_links: marks.has_automatic_links })
    })
}

/// Decodes the character references in `value`, and replaces its line breaks with spaces.
pub(crate) fn decode_to_one_line(value: &[u8]) -> Vec<u8> {
    let mut text = html::decode_text_attribute(value.trim_ascii(), 0).text;
    for line_break in text.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')) {
        *line_break = b' ';
    }
    text
}

/// Returns an identifier or address without its angle brackets.
fn strip_angle_brackets(value: &[u8]) -> &[u8] {
    let value = value.trim_ascii();
    let value = value.strip_prefix(b"<").unwrap_or(value);
    value.strip_suffix(b">").unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::find_article;

    #[test]
    fn article_is_between_comments() {
        let found = |page: &str| {
            find_article(page.as_bytes()).map(|article| page[article.range].to_owned())
        };
        assert_eq!(found("a<!--beginarticle-->b<!--endarticle-->c").as_deref(), Some("b"));
        assert_eq!(found("a<!-- body=\"start\" -->b").as_deref(), Some("b"));
        assert_eq!(
            found("a<!--X-Body-of-Message-->b<!--X-Body-of-Message-End-->").as_deref(),
            Some("b")
        );
        assert_eq!(found("a"), None);
    }
}

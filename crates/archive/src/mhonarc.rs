//! Pages written by `MHonArc`. Each shows one message, with its header data in comments before the
//! body.
//!
//! ```html
//! <!-- MHonArc v2.6.19 -->
//! <!--X-Subject: Re: The subject -->
//! <!--X-From-R13: Xbr Rbr <wbrNubfg.qbz> -->
//! <!--X-Date: Thu, 1 Dec 1994 10:00:00 +0100 -->
//! <!--X-Message-Id: 1@host.dom -->
//! <!--X-Head-End-->
//! <!--X-Head-of-Message-->
//! <li><em>Date</em>: Thu, 1 Dec 1994 09:58:03 +0100</li>
//! <!--X-Head-of-Message-End-->
//! ```
//!
//! The date in the comment usually comes from the first `Received` field, and the date in the list
//! from the `Date` field.

use crate::Utc;
use crate::head::Head;
use crate::page::{Page, decode_to_one_line};
use memchr::memmem;

/// Rebuilds the header of the message that a page shows, from the comments on the page. Returns
/// `None` if the page wasn't written by `MHonArc`. Reads only the first [`Head::LEN`] bytes.
pub(crate) fn rebuild_mhonarc_header(page: &[u8]) -> Option<Vec<u8>> {
    let head = Head::of(page).bytes();
    let id = comment_value(head, b"<!--X-Message-Id: ")?;
    let disguised = comment_value(head, b"<!--X-From-R13: ").map(|from| undo_rot13(&from));
    let from = disguised.or_else(|| comment_value(head, b"<!--X-From: "));
    let (name, address) = from.map(|from| split_name_and_address(&from)).unwrap_or_default();
    let date = written_date(head).or_else(|| comment_value(head, b"<!--X-Date: "));
    let subject = comment_value(head, b"<!--X-Subject: ");
    Some(Page { id: Some(id), date, name, address, subject }.into_header())
}

/// Returns the value of the message's `Date` field. Returns `None` if the page doesn't show it,
/// or if it isn't a valid date.
fn written_date(head: &[u8]) -> Option<Vec<u8>> {
    let shown = head.get(memmem::find(head, b"<!--X-Head-of-Message-->")?..)?;
    let shown = shown.get(..memmem::find(shown, b"<!--X-Head-of-Message-End-->")?)?;
    let date = shown.get(memmem::find(shown, b"<em>Date</em>:")? + "<em>Date</em>:".len()..)?;
    let date = decode_to_one_line(date.get(..memmem::find(date, b"</li>")?)?);
    Utc::parse(&date).map(|_| date)
}

/// Returns the decoded rest of the first comment that starts with `start`, on one line. Returns
/// `None` if there is no such comment.
fn comment_value(head: &[u8], start: &[u8]) -> Option<Vec<u8>> {
    let rest = head.get(memmem::find(head, start)? + start.len()..)?;
    Some(decode_to_one_line(rest.get(..memmem::find(rest, b"-->")?)?))
}

/// Undoes ROT13. For capitals, the alphabet includes `@` before A and `[` after Z.
fn undo_rot13(text: &[u8]) -> Vec<u8> {
    let turned = |&byte: &u8| match byte {
        b'@'..=b'[' => b'@' + (byte - b'@' + 14) % 28,
        b'a'..=b'z' => b'a' + (byte - b'a' + 13) % 26,
        other => other,
    };
    text.iter().map(turned).collect()
}

/// Returns the name and address of `Joe <joe@host.dom>` or `joe@host.dom (Joe)`.
fn split_name_and_address(from: &[u8]) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    let mark = |mark| from.iter().position(|&b| b == mark);
    if let (Some(open), Some(close)) = (mark(b'<'), mark(b'>'))
        && open < close
    {
        let name = from[..open].trim_ascii().to_vec();
        return (Some(name), Some(from[open + 1..close].to_vec()));
    }
    let end = from.iter().position(u8::is_ascii_whitespace).unwrap_or(from.len());
    let (address, comment) = from.split_at(end);
    let name = comment.trim_ascii().strip_prefix(b"(").and_then(|name| name.strip_suffix(b")"));
    (name.map(<[u8]>::to_vec), Some(address.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::{rebuild_mhonarc_header, undo_rot13};

    #[test]
    fn header_is_rebuilt_from_comments() {
        let page = "<!-- MHonArc v2.6.19 -->\n<!--X-Subject: Re: a&#45;&#45;b -->\n\
                    <!--X-From-R13: Xbr Rbr <wbrNubfg.qbz> -->\n\
                    <!--X-Date: Thu, 1 Dec 1994 10:00:00 +0100 -->\n\
                    <!--X-Message-Id: 1&#45;2@host.dom -->\n<!--X-Head-End-->\n";
        let found = rebuild_mhonarc_header(page.as_bytes()).unwrap();
        assert_eq!(
            String::from_utf8(found).unwrap(),
            "Message-ID: <1-2@host.dom>\nDate: Thu, 1 Dec 1994 10:00:00 +0100\n\
             From: Joe Doe <joe@host.dom>\nSubject: Re: a--b\n"
        );
        assert_eq!(rebuild_mhonarc_header(b"<!-- MHonArc v2.6.19 --><p>an index"), None);
        let shown = "<!--X-From-R13: wbrNubfg.qbz (Xbr Rbr) -->\n\
                     <!--X-Date: Fri, 2 Dec 1994 10:00:00 +0100 -->\n<!--X-Message-Id: 1 -->\n\
                     <!--X-Head-of-Message-->\n<ul><li><em>Date</em>: 1 Dec 1994 09:58 GMT</li>\n\
                     </ul><!--X-Head-of-Message-End-->\n";
        for (page, date) in [
            (shown.to_owned(), "1 Dec 1994 09:58 GMT"),
            (shown.replace("1 Dec", "some day"), "Fri, 2 Dec 1994 10:00:00 +0100"),
        ] {
            let found = rebuild_mhonarc_header(page.as_bytes()).unwrap();
            let expected = format!("Message-ID: <1>\nDate: {date}\nFrom: Joe Doe <joe@host.dom>\n");
            assert_eq!(String::from_utf8(found).unwrap(), expected);
        }
        let all: Vec<u8> = (b'@'..=b'z').collect();
        assert_eq!(undo_rot13(&undo_rot13(&all)), all);
    }
}

//! Pages written by Pipermail. Each shows one message. The link for replies contains the
//! Message-ID, except on old pages. The author and the date are above the article.
//!
//! ```html
//! <LINK REL="made" HREF="mailto:list%40host.dom?Subject=Re:%20a&In-Reply-To=%3C1%40host.dom%3E">
//! <H1>The subject</H1>
//! <B>Joe</B> <A HREF="mailto:…">joe at host.dom</A><BR>
//! <I>Thu Dec  1 10:00:00 CET 1994</I>
//! <!--beginarticle-->
//! ```

use crate::head::Head;
use crate::page::{Page, decode_to_one_line};
use memchr::memmem;
use urlsift_core::decode_escapes;

/// Rebuilds the header of the message that a page shows, from the text and links above the message.
/// Returns `None` if the page wasn't written by Pipermail. Reads only the first [`Head::LEN`]
/// bytes.
pub(crate) fn rebuild_pipermail_header(page: &[u8]) -> Option<Vec<u8>> {
    let head = Head::of(page).bytes();
    let head = head.get(..memmem::find(head, b"<!--beginarticle-->")?)?;
    let link = text_after(head, b"In-Reply-To=");
    // Old pages have this link without a Message-ID.
    if link.is_none() && memmem::find(head, b"<LINK REL=\"made\"").is_none() {
        return None;
    }
    let id = link.and_then(|link| {
        let is_end = |b: &u8| b"\"&".contains(b) || b.is_ascii_whitespace();
        // Special characters in the identifier are escaped as in a URL or as in HTML.
        Some(decode_to_one_line(&decode_escapes(link.get(..link.iter().position(is_end)?)?)))
    });
    let above = text_after(head, b"<H1>")?;
    let author = text_after(above, b"</H1>")?;
    Some(
        Page {
            id,
            date: text_between(author, b"<I>", b"</I>"),
            name: text_between(author, b"<B>", b"</B>"),
            address: text_after(author, b"<A ")
                .and_then(|link| text_between(link, b">", b"</A>"))
                .map(|address| restore_at_sign(&address)),
            subject: above.get(..memmem::find(above, b"</H1>")?).map(decode_to_one_line),
        }
        .into_header(),
    )
}

/// Returns the rest of the page after the first `mark`, or `None` if the page doesn't contain it.
fn text_after<'p>(page: &'p [u8], mark: &[u8]) -> Option<&'p [u8]> {
    page.get(memmem::find(page, mark)? + mark.len()..)
}

/// Returns the decoded text between the first `open` tag and the next `close` tag, on one line.
/// Returns `None` if one of the tags is missing.
fn text_between(page: &[u8], open: &[u8], close: &[u8]) -> Option<Vec<u8>> {
    let rest = text_after(page, open)?;
    Some(decode_to_one_line(rest.get(..memmem::find(rest, close)?)?))
}

/// Returns an address with `@` in place of the first ` at `, which Pipermail writes.
fn restore_at_sign(address: &[u8]) -> Vec<u8> {
    match memmem::find(address, b" at ") {
        Some(at) => [&address[..at], b"@", &address[at + 4..]].concat(),
        None => address.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::rebuild_pipermail_header;

    #[test]
    fn header_is_rebuilt_from_page() {
        let page = "<HTML><HEAD><TITLE> [A] b</TITLE>\n\
                    <LINK REL=\"made\" HREF=\"mailto:a%40host.dom?Subject=Re:%20b&In-Reply-To=%3C1%402.dom%3E\">\n\
                    </HEAD><BODY><H1>[A] b &amp; c</H1>\n<B>Joe</B>\n\
                    <A HREF=\"mailto:a%40host.dom?Subject=x\"\n TITLE=\"[A] b\">joe at host.dom\n </A><BR>\n\
                    <I>Thu Dec  1 10:00:00 CET 1994</I>\n<!--beginarticle-->\n<PRE>";
        assert_eq!(
            String::from_utf8(rebuild_pipermail_header(page.as_bytes()).unwrap()).unwrap(),
            "Message-ID: <1@2.dom>\nDate: Thu Dec  1 10:00:00 CET 1994\nFrom: Joe <joe@host.dom>\nSubject: [A] b & c\n"
        );
        let old = "<LINK REL=\"made\" HREF=\"mailto:joe%40host.dom\">\n<H1>b\n </H1>\n<B>Joe\n </B>\n\
                   <A HREF=\"mailto:joe%40host.dom\"\n TITLE=\"b\">joe@host.dom\n </A><BR>\n\
                   <I>1 Dec 1994 10:00:00 +0100</I>\n<!--beginarticle-->\n";
        assert_eq!(
            String::from_utf8(rebuild_pipermail_header(old.as_bytes()).unwrap()).unwrap(),
            "Date: 1 Dec 1994 10:00:00 +0100\nFrom: Joe <joe@host.dom>\nSubject: b\n"
        );
        assert_eq!(rebuild_pipermail_header(b"<!--beginarticle-->"), None);
        assert_eq!(rebuild_pipermail_header(b"In-Reply-To=%"), None);
    }
}

//! Pages written by Hypermail. Each shows one message, with its header data in comments before the
//! body.
//!
//! ```html
//! <!-- sent="Thu, 1 Dec 1994 10:00:00 +0100" -->
//! <!-- email="joe@host.dom" -->
//! <!-- id="199412010900.AA00318@host.dom" -->
//! ```

use crate::head::Head;
use crate::page::{Page, decode_to_one_line};
use crate::utc::Utc;
use memchr::memmem;

/// The maximum length of a value, in bytes.
const MAX_VALUE_LEN: usize = 1000;

/// The start of pages written by old versions, before any tag.
pub(crate) const START: &[u8] = b"<!-- received=\"";

/// Rebuilds the header of the message that a page shows, from the comments on the page. Returns
/// `None` if the page wasn't written by Hypermail. Reads only the first [`Head::LEN`] bytes.
pub(crate) fn rebuild_hypermail_header(page: &[u8]) -> Option<Vec<u8>> {
    let head = Head::of(page).bytes();
    let (mut id, mut name, mut address, mut subject) = (None, None, None, None);
    let (mut sent, mut isosent, mut received) = (None, None, None);
    for (key, value) in key_value_comments(head) {
        let slot = match key {
            b"id" => &mut id,
            b"name" => &mut name,
            b"email" => &mut address,
            b"subject" => &mut subject,
            b"sent" => &mut sent,
            b"isosent" => &mut isosent,
            b"received" => &mut received,
            b"body" => break,
            _ => continue,
        };
        slot.get_or_insert_with(|| decode_to_one_line(value));
    }
    // Other programs also write comments of this form, but rarely these two.
    if id.is_none() || sent.is_none() && received.is_none() {
        return None;
    }
    let isosent = isosent.and_then(|digits| to_mail_date(&digits));
    let dates = [sent, isosent, received];
    let date = dates.iter().flatten().find(|date| Utc::parse(date).is_some());
    let date = date.or(dates.iter().flatten().next());
    Some(Page { id, date: date.cloned(), name, address, subject }.into_header())
}

/// Returns the keys and values of comments of the form `<!-- key="value" -->`.
fn key_value_comments(page: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    memmem::find_iter(page, b"<!-- ").filter_map(|at| {
        let rest = page.get(at + 5..)?;
        let key = rest.iter().position(|b| !b.is_ascii_lowercase())?;
        let value = rest.get(key..)?.strip_prefix(b"=\"")?;
        let window = value.get(..MAX_VALUE_LEN.min(value.len()))?;
        let end = memmem::find(window, b"\" -->")?;
        Some((rest.get(..key)?, value.get(..end)?))
    })
}

/// Converts a time such as `19941201090000` to the date format of mail: `01 Dec 1994 09:00:00 GMT`.
/// Returns `None` if `digits` isn't a time of fourteen digits.
fn to_mail_date(digits: &[u8]) -> Option<Vec<u8>> {
    const MONTHS: &[u8; 36] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let digits: &[u8; 14] = digits.trim_ascii().try_into().ok()?;
    let [y1, y2, y3, y4, m1, m2, d1, d2, h1, h2, n1, n2, s1, s2] = *digits;
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let month = usize::from(m1 - b'0') * 10 + usize::from(m2 - b'0');
    let [a, b, c] = *MONTHS.as_chunks::<3>().0.get(month.checked_sub(1)?)?;
    let date = [d1, d2, b' ', a, b, c, b' ', y1, y2, y3, y4, b' '];
    let time = [h1, h2, b':', n1, n2, b':', s1, s2];
    Some([&date[..], &time, b" GMT"].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header_of(html: &str) -> Option<String> {
        rebuild_hypermail_header(html.as_bytes()).map(|header| String::from_utf8(header).unwrap())
    }

    #[test]
    fn header_is_rebuilt_from_comments() {
        let old = "<!-- received=\"Thu Dec  1 10:00:00 1994\" -->\n<!-- sent=\"Thu, 1 Dec 1994 10:00:00 +0100\" -->\n\
                   <!-- name=\"Joe \"X\" Doe\" -->\n<!-- email=\"joe&#64;host.dom\" -->\n<!-- subject=\"Re: &lt;b&gt;\" -->\n\
                   <!-- id=\"&lt;1@host.dom&gt;\" -->\n<!-- body=\"start\" -->\n<!-- id=\"2@host.dom\" -->";
        assert_eq!(
            header_of(old).unwrap(),
            "Message-ID: <1@host.dom>\nDate: Thu, 1 Dec 1994 10:00:00 +0100\n\
             From: Joe \"X\" Doe <joe@host.dom>\nSubject: Re: <b>\n"
        );
        let new = "<html><!-- received=\"soon\" -->\n<!-- isosent=\"19941201090000\" -->\n<!-- id=\"1@h\" -->";
        assert_eq!(header_of(new).unwrap(), "Message-ID: <1@h>\nDate: 01 Dec 1994 09:00:00 GMT\n");
    }

    #[test]
    fn other_pages_have_no_header() {
        for html in [
            "",
            "<!-- id=\"nav\" --><p>",
            "<!-- sent=\"x\" --><!-- body=\"start\" --><!-- id=\"1@h\" -->",
            "<!-- id=\"1@h\" --><!-- received=x -->",
        ] {
            assert_eq!(header_of(html), None, "{html}");
        }
        assert_eq!(to_mail_date(b"19941301090000"), None);
        assert_eq!(to_mail_date(b"1994120109000x"), None);
    }
}

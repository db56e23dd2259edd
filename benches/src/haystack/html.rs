//! Generates an mbox of mail with HTML parts, as advertisers and offices send it.

use super::address::{self, push_formatted};
use super::{encoded, mail, prose};
use crate::random::Random;

/// Appends one message. A third of the messages contain only HTML, the others text and HTML. A
/// third of the HTML is quoted-printable.
pub(super) fn push_message(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(b"From ");
    address::push_mailbox(random, out);
    out.extend_from_slice(b"  Mon Aug 26 15:49:32 2002\n");
    let mut page = Vec::with_capacity(8192);
    push_markup(random, &mut page);
    let quoted = random.is_hit(330);
    let encoding = if quoted { "quoted-printable" } else { "7bit" };
    let put = |page: &[u8], out: &mut Vec<u8>| {
        if quoted { encoded::push_quoted_printable(page, out) } else { out.extend_from_slice(page) }
    };
    if random.is_hit(330) {
        mail::push_headers(random, "text/html; charset=iso-8859-1", encoding, out);
        out.push(b'\n');
        put(&page, out);
    } else {
        mail::push_headers(
            random,
            "multipart/alternative;\n\tboundary=\"--=_Part_0\"",
            "7bit",
            out,
        );
        out.extend_from_slice(b"\n----=_Part_0\nContent-Type: text/plain; charset=us-ascii\n\n");
        prose::push_paragraph(random, "", 72, mail::LINKS, out);
        push_formatted(
            out,
            format_args!(
                "\n----=_Part_0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n"
            ),
        );
        put(&page, out);
        out.extend_from_slice(b"\n----=_Part_0--\n");
    }
    out.push(b'\n');
}

/// Appends an HTML page of tables, fonts, links and pictures.
fn push_markup(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(b"<html><head>\n<meta http-equiv=\"Content-Type\" content=\"text/html; charset=iso-8859-1\">\n");
    out.extend_from_slice(b"<style type=\"text/css\">\nbody { margin: 0; font-family: Verdana, Arial; }\n</style></head>\n<body bgcolor=\"#FFFFFF\">\n");
    for _ in 0..random.number_between(3, 14) {
        match random.number_below(5) {
            0 | 1 => {
                out.extend_from_slice(b"<tr><td width=\"40%\" align=center><a href=\"");
                address::push_url(random, out);
                out.extend_from_slice(b"\"><font face=\"Arial\" size=2 color=\"#003399\">");
                prose::push_sentence(random, out);
                out.extend_from_slice(b"</font></a>&nbsp;</td></tr>\n");
            }
            2 => {
                out.extend_from_slice(b"<img src=\"");
                address::push_url(random, out);
                out.extend_from_slice(b"\" width=1 height=1 border=0 alt=\"\">\n");
            }
            _ => {
                out.extend_from_slice(b"<p style=\"margin-left: 12px\"><b>");
                for _ in 0..random.number_between(3, 7) {
                    prose::push_sentence(random, out);
                    out.push(if random.is_hit(600) { b'\n' } else { b' ' });
                }
                out.extend_from_slice(b"</b><br>\n");
                for _ in 0..random.number_between(1, 5) {
                    prose::push_sentence(random, out);
                    out.extend_from_slice(b" &amp;\n");
                }
                out.extend_from_slice(b"</p>\n");
            }
        }
    }
    out.extend_from_slice(b"</body></html>\n");
}

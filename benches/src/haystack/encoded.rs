//! Generates an mbox of mail whose text is encoded as quoted-printable or base64.

use super::address::{self, push_formatted};
use super::{mail, prose};
use crate::random::Random;

/// Appends one message. Half of the messages are quoted-printable and half are base64. All contain
/// non-ASCII letters.
pub(super) fn push_message(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(b"From ");
    address::push_mailbox(random, out);
    out.extend_from_slice(b"  Mon Aug 26 15:49:32 2002\n");
    let mut text = Vec::with_capacity(4096);
    for _ in 0..random.number_between(2, 9) {
        push_paragraph(random, &mut text);
    }
    if random.is_hit(500) {
        mail::push_headers(random, "text/plain; charset=utf-8", "quoted-printable", out);
        out.push(b'\n');
        push_quoted_printable(&text, out);
    } else {
        mail::push_headers(random, "text/plain; charset=\"UTF-8\"", "base64", out);
        out.push(b'\n');
        push_base64(&text, out);
    }
    out.push(b'\n');
}

/// Appends a paragraph that contains non-ASCII letters.
pub(super) fn push_paragraph(random: &mut Random, text: &mut Vec<u8>) {
    prose::push_paragraph(random, "", 200, mail::LINKS, text);
    text.extend_from_slice("– naïve café, Größe 3 €\n\n".as_bytes());
}

/// Appends `text` as quoted-printable (RFC 2045, section 6.7), in lines of at most 76 characters.
pub(super) fn push_quoted_printable(text: &[u8], out: &mut Vec<u8>) {
    let mut column = 0;
    for (at, &byte) in text.iter().enumerate() {
        if byte == b'\n' {
            out.push(b'\n');
            column = 0;
            continue;
        }
        let plain = matches!(byte, b'!'..=b'<' | b'>'..=b'~')
            || (byte == b' ' && text.get(at + 1) != Some(&b'\n'));
        let needs = if plain { 1 } else { 3 };
        if column + needs > 75 {
            out.extend_from_slice(b"=\n");
            column = 0;
        }
        if plain {
            out.push(byte);
        } else {
            push_formatted(out, format_args!("={byte:02X}"));
        }
        column += needs;
    }
}

/// Appends `text` as base64 (RFC 2045, section 6.8), in lines of 76 characters.
pub(super) fn push_base64(text: &[u8], out: &mut Vec<u8>) {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for line in text.chunks(57) {
        for group in line.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|at| usize::from(group.get(at).copied().unwrap_or(0)));
            let bits = a << 16 | b << 8 | c;
            for at in 0..4 {
                out.push(if at <= group.len() {
                    ALPHABET[bits >> (18 - 6 * at) & 63]
                } else {
                    b'='
                });
            }
        }
        out.push(b'\n');
    }
}

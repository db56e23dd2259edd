//! Generates news articles, as single files for a spool or as one batch.

use super::address::{self, print};
use super::mail;
use super::prose::{self, Links};
use crate::random::Random;

/// The frequency of URLs in the news of the 1990s, with nearly as many `news:` URLs as `http:`
/// URLs.
const LINKS: Links = Links { per_mille: 45, news: 450, wrapped: 120 };

/// Appends one article, as it is stored in a spool.
pub(super) fn article(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(b"Path: ");
    for _ in 0..random.between(2, 6) {
        address::host(random, out);
        out.push(b'!');
    }
    out.extend_from_slice(b"not-for-mail\nFrom: ");
    address::mailbox(random, out);
    out.extend_from_slice(b" (");
    prose::word(random, out);
    out.extend_from_slice(b")\nNewsgroups: ");
    address::newsgroup(random, out);
    out.extend_from_slice(b"\nSubject: ");
    for _ in 0..random.between(2, 7) {
        prose::word(random, out);
        out.push(b' ');
    }
    out.extend_from_slice(b"\nDate: ");
    address::date(random, out);
    out.extend_from_slice(b"\nOrganization: ");
    prose::word(random, out);
    print(out, format_args!(" Example\nLines: {}\nMessage-ID: <", random.between(4, 80)));
    address::message_id(random, out);
    out.extend_from_slice(b">\n");
    if random.chance(500) {
        out.extend_from_slice(b"References: <");
        address::message_id(random, out);
        out.extend_from_slice(b">\n");
    }
    out.push(b'\n');
    if random.chance(500) {
        out.extend_from_slice(b"In article <");
        address::message_id(random, out);
        out.extend_from_slice(b">, ");
        address::mailbox(random, out);
        out.extend_from_slice(b" writes:\n");
        prose::paragraph(random, random.clone().pick(&["> ", ">", "|> ", ": "]), 70, LINKS, out);
    }
    mail::body(random, LINKS, out);
}

/// Appends one article of a batch, after a line `#! rnews` with its length.
pub(super) fn batched(random: &mut Random, out: &mut Vec<u8>) {
    let mut text = Vec::with_capacity(4096);
    article(random, &mut text);
    print(out, format_args!("#! rnews {}\n", text.len()));
    out.extend_from_slice(&text);
}

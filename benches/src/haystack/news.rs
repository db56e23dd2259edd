//! Generates news articles, as single files for a spool or as one batch.

use super::address::{self, push_formatted};
use super::mail;
use super::prose::{self, Links};
use crate::random::Random;

/// The frequency of URLs in the news of the 1990s, with nearly as many `news:` URLs as `http:`
/// URLs.
const LINKS: Links = Links { per_mille: 45, news: 450, wrapped: 120 };

/// Appends one article, as it is stored in a spool.
pub(super) fn push_article(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(b"Path: ");
    for _ in 0..random.number_between(2, 6) {
        address::push_host(random, out);
        out.push(b'!');
    }
    out.extend_from_slice(b"not-for-mail\nFrom: ");
    address::push_mailbox(random, out);
    out.extend_from_slice(b" (");
    prose::push_word(random, out);
    out.extend_from_slice(b")\nNewsgroups: ");
    address::push_newsgroup(random, out);
    out.extend_from_slice(b"\nSubject: ");
    for _ in 0..random.number_between(2, 7) {
        prose::push_word(random, out);
        out.push(b' ');
    }
    out.extend_from_slice(b"\nDate: ");
    address::push_date(random, out);
    out.extend_from_slice(b"\nOrganization: ");
    prose::push_word(random, out);
    push_formatted(
        out,
        format_args!(" Example\nLines: {}\nMessage-ID: <", random.number_between(4, 80)),
    );
    address::push_message_id(random, out);
    out.extend_from_slice(b">\n");
    if random.is_hit(500) {
        out.extend_from_slice(b"References: <");
        address::push_message_id(random, out);
        out.extend_from_slice(b">\n");
    }
    out.push(b'\n');
    if random.is_hit(500) {
        out.extend_from_slice(b"In article <");
        address::push_message_id(random, out);
        out.extend_from_slice(b">, ");
        address::push_mailbox(random, out);
        out.extend_from_slice(b" writes:\n");
        prose::push_paragraph(
            random,
            random.clone().pick(&["> ", ">", "|> ", ": "]),
            70,
            LINKS,
            out,
        );
    }
    mail::push_body(random, LINKS, out);
}

/// Appends one article of a batch, after a line `#! rnews` with its length.
pub(super) fn push_batched_article(random: &mut Random, out: &mut Vec<u8>) {
    let mut text = Vec::with_capacity(4096);
    push_article(random, &mut text);
    push_formatted(out, format_args!("#! rnews {}\n", text.len()));
    out.extend_from_slice(&text);
}

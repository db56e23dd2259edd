//! Generates an mbox of mailing list mail with 7-bit bodies. Two thirds of the messages have the
//! full header of a modern list.

use super::address::{self, push_formatted};
use super::prose::{self, Links};
use crate::random::Random;

/// The frequency of URLs in list archives: one per 1,500 to 4,500 bytes.
pub(super) const LINKS: Links = Links { per_mille: 45, news: 20, wrapped: 110 };

/// Appends one message: a `From ` line, the header, the body, and an empty line.
pub(super) fn push_message(random: &mut Random, out: &mut Vec<u8>) {
    push_formatted(out, format_args!("From "));
    address::push_mailbox(random, out);
    push_formatted(
        out,
        format_args!(
            "  Tue Apr  1 {:02}:{:02}:48 1997\n",
            random.number_below(24),
            random.number_below(60)
        ),
    );
    push_headers(random, "text/plain; charset=us-ascii", "7bit", out);
    out.push(b'\n');
    push_body(random, LINKS, out);
    out.push(b'\n');
}

/// Appends a header without the empty line after it.
pub(super) fn push_headers(
    random: &mut Random,
    content_type: &str,
    encoding: &str,
    out: &mut Vec<u8>,
) {
    let full = random.is_hit(640);
    if full {
        push_trace_fields(random, out);
    }
    out.extend_from_slice(b"From: ");
    prose::push_word(random, out);
    out.extend_from_slice(b" <");
    address::push_mailbox(random, out);
    out.extend_from_slice(b">\nDate: ");
    address::push_date(random, out);
    out.extend_from_slice(b"\nSubject: Re: ");
    for _ in 0..random.number_between(2, 7) {
        prose::push_word(random, out);
        out.push(b' ');
    }
    out.extend_from_slice(b"\nMessage-ID: <");
    address::push_message_id(random, out);
    out.extend_from_slice(b">\n");
    if random.is_hit(700) {
        out.extend_from_slice(b"In-Reply-To: <");
        address::push_message_id(random, out);
        out.extend_from_slice(b">\nReferences: <");
        address::push_message_id(random, out);
        for _ in 0..random.number_below(5) {
            out.extend_from_slice(b">\n\t<");
            address::push_message_id(random, out);
        }
        out.extend_from_slice(b">\n");
    }
    push_formatted(
        out,
        format_args!(
            "MIME-Version: 1.0\nContent-Type: {content_type}\nContent-Transfer-Encoding: {encoding}\n"
        ),
    );
    if full {
        push_list_fields(random, out);
    }
}

/// Appends `Received:` and other fields that mail servers add.
fn push_trace_fields(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(b"Return-Path: <");
    address::push_mailbox(random, out);
    out.extend_from_slice(b">\n");
    for _ in 0..random.number_between(2, 6) {
        out.extend_from_slice(b"Received: from ");
        address::push_host(random, out);
        out.extend_from_slice(b" (");
        address::push_host(random, out);
        push_formatted(out, format_args!(" [192.0.2.{}])\n\tby ", random.number_below(256)));
        address::push_host(random, out);
        out.extend_from_slice(b" (Postfix) with ESMTP id ");
        address::push_token(random, 11, out);
        out.extend_from_slice(b"\n\tfor <");
        address::push_mailbox(random, out);
        out.extend_from_slice(b">; ");
        address::push_date(random, out);
        out.push(b'\n');
    }
    for _ in 0..random.number_below(3) {
        out.extend_from_slice(b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\n        d=example.com; s=20161025;\n");
        out.extend_from_slice(b"        h=cc:subject:to:references:from:message-id:date:user-agent\n         :mime-version;\n        bh=");
        address::push_token(random, 43, out);
        out.extend_from_slice(b"=;\n        b=");
        for _ in 0..6 {
            address::push_token(random, 66, out);
            out.extend_from_slice(b"\n         ");
        }
        out.extend_from_slice(b"==\n");
    }
}

/// Appends the fields that list software adds, which contain URLs in angle brackets.
fn push_list_fields(random: &mut Random, out: &mut Vec<u8>) {
    push_formatted(
        out,
        format_args!(
            "X-Mailer: Program {}.{}\nPrecedence: bulk\n",
            random.number_below(9),
            random.number_below(99)
        ),
    );
    if random.is_hit(300) {
        out.extend_from_slice(b"List-Id: <list.example.org>\nX-Mailing-List: list@example.org\nList-Unsubscribe: <https://");
        address::push_host(random, out);
        out.extend_from_slice(b"/mailman/options/list>,\n\t<mailto:list-request@lists.example.org?subject=unsubscribe>\n");
        out.extend_from_slice(b"List-Post: <mailto:list@lists.example.org>\n");
    }
}

/// Appends a body of paragraphs, quoted paragraphs, patches, tables and a signature.
pub(super) fn push_body(random: &mut Random, links: Links, out: &mut Vec<u8>) {
    for _ in 0..random.number_between(2, 12) {
        match random.number_below(20) {
            0..7 => {
                out.extend_from_slice(b"On ");
                address::push_date(random, out);
                out.extend_from_slice(b", ");
                prose::push_word(random, out);
                out.extend_from_slice(b" wrote:\n");
                let mark = random.pick(&["> ", "> ", "> ", ">", "> > ", ": ", "| "]);
                prose::push_paragraph(random, mark, 70, links, out);
            }
            7..9 => push_patch(random, out),
            _ => prose::push_paragraph(random, "", 72, links, out),
        }
        out.push(b'\n');
    }
    if random.is_hit(350) {
        out.extend_from_slice(b"-- \n");
        prose::push_word(random, out);
        out.extend_from_slice(b" Surname, ");
        address::push_mailbox(random, out);
        if random.is_hit(200) {
            out.extend_from_slice(b"\nhttp://");
            address::push_host(random, out);
            out.extend_from_slice(b"/~user/");
        }
        out.push(b'\n');
    }
}

/// Appends lines of a patch, a listing or a table.
fn push_patch(random: &mut Random, out: &mut Vec<u8>) {
    push_formatted(out, format_args!("@@ -{0},7 +{0},9 @@\n", random.number_below(900)));
    for _ in 0..random.number_between(4, 16) {
        out.extend_from_slice(random.pick(&["+", "-", " ", " ", "\t", "    "]).as_bytes());
        for _ in 0..random.number_between(1, 8) {
            prose::push_word(random, out);
            out.extend_from_slice(
                random.pick(&[" = ", "(", "); ", ", ", " ", "->", " "]).as_bytes(),
            );
        }
        out.push(b'\n');
    }
}

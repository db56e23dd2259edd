//! Generates an mbox of mailing list mail with 7-bit bodies. Two thirds of the messages have the
//! full header of a modern list.

use super::address::{self, print};
use super::prose::{self, Links};
use crate::random::Random;

/// The frequency of URLs in list archives: one per 1,500 to 4,500 bytes.
pub(super) const LINKS: Links = Links { per_mille: 45, news: 20, wrapped: 110 };

/// Appends one message: a `From ` line, the header, the body, and an empty line.
pub(super) fn message(random: &mut Random, out: &mut Vec<u8>) {
    print(out, format_args!("From "));
    address::mailbox(random, out);
    print(
        out,
        format_args!("  Tue Apr  1 {:02}:{:02}:48 1997\n", random.below(24), random.below(60)),
    );
    headers(random, "text/plain; charset=us-ascii", "7bit", out);
    out.push(b'\n');
    body(random, LINKS, out);
    out.push(b'\n');
}

/// Appends a header without the empty line after it.
pub(super) fn headers(random: &mut Random, content_type: &str, encoding: &str, out: &mut Vec<u8>) {
    let full = random.chance(640);
    if full {
        trace(random, out);
    }
    out.extend_from_slice(b"From: ");
    prose::word(random, out);
    out.extend_from_slice(b" <");
    address::mailbox(random, out);
    out.extend_from_slice(b">\nDate: ");
    address::date(random, out);
    out.extend_from_slice(b"\nSubject: Re: ");
    for _ in 0..random.between(2, 7) {
        prose::word(random, out);
        out.push(b' ');
    }
    out.extend_from_slice(b"\nMessage-ID: <");
    address::message_id(random, out);
    out.extend_from_slice(b">\n");
    if random.chance(700) {
        out.extend_from_slice(b"In-Reply-To: <");
        address::message_id(random, out);
        out.extend_from_slice(b">\nReferences: <");
        address::message_id(random, out);
        for _ in 0..random.below(5) {
            out.extend_from_slice(b">\n\t<");
            address::message_id(random, out);
        }
        out.extend_from_slice(b">\n");
    }
    print(
        out,
        format_args!(
            "MIME-Version: 1.0\nContent-Type: {content_type}\nContent-Transfer-Encoding: {encoding}\n"
        ),
    );
    if full {
        list(random, out);
    }
}

/// Appends `Received:` and other fields that mail servers add.
fn trace(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(b"Return-Path: <");
    address::mailbox(random, out);
    out.extend_from_slice(b">\n");
    for _ in 0..random.between(2, 6) {
        out.extend_from_slice(b"Received: from ");
        address::host(random, out);
        out.extend_from_slice(b" (");
        address::host(random, out);
        print(out, format_args!(" [192.0.2.{}])\n\tby ", random.below(256)));
        address::host(random, out);
        out.extend_from_slice(b" (Postfix) with ESMTP id ");
        address::token(random, 11, out);
        out.extend_from_slice(b"\n\tfor <");
        address::mailbox(random, out);
        out.extend_from_slice(b">; ");
        address::date(random, out);
        out.push(b'\n');
    }
    for _ in 0..random.below(3) {
        out.extend_from_slice(b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\n        d=example.com; s=20161025;\n");
        out.extend_from_slice(b"        h=cc:subject:to:references:from:message-id:date:user-agent\n         :mime-version;\n        bh=");
        address::token(random, 43, out);
        out.extend_from_slice(b"=;\n        b=");
        for _ in 0..6 {
            address::token(random, 66, out);
            out.extend_from_slice(b"\n         ");
        }
        out.extend_from_slice(b"==\n");
    }
}

/// Appends the fields that list software adds, which contain URLs in angle brackets.
fn list(random: &mut Random, out: &mut Vec<u8>) {
    print(
        out,
        format_args!(
            "X-Mailer: Program {}.{}\nPrecedence: bulk\n",
            random.below(9),
            random.below(99)
        ),
    );
    if random.chance(300) {
        out.extend_from_slice(b"List-Id: <list.example.org>\nX-Mailing-List: list@example.org\nList-Unsubscribe: <https://");
        address::host(random, out);
        out.extend_from_slice(b"/mailman/options/list>,\n\t<mailto:list-request@lists.example.org?subject=unsubscribe>\n");
        out.extend_from_slice(b"List-Post: <mailto:list@lists.example.org>\n");
    }
}

/// Appends a body of paragraphs, quoted paragraphs, patches, tables and a signature.
pub(super) fn body(random: &mut Random, links: Links, out: &mut Vec<u8>) {
    for _ in 0..random.between(2, 12) {
        match random.below(20) {
            0..7 => {
                out.extend_from_slice(b"On ");
                address::date(random, out);
                out.extend_from_slice(b", ");
                prose::word(random, out);
                out.extend_from_slice(b" wrote:\n");
                let mark = random.pick(&["> ", "> ", "> ", ">", "> > ", ": ", "| "]);
                prose::paragraph(random, mark, 70, links, out);
            }
            7..9 => patch(random, out),
            _ => prose::paragraph(random, "", 72, links, out),
        }
        out.push(b'\n');
    }
    if random.chance(350) {
        out.extend_from_slice(b"-- \n");
        prose::word(random, out);
        out.extend_from_slice(b" Surname, ");
        address::mailbox(random, out);
        if random.chance(200) {
            out.extend_from_slice(b"\nhttp://");
            address::host(random, out);
            out.extend_from_slice(b"/~user/");
        }
        out.push(b'\n');
    }
}

/// Appends lines of a patch, a listing or a table.
fn patch(random: &mut Random, out: &mut Vec<u8>) {
    print(out, format_args!("@@ -{0},7 +{0},9 @@\n", random.below(900)));
    for _ in 0..random.between(4, 16) {
        out.extend_from_slice(random.pick(&["+", "-", " ", " ", "\t", "    "]).as_bytes());
        for _ in 0..random.between(1, 8) {
            prose::word(random, out);
            out.extend_from_slice(
                random.pick(&[" = ", "(", "); ", ", ", " ", "->", " "]).as_bytes(),
            );
        }
        out.push(b'\n');
    }
}

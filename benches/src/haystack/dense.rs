//! Generates lists of links, in which the cost per URL dominates.

use super::address::{self, push_formatted};
use super::prose;
use crate::random::Random;

/// Appends one or two lines with a URL, as in a bookmark file, crawl log, bibliography or wiki.
pub(super) fn push_entry(random: &mut Random, out: &mut Vec<u8>) {
    match random.number_below(8) {
        0 | 1 => {
            address::push_url(random, out);
            out.push(b'\n');
        }
        2 => {
            push_formatted(
                out,
                format_args!(
                    "{} 200 {} ",
                    random.number_below(2_000_000_000),
                    random.number_below(90_000)
                ),
            );
            address::push_url(random, out);
            out.push(b'\n');
        }
        3 => {
            out.extend_from_slice(b"  * ");
            prose::push_word(random, out);
            out.push(b' ');
            prose::push_word(random, out);
            out.extend_from_slice(b": <");
            address::push_url(random, out);
            out.extend_from_slice(b">\n");
        }
        4 => {
            out.extend_from_slice(b"<li><a href=\"");
            address::push_url(random, out);
            out.extend_from_slice(b"\">");
            prose::push_word(random, out);
            out.extend_from_slice(b"</a></li>\n");
        }
        5 => {
            out.extend_from_slice(b"- [");
            prose::push_word(random, out);
            out.extend_from_slice(b"](");
            address::push_url(random, out);
            out.extend_from_slice(b"), ");
            prose::push_sentence(random, out);
            out.push(b'\n');
        }
        6 => {
            prose::push_sentence(random, out);
            out.extend_from_slice(b"\n  see ");
            address::push_url(random, out);
            out.extend_from_slice(b", ");
            prose::push_word(random, out);
            out.extend_from_slice(b".\n");
        }
        _ => {
            out.extend_from_slice(b"<URL:");
            address::push_url(random, out);
            out.extend_from_slice(b">\n");
        }
    }
}

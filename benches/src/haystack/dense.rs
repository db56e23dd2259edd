//! Generates lists of links, in which the cost per URL dominates.

use super::address::{self, print};
use super::prose;
use crate::random::Random;

/// Appends one or two lines with a URL, as in a bookmark file, crawl log, bibliography or wiki.
pub(super) fn entry(random: &mut Random, out: &mut Vec<u8>) {
    match random.below(8) {
        0 | 1 => {
            address::url(random, out);
            out.push(b'\n');
        }
        2 => {
            print(
                out,
                format_args!("{} 200 {} ", random.below(2_000_000_000), random.below(90_000)),
            );
            address::url(random, out);
            out.push(b'\n');
        }
        3 => {
            out.extend_from_slice(b"  * ");
            prose::word(random, out);
            out.push(b' ');
            prose::word(random, out);
            out.extend_from_slice(b": <");
            address::url(random, out);
            out.extend_from_slice(b">\n");
        }
        4 => {
            out.extend_from_slice(b"<li><a href=\"");
            address::url(random, out);
            out.extend_from_slice(b"\">");
            prose::word(random, out);
            out.extend_from_slice(b"</a></li>\n");
        }
        5 => {
            out.extend_from_slice(b"- [");
            prose::word(random, out);
            out.extend_from_slice(b"](");
            address::url(random, out);
            out.extend_from_slice(b"), ");
            prose::sentence(random, out);
            out.push(b'\n');
        }
        6 => {
            prose::sentence(random, out);
            out.extend_from_slice(b"\n  see ");
            address::url(random, out);
            out.extend_from_slice(b", ");
            prose::word(random, out);
            out.extend_from_slice(b".\n");
        }
        _ => {
            out.extend_from_slice(b"<URL:");
            address::url(random, out);
            out.extend_from_slice(b">\n");
        }
    }
}

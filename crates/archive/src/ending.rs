//! The ending of a mail: the author's signature, and the [footers](crate::footer).

use crate::footer::Footers;
use core::ops::Range;
use memchr::memmem;

/// The start of a PGP signature. This module finds the author's signature, which is something else.
const PGP_SIGNATURE: &[u8] = b"-----BEGIN PGP SIGNATURE";

/// The maximum number of lines of a signature, without blank ones. RFC 1855 recommends four.
const MAX_SIGNATURE_LINES: usize = 20;

/// The maximum number of lines of a signature, if no blank follows the dashes of its separator.
/// Such a line may also be a horizontal rule.
const MAX_LOOSE_SIGNATURE_LINES: usize = 8;

/// The maximum number of lines of a signature after a PGP signature, not counting blank lines.
const MAX_LINES_AFTER_PGP: usize = 8;

/// The maximum number of signatures that are searched for references. Each search may read the
/// whole text.
const MAX_REFERENCE_SEARCHES: usize = 8;

/// The positions of the signatures and the footers in a mail's text.
///
/// ```
/// use urlsift_archive::Ending;
/// let text = b"See you.\n-- \nJoe, http://joe.dom/\n";
/// let ending = Ending::find(text);
/// assert!(ending.is_in_signature(20) && !ending.is_in_signature(3));
/// assert!(!ending.is_in_footer(20));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The ranges of the signatures, in order. Most start at a line of two dashes. There are
    /// several if somebody replied above another mail.
    signatures: Vec<Range<usize>>,
    footers: Footers,
}

impl Ending {
    /// Finds the signatures and the footers of a text. Takes time linear in its length.
    pub fn find(text: &[u8]) -> Self {
        let footers = Footers::find(text);
        let mut signatures = find_signatures(text, &footers);
        let last_end = signatures.last().map_or(0, |last| last.end);
        let short = footers.signature.clone().or_else(|| signature_after_pgp(text, &footers));
        signatures.extend(short.filter(|signature| last_end <= signature.start));
        cut_at_references(text, &mut signatures);
        Self { signatures, footers }
    }

    /// True if byte `offset` of the text is in text that list software or a mail service added: the
    /// footer, or a note about a removed attachment.
    pub fn is_in_footer(&self, offset: usize) -> bool {
        self.footers.contains(offset)
    }

    /// True if byte `offset` of the text is in a signature, and not in text added by software.
    pub fn is_in_signature(&self, offset: usize) -> bool {
        if self.is_in_footer(offset) {
            return false;
        }
        let next = self.signatures.partition_point(|signature| signature.start <= offset);
        next.checked_sub(1).is_some_and(|last| offset < self.signatures[last].end)
    }
}

/// Returns the line that starts at byte `at`, with its line break.
fn line_at(text: &[u8], at: usize) -> &[u8] {
    let rest = text.get(at..).unwrap_or_default();
    rest.split_inclusive(|&b| b == b'\n').next().unwrap_or_default()
}

/// Returns the ranges of the signatures in order. A signature starts at a line of two dashes. In
/// text signed with PGP, `- ` precedes the dashes (RFC 9580 §7.2). A signature ends at a quoted
/// line, at a forwarded message (`-----Original`), at the next signature, at a PGP signature, at a
/// footer, or when it reaches its maximum length.
fn find_signatures(text: &[u8], footers: &Footers) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let first = text.starts_with(b"-").then_some(0);
    for at in first.into_iter().chain(memmem::find_iter(text, b"\n-").map(|at| at + 1)) {
        let line = line_at(text, at);
        let separator = line.strip_prefix(b"- ").unwrap_or(line);
        if separator.trim_ascii_end() != b"--" || footers.contains(at) {
            continue;
        }
        if let Some(last) = found.last_mut() {
            last.end = last.end.min(at);
        }
        let text = up_to_footer(text, footers, at);
        let below = at + line.len();
        let mut end = signature_end(text, below, MAX_SIGNATURE_LINES).0;
        // PGP writes the separator as `- --`: it adds `- ` in front and removes the blank after
        // the dashes.
        let is_signed = separator.len() < line.len() && is_pgp_signature(line_at(text, end));
        if !separator.starts_with(b"-- ") && !is_signed {
            let (loose_end, lines) = signature_end(text, below, MAX_LOOSE_SIGNATURE_LINES);
            let is_full = lines == MAX_LOOSE_SIGNATURE_LINES;
            if is_full && !line_at(text, loose_end).trim_ascii().is_empty() {
                continue;
            }
            end = loose_end;
        }
        found.push(at..end);
    }
    found
}

/// Returns the end of the signature whose first line, after the separator, starts at byte `start`,
/// and the number of its lines that aren't blank. The signature ends after `max_lines` of them.
fn signature_end(text: &[u8], start: usize, max_lines: usize) -> (usize, usize) {
    let (mut end, mut lines) = (start, 0);
    while lines < max_lines {
        let next = line_at(text, end);
        let is_end = |start: &[u8]| next.starts_with(start);
        if next.is_empty() || is_end(b">") || is_end(b"-----Original") || is_pgp_signature(next) {
            break;
        }
        lines += usize::from(!next.trim_ascii().is_empty());
        end += next.len();
    }
    (end, lines)
}

fn is_pgp_signature(line: &[u8]) -> bool {
    line.starts_with(PGP_SIGNATURE)
}

/// Ends each of the `signatures` before the author's references: lines such as `[1] http://h.dom/`,
/// whose number occurs in the text above.
fn cut_at_references(text: &[u8], signatures: &mut [Range<usize>]) {
    let mut searches = 0;
    for signature in signatures {
        let mut at = signature.start;
        while at < signature.end {
            let line = line_at(text, at);
            if let Some(label) = reference_label(line) {
                searches += 1;
                if memmem::find(&text[..at], label).is_some() {
                    signature.end = at;
                }
                break;
            }
            at += line.len();
        }
        if searches == MAX_REFERENCE_SEARCHES {
            break;
        }
    }
}

/// Returns the label at the start of a reference, such as `[1]` in `[1] http://h.dom/`. Returns
/// `None` if `line` is no reference.
fn reference_label(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii_start();
    let digits = line.strip_prefix(b"[")?.iter().take_while(|b| b.is_ascii_digit()).count();
    ((1..=3).contains(&digits) && line.get(digits + 1) == Some(&b']')).then(|| &line[..digits + 2])
}

/// Returns the part of `text` before the first footer that starts at or after byte `offset`.
fn up_to_footer<'t>(text: &'t [u8], footers: &Footers, offset: usize) -> &'t [u8] {
    footers.next_start(offset).and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Returns the range of the text after the last PGP signature, up to the next footer, if that is
/// probably the author's signature. Returns `None` if there is no such text, if it has more than
/// [`MAX_LINES_AFTER_PGP`] lines, or if one of its lines starts with `>` or `-----`.
fn signature_after_pgp(text: &[u8], footers: &Footers) -> Option<Range<usize>> {
    const END: &[u8] = b"\n-----END PGP SIGNATURE-----";
    // `memmem::rfind` isn't used, because only forward searches are vectorized.
    let last = memmem::find_iter(text, END).last()? + 1;
    let text = up_to_footer(text, footers, last);
    let start = last + line_at(text, last).len();
    let lines = text.get(start..)?.split(|&b| b == b'\n');
    let lines = lines.filter(|line| !line.trim_ascii().is_empty()).take(MAX_LINES_AFTER_PGP + 1);
    let lines: Vec<_> = lines.collect();
    let is_signature = (1..=MAX_LINES_AFTER_PGP).contains(&lines.len())
        && !lines.iter().any(|line| line.starts_with(b">") || line.starts_with(b"-----"));
    is_signature.then_some(start..text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classifies each line: `b`ody, `s`ignature or `f`ooter.
    fn classify_lines(text: &str) -> String {
        let ending = Ending::find(text.as_bytes());
        let mut at = 0;
        text.split_inclusive('\n')
            .map(|line| {
                let here = at;
                at += line.len();
                match (ending.is_in_footer(here), ending.is_in_signature(here)) {
                    (true, false) => 'f',
                    (false, true) => 's',
                    (false, false) => 'b',
                    (true, true) => '!',
                }
            })
            .collect()
    }

    #[test]
    fn signatures_and_footers_are_found() {
        let rule = "_".repeat(47);
        for (text, expected) in [
            ("a\n-- \nJoe\nhttp://h/\n", "bsss"),
            ("a\r\n-- \r\nJoe\r\n", "bss"),
            ("a\n--\nJoe\n", "bss"),
            ("--\nJoe\n", "ss"),
            ("a\n---\nJoe\n--x\n", "bbbb"),
            ("a\n-- \nJoe\n\n> quoted\nb\n-- \nAnn\n", "bsssbbss"),
            ("--\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", "bbbbbbbbbb"),
            (
                &format!("a\n-- \nJoe\n\n{rule}\nTalk mailing list\nhttp://h/listinfo/talk\n"),
                "bsssfff",
            ),
            (&format!("a\n{rule}\n"), "bb"),
            ("a\n--\nTo unsubscribe from this list: send the line\nhttp://h/\n", "bfff"),
            ("a\n\nTo unsubscribe, e-mail: a@b\n", "bbf"),
            (
                "a\n-.-.-.-.-\nt mailing list -- Read http://h/\nSend \"help\", or \"[un]subscribe\"\n",
                "bfff",
            ),
            ("> To unsubscribe, e-mail: a@b\na\n", "bb"),
            ("how to unsubscribe?\nI have subscribed\n", "bb"),
            ("a\n------\nYahoo! Groups Links\n\nhttp://h/\n", "bffff"),
        ] {
            assert_eq!(classify_lines(text), expected, "{text}");
        }
        let far = format!("To unsubscribe, wait\n{}", "prose\n".repeat(1000));
        assert!(!classify_lines(&far).contains('f'));
    }

    #[test]
    fn signatures_of_signed_mail_are_found() {
        let signed = "-----BEGIN PGP SIGNED MESSAGE-----\n\na\n\n- -- \nJoe\n\n\
                      -----BEGIN PGP SIGNATURE-----\n\niQ\n-----END PGP SIGNATURE-----\n";
        assert_eq!(classify_lines(signed), "bbbbsssbbbb");
        assert_eq!(classify_lines(&format!("{signed}\nJoe\nhttp://h/\n")), "bbbbsssbbbbsss");
        assert_eq!(classify_lines(&format!("{signed}> b\n")), "bbbbsssbbbbb");
        assert!(classify_lines(&format!("{signed}{}", "c\n".repeat(9))).ends_with("bbbbbbbbb"));
        assert_eq!(classify_lines("a\n- --b\n- -\n"), "bbb");
        // PGP removes blanks at the ends of lines.
        let long = signed.replace("- -- \nJoe\n", &format!("- --\n{}", "Joe\n".repeat(12)));
        assert_eq!(classify_lines(&long), format!("bbbb{}bbbb", "s".repeat(14)));
        let rule = long.replace("- --\n", "--\n");
        assert!(!classify_lines(&rule).contains('s'));
        let unsigned = format!("a\n- --\n{}", "Joe\n".repeat(12));
        assert!(!classify_lines(&unsigned).contains('s'));
    }

    #[test]
    fn references_are_not_in_a_signature() {
        let rule = "_".repeat(47);
        for (text, expected) in [
            ("a [1] b [2]\n-- \nJoe\n\n[1] http://h/\n[2] http://h/\n", "bsssbb"),
            ("a [12]\n-- \n[12]: http://h/\n", "bsb"),
            ("> a [1]\nb\n-- \n [1] http://h/\n\nJoe\n", "bbsbbb"),
            (&format!("a [1]\n{rule}\nJoe\n[1] http://h/\n"), "bssb"),
            // Nothing refers to these.
            ("a\n-- \nJoe\n[1] http://h/\n", "bsss"),
            ("a 1\n-- \nJoe\n[x] http://h/\n[] http://h/\n[1 http://h/\n", "bsssss"),
            ("a [1]\n-- \nJoe [1] http://h/\n", "bss"),
        ] {
            assert_eq!(classify_lines(text), expected, "{text}");
        }
    }

    #[test]
    fn notes_about_attachments_are_footers() {
        let note = "An HTML attachment was scrubbed...\nURL: <http://h/attachment.html>\n";
        let divided = format!("a\n-------------- next part --------------\n{note}b\n");
        assert_eq!(classify_lines(&divided), "bfffb");
        assert_eq!(classify_lines(&format!("a\n-- \nJoe\n{note}{note}")), "bssffff");
        let long = "A non-text attachment was scrubbed...\nName: a\nType: b\nDesc: c\n\
                    Url:\n<http://h/a\nb>\nd\n";
        assert_eq!(classify_lines(long), "fffffffb");
        assert_eq!(classify_lines("it was scrubbed...\nb\n"), "bb");
        // CR alone doesn't end a line, so the note isn't at the end of one.
        assert_eq!(classify_lines("it was scrubbed...\rURL: <http://h/>\r"), "b");
    }

    #[test]
    fn rule_alone_starts_no_footer() {
        let rule = "_".repeat(72);
        assert_eq!(classify_lines(&format!("a\n{rule}\nJoe\nhttp://h/\n")), "bsss");
        assert_eq!(classify_lines(&format!("{rule}\na\n{rule}\n")), "bbb");
        let chapter = "b\n".repeat(11);
        assert!(!classify_lines(&format!("a\n{rule}\n{chapter}")).contains(['f', 's']));
        let service = format!("a\n{rule}\nGet Your Private, Free Email at http://h/\n");
        assert_eq!(classify_lines(&service), "bff");
    }

    #[test]
    fn own_text_below_a_footer_is_not_in_it() {
        let rule = "_".repeat(47);
        let list = format!("{rule}\nTalk mailing list\nhttp://h/\n");
        let framed = "-=-=-=-=-=-=-\nSend \"help\", or \"[un]subscribe\"\n=-=-=-=-=-=-=\n";
        for (text, expected) in [
            (&format!("a\n{list}\nb\n"), "bfffbb"),
            (&format!("a\n{list}\nb\nb\n\n{list}"), "bfffbbbbfff"),
            (&format!("a\n-- \nJoe\n{list}\nb\n-- \nJoe\n{list}"), "bssfffbbssfff"),
            (&format!("a\n{list}> b\nb\n"), "bfffbb"),
            (&format!("a\n{list}{list}\nb\n"), "bffffffbb"),
            (&format!("a\n{list}\n[[HTML version deleted]]\n\n{list}"), "bfffbbbfff"),
            (&format!("{framed}b\n"), "fffb"),
            (&format!("{framed}\nb\n{framed}"), "fffbbfff"),
            (&"-- \nTo unsubscribe http://h/\n\nb\n-- \nJoe\n".to_owned(), "ffbbss"),
            (&"To unsubscribe http://h/\n--\nJoe\n".to_owned(), "fss"),
            (&"To unsubscribe http://h/\n--- end forwarded text\nb\n".to_owned(), "fbb"),
            (&"To unsubscribe http://h/\nFrom: Joe\nTo: Ann\n".to_owned(), "fbb"),
            (
                &format!("{rule}\nFrom: Joe\nTo: Talk mailing list\n\n{}", "b\n".repeat(9)),
                &"b".repeat(13),
            ),
        ] {
            assert_eq!(classify_lines(text), *expected, "{text}");
        }
    }

    #[test]
    fn footer_continues_where_its_wording_or_frame_shows_it() {
        let frame = "=".repeat(40);
        for (text, expected) in [
            (&format!("{}\n\nTalk mailing list\n\nb\n", "_".repeat(47)), "fffbb"),
            (&"To unsubscribe, go to:\n\nhttp://h/\n\nb\n".to_owned(), "fffbb"),
            (
                &"Yahoo! Groups Links\n\n<*> To visit:\nhttp://h/\n\n<*> See\n\nb\n".to_owned(),
                "ffffffbb",
            ),
            (&format!("{frame}\nTo unsubscribe\n\nhttp://h/\n{frame}\n\nb\n"), "fffffbb"),
            (&format!("{frame}\nTo unsubscribe\n{frame}\nhttp://h/\n{frame}\nb\n"), "fffffb"),
            (
                &format!("{frame}\nTo unsubscribe\n{frame}\n\nPowered by http://h/\n\nb\n"),
                "fffffbb",
            ),
            (&"-----\nTo unsubscribe\n\nb\n-----\nb\n".to_owned(), "ffbbbb"),
        ] {
            assert_eq!(classify_lines(text), *expected, "{text}");
        }
    }

    #[test]
    fn lines_of_services_and_lists_are_footers() {
        for (text, expected) in [
            ("a\nSent via Deja.com http://h/\nBefore you buy.\n", "bff"),
            ("a\n-----== Posted via Deja News, the ==-----\nhttp://h/\n", "bff"),
            ("a\n* Sent from RemarQ http://h/ *\n", "bf"),
            ("a\nJoin the world's largest e-mail service with MSN Hotmail. http://h/\n", "bf"),
            ("it was sent via deja.com\nb\n", "bb"),
            ("a\n\nList-Unsubscribe: <http://h/>\n", "bbf"),
            ("Subject: b\nList-Unsubscribe: <http://h/>\nb\n", "bbb"),
            ("a\n* To unsubscribe, see http://h/\n", "bf"),
            ("a\n--\nGroup\nhttp://h/ for (un)subscription information.\n", "bfff"),
            (
                "a\nYou are receiving this mail\nfrom the list Talk (unsubscribe: http://h/)\n",
                "bff",
            ),
            ("You are receiving this mail\nbecause you asked me for http://h/\n", "bb"),
            ("the event \"unsubscribe\" is described\nb\n", "bb"),
            ("a\n--\nsend the line\n\"unsubscribe l\" in a mail to b\n", "bfff"),
        ] {
            assert_eq!(classify_lines(text), expected, "{text}");
        }
        let far = format!("To unsubscribe, wait\n{}", "b\n".repeat(20));
        assert!(!classify_lines(&far).contains('f'));
    }
}

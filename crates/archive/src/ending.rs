//! The ending of a mail: the author's signature, and the footer added by list software.
//!
//! A footer is recognized from the message alone, by the lines and words that list software writes.
//! A line repeated in many messages of a list would be better evidence. But the result for a URL
//! must not depend on how files are split or on the number of threads, and one range of a mailbox
//! doesn't show which lines repeat in the others. A program that has all records can count repeated
//! lines itself.

use core::ops::Range;
use memchr::memmem;
use std::sync::LazyLock;

/// The number of bytes at the end of a text that are searched for a footer.
const TAIL_LEN: usize = 4096;

/// The maximum number of lines of a signature, without blank ones. RFC 1855 recommends four.
const MAX_SIGNATURE_LINES: usize = 20;

/// The maximum number of lines of a signature, if no blank follows the dashes of its separator.
/// Such a line may also be a horizontal rule.
const MAX_LOOSE_SIGNATURE_LINES: usize = 8;

/// The maximum number of lines between the rule that starts a footer and its first recognized line.
const MAX_LINES_ABOVE: usize = 4;

/// Words of which every known footer contains at least one.
static FOOTER_WORDS: LazyLock<[memmem::Finder<'_>; 4]> =
    LazyLock::new(|| ["subscri", "yahoo", "sf.net", "__________"].map(memmem::Finder::new));

/// The positions of the signatures and the footer in a mail's text.
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
    /// The signatures, each from its line of two dashes on. There are several if somebody answered
    /// above another mail.
    signatures: Vec<Range<usize>>,
    /// The offset of the footer that list software added; `None` if there is none.
    footer: Option<usize>,
}

impl Ending {
    /// Finds the signatures and the footer of a text. Takes time linear in its length.
    pub fn find(text: &[u8]) -> Self {
        let footer = footer_start(text);
        Self { signatures: find_signatures(text, footer.unwrap_or(text.len())), footer }
    }

    /// True if byte `offset` of the text is in the footer, which list software added.
    pub fn is_in_footer(&self, offset: usize) -> bool {
        self.footer.is_some_and(|footer| footer <= offset)
    }

    /// True if byte `offset` of the text is in a signature.
    pub fn is_in_signature(&self, offset: usize) -> bool {
        let next = self.signatures.partition_point(|signature| signature.start <= offset);
        next.checked_sub(1).is_some_and(|last| offset < self.signatures[last].end)
    }
}

/// Returns the line that starts at byte `at`, with its line break.
fn line_at(text: &[u8], at: usize) -> &[u8] {
    let rest = text.get(at..).unwrap_or_default();
    rest.split_inclusive(|&b| b == b'\n').next().unwrap_or_default()
}

/// Returns the ranges of the signatures that start before byte `end`, in order. A signature starts
/// at a line of two dashes. It ends at a quoted line, at the next signature, at byte `end`, or when
/// it reaches its maximum length.
fn find_signatures(text: &[u8], end: usize) -> Vec<Range<usize>> {
    let text = text.get(..end).unwrap_or(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    let first = text.starts_with(b"--").then_some(0);
    for at in first.into_iter().chain(memmem::find_iter(text, b"\n--").map(|at| at + 1)) {
        let separator = line_at(text, at);
        let max_lines = match separator.trim_ascii_end() {
            b"--" if separator.starts_with(b"-- ") => MAX_SIGNATURE_LINES,
            b"--" => MAX_LOOSE_SIGNATURE_LINES,
            _ => continue,
        };
        if let Some(last) = found.last_mut() {
            last.end = last.end.min(at);
        }
        let (mut stop, mut lines) = (at + separator.len(), 0);
        while lines < max_lines {
            let next = line_at(text, stop);
            if next.is_empty() || next.starts_with(b">") || next.starts_with(b"-----Original") {
                break;
            }
            lines += usize::from(!next.trim_ascii().is_empty());
            stop += next.len();
        }
        let continues =
            lines == MAX_LOOSE_SIGNATURE_LINES && !line_at(text, stop).trim_ascii().is_empty();
        if !(max_lines == MAX_LOOSE_SIGNATURE_LINES && continues) {
            found.push(at..stop);
        }
    }
    found
}

/// Returns the start of the footer: the first line near the end that only list software writes, or
/// the rule above it. Returns `None` if there is no footer.
fn footer_start(text: &[u8]) -> Option<usize> {
    let from = text.len().saturating_sub(TAIL_LEN);
    let tail = text.get(from..)?.to_ascii_lowercase();
    if !FOOTER_WORDS.iter().any(|word| word.find(&tail).is_some()) {
        return None;
    }
    let mut lines = Vec::new();
    let mut at = 0;
    for line in tail.split_inclusive(|&b| b == b'\n') {
        lines.push((at, line.trim_ascii()));
        at += line.len();
    }
    // The first line of the tail may be cut.
    let whole = usize::from(from > 0);
    let known = (whole..lines.len()).find(|&index| is_footer_line(&lines[index..]))?;
    if is_horizontal_rule(lines[known].1) {
        return Some(from + lines[known].0);
    }
    let above = (known.saturating_sub(MAX_LINES_ABOVE).max(whole)..known).rev();
    let rule = above
        .take_while(|&index| !lines[index].1.is_empty() || index + 1 == known)
        .find(|&index| is_horizontal_rule(lines[index].1));
    Some(from + lines[rule.unwrap_or(known)].0)
}

/// True if a line consists of punctuation only, such as the rules that software draws above its
/// footers.
fn is_horizontal_rule(line: &[u8]) -> bool {
    line.len() >= 2 && line.iter().all(|b| b"-_=*~+.# ".contains(b))
}

/// True if the first of `lines` is a line that only list software writes. The lines after it are
/// context. Each element is a line in lower case, and the line's offset.
fn is_footer_line(lines: &[(usize, &[u8])]) -> bool {
    let Some(((_, line), rest)) = lines.split_first() else { return false };
    let starts = |words: &[u8]| line.starts_with(words);
    let holds = |words: &[u8]| memmem::find(line, words).is_some();
    // Mailman: a rule, the list's name, and the address of its page.
    let is_mailman = line.len() >= 40 && line.iter().all(|&b| b == b'_');
    if is_mailman {
        let more = rest.iter().filter(|(_, line)| !line.is_empty()).count();
        return (1..=12).contains(&more);
    }
    if starts(b">") || !(holds(b"subscri") || holds(b"yahoo") || holds(b"sf.net")) {
        return false;
    }
    starts(b"to unsubscribe")
        || starts(b"to subscribe or unsubscribe")
        || starts(b"unsubscribe:")
        || starts(b"list-unsubscribe:")
        || starts(b"you received this message because you are subscribed")
        || starts(b"you are receiving this")
        || starts(b"you are subscribed")
        || starts(b"you are currently subscribed")
        || starts(b"your use of yahoo! groups is subject")
        || starts(b"yahoo! groups links")
        || starts(b"this sf.net email")
        || holds(b"[un]subscribe")
        || holds(b"\"unsubscribe\"")
        || holds(b"unsubscribe in the ")
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
}

//! How a mail ends: with its author's signature, and with what list software added.
//!
//! A footer is told by the message alone, by the rules and words that list software writes. That the same line stands in
//! many messages of a list would be better evidence, but it is none that a range of a mailbox has when it is
//! read alone, and what is said of a URL must not depend on where files are cut or on how many threads there are. Whoever
//! has all records can count.

use core::ops::Range;
use memchr::memmem;
use std::sync::LazyLock;

/// How far from the end of a text a footer is looked for.
const TAIL: usize = 4096;

/// The most lines of a signature, blank ones not counted: RFC 1855 wants four.
const SIGNATURE: usize = 20;

/// The same without a blank behind the dashes, which may be a mere rule then.
const LOOSE_SIGNATURE: usize = 8;

/// How far above its first telling line a footer may begin, with a rule.
const ABOVE: usize = 4;

/// One of these stands in every footer that is known.
static SPEAKS: LazyLock<[memmem::Finder<'_>; 4]> =
    LazyLock::new(|| ["subscri", "yahoo", "sf.net", "__________"].map(memmem::Finder::new));

/// What ends a mail's text.
///
/// ```
/// use urlsift_archive::Ending;
/// let text = b"See you.\n-- \nJoe, http://joe.dom/\n";
/// let ending = Ending::of(text);
/// assert!(ending.is_signature(20) && !ending.is_signature(3));
/// assert!(!ending.is_footer(20));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// Where signatures stand, from their lines of two dashes on: several where somebody answered above another's mail.
    signatures: Vec<Range<usize>>,
    /// Where the footer starts.
    footer: Option<usize>,
}

impl Ending {
    /// How a text ends. Linear.
    pub fn of(text: &[u8]) -> Self {
        let footer = footer(text);
        Self { signatures: signatures(text, footer.unwrap_or(text.len())), footer }
    }

    /// Whether byte `at` stands in what list software added.
    pub fn is_footer(&self, at: usize) -> bool {
        self.footer.is_some_and(|footer| footer <= at)
    }

    /// Whether byte `at` stands in a signature.
    pub fn is_signature(&self, at: usize) -> bool {
        let next = self.signatures.partition_point(|signature| signature.start <= at);
        next.checked_sub(1).is_some_and(|last| at < self.signatures[last].end)
    }
}

/// The line at byte `at`, with its end.
fn line(text: &[u8], at: usize) -> &[u8] {
    let rest = text.get(at..).unwrap_or_default();
    rest.split_inclusive(|&b| b == b'\n').next().unwrap_or_default()
}

/// The signatures before byte `end`. One ends at its most lines, at a quoted line, or where the next one starts.
fn signatures(text: &[u8], end: usize) -> Vec<Range<usize>> {
    let text = text.get(..end).unwrap_or(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    let first = text.starts_with(b"--").then_some(0);
    for at in first.into_iter().chain(memmem::find_iter(text, b"\n--").map(|at| at + 1)) {
        let separator = line(text, at);
        let most = match separator.trim_ascii_end() {
            b"--" if separator.starts_with(b"-- ") => SIGNATURE,
            b"--" => LOOSE_SIGNATURE,
            _ => continue,
        };
        if let Some(last) = found.last_mut() {
            last.end = last.end.min(at);
        }
        let (mut stop, mut lines) = (at + separator.len(), 0);
        while lines < most {
            let next = line(text, stop);
            if next.is_empty() || next.starts_with(b">") || next.starts_with(b"-----Original") {
                break;
            }
            lines += usize::from(!next.trim_ascii().is_empty());
            stop += next.len();
        }
        let goes_on = lines == LOOSE_SIGNATURE && !line(text, stop).trim_ascii().is_empty();
        if !(most == LOOSE_SIGNATURE && goes_on) {
            found.push(at..stop);
        }
    }
    found
}

/// Where the footer starts: at the first line near the end that only list software writes, or at the rule above it.
fn footer(text: &[u8]) -> Option<usize> {
    let from = text.len().saturating_sub(TAIL);
    let tail = text.get(from..)?.to_ascii_lowercase();
    if !SPEAKS.iter().any(|word| word.find(&tail).is_some()) {
        return None;
    }
    let mut lines = Vec::new();
    let mut at = 0;
    for line in tail.split_inclusive(|&b| b == b'\n') {
        lines.push((at, line.trim_ascii()));
        at += line.len();
    }
    // The first line may be cut.
    let whole = usize::from(from > 0);
    let told = (whole..lines.len()).find(|&index| is_telling(&lines[index..]))?;
    if is_rule(lines[told].1) {
        return Some(from + lines[told].0);
    }
    let above = (told.saturating_sub(ABOVE).max(whole)..told).rev();
    let rule = above
        .take_while(|&index| !lines[index].1.is_empty() || index + 1 == told)
        .find(|&index| is_rule(lines[index].1));
    Some(from + lines[rule.unwrap_or(told)].0)
}

/// A line of nothing but marks, as software draws above its own words.
fn is_rule(line: &[u8]) -> bool {
    line.len() >= 2 && line.iter().all(|b| b"-_=*~+.# ".contains(b))
}

/// Whether the first of the lines, which are in lower case, is what list software writes.
fn is_telling(lines: &[(usize, &[u8])]) -> bool {
    let Some(((_, line), behind)) = lines.split_first() else { return false };
    let starts = |words: &[u8]| line.starts_with(words);
    let holds = |words: &[u8]| memmem::find(line, words).is_some();
    // Mailman: a rule, the list's name, and the address of its page.
    let is_mailman = line.len() >= 40 && line.iter().all(|&b| b == b'_');
    if is_mailman {
        let more = behind.iter().filter(|(_, line)| !line.is_empty()).count();
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

    /// The lines, each with what it is.
    fn told(text: &str) -> String {
        let ending = Ending::of(text.as_bytes());
        let mut at = 0;
        text.split_inclusive('\n')
            .map(|line| {
                let here = at;
                at += line.len();
                match (ending.is_footer(here), ending.is_signature(here)) {
                    (true, false) => 'f',
                    (false, true) => 's',
                    (false, false) => 'b',
                    (true, true) => '!',
                }
            })
            .collect()
    }

    #[test]
    fn endings() {
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
            assert_eq!(told(text), expected, "{text}");
        }
        let far = format!("To unsubscribe, wait\n{}", "prose\n".repeat(1000));
        assert!(!told(&far).contains('f'));
    }
}

//! The text that list software and mail services add to a mail.
//!
//! A footer is recognized from the message alone, by the lines and words that such software writes.
//! A line repeated in many messages of a list would be better evidence. But the result for a URL
//! must not depend on how files are split or on the number of threads, and one range of a mailbox
//! doesn't show which lines repeat in the others. A program that has all records can count repeated
//! lines itself.

use crate::attribution::is_author_field;
use core::ops::Range;
use memchr::memmem;
use std::sync::LazyLock;

/// The number of bytes at the end of a text that are searched for a footer.
const TAIL_LEN: usize = 4096;

/// The maximum number of lines of a footer, without blank ones.
const MAX_LINES: usize = 20;

/// The maximum distance from a rule down to the recognized line of its footer, in lines.
const MAX_RULE_DISTANCE: usize = 4;

/// The maximum number of lines of a signature below a rule of underscores, not counting blank ones.
const MAX_LINES_BELOW_RULE: usize = 10;

/// The minimum length of a rule of underscores. Mailman draws 47 of them.
const MIN_RULE_LEN: usize = 40;

/// Strings in lower case. Footers are only searched for in texts whose end contains at least one of
/// them, or of [`LIST_MARKS`].
static FOOTER_WORDS: LazyLock<[memmem::Finder<'_>; 6]> = LazyLock::new(|| {
    ["__________", "deja", "remarq", "free", "hotmail", "avg "].map(memmem::Finder::new)
});

/// Strings in lower case. [`is_of_list`] only accepts lines that contain at least one of them.
static LIST_MARKS: LazyLock<[memmem::Finder<'_>; 3]> =
    LazyLock::new(|| ["subscri", "yahoo", "sf.net"].map(memmem::Finder::new));

/// The beginnings of lines that mail and news services add to messages, in lower case.
const SERVICES: [&[u8]; 14] = [
    b"sent via deja.com",
    b"sent from remarq",
    b"posted via deja news",
    b"get your *web-based* free email",
    b"get your private, free email",
    b"get your private, free e-mail",
    b"get your free ",
    b"get free email",
    b"get free e-mail",
    b"get completely free e-mail",
    b"you don't need to buy internet access to use free internet e-mail",
    b"join the world's largest e-mail service with msn hotmail",
    b"do you yahoo!?",
    b"checked by avg ",
];

/// Words in the lines that list software writes below a rule of underscores, in lower case.
const LIST_WORDS: [&[u8]; 5] = [b"mailing list", b"listinfo", b"subscri", b"@lists.", b"maillist"];

/// Starts of the lines that list software writes, in lower case.
const LIST_STARTS: [&[u8]; 9] = [
    b"to unsubscribe",
    b"to subscribe or unsubscribe",
    b"unsubscribe:",
    b"you received this message because you are subscribed",
    b"you are subscribed",
    b"you are currently subscribed",
    b"your use of yahoo! groups is subject",
    b"yahoo! groups links",
    b"this sf.net email",
];

/// The start of a line that list software writes if the same or one of the next lines is about a
/// list or a subscription, in lower case.
const NOTICE_START: &[u8] = b"you are receiving this";

/// A header field that some list software repeats in the footer, in lower case.
const LIST_FIELD: &[u8] = b"list-unsubscribe:";

/// Other text in the lines that list software writes, in lower case.
const LIST_PHRASES: [&[u8]; 3] = [b"[un]subscribe", b"(un)subscri", b"unsubscribe in the "];

/// Headings that are a paragraph of their own, at the start of a footer, in lower case.
const HEADINGS: [&[u8]; 2] = [b"yahoo! groups links", b"yahoo groups links"];

/// The starts of further paragraphs of a footer, in lower case.
const CONTINUATIONS: [&[u8]; 3] =
    [b"<*>", b"powered by ", b"this message was issued to members of "];

/// The maximum number of lines in the frame of a footer below a blank line, not counting blank ones.
const MAX_FRAMED_LINES: usize = 10;

/// The minimum length of a rule that closes the frame of a footer that starts with the same rule.
/// Authors draw shorter rules between their own paragraphs, too.
const MIN_FRAME_LEN: usize = 10;

/// Words in the lines that mail programs write before, after and between messages that they
/// forward, in lower case. Such a line starts with dashes.
const DIVIDER_WORDS: [&[u8]; 3] = [b"forward", b"original message", b"pgp "];

/// The note that Mailman leaves in place of a removed attachment.
const SCRUBBED: &[u8] = b" was scrubbed...";

/// The line that Mailman writes between the parts of a message.
const NEXT_PART: &[u8] = b"-------------- next part --------------";

/// The maximum number of bytes before [`SCRUBBED`] that are searched for the start of the note.
const MAX_NOTE_LEN: usize = 512;

/// The maximum number of lines from a note about an attachment to the end of the attachment's URL.
const MAX_NOTE_LINES: usize = 8;

/// The text in a mail that list software or a mail service added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Footers {
    /// The ranges of the footers, in order. There are several if more than one list or service
    /// added a footer, or if the text contains a copy of another message with its footer.
    ranges: Vec<Range<usize>>,
    /// The range of the author's signature below a rule of underscores, if there is one.
    pub signature: Option<Range<usize>>,
    /// The ranges of notes about removed attachments, in order.
    notes: Vec<Range<usize>>,
}

/// A line of the tail of a text: its offset, and its text in lower case without blanks around it.
type Line<'t> = (usize, &'t [u8]);

impl Footers {
    /// Finds the text that software added. Takes time linear in the length of `text`.
    pub(crate) fn find(text: &[u8]) -> Self {
        let notes = find_notes(text);
        let from = text.len().saturating_sub(TAIL_LEN);
        let tail = text.get(from..).unwrap_or_default().to_ascii_lowercase();
        if !LIST_MARKS.iter().chain(&*FOOTER_WORDS).any(|word| word.find(&tail).is_some()) {
            return Self { notes, ..Self::default() };
        }
        let mut lines: Vec<Line<'_>> = Vec::new();
        let mut at = from;
        for line in tail.split_inclusive(|&b| b == b'\n') {
            lines.push((at, line.trim_ascii()));
            at += line.len();
        }
        // The first line of the tail may be cut.
        let whole = usize::from(from > 0);
        let lines = lines.get(whole..).unwrap_or_default();
        let ranges = find_footers(text, lines);
        let signature = ranges.is_empty().then(|| signature_below_rule(lines)).flatten();
        Self { ranges, signature: signature.map(|start| start..text.len()), notes }
    }

    /// True if software wrote byte `offset` of the text.
    pub(crate) fn contains(&self, offset: usize) -> bool {
        [&self.ranges, &self.notes].into_iter().any(|ranges| {
            let next = ranges.partition_point(|range| range.start <= offset);
            let last = next.checked_sub(1).and_then(|last| ranges.get(last));
            last.is_some_and(|last| offset < last.end)
        })
    }

    /// Returns the start of the first footer that starts at or after byte `offset`, if there is
    /// one.
    pub(crate) fn next_start(&self, offset: usize) -> Option<usize> {
        let next = self.ranges.partition_point(|footer| footer.start < offset);
        self.ranges.get(next).map(|footer| footer.start)
    }
}

/// Returns the number of lines that are not blank.
fn count_lines(lines: &[Line<'_>]) -> usize {
    lines.iter().filter(|(_, line)| !line.is_empty()).count()
}

/// Returns the ranges of the footers in order. `lines` are the last lines of `text`.
fn find_footers(text: &[u8], lines: &[Line<'_>]) -> Vec<Range<usize>> {
    let is_start =
        |&index: &usize| is_footer_line(lines, index) && !is_in_quotation(text, lines, index);
    let offset_of = |index: usize| lines.get(index).map_or(text.len(), |(offset, _)| *offset);
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(known) = (from..lines.len()).find(is_start) {
        let first = first_line(lines, from, known);
        from = end_line(lines, first, known);
        found.push(offset_of(first)..offset_of(from));
    }
    found
}

/// Returns the first line of the footer with the recognized line `known`: that line, or the rule
/// above it. Lines before `from` are not in the footer.
fn first_line(lines: &[Line<'_>], from: usize, known: usize) -> usize {
    if is_horizontal_rule(lines[known].1) {
        return known;
    }
    let above = (known.saturating_sub(MAX_RULE_DISTANCE).max(from)..known).rev();
    let rule = above
        .take_while(|&index| !lines[index].1.is_empty() || index + 1 == known)
        .find(|&index| is_horizontal_rule(lines[index].1));
    rule.unwrap_or(known)
}

/// Returns the line after the footer that starts at line `first`, in which line `known` is the
/// first that was recognized.
///
/// A footer is usually one paragraph. Below it, the author's own text may follow, e.g. if the
/// footer belongs to a message that the author copied into the text. So a blank line or a rule ends
/// the footer, unless the wording or the frame shows that it continues.
fn end_line(lines: &[Line<'_>], first: usize, known: usize) -> usize {
    let is_rule = is_rule_of_underscores(lines[known].1);
    let mut end = is_rule.then(|| written_below(lines, known)).flatten().unwrap_or(known) + 1;
    while let Some(&(_, line)) = lines.get(end) {
        if line.is_empty() {
            let is_text = |&index: &usize| !lines[index].1.is_empty();
            match (end..lines.len()).find(is_text) {
                Some(next) if continues_below_blank(lines, first, end - 1, next) => end = next,
                _ => break,
            }
        } else if line.starts_with(b">") || is_divider(line) || is_author_field(line) {
            break;
        } else if is_horizontal_rule(line) && !continues_below_rule(lines, first, end) {
            // Two dashes start the author's signature.
            return if line == b"--" { end } else { end + 1 };
        } else {
            end += 1;
        }
    }
    end
}

/// True if the paragraph that starts at line `next` belongs to the footer that starts at line
/// `first`. Line `last` is the last line of the paragraph before it.
fn continues_below_blank(lines: &[Line<'_>], first: usize, last: usize, next: usize) -> bool {
    let (last, line) = (lines[last].1, lines[next].1);
    let is_written = || !is_horizontal_rule(line) && is_footer_line(lines, next);
    let is_framed = || {
        let text = (next..lines.len()).filter(|&index| !lines[index].1.is_empty());
        let mut text = text.take(MAX_FRAMED_LINES + 1);
        let rule = text.find(|&index| is_horizontal_rule(lines[index].1));
        rule.is_some_and(|rule| closes_frame(lines, first, rule))
    };
    last.ends_with(b":")
        || HEADINGS.contains(&last)
        || is_continuation(line)
        || is_written()
        || is_framed()
}

fn is_continuation(line: &[u8]) -> bool {
    CONTINUATIONS.iter().any(|words| line.starts_with(words))
}

/// True if the footer that starts at line `first` contains lines below the rule on line `rule`: the
/// rule is above another footer, or the same rule follows again and closes a frame.
fn continues_below_rule(lines: &[Line<'_>], first: usize, rule: usize) -> bool {
    let below = lines_below(lines, rule);
    let closing = below.clone().find(|&index| is_horizontal_rule(lines[index].1));
    let mut text = rule + 1..closing.unwrap_or(below.end);
    text.any(|index| names_list(lines[index].1) || is_footer_line(lines, index))
        || closing.is_some_and(|closing| {
            closes_frame(lines, first, closing) || closes_frame(lines, rule, closing)
        })
        || is_footer_line(lines, rule)
        || (rule + 1..lines.len())
            .find(|&index| !lines[index].1.is_empty())
            .is_some_and(|next| is_continuation(lines[next].1))
}

/// True if line `closing` repeats the rule on line `opening`, and no other footer starts there.
/// The rule must have at least [`MIN_FRAME_LEN`] bytes.
fn closes_frame(lines: &[Line<'_>], opening: usize, closing: usize) -> bool {
    let rule = lines[closing].1;
    rule.len() >= MIN_FRAME_LEN
        && rule == lines[opening].1
        && is_horizontal_rule(rule)
        && !lines_below(lines, closing)
            .any(|index| names_list(lines[index].1) || is_footer_line(lines, index))
}

/// Returns the range of the next few lines below line `index`, up to a blank line.
fn lines_below(lines: &[Line<'_>], index: usize) -> Range<usize> {
    let below = lines.get(index + 1..).unwrap_or_default().iter().take(MAX_RULE_DISTANCE);
    index + 1..index + 1 + below.take_while(|(_, line)| !line.is_empty()).count()
}

/// True if a mail program wrote `line` before or after a message that it forwards or signs.
fn is_divider(line: &[u8]) -> bool {
    let text = line.strip_prefix(b"- ").unwrap_or(line);
    (text.starts_with(b"--") || text.starts_with(b"- -"))
        && DIVIDER_WORDS.iter().any(|words| holds(line, words))
}

/// True if line `index` of `lines` is indented, and a later paragraph starts with text that isn't.
/// The line then belongs to an indented quotation, above the author's own text.
fn is_in_quotation(text: &[u8], lines: &[Line<'_>], index: usize) -> bool {
    let is_indented = |&(start, _): &Line<'_>| matches!(text.get(start), Some(b' ' | b'\t'));
    let starts_own_text = |at: usize| {
        let (before, line) = (lines[at - 1].1, lines[at].1);
        before.is_empty()
            && !line.is_empty()
            && !is_indented(&lines[at])
            && !is_horizontal_rule(line)
            && !is_footer_line(lines, at)
    };
    is_indented(&lines[index]) && (index + 1..lines.len()).any(starts_own_text)
}

/// Returns the start of the short text below the last rule of underscores, if there is one.
fn signature_below_rule(lines: &[Line<'_>]) -> Option<usize> {
    let rule = lines.iter().rposition(|(_, line)| is_rule_of_underscores(line))?;
    let (above, below) = (lines.get(..rule)?, lines.get(rule + 1..)?);
    let is_signature =
        (1..=MAX_LINES_BELOW_RULE).contains(&count_lines(below)) && count_lines(above) > 0;
    is_signature.then(|| lines[rule].0)
}

fn is_rule_of_underscores(line: &[u8]) -> bool {
    line.len() >= MIN_RULE_LEN && line.iter().all(|&b| b == b'_')
}

/// True if a line consists of punctuation only, such as the rules that software draws above its
/// footers.
fn is_horizontal_rule(line: &[u8]) -> bool {
    line.len() >= 2 && line.iter().all(|b| b"-_=*~+.# ".contains(b))
}

/// Returns the line that software wrote below the rule of underscores on line `rule`, if there is
/// one. Mailman writes a rule, the list's name, and the address of its page.
fn written_below(lines: &[Line<'_>], rule: usize) -> Option<usize> {
    let mut below = rule + 1..lines.len().min(rule + 1 + MAX_RULE_DISTANCE);
    let is_written = |&index: &usize| is_of_service(lines[index].1) || names_list(lines[index].1);
    // Outlook draws such a rule above the header of a quoted message.
    let is_above_header = lines.get(rule + 1).is_some_and(|(_, line)| is_author_field(line));
    below.find(is_written).filter(|_| !is_above_header)
}

/// True if line `index` of `lines` is a line that only software writes, and few lines follow it.
fn is_footer_line(lines: &[Line<'_>], index: usize) -> bool {
    let Some(&(_, line)) = lines.get(index) else { return false };
    let below = lines.get(index + 1..).unwrap_or_default();
    let is_known = if is_rule_of_underscores(line) {
        written_below(lines, index).is_some()
    } else {
        let before = index.checked_sub(1).and_then(|before| lines.get(before));
        is_of_service(line)
            || is_of_list(line, before.map_or(b"", |(_, line)| *line))
            || without_frame(line).starts_with(NOTICE_START)
                && (index..lines_below(lines, index).end).any(|at| names_list(lines[at].1))
    };
    is_known && count_lines(below) < MAX_LINES
}

fn holds(line: &[u8], words: &[u8]) -> bool {
    memmem::find(line, words).is_some()
}

fn names_list(line: &[u8]) -> bool {
    LIST_WORDS.iter().any(|words| holds(line, words))
}

/// True if a line starts like the lines that mail or news services add. Punctuation before the
/// text is ignored.
fn is_of_service(line: &[u8]) -> bool {
    let text = without_frame(line);
    SERVICES.iter().any(|words| text.starts_with(words))
}

/// Returns a line without the punctuation before its text.
fn without_frame(line: &[u8]) -> &[u8] {
    let start = line.iter().position(|b| !b"-=* ".contains(b));
    start.and_then(|at| line.get(at..)).unwrap_or_default()
}

/// True if list software wrote `line`. `before` is the line before it.
fn is_of_list(line: &[u8], before: &[u8]) -> bool {
    let starts = |words: &[u8]| without_frame(line).starts_with(words);
    if line.starts_with(b">") || !LIST_MARKS.iter().any(|mark| mark.find(line).is_some()) {
        return false;
    }
    // Majordomo: `send the line "unsubscribe LIST" in the body of a message to`.
    let is_command = || {
        let asks = |line| {
            [&b"send"[..], b"body", b"subject", b"command", b"message"]
                .iter()
                .any(|word| holds(line, word))
        };
        holds(line, b"\"unsubscribe") && (asks(line) || asks(before))
    };
    LIST_STARTS.iter().any(|words| starts(words))
        // Below another field, it is part of the copied header of a mail.
        || starts(LIST_FIELD) && (before.is_empty() || is_horizontal_rule(before))
        || LIST_PHRASES.iter().any(|words| holds(line, words))
        || is_command()
}

/// Returns the ranges of the notes that Mailman leaves in place of removed attachments. A range
/// includes the line [`NEXT_PART`] before the note, and ends after the attachment's URL.
fn find_notes(text: &[u8]) -> Vec<Range<usize>> {
    let mut notes: Vec<Range<usize>> = Vec::new();
    for found in memmem::find_iter(text, SCRUBBED) {
        let note_end = found + SCRUBBED.len();
        if notes.last().is_some_and(|last| found < last.end)
            || !text
                .get(note_end..)
                .is_some_and(|rest| rest.strip_prefix(b"\r").unwrap_or(rest).starts_with(b"\n"))
        {
            continue;
        }
        let before = text.get(found.saturating_sub(MAX_NOTE_LEN)..found).unwrap_or_default();
        let mut lines = before.rsplit(|&b| b == b'\n');
        let mut start = found - lines.next().map_or(0, <[u8]>::len);
        if let Some(above) = lines.next().filter(|line| line.trim_ascii() == NEXT_PART) {
            start -= above.len() + 1;
        }
        let (mut end, mut is_in_url) = (found, false);
        let lines = text.get(found..).unwrap_or_default().split_inclusive(|&b| b == b'\n');
        for line in lines.take(MAX_NOTE_LINES) {
            end += line.len();
            let value = line.strip_prefix(b"URL:").or_else(|| line.strip_prefix(b"Url:"));
            is_in_url |= value.is_some();
            let value = value.unwrap_or(line).trim_ascii();
            // Long URLs are on the next line, and may be broken.
            let is_last = !value.is_empty() && (value.contains(&b'>') || !value.starts_with(b"<"));
            if is_in_url && is_last {
                notes.push(start..end);
                break;
            }
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_services_contain_a_word_that_is_searched_first() {
        for line in SERVICES {
            let mut words = LIST_MARKS.iter().chain(&*FOOTER_WORDS);
            let is_found = words.any(|word| word.find(line).is_some());
            assert!(is_found && is_of_service(line), "{}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn footer_in_an_indented_quotation_is_none() {
        let start = |text: &str| Footers::find(text.as_bytes()).next_start(0);
        let footer = "a mailing list\nTo unsubscribe, see http://h.dom/\n";
        let indented = "  a mailing list\n  To unsubscribe, see http://h.dom/\n";
        let own = "\nMy answer is at http://own.dom/\n";
        assert_eq!(start(&format!("x\n\n{footer}")), Some(18));
        assert_eq!(start(&format!("x\n\n{indented}")), Some(20));
        assert_eq!(start(&format!("x\n\n{indented}{own}")), None);
        assert_eq!(start(&format!("{indented}{own}\n{footer}")), Some(102));
    }
}

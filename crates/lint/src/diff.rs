//! Unified diffs of fixes, for `git apply` and `patch`.
//!
//! Hunks are built from the edits, so only lines that an edit touches are compared. Lines are
//! written unchanged. A line with a password is never written: hunks end before it, and changes to
//! it are left out.

use crate::apply::Applied;
use std::ops::RangeInclusive;
use urlsift_core::{Secrets, Span, merge_spans};
use urlsift_records::write::visible::is_unseen;

/// The number of unchanged lines before and after a change.
const CONTEXT: usize = 3;

/// A unified diff, with a list of the changes that it leaves out because of passwords. It is the
/// result of [`unified_diff`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diff {
    /// The diff; empty if there are no changes. Its lines end with LF and contain bytes of the
    /// text, which need not be UTF-8.
    pub text: Vec<u8>,
    /// The 1-based lines of the old text whose changes are left out because a password is on or
    /// next to them.
    pub left_out: Vec<RangeInclusive<usize>>,
}

/// Returns the unified diff between `old` and `applied`, the result of [`apply`](crate::apply).
///
/// `path` is the file's path relative to the directory in which the diff will be applied. The
/// header has the same form as in git, with the prefixes `a/` and `b/`, and with quotes if needed.
/// `secrets` are the spans of passwords in the old and in the new text. Takes linear time.
///
/// ```
/// use urlsift_lint::{Applicability, Config, Dialect, Linter, Markup, apply, unified_diff};
/// let linter = Linter::new(Config::default());
/// let old = b"one\nhttp:/www.h.dom/\n";
/// let new = apply::apply_until_stable(old, Applicability::Safe, |text| linter.lint(text, Dialect::Text(Markup::Plain)).diagnostics);
/// let diff = unified_diff(b"a.txt", old, &new, [&[], &[]]);
/// assert_eq!(diff.text, b"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-http:/www.h.dom/\n+http://www.h.dom/\n");
/// assert!(diff.left_out.is_empty());
/// ```
pub fn unified_diff(path: &[u8], old: &[u8], applied: &Applied, secrets: [&[Span]; 2]) -> Diff {
    let all_of = |text: &[u8], known: &[Span]| {
        merge_spans([known, &Secrets::Passwords.in_text(text)].concat())
    };
    let mut differ = Differ {
        old,
        new: &applied.text,
        old_secrets: all_of(old, secrets[0]),
        new_secrets: all_of(&applied.text, secrets[1]),
        counted: (0, 1),
        grown: (0, 0),
        out: Diff::default(),
    };
    let changes = differ.changed_lines(applied);
    let mut from = 0;
    while from < changes.len() {
        let to = from + differ.first_hunk_len(&changes[from..]);
        differ.push_hunk_or_leave_out(&changes, from, to);
        from = to;
    }
    let mut diff = differ.out;
    if !diff.text.is_empty() {
        let mut text = header_line("--- ", "a/", path);
        text.extend(header_line("+++ ", "b/", path));
        text.append(&mut diff.text);
        diff.text = text;
    }
    diff
}

/// A change from some lines of the old text to some lines of the new text.
struct Change {
    old: Span,
    new: Span,
    /// True if the old or new lines contain a password.
    is_secret: bool,
}

/// A builder of the unified diff between two texts, from the edits that turn one into the other.
struct Differ<'t> {
    old: &'t [u8],
    new: &'t [u8],
    old_secrets: Vec<Span>,
    new_secrets: Vec<Span>,
    /// The offset up to which lines of the old text were counted, and the number of the line that
    /// starts there.
    counted: (usize, usize),
    /// The numbers of lines that the hunks have added and removed so far.
    grown: (usize, usize),
    out: Diff,
}

impl Differ<'_> {
    /// Returns the changes between the two texts, in order. Between two changes, there is at least
    /// one unchanged line.
    fn changed_lines(&self, applied: &Applied) -> Vec<Change> {
        let old = self.old;
        let line_end = |at: usize| {
            memchr::memchr(b'\n', &old[at..]).map_or(old.len(), |newline| at + newline + 1)
        };
        let mut changes: Vec<Change> = Vec::new();
        let mut edits = applied.edits.iter().peekable();
        let (mut added, mut removed) = (0, 0);
        // The end of the lines that were compared last.
        let mut end = 0;
        while let Some(edit) = edits.peek() {
            let newline = memchr::memrchr(b'\n', &old[end..edit.span.start]);
            let start = newline.map_or(end, |newline| end + newline + 1);
            let new_start = start + added - removed;
            end = line_end(edit.span.start);
            while let Some(edit) = edits.next_if(|edit| edit.span.start <= end) {
                if edit.span.end >= end {
                    end = line_end(edit.span.end);
                }
                (added, removed) = (added + edit.text.len(), removed + edit.span.len());
            }
            let new = Span::new(new_start, end + added - removed);
            changes.extend(self.trim_unchanged_lines(Span::new(start, end), new));
        }
        changes
    }

    /// Returns the change from the lines `old` to the lines `new`, without the unchanged lines at
    /// its start and end. Returns `None` if all lines are equal.
    fn trim_unchanged_lines(&self, mut old: Span, mut new: Span) -> Option<Change> {
        let lines = |text, span: Span| split_lines(text, span.start, span.end);
        for (a, b) in lines(self.old, old).zip(lines(self.new, new)) {
            if self.old[a.range()] != self.new[b.range()] {
                break;
            }
            (old.start, new.start) = (a.end, b.end);
        }
        while let (Some(a), Some(b)) =
            (last_line_within(self.old, old), last_line_within(self.new, new))
            && self.old[a.range()] == self.new[b.range()]
        {
            (old.end, new.end) = (a.start, b.start);
        }
        let is_secret =
            overlaps_any(&self.old_secrets, old) || overlaps_any(&self.new_secrets, new);
        (!old.is_empty() || !new.is_empty()).then_some(Change { old, new, is_secret })
    }

    /// Returns how many of `changes` are so close together that they belong to one hunk. `changes`
    /// must not be empty, and the result is at least 1.
    fn first_hunk_len(&self, changes: &[Change]) -> usize {
        let joins = |pair: &[Change]| {
            let [one, next] = pair else { return false };
            let between = || split_lines(self.old, one.old.end, next.old.start);
            let is_near = || between().nth(2 * CONTEXT).is_none();
            let is_open = || between().all(|line| !self.contains_password(line, one));
            !one.is_secret && !next.is_secret && is_near() && is_open()
        };
        changes.windows(2).take_while(|pair| joins(pair)).count() + 1
    }

    /// True if the unchanged line `line` contains a password. The line is given by its span in the
    /// old text, and is the first one after `change` or a later one before the next change.
    fn contains_password(&self, line: Span, change: &Change) -> bool {
        let moved = |at: usize| at + change.new.end - change.old.end;
        let new = Span::new(moved(line.start), moved(line.end));
        overlaps_any(&self.old_secrets, line) || overlaps_any(&self.new_secrets, new)
    }

    /// Appends the hunk that consists of `changes[from..to]`. If the hunk would show a password,
    /// records its lines as left out instead.
    fn push_hunk_or_leave_out(&mut self, changes: &[Change], from: usize, to: usize) {
        let (old, new) = (self.old, self.new);
        let nothing = Change { old: Span::new(0, 0), new: Span::new(0, 0), is_secret: false };
        let before = from.checked_sub(1).map_or(&nothing, |at| &changes[at]);
        let (first, last) = (&changes[from], &changes[to - 1]);
        let limit = changes.get(to).map_or(old.len(), |next| next.old.start);
        let mut after = Span::new(last.old.end, last.old.end);
        let mut lines_after = 0;
        let lines = split_lines(old, after.end, limit).take(CONTEXT);
        for line in lines.take_while(|line| !self.contains_password(*line, last)) {
            (after.end, lines_after) = (line.end, lines_after + 1);
        }
        // A hunk without context after it applies only at the end of the file.
        let is_at_end = after.end == old.len();
        if first.is_secret || lines_after == 0 && !is_at_end {
            for change in &changes[from..to] {
                let start = self.line_number(change.old.start);
                let lines = split_lines(old, change.old.start, change.old.end).count();
                self.out.left_out.push(start..=start + lines.saturating_sub(1));
            }
            return;
        }
        // With more context before than after, `patch` would also try the end of the file.
        let max_lead = if is_at_end { CONTEXT } else { lines_after };
        let mut lead = Span::new(first.old.start, first.old.start);
        for _ in 0..max_lead {
            let line = last_line_within(old, Span::new(before.old.end, lead.start));
            let Some(line) = line.filter(|line| !self.contains_password(*line, before)) else {
                break;
            };
            lead.start = line.start;
        }

        let mut body = Vec::new();
        let mut at = lead.start;
        let (mut shared, mut removed, mut added) = (0, 0, 0);
        for change in &changes[from..to] {
            shared += push_lines(&mut body, b' ', old, at, change.old.start);
            removed += push_lines(&mut body, b'-', old, change.old.start, change.old.end);
            added += push_lines(&mut body, b'+', new, change.new.start, change.new.end);
            at = change.old.end;
        }
        shared += push_lines(&mut body, b' ', old, at, after.end);
        let start = self.line_number(lead.start);
        let range = |start: usize, lines: usize| match lines {
            // An empty range is given by the line before it.
            0 => format!("{},0", start - 1),
            1 => start.to_string(),
            _ => format!("{start},{lines}"),
        };
        let old_range = range(start, shared + removed);
        let new_range = range(start + self.grown.0 - self.grown.1, shared + added);
        let out = &mut self.out.text;
        out.extend_from_slice(format!("@@ -{old_range} +{new_range} @@\n").as_bytes());
        out.append(&mut body);
        self.grown = (self.grown.0 + added, self.grown.1 + removed);
    }

    /// Returns the 1-based number of the line that starts at offset `at` of the old text. Call this
    /// with ascending offsets.
    fn line_number(&mut self, at: usize) -> usize {
        let (from, number) = self.counted;
        let lines = memchr::memchr_iter(b'\n', &self.old[from..at]).count();
        self.counted = (at, number + lines);
        number + lines
    }
}

/// Returns the spans of the lines between the offsets `from` and `to`. Each includes its line
/// break.
fn split_lines(text: &[u8], from: usize, to: usize) -> impl Iterator<Item = Span> {
    let mut at = from;
    std::iter::from_fn(move || {
        let rest = &text[at..to];
        let len = memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
        let line = Span::new(at, at + len);
        at = line.end;
        (len > 0).then_some(line)
    })
}

/// Returns the span of the last line within `span`, including its line break. Returns `None` if
/// `span` is empty.
fn last_line_within(text: &[u8], span: Span) -> Option<Span> {
    let before = span.end.checked_sub(1).filter(|end| *end >= span.start)?;
    let newline = memchr::memrchr(b'\n', &text[span.start..before]);
    Some(Span::new(newline.map_or(span.start, |at| span.start + at + 1), span.end))
}

/// Appends the lines between the offsets `from` and `to`, and writes `mark` before each of them.
/// Returns the number of lines.
fn push_lines(out: &mut Vec<u8>, mark: u8, text: &[u8], from: usize, to: usize) -> usize {
    let mut count = 0;
    for line in split_lines(text, from, to) {
        out.push(mark);
        out.extend_from_slice(&text[line.range()]);
        count += 1;
    }
    if count > 0 && text[to - 1] != b'\n' {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
    count
}

/// True if `span` overlaps one of `spans`, which are in order and don't overlap.
fn overlaps_any(spans: &[Span], span: Span) -> bool {
    let next = spans.partition_point(|known| known.end <= span.start);
    spans.get(next).is_some_and(|known| known.overlaps(span))
}

/// Returns a header line of a diff, e.g. `--- a/path`. `side` is `a` or `b`. A path with spaces,
/// quotes or unprintable characters is quoted like a C string, as in git.
fn header_line(mark: &str, side: &str, path: &[u8]) -> Vec<u8> {
    let mut name = Vec::new();
    let mut is_quoted = false;
    for chunk in path.utf8_chunks() {
        for c in chunk.valid().chars() {
            is_quoted |= c == ' ' || c == '"' || c == '\\' || is_unseen(c);
            match c {
                '"' | '\\' => name.extend([b'\\', c as u8]),
                _ if is_unseen(c) => push_octal(&mut name, c.encode_utf8(&mut [0; 4]).as_bytes()),
                _ => name.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        is_quoted |= !chunk.invalid().is_empty();
        push_octal(&mut name, chunk.invalid());
    }
    let quote: &[u8] = if is_quoted { b"\"" } else { b"" };
    [mark.as_bytes(), quote, side.as_bytes(), &name, quote, b"\n"].concat()
}

/// Appends each byte as an octal escape, e.g. `\303`.
fn push_octal(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(bytes.iter().flat_map(|byte| format!("\\{byte:03o}").into_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Applicability, Edit, Fix};
    use crate::{Diagnostic, apply};
    use proptest::prelude::*;
    use urlsift_core::Level;

    /// Returns `old` with edits applied. Each edit is a start, an end, and the new text.
    fn applied(old: &[u8], edits: &[(usize, usize, &[u8])]) -> Applied {
        let fixes = edits.iter().map(|&(start, end, new)| {
            let edits = Edit::replace(Span::new(start, end), new.to_vec()).into();
            let mut diagnostic = Diagnostic::new("x.y", Level::Warning, Span::new(0, 1));
            diagnostic.fix = Some(Fix { applicability: Applicability::Safe, edits });
            diagnostic
        });
        let fixes: Vec<_> = fixes.collect();
        apply::apply_once(old, &fixes, Applicability::Safe).unwrap()
    }

    fn shown(old: &str, edits: &[(usize, usize, &[u8])], secrets: &[Span]) -> (String, Diff) {
        let diff =
            unified_diff(b"a", old.as_bytes(), &applied(old.as_bytes(), edits), [secrets, &[]]);
        (String::from_utf8_lossy(&diff.text).replace("--- a/a\n+++ b/a\n", ""), diff)
    }

    /// Returns `old` with a diff applied. Fails unless every line is exactly where the diff says.
    fn patched(old: &[u8], diff: &[u8]) -> Vec<u8> {
        let mut lines = old.split_inclusive(|&b| b == b'\n');
        let (mut out, mut number, mut made) = (Vec::new(), 1, 1);
        let mut hunks = diff.split_inclusive(|&b| b == b'\n').skip(2).peekable();
        while let Some(line) = hunks.next() {
            let line = match hunks.next_if(|next| next.starts_with(b"\\")) {
                Some(_) => &line[..line.len() - 1],
                None => line,
            };
            let text = &line[1..];
            match line[0] {
                b'@' => {
                    let ranges = str::from_utf8(line).unwrap();
                    let numbers: Vec<(usize, usize)> = ranges
                        .split([' ', '-', '+'])
                        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
                        .map(|word| word.split_once(',').unwrap_or((word, "1")))
                        .map(|(start, len)| (start.parse().unwrap(), len.parse().unwrap()))
                        .collect();
                    let start = |(start, len)| if len == 0 { start + 1 } else { start };
                    while number < start(numbers[0]) {
                        out.extend(lines.next().unwrap());
                        (number, made) = (number + 1, made + 1);
                    }
                    assert_eq!((number, made), (start(numbers[0]), start(numbers[1])), "{ranges}");
                }
                b'+' => {
                    out.extend(text);
                    made += 1;
                }
                mark => {
                    assert_eq!(lines.next(), Some(text));
                    number += 1;
                    if mark == b' ' {
                        out.extend(text);
                        made += 1;
                    }
                }
            }
        }
        out.extend(lines.flatten());
        out
    }

    #[test]
    fn hunks_have_three_lines_of_context() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14";
        let (text, _) = shown(old, &[(8, 9, b"five"), (30, 32, b"fourteen")], &[]);
        assert_eq!(
            text,
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -11,4 +11,4 @@\n 11\n 12\n 13\n-14\n\
             \\ No newline at end of file\n+fourteen\n\\ No newline at end of file\n"
        );
        // Neighbors become one change; lines that are put in or taken away leave others alone.
        let (text, _) = shown("1\n2\n3\n", &[(0, 1, b"a"), (2, 3, b"b")], &[]);
        assert_eq!(text, "@@ -1,3 +1,3 @@\n-1\n-2\n+a\n+b\n 3\n");
        let (text, _) = shown("1\n2\n3\n", &[(2, 2, b"x\n"), (4, 6, b"")], &[]);
        assert_eq!(text, "@@ -1,3 +1,3 @@\n 1\n-2\n-3\n+x\n+2\n");
        let (text, _) = shown("1\n2\n", &[(2, 2, b"x\n")], &[]);
        assert_eq!(text, "@@ -1,2 +1,3 @@\n 1\n+x\n 2\n");
        let (text, _) = shown("1\n2\n", &[(0, 2, b"")], &[]);
        assert_eq!(text, "@@ -1,2 +1 @@\n-1\n 2\n");
        let (text, _) = shown("1", &[(1, 1, b"\n")], &[]);
        assert_eq!(text, "@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+1\n");
    }

    #[test]
    fn lines_with_passwords_are_left_out() {
        let old = "1\n2\n3 secret\n4\n5\n6\n7\n8\n9\n";
        let secret = [Span::new(6, 12)];
        // As context, ...
        let (text, diff) = shown(old, &[(0, 1, b"one"), (15, 16, b"five")], &secret);
        assert_eq!(
            text,
            "@@ -1,2 +1,2 @@\n-1\n+one\n 2\n@@ -4,5 +4,5 @@\n 4\n-5\n+five\n 6\n 7\n 8\n"
        );
        assert_eq!(diff.left_out, []);
        // ... in the change, before it, and right after it, where no line is left to find its place
        // by.
        let (text, diff) = shown(old, &[(2, 3, b"two"), (4, 5, b"3!"), (21, 22, b"88")], &secret);
        assert_eq!(text, "@@ -5,5 +5,5 @@\n 5\n 6\n 7\n-8\n+88\n 9\n");
        assert_eq!(diff.left_out, [2..=3]);
    }

    #[test]
    fn names_are_quoted_as_git_does() {
        let name = |name: &[u8]| String::from_utf8(header_line("+++ ", "b/", name)).unwrap();
        assert_eq!(name("d/\u{e9}.md".as_bytes()), "+++ b/d/\u{e9}.md\n");
        assert_eq!(name(b"a \"b\".md"), "+++ \"b/a \\\"b\\\".md\"\n");
        assert_eq!(name(b"\x1b\xff\n"), "+++ \"b/\\033\\377\\012\"\n");
    }

    proptest! {
        #[test]
        fn diff_turns_the_old_text_into_the_new(
            old in "[ab\r\n]{0,60}",
            cuts in prop::collection::vec((0..4_usize, 0..4_usize, "[ab\n]{0,3}"), 1..12),
            secret in prop::option::of((0..60_usize, 1..4_usize)),
        ) {
            let old = old.as_bytes();
            let mut at = 0;
            let mut edits = Vec::new();
            for (gap, len, new) in &cuts {
                let start = (at + gap).min(old.len());
                let end = (start + len).min(old.len());
                edits.push((start, end, new.as_bytes()));
                at = end + 1;
            }
            edits.retain(|&(start, end, new)| &old[start..end] != new);
            prop_assume!(!edits.is_empty());
            let applied = applied(old, &edits);
            let whole = unified_diff(b"a", old, &applied, [&[], &[]]);
            prop_assert_eq!(&patched(old, &whole.text), &applied.text);
            prop_assert_eq!(&whole.left_out, &[]);
            // Without the lines of a password it is still a diff of this text.
            if let Some((start, len)) = secret {
                let secret = Span::new(start.min(old.len()), (start + len).min(old.len()));
                let part = unified_diff(b"a", old, &applied, [&[secret], &[]]);
                let new = patched(old, &part.text);
                prop_assert!(new == applied.text || !part.left_out.is_empty());
            }
        }
    }
}

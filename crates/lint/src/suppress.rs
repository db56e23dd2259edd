//! Finds ignore comments: `urlsift: ignore[rule, rule]` suppresses rules on its own line and on the
//! next one, and `urlsift: ignore-start[rule]` up to `urlsift: ignore-end[rule]` or the end of the
//! text.
//!
//! Without a list, the comment suppresses every rule. The words are recognized anywhere in the
//! text, except in code. Authors write them in the comment syntax of the document.
//!
//! Comments that are probably meant to suppress rules and have another syntax, such as `urlsift:
//! disable` or a list without brackets, suppress nothing and are reported.

use crate::config::{Config, Selector};
use crate::diagnostic::Diagnostic;
use crate::edit::{Applicability, Edit, Fix};
use crate::position::Lines;
use crate::rules::suppress_unused;
use memchr::memmem;
use std::borrow::Cow;
use std::collections::HashMap;
use urlsift_core::{Secrets, Span, masked};

/// The words that start a valid ignore comment.
pub(crate) const MARK: &[u8] = b"urlsift: ignore";

/// The word that starts valid and malformed ignore comments.
const PREFIX: &[u8] = b"urlsift:";

/// The valid comments, for messages.
const VALID: &str = "write `urlsift: ignore[rule]`, `urlsift: ignore-start[rule]` or `urlsift: ignore-end[rule]`, or leave out the brackets to silence all rules";

/// The comments of a text that tell the linter to ignore diagnostics, in order. A text may contain
/// one every few bytes, so each takes little memory.
pub(crate) struct Comments<'t> {
    /// The lines of the text, or `None` if the text doesn't contain [`PREFIX`] outside of code.
    lines: Option<Lines<'t>>,
    all: Vec<Suppression>,
    /// The distinct names of rules in the comments.
    names: Vec<Name>,
    /// The ranges between `ignore-start` and `ignore-end`.
    ranges: Ranges,
    /// A cache of results: the last line that was checked, and for each code true if it is
    /// suppressed on that line. Without it, many comments and many faults on one line would take
    /// quadratic time.
    known: (usize, Vec<(&'static str, bool)>),
    /// The number of entries of `all` that [`Comments::report_unused`] has already checked.
    checked: usize,
}

/// A rule that a comment suppresses. A comment without a list of rules suppresses every rule.
struct Suppression {
    comment: Span,
    line: usize,
    /// The span of the rule's name, or of the comment if it has no list.
    span: Span,
    /// The index into `Comments::names`; `None` for every rule.
    name: Option<u32>,
    kind: Kind,
    used: bool,
}

/// The kind of an ignore comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `ignore`
    Line,
    /// `ignore-start`
    Start,
    /// `ignore-end`
    End,
    /// A comment of unknown syntax, which suppresses nothing
    Unknown,
    /// A directive that is followed by text instead of a list of rules, and suppresses nothing
    Stray,
}

/// The ranges of lines in which rules are suppressed. Two ranges of the same name share at most one
/// line: if the second starts on the line on which the first ends.
#[derive(Default)]
struct Ranges {
    /// For each name, its ranges in ascending order. The name `None` means every rule.
    ///
    /// The elements of a range are its first line, the line after its last one, and the index in
    /// `Comments::all` of the comment that starts it. An open range ends at `usize::MAX`.
    of_names: HashMap<Option<u32>, Vec<(usize, usize, usize)>>,
}

impl Ranges {
    /// Starts a range at `line`. A range of the same name that is already open continues.
    fn start(&mut self, name: Option<u32>, line: usize, index: usize) {
        let ranges = self.of_names.entry(name).or_default();
        if ranges.last().is_none_or(|&(_, end, _)| end != usize::MAX) {
            ranges.push((line, usize::MAX, index));
        }
    }

    /// Ends the open range of `name`, if there is one. `line` becomes its last line. If `name` is
    /// `None`, ends the open ranges of all names.
    fn end(&mut self, name: Option<u32>, line: usize) {
        let end = |ranges: &mut Vec<(usize, usize, usize)>| {
            if let Some((_, end, _)) = ranges.last_mut().filter(|(_, end, _)| *end == usize::MAX) {
                *end = line + 1;
            }
        };
        match name {
            None => self.of_names.values_mut().for_each(end),
            Some(_) => self.of_names.get_mut(&name).into_iter().for_each(end),
        }
    }

    /// Finds the range that contains `line`, and returns the index in `Comments::all` of the
    /// comment that starts this range. Returns `None` if no range contains `line`.
    ///
    /// `ranges` must have the order and elements described at [`Ranges::of_names`]. If two ranges
    /// contain `line`, the later one counts.
    fn index_at(ranges: &[(usize, usize, usize)], line: usize) -> Option<usize> {
        let next = ranges.partition_point(|&(start, ..)| start <= line);
        let &(_, end, index) = ranges.get(next.checked_sub(1)?)?;
        (line < end).then_some(index)
    }
}

/// The name of a rule or group in a comment. `selector` is `None` if the name matches no rule.
struct Name {
    text: String,
    selector: Option<Selector>,
}

impl<'t> Comments<'t> {
    /// Finds the ignore comments in a text. `is_code` must return true for offsets in code, where
    /// the words of a comment have no effect.
    pub(crate) fn find_comments(text: &'t [u8], is_code: impl Fn(usize) -> bool) -> Self {
        let mut comments = Self {
            lines: None,
            all: Vec::new(),
            names: Vec::new(),
            ranges: Ranges::default(),
            known: Default::default(),
            checked: 0,
        };
        let finder = memmem::Finder::new(PREFIX);
        let mut marks = finder.find_iter(text).filter(|&at| !is_code(at)).peekable();
        if marks.peek().is_none() {
            return comments;
        }
        let lines = Lines::new(text);
        let mut numbers = HashMap::new();
        for at in marks {
            let Some((kind, comment, rules)) = parse_comment(text, at) else { continue };
            let line = lines.line_number(at);
            let suppression = |span, name| Suppression {
                comment,
                line,
                span,
                name,
                kind,
                used: kind == Kind::End,
            };
            let before = comments.all.len();
            for (span, name) in rules.into_iter().flat_map(|list| rule_names(text, list)) {
                let next = u32::try_from(comments.names.len()).unwrap_or(u32::MAX);
                let number = *numbers.entry(name).or_insert_with_key(|name| {
                    let selector = Selector::new(name).ok();
                    comments.names.push(Name { text: name.clone(), selector });
                    next
                });
                comments.all.push(suppression(span, Some(number)));
            }
            if comments.all.len() == before {
                comments.all.push(suppression(comment, None));
            }
            for index in before..comments.all.len() {
                let name = comments.all[index].name;
                // Names of no rule suppress nothing. Without them, there are only as many names
                // with ranges as there are rules and groups.
                let is_known = |name: u32| comments.names[name as usize].selector.is_some();
                if !name.is_none_or(is_known) {
                    continue;
                }
                match kind {
                    Kind::Line | Kind::Unknown | Kind::Stray => {}
                    Kind::Start => comments.ranges.start(name, line, index),
                    Kind::End => comments.ranges.end(name, line),
                }
            }
        }
        comments.lines = Some(lines);
        comments
    }

    /// True if the text contains no ignore comments.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// True if an ignore comment suppresses the diagnostic. In that case, the comment counts as
    /// used.
    pub(crate) fn suppress_and_mark_used(&mut self, diagnostic: &Diagnostic) -> bool {
        let Some(lines) = &self.lines else { return false };
        let line = lines.line_number(diagnostic.span.start);
        let (last, known) = &mut self.known;
        if *last != line {
            *last = line;
            known.clear();
        }
        if let Some(&(_, suppressed)) = known.iter().find(|(code, _)| *code == diagnostic.code) {
            return suppressed;
        }
        let mut suppressed = false;
        let first = self.all.partition_point(|suppression| suppression.line + 1 < line);
        let names = &self.names;
        let matches = |name: Option<u32>| {
            name.is_none_or(|name| {
                let selector = names[name as usize].selector.as_ref();
                selector.is_some_and(|selector| selector.matches(diagnostic.code))
            })
        };
        for suppression in
            self.all[first..].iter_mut().take_while(|suppression| suppression.line <= line)
        {
            let suppresses = suppression.kind == Kind::Line && matches(suppression.name);
            suppression.used |= suppresses;
            suppressed |= suppresses;
        }
        for (_, ranges) in self.ranges.of_names.iter().filter(|(name, _)| matches(**name)) {
            if let Some(index) = Ranges::index_at(ranges, line) {
                self.all[index].used = true;
                suppressed = true;
            }
        }
        known.push((diagnostic.code, suppressed));
        suppressed
    }

    /// Calls `report` with a diagnostic for each unused comment that starts before offset `to` and
    /// was not checked before. Call this after [`Comments::suppress_and_mark_used`] was called for
    /// all diagnostics up to there.
    pub(crate) fn report_unused(
        &mut self,
        to: usize,
        config: &Config,
        mut report: impl FnMut(Diagnostic),
    ) {
        let meta = &suppress_unused::META;
        if !config.enables(meta) {
            return;
        }
        let new =
            self.all[self.checked..].iter().take_while(|suppression| suppression.span.start < to);
        for suppression in new {
            self.checked += 1;
            if suppression.used {
                continue;
            }
            let name = suppression.name.map(|name| &self.names[name as usize]);
            let message: Cow<'static, str> = match name {
                None if suppression.kind == Kind::Unknown => "unknown ignore comment".into(),
                None if suppression.kind == Kind::Stray => {
                    "the ignore comment is followed by text instead of `[rule]`".into()
                }
                None => meta.message.into(),
                Some(Name { text, selector: None }) => {
                    let shown = String::from_utf8_lossy(&masked(text.as_bytes(), Secrets::All))
                        .into_owned();
                    format!("unknown rule `{shown}` in the ignore comment").into()
                }
                // A rule that is off finds nothing. The comment may still be useful when it is on.
                Some(Name { selector: Some(selector), .. })
                    if !is_any_enabled(config, selector) =>
                {
                    continue;
                }
                Some(Name { text, .. }) => {
                    format!("`{text}` reports nothing here, so the comment has no effect").into()
                }
            };
            let mut diagnostic = meta.diagnostic_at(suppression.span);
            diagnostic.level = config.configured_level(meta).unwrap_or(meta.level);
            config.apply_configured_applicability(&mut diagnostic);
            diagnostic.message = message;
            if matches!(suppression.kind, Kind::Unknown | Kind::Stray) {
                diagnostic.help = Some(VALID.into());
            } else {
                diagnostic.help = Some(meta.advice.into());
                let edits = Edit::delete(suppression.comment).into();
                diagnostic.fix = Some(Fix { applicability: Applicability::Display, edits });
            }
            report(diagnostic);
        }
    }
}

/// True if the configuration turns on at least one rule that the selector matches.
fn is_any_enabled(config: &Config, selector: &Selector) -> bool {
    let mut metas = crate::RULES.iter().map(|rule| rule.meta());
    metas.any(|meta| selector.matches(meta.code) && config.enables(meta))
}

/// Returns the offset of the bracket that closes the list of rules in the comment at offset `at`.
/// Returns `None` if the comment has no list, is an `ignore-start` or `ignore-end` comment, or is
/// malformed.
pub(crate) fn closing_bracket_of_list(text: &[u8], at: usize) -> Option<usize> {
    let (kind, _, list) = parse_comment(text, at)?;
    list.filter(|_| kind == Kind::Line).map(|list| list.end)
}

/// Parses the ignore comment that starts at offset `at` with [`PREFIX`]. Returns the kind and span
/// of the comment, and the span inside its brackets if it has a list of rules. Returns `None` if
/// the text is not meant as an ignore comment.
fn parse_comment(text: &[u8], at: usize) -> Option<(Kind, Span, Option<Span>)> {
    let rest = text.get(at + PREFIX.len()..)?;
    let blanks = rest.iter().take_while(|b| b" \t".contains(b)).count();
    let len = rest[blanks..].iter().take(64).take_while(|&&b| is_word_byte(b)).count();
    // The hyphens of `ignore-->` belong to the end of an HTML comment.
    let hyphens = rest[..blanks + len].iter().rev().take_while(|&&b| b == b'-').count();
    let word = &rest[blanks..blanks + len.saturating_sub(hyphens)];
    let after = at + PREFIX.len() + blanks + word.len();
    let rest = text.get(after..)?;
    let blank = rest.iter().take_while(|b| b" \t".contains(b)).count();
    let next = rest.get(blank).copied().filter(|_| blank < 64);
    let kind = match word {
        b"ignore" => Kind::Line,
        b"ignore-start" => Kind::Start,
        b"ignore-end" => Kind::End,
        // `urlsift: ignored` and `urlsift: enable the check` are ordinary text.
        _ => {
            let first = word.split(|b| b"-_".contains(b)).next().unwrap_or_default();
            let is_of_linter = [&b"ignore"[..], b"disable", b"enable", b"noqa"].contains(&first);
            let is_prose =
                first.len() == word.len() && next.is_some_and(|b| b.is_ascii_alphanumeric());
            return (is_of_linter && !is_prose).then_some((
                Kind::Unknown,
                Span::new(at, after),
                None,
            ));
        }
    };
    if blanks != 1 || text[at + PREFIX.len()] != b' ' {
        return Some((Kind::Unknown, Span::new(at, after), None));
    }
    let stray = Some((Kind::Stray, Span::new(at, after), None));
    if rest.first() != Some(&b'[') {
        // A reason may follow after other punctuation, as in `urlsift: ignore -- an example`.
        let is_text = next.is_some_and(|b| is_word_byte(b) && b != b'-' || b"[(:=".contains(&b));
        return if is_text { stray } else { Some((kind, Span::new(at, after), None)) };
    }
    let inner = &rest[1..];
    let close = inner.iter().take(1024).position(|&b| b == b']' || b == b'\n');
    let Some(close) = close.filter(|&close| inner[close] == b']') else { return stray };
    let list = Span::new(after + 1, after + 1 + close);
    Some((kind, Span::new(at, list.end + 1), Some(list)))
}

/// True if the byte can be part of the name of a directive.
fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'-' || b == b'_'
}

/// Returns the names of rules in the list at `list`, each with its span in the text.
fn rule_names(text: &[u8], list: Span) -> impl Iterator<Item = (Span, String)> {
    let mut from = list.start;
    text[list.range()].split(|&b| b == b',').filter_map(move |piece| {
        let text = String::from_utf8_lossy(piece);
        let lead = text.len() - text.trim_start().len();
        let name = text.trim();
        let start = from + lead;
        from += piece.len() + 1;
        let len = name.len().min(piece.len().saturating_sub(lead));
        (!name.is_empty()).then(|| (Span::new(start, start + len), name.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_rules_have_no_ranges() {
        let text = b"urlsift: ignore-start[port.default, no.rule]\nurlsift: ignore-start[nor.this]";
        let comments = Comments::find_comments(text, |_| false);
        assert_eq!((comments.all.len(), comments.ranges.of_names.len()), (3, 1));
    }

    #[test]
    fn malformed_comments_are_recognized() {
        for (text, kind) in [
            ("urlsift: ignore", Some(Kind::Line)),
            ("<!-- urlsift: ignore-->", Some(Kind::Line)),
            ("urlsift: ignore -- an example", Some(Kind::Line)),
            ("urlsift: ignore[port.default] because", Some(Kind::Line)),
            ("/* urlsift: ignore-start */", Some(Kind::Start)),
            ("urlsift: ignore-end\nText", Some(Kind::End)),
            ("urlsift: ignore port.default", Some(Kind::Stray)),
            ("urlsift: ignore [port.default]", Some(Kind::Stray)),
            ("urlsift: ignore(port.default)", Some(Kind::Stray)),
            ("urlsift: ignore[port.default", Some(Kind::Stray)),
            ("urlsift: ignore-start port.default", Some(Kind::Stray)),
            ("urlsift: ignore-next-line", Some(Kind::Unknown)),
            ("urlsift: ignore-file[port.default]", Some(Kind::Unknown)),
            ("urlsift:ignore", Some(Kind::Unknown)),
            ("urlsift: disable -->", Some(Kind::Unknown)),
            ("urlsift: disable-next-line port.default", Some(Kind::Unknown)),
            ("urlsift: ignored", None),
            ("urlsift: enable the check", None),
            ("urlsift: a.txt: no such file", None),
            ("urlsift:", None),
        ] {
            let found = Comments::find_comments(text.as_bytes(), |_| false);
            assert_eq!(found.all.first().map(|comment| comment.kind), kind, "{text}");
        }
    }
}

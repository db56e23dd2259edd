//! `urlsift: ignore[rule, rule]`: comments that silence rules on their line, or on the next one.
//!
//! A comment speaks of its own line if anything was found there, else of the next. Without a list
//! it speaks of every rule. The words count wherever they stand; the syntax of comments is that of
//! the surrounding document.

use crate::config::{Config, Selector};
use crate::diagnostic::Diagnostic;
use crate::edit::{Applicability, Edit, Fix};
use crate::position::Lines;
use crate::rules::suppress_unused;
use memchr::memmem;
use std::borrow::Cow;
use std::collections::HashMap;
use urlsift_core::{Secrets, Span, masked};

pub(crate) const MARK: &[u8] = b"urlsift: ignore";

/// The comments of a text that silence rules, in its order. There may be one every few bytes, so each takes little memory.
pub(crate) struct Comments<'t> {
    lines: Option<Lines<'t>>,
    all: Vec<Silencer>,
    /// The rules that are named, each once.
    names: Vec<Name>,
    /// The line asked about last, and whether a rule is silenced there, by the codes that were asked about: there may be
    /// as many comments on a line as there are faults.
    known: (usize, Vec<(&'static str, bool)>),
    /// How many of them were complained about, if there was reason to.
    told: usize,
}

/// A comment, or one of the rules that it names.
struct Silencer {
    comment: Span,
    line: usize,
    /// What silences: the rule's name, or where every rule is meant, the comment.
    span: Span,
    /// Its number among the names; `None`: every rule.
    name: Option<u32>,
    used: bool,
}

struct Name {
    text: String,
    selector: Option<Selector>,
}

impl<'t> Comments<'t> {
    /// Looks for them. `skip` says whether a place is program text, where the words only speak of such a comment.
    pub(crate) fn of(text: &'t [u8], skip: impl Fn(usize) -> bool) -> Self {
        let mut comments = Self {
            lines: None,
            all: Vec::new(),
            names: Vec::new(),
            known: Default::default(),
            told: 0,
        };
        let finder = memmem::Finder::new(MARK);
        let mut marks = finder.find_iter(text).filter(|&at| !skip(at)).peekable();
        if marks.peek().is_none() {
            return comments;
        }
        let lines = Lines::new(text);
        let mut numbers = HashMap::new();
        for at in marks {
            let Some((comment, rules)) = comment(text, at) else { continue };
            let silencer =
                |span, name| Silencer { comment, line: lines.line(at), span, name, used: false };
            let before = comments.all.len();
            for (span, name) in rules.into_iter().flat_map(|list| names(text, list)) {
                let next = u32::try_from(comments.names.len()).unwrap_or(u32::MAX);
                let number = *numbers.entry(name).or_insert_with_key(|name| {
                    let selector = Selector::new(name).ok();
                    comments.names.push(Name { text: name.clone(), selector });
                    next
                });
                comments.all.push(silencer(span, Some(number)));
            }
            if comments.all.len() == before {
                comments.all.push(silencer(comment, None));
            }
        }
        comments.lines = Some(lines);
        comments
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether a diagnostic is not to be shown.
    pub(crate) fn silences(&mut self, diagnostic: &Diagnostic) -> bool {
        let Some(lines) = &self.lines else { return false };
        let line = lines.line(diagnostic.span.start);
        let (last, known) = &mut self.known;
        if *last != line {
            *last = line;
            known.clear();
        }
        if let Some(&(_, silenced)) = known.iter().find(|(code, _)| *code == diagnostic.code) {
            return silenced;
        }
        let mut silenced = false;
        let first = self.all.partition_point(|silencer| silencer.line + 1 < line);
        let names = &self.names;
        for silencer in self.all[first..].iter_mut().take_while(|silencer| silencer.line <= line) {
            let silences = silencer.name.is_none_or(|name| {
                let selector = names[name as usize].selector.as_ref();
                selector.is_some_and(|selector| selector.names(diagnostic.code))
            });
            silencer.used |= silences;
            silenced |= silences;
        }
        known.push((diagnostic.code, silenced));
        silenced
    }

    /// Hands over what is wrong with the comments before offset `to` and was not handed over yet, when all diagnostics have been
    /// shown to them.
    pub(crate) fn complaints(
        &mut self,
        to: usize,
        config: &Config,
        mut complain: impl FnMut(Diagnostic),
    ) {
        let meta = &suppress_unused::META;
        if !config.enables(meta) {
            return;
        }
        let new = self.all[self.told..].iter().take_while(|silencer| silencer.span.start < to);
        for silencer in new {
            self.told += 1;
            if silencer.used {
                continue;
            }
            let name = silencer.name.map(|name| &self.names[name as usize]);
            let message: Cow<'static, str> = match name {
                None => meta.message.into(),
                Some(Name { text, selector: None }) => {
                    let shown = String::from_utf8_lossy(&masked(text.as_bytes(), Secrets::All))
                        .into_owned();
                    format!("there is no rule `{shown}` to ignore").into()
                }
                // A rule that does not run finds nothing; that is not the comment's fault.
                Some(Name { selector: Some(selector), .. }) if !runs(config, selector) => continue,
                Some(Name { text, .. }) => format!("`{text}` finds nothing here to ignore").into(),
            };
            let mut diagnostic = meta.at(silencer.span);
            diagnostic.level = config.level(meta).unwrap_or(meta.level);
            config.settle(&mut diagnostic);
            diagnostic.message = message;
            diagnostic.help = Some(meta.advice.into());
            let edits = Edit::delete(silencer.comment).into();
            diagnostic.fix = Some(Fix { applicability: Applicability::Display, edits });
            complain(diagnostic);
        }
    }
}

fn runs(config: &Config, selector: &Selector) -> bool {
    let mut metas = crate::RULES.iter().map(|rule| rule.meta());
    metas.any(|meta| selector.names(meta.code) && config.enables(meta))
}

/// The offset of the bracket that closes the list of the comment at `at`, if it has one.
pub(crate) fn list_end(text: &[u8], at: usize) -> Option<usize> {
    let (_, list) = comment(text, at)?;
    list.map(|list| list.end)
}

/// The comment at `at`, and what stands in the brackets of its list, if it has one.
fn comment(text: &[u8], at: usize) -> Option<(Span, Option<Span>)> {
    let after = at + MARK.len();
    let rest = text.get(after..)?;
    match rest.first() {
        Some(b'[') => {}
        // `urlsift: ignored` speaks of something else.
        Some(b) if b.is_ascii_alphanumeric() => return None,
        _ => return Some((Span::new(at, after), None)),
    }
    let inner = rest.get(1..)?;
    let close = inner.iter().take(1024).position(|&b| b == b']' || b == b'\n')?;
    let list = Span::new(after + 1, after + 1 + close);
    (inner.get(close) == Some(&b']')).then(|| (Span::new(at, list.end + 1), Some(list)))
}

/// The names in a list, and where they stand.
fn names(text: &[u8], list: Span) -> impl Iterator<Item = (Span, String)> {
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

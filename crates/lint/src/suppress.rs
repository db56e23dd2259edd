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
use urlsift_core::{Span, masked};

pub(crate) const MARK: &[u8] = b"urlsift: ignore";

/// The comments of a text that silence rules, in its order.
pub(crate) struct Comments<'t> {
    lines: Option<Lines<'t>>,
    all: Vec<Comment>,
    /// The line asked about last, and whether a rule is silenced there, by the codes that were asked about: there may be
    /// as many comments on a line as there are faults.
    known: (usize, Vec<(&'static str, bool)>),
}

struct Comment {
    span: Span,
    line: usize,
    /// Empty: every rule.
    rules: Vec<Named>,
    used: bool,
}

struct Named {
    text: String,
    span: Span,
    selector: Option<Selector>,
    used: bool,
}

impl<'t> Comments<'t> {
    /// Looks for them. `skip` says whether a place is program text, where the words only speak of such a comment.
    pub(crate) fn of(text: &'t [u8], skip: impl Fn(usize) -> bool) -> Self {
        let finder = memmem::Finder::new(MARK);
        let mut marks = finder.find_iter(text).filter(|&at| !skip(at)).peekable();
        if marks.peek().is_none() {
            return Self { lines: None, all: Vec::new(), known: Default::default() };
        }
        let lines = Lines::new(text);
        let all = marks.filter_map(|at| comment(text, at, lines.line(at))).collect();
        Self { lines: Some(lines), all, known: Default::default() }
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
        let first = self.all.partition_point(|comment| comment.line + 1 < line);
        for comment in self.all[first..].iter_mut().take_while(|comment| comment.line <= line) {
            silenced |= comment.silences(diagnostic.code);
        }
        known.push((diagnostic.code, silenced));
        silenced
    }

    /// What is wrong with the comments, when all diagnostics have been shown to them.
    pub(crate) fn complaints(&self, config: &Config) -> Vec<Diagnostic> {
        let mut complaints = Vec::new();
        let meta = &suppress_unused::META;
        if !config.enables(meta) {
            return complaints;
        }
        for comment in &self.all {
            let mut complain = |span: Span, message: Cow<'static, str>| {
                let mut diagnostic = meta.at(span);
                diagnostic.level = config.level(meta).unwrap_or(meta.level);
                diagnostic.message = message;
                diagnostic.help = Some(meta.advice.into());
                let edits = Edit::delete(comment.span).into();
                diagnostic.fix = Some(Fix { applicability: Applicability::Display, edits });
                complaints.push(diagnostic);
            };
            if comment.rules.is_empty() && !comment.used {
                complain(comment.span, meta.message.into());
            }
            for named in comment.rules.iter().filter(|named| !named.used) {
                let message = match &named.selector {
                    None => {
                        let shown =
                            String::from_utf8_lossy(&masked(named.text.as_bytes())).into_owned();
                        format!("there is no rule `{shown}` to ignore").into()
                    }
                    // A rule that does not run finds nothing; that is not the comment's fault.
                    Some(selector) if !runs(config, selector) => continue,
                    Some(_) => format!("`{}` finds nothing here to ignore", named.text).into(),
                };
                complain(named.span, message);
            }
        }
        complaints
    }
}

fn runs(config: &Config, selector: &Selector) -> bool {
    let mut metas = crate::RULES.iter().map(|rule| rule.meta());
    metas.any(|meta| selector.names(meta.code) && config.enables(meta))
}

impl Comment {
    fn silences(&mut self, code: &str) -> bool {
        if self.rules.is_empty() {
            self.used = true;
            return true;
        }
        let mut silenced = false;
        for named in &mut self.rules {
            if named.selector.as_ref().is_some_and(|selector| selector.names(code)) {
                named.used = true;
                silenced = true;
            }
        }
        silenced
    }
}

/// The offset of the bracket that closes the list of the comment at `at`, if it has one.
pub(crate) fn list_end(text: &[u8], at: usize) -> Option<usize> {
    let end = comment(text, at, 0)?.span.end - 1;
    (text[end] == b']').then_some(end)
}

fn comment(text: &[u8], at: usize, line: usize) -> Option<Comment> {
    let after = at + MARK.len();
    let rest = text.get(after..)?;
    let mut comment = Comment { span: Span::new(at, after), line, rules: Vec::new(), used: false };
    match rest.first() {
        Some(b'[') => {}
        // `urlsift: ignored` speaks of something else.
        Some(b) if b.is_ascii_alphanumeric() => return None,
        _ => return Some(comment),
    }
    let inner = rest.get(1..)?;
    let close = inner.iter().take(1024).position(|&b| b == b']' || b == b'\n')?;
    if inner.get(close) != Some(&b']') {
        return None;
    }
    comment.span.end = after + close + 2;
    let mut from = after + 1;
    for piece in inner[..close].split(|&b| b == b',') {
        let text = String::from_utf8_lossy(piece).into_owned();
        let lead = text.len() - text.trim_start().len();
        let name = text.trim().to_owned();
        let start = from + lead;
        from += piece.len() + 1;
        if !name.is_empty() {
            let span = Span::new(start, start + name.len().min(piece.len() - lead));
            let selector = Selector::new(&name).ok();
            comment.rules.push(Named { text: name, span, selector, used: false });
        }
    }
    Some(comment)
}

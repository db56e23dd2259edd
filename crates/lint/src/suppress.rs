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
use urlsift_core::{Span, masked};

const MARK: &[u8] = b"urlsift: ignore";

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

/// Takes away what comments ignore, and adds what is wrong with the comments. `skip` says whether
/// a place is program text, where the words only speak of such a comment.
pub(crate) fn apply(
    text: &[u8],
    config: &Config,
    diagnostics: &mut Vec<Diagnostic>,
    skip: impl Fn(usize) -> bool,
) {
    let finder = memmem::Finder::new(MARK);
    let mut marks = finder.find_iter(text).filter(|&at| !skip(at)).peekable();
    if marks.peek().is_none() {
        return;
    }
    let lines = Lines::new(text);
    let mut comments: Vec<Comment> =
        marks.filter_map(|at| comment(text, at, lines.line(at))).collect();
    diagnostics.retain(|diagnostic| {
        let line = lines.line(diagnostic.span.start);
        let mut keep = true;
        // The comments are in the order of the text.
        let first = comments.partition_point(|comment| comment.line + 1 < line);
        for comment in comments[first..].iter_mut().take_while(|comment| comment.line <= line) {
            keep &= !comment.silences(diagnostic.code);
        }
        keep
    });
    let meta = &suppress_unused::META;
    if !config.enables(meta) {
        return;
    }
    for comment in &comments {
        let mut complain = |span: Span, message: String| {
            let mut diagnostic = meta.at(span);
            diagnostic.level = config.level(meta).unwrap_or(meta.level);
            diagnostic.message = message;
            diagnostic.help = Some(meta.advice.to_owned());
            let edits = vec![Edit::delete(comment.span)];
            diagnostic.fix = Some(Fix { applicability: Applicability::Display, edits });
            diagnostics.push(diagnostic);
        };
        if comment.rules.is_empty() && !comment.used {
            complain(comment.span, meta.message.to_owned());
        }
        for named in comment.rules.iter().filter(|named| !named.used) {
            let message = match &named.selector {
                None => {
                    let shown =
                        String::from_utf8_lossy(&masked(named.text.as_bytes())).into_owned();
                    format!("there is no rule `{shown}` to ignore")
                }
                // A rule that does not run finds nothing; that is not the comment's fault.
                Some(selector) if !runs(config, selector) => continue,
                Some(_) => format!("`{}` finds nothing here to ignore", named.text),
            };
            complain(named.span, message);
        }
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

//! A rule's own text, as `urlsift explain` prints it and the rules page holds it.

use crate::dialect::Dialect;
use crate::registry::RULES;
use crate::rule::{Example, Meta, On, Rule, Usually};
use std::fmt::Write as _;
use urlsift_core::Profile;

/// The text of one rule, in Markdown: its heading, its facts, and what it says.
///
/// ```
/// use urlsift_lint::{explain, rule};
/// let text = explain(rule("port.default").unwrap());
/// assert!(text.starts_with("## `port.default`\n") && text.contains("### Why it matters"));
/// ```
pub fn one(rule: &dyn Rule) -> String {
    let meta = rule.meta();
    let mut out = format!("## `{}`\n\n{}.\n\n", meta.code, sentence(meta.message));
    let source = meta.cited();
    let source = if source.is_empty() { "urlsift".to_owned() } else { source };
    let _ = writeln!(
        out,
        "- **Level**: {}{}",
        meta.level,
        if meta.default { "" } else { ", off unless selected" }
    );
    let _ = writeln!(out, "- **Default**: {}", usual(meta));
    let _ = writeln!(out, "- **Source**: {source}");
    let _ = writeln!(out, "- **Fix**: {}", meta.fix.describe());
    let _ = writeln!(out, "- **Since**: {}", meta.since);
    let _ = write!(out, "\n### What it does\n\n{}\n", meta.what);
    let _ = write!(out, "\n### Why it matters\n\n{}\n", meta.why);
    let _ = write!(out, "\n### What to do\n\n{}.\n", sentence(meta.advice));
    let _ = write!(out, "\n### Example\n\nBad{}:\n\n{}", conditions(meta), block(&meta.bad));
    let _ = write!(out, "\nGood:\n\n{}", block(&meta.good));
    out
}

/// Every rule, as the page `RULES.md` has them.
///
/// ```
/// assert!(urlsift_lint::explain_all().contains("## `port.default`\n"));
/// ```
pub fn all() -> String {
    let mut out = String::from(
        "# Rules\n\n<!-- Made by `urlsift explain --all`; a test compares. Do not edit. -->\n\n\
         | rule | level | fix | what is wrong |\n|---|---|---|---|\n",
    );
    for meta in RULES.iter().map(|rule| rule.meta()) {
        let anchor = meta.code.replace('.', "");
        let fix = meta.fix.describe().split([' ', ':', ',']).next().unwrap_or_default();
        let message = meta.message.replace('|', "\\|");
        let _ =
            writeln!(out, "| [`{}`](#{anchor}) | {} | {fix} | {message} |", meta.code, meta.level);
    }
    for &rule in RULES {
        out.push('\n');
        out.push_str(&one(rule));
    }
    out
}

/// What the rule says where nobody asks for more, and why.
fn usual(meta: &Meta) -> String {
    let how = match (meta.default, meta.usually) {
        (false, _) => "off, with `--strict` too",
        (true, Usually::Same) if meta.typo => "as above, in program text too",
        (true, Usually::Same) => "as above, but not in program text",
        (true, Usually::Remark) => "info; as above with `--strict`",
        (true, Usually::RemarkIfBare) => {
            "as above where markup or a wrapper delimits the URL, else info, as in queries and fragments; \
             as above everywhere with `--strict`"
        }
        (true, Usually::RemarkInPlainText) => "as above in Markdown and AsciiDoc, else info",
        (true, Usually::Nothing) => "off; as above with `--strict` or if selected",
    };
    let because = if meta.usually_because.is_empty() { "" } else { ". " };
    let spared = if meta.code == "mailto.addr-spec" {
        ". Addresses that are hidden (`joeAThostDOTdom`) are exempt"
    } else if meta.spares_examples() {
        ". Hosts that are examples, or in a network of one's own, are exempt"
    } else if meta.typo || matches!(meta.on, On::NearMiss(_)) {
        ". Hosts that RFC 2606 keeps for examples are exempt: they show the slip"
    } else {
        ""
    };
    format!("{how}{because}{}{spared}", meta.usually_because.trim_end_matches('.'))
}

/// Under which settings the examples hold, where not under the usual ones.
fn conditions(meta: &Meta) -> String {
    let mut parts = Vec::new();
    if meta.bad.profile != Profile::default() {
        parts.push(format!("with `--profile {}`", meta.bad.profile));
    }
    match meta.bad.dialect {
        Dialect::Markdown => parts.push("in Markdown".to_owned()),
        Dialect::Html => parts.push("in HTML".to_owned()),
        Dialect::Rst => parts.push("in reStructuredText".to_owned()),
        _ => {}
    }
    if meta.strict {
        parts.push("as `urlsift parse` without `--reference` judges".to_owned());
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

/// The example as a code block, its unseen characters written out.
fn block(example: &Example) -> String {
    let mut text = String::new();
    for c in example.text.chars() {
        let unseen = matches!(c, '\u{7f}'..='\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        if unseen || (c.is_control() && c != '\n') {
            let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
        } else {
            text.push(c);
        }
    }
    let lines: Vec<String> =
        text.lines().map(|line| format!("    {line}").trim_end().to_owned()).collect();
    format!("{}\n", lines.join("\n"))
}

fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().collect::<String>() + chars.as_str(),
        None => String::new(),
    }
}

//! Checks that every rule has a name, an explanation, and examples that match it.

use std::collections::BTreeSet;
use urlsift_archive::Reading;
use urlsift_core::{Code, parse};
use urlsift_lint::{
    Applicability, Config, Diagnostic, Example, FixKind, Judge, Linter, Meta, On, RULES, Selector,
    Settings, Slug, Tree, apply, explain, rule,
};

fn metas() -> impl Iterator<Item = &'static Meta> {
    RULES.iter().map(|rule| rule.meta())
}

#[test]
fn codes_are_sorted_and_unique() {
    for pair in RULES.windows(2) {
        assert!(pair[0].meta().code < pair[1].meta().code, "{}", pair[1].meta().code);
    }
}

#[test]
fn every_code_of_core_has_its_rule() {
    for &code in Code::ALL {
        let meta = rule(code.name()).unwrap_or_else(|| panic!("no rule for {code}")).meta();
        assert_eq!(meta.on, On::Report(code));
        assert_eq!(
            (meta.level, meta.rfc, meta.section),
            (code.level(), Some(code.rfc()), code.section())
        );
    }
}

#[test]
fn every_rule_explains_itself() {
    for &rule in RULES {
        let meta = rule.meta();
        let text = explain(rule);
        for heading in [
            "**Level**",
            "**Source**",
            "**Fix**",
            "**Since**",
            "### What it finds",
            "### Why it matters",
            "### What to do",
            "### Example",
        ] {
            assert!(text.contains(heading), "{}: {heading}", meta.code);
        }
        for part in [meta.what, meta.why, meta.advice, meta.message, meta.bad.text, meta.good.text]
        {
            assert!(!part.is_empty(), "{}", meta.code);
        }
        assert!(meta.what.ends_with('.') && meta.why.ends_with('.'), "{}: sentences", meta.code);
        assert!(
            !meta.advice.ends_with('.') && !meta.message.ends_with('.'),
            "{}: clauses",
            meta.code
        );
        assert!(meta.code.split('.').count() == 2 && !meta.code.contains(' '), "{}", meta.code);
        for other in meta.other_rules {
            assert!(urlsift_lint::rule(other).is_some(), "{}: {other}", meta.code);
        }
    }
}

fn linter(meta: &Meta, example: &Example) -> Linter {
    // Turns on the rule even if it is off by default.
    let mut config = Config::new(example.profile);
    config.extend_select = vec![Selector::new(meta.code).unwrap()];
    Linter::new(config)
}

fn found(linter: &Linter, meta: &Meta, example: &Example, text: &[u8]) -> Vec<Diagnostic> {
    if meta.needs_tree {
        return found_in_tree(text);
    }
    if example.is_text {
        linter.lint(text, example.dialect).diagnostics
    } else {
        linter.lint_url(text).diagnostics
    }
}

/// Lints a text as the only file of a tree.
fn found_in_tree(text: &[u8]) -> Vec<Diagnostic> {
    let mut tree = Tree::new("/tree".into(), Slug::GitHub);
    tree.add_file("a.md".as_ref(), Some(text));
    let judge = Judge::new(Settings::default(), None).with_trees([tree].into());
    let mut all = Vec::new();
    judge.lint_parts("/tree/a.md".as_ref(), text, Reading::Auto, &mut |part| {
        all.append(&mut part.diagnostics);
    });
    all
}

#[test]
fn bad_examples_are_reported_and_good_ones_are_not() {
    let mut wrong = Vec::new();
    for meta in metas() {
        if meta.strict {
            let verdict =
                |example: &Example| parse(example.text.as_bytes(), example.profile).map(drop);
            let code = verdict(&meta.bad).unwrap_err().code;
            assert_eq!((code.name(), verdict(&meta.good)), (meta.code, Ok(())));
            continue;
        }
        for (example, is_bad) in [(&meta.bad, true), (&meta.good, false)] {
            let diagnostics = found(&linter(meta, example), meta, example, example.text.as_bytes());
            let codes: BTreeSet<&str> = diagnostics.iter().map(|d| d.code).collect();
            let strange: Vec<_> = codes
                .iter()
                .filter(|c| **c != meta.code && !meta.other_rules.contains(c))
                .collect();
            if codes.contains(meta.code) != is_bad || !strange.is_empty() {
                wrong.push(format!("{}: {:?} gives {codes:?}", meta.code, example.text));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn fixes_converge_and_remove_the_fault() {
    let mut wrong = Vec::new();
    for meta in metas() {
        let FixKind::Sometimes(least) = meta.fix else {
            continue;
        };
        let linter = linter(meta, &meta.bad);
        let text = meta.bad.text.as_bytes();
        let offered: Vec<Applicability> = found(&linter, meta, &meta.bad, text)
            .iter()
            .filter(|d| d.code == meta.code)
            .filter_map(|d| d.fix.as_ref().map(|fix| fix.applicability))
            .collect();
        if !offered.contains(&least) {
            wrong.push(format!("{}: offers {offered:?}, not {least:?}", meta.code));
            continue;
        }
        if least == Applicability::Display {
            continue;
        }
        let only = |text: &[u8]| {
            let mut all = found(&linter, meta, &meta.bad, text);
            all.retain(|d| d.code == meta.code);
            all
        };
        let done = apply::apply_until_stable(text, least, only);
        let left = found(&linter, meta, &meta.bad, &done.text);
        if !done.settled || left.iter().any(|d| d.code == meta.code) {
            let text = String::from_utf8_lossy(&done.text).into_owned();
            wrong.push(format!("{}: leaves {text:?}", meta.code));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

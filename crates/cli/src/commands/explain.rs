//! The subcommand `explain`: prints explanations of lint rules.

use crate::args::ExplainArgs;
use crate::exit::Exit;
use anyhow::anyhow;
use urlsift_lint::{RULES, Rule, Selector, explain, explain_all};

pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    if args.all {
        return super::print_output(explain_all().as_bytes());
    }
    if args.list {
        let row = |rule: &&'static dyn Rule| {
            format!("{:<28} {}\n", rule.meta().code, rule.meta().message)
        };
        return super::print_output(RULES.iter().map(row).collect::<String>().as_bytes());
    }
    let mut pages = Vec::new();
    for name in &args.rules {
        let selector = Selector::new(name).map_err(|error| {
            let codes = RULES.iter().map(|rule| rule.meta().code);
            // The start of a group alone would list too many rules.
            let is_listed = |code: &&str| name.contains('.') && code.starts_with(name.as_str());
            let starts: Vec<_> = codes.filter(is_listed).collect();
            match &starts[..] {
                [] if error.nearest.is_none() => {
                    anyhow!("{error}; `urlsift explain --list` lists the rules")
                }
                [] => anyhow!("{error} `urlsift explain --list` lists the rules"),
                _ => {
                    anyhow!("there is no rule `{name}`; did you mean `{}`?", starts.join("` or `"))
                }
            }
        })?;
        let named = RULES.iter().filter(|rule| selector.matches(rule.meta().code));
        pages.extend(named.map(|&rule| explain(rule)));
    }
    super::print_output(pages.join("\n").as_bytes())
}

//! Selects cases, runs an extractor on them, and compares the result with known failures.

use crate::case::Case;
use crate::judge::{Found, Mistakes, judge};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The cases to run.
#[derive(Clone, Debug)]
pub struct Suite {
    cases: Vec<Case>,
    /// The reason for each known failure, by ID.
    known: BTreeMap<String, String>,
}

impl Default for Suite {
    fn default() -> Self {
        Self::new()
    }
}

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome<'s> {
    /// The number of cases that passed.
    pub passed: usize,
    /// The cases that failed and aren't known to fail.
    pub unexpected: Vec<Mistakes<'s>>,
    /// The cases that failed as known.
    pub known: Vec<Mistakes<'s>>,
    /// The IDs of known failures that passed, or that are not among the cases of this run.
    pub outdated: Vec<&'s str>,
    /// Passed cases and all cases, by level.
    pub levels: BTreeMap<u8, (usize, usize)>,
}

impl Suite {
    /// Selects all cases.
    pub fn new() -> Self {
        Self { cases: Case::all(), known: BTreeMap::new() }
    }

    /// Restricts the suite to these levels. Choose those that your extractor is made for.
    #[must_use]
    pub fn levels(mut self, levels: impl IntoIterator<Item = u8>) -> Self {
        let levels: Vec<u8> = levels.into_iter().collect();
        self.cases.retain(|case| levels.contains(&case.level));
        self
    }

    /// Restricts the suite to cases without this tag.
    #[must_use]
    pub fn without_tag(mut self, tag: &str) -> Self {
        self.cases.retain(|case| !case.tags.iter().any(|other| other == tag));
        self
    }

    /// Sets the cases that are known to fail, as lines of `ID: reason`. Empty lines and lines that
    /// start with `#` are ignored, as are IDs of levels that aren't selected.
    #[must_use]
    pub fn known_failures(mut self, lines: &str) -> Self {
        let lines = lines.lines().map(str::trim);
        self.known = lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(|line| line.split_once(':').unwrap_or((line, "")))
            .map(|(id, reason)| (id.trim().to_owned(), reason.trim().to_owned()))
            .collect();
        self
    }

    /// Returns the selected cases.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// Runs an extractor on all cases.
    pub fn run(&self, mut find: impl FnMut(&Case) -> Vec<Found>) -> Outcome<'_> {
        let mut outcome = Outcome::default();
        let is_selected =
            |id: &str| self.cases.iter().any(|c| id.starts_with(&format!("{}-", c.level)));
        let mut known: Vec<&str> =
            self.known.keys().map(String::as_str).filter(|id| is_selected(id)).collect();
        for case in &self.cases {
            let level = outcome.levels.entry(case.level).or_default();
            level.1 += 1;
            match judge(case, find(case)) {
                Ok(()) => {
                    outcome.passed += 1;
                    level.0 += 1;
                }
                Err(mistakes) if self.known.contains_key(&case.id) => {
                    known.retain(|id| *id != case.id);
                    outcome.known.push(mistakes);
                }
                Err(mistakes) => outcome.unexpected.push(mistakes),
            }
        }
        outcome.outdated = known;
        outcome
    }

    /// Runs an extractor on all cases, as a test.
    ///
    /// # Panics
    ///
    /// Panics if a case fails that isn't known to fail, or if a known failure passes. The message
    /// shows each.
    pub fn check(&self, find: impl FnMut(&Case) -> Vec<Found>) {
        let outcome = self.run(find);
        let mut faults = String::new();
        for mistakes in &outcome.unexpected {
            let _ = writeln!(faults, "FAIL {mistakes}");
        }
        for id in &outcome.outdated {
            let _ = writeln!(faults, "{id} is listed as a known failure, but does not fail");
        }
        assert!(
            faults.is_empty(),
            "\n{faults}{} of {} cases passed; {} failed unexpectedly",
            outcome.passed,
            self.cases.len(),
            outcome.unexpected.len()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::Suite;
    use crate::{Case, Found};

    /// Returns the expected URLs.
    fn right(case: &Case) -> Vec<Found> {
        let found = |e: &crate::Expected| Found::new(e.range().unwrap_or(0..0), e.url.clone());
        case.spans.iter().map(found).collect()
    }

    #[test]
    fn right_answers_pass() {
        Suite::new().check(right);
    }

    #[test]
    fn levels_and_tags_select_cases() {
        let suite = Suite::new().levels([7]);
        assert!(suite.cases().iter().all(|case| case.level == 7));
        let tag = suite.cases()[0].tags[0].clone();
        let fewer = suite.clone().without_tag(&tag);
        assert!(fewer.cases().len() < suite.cases().len());
    }

    #[test]
    #[should_panic = "does not fail"]
    fn known_failure_that_passes_is_reported() {
        let id = Suite::new().cases()[0].id.clone();
        Suite::new().known_failures(&format!("{id}: a reason")).check(right);
    }

    #[test]
    fn known_failures_are_no_faults() {
        let suite = Suite::new().levels([1]);
        let failing: Vec<_> = suite.cases().iter().filter(|case| !case.spans.is_empty()).collect();
        let lines: String = failing.iter().map(|case| format!("{}: a reason\n", case.id)).collect();
        suite.clone().known_failures(&lines).check(|_| Vec::new());
    }
}

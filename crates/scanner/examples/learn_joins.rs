//! Learns the weights of the evidence at a line break from labeled breaks.
//!
//! ```text
//! cargo run -p urlsift-scanner --example learn_joins -- FILE.jsonl… [--list] [--features]
//!     [--without=FEATURE,…] [--held-out=ARCHIVE,…]
//! ```
//!
//! Each line of the input is one JSON object that describes a URL at the end of a line:
//!
//! | field | meaning |
//! |---|---|
//! | `context` | the text around the break, as a string or a list of lines: about twenty lines before it and ten after it |
//! | `line_index_in_context` | the line that ends in the URL, 0-based |
//! | `continues` | true if the URL continues on the next line |
//! | `true_url` | the whole URL |
//! | `parts` | the number of lines that the URL covers; if absent, as many as `true_url` needs |
//! | `url_column` | the offset in the line at which the URL starts, in bytes; if absent, where the line matches `true_url` |
//! | `source` | the name of the archive, a slash, and the kind of the row. Cross-validation holds back all rows of an archive together |
//! | `thread` | the thread of the message, if the row is from mail |
//! | `evidence` | how the row was labeled; rows with `structure` are also scored separately, since rules similar to the features labeled them |
//! | `id` | a name for the row |
//!
//! `corpus/rejoin/breaks.jsonl` is an example, and `label_breaks`, an example of the crate `records`,
//! labels breaks automatically. A URL over several lines gives one example per
//! break, including the last. The features at each break come from the engine itself; breaks that
//! it decides without weighing are scored but aren't used for learning. The program fits a logistic
//! regression with a penalty (0.1) on the squares of the weights, multiplies the weights by three
//! and rounds them. It prints the table for `rejoin::evidence`, and precision and recall: with the
//! engine's current weights, with the new ones, and by cross-validation over hosts and sources.
//! `--list` prints the rows that the cross-validation gets wrong, `--without` leaves out features,
//! and `--features` prints the features at each break as JSON Lines instead of all else.
//!
//! With `--held-out`, the rows of some archives are only used for the test: the weights are learned
//! from the rows of the other archives, except rows whose URL or thread also occurs in a held-out
//! archive. The scores of each archive and kind are then printed.
#![allow(clippy::print_stdout)] // this is a command
#![allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // small numbers

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use urlsift_core::Span;
use urlsift_scanner::{BreakEvidence, break_evidence, break_weights};

/// The weight of the penalty on the squares of the weights.
const PENALTY: f64 = 0.1;
/// The factor from log-odds to the integer weights of the table.
const SCALE: f64 = 3.0;
/// The maximum number of lines of a URL.
const MAX_PARTS: usize = 99;
/// The maximum column where a URL starts, in bytes.
const MAX_COLUMN: usize = 200;
/// The number of folds for the cross-validation by host.
const FOLDS: u64 = 10;
/// The number of missed joins that cost as much as a wrong join. A continuation must be this many
/// times as likely as an end, because a wrong join destroys a good URL.
const WRONG_JOIN_COST: f64 = 4.0;

fn main() -> ExitCode {
    let (options, files): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let (names, weights, enough) = table();
    let without: Vec<_> = options
        .iter()
        .filter_map(|option| option.strip_prefix("--without="))
        .flat_map(|names| names.split(','))
        .collect();
    let mut rows = Vec::new();
    for file in &files {
        let Ok(text) = std::fs::read_to_string(file) else {
            println!("cannot read {file}");
            return ExitCode::from(2);
        };
        for line in text.lines() {
            match serde_json::from_str(line) {
                Ok(row) => rows.push(Row::new(&row, &names, &without)),
                Err(error) => {
                    println!("{file}: {error}");
                    return ExitCode::from(2);
                }
            }
        }
    }
    if rows.is_empty() {
        println!("usage: learn_joins FILE.jsonl… [--list]");
        return ExitCode::from(2);
    }
    if options.iter().any(|option| option == "--features") {
        for row in &rows {
            row.print_features(&names);
        }
        return ExitCode::SUCCESS;
    }
    let breaks: usize = rows.iter().map(|row| row.breaks.len()).sum();
    println!("{} rows, {} breaks, {} features", rows.len(), breaks, names.len());

    let all: Vec<&Row> = rows.iter().collect();
    let today = Model { weights, enough };
    if let Some(archives) = options.iter().find_map(|option| option.strip_prefix("--held-out=")) {
        test_on_held_out(&all, &archives.split(',').collect::<Vec<_>>(), &today, &names);
        return ExitCode::SUCCESS;
    }
    let new = Model::learn(&all, names.len());
    let score = |model: &Model| Score::of(&all, &vec![model; all.len()]);
    println!("today:               {}", score(&today).summary());
    println!("new, on all rows:    {}", score(&new).summary());
    let mut listed = None;
    for (name, group) in [("host", host_fold as fn(&Row) -> u64), ("source", source_fold)] {
        let (score, models) = cross_validate(&all, names.len(), group);
        println!("across {name:<8}      {}", score.summary());
        for structure in [false, true] {
            let part: Vec<_> =
                (0..all.len()).filter(|i| all[*i].is_structure == structure).collect();
            let rows: Vec<_> = part.iter().map(|i| all[*i]).collect();
            let models: Vec<_> = part.iter().map(|i| &models[*i]).collect();
            let kind = if structure { "structure" } else { "others" };
            println!("  {kind:<16}     {}", Score::of(&rows, &models).summary());
        }
        listed.get_or_insert(models);
    }
    new.print(&all, &names);
    if options.iter().any(|option| option == "--list") {
        for (row, model) in rows.iter().zip(listed.iter().flatten()) {
            row.list(model, &names);
        }
    }
    ExitCode::SUCCESS
}

/// Learns weights from the rows of all archives except `archives`. Leaves out rows whose URL or
/// thread also occurs in `archives`. Prints the scores of today's weights and of the new ones, both
/// for the training rows and for the rows of `archives`: in total, by archive and by kind. Then
/// prints the new weights.
fn test_on_held_out(rows: &[&Row], archives: &[&str], today: &Model, names: &[String]) {
    let (held_out, others): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| archives.contains(&row.archive()));
    let urls: BTreeSet<&str> = held_out.iter().map(|row| row.url.as_str()).collect();
    let threads: BTreeSet<&str> = held_out.iter().filter_map(|row| row.thread.as_deref()).collect();
    let is_known = |row: &&Row| {
        urls.contains(row.url.as_str())
            || row.thread.as_ref().is_some_and(|thread| threads.contains(thread.as_str()))
    };
    let training: Vec<&Row> = others.into_iter().filter(|row| !is_known(row)).collect();
    let new = Model::learn(&training, names.len());
    for (name, part) in [("training", &training), ("held out", &held_out)] {
        let mut groups: BTreeMap<(bool, &str), Vec<&Row>> = BTreeMap::new();
        for row in part {
            groups.entry((true, row.archive())).or_default().push(row);
            groups.entry((false, row.kind())).or_default().push(row);
        }
        println!("\n{name}: {} rows", part.len());
        let groups = groups.iter().map(|((_, group), rows)| (*group, rows));
        for (group, rows) in std::iter::once(("all", part)).chain(groups) {
            for (name, model) in [("today", today), ("new", &new)] {
                let score = Score::of(rows, &vec![model; rows.len()]);
                println!("  {group:<24} {name:<6} {}", score.summary());
            }
        }
    }
    new.print(&training, names);
}

/// Returns the engine's table: the names of the features, their weights, and the threshold.
fn table() -> (Vec<String>, Vec<i32>, i32) {
    let (table, enough) = break_weights();
    let (names, weights) = table.into_iter().unzip();
    (names, weights, enough)
}

/// The engine's evidence at a break.
#[derive(Debug)]
enum Seen {
    /// The URL certainly ends.
    Ends,
    /// The URL certainly continues.
    Continues,
    /// The features that apply, by their index in the table.
    Features(Vec<usize>),
}

impl Seen {
    fn has(&self, feature: usize) -> bool {
        matches!(self, Self::Features(present) if present.contains(&feature))
    }
}

/// A break and its label. `continues` is true if the URL continues after the break.
#[derive(Debug)]
struct LabelledBreak {
    seen: Seen,
    continues: bool,
}

/// A row of the file: a URL, and the breaks at the ends of its lines.
#[derive(Debug)]
struct Row {
    id: String,
    url: String,
    host: String,
    source: String,
    thread: Option<String>,
    shown: String,
    is_structure: bool,
    breaks: Vec<LabelledBreak>,
}

impl Row {
    fn new(row: &Value, names: &[String], without: &[&str]) -> Self {
        let text = match &row["context"] {
            Value::Array(lines) => {
                lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
            }
            text => text.as_str().unwrap_or_default().to_owned(),
        };
        let text = text.as_bytes();
        let number = |name: &str| row[name].as_u64().and_then(|n| usize::try_from(n).ok());
        let true_url = row["true_url"].as_str().unwrap_or_default();
        let line = number("line_index_in_context").unwrap_or_default();
        let from: usize = text.split_inclusive(|b| *b == b'\n').take(line).map(<[u8]>::len).sum();
        // Without a column in the row, the one where the longest part of the URL matches.
        let agreed = |at: usize| {
            text[from + at..].iter().zip(true_url.as_bytes()).take_while(|(a, b)| a == b).count()
        };
        let column = || (0..text.len() - from).take(MAX_COLUMN).max_by_key(|at| agreed(*at));
        let start = from + number("url_column").or_else(column).unwrap_or_default();
        let parts = if row["continues"] == true { number("parts").unwrap_or(MAX_PARTS) } else { 1 };
        let shown: Vec<_> =
            text[from..].split(|b| *b == b'\n').take(4).map(String::from_utf8_lossy).collect();
        Self {
            id: row["id"].as_str().unwrap_or_default().to_owned(),
            url: true_url.to_owned(),
            host: true_url.split('/').nth(2).unwrap_or_default().to_ascii_lowercase(),
            source: row["source"].as_str().unwrap_or("own").to_owned(),
            thread: row["thread"].as_str().filter(|name| !name.is_empty()).map(str::to_owned),
            shown: shown.join("\n    | "),
            is_structure: row["evidence"] == "structure",
            breaks: breaks(text, start, true_url.as_bytes(), parts, names, without),
        }
    }

    /// Returns the archive that the row is from.
    fn archive(&self) -> &str {
        self.source.split('/').next().unwrap_or_default()
    }

    /// Returns the kind of the row, which follows the archive in `source`.
    fn kind(&self) -> &str {
        self.source.split_once('/').map_or("", |(_, kind)| kind)
    }

    /// Prints the features at each break of the row as JSON Lines.
    fn print_features(&self, names: &[String]) {
        for (number, b) in self.breaks.iter().enumerate() {
            let features: Value = match &b.seen {
                Seen::Features(present) => present.iter().map(|at| names[*at].as_str()).collect(),
                decided => Value::from(format!("{decided:?}")),
            };
            let row = serde_json::json!({
                "id": self.id, "source": self.source, "url": self.url, "break": number,
                "continues": b.continues, "features": features,
            });
            println!("{row}");
        }
    }

    /// Returns two flags: true if the model joins at the first break, and true if it decides
    /// correctly at all breaks.
    fn judge(&self, model: &Model) -> (bool, bool) {
        let decisions = self.breaks.iter().map(|b| (model.joins(&b.seen), b.continues));
        let joins = self.breaks.first().is_some_and(|b| model.joins(&b.seen));
        (joins, decisions.clone().all(|(joins, continues)| joins == continues))
    }

    fn list(&self, model: &Model, names: &[String]) {
        if self.judge(model).1 {
            return;
        }
        println!("{} {}\n    | {}", self.id, self.source, self.shown);
        for b in &self.breaks {
            let present = match &b.seen {
                Seen::Features(present) => present
                    .iter()
                    .map(|at| format!("{}{:+}", names[*at], model.weights[*at]))
                    .collect(),
                other => vec![format!("{other:?}")],
            };
            let sum = model.sum(&b.seen).map_or(0, |sum| sum - model.enough);
            println!(
                "    {} {sum:+}: {}",
                if b.continues { "goes on" } else { "ends" },
                present.join(" ")
            );
        }
    }
}

/// Returns the breaks of a URL: those after which it continues, and the one where it ends, if it
/// ends its line.
fn breaks(
    text: &[u8],
    start: usize,
    url: &[u8],
    parts: usize,
    names: &[String],
    without: &[&str],
) -> Vec<LabelledBreak> {
    let line_end = |at: usize| {
        let line = text[at..].iter().position(|b| *b == b'\n').map_or(text.len(), |len| at + len);
        at + text[at..line].trim_ascii_end().len()
    };
    let mut found = Vec::new();
    let mut part = Span::new(start, line_end(start));
    let mut head = text[part.range()].to_vec();
    for number in 1..=parts {
        // If the number of parts is unknown, the URL continues until it is complete.
        // `head` may contain the `=` of a soft break, so it can be incomplete although it is as
        // long as the URL.
        let is_cut = url.len() >= head.len() && url != head;
        let continues = number < parts && (parts < MAX_PARTS || is_cut);
        let evidence = break_evidence(text, start, part, &head);
        let resume = evidence.as_ref().map(|evidence| evidence.resume);
        let at = |name: &String| names.iter().position(|known| known == name);
        let seen = match evidence {
            Some(BreakEvidence { features: Some(present), .. }) => {
                let present = present.iter().filter(|name| !without.contains(&name.as_str()));
                Seen::Features(present.filter_map(at).collect())
            }
            Some(BreakEvidence { is_joined: true, .. }) => Seen::Continues,
            _ => Seen::Ends,
        };
        found.push(LabelledBreak { seen, continues });
        let (Some(resume), Some(rest)) =
            (resume.filter(|_| continues), url.strip_prefix(&head[..]))
        else {
            break;
        };
        let same = rest.iter().zip(&text[resume..]).take_while(|(a, b)| a == b).count();
        let end = line_end(resume);
        let following = &text[resume + same..end];
        if same == 0 || !following.iter().all(|b| b".,;:!?".contains(b)) || end == text.len() {
            break;
        }
        part = Span::new(resume, end);
        head.extend_from_slice(&text[part.range()]);
    }
    found
}

/// The weights of the features, and the threshold for a join.
#[derive(Clone, Debug)]
struct Model {
    weights: Vec<i32>,
    enough: i32,
}

impl Model {
    /// Returns the sum of the weights; `None` if the outcome is certain.
    fn sum(&self, seen: &Seen) -> Option<i32> {
        let Seen::Features(present) = seen else { return None };
        Some(present.iter().map(|at| self.weights[*at]).sum())
    }

    /// True if the model decides to join at a break with this evidence.
    fn joins(&self, seen: &Seen) -> bool {
        self.sum(seen).map_or(matches!(seen, Seen::Continues), |sum| sum >= self.enough)
    }

    /// Prints the threshold, and each weight with the number of breaks at which the feature applies.
    fn print(&self, rows: &[&Row], names: &[String]) {
        println!("\nenough: {}", self.enough);
        for (at, (name, weight)) in names.iter().zip(&self.weights).enumerate() {
            let count = |label: bool| {
                let breaks = rows.iter().flat_map(|row| &row.breaks);
                breaks.filter(|b| b.continues == label && b.seen.has(at)).count()
            };
            println!("    (F::{name}, {weight}), // {} go on, {} end", count(true), count(false));
        }
    }

    /// Learns the weights and the threshold from the breaks of `rows`.
    fn learn(rows: &[&Row], features: usize) -> Self {
        let breaks = rows.iter().flat_map(|row| &row.breaks);
        let examples: Vec<(&[usize], bool)> = breaks
            .filter_map(|b| match &b.seen {
                Seen::Features(present) => Some((&present[..], b.continues)),
                _ => None,
            })
            .collect();
        let fitted = fit(&examples, features);
        let weights: Vec<i32> =
            fitted[..features].iter().map(|w| (w * SCALE).round() as i32).collect();
        // At the threshold, a continuation is this many times as likely as an end.
        let enough = ((WRONG_JOIN_COST.ln() - fitted[features]) * SCALE).round() as i32;
        Self { weights, enough }
    }
}

/// Fits the log-odds that each feature adds, and the intercept, by Newton's method.
fn fit(examples: &[(&[usize], bool)], features: usize) -> Vec<f64> {
    let size = features + 1;
    let mut weights = vec![0.0; size];
    for _ in 0..30 {
        let mut gradient: Vec<f64> = weights.iter().map(|w| -PENALTY * w).collect();
        let mut hessian = vec![vec![0.0; size]; size];
        for (at, row) in hessian.iter_mut().enumerate() {
            row[at] = if at == features { 1e-6 } else { PENALTY };
        }
        gradient[features] = 0.0;
        for (present, continues) in examples {
            let active: Vec<usize> = present.iter().copied().chain([features]).collect();
            let sum: f64 = active.iter().map(|at| weights[*at]).sum();
            let odds = 1.0 / (1.0 + (-sum).exp());
            let error = f64::from(u8::from(*continues)) - odds;
            for a in &active {
                gradient[*a] += error;
                for b in &active {
                    hessian[*a][*b] += odds * (1.0 - odds);
                }
            }
        }
        let step = solve(hessian, gradient);
        let largest = step.iter().fold(0.0_f64, |max, s| max.max(s.abs()));
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight += step / (largest / 2.0).max(1.0);
        }
        if largest < 1e-6 {
            break;
        }
    }
    weights
}

/// Solves a system of linear equations whose matrix is positive definite.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for at in 0..size {
        let pivot = matrix[at].clone();
        for below in at + 1..size {
            let factor = matrix[below][at] / pivot[at];
            for (cell, above) in matrix[below].iter_mut().zip(&pivot) {
                *cell -= factor * above;
            }
            right[below] -= factor * right[at];
        }
    }
    for at in (0..size).rev() {
        let known: f64 = matrix[at].iter().zip(&right).skip(at + 1).map(|(a, b)| a * b).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}

/// The counts for precision and recall.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    right: usize,
    wrong: usize,
    /// The number of rows that continue.
    continued: usize,
    /// The number of rows that end.
    ends: usize,
}

impl Score {
    fn of(rows: &[&Row], models: &[&Model]) -> Self {
        let mut score = Self::default();
        for (row, model) in rows.iter().zip(models) {
            let (joins, is_right) = row.judge(model);
            let continues = row.breaks.first().is_some_and(|b| b.continues);
            score.continued += usize::from(continues);
            score.ends += usize::from(!continues);
            score.right += usize::from(joins && is_right);
            score.wrong += usize::from(joins && !is_right);
        }
        score
    }

    fn summary(&self) -> String {
        let Self { right, wrong, continued, ends } = *self;
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        format!(
            "precision {:5.1} % ({right} of {}), recall {:5.1} % ({right} of {continued}), {ends} end",
            share(right, right + wrong),
            right + wrong,
            share(right, continued),
        )
    }
}

/// Scores each row with a model that was learned from the other folds. Also returns the model of
/// each row.
fn cross_validate(rows: &[&Row], features: usize, fold: fn(&Row) -> u64) -> (Score, Vec<Model>) {
    let folds: BTreeSet<u64> = rows.iter().map(|row| fold(row)).collect();
    let models: BTreeMap<u64, Model> = folds
        .into_iter()
        .map(|held_back| {
            let others: Vec<_> =
                rows.iter().copied().filter(|row| fold(row) != held_back).collect();
            (held_back, Model::learn(&others, features))
        })
        .collect();
    let models: Vec<Model> = rows.iter().map(|row| models[&fold(row)].clone()).collect();
    (Score::of(rows, &models.iter().collect::<Vec<_>>()), models)
}

fn hash(name: &str) -> u64 {
    name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// Returns the fold of a row. Hosts of one domain are in the same fold.
fn host_fold(row: &Row) -> u64 {
    let labels: Vec<&str> = row.host.rsplit('.').take(2).collect();
    (hash(&labels.join(".")) >> 20) % FOLDS
}

/// Returns the fold of a row. Rows from one source are in the same fold.
fn source_fold(row: &Row) -> u64 {
    hash(row.archive())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = include_str!("../../../corpus/rejoin/breaks.jsonl");

    #[test]
    fn fit_recovers_the_odds_of_the_examples() {
        // One feature that makes a continuation nine times as likely as an end, and one without
        // information.
        let mut examples: Vec<(&[usize], bool)> = Vec::new();
        for number in 0..1000 {
            let present: &[usize] = if number / 10 % 2 == 0 { &[0] } else { &[0, 1] };
            examples.push((present, number % 10 > 0));
            let present: &[usize] = if number % 2 == 0 { &[] } else { &[1] };
            examples.push((present, (number / 2) % 2 == 0));
        }
        let fitted = fit(&examples, 2);
        assert!((fitted[0] - 9.0_f64.ln()).abs() < 0.2, "{fitted:?}");
        assert!(fitted[1].abs() < 0.2 && fitted[2].abs() < 0.2, "{fitted:?}");
    }

    #[test]
    fn corpus_rows_are_learned() {
        let (names, weights, enough) = table();
        let rows: Vec<Row> = ROWS
            .lines()
            .map(|row| Row::new(&serde_json::from_str(row).expect("it is JSON"), &names, &[]))
            .collect();
        assert!(rows.len() > 50);
        let all: Vec<&Row> = rows.iter().collect();
        let score = |model: &Model| Score::of(&all, &vec![model; all.len()]);
        // The engine's own weights must get all of these cases right.
        let today = score(&Model { weights, enough });
        assert_eq!((today.wrong, today.right), (0, today.continued), "{}", today.summary());
        let new = score(&Model::learn(&all, names.len()));
        assert!(new.wrong == 0 && new.right * 10 > new.continued * 8, "{}", new.summary());
        let (held_back, _) = cross_validate(&all, names.len(), host_fold);
        assert!(held_back.right > 20 * held_back.wrong, "{}", held_back.summary());
    }
}

//! The subcommand `parse`: parses and validates URLs.

use crate::args::{ParseArgs, ParseFormat};
use crate::exit::Exit;
use crate::io::inputs::Inputs;
use crate::io::output::{check_outputs_and_get_ids, stdout};
use crate::platform::{self, should_read_stdin};
use crate::print::sanitize;
use anyhow::{Context, bail};
use std::io::{self, BufRead, IsTerminal, Write};
use urlsift_core::{Value, mask_spans};
use urlsift_records::parse::ParseRecord;
use urlsift_records::write::json;

pub(crate) fn run(args: &ParseArgs) -> anyhow::Result<Exit> {
    if args.urls.is_empty() || args.urls.iter().any(|url| url == "-") {
        check_outputs_and_get_ids(&[None], &Inputs::from_path("-".as_ref()))?;
    }
    let mut out = stdout()?;
    let terminal = io::stdout().is_terminal();
    let (mut exit, mut line) = (Exit::Success, Vec::new());
    let mut judge = |text: &[u8]| -> anyhow::Result<()> {
        let mut verdict = ParseRecord::new(text, args.profile, args.reference);
        let secrets = args.hidden_secrets().map(|secrets| secrets.in_url(text)).unwrap_or_default();
        let masked = mask_spans(text, &secrets);
        if !secrets.is_empty() {
            verdict = verdict.with_masked(&masked);
        }
        if !verdict.is_valid() {
            exit = exit.more_severe(Exit::Nothing);
        }
        match args.format() {
            ParseFormat::Jsonl => {
                line.clear();
                verdict.write_json(&mut line);
                out.write_all(&line)?;
            }
            ParseFormat::Text => out.write_all(&describe_result(&verdict, terminal))?,
        }
        Ok(())
    };
    if args.urls.is_empty() {
        if !should_read_stdin() {
            bail!("no URL given; pass URLs as arguments, or one per line on standard input");
        }
        judge_stdin_lines(args.null, &mut judge)?;
    }
    for url in &args.urls {
        if url == "-" {
            judge_stdin_lines(args.null, &mut judge)?;
        } else {
            judge(&platform::printed_bytes(url))?;
        }
    }
    out.flush()?;
    Ok(exit)
}

/// Calls `judge` with each line of standard input, without its line end. If `is_nul_separated` is
/// true, lines end with a NUL byte, otherwise with a line break.
fn judge_stdin_lines(
    is_nul_separated: bool,
    judge: &mut impl FnMut(&[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let end = if is_nul_separated { 0 } else { b'\n' };
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(end, &mut line).context("cannot read standard input")?;
        if read == 0 {
            return Ok(());
        }
        if line.last() == Some(&end) {
            line.pop();
            if !is_nul_separated && line.last() == Some(&b'\r') {
                line.pop();
            }
        }
        judge(&line)?;
    }
}

/// Formats the result of parsing a URL as text: the verdict, the components, and the violations. If
/// `terminal` is true, unsafe characters are escaped for a terminal.
fn describe_result(record: &ParseRecord<'_>, terminal: bool) -> Vec<u8> {
    let mut out = sanitize::escape_unsafe(record.input, terminal).into_owned();
    let verdict = if record.is_valid() { "valid" } else { "not valid" };
    out.extend_from_slice(format!("\n  {verdict} in {}\n", record.profile).as_bytes());
    if let Some(scheme) = record.scheme() {
        out.extend_from_slice(format!("  scheme: {scheme}\n").as_bytes());
    }
    if let Ok(url) = &record.result {
        for (title, fields) in [("", url.components()), ("= ", url.semantics())] {
            for (name, value) in fields.into_iter().flatten() {
                if value == Value::Null {
                    continue;
                }
                out.extend_from_slice(format!("  {title}{name}: ").as_bytes());
                push_value(&mut out, &value);
                out.push(b'\n');
            }
        }
    }
    for report in &record.reports {
        let line = format!(
            "  {} {}..{}: {} [{}, RFC {} §{}]\n",
            report.level,
            report.span.start,
            report.span.end,
            report.code.message(),
            report.code,
            report.code.rfc(),
            report.code.section()
        );
        out.extend_from_slice(line.as_bytes());
    }
    out
}

/// Appends a parsed value as text. Strings are written without quotes and with control characters
/// escaped. Lists are written in brackets.
fn push_value(out: &mut Vec<u8>, value: &Value<'_>) {
    match value {
        Value::Bytes(bytes) => out.extend_from_slice(&sanitize::escape_unsafe(bytes, true)),
        Value::Text(text) => out.extend_from_slice(&sanitize::escape_unsafe(text.as_bytes(), true)),
        Value::List(values) => {
            out.push(b'[');
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    out.extend_from_slice(b", ");
                }
                push_value(out, value);
            }
            out.push(b']');
        }
        Value::Bool(yes) => out.extend_from_slice(if *yes { b"true" } else { b"false" }),
        Value::Number(number) => json::push_decimal(out, *number),
        _ => out.extend_from_slice(b"null"),
    }
}

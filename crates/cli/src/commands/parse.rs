//! `urlsift parse`: takes URLs apart and judges them.

use crate::args::{ParseArgs, ParseFormat};
use crate::exit::Exit;
use crate::io::walk::stdin_is_input;
use crate::output::json;
use crate::output::record::{ReportRecord, serialize_text};
use crate::print::sanitize;
use crate::report::scheme_of;
use anyhow::{Context, bail};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::io::{self, BufRead, IsTerminal, Write};
use std::os::unix::ffi::OsStrExt;
use urlsift_core::{
    Fields, Profile, Report, Url, Value, Violation, diagnose, diagnose_url, parse, parse_reference,
};

pub(crate) fn run(args: &ParseArgs) -> anyhow::Result<Exit> {
    let mut out = super::stdout()?;
    let terminal = io::stdout().is_terminal();
    let mut exit = Exit::Success;
    let mut judge = |text: &[u8]| -> anyhow::Result<()> {
        let verdict = Verdict::new(text, args);
        if !verdict.is_valid() {
            exit = exit.and(Exit::Nothing);
        }
        match args.format {
            ParseFormat::Jsonl => {
                serde_json::to_writer(&mut out, &verdict)?;
                out.write_all(b"\n")?;
            }
            ParseFormat::Text => out.write_all(&verdict.text(terminal))?,
        }
        Ok(())
    };
    if args.urls.is_empty() {
        if !stdin_is_input() {
            bail!("no URL: name one, or feed them to standard input, one a line");
        }
        each_on_stdin(args.null, &mut judge)?;
    }
    for url in &args.urls {
        if url == "-" {
            each_on_stdin(args.null, &mut judge)?;
        } else {
            judge(url.as_bytes())?;
        }
    }
    out.flush()?;
    Ok(exit)
}

fn each_on_stdin(
    null: bool,
    judge: &mut impl FnMut(&[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let end = if null { 0 } else { b'\n' };
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(end, &mut line).context("standard input cannot be read")?;
        if read == 0 {
            return Ok(());
        }
        if line.last() == Some(&end) {
            line.pop();
            if !null && line.last() == Some(&b'\r') {
                line.pop();
            }
        }
        judge(&line)?;
    }
}

/// What is said of one URL.
struct Verdict<'u> {
    input: &'u [u8],
    profile: Profile,
    result: Result<Url<'u>, Violation>,
    reports: Vec<Report>,
}

impl<'u> Verdict<'u> {
    fn new(input: &'u [u8], args: &ParseArgs) -> Self {
        let profile = args.profile;
        let mut reports = Vec::new();
        let result = if args.reference {
            diagnose(input, profile, |report| reports.push(report));
            parse_reference(input, profile)
        } else {
            diagnose_url(input, profile, |report| reports.push(report));
            parse(input, profile)
        };
        Self { input, profile, result, reports }
    }

    fn is_valid(&self) -> bool {
        self.result.is_ok()
    }

    fn scheme(&self) -> Option<&str> {
        match &self.result {
            Ok(url) => Some(url.scheme()),
            // That dialect gives verdicts only.
            Err(_) if self.profile == Profile::Cern1994 => None,
            Err(_) => scheme_of(self.input),
        }
    }

    fn text(&self, terminal: bool) -> Vec<u8> {
        let mut out = sanitize::clean(self.input, terminal).into_owned();
        let verdict = if self.is_valid() { "valid" } else { "not valid" };
        out.extend_from_slice(format!("\n  {verdict} in {}\n", self.profile).as_bytes());
        if let Some(scheme) = self.scheme() {
            out.extend_from_slice(format!("  scheme: {scheme}\n").as_bytes());
        }
        if let Ok(url) = &self.result {
            for (title, fields) in [("", url.components()), ("= ", url.semantics())] {
                for (name, value) in fields.into_iter().flatten() {
                    if value == Value::Null {
                        continue;
                    }
                    out.extend_from_slice(format!("  {title}{name}: ").as_bytes());
                    show(&mut out, &value);
                    out.push(b'\n');
                }
            }
        }
        for report in &self.reports {
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
}

/// A value for people: texts bare, with control characters as escapes; lists in brackets.
fn show(out: &mut Vec<u8>, value: &Value<'_>) {
    match value {
        Value::Bytes(bytes) => out.extend_from_slice(&sanitize::clean(bytes, true)),
        Value::Text(text) => out.extend_from_slice(&sanitize::clean(text.as_bytes(), true)),
        Value::List(values) => {
            out.push(b'[');
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    out.extend_from_slice(b", ");
                }
                show(out, value);
            }
            out.push(b']');
        }
        Value::Bool(yes) => out.extend_from_slice(if *yes { b"true" } else { b"false" }),
        Value::Number(number) => json::number(out, *number),
        _ => out.extend_from_slice(b"null"),
    }
}

impl Serialize for Verdict<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", "parse")?;
        serialize_text(&mut map, "input", Some(self.input))?;
        map.serialize_entry("valid", &self.is_valid())?;
        map.serialize_entry("profile", self.profile.name())?;
        map.serialize_entry("scheme", &self.scheme())?;
        let url = self.result.as_ref().ok();
        map.serialize_entry("components", &url.and_then(Url::components).map(Object))?;
        map.serialize_entry("semantics", &url.and_then(Url::semantics).map(Object))?;
        let of = |violations: bool| -> Vec<_> {
            let wanted = self.reports.iter().filter(|report| report.is_violation() == violations);
            wanted.map(ReportRecord).collect()
        };
        map.serialize_entry("violations", &of(true))?;
        map.serialize_entry("findings", &of(false))?;
        map.end()
    }
}

/// Fields as a JSON object. A text that is not UTF-8 comes lossy, with a companion in base64.
struct Object<'u>(Fields<'u>);

/// A value as JSON.
struct Json<'v, 'u>(&'v Value<'u>);

/// A value with its texts in base64, for companions.
struct Base64<'v, 'u>(&'v Value<'u>);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, &Json(value))?;
            if !is_utf8(value) {
                map.serialize_entry(&format!("{name}_bytes"), &Base64(value))?;
            }
        }
        map.end()
    }
}

impl Serialize for Json<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(yes) => serializer.serialize_bool(*yes),
            Value::Number(number) => serializer.serialize_u64(*number),
            Value::Bytes(bytes) => serializer.serialize_str(&String::from_utf8_lossy(bytes)),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(&Json(value))?;
                }
                list.end()
            }
            _ => serializer.serialize_none(),
        }
    }
}

impl Serialize for Base64<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bytes(bytes) => serializer.serialize_str(&json::base64(bytes)),
            Value::Text(text) => serializer.serialize_str(&json::base64(text.as_bytes())),
            Value::List(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(&Base64(value))?;
                }
                list.end()
            }
            other => Json(other).serialize(serializer),
        }
    }
}

fn is_utf8(value: &Value<'_>) -> bool {
    match value {
        Value::Bytes(bytes) => str::from_utf8(bytes).is_ok(),
        Value::List(values) => values.iter().all(is_utf8),
        _ => true,
    }
}

//! `urlsift schema`: what the records hold, as JSON Schema or as a table.

use crate::args::{SchemaArg, SchemaArgs};
use crate::exit::Exit;
use std::io::Write;
use urlsift_records::{fields, schema};

pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    let (title, kinds) = match args.subcommand {
        SchemaArg::Scan => ("urlsift scan --format jsonl", fields::SCAN),
        SchemaArg::Lint => ("urlsift lint --format jsonl", fields::LINT),
        SchemaArg::Parse => ("urlsift parse --format jsonl", fields::PARSE),
    };
    let text =
        if args.table { schema::markdown(title, kinds) } else { schema::json_schema(title, kinds) };
    let mut out = super::stdout()?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Success)
}

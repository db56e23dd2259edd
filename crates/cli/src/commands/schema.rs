//! `urlsift schema`: what the records hold, as JSON Schema or as a table.

use crate::args::SchemaArgs;
use crate::exit::Exit;
use std::io::Write;
use urlsift_records::schema;

pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    let (title, kinds) = args.subcommand;
    let text =
        if args.table { schema::markdown(title, kinds) } else { schema::json_schema(title, kinds) };
    let mut out = super::stdout()?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Success)
}

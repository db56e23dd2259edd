//! `urlsift schema`: what the records hold, as JSON Schema or as a table.

use crate::args::SchemaArgs;
use crate::exit::Exit;
use urlsift_records::schema;

pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    let (title, kinds) = args.subcommand;
    let text =
        if args.table { schema::markdown(title, kinds) } else { schema::json_schema(title, kinds) };
    super::print(text.as_bytes())
}

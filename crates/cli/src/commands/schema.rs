//! The subcommand `schema`: describes tables, records or `urlsift.toml` as a JSON Schema or in
//! Markdown.

use crate::args::{Described, SchemaArgs};
use crate::exit::Exit;
use urlsift_lint::{settings_page, settings_schema};
use urlsift_records::{schema, table};

pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    let text = match (args.what.unwrap_or(Described::Tables(table::ALL)), args.table) {
        (Described::Tables(tables), _) => {
            let pages = tables
                .iter()
                .map(|table| schema::columns_markdown(table.name, table.doc, table.columns));
            pages.collect::<Vec<_>>().join("\n")
        }
        (Described::Records(title, kinds), true) => schema::records_markdown(title, kinds),
        (Described::Records(title, kinds), false) => schema::json_schema(title, kinds),
        (Described::Settings, true) => settings_page(),
        (Described::Settings, false) => settings_schema(),
    };
    super::print_output(text.as_bytes())
}

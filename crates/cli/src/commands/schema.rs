//! `urlsift schema`: what the records hold, or `urlsift.toml`, as JSON Schema or as a table.

use crate::args::{Described, SchemaArgs};
use crate::exit::Exit;
use urlsift_lint::{settings_page, settings_schema};
use urlsift_records::schema;

pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    let text = match (args.subcommand, args.table) {
        (Described::Records(title, kinds), true) => schema::markdown(title, kinds),
        (Described::Records(title, kinds), false) => schema::json_schema(title, kinds),
        (Described::Settings, true) => settings_page(),
        (Described::Settings, false) => settings_schema(),
    };
    super::print(text.as_bytes())
}

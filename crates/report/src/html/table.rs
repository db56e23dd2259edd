//! Writes HTML tables that can also be downloaded as CSV.

use super::text::{Html, Number, Text};
use data_encoding::BASE64;
use urlsift_records::write::rows;

/// A cell of a table.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    /// A text in words.
    Text(String),
    /// A URL, path or identifier. Lines can be broken anywhere in it.
    Code(String),
    Number(u64),
    /// HTML markup, e.g. a chart, and the text for CSV.
    Drawn(String, String),
}

impl Cell {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub(super) fn code(text: &str) -> Self {
        Self::Code(text.to_owned())
    }

    /// Returns the text of the cell for CSV.
    fn csv_text(&self) -> String {
        match self {
            Self::Text(text) | Self::Code(text) | Self::Drawn(_, text) => text.clone(),
            Self::Number(number) => number.to_string(),
        }
    }
}

/// A table that can be written as HTML and as CSV. The first cell of each row is the row's heading.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) caption: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn new(caption: &str, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|column| (*column).to_owned()).collect();
        Self { caption: caption.to_owned(), columns, rows: Vec::new() }
    }

    /// Writes the table as HTML, with at most `max_rows` rows.
    pub(super) fn write_rows(&self, out: &mut Html, max_rows: usize) {
        let name = Text(&self.caption);
        out.push_formatted(format_args!(
            "<div class=\"scroll\" role=\"group\" aria-label=\"{name}\" tabindex=\"0\"><table><caption>{name}</caption>\n<thead><tr>"
        ));
        let first = self.rows.first();
        for (index, column) in self.columns.iter().enumerate() {
            let is_number =
                first.is_some_and(|row| matches!(row.get(index), Some(Cell::Number(_))));
            let class = if is_number { " class=\"n\"" } else { "" };
            out.push_formatted(format_args!("<th scope=\"col\"{class}>{}</th>", Text(column)));
        }
        out.push_raw("</tr></thead>\n<tbody>\n");
        for row in self.rows.iter().take(max_rows) {
            out.push_raw("<tr>");
            for (index, cell) in row.iter().enumerate() {
                let (tag, scope) = if index == 0 { ("th", " scope=\"row\"") } else { ("td", "") };
                match cell {
                    Cell::Text(text) => {
                        // Dates, which have ten characters, are not wrapped.
                        let class = if text.len() == 10 { " class=\"w\"" } else { "" };
                        out.push_formatted(format_args!(
                            "<{tag}{scope}{class}>{}</{tag}>",
                            Text(text)
                        ));
                    }
                    Cell::Code(text) => {
                        out.push_formatted(format_args!(
                            "<{tag}{scope} class=\"c\">{}</{tag}>",
                            Text(text)
                        ));
                    }
                    Cell::Number(number) => {
                        out.push_formatted(format_args!(
                            "<{tag}{scope} class=\"n\">{}</{tag}>",
                            Number(*number)
                        ));
                    }
                    Cell::Drawn(markup, _) => {
                        out.push_formatted(format_args!("<{tag}{scope}>{markup}</{tag}>"));
                    }
                }
            }
            out.push_raw("</tr>\n");
        }
        out.push_raw("</tbody></table></div>\n");
    }

    /// Writes the complete table in a collapsed element, followed by a link to download it as
    /// `file`.csv.
    pub(super) fn write_collapsed(&self, out: &mut Html, file: &str) {
        out.push_formatted(format_args!(
            "<details><summary>{}: complete table</summary>\n",
            Text(&self.caption)
        ));
        self.write_rows(out, usize::MAX);
        out.push_raw("</details>\n");
        self.write_csv_link(out, file);
    }

    /// Writes a link to download the table as `file`.csv.
    pub(super) fn write_csv_link(&self, out: &mut Html, file: &str) {
        let data = BASE64.encode(&self.to_csv());
        out.push_formatted(format_args!(
            "<p class=\"csv\"><a download=\"{file}.csv\" href=\"data:text/csv;charset=utf-8;base64,{data}\">{file}.csv</a></p>\n"
        ));
    }

    /// Returns the table as CSV. Cells that a spreadsheet would read as a formula get an
    /// apostrophe.
    fn to_csv(&self) -> Vec<u8> {
        let csv = rows::Table::Csv { guarded: true };
        let mut out = Vec::new();
        csv.write_cells(&mut out, self.columns.iter().map(String::as_bytes));
        for row in &self.rows {
            let cells: Vec<_> = row.iter().map(Cell::csv_text).collect();
            csv.write_cells(&mut out, cells.iter().map(String::as_bytes));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped_in_html_and_csv() {
        let mut table = Table::new("<hosts>", &["host", "URLs"]);
        table.rows.push(vec![Cell::code("=<b>\"x\""), Cell::Number(1234)]);
        let mut out = Html::default();
        table.write_rows(&mut out, 1);
        let html = out.into_string();
        assert!(html.contains("<caption>&lt;hosts&gt;</caption>"), "{html}");
        assert!(html.contains("class=\"c\">=&lt;b&gt;&quot;x&quot;</th>"), "{html}");
        assert!(html.contains("<td class=\"n\">1,234</td>"), "{html}");
        assert_eq!(
            String::from_utf8(table.to_csv()).unwrap(),
            "host,URLs\n\"'=<b>\"\"x\"\"\",1234\n"
        );
    }
}

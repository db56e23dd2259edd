//! Writes the sections about hosts, lists and dates, and the head of the page.

use super::chart::{self, HeatMapRow, Months, Series, month_number, to_pixels};
use super::table::{Cell, Table};
use super::text::{Html, Number, Text, date_part, format_quantity};
use crate::data::{Count, Grid, NameCounts, Place, Quote, Report, Use, Uses};

/// The schemes that have their own color, in stacking order, with the CSS class of the color.
const SCHEMES: [(&str, &str); 8] = [
    ("gopher", "s-gopher"),
    ("ftp", "s-ftp"),
    ("news", "s-news"),
    ("wais", "s-wais"),
    ("telnet", "s-telnet"),
    ("http", "s-http"),
    ("https", "s-https"),
    ("mailto", "s-mailto"),
];

/// The time axis that the figures have in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Axis {
    /// The months on the axis, or `None` if no URL has a date.
    pub(super) months: Option<Months>,
    /// The years that the months cover.
    pub(super) years: Vec<u16>,
    /// The number of URLs in months outside the axis.
    outside: u64,
}

impl Axis {
    /// Creates the axis for all months with URLs. Months at either end are left out if they
    /// together contain at most 1 in 2,000 URLs, and more than two years without URLs separate them
    /// from the rest. Otherwise, a few messages with wrong dates would stretch the figures.
    pub(super) fn covering(report: &Report) -> Self {
        let of = |counts: &[Count]| counts.iter().map(|count| count.count).sum::<u64>();
        let months: Vec<_> =
            report.months.iter().map(|month| (&month.month, of(&month.schemes))).collect();
        let all: u64 = months.iter().map(|(_, urls)| urls).sum();
        let spare = all / 2000;
        let from = outlier_count(&mut months.iter().copied(), spare);
        let to = months.len() - outlier_count(&mut months.iter().rev().copied(), spare);
        let shown = months.get(from..to).unwrap_or_default();
        let axis =
            shown.first().zip(shown.last()).and_then(|(first, last)| Months::new(first.0, last.0));
        let years = axis.map_or_else(Vec::new, |months| months.years().collect());
        let outside = all - shown.iter().map(|(_, urls)| urls).sum::<u64>();
        Self { months: axis, years, outside }
    }

    /// Writes a note with the number of URLs in months outside the axis, if there are any.
    fn write_outside_note(&self, out: &mut Html) {
        if self.outside > 0 {
            out.push_formatted(format_args!(
                "<p class=\"note\">{} in messages with much earlier or later dates are not drawn, but are in the tables.</p>\n",
                format_quantity(self.outside, "URL")
            ));
        }
    }
}

/// The number of months without URLs, above which the months before them count as outliers.
const MAX_GAP: u32 = 24;

/// Returns how many of the first `months`, each with its number of URLs, are outliers: together,
/// they have at most `spare` URLs, and a long gap separates them from the next month.
fn outlier_count(months: &mut dyn Iterator<Item = (&String, u64)>, spare: u64) -> usize {
    let (mut outliers, mut sum, mut last) = (0, 0, None);
    for (index, (month, urls)) in months.enumerate() {
        let number = month_number(month);
        let gap = last.zip(number).map_or(0, |(last, number): (u32, u32)| last.abs_diff(number));
        if gap > MAX_GAP {
            outliers = index;
        }
        sum += urls;
        if sum > spare {
            break;
        }
        last = number;
    }
    outliers
}

/// Returns the words to put before a number: `at least ` if the number is a lower bound, otherwise
/// an empty string.
pub(super) fn at_least_if(is_lower_bound: bool) -> &'static str {
    if is_lower_bound { "at least " } else { "" }
}

/// Returns a summary of the report in one line.
pub(super) fn summary_line(report: &Report, axis: &Axis) -> String {
    let mut text = format!(
        "{} on {}{}",
        format_quantity(report.urls, "URL"),
        at_least_if(report.hosts.at_least),
        format_quantity(report.hosts.names, "host")
    );
    if let Some((first, last)) = axis.years.first().zip(axis.years.last()) {
        text.push_str(", ");
        text.push_str(&first.to_string());
        if last > first {
            text.push_str(" to ");
            text.push_str(&last.to_string());
        }
    }
    text
}

/// Formats the number of URLs that software added. If there are any, the number in each place
/// follows in parentheses, e.g. `12 (footer 10, chrome 2)`.
fn added_by_place(report: &Report) -> String {
    let places = report.added_places.iter();
    let places: Vec<_> =
        places.map(|place| format!("{} {}", place.name, Number(place.count))).collect();
    let total = Number(report.added);
    if places.is_empty() { total.to_string() } else { format!("{total} ({})", places.join(", ")) }
}

/// Writes the head of the page: the main counts, the command, the undated messages, the skipped
/// files and the errors.
pub(super) fn write_head(report: &Report, axis: &Axis, out: &mut Html) {
    let count = |name| report.counts.iter().find(|count| count.name == name).map_or(0, |c| c.count);
    out.push_formatted(format_args!(
        "<header>\n<h1>The URLs of an archive</h1>\n<p class=\"lead\">{}.</p>\n",
        Text(&summary_line(report, axis))
    ));
    if !report.complete {
        out.push_raw("<p class=\"warning\" role=\"note\"><strong>Interrupted.</strong> The run ended before all input was read. The numbers only cover the part that was read.</p>\n");
    }
    let words: Vec<_> = report.options.iter().map(|word| quote_for_shell(word)).collect();
    out.push_raw("<dl class=\"facts\">\n");
    let mut fact = |name: &str, value: &dyn std::fmt::Display| {
        out.push_formatted(format_args!("<div><dt>{name}</dt><dd>{value}</dd></div>\n"));
    };
    fact("Files", &Number(count("files")));
    fact("Messages", &Number(count("messages")));
    fact("URLs that people wrote", &Number(report.urls));
    fact("URLs that software added", &added_by_place(report));
    fact("Invalid URLs", &Number(report.malformed));
    fact("Status", &if report.complete { "complete" } else { "interrupted" });
    out.push_raw("</dl>\n");
    out.push_formatted(format_args!(
        "<p>Command: <code>urlsift {}</code> (version {})</p>\n",
        Text(&words.join(" ")),
        Text(&report.version)
    ));
    let dates = &report.dates;
    let undated = dates.missing + dates.unreadable;
    if undated > 0 {
        out.push_formatted(format_args!(
            "<p><strong>Undated:</strong> {} without a date: {} without a <code>Date</code> field, {} with an unreadable one",
            format_quantity(undated, "message"),
            Number(dates.missing),
            Number(dates.unreadable)
        ));
        for (index, example) in dates.examples.iter().enumerate() {
            out.push_formatted(format_args!(
                "{}<q>{}</q>",
                if index == 0 { ": " } else { ", " },
                Text(example)
            ));
        }
        out.push_raw(".</p>\n");
    }
    if !report.skipped.is_empty() {
        let reasons = report
            .skipped
            .iter()
            .map(|skipped| format!("{} {}", Number(skipped.count), skipped.name));
        out.push_formatted(format_args!(
            "<p><strong>Not read:</strong> {}.</p>\n",
            Text(&reasons.collect::<Vec<_>>().join(", "))
        ));
    }
    let errors = &report.errors;
    if errors.count > 0 {
        let caption = format!("{} while reading", format_quantity(errors.count, "error"));
        let mut table = Table::new(&caption, &["file", "error"]);
        for error in &errors.first {
            table.rows.push(vec![Cell::code(&error.path), Cell::text(&error.message)]);
        }
        out.push_formatted(format_args!(
            "<p><strong>Files that could not be read completely:</strong> {}.</p>\n",
            format_quantity(errors.count, "error")
        ));
        table.write_collapsed(out, "errors");
    }
    out.push_raw("</header>\n");
}

/// Returns a command-line argument in quotes for a shell, or unchanged if it needs none.
fn quote_for_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Writes the section with the URLs by month and scheme.
pub(super) fn write_timeline(report: &Report, axis: &Axis, out: &mut Html) {
    if report.undated > 0 {
        out.push_formatted(format_args!(
            "<p class=\"note\">{} in messages without a date, or outside messages, are not in the figures by time.</p>\n",
            format_quantity(report.undated, "URL")
        ));
    }
    let mut table = Table::new("URLs by month and scheme", &["month"]);
    table.columns.extend(SCHEMES.iter().map(|(name, _)| (*name).to_owned()));
    table.columns.extend(["other".to_owned(), "all".to_owned()]);
    let mut series: Vec<_> = SCHEMES
        .iter()
        .chain(&[("other", "s-other")])
        .map(|&(name, class)| Series { name: name.to_owned(), class, values: Vec::new() })
        .collect();
    for series in &mut series {
        series.values.resize(axis.months.map_or(0, |months| months.len as usize), 0);
    }
    for month in &report.months {
        let mut row = [0; SCHEMES.len() + 1];
        for Count { name, count } in &month.schemes {
            let place = SCHEMES.iter().position(|(known, _)| known == name);
            row[place.unwrap_or(SCHEMES.len())] += count;
        }
        if let Some(place) = axis.months.and_then(|months| months.index_of(&month.month)) {
            for (series, count) in series.iter_mut().zip(row) {
                series.values[place] += count;
            }
        }
        let mut cells = vec![Cell::text(&month.month)];
        cells.extend(row.map(Cell::Number));
        cells.push(Cell::Number(row.iter().sum()));
        table.rows.push(cells);
    }
    series.retain(|series| series.values.iter().any(|value| *value > 0));
    if let Some(months) = axis.months {
        chart::write_patterns(out);
        out.push_raw("<figure>\n<ul class=\"key\">");
        for Series { name, class, .. } in &series {
            out.push_formatted(format_args!("<li><svg viewBox=\"0 0 12 12\" aria-hidden=\"true\"><rect class=\"{class}\" width=\"12\" height=\"12\"/></svg> {name}</li>"));
        }
        out.push_raw("</ul>\n");
        let about =
            format!("One column per month, stacked by scheme. {}.", summary_line(report, axis));
        chart::write_column_chart(
            out,
            "months",
            "URLs by month, stacked by scheme",
            &about,
            months,
            &series,
        );
        out.push_raw("<figcaption>URLs by month, stacked by scheme from bottom to top, in the order of the legend.</figcaption>\n</figure>\n<figure>\n");
        let about = "One row per scheme, each with its own scale, and its total at the end.";
        chart::write_row_chart(out, "schemes", "Each scheme by month", about, months, &series);
        out.push_raw("<figcaption>The same URLs, with a row for each scheme. Each row has its own scale; the total is at the end.</figcaption>\n</figure>\n");
        axis.write_outside_note(out);
        table.write_collapsed(out, "months");
    }
    let mut schemes = Table::new("Schemes", &["scheme", "URLs"]);
    schemes.rows.extend(name_count_rows(&report.schemes));
    if axis.months.is_none() {
        schemes.write_rows(out, usize::MAX);
        schemes.write_csv_link(out, "schemes");
    } else {
        schemes.write_collapsed(out, "schemes");
    }
}

/// Returns table rows, each with a name and its count.
pub(super) fn name_count_rows(counts: &[Count]) -> impl Iterator<Item = Vec<Cell>> + '_ {
    counts.iter().map(|count| vec![Cell::text(&count.name), Cell::Number(count.count)])
}

/// Writes the section about new hosts: how many were first mentioned in each month, and quotes of
/// the first ones.
pub(super) fn write_first_seen(report: &Report, axis: &Axis, out: &mut Html) {
    let first = &report.first_seen;
    let Some(months) = axis.months.filter(|_| !first.months.is_empty()) else {
        out.push_raw("<p class=\"note\">No message with a date mentions a host.</p>\n");
        return;
    };
    let mut values = vec![0; months.len as usize];
    let mut table = Table::new("New hosts by month", &["month", "new hosts"]);
    table.rows.extend(name_count_rows(&first.months));
    for month in &first.months {
        if let Some(place) = months.index_of(&month.name) {
            values[place] += month.count;
        }
    }
    out.push_raw("<figure>\n");
    let series = [Series { name: "new hosts".to_owned(), class: "s-http", values }];
    let about = format!(
        "One column per month. {}{} in total.",
        at_least_if(first.at_least),
        format_quantity(report.hosts.names, "host")
    );
    chart::write_column_chart(out, "new", "New hosts by month", &about, months, &series);
    out.push_formatted(format_args!(
        "<figcaption>Hosts by the month of the first message that mentions them: {}{} in total.</figcaption>\n</figure>\n",
        at_least_if(first.at_least),
        format_quantity(report.hosts.names, "host")
    ));
    table.write_collapsed(out, "new-hosts");
    let (shown, folded) = first.quotes.split_at(first.quotes.len().min(10));
    out.push_raw("<h3>The first hosts in context</h3>\n<ol class=\"quotes\">\n");
    for found in shown {
        write_quote(found, out);
    }
    out.push_raw("</ol>\n");
    if !folded.is_empty() {
        out.push_formatted(format_args!(
            "<details><summary>The next {}</summary>\n<ol class=\"quotes\" start=\"{}\">\n",
            folded.len(),
            shown.len() + 1
        ));
        for found in folded {
            write_quote(found, out);
        }
        out.push_raw("</ol></details>\n");
    }
    let mut table = Table::new(
        "First-seen hosts",
        &["host", "date", "URL", "newsgroups and lists", "Message-ID", "file", "line", "text"],
    );
    for Quote { host, url, place, before, written, after } in &first.quotes {
        table.rows.push(vec![
            Cell::code(host),
            Cell::text(place.date.as_deref().unwrap_or_default()),
            Cell::code(url),
            Cell::text(&place.lists.join(" ")),
            Cell::code(place.message_id.as_deref().unwrap_or_default()),
            Cell::code(&place.path),
            Cell::Number(place.line),
            Cell::text(&format!("{before}{written}{after}")),
        ]);
    }
    table.write_csv_link(out, "first-seen");
}

/// Writes the first URL with a host and the text around it, as a list item.
fn write_quote(quote: &Quote, out: &mut Html) {
    out.push_formatted(format_args!("<li><strong class=\"c\">{}</strong> ", Text(&quote.host)));
    write_place(&quote.place, out);
    out.push_formatted(format_args!(
        "<blockquote><p>{}<mark>{}</mark>{}</p></blockquote></li>\n",
        Lines(&quote.before),
        // The URL is shown with its line breaks.
        Lines(&quote.written),
        Lines(&quote.after)
    ));
}

/// A text whose lines are separated by `<br>` in HTML.
struct Lines<'t>(&'t str);

impl std::fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, line) in self.0.lines().enumerate() {
            if index > 0 {
                f.write_str("<br>")?;
            }
            write!(f, "{}", Text(&line.replace('\t', " ")))?;
        }
        Ok(())
    }
}

/// Writes the position of a URL: date, newsgroups and mailing list, Message-ID, file and line.
pub(super) fn write_place(place: &Place, out: &mut Html) {
    if let Some(date) = &place.date {
        out.push_formatted(format_args!(
            "<time datetime=\"{}\">{}</time> ",
            Text(date),
            Text(date_part(Some(date)))
        ));
    }
    if !place.lists.is_empty() {
        out.push_formatted(format_args!("<span class=\"list\">{}", Text(&place.lists.join(", "))));
        if place.more_lists > 0 {
            out.push_formatted(format_args!(" and {} more", place.more_lists));
        }
        out.push_raw("</span> ");
    }
    if let Some(id) = &place.message_id {
        out.push_raw(&link_or_text(place, &format!("<code>{}</code>", Text(id))));
        out.push_raw(" ");
    }
    let position = format!("<code>{}:{}</code>", Text(&place.path), place.line);
    let is_linked = place.message_id.is_some();
    out.push_raw(&if is_linked { position } else { link_or_text(place, &position) });
}

/// Returns HTML that links `markup` to the message at `place`, or only `markup` if there is no link.
fn link_or_text(place: &Place, markup: &str) -> String {
    place.link.as_ref().map_or_else(
        || markup.to_owned(),
        |link| {
            let link = Text(link);
            format!("<a rel=\"external nofollow noreferrer\" href=\"{link}\">{markup}</a>")
        },
    )
}

/// Returns a table cell with the Message-ID of the message at `place`, linked to the message.
pub(super) fn message_cell(place: &Place) -> Cell {
    let id = place.message_id.as_deref().unwrap_or_default();
    if place.link.is_none() {
        return Cell::code(id);
    }
    let shown = if id.is_empty() { "message" } else { id };
    let markup = link_or_text(place, &format!("<code>{}</code>", Text(shown)));
    Cell::Drawn(markup, id.to_owned())
}

/// Writes the section with the most frequently used hosts and domains, and with the hosts of URLs
/// that list software or a provider added.
pub(super) fn write_hosts(report: &Report, axis: &Axis, out: &mut Html) {
    for (heading, uses, caption, file, about) in [
        ("Hosts", &report.hosts, "Hosts with the most URLs", "hosts", ""),
        (
            "Domains",
            &report.domains,
            "Registered domains with the most URLs",
            "domains",
            "Registered domains, according to the Public Suffix List:",
        ),
        (
            "Added by software",
            &report.added_hosts,
            "Hosts of URLs that software added",
            "added-hosts",
            "Header fields such as List-Unsubscribe, footers of mailing lists, the navigation of mail archives, and lines such as <q>Joe wrote in message news:…</q> contain URLs that nobody wrote. They are only counted here:",
        ),
    ] {
        if uses.most.is_empty() {
            continue;
        }
        out.push_formatted(format_args!(
            "<h3>{heading}</h3>\n<p>{about} {}{} in total.</p>\n",
            at_least_if(uses.at_least),
            Number(uses.names)
        ));
        let is_added = file == "added-hosts";
        let table = table_of_uses(uses, &axis.years, caption, is_added);
        write_with_excerpt(&table, file, out);
    }
}

/// Writes the section with the senders of the most URLs. Call it only if senders were counted.
pub(super) fn write_senders(report: &Report, axis: &Axis, out: &mut Html) {
    let uses = &report.senders;
    out.push_formatted(format_args!(
        "<p>Senders by the address in the <code>From</code> field: {}{} in total.</p>\n",
        at_least_if(uses.at_least),
        Number(uses.names)
    ));
    let table = table_of_uses(uses, &axis.years, "Senders of the most URLs", false);
    write_with_excerpt(&table, "senders", out);
}

/// Writes the first 20 rows of a table, and the complete table in a collapsed element if it has
/// more. `file` is the name of its CSV file, without `.csv`.
fn write_with_excerpt(table: &Table, file: &str, out: &mut Html) {
    if table.rows.len() > 20 {
        // The excerpt is hidden on paper, where the complete table is printed.
        out.push_raw("<div class=\"excerpt\">\n");
        table.write_rows(out, 20);
        out.push_raw("</div>\n");
        table.write_collapsed(out, file);
    } else {
        table.write_rows(out, 20);
        table.write_csv_link(out, file);
    }
}

/// Returns a table of the names, such as hosts, that occur in the most URLs. `caption` is its
/// heading, and `years` is the axis of the charts in the last column.
///
/// `is_added` is true for URLs that list software or a provider added to messages. Such a table has
/// no column with the number of distinct URLs.
fn table_of_uses(uses: &Uses, years: &[u16], caption: &str, is_added: bool) -> Table {
    let number = if uses.at_least { "URLs (at least)" } else { "URLs" };
    let mut table =
        Table::new(caption, &["name", number, "different", "messages", "first", "last", "by year"]);
    if is_added {
        table.columns.remove(2);
    }
    for Use { name, urls, different, messages, first, last, years: by } in &uses.most {
        let numbers: Vec<_> = by.iter().map(|(year, urls)| format!("{year}:{urls}")).collect();
        let mut row = vec![
            Cell::code(name),
            Cell::Number(*urls),
            Cell::Number(*different),
            Cell::Number(*messages),
            Cell::text(date_part(first.as_deref())),
            Cell::text(date_part(last.as_deref())),
            Cell::Drawn(chart::sparkline(years, by), numbers.join(" ")),
        ];
        if is_added {
            row.remove(2);
        }
        table.rows.push(row);
    }
    table
}

/// Writes the section with the share of top-level domains by year.
pub(super) fn write_tlds(report: &Report, axis: &Axis, out: &mut Html) {
    let grid = &report.tlds;
    let sum = |year: u16| {
        let of = |row: &NameCounts| {
            row.years.iter().filter(|(at, _)| *at == year).map(|(_, urls)| urls).sum::<u64>()
        };
        grid.rows.iter().map(of).sum::<u64>().max(1)
    };
    let sums: Vec<u64> = axis.years.iter().map(|&year| sum(year)).collect();
    let about = "One row per top-level domain, one column per year. The number is the percentage of that year's URLs; a stronger color means a larger share.";
    let label = |urls: u64, place: usize| {
        let share = to_pixels(urls) / to_pixels(sums[place]);
        let text = if share < 0.005 { "<1".to_owned() } else { format!("{:.0}", 100.0 * share) };
        (share.sqrt(), text)
    };
    write_grid_map(grid, axis, out, ("tld", "Top-level domains by year", about), &label);
    write_grid_table(grid, axis, out, "Top-level domains by year", "tlds", false);
}

/// Writes the section with the URLs by newsgroup or mailing list and year.
pub(super) fn write_lists(report: &Report, axis: &Axis, out: &mut Html) {
    let grid = &report.lists;
    let most = grid
        .rows
        .iter()
        .flat_map(|row| &row.years)
        .map(|(_, urls)| *urls)
        .max()
        .unwrap_or_default();
    let about = "One row per newsgroup or list, one column per year. The number is the number of URLs; a stronger color means more URLs.";
    let label = |urls: u64, _: usize| {
        ((to_pixels(urls) / to_pixels(most.max(1))).sqrt(), format_compact(urls))
    };
    out.push_raw("<p>An article posted to several groups is counted in each. Messages without a group or list are counted under their file, or under its directory if each message is a file.</p>\n");
    write_grid_map(grid, axis, out, ("list", "URLs by list and year", about), &label);
    write_grid_table(grid, axis, out, "URLs by newsgroup, list or file, and year", "lists", true);
}

/// Formats a number with at most four characters, e.g. 999, 1.2k or 12k.
fn format_compact(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        1000..9950 => format!("{:.1}k", to_pixels(number) / 1e3),
        9950..999_500 => format!("{:.0}k", to_pixels(number) / 1e3),
        _ => format!("{:.1}M", to_pixels(number) / 1e6),
    }
}

/// The maximum number of rows in a heat map.
const LINES: usize = 24;

/// Writes a heat map of the names in `grid` with the most URLs, by year. `label` returns the
/// intensity and the label of a cell, from its number of URLs and the index of its year.
fn write_grid_map(
    grid: &Grid,
    axis: &Axis,
    out: &mut Html,
    (id, title, about): (&str, &str, &str),
    label: &dyn Fn(u64, usize) -> (f64, String),
) {
    let cells = |row: &NameCounts| {
        let of = |(place, year): (usize, &u16)| {
            let found = row.years.iter().find(|(at, _)| at == year);
            found.map_or((0.0, String::new()), |&(_, urls)| label(urls, place))
        };
        axis.years.iter().enumerate().map(of).collect()
    };
    let lines: Vec<_> = grid
        .rows
        .iter()
        .take(LINES)
        .map(|row| HeatMapRow { name: row.name.clone(), cells: cells(row) })
        .collect();
    if lines.is_empty() || axis.years.is_empty() {
        return;
    }
    out.push_raw("<figure>\n");
    chart::write_heat_map(out, id, title, about, &axis.years, &lines);
    out.push_formatted(format_args!(
        "<figcaption>{about} {}</figcaption>\n</figure>\n",
        if grid.names > LINES as u64 {
            format!(
                "The {LINES} rows with the most URLs, of {}{}.",
                at_least_if(grid.at_least),
                Number(grid.names)
            )
        } else {
            String::new()
        }
    ));
}

/// Writes a table of the number of URLs by name and year. `file` is the name of its CSV file,
/// without `.csv`. If `has_messages` is true, the table also has a column with the number of
/// messages.
fn write_grid_table(
    grid: &Grid,
    axis: &Axis,
    out: &mut Html,
    caption: &str,
    file: &str,
    has_messages: bool,
) {
    let mut table = Table::new(caption, &["name", "URLs"]);
    if has_messages {
        table.columns.push("messages".to_owned());
    }
    table.columns.extend(axis.years.iter().map(ToString::to_string));
    table.columns.push("no or other date".to_owned());
    for row in &grid.rows {
        let mut cells = vec![Cell::code(&row.name), Cell::Number(row.urls)];
        if has_messages {
            cells.push(Cell::Number(row.messages));
        }
        let of =
            |year: &u16| row.years.iter().find(|(at, _)| at == year).map_or(0, |(_, urls)| *urls);
        cells.extend(axis.years.iter().map(|year| Cell::Number(of(year))));
        let shown: u64 = axis.years.iter().map(of).sum();
        cells.push(Cell::Number(row.urls.saturating_sub(shown)));
        table.rows.push(cells);
    }
    table.write_collapsed(out, file);
}

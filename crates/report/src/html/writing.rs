//! Writes the sections about the forms of URLs, their faults, archived copies, and the method.

use super::chart::{sparkline, to_pixels};
use super::sections::{Axis, at_least_if, message_cell, name_count_rows, write_place};
use super::table::{Cell, Table};
use super::text::{Html, Number, Text, date_part, format_quantity};
use crate::data::{Count, Fault, Readings, Report, Use};
use crate::limits;
use urlsift_core::percent_encode;
use urlsift_records::surt;

/// The names of forms of URLs, each with an example or a description.
const FORMS: [(&str, &str); 10] = [
    ("wrapped", "<URL:...>"),
    ("bracketed", "<scheme:...>"),
    ("prefixed", "URL:scheme:..."),
    ("bare", "in running text"),
    ("attribute", "from markup or a header field"),
    ("schemeless", "www.host.dom/path"),
    ("locator", "ftp.host.dom:/path"),
    ("relative", "relative to its page"),
    ("email", "joe@host.dom"),
    ("host", "host.dom/path"),
];

/// Writes the section on how URLs were written: their forms and places, line breaks, encodings and
/// ambiguous hyphens.
pub(super) fn write_writing(report: &Report, _: &Axis, out: &mut Html) {
    let writing = &report.writing;
    out.push_raw("<div class=\"columns\">\n");
    let forms: Vec<_> = writing
        .forms
        .iter()
        .map(|Count { name, count }| {
            let about =
                FORMS.iter().find(|(known, _)| known == name).map_or("", |(_, about)| about);
            Count { name: format!("{name}: {about}"), count: *count }
        })
        .collect();
    write_bars(out, "Forms", "forms", &forms, report.urls);
    write_bars(out, "Position in the message", "places", &writing.places, report.urls);
    write_bars(out, "Layout removed from URLs (kind/certainty)", "breaks", &writing.breaks, 0);
    write_bars(out, "Encodings that were decoded", "decoded", &writing.decoded, report.urls);
    out.push_raw("</div>\n");
    out.push_formatted(format_args!(
        "<p>Broken over lines, or with other layout inside: {}. Removing the layout is <em>certain</em> if the format or the text itself requires it, \
         and <em>likely</em> if the layout makes it the better reading.</p>\n",
        format_quantity(writing.broken, "URL")
    ));
    out.push_raw("<h3>URLs broken after a hyphen</h3>\n");
    if writing.hyphens == 0 {
        out.push_raw("<p>No URL is broken after a hyphen.</p>\n");
        return;
    }
    out.push_formatted(format_args!(
        "<p>{} broken right after a hyphen. The hyphen may or may not be part of the URL, so check these by hand. The preferred reading comes first.</p>\n",
        if writing.hyphens == 1 { "1 URL is".to_owned() } else { format!("{} URLs are", Number(writing.hyphens)) }
    ));
    let mut table = Table::new(
        "Readings of URLs broken after a hyphen",
        &["preferred reading", "other readings", "date", "Message-ID", "file", "line"],
    );
    for Readings { place, readings } in &writing.readings {
        table.rows.push(vec![
            Cell::code(readings.first().map_or("", String::as_str)),
            Cell::code(&readings.get(1..).unwrap_or_default().join(" ")),
            Cell::text(date_part(place.date.as_deref())),
            message_cell(place),
            Cell::code(&place.path),
            Cell::Number(place.line),
        ]);
    }
    if table.rows.len() <= 12 {
        table.write_rows(out, usize::MAX);
        table.write_csv_link(out, "hyphens");
    } else {
        table.write_rows(out, 8);
        table.write_collapsed(out, "hyphens");
    }
}

/// Writes counts as a table with bars. `file` is the name of its CSV file, without `.csv`. If
/// `total` is not 0, also writes each count's percentage of `total`.
fn write_bars(out: &mut Html, caption: &str, file: &str, counts: &[Count], total: u64) {
    if counts.is_empty() {
        return;
    }
    let mut table = Table::new(caption, &["name", "number", "relative to the largest"]);
    if total > 0 {
        table.columns.push("of all URLs".to_owned());
    }
    let most = counts.iter().map(|count| count.count).max().unwrap_or_default().max(1);
    for mut row in name_count_rows(counts) {
        let Cell::Number(count) = row[1] else { continue };
        let width = (120.0 * to_pixels(count) / to_pixels(most)).max(1.0);
        let bar = format!(
            "<svg class=\"spark\" viewBox=\"0 0 120 12\" aria-hidden=\"true\"><rect class=\"s-http\" y=\"1\" width=\"{width:.1}\" height=\"10\"/></svg>"
        );
        row.push(Cell::Drawn(bar, format!("{:.3}", to_pixels(count) / to_pixels(most))));
        if total > 0 {
            row.push(Cell::text(&format!("{:.1} %", 100.0 * to_pixels(count) / to_pixels(total))));
        }
        table.rows.push(row);
    }
    out.push_raw("<div>");
    table.write_rows(out, usize::MAX);
    table.write_csv_link(out, file);
    out.push_raw("</div>\n");
}

/// Writes the section with errors and warnings by year, and examples.
pub(super) fn write_faults(report: &Report, axis: &Axis, out: &mut Html) {
    if report.faults.is_empty() {
        out.push_raw("<p>No URL has errors or warnings.</p>\n");
        return;
    }
    out.push_formatted(format_args!(
        "<p>An <em>error</em> makes a URL invalid; invalid URLs are only counted here ({}). A <em>warning</em> or <em>info</em> does not. \
         <code>urlsift explain CODE</code> explains a code.</p>\n",
        format_quantity(report.malformed, "URL")
    ));
    let mut table =
        Table::new("Errors and warnings by year", &["code", "level", "URLs", "by year", "example"]);
    let mut all = Table::new("Errors and warnings, with examples", &["code", "level", "URLs"]);
    all.columns.extend(axis.years.iter().map(ToString::to_string));
    all.columns.extend(["no or other date".to_owned(), "examples".to_owned()]);
    for Fault { code, level, count, years, examples } in &report.faults {
        let numbers: Vec<_> = years.iter().map(|(year, urls)| format!("{year}:{urls}")).collect();
        let mut example = Html::default();
        if let Some(first) = examples.first() {
            example.push_formatted(format_args!(
                "<code class=\"c\">{}</code><br><small>",
                Text(&first.url)
            ));
            write_place(&first.place, &mut example);
            example.push_raw("</small>");
        }
        let urls: Vec<_> = examples
            .iter()
            .map(|example| format!("{} {}:{}", example.url, example.place.path, example.place.line))
            .collect();
        table.rows.push(vec![
            Cell::code(code),
            Cell::text(level),
            Cell::Number(*count),
            Cell::Drawn(sparkline(&axis.years, years), numbers.join(" ")),
            Cell::Drawn(example.into_string(), urls.first().cloned().unwrap_or_default()),
        ]);
        let of = |year: &u16| years.iter().find(|(at, _)| at == year).map_or(0, |(_, urls)| *urls);
        let mut cells = vec![Cell::code(code), Cell::text(level), Cell::Number(*count)];
        cells.extend(axis.years.iter().map(|year| Cell::Number(of(year))));
        cells.push(Cell::Number(count.saturating_sub(axis.years.iter().map(of).sum::<u64>())));
        cells.push(Cell::code(&urls.join("\n")));
        all.rows.push(cells);
    }
    table.write_rows(out, 15);
    all.write_collapsed(out, "faults");
}

/// Writes the section with the most frequently used URLs. Each has a link to the copy in the
/// Wayback Machine that is closest to its first use.
pub(super) fn write_archives(report: &Report, _: &Axis, out: &mut Html) {
    let uses = &report.most_used;
    if uses.most.is_empty() {
        out.push_raw("<p>There is no URL with the scheme http, https or ftp.</p>\n");
        return;
    }
    out.push_formatted(format_args!(
        "<p>The {} used most, of {}{} different ones with the schemes http, https and ftp. Each links to the copy in the Wayback Machine that is closest in time to the \
         first message. The copy may not exist: this was not checked. The last column is for lookups in a CDX index: key, time and URL.</p>\n",
        format_quantity(uses.most.len() as u64, "URL"),
        at_least_if(uses.at_least),
        Number(uses.names)
    ));
    let mut table = Table::new(
        "Most used URLs and their archived copies",
        &["URL", "URLs", "messages", "first", "archive", "CDX"],
    );
    if uses.at_least {
        "URLs (at least)".clone_into(&mut table.columns[1]);
    }
    for Use { name, urls, messages, first, .. } in &uses.most {
        let digits: String =
            first.iter().flat_map(|date| date.chars()).filter(char::is_ascii_digit).collect();
        let url = escape_url(name);
        let archive = format!(
            "https://web.archive.org/web/{}{url}",
            if digits.is_empty() { String::new() } else { format!("{digits}/") }
        );
        let time = if digits.is_empty() { "-" } else { &digits };
        let key = surt(name.as_bytes());
        let link = format!(
            "<a rel=\"external nofollow noreferrer\" href=\"{}\">{}</a>",
            Text(&archive),
            Text(if digits.is_empty() { "any time" } else { date_part(first.as_deref()) })
        );
        table.rows.push(vec![
            Cell::code(name),
            Cell::Number(*urls),
            Cell::Number(*messages),
            Cell::text(date_part(first.as_deref())),
            Cell::Drawn(link, archive),
            Cell::code(&format!("{} {time} {url}", String::from_utf8_lossy(&key))),
        ]);
    }
    table.write_rows(out, 12);
    table.write_collapsed(out, "most-used");
}

/// Percent-encodes the characters that could end an HTML attribute or a CDX field.
fn escape_url(url: &str) -> String {
    let is_kept = |byte: u8| byte.is_ascii_graphic() && !b"<>\"'`\\^{|}".contains(&byte);
    String::from_utf8_lossy(&percent_encode(url.as_bytes(), is_kept)).into_owned()
}

/// Writes the section that explains how URLs were counted.
pub(super) fn write_method(report: &Report, _: &Axis, out: &mut Html) {
    out.push_raw(
        "<ul>\n<li>A URL is counted each time it occurs, so a URL that is quoted in an answer is counted again. URLs are <em>different</em> if their \
         normalized forms differ (case of scheme and host, default port and unnecessary escapes are normalized).</li>\n\
         <li>URLs in header fields other than the subject, in footers that list software adds, around the message on pages of mail archives, and in the lines that mail programs add before a quotation, are counted as added by software.</li>\n\
         <li>Hosts are compared in lower case and with A-labels (<code>xn--</code>). Domains are determined with the version of the Public Suffix List that was current when the program was built. \
         The top-level domain is the last label of the host, even if it was never registered as one.</li>\n\
         <li>Dates are those of messages, in UTC. The first use of a URL is the one with the earliest date, not the first in the order of the files. Sources of dates: ",
    );
    let sources: Vec<_> = report
        .dates
        .sources
        .iter()
        .map(|source| format!("{} {}", source.name, Number(source.count)))
        .collect();
    out.push_formatted(format_args!(
        "{}. Wrong clocks are not corrected.</li>\n<li>Passwords in URLs are shown as <code>***</code>. Names and addresses of people are not collected. They only appear here if they are \
         part of a URL or next to a quoted one.</li>\n",
        Text(&if sources.is_empty() { "none".to_owned() } else { sources.join(", ") })
    ));
    out.push_formatted(format_args!(
        "<li>Memory is limited: uses are counted for up to {} hosts, {} domains and {} URLs. When a table is full, the half with the fewest uses is dropped, \
         and its numbers are shown as <q>at least</q>. {}</li>\n",
        Number(limits::HOSTS as u64),
        Number(limits::DOMAINS as u64),
        Number(limits::URLS as u64),
        if report.hosts.at_least || report.domains.at_least || report.most_used.at_least { "That happened here." } else { "That did not happen here." }
    ));
    out.push_raw("<li>URLs in encoded, compressed or broken parts of messages are found if the parts can be read. Skipped files are listed at the top.</li>\n</ul>\n");
}

#[cfg(test)]
mod tests {
    use super::escape_url;

    #[test]
    fn special_characters_in_links_are_escaped() {
        assert_eq!(
            escape_url("http://h.dom/a\"><script>é 'x'"),
            "http://h.dom/a%22%3E%3Cscript%3E%C3%A9%20%27x%27"
        );
    }
}

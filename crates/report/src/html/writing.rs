//! The sections of the page about how URLs were written, what is wrong with them, and what can be done with them.

use super::chart::{real, spark};
use super::sections::{Axis, at_least, rows, where_it_stands};
use super::table::{Cell, Table};
use super::text::{Html, Number, Text, day, things};
use crate::data::{Count, Fault, Readings, Report, Use};
use crate::limits;
use urlsift_core::percent_encode;
use urlsift_records::surt;

/// Forms and what they look like.
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

/// Forms, breaks, hyphens, and what had to be decoded.
pub(super) fn writing(report: &Report, _: &Axis, out: &mut Html) {
    let writing = &report.writing;
    out.raw("<div class=\"columns\">\n");
    let forms: Vec<_> = writing
        .forms
        .iter()
        .map(|Count { name, count }| {
            let about =
                FORMS.iter().find(|(known, _)| known == name).map_or("", |(_, about)| about);
            Count { name: format!("{name}: {about}"), count: *count }
        })
        .collect();
    bars(out, "Forms", "forms", &forms, report.urls);
    bars(out, "Places", "places", &writing.places, report.urls);
    bars(out, "Layout dropped from URLs: kind and grade", "breaks", &writing.breaks, 0);
    bars(out, "Decoded to see them", "decoded", &writing.decoded, report.urls);
    out.raw("</div>\n");
    out.add(format_args!(
        "<p>{} stand on more than one line, or hold other layout that is not theirs. <em>Certain</em> is what the format or the text itself says, \
         <em>likely</em> what the layout makes the better reading.</p>\n",
        things(writing.broken, "URL")
    ));
    out.raw("<h3>Hyphens to be decided by hand</h3>\n");
    if writing.hyphens == 0 {
        out.raw("<p>No URL is broken after a hyphen.</p>\n");
        return;
    }
    out.add(format_args!(
        "<p>{} broken right after a hyphen. Nobody can tell from the text whether it belongs to the URL; the better reading stands first.</p>\n",
        if writing.hyphens == 1 { "1 URL is".to_owned() } else { format!("{} URLs are", Number(writing.hyphens)) }
    ));
    let mut table = Table::new(
        "Readings of URLs broken after a hyphen",
        &["reading", "or", "date", "Message-ID", "file", "line"],
    );
    for Readings { place, readings } in &writing.readings {
        table.rows.push(vec![
            Cell::code(readings.first().map_or("", String::as_str)),
            Cell::code(&readings.get(1..).unwrap_or_default().join(" ")),
            Cell::text(day(place.date.as_deref())),
            Cell::code(place.message_id.as_deref().unwrap_or_default()),
            Cell::code(&place.path),
            Cell::Number(place.line),
        ]);
    }
    if table.rows.len() <= 12 {
        table.show(out, usize::MAX);
        table.link(out, "hyphens");
    } else {
        table.show(out, 8);
        table.fold(out, "hyphens");
    }
}

/// Numbers as bars, which are a table as well.
fn bars(out: &mut Html, caption: &str, file: &str, counts: &[Count], all: u64) {
    if counts.is_empty() {
        return;
    }
    let mut table = Table::new(caption, &["name", "number", "of the largest"]);
    if all > 0 {
        table.columns.push("of all URLs".to_owned());
    }
    let most = counts.iter().map(|count| count.count).max().unwrap_or_default().max(1);
    for mut row in rows(counts) {
        let Cell::Number(count) = row[1] else { continue };
        let width = (120.0 * real(count) / real(most)).max(1.0);
        let bar = format!(
            "<svg class=\"spark\" viewBox=\"0 0 120 12\" aria-hidden=\"true\"><rect class=\"s-http\" y=\"1\" width=\"{width:.1}\" height=\"10\"/></svg>"
        );
        row.push(Cell::Drawn(bar, format!("{:.3}", real(count) / real(most))));
        if all > 0 {
            row.push(Cell::text(&format!("{:.1} %", 100.0 * real(count) / real(all))));
        }
        table.rows.push(row);
    }
    out.raw("<div>");
    table.show(out, usize::MAX);
    table.link(out, file);
    out.raw("</div>\n");
}

/// What is wrong or doubtful, by year, with examples.
pub(super) fn faults(report: &Report, axis: &Axis, out: &mut Html) {
    if report.faults.is_empty() {
        out.raw("<p>Nothing is wrong with any of them.</p>\n");
        return;
    }
    out.add(format_args!(
        "<p>An <em>error</em> makes a URL invalid, so that it counts nowhere else ({}); a <em>warning</em> or <em>info</em> does not. \
         <code>urlsift explain CODE</code> says what a code means.</p>\n",
        things(report.malformed, "URL")
    ));
    let mut table =
        Table::new("Faults by year", &["code", "level", "URLs", "by year", "an example"]);
    let mut all = Table::new("Faults and years", &["code", "level", "URLs"]);
    all.columns.extend(axis.years.iter().map(ToString::to_string));
    all.columns.extend(["no or other date".to_owned(), "examples".to_owned()]);
    for Fault { code, level, count, years, examples } in &report.faults {
        let numbers: Vec<_> = years.iter().map(|(year, urls)| format!("{year}:{urls}")).collect();
        let mut example = Html::default();
        if let Some(first) = examples.first() {
            example.add(format_args!("<code class=\"c\">{}</code><br><small>", Text(&first.url)));
            where_it_stands(&first.place, &mut example);
            example.raw("</small>");
        }
        let urls: Vec<_> = examples
            .iter()
            .map(|example| format!("{} {}:{}", example.url, example.place.path, example.place.line))
            .collect();
        table.rows.push(vec![
            Cell::code(code),
            Cell::text(level),
            Cell::Number(*count),
            Cell::Drawn(spark(&axis.years, years), numbers.join(" ")),
            Cell::Drawn(example.into_string(), urls.first().cloned().unwrap_or_default()),
        ]);
        let of = |year: &u16| years.iter().find(|(at, _)| at == year).map_or(0, |(_, urls)| *urls);
        let mut cells = vec![Cell::code(code), Cell::text(level), Cell::Number(*count)];
        cells.extend(axis.years.iter().map(|year| Cell::Number(of(year))));
        cells.push(Cell::Number(count.saturating_sub(axis.years.iter().map(of).sum::<u64>())));
        cells.push(Cell::code(&urls.join("\n")));
        all.rows.push(cells);
    }
    table.show(out, 15);
    all.fold(out, "faults");
}

/// The URLs that were used most, as the Wayback Machine has them at the time, if it has them.
pub(super) fn archives(report: &Report, _: &Axis, out: &mut Html) {
    let uses = &report.most_used;
    if uses.most.is_empty() {
        out.raw("<p>There is no URL of http, https or ftp.</p>\n");
        return;
    }
    out.add(format_args!(
        "<p>The {} that were used most, of {}{} different ones of http, https and ftp. The link goes to the copy of the Wayback Machine that is next in time to the \
         first message; nothing was asked whether there is one. Beside it stands the line of a CDX index: key, time and URL.</p>\n",
        things(uses.most.len() as u64, "URL"),
        at_least(uses.at_least),
        Number(uses.names)
    ));
    let mut table = Table::new(
        "URLs used most, and where to look for them",
        &["URL", "URLs", "messages", "first", "archive", "CDX"],
    );
    if uses.at_least {
        "URLs (at least)".clone_into(&mut table.columns[1]);
    }
    for Use { name, urls, messages, first, .. } in &uses.most {
        let digits: String =
            first.iter().flat_map(|date| date.chars()).filter(char::is_ascii_digit).collect();
        let url = escaped(name);
        let archive = format!(
            "https://web.archive.org/web/{}{url}",
            if digits.is_empty() { String::new() } else { format!("{digits}/") }
        );
        let time = if digits.is_empty() { "-" } else { &digits };
        let key = surt(name.as_bytes());
        let link = format!(
            "<a rel=\"external nofollow noreferrer\" href=\"{}\">{}</a>",
            Text(&archive),
            Text(if digits.is_empty() { "any time" } else { day(first.as_deref()) })
        );
        table.rows.push(vec![
            Cell::code(name),
            Cell::Number(*urls),
            Cell::Number(*messages),
            Cell::text(day(first.as_deref())),
            Cell::Drawn(link, archive),
            Cell::code(&format!("{} {time} {url}", String::from_utf8_lossy(&key))),
        ]);
    }
    table.show(out, 12);
    table.fold(out, "most-used");
}

/// A URL in which nothing ends a link or a field: what is not graphic is escaped.
fn escaped(url: &str) -> String {
    let is_kept = |byte: u8| byte.is_ascii_graphic() && !b"<>\"'`\\^{|}".contains(&byte);
    String::from_utf8_lossy(&percent_encode(url.as_bytes(), is_kept)).into_owned()
}

/// What the numbers mean.
pub(super) fn method(report: &Report, _: &Axis, out: &mut Html) {
    out.raw(
        "<ul>\n<li>A URL counts each time that it stands somewhere: quoted again in an answer, it counts again. <em>Different</em> URLs differ in their \
         normalised form (case of scheme and host, default port, needless escapes).</li>\n\
         <li>What stands in footers that list software adds, and in header fields other than the subject, counts as added by software.</li>\n\
         <li>Hosts are told apart as written, in lower case; domains by the Public Suffix List as of the time the program was built. \
         The last label of a host is its top-level domain, whether it was ever one or not.</li>\n\
         <li>A date is that of the message, in UTC. A first use is the earliest date in the archive, not the first in the order of the files. What tells the date: ",
    );
    let sources: Vec<_> = report
        .dates
        .sources
        .iter()
        .map(|source| format!("{} {}", source.name, Number(source.count)))
        .collect();
    out.add(format_args!(
        "{}. A clock that was wrong is believed.</li>\n<li>Passwords in URLs are shown as <code>***</code>. Names and addresses of people are not collected; they stand here only where \
         they stand beside a URL that is quoted, or in one.</li>\n",
        Text(&if sources.is_empty() { "nothing".to_owned() } else { sources.join(", ") })
    ));
    out.add(format_args!(
        "<li>Memory is bounded: {} hosts, {} domains and {} URLs are told apart for how often they are used. A full table drops the half with the fewest uses and goes on; \
         then its numbers say <q>at least</q>. {}</li>\n",
        Number(limits::HOSTS as u64),
        Number(limits::DOMAINS as u64),
        Number(limits::URLS as u64),
        if report.hosts.at_least || report.domains.at_least || report.most_used.at_least { "That happened here." } else { "That did not happen here." }
    ));
    out.raw("<li>What encoded, compressed or broken parts of messages hold is found as far as they can be read; files that were left unread are named at the top.</li>\n</ul>\n");
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_in_a_link_ends_it() {
        assert_eq!(
            escaped("http://h.dom/a\"><script>é 'x'"),
            "http://h.dom/a%22%3E%3Cscript%3E%C3%A9%20%27x%27"
        );
    }
}

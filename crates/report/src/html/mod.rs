//! Renders a report as a single HTML page without scripts or external resources. Figures are SVG,
//! and the data of each figure is also a table and a CSV file.

mod chart;
mod sections;
mod table;
mod text;
mod writing;

use self::sections::{Axis, write_head};
use self::text::{Html, Text};
use crate::data::Report;

/// The style sheet of the page, for screens (light and dark) and for paper.
const STYLE: &str = include_str!("style.css");

/// A section of the page: its anchor, its heading, and the function that writes its content.
type Section = (&'static str, &'static str, fn(&Report, &Axis, &mut Html));

/// The sections of the page, in order.
const SECTIONS: &[Section] = &[
    ("timeline", "URLs over time", sections::write_timeline),
    ("first-seen", "Hosts seen for the first time", sections::write_first_seen),
    ("hosts", "Hosts and domains", sections::write_hosts),
    ("tlds", "Top-level domains over the years", sections::write_tlds),
    ("lists", "Newsgroups and lists over the years", sections::write_lists),
    ("senders", "Who posted URLs", sections::write_senders),
    ("writing", "How URLs were written", writing::write_writing),
    ("faults", "Errors and warnings", writing::write_faults),
    ("archives", "Archived copies of dead links", writing::write_archives),
    ("method", "How URLs were counted", writing::write_method),
];

/// Returns the HTML page for a report. Takes time linear in the size of the report, which is
/// bounded.
pub fn report_page(report: &Report) -> String {
    let axis = Axis::covering(report);
    let mut out = Html::default();
    out.push_raw(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    );
    out.push_formatted(format_args!(
        "<title>The URLs of an archive: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the report</a>\n",
        Text(&sections::summary_line(report, &axis))
    ));
    write_head(report, &axis, &mut out);
    out.push_raw("<nav aria-label=\"Sections\"><ul>\n");
    let is_shown = |id: &str| id != "senders" || report.senders.names > 0;
    for (id, name, _) in SECTIONS.iter().filter(|section| is_shown(section.0)) {
        out.push_formatted(format_args!("<li><a href=\"#{id}\">{name}</a></li>\n"));
    }
    out.push_raw("</ul></nav>\n<main id=\"main\">\n");
    for (id, name, draw) in SECTIONS.iter().filter(|section| is_shown(section.0)) {
        out.push_formatted(format_args!(
            "<section id=\"{id}\" aria-labelledby=\"{id}-h\">\n<h2 id=\"{id}-h\">{name}</h2>\n"
        ));
        draw(report, &axis, &mut out);
        out.push_raw("</section>\n");
    }
    out.push_formatted(format_args!(
        "</main>\n<footer><p>Made by urlsift {}. This page loads nothing from the network and runs no scripts.</p></footer>\n</body>\n</html>\n",
        Text(&report.version)
    ));
    out.into_string()
}

//! Draws the results of comparisons as bars of MB per second of CPU time, grouped by haystack.

use crate::compare::{Outcome, Record};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The height of a bar in pixels, the width of the labels, and the length of the longest bar.
const BAR: u32 = 18;
const NAMES: u32 = 300;
const LONGEST: f64 = 460.0;

/// Returns an SVG chart of the results for `haystacks`, or for all haystacks if the slice is empty.
pub fn to_svg(record: &Record, haystacks: &[String]) -> String {
    let mut groups: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for result in &record.results {
        if haystacks.is_empty() || haystacks.contains(&result.haystack) {
            groups.entry(&result.haystack).or_default().push(result);
        }
    }
    let mut body = String::new();
    let mut y = 10;
    for (haystack, mut results) in groups {
        results.sort_by(|a, b| b.rate.total_cmp(&a.rate));
        let most = results.first().map_or(1.0, |result| result.rate);
        y += BAR;
        push_text(&mut body, 10, y, "bold", haystack);
        for result in results {
            y += BAR + 4;
            let width = (result.rate / most * LONGEST).max(1.0);
            let color = if result.tool.starts_with("urlsift") { "#0a6" } else { "#89a" };
            push_text(&mut body, 10, y, "normal", &result.tool);
            let top = y - BAR + 5;
            let _ = writeln!(
                body,
                r#"<rect x="{NAMES}" y="{top}" width="{width:.0}" height="{BAR}" fill="{color}"/>"#
            );
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels")]
            let right = NAMES + width as u32 + 6;
            push_text(&mut body, right, y, "normal", &format!("{:.0} MB/s", result.rate));
        }
        y += 14;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"{}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#fff\"/>\n{body}</svg>\n",
        y + 10
    )
}

fn push_text(body: &mut String, x: u32, y: u32, weight: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(body, r#"<text x="{x}" y="{y}" font-weight="{weight}">{text}</text>"#);
}

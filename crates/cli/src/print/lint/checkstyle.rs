//! The XML format of Checkstyle.

use super::report::{Renderer, Report, Totals};
use std::io::Write as _;
use urlsift_lint::Diagnostic;
use urlsift_records::write::visible::escape_invisible;

pub(super) struct Checkstyle;

impl Renderer for Checkstyle {
    fn header(&self) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n".to_owned()
    }

    fn file_header(&self, path: &[u8]) -> String {
        format!("  <file name=\"{}\">\n", escape_xml_attribute(&String::from_utf8_lossy(path)))
    }

    fn append_diagnostic(&self, report: &Report<'_>, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let place = report.lines().position(diagnostic.span.start);
        let mut message = diagnostic.message.clone();
        if let Some(help) = &diagnostic.help {
            message = message + "; " + &**help;
        }
        let _ = writeln!(
            out,
            "    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" source=\"urlsift.{}\"/>",
            place.line,
            place.column,
            diagnostic.level,
            escape_xml_attribute(&message),
            diagnostic.code,
        );
    }

    fn file_footer(&self) -> &'static str {
        "  </file>\n"
    }

    fn footer(&self, _: &Totals) -> String {
        "</checkstyle>\n".to_owned()
    }
}

/// Returns `text` escaped for an XML attribute. Most control characters are written as escapes such
/// as `\x1b`, because XML 1.0 can't contain them.
fn escape_xml_attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in escape_invisible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn control_characters_are_escaped_in_attributes() {
        assert_eq!(
            super::escape_xml_attribute("<a b=\"\x01&\">"),
            "&lt;a b=&quot;\\x01&amp;&quot;&gt;"
        );
    }
}

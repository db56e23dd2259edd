//! Links from the examples of a report to their messages in an archive on the web.

use crate::data::{Place, Report};
use std::fmt::{self, Write as _};
use std::str::FromStr;

/// A template for links to messages, such as `https://lore.kernel.org/all/{id}/`.
///
/// It contains at least one of these placeholders, whose values are percent-encoded: `{id}` for the
/// Message-ID without angle brackets, `{list}` for the first newsgroup or list, `{path}` for the
/// file, and `{line}` for the line.
///
/// ```
/// use urlsift_report::LinkTemplate;
/// assert!("https://lore.kernel.org/all/{id}/".parse::<LinkTemplate>().is_ok());
/// assert!("https://lore.kernel.org/all/".parse::<LinkTemplate>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkTemplate(Vec<Piece>);

/// A part of a template: a text that is copied, or a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Id,
    List,
    Path,
    Line,
}

impl LinkTemplate {
    /// Returns the link to the message at `place`. Returns `None` if a value that the template
    /// needs is missing.
    pub(crate) fn link_to(&self, place: &Place) -> Option<String> {
        let mut link = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => link.push_str(text),
                Piece::Id => {
                    let id = place.message_id.as_deref()?;
                    push_encoded(&mut link, id.trim_matches(['<', '>']), "-._~@+=$");
                }
                Piece::List => push_encoded(&mut link, place.lists.first()?, "-._~@+"),
                Piece::Path => push_encoded(&mut link, &place.path, "-._~@+/"),
                Piece::Line => link.push_str(&place.line.to_string()),
            }
        }
        Some(link)
    }
}

impl Report {
    /// Sets the link to the message of each example in the report.
    pub fn add_links(&mut self, template: &LinkTemplate) {
        let examples = self.faults.iter_mut().flat_map(|fault| &mut fault.examples);
        let quotes = self.first_seen.quotes.iter_mut().map(|quote| &mut quote.place);
        let readings = self.writing.readings.iter_mut().map(|readings| &mut readings.place);
        for place in examples.map(|example| &mut example.place).chain(quotes).chain(readings) {
            place.link = template.link_to(place);
        }
    }
}

/// Appends `value`. All bytes except letters, digits and those in `kept` are percent-encoded.
fn push_encoded(link: &mut String, value: &str, kept: &str) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || kept.as_bytes().contains(&byte) {
            link.push(char::from(byte));
        } else {
            // Writing to a string doesn't fail.
            let _ = write!(link, "%{byte:02X}");
        }
    }
}

/// The error for a text that is not a [`LinkTemplate`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLinkTemplate(String);

impl fmt::Display for BadLinkTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadLinkTemplate {}

impl FromStr for LinkTemplate {
    type Err = BadLinkTemplate;

    fn from_str(template: &str) -> Result<Self, BadLinkTemplate> {
        let mut pieces = Vec::new();
        let mut rest = template;
        while let Some((text, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                return Err(BadLinkTemplate("`{` has no `}`".to_owned()));
            };
            pieces.push(Piece::Text(text.to_owned()));
            pieces.push(match name {
                "id" => Piece::Id,
                "list" => Piece::List,
                "path" => Piece::Path,
                "line" => Piece::Line,
                _ => {
                    return Err(BadLinkTemplate(format!(
                        "unknown placeholder {{{name}}}; write {{id}}, {{list}}, {{path}} or {{line}}"
                    )));
                }
            });
            rest = after;
        }
        if pieces.is_empty() {
            return Err(BadLinkTemplate(
                "it has no placeholder; write {id} in place of the Message-ID".to_owned(),
            ));
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(Self(pieces))
    }
}

#[cfg(test)]
mod tests {
    use super::LinkTemplate;
    use crate::data::Place;

    #[test]
    fn placeholders_are_replaced_by_encoded_values() {
        let place = Place {
            message_id: Some("<a/b?c@host.dom>".to_owned()),
            lists: vec!["comp.lang.c".to_owned()],
            path: "a b.mbox".to_owned(),
            line: 7,
            ..Place::default()
        };
        let link = |template: &str, place| {
            let template: LinkTemplate = template.parse().unwrap();
            template.link_to(place)
        };
        assert_eq!(link("http://h/{id}/", &place).unwrap(), "http://h/a%2Fb%3Fc@host.dom/");
        assert_eq!(link("{list}#{line}", &place).unwrap(), "comp.lang.c#7");
        assert_eq!(link("x/{path}", &place).unwrap(), "x/a%20b.mbox");
        assert_eq!(link("{id}", &Place::default()), None);
        for wrong in ["http://h/", "{id", "{ID}"] {
            assert!(wrong.parse::<LinkTemplate>().is_err(), "{wrong}");
        }
    }
}

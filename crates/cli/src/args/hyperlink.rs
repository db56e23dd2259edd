//! Parses the value of `--hyperlink-format`. The syntax is the same as in ripgrep.

use std::fmt;
use std::str::FromStr;

/// The names that can be given instead of a template, with their templates.
const NAMED: &[(&str, &str)] = &[
    ("cursor", "cursor://file{path}:{line}:{column}"),
    ("default", "file://{host}{path}"),
    ("file", "file://{host}{path}"),
    ("grep+", "grep+://{path}:{line}"),
    ("kitty", "file://{host}{path}#{line}"),
    ("macvim", "mvim://open?url=file://{path}&line={line}&column={column}"),
    ("none", ""),
    ("textmate", "txmt://open?url=file://{path}&line={line}&column={column}"),
    ("vscode", "vscode://file{path}:{line}:{column}"),
    ("vscode-insiders", "vscode-insiders://file{path}:{line}:{column}"),
    ("vscodium", "vscodium://file{path}:{line}:{column}"),
];

/// A part of a hyperlink template: literal text or a variable such as `{path}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinkPart {
    Text(String),
    Host,
    WslPrefix,
    Path,
    Line,
    Column,
}

/// The parsed value of `--hyperlink-format`: the parts of the template, in order. If the list is
/// empty, no hyperlinks are printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HyperlinkFormat(pub(crate) Vec<LinkPart>);

/// The error for an invalid value of `--hyperlink-format`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadFormat {
    /// A `{` is not closed by a `}`.
    Unclosed,
    /// The template contains an unknown variable.
    Variable(String),
    /// The template contains no `{path}`. This also covers unknown names of templates.
    NoPath,
    /// The template contains `{column}` but no `{line}`.
    NoLine,
    /// The template doesn't start with a scheme.
    NoScheme,
}

impl fmt::Display for BadFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unclosed => f.write_str("missing `}` after `{`"),
            Self::Variable(name) => {
                write!(
                    f,
                    "unknown variable {{{name}}}; use {{path}}, {{line}}, {{column}}, {{host}} and {{wslprefix}}"
                )
            }
            Self::NoPath => {
                let names: Vec<_> = NAMED.iter().map(|(name, _)| *name).collect();
                write!(f, "write a template that contains {{path}}, or one of {}", names.join(", "))
            }
            Self::NoLine => f.write_str("{column} needs {line}; add it to the template"),
            Self::NoScheme => {
                f.write_str("missing scheme; start the template with one, such as `file://`")
            }
        }
    }
}

impl std::error::Error for BadFormat {}

impl HyperlinkFormat {
    /// True if the template contains the variable `{line}`. Lines must then be counted during the
    /// scan.
    pub(crate) fn contains_line_variable(&self) -> bool {
        self.0.contains(&LinkPart::Line)
    }
}

impl FromStr for HyperlinkFormat {
    type Err = BadFormat;

    fn from_str(text: &str) -> Result<Self, BadFormat> {
        let named = NAMED.iter().find(|(name, _)| *name == text);
        let mut rest = named.map_or(text, |(_, format)| format);
        if named.is_some() && rest.is_empty() {
            return Ok(Self::default());
        }
        let mut parts = Vec::new();
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or(BadFormat::Unclosed)?;
            if !before.is_empty() {
                parts.push(LinkPart::Text(before.to_owned()));
            }
            parts.push(match name {
                "host" => LinkPart::Host,
                "wslprefix" => LinkPart::WslPrefix,
                "path" => LinkPart::Path,
                "line" => LinkPart::Line,
                "column" => LinkPart::Column,
                _ => return Err(BadFormat::Variable(name.to_owned())),
            });
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(LinkPart::Text(rest.to_owned()));
        }
        let format = Self(parts);
        if !format.0.contains(&LinkPart::Path) {
            return Err(BadFormat::NoPath);
        }
        if format.0.contains(&LinkPart::Column) && !format.contains_line_variable() {
            return Err(BadFormat::NoLine);
        }
        let scheme = |text: &String| {
            let name = text.split(':').next().unwrap_or_default();
            let is_byte = |b: u8| b.is_ascii_alphanumeric() || b"+-.".contains(&b);
            text.contains(':') && !name.is_empty() && name.bytes().all(is_byte)
        };
        match format.0.first() {
            Some(LinkPart::Text(text)) if scheme(text) => Ok(format),
            _ => Err(BadFormat::NoScheme),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        for (name, _) in NAMED {
            assert!(name.parse::<HyperlinkFormat>().is_ok(), "{name}");
        }
        let parts = "x:{path}#{line}".parse::<HyperlinkFormat>().unwrap().0;
        let text = |text: &str| LinkPart::Text(text.to_owned());
        assert_eq!(parts, [text("x:"), LinkPart::Path, text("#"), LinkPart::Line]);
        for (wrong, why) in [
            ("nonsense", BadFormat::NoPath),
            ("", BadFormat::NoPath),
            ("file://{path", BadFormat::Unclosed),
            ("file://{path}{row}", BadFormat::Variable("row".to_owned())),
            ("file://{path}:{column}", BadFormat::NoLine),
            ("{path}", BadFormat::NoScheme),
            ("a b:{path}", BadFormat::NoScheme),
        ] {
            assert_eq!(wrong.parse::<HyperlinkFormat>(), Err(why), "{wrong}");
        }
    }
}

//! `--hyperlink-format`, as ripgrep has it.

use std::fmt;
use std::str::FromStr;

/// Formats that have a name, and what they are made of.
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

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinkPart {
    Text(String),
    Host,
    WslPrefix,
    Path,
    Line,
    Column,
}

/// What a link to a place in a file is made of; nothing, where there are to be none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HyperlinkFormat(pub(crate) Vec<LinkPart>);

/// Why a text is no format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadFormat {
    Unclosed,
    Variable(String),
    NoPath,
    NoLine,
    NoScheme,
}

impl fmt::Display for BadFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unclosed => f.write_str("a `{` stands there without its `}`"),
            Self::Variable(name) => {
                write!(
                    f,
                    "there is no {{{name}}}: a format holds {{path}}, {{line}}, {{column}}, {{host}} and {{wslprefix}}"
                )
            }
            Self::NoPath => {
                let names: Vec<_> = NAMED.iter().map(|(name, _)| *name).collect();
                write!(f, "a format holds {{path}}, or is one of {}", names.join(", "))
            }
            Self::NoLine => f.write_str("{column} means nothing without {line}"),
            Self::NoScheme => f.write_str("a link starts with a scheme, as `file://`"),
        }
    }
}

impl std::error::Error for BadFormat {}

impl HyperlinkFormat {
    /// Whether a line belongs to it.
    pub(crate) fn has_line(&self) -> bool {
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
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, behind) = behind.split_once('}').ok_or(BadFormat::Unclosed)?;
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
            rest = behind;
        }
        if !rest.is_empty() {
            parts.push(LinkPart::Text(rest.to_owned()));
        }
        let format = Self(parts);
        if !format.0.contains(&LinkPart::Path) {
            return Err(BadFormat::NoPath);
        }
        if format.0.contains(&LinkPart::Column) && !format.has_line() {
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

//! The types that describe an option: its name, its values and its help text.

use crate::Options;

/// The definition of an option of a scan: its name, its values and its help text.
///
/// ```
/// use urlsift_records::option_table::{self, Scope};
/// let rejoin = option_table::find_option("rejoin").unwrap();
/// assert_eq!((rejoin.default, rejoin.scope), ("likely", Scope::Text));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OptionSpec {
    /// The name, in the spelling of the libraries. The command's option has `-` instead of `_`.
    pub name: &'static str,
    /// A second name of the command's option, without dashes. Empty if there is none.
    pub alias: &'static str,
    /// The type of the value.
    pub kind: ValueKind,
    /// The value that applies if the option is not given, or an empty string if there is no
    /// default.
    pub default: &'static str,
    /// A placeholder for the value, as in `--scheme NAME`.
    pub value_name: &'static str,
    /// One line of help: an imperative sentence without a full stop.
    pub help: &'static str,
    /// Further paragraphs of help, separated by blank lines.
    pub details: &'static str,
    /// The heading under which the command's help lists the option.
    pub group: Group,
    /// The kind of input on which the option has an effect.
    pub scope: Scope,
    /// True if the command's short help omits the option.
    pub is_rare: bool,
    /// The version that introduced the option.
    pub since: &'static str,
    /// The function that parses a value and sets the option to it. It returns a message if the
    /// value is not valid.
    pub(crate) set: fn(&mut Options, &str) -> Result<(), String>,
}

/// The type of an option's value, which determines the accepted values.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ValueKind {
    /// `true` or `false`.
    Flag,
    /// `true`, `false` or one of these names. The command's option has no value for `true`.
    FlagOrChoice(&'static [Choice]),
    /// One of these names.
    Choice(&'static [Choice]),
    /// Any of these names, separated by commas.
    Choices(&'static [Choice]),
    /// Any of these names, separated by commas. With a `+` before the first name, they are added to
    /// the default names.
    Forms(&'static [Choice]),
    /// A date or a part of one: see [`MessageFilter::since`](crate::MessageFilter::since).
    Date,
    /// A charset: see [`Encoding::by_label`](urlsift_archive::Encoding::by_label).
    Charset,
    /// Any text.
    Text,
    /// A list of texts, separated by commas. The texts themselves contain no commas.
    Texts,
    /// A number of bytes: see [`Size`](crate::Size).
    Size,
    /// A number of bytes, a ratio such as `100x`, or `none`.
    Expansion,
    /// Any bytes. The command reads them from a file.
    Key,
}

impl ValueKind {
    /// Returns the names that the value can consist of. Returns an empty slice for types whose
    /// values are not names.
    pub fn choices(self) -> &'static [Choice] {
        match self {
            Self::FlagOrChoice(choices)
            | Self::Choice(choices)
            | Self::Choices(choices)
            | Self::Forms(choices) => choices,
            _ => &[],
        }
    }

    /// True if the value is a list whose items are separated by commas.
    pub fn is_list(self) -> bool {
        matches!(self, Self::Choices(_) | Self::Forms(_) | Self::Texts)
    }
}

/// One of the names that an option accepts as its value, with a help text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// The name, as it is written on the command line.
    pub name: &'static str,
    /// The effect of this value, for help texts.
    pub help: &'static str,
    /// The kind of input on which the value has an effect.
    pub scope: Scope,
    /// True if the value needs the Public Suffix List, which is compiled in only with the feature
    /// `psl`.
    pub needs_suffixes: bool,
}

impl Choice {
    /// Creates a choice that has an effect on both plain texts and files.
    pub(super) const fn new(name: &'static str, help: &'static str) -> Self {
        Self { name, help, scope: Scope::Text, needs_suffixes: false }
    }

    /// Restricts the choice to files: it has no effect on plain texts.
    pub(super) const fn for_files_only(self) -> Self {
        Self { scope: Scope::Files, ..self }
    }

    /// Marks the choice as available only if the crate was built with the Public Suffix List.
    pub(super) const fn needs_suffix_list(self) -> Self {
        Self { needs_suffixes: true, ..self }
    }
}

/// The kind of input on which an option, or a value of it, has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Plain texts as well as files.
    Text,
    /// Files only, because it concerns file formats, messages or records.
    Files,
}

/// A group of options, which the help of the command lists under one heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Group {
    /// Options for reading input.
    Input,
    /// Options that select URLs.
    Find,
    /// Options that select messages.
    Messages,
    /// Options for the output of each URL.
    Records,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 4] = [Self::Input, Self::Find, Self::Messages, Self::Records];

    /// Returns the text of the heading, as the help shows it.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Input => "Input",
            Self::Find => "Which URLs to find",
            Self::Messages => "Which messages to scan",
            Self::Records => "Output",
        }
    }
}

//! Defines command-line arguments for the options in `urlsift_records::option_table`.

use clap::builder::{
    PossibleValue, PossibleValuesParser, StyledStr, TypedValueParser, ValueParser,
};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::marker::PhantomData;
use std::str::FromStr;
use urlsift_archive::Encoding;
use urlsift_lint::most_similar;
use urlsift_records::option_table::{self, Choice, Group, OPTIONS, OptionSpec, Scope, ValueKind};
use urlsift_records::table::URLS;
use urlsift_records::{BadOption, Options, With};

/// A subset of the library's options, which a subcommand offers on the command line.
pub(crate) trait OptionSubset {
    /// True if the subcommand offers the option that `spec` defines.
    fn contains(spec: &OptionSpec) -> bool;
}

/// The subset of the library's options that `urlsift scan` offers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OfScan;

/// The subset of the library's options that `urlsift report` offers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OfReport;

/// The subset of the library's options that `urlsift units` offers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OfUnits;

impl OptionSubset for OfScan {
    /// True for all options except `hash_key`. The library's option `hash_key` contains the key
    /// itself. On the command line, `--hash-key` names a file with the key, so `scan` defines this
    /// argument separately.
    fn contains(spec: &OptionSpec) -> bool {
        !matches!(spec.kind, ValueKind::Key)
    }
}

impl OptionSubset for OfReport {
    fn contains(spec: &OptionSpec) -> bool {
        let others = [
            "text_field",
            "date_field",
            "id_field",
            "profile",
            "rejoin",
            "without",
            "host",
            "domain",
            "url",
            "since",
            "until",
            "undated",
            "newsgroup",
            "list",
            "sender",
            "subject",
            "mask_secrets",
        ];
        OfUnits::contains(spec) || others.contains(&spec.name)
    }
}

impl OptionSubset for OfUnits {
    fn contains(spec: &OptionSpec) -> bool {
        ["input", "encoding", "max_expand", "max_window"].contains(&spec.name)
    }
}

/// The library options that were given to a subcommand, as parsed by clap. The type `S` determines
/// which options the subcommand offers.
#[derive(Clone, Debug, Default)]
pub(crate) struct OptionArgs<S> {
    pub(crate) options: Options,
    subset: PhantomData<S>,
}

impl<S> OptionArgs<S> {
    /// Wraps library options that were not parsed from the command line.
    pub(crate) fn new(options: Options) -> Self {
        Self { options, subset: PhantomData }
    }
}

/// Returns the definitions of the options that the subset `S` contains, in the order in which the
/// help lists them.
fn selected_options<S: OptionSubset>() -> impl Iterator<Item = &'static OptionSpec> {
    OPTIONS.iter().filter(|spec| S::contains(spec))
}

impl<S: OptionSubset> Args for OptionArgs<S> {
    fn augment_args(command: Command) -> Command {
        command.args(selected_options::<S>().map(option_argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: OptionSubset> FromArgMatches for OptionArgs<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::new(Options::default());
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for spec in selected_options::<S>() {
            let value = if matches!(spec.kind, ValueKind::Flag) {
                matches.get_flag(spec.name).then(|| "true".to_owned())
            } else {
                let values = matches.get_many::<String>(spec.name);
                values.map(|values| values.cloned().collect::<Vec<_>>().join(","))
            };
            if let Some(value) = value {
                let wrong = |error: BadOption| {
                    let text = match error {
                        BadOption::Value { name, value, reason } => {
                            format!("--{} {value}: {reason}", name.replace('_', "-"))
                        }
                        error => error.to_string(),
                    };
                    clap::Error::raw(ErrorKind::ValueValidation, text)
                };
                self.options.set(spec.name, &value).map_err(wrong)?;
            }
        }
        Ok(())
    }
}

/// The position of an argument in the help that is after all arguments of the command itself.
const LAST: usize = 1000;

/// Returns the clap argument that represents a library option on the command line.
fn option_argument(spec: &'static OptionSpec) -> Arg {
    let arg = Arg::new(spec.name)
        .long(spec.name.replace('_', "-"))
        .help(spec.help)
        .help_heading(spec.group.heading())
        .hide_short_help(spec.is_rare);
    let arg = if spec.alias.is_empty() { arg } else { arg.visible_alias(spec.alias) };
    // Place these options after the command's own options under the same heading.
    let arg = if spec.group == Group::Records { arg.display_order(LAST) } else { arg };
    let arg = if spec.details.is_empty() { arg } else { arg.long_help(full_help_of(spec)) };
    if matches!(spec.kind, ValueKind::Flag) {
        return arg.action(ArgAction::SetTrue);
    }
    let arg = arg.value_name(spec.value_name).value_parser(option_value_parser(spec));
    let arg = if matches!(spec.kind, ValueKind::FlagOrChoice(_)) {
        arg.num_args(0..=1).require_equals(true).default_missing_value("true")
    } else {
        arg
    };
    let arg = if spec.default.is_empty() { arg } else { arg.default_value(spec.default) };
    if spec.kind.is_list() {
        arg.action(ArgAction::Append).value_delimiter(',')
    } else {
        arg.action(ArgAction::Set)
    }
}

/// Returns the one-line help of the library option called `name`, or an empty string if there is no
/// such option.
pub(super) fn option_help(name: &str) -> &'static str {
    option_table::find_option(name).map_or("", |spec| spec.help)
}

/// Returns the full help of the library option called `name`: its summary and its details. Returns
/// an empty string if there is no such option.
pub(super) fn option_full_help(name: &str) -> String {
    option_table::find_option(name).map(full_help_of).unwrap_or_default()
}

/// Returns the full help of an option: its one-line summary, an empty line, and its details.
fn full_help_of(spec: &OptionSpec) -> String {
    format!("{}\n\n{}", spec.help, spec.details)
}

/// Spells the names of options in the help of `arg` as the command does, if it is a library option.
pub(super) fn spell_names_in_help(arg: Arg) -> Arg {
    if option_table::find_option(arg.get_id().as_str()).is_none() {
        return arg;
    }
    let spelled = |help: Option<&StyledStr>| help.map(|it| with_option_names(&it.to_string()));
    let (help, long_help) = (spelled(arg.get_help()), spelled(arg.get_long_help()));
    let arg = arg.help(help.unwrap_or_default());
    match long_help {
        Some(text) => arg.long_help(text),
        None => arg,
    }
}

/// Returns the help text `text` with the names of options as the command spells them: `--text-field`
/// for `text_field`. Names that are also those of columns or fields are left unchanged.
fn with_option_names(text: &str) -> String {
    let is_field = |name: &str| {
        URLS.iter().any(|column| column.name == name)
            || With::ALL.iter().any(|field| field.name() == name)
    };
    let mut out = String::with_capacity(text.len());
    // Every second piece is in backquotes.
    for (index, piece) in text.split('`').enumerate() {
        if index > 0 {
            out.push('`');
        }
        if index % 2 == 1 && option_table::find_option(piece).is_some() && !is_field(piece) {
            out.push_str("--");
            out.push_str(&piece.replace('_', "-"));
        } else {
            out.push_str(piece);
        }
    }
    out
}

/// Returns a clap parser that checks the value of an option and returns the text unchanged. The
/// library converts the text later.
fn option_value_parser(spec: &'static OptionSpec) -> ValueParser {
    match spec.kind {
        ValueKind::Choice(all) | ValueKind::Choices(all) => choice_parser(all).into(),
        ValueKind::FlagOrChoice(all) => ExtendedChoices {
            choices: choice_parser(all),
            name_in: |value| (!matches!(value, "true" | "false")).then_some(value),
        }
        .into(),
        ValueKind::Forms(all) => ExtendedChoices {
            choices: choice_parser(all),
            name_in: |value| Some(value.strip_prefix('+').unwrap_or(value)),
        }
        .into(),
        ValueKind::Texts => ValueParser::new(move |text: &str| {
            // Empty items are ignored later, so an empty value would have no effect.
            if text.is_empty() {
                return Err("it is empty; to select everything, leave the option out".to_owned());
            }
            check_value(spec, text)
        }),
        _ => ValueParser::new(move |text: &str| check_value(spec, text)),
    }
}

/// Returns `text` if it is a valid value of the option, otherwise an error message.
fn check_value(spec: &OptionSpec, text: &str) -> Result<String, String> {
    match Options::default().set(spec.name, text) {
        Err(BadOption::Value { reason, .. }) => Err(invalid_value_message(spec, text, reason)),
        _ => Ok(text.to_owned()),
    }
}

/// Returns the error message for `text`, an invalid value of an option. If a charset with a similar
/// name exists, the message suggests it. Otherwise the message is `reason`.
fn invalid_value_message(spec: &OptionSpec, text: &str, reason: String) -> String {
    match most_similar(text, Encoding::NAMES) {
        Some(name) if matches!(spec.kind, ValueKind::Charset) => {
            format!("unknown charset; did you mean `{name}`?")
        }
        _ => reason,
    }
}

/// Returns a clap parser that accepts the names of those `all` choices that this build supports.
fn choice_parser(all: &'static [Choice]) -> PossibleValuesParser {
    let all = all.iter().filter(|choice| choice.is_supported_in(Scope::Files));
    all.map(|choice| PossibleValue::new(choice.name).help(with_option_names(choice.help)))
        .collect::<Vec<_>>()
        .into()
}

/// A clap parser that accepts the names of choices, and other values that the help doesn't list.
#[derive(Clone)]
struct ExtendedChoices {
    choices: PossibleValuesParser,
    /// Returns the choice's name in a value, or `None` if the value is accepted without one.
    name_in: fn(&str) -> Option<&str>,
}

impl TypedValueParser for ExtendedChoices {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        let Some(text) = value.to_str() else {
            return self.choices.parse_ref(command, arg, value);
        };
        if let Some(name) = (self.name_in)(text) {
            self.choices.parse_ref(command, arg, name.as_ref())?;
        }
        Ok(text.to_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.choices.possible_values()
    }
}

/// Returns a clap parser for the values of the library option called `name`. Subcommands use it if
/// they define the option themselves, because their default differs from the library's.
pub(super) fn library_value_parser<T>(name: &'static str) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    let all = option_table::find_option(name).map_or(&[][..], |spec| spec.kind.choices());
    choice_parser(all).try_map(|name| name.parse::<T>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;

    #[test]
    fn help_spells_options_as_the_command_does() {
        let mut cli = Cli::command_with_help();
        cli.build();
        for spec in OPTIONS.iter().filter(|spec| spec.name.contains('_')) {
            let name = format!("`{}`", spec.name);
            for command in cli.get_subcommands_mut() {
                let help = command.render_long_help().to_string();
                let is_column = URLS.iter().any(|column| column.name == spec.name);
                assert!(is_column || !help.contains(&name), "{}: {name}", command.get_name());
            }
        }
        assert_eq!(with_option_names("`since` or `date_field`"), "`--since` or `--date-field`");
        assert_eq!(with_option_names("except `from`"), "except `from`");
    }

    #[test]
    fn scan_has_every_option() {
        let mut cli = Cli::command_with_help();
        cli.build();
        let scan = cli.find_subcommand("scan").unwrap();
        for spec in OPTIONS {
            let long = spec.name.replace('_', "-");
            let arg =
                scan.get_arguments().find(|arg| arg.get_long() == Some(long.as_str())).unwrap();
            let help = arg.get_help().unwrap().to_string();
            assert_eq!(help, with_option_names(spec.help), "--{long}");
            let default = arg.get_default_values().join(" ".as_ref());
            let is_flag = matches!(spec.kind, ValueKind::Flag);
            assert!(is_flag || default == spec.default, "--{long}");
        }
    }
}

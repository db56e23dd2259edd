//! The options that print lines of files. They work as in ripgrep.

use clap::Args;

/// The options that select the lines to print.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct LineArgs {
    /// Print the lines that contain URLs, unchanged, instead of the URLs
    ///
    /// With this option, `-n`, `--column` and `-b` print the position of the line.
    #[arg(long, help_heading = "Output")]
    pub(crate) show_lines: bool,

    /// Show NUM lines after each line that contains a URL
    #[arg(short = 'A', long, value_name = "NUM", hide_short_help = true, help_heading = "Output")]
    pub(crate) after_context: Option<u64>,

    /// Show NUM lines before each line that contains a URL
    #[arg(short = 'B', long, value_name = "NUM", hide_short_help = true, help_heading = "Output")]
    pub(crate) before_context: Option<u64>,

    /// Show NUM lines before and after each line with a URL
    #[arg(short = 'C', long, value_name = "NUM", help_heading = "Output")]
    pub(crate) context: Option<u64>,
}

/// The numbers of lines to print before and after each line that contains a URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Context {
    pub(crate) before: u64,
    pub(crate) after: u64,
}

impl LineArgs {
    /// Returns the numbers of lines to print before and after each line with a URL (`-A`, `-B`,
    /// `-C`). `-A` and `-B` take precedence over `-C`.
    ///
    /// Returns `None` if neither these options nor `--show-lines` are set. In that case, no lines
    /// of files are printed.
    pub(crate) fn context(&self) -> Option<Context> {
        let of = |lines: Option<u64>| lines.or(self.context);
        let (before, after) = (of(self.before_context), of(self.after_context));
        let is_wanted = self.show_lines || before.or(after).is_some();
        let [before, after] = [before, after].map(Option::unwrap_or_default);
        is_wanted.then_some(Context { before, after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_side_is_said_more_closely_than_both() {
        let all = LineArgs { context: Some(2), after_context: Some(5), ..LineArgs::default() };
        assert_eq!(all.context(), Some(Context { before: 2, after: 5 }));
        let none = LineArgs { show_lines: true, ..LineArgs::default() };
        assert_eq!(none.context(), Some(Context::default()));
        assert_eq!(LineArgs::default().context(), None);
    }
}

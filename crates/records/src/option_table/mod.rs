//! The options of a scan, with the name, values, default and help of each.
//!
//! Options are defined only in the table [`OPTIONS`]. [`Options::set`](crate::Options::set), the
//! arguments of `urlsift scan` and of the Python, JavaScript and C libraries, the declarations of
//! these libraries and `docs/src/reference/options.md` are derived from it.
//! `URLSIFT_UPDATE=1 cargo test -p urlsift-records --test option_pages` rewrites the declarations
//! and the page.

mod choices;
mod options;
mod spec;
mod values;

pub use self::options::OPTIONS;
pub use self::spec::{Choice, Group, OptionSpec, Scope, ValueKind};
pub use self::values::parse_scheme_name;

pub(crate) use self::values::split_list;

/// Returns the definition of the option called `name`, or `None` if no option has this name.
pub fn find_option(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|option| option.name == name)
}

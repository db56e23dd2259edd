//! The terminal interface of `urlsift pick`. The modules contain the entries of the list (`entry`),
//! the reaction to keys (`model`), the layout (`view`), the terminal (`screen`), and the programs
//! that open a URL (`open`).

mod entry;
mod model;
mod open;
mod screen;
mod view;

pub(crate) use self::entry::{Entries, format_numbered_list};
pub(crate) use self::model::Model;
pub(crate) use self::screen::Screen;

//! The URLs of a message to choose from, in a terminal: what there is (`entry`), what the keys do to it (`model`), how that
//! looks (`view`), the terminal itself (`screen`), and what becomes of the URL that is chosen (`open`).

mod entry;
mod model;
mod open;
mod screen;
mod view;

pub(crate) use self::entry::{Entries, numbered};
pub(crate) use self::model::Model;
pub(crate) use self::screen::Screen;

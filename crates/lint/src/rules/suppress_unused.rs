//! `suppress.unused`: an ignore comment that ignores nothing.

use crate::context::{Context, Findings};
use crate::edit::Applicability;
use crate::rule::{Meta, On, Rule};
use urlsift_core::Level;

/// What the rule tells of itself; the linter raises it, having seen the whole text.
pub(crate) static META: Meta = Meta::new(
    "suppress.unused",
    Level::Warning,
    On::Text,
    "this comment ignores nothing",
)
.what("A comment `urlsift: ignore[rule]` stands on or before a line on which that rule finds nothing.")
.why("It hides the next real fault on that line, and misleads the reader.")
.advice("take the comment away")
.texts(
    "urlsift: ignore[port.default]\nSee http://www.host.dom/ now.",
    "urlsift: ignore[port.default]\nSee http://www.host.dom:80/ now.",
)
.fix(Applicability::Display);

pub(crate) struct Unused;

impl Rule for Unused {
    fn meta(&self) -> &Meta {
        &META
    }

    fn check(&self, _: &Context<'_>, _: &mut Findings) {}
}

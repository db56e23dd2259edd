//! `suppress.unused`: an ignore comment without effect.

use crate::context::{Context, Findings};
use crate::edit::Applicability;
use crate::rule::{Meta, On, Rule};
use urlsift_core::Level;

/// The metadata of the rule. The linter reports it after it has checked the lines of the comment.
pub(crate) static META: Meta = Meta::new(
    "suppress.unused",
    Level::Warning,
    On::Text,
    "the ignore comment has no effect",
)
.with_description("A comment `urlsift: ignore[rule]` is on or before a line in which the rule finds nothing, or no line of a range that `urlsift: ignore-start[rule]` starts has a fault. Comments with another syntax, such as `urlsift: ignore-next-line`, `urlsift: disable` or `urlsift: ignore port.default`, suppress nothing and are reported, too.")
.with_reason("Such a comment hides the next real mistake on the line, and misleads readers.")
.with_advice("remove the comment")
.with_example_texts(
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

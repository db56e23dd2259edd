//! The rules of each scheme, one file per scheme: its productions in RFC 1738 and today, its parts
//! and their meaning, and its findings and violations.

mod file;
mod ftp;
mod gopher;
mod http;
mod mailto;
mod news;
mod nntp;
mod other;
mod prospero;
mod rules;
mod telnet;
#[cfg(test)]
mod tests;
mod wais;

use crate::bytes::Set;
use crate::fault::Fault;
use crate::form::Form;
use crate::parts::Parts;
use crate::reading::Reading;
use crate::scheme::{Scheme, each_scheme};
use crate::{Code, Fields, Url};
pub(crate) use rules::Controls;
use rules::{FindingsOf, Rules};

/// Parses a text from the given offset on (after the scheme's colon), and sets the parts as they
/// are found.
type Parser = fn(&[u8], usize, &mut Parts) -> Result<(), Fault>;

/// The [`Rules`] of a scheme as a table of functions and values. Code that determines the scheme at
/// run time looks up the table and calls its functions.
pub(crate) struct SchemeRules {
    pub(crate) rfc1738: Parser,
    /// Parses by RFC 1738 with the repairs of profile `web`.
    pub(crate) rfc1738_repaired: Parser,
    pub(crate) rfc3986: Parser,
    pub(crate) web: Parser,
    pub(crate) components: for<'u> fn(&Url<'u>) -> Fields<'u>,
    pub(crate) semantics: for<'u> fn(&Url<'u>) -> Fields<'u>,
    pub(crate) findings: Option<FindingsOf>,
    pub(crate) controls: fn(&Url<'_>) -> Controls,
    pub(crate) error: fn(&Reading<'_>, usize) -> Code,
    pub(crate) overriding_error: fn(&Reading<'_>, usize) -> Option<Code>,
    pub(crate) unescaped: Set,
    pub(crate) normalize_tail: fn(&Url<'_>, &mut Form<'_>),
    /// The productions of RFC 1738 and of RFC 3986 as regular expressions.
    pub(crate) expressions: [&'static str; 2],
}

impl SchemeRules {
    const fn from_rules<R: Rules>() -> Self {
        Self {
            rfc1738: R::parse_rfc1738::<false>,
            rfc1738_repaired: R::parse_rfc1738::<true>,
            rfc3986: R::parse_rfc3986::<false>,
            web: R::parse_rfc3986::<true>,
            components: R::components,
            semantics: R::semantics,
            findings: R::FINDINGS,
            controls: R::expected_controls,
            error: R::error_code,
            overriding_error: R::overriding_error_code,
            unescaped: R::UNESCAPED,
            normalize_tail: R::normalize_after_authority,
            expressions: [R::RFC1738, R::RFC3986],
        }
    }
}

macro_rules! rules {
    ($( $(#[doc = $doc:literal])* $(#[cfg($cfg:meta)])? $scheme:ident, $rules:path, $row:expr; )+) => {
        /// The rules of each scheme, in the order of [`Scheme::ALL`].
        static RULES: &[SchemeRules] = &[ $( $(#[cfg($cfg)])? SchemeRules::from_rules::<$rules>(), )+ ];
    };
}
each_scheme!(rules);

/// Returns the rules of `scheme`: its parsers, components, semantics and findings.
#[inline]
pub(crate) fn rules_of(scheme: Scheme) -> &'static SchemeRules {
    &RULES[scheme as usize]
}

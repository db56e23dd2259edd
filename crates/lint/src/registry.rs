//! The table of all rules.

use crate::rule::Rule;
use crate::rules;

/// All rules, sorted by code.
pub static RULES: &[&dyn Rule] = &[
    &rules::breaks::AfterHyphen,
    &rules::break_in_code::InCode,
    &rules::break_unwrapped::Unwrapped,
    &rules::char_bidi::Bidi,
    &rules::character::CONTROL,
    &rules::character::FRAGMENT,
    &rules::character::LOOK_ALIKE,
    &rules::character::NON_ASCII,
    &rules::character::RESERVED,
    &rules::character::SPACE,
    &rules::character::UNENCODED,
    &rules::character::UNSAFE,
    &rules::char_zero_width::ZeroWidth,
    &rules::scheme::SLASHES,
    &rules::character::ESCAPE_CONTROL,
    &rules::escape_double::Double,
    &rules::character::LONE_PERCENT,
    &rules::character::ESCAPE_LOWERCASE,
    &rules::character::MALFORMED,
    &rules::character::NEEDLESS,
    &rules::character::FRAGMENT_CHAR,
    &rules::character::SECOND_HASH,
    &rules::by_scheme::FTP_EMPTY_NAME,
    &rules::by_scheme::FTP_NULL_CWD,
    &rules::by_scheme::FTP_TYPE,
    &rules::by_scheme::FTP_TYPE_UPPERCASE,
    &rules::scheme::EMPTY,
    &rules::scheme::NOT_CISS,
    &rules::by_scheme::GOPHER_CONTROL,
    &rules::by_scheme::GOPHER_QUESTION_MARK,
    &rules::by_scheme::GOPHER_TYPE,
    &rules::by_scheme::GOPHER_TYPE_ENCODED,
    &rules::login::HOST_CHAR,
    &rules::host_comma::Comma,
    &rules::login::HOST_EMPTY,
    &rules::login::HOST_IP_LITERAL,
    &rules::login::HOST_IPV4_LEADING_ZERO,
    &rules::login::HOST_IPV4_RANGE,
    &rules::login::HOST_LABEL,
    &rules::login::HOST_LABEL_LENGTH,
    &rules::login::HOST_LENGTH,
    &rules::host_mixed_script::MixedScript,
    &rules::login::HOST_NUMERIC_LABEL,
    &rules::login::HOST_SINGLE_LABEL,
    &rules::login::HOST_TOPLABEL,
    &rules::login::HOST_UNDERSCORE,
    &rules::login::HOST_UPPERCASE,
    &rules::character::IRI,
    &rules::link::Text(&rules::link::BLANK_BEFORE_TARGET),
    &rules::link::Text(&rules::link::EDGE_BLANK),
    &rules::link::Text(&rules::link::EMPTY_TARGET),
    &rules::link::Text(&rules::link::EMPTY_TEXT),
    &rules::link::Text(&rules::link::FOREIGN_MARKUP),
    &rules::link_inner_blank::InnerBlank,
    &rules::link::Text(&rules::link::MALFORMED_DEFINITION),
    &rules::link::Text(&rules::link::MISSING_BRACKET),
    &rules::link::Text(&rules::link::MISSING_SCHEME),
    &rules::link::Text(&rules::link::MISSING_UNDERSCORE),
    &rules::link::Text(&rules::link::NO_BLANK),
    &rules::link::Text(&rules::link::REVERSED),
    &rules::link::Text(&rules::link::SQUARE_BRACKETS),
    &rules::link::Text(&rules::link::TEXT_MISMATCH),
    &rules::link_trailing_punctuation::TrailingPunctuation,
    &rules::link::Text(&rules::link::UNBALANCED_QUOTES),
    &rules::link::Text(&rules::link::UNCLOSED),
    &rules::link::Text(&rules::link::WIKI_BRACKETS),
    &rules::link::Text(&rules::link::WRAPPED_TARGET),
    &rules::by_scheme::MAILTO_ADDR_SPEC,
    &rules::by_scheme::MAILTO_EMPTY,
    &rules::by_scheme::MAILTO_ENCODED_AT,
    &rules::by_scheme::MAILTO_HEADER,
    &rules::by_scheme::MAILTO_LOOKS_LIKE_HEADERS,
    &rules::mailto_slashes::RULE,
    &rules::by_scheme::NEWS_ARTICLE,
    &rules::news_brackets::RULE,
    &rules::by_scheme::NEWS_EMPTY,
    &rules::by_scheme::NEWS_GROUP,
    &rules::by_scheme::NEWS_GROUP_FORM,
    &rules::by_scheme::NEWS_WILDMAT,
    &rules::by_scheme::NNTP_ARTICLE_NUMBER,
    &rules::by_scheme::NNTP_GROUP,
    &rules::by_scheme::NNTP_NO_ARTICLE,
    &rules::by_scheme::NNTP_PREFER_NEWS,
    &rules::scheme::PATH_CHAR,
    &rules::scheme::PATH_MISSING,
    &rules::login::PORT_CHAR,
    &rules::login::PORT_DEFAULT,
    &rules::login::PORT_EMPTY,
    &rules::login::PORT_LEADING_ZERO,
    &rules::port_missing::Missing,
    &rules::login::PORT_NONDEFAULT,
    &rules::login::PORT_NOT_ALLOWED,
    &rules::login::PORT_OUT_OF_RANGE,
    &rules::login::PORT_RESERVED_RANGE,
    &rules::profile_disagreement::Disagreement,
    &rules::by_scheme::PROSPERO_EMPTY_FIELD,
    &rules::by_scheme::PROSPERO_FIELD,
    &rules::character::QUERY_CHAR,
    &rules::scheme_backslashes::RULE,
    &rules::scheme_blank_after_slashes::RULE,
    &rules::scheme_separator::BLANK_BEFORE_SLASHES,
    &rules::scheme::CHAR,
    &rules::scheme_doubled::Doubled,
    &rules::scheme::EXPERIMENTAL,
    &rules::link::Text(&rules::link::EXTRA_SLASHES),
    &rules::scheme::HISTORIC,
    &rules::scheme::LEADING_NONALPHA,
    &rules::scheme::MISSING,
    &rules::scheme_misspelt::RULE,
    &rules::scheme_separator::MISTYPED_COLON,
    &rules::scheme_no_colon::RULE,
    &rules::scheme_no_slashes::RULE,
    &rules::scheme_obsolete::Obsolete,
    &rules::scheme::RESERVED_NAME,
    &rules::scheme_semicolon::RULE,
    &rules::scheme_single_slash::RULE,
    &rules::scheme::UNKNOWN,
    &rules::scheme::UPPERCASE,
    &rules::character::CRLF,
    &rules::login::PASSWORD,
    &rules::security_token::Token,
    &rules::suppress_unused::Unused,
    &rules::by_scheme::TELNET_PATH,
    &rules::login::USERINFO_CHAR,
    &rules::login::USERINFO_EMPTY_PASSWORD,
    &rules::login::USERINFO_EMPTY_USER,
    &rules::userinfo_host_like::HostLike,
    &rules::login::USERINFO_HTTP,
    &rules::login::USERINFO_NOT_ALLOWED,
    &rules::by_scheme::WAIS_EMPTY_DATABASE,
    &rules::by_scheme::WAIS_EMPTY_DOC,
    &rules::by_scheme::WAIS_FORM,
    &rules::wrapper_edge_blank::EdgeBlank,
    &rules::wrapper_in_delimited_context::InDelimitedContext,
    &rules::wrapper_inner_blank::InnerBlank,
    &rules::wrapper_missing_brackets::MissingBrackets,
    &rules::wrapper_missing_prefix::MissingPrefix,
    &rules::wrapper_missing_scheme::RULE,
    &rules::wrapper_several_urls::SeveralUrls,
    &rules::breaks::SpaceAfterHyphen,
    &rules::wrapper_unclosed::Unclosed,
];

/// Returns the rule with the code `code`, e.g. `host.comma`. Returns `None` if there is no such
/// rule. Takes logarithmic time.
///
/// ```
/// use urlsift_lint::{On, rule};
/// let meta = rule("port.default").unwrap().meta();
/// assert!(meta.code == "port.default" && meta.on != On::Text);
/// assert!(rule("port.defualt").is_none());
/// ```
pub fn rule(code: &str) -> Option<&'static dyn Rule> {
    let at = RULES.binary_search_by(|rule| rule.meta().code.cmp(code)).ok()?;
    RULES.get(at).copied()
}

/// Returns the code of the rule that is most similar to `name`, a misspelled code. Returns `None`
/// if no code is similar enough.
///
/// ```
/// assert_eq!(urlsift_lint::most_similar_rule("port.defualt"), Some("port.default"));
/// assert_eq!(urlsift_lint::most_similar_rule("nothing like it"), None);
/// ```
pub fn most_similar_rule(name: &str) -> Option<&'static str> {
    most_similar(name, RULES.iter().map(|rule| rule.meta().code))
}

/// Returns the one of `names` that is most similar to `name`, or `None` if none is similar enough.
/// Use it for "did you mean" suggestions.
///
/// Takes quadratic time in the length of a name.
///
/// ```
/// assert_eq!(urlsift_lint::most_similar("profil", ["profile", "rejoin"]), Some("profile"));
/// ```
pub fn most_similar<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let names = names.into_iter();
    let scored = names.map(|known| (edit_distance(name.as_bytes(), known.as_bytes()), known));
    let (cost, known) = scored.min()?;
    (cost <= 2 + name.len() / 4).then_some(known)
}

/// Returns the edit distance of `a` and `b`: the number of bytes to insert, delete, replace, or
/// swap with the next byte. Takes quadratic time, so use it only for short names.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let width = b.len() + 1;
    let mut cost = vec![0; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let at = i * width + j;
            if i == 0 || j == 0 {
                cost[at] = i + j;
                continue;
            }
            let other = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (cost[at - width - 1] + other).min(cost[at - 1] + 1).min(cost[at - width] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(cost[at - 2 * width - 2] + 1);
            }
            cost[at] = best;
        }
    }
    cost[cost.len() - 1]
}

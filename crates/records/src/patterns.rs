//! Patterns with wildcards, for names, URLs and texts.

/// A set of patterns. In a pattern, `*` matches any bytes, `?` matches one byte, and a `!` at the
/// start negates the pattern. Case is ignored.
///
/// The default set is empty and accepts everything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns {
    /// The patterns without `!`. If there are any, at least one of them must match.
    wanted: Vec<Vec<u8>>,
    /// The negated patterns, without their `!`. None of them may match.
    unwanted: Vec<Vec<u8>>,
}

impl Patterns {
    /// Creates a set of patterns. Each pattern, without its `!`, is replaced by the result of
    /// `convert`.
    pub(crate) fn new(patterns: Vec<String>, convert: impl Fn(&str) -> Vec<u8>) -> Self {
        let mut set = Self::default();
        for pattern in patterns {
            match pattern.strip_prefix('!') {
                Some(pattern) => set.unwanted.push(convert(pattern)),
                None => set.wanted.push(convert(&pattern)),
            }
        }
        set
    }

    /// True if there are no patterns.
    pub(crate) fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.unwanted.is_empty()
    }

    /// True if the patterns accept an item with these names, e.g. an article in several newsgroups.
    /// A pattern matches the item if it matches at least one of the names.
    pub(crate) fn accept(&self, names: &[&[u8]]) -> bool {
        let matches = |patterns: &[Vec<u8>]| {
            patterns.iter().any(|pattern| names.iter().any(|name| matches_pattern(pattern, name)))
        };
        (self.wanted.is_empty() || matches(&self.wanted)) && !matches(&self.unwanted)
    }
}

/// True if `name` matches `pattern`, ignoring case. In the pattern, `*` matches any bytes and `?`
/// matches one byte.
///
/// Takes time proportional to the number of stars times the length of the name.
fn matches_pattern(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&byte) if byte == b'?' || byte.eq_ignore_ascii_case(&name[n]) => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                (p, n) = (at + 1, taken + 1);
            }
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::{Patterns, matches_pattern};

    #[test]
    fn wildcards_match_any_bytes() {
        for (pattern, name, matches) in [
            ("comp.*", "comp.lang.c", true),
            ("comp.*", "Comp.lang", true),
            ("comp.*", "news.comp.x", false),
            ("*.c", "comp.lang.c", true),
            ("*.l?ng.*", "comp.lang.c", true),
            ("a*a*a", "aa", false),
            ("", "", true),
            ("x", "", false),
            ("**", "x", true),
        ] {
            assert_eq!(
                matches_pattern(pattern.as_bytes(), name.as_bytes()),
                matches,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn negated_patterns_reject() {
        let accept = |patterns: &[&str], names: &[&str]| {
            let names: Vec<_> = names.iter().map(|name| name.as_bytes()).collect();
            let patterns = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
            Patterns::new(patterns, |pattern| pattern.into()).accept(&names)
        };
        assert!(accept(&["a.*", "b.*"], &["x", "b.c"]));
        assert!(!accept(&["a.*", "!*.c"], &["a.c"]));
        assert!(!accept(&["a.*", "!*.c"], &["a.b", "x.c"]));
        assert!(accept(&["!*.c"], &["a.b"]) && accept(&["!*.c"], &[]));
        assert!(!accept(&["a"], &[]));
    }
}

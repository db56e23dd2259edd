//! Derives the heading IDs that site generators make.

use std::collections::HashMap;

/// A style of heading IDs: the rules by which a program derives them from the headings.
///
/// ```
/// use urlsift_lint::Slug;
/// assert_eq!("hugo".parse(), Ok(Slug::Hugo));
/// assert_eq!(Slug::default().name(), "github");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Slug {
    /// The IDs of GitHub, and of all programs that use `github-slugger`.
    #[default]
    GitHub,
    /// The IDs of mdBook.
    Mdbook,
    /// The IDs of Sphinx and docutils.
    Sphinx,
    /// The IDs of Hugo with its default settings.
    Hugo,
    /// The IDs of GitLab.
    GitLab,
}

impl Slug {
    /// All values.
    pub const ALL: [Self; 5] = [Self::GitHub, Self::Mdbook, Self::Sphinx, Self::Hugo, Self::GitLab];

    /// Returns the stable name, such as `github`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::GitHub => "github",
            Self::Mdbook => "mdbook",
            Self::Sphinx => "sphinx",
            Self::Hugo => "hugo",
            Self::GitLab => "gitlab",
        }
    }

    /// Returns the ID of a heading, before it is made unique. `text` is the displayed text, and
    /// `source` is the text with its markup. Returns `None` if the ID can't be predicted.
    ///
    /// ```
    /// use urlsift_lint::Slug;
    /// let id = |slug: Slug| slug.id("A & B's (c_d)", "A & B's (c_d)").unwrap();
    /// assert_eq!(id(Slug::GitHub), "a--bs-c_d");
    /// assert_eq!(id(Slug::GitLab), "a-bs-c_d");
    /// assert_eq!(id(Slug::Sphinx), "a-b-s-c-d");
    /// ```
    pub fn id(self, text: &str, source: &str) -> Option<String> {
        Some(match self {
            Self::GitHub => github(text),
            Self::GitLab => {
                let mut id = github(text.trim());
                id.dedup_hyphens();
                id
            }
            Self::Mdbook => mdbook(text),
            Self::Hugo => hugo(source),
            Self::Sphinx => return docutils(text),
        })
    }
}

impl Slug {
    /// Returns the ID that the program makes of a heading with other settings, before it is made
    /// unique. Returns `None` if there is no such ID.
    pub(crate) fn other_id(self, text: &str, source: &str) -> Option<String> {
        match self {
            // mdBook replaces two hyphens with a dash, except in code or if this is turned off.
            Self::Mdbook if text.contains("--") => Some(mdbook(&text.replace("--", ""))),
            // Old versions of mdBook insert a letter before a digit at the start of an ID.
            Self::Mdbook => Some(mdbook(text))
                .filter(|id| id.starts_with(|c: char| c.is_ascii_digit()))
                .map(|id| format!("a{id}")),
            // Markdown in Sphinx is read by MyST, which can also make GitHub's IDs.
            Self::Sphinx => Some(github(text)),
            // With `autoHeadingIDType: blackfriday`, Hugo makes the IDs of its old Markdown reader.
            Self::Hugo => Some(blackfriday(source)),
            Self::GitHub | Self::GitLab => None,
        }
    }
}

urlsift_core::by_name!(Slug);

/// Makes IDs unique within a document: the second `a` becomes `a-1`. All generators except Sphinx
/// do this.
#[derive(Default)]
pub(crate) struct Uniquifier {
    counts: HashMap<String, u32>,
}

impl Uniquifier {
    /// Returns a unique form of `id`, and records this form as used.
    pub(crate) fn unique(&mut self, id: &str) -> String {
        let mut made = id.to_owned();
        while self.counts.contains_key(&made) {
            let count = self.counts.entry(id.to_owned()).or_default();
            *count += 1;
            made = format!("{id}-{count}");
        }
        self.counts.insert(made.clone(), 0);
        made
    }
}

trait DedupHyphens {
    fn dedup_hyphens(&mut self);
}

impl DedupHyphens for String {
    /// Replaces several hyphens in a row with one.
    fn dedup_hyphens(&mut self) {
        let mut last = ' ';
        self.retain(|c| {
            let before = std::mem::replace(&mut last, c);
            c != '-' || before != '-'
        });
    }
}

fn github(text: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ => (c.is_alphanumeric() && !is_other_number(c) || is_mark(c)).then_some(c),
    };
    text.to_lowercase().chars().filter_map(kept).collect()
}

fn mdbook(text: &str) -> String {
    let kept = |c: char| match c {
        '-' | '_' => Some(c),
        _ if c.is_whitespace() => Some('-'),
        _ => c.is_alphanumeric().then_some(c),
    };
    text.trim().to_lowercase().chars().filter_map(kept).collect()
}

fn hugo(source: &str) -> String {
    let kept = |c: char| match c {
        '-' | ' ' => Some('-'),
        '_' => Some(c),
        _ => (c.is_alphanumeric() && !is_other_number(c) && !is_mark(c)).then_some(c),
    };
    // Go's conversion to lower case returns a single character for each character.
    let lower = |c: char| c.to_lowercase().next().unwrap_or(c);
    let id: String = source.trim().chars().filter_map(kept).map(lower).collect();
    if id.is_empty() { "heading".to_owned() } else { id }
}

/// Returns the letters and digits of a heading in lower case, with one hyphen between words.
fn blackfriday(source: &str) -> String {
    let words = source.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// Returns the ID that docutils makes from a title. Returns `None` if the title contains a
/// character whose decomposition this function doesn't know.
fn docutils(text: &str) -> Option<String> {
    let mut id = String::new();
    for c in text.to_lowercase().chars() {
        let plain = match c {
            'a'..='z' | '0'..='9' => {
                id.push(c);
                continue;
            }
            'đ' => "d",
            'ħ' => "h",
            'ł' => "l",
            'ŧ' => "t",
            'ß' => "sz",
            'æ' => "ae",
            'œ' => "oe",
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => "a",
            'ç' => "c",
            'è' | 'é' | 'ê' | 'ë' => "e",
            'ı' | 'ì' | 'í' | 'î' | 'ï' => "i",
            'ñ' => "n",
            'ø' | 'ò' | 'ó' | 'ô' | 'õ' | 'ö' => "o",
            'ù' | 'ú' | 'û' | 'ü' => "u",
            'ý' | 'ÿ' => "y",
            // Docutils drops these punctuation marks, because they have no decomposition.
            '\u{2010}'..='\u{201f}' => "",
            _ if c.is_ascii() || c.is_whitespace() => "-",
            _ => return None,
        };
        id.push_str(plain);
    }
    id.dedup_hyphens();
    let id = id.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit()).trim_end_matches('-');
    Some(id.to_owned())
}

/// True if `c` is a number that is not a decimal digit, such as `²` or `①`.
fn is_other_number(c: char) -> bool {
    matches!(c, '\u{b2}'..='\u{b3}' | '\u{b9}' | '\u{bc}'..='\u{be}' | '\u{9f4}'..='\u{9f9}'
        | '\u{f2a}'..='\u{f33}' | '\u{1369}'..='\u{137c}' | '\u{2070}'..='\u{2089}'
        | '\u{2150}'..='\u{215f}' | '\u{2189}' | '\u{2460}'..='\u{249b}'
        | '\u{24ea}'..='\u{24ff}' | '\u{2776}'..='\u{2793}' | '\u{3192}'..='\u{3195}'
        | '\u{3220}'..='\u{3229}' | '\u{3248}'..='\u{324f}' | '\u{3251}'..='\u{325f}'
        | '\u{3280}'..='\u{3289}' | '\u{32b1}'..='\u{32bf}')
        && c != 'ⁱ'
        && c != 'ⁿ'
}

/// True if `c` is a combining mark or a variation selector, or a connector such as `‿`.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}'
        | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}'
        | '\u{6df}'..='\u{6e4}' | '\u{6e7}'..='\u{6e8}' | '\u{6ea}'..='\u{6ed}'
        | '\u{93a}'..='\u{93c}' | '\u{93e}'..='\u{94f}' | '\u{951}'..='\u{957}'
        | '\u{962}'..='\u{963}' | '\u{9bc}' | '\u{9be}'..='\u{9cd}' | '\u{a3c}'..='\u{a4d}'
        | '\u{abc}' | '\u{abe}'..='\u{acd}' | '\u{bbe}'..='\u{bcd}' | '\u{c3e}'..='\u{c4d}'
        | '\u{cbc}' | '\u{cbe}'..='\u{ccd}' | '\u{d3b}'..='\u{d3c}' | '\u{d3e}'..='\u{d4d}'
        | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{1ab0}'..='\u{1ace}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{203f}'..='\u{2040}' | '\u{2054}'
        | '\u{20d0}'..='\u{20f0}' | '\u{302a}'..='\u{302f}' | '\u{3099}'..='\u{309a}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{ff3f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_ids_are_numbered() {
        let mut ids = Uniquifier::default();
        let made: Vec<String> =
            ["a", "a", "a-1", "b", "a"].iter().map(|id| ids.unique(id)).collect();
        assert_eq!(made, ["a", "a-1", "a-1-1", "b", "a-2"]);
    }
}

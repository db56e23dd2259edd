//! Collects the anchors of a document.

use super::directives::{Effect, effect};
use super::includes::inserts_text;
use super::template::{is_template, starts_with_action};
use crate::dialect::Markup;
use crate::slug::{Slug, Uniquifier};
use urlsift_archive::{Anchor, anchors};

/// The sorted anchors of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Anchors {
    text: Box<str>,
    /// The end of each anchor in `text`.
    ends: Box<[u32]>,
    /// True if the document may have other anchors, e.g. because it includes other files.
    pub(super) is_partial: bool,
    /// True if a heading contains non-ASCII characters.
    pub(super) has_non_ascii_heading: bool,
    /// The anchors that directives may add to the document.
    effect: Effect,
    pub(super) kind: Kind,
}

/// The kind of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// HTML, whose anchors don't depend on a style of heading IDs.
    Page,
    /// HTML with tags of a template engine. It isn't known which pages are generated from it.
    Template,
    /// Markdown and MDX.
    Markdown,
    /// Any other markup.
    #[default]
    Other,
}

impl Anchors {
    /// Collects the anchors of a document. `slug` is the style of the heading IDs in Markdown. Each
    /// label that other documents can refer to without a path is passed to `label`.
    pub(super) fn collect(
        text: &[u8],
        markup: Markup,
        slug: Slug,
        label: &mut dyn FnMut(String),
    ) -> Self {
        let kind = match markup {
            Markup::Html if is_template(text) => Kind::Template,
            Markup::Html => Kind::Page,
            Markup::Markdown | Markup::Mdx => Kind::Markdown,
            _ => Kind::Other,
        };
        let own = if markup == Markup::Rst { Slug::Sphinx } else { slug };
        let mut all: Vec<String> = Vec::new();
        let (mut ids, mut other_ids) = (Uniquifier::default(), Uniquifier::default());
        let mut effect = Effect::None;
        let mut has_non_ascii_heading = false;
        let mut is_partial =
            kind == Kind::Template || kind != Kind::Page && inserts_text(text, markup);
        anchors(text, markup, &mut |anchor| match anchor {
            Anchor::Id(id) | Anchor::Label(id) => {
                let id = String::from_utf8_lossy(id).into_owned();
                if markup == Markup::Rst || matches!(anchor, Anchor::Label(_)) {
                    all.extend(Slug::Sphinx.id(&id, &id));
                    label(id.to_lowercase());
                }
                all.push(id);
            }
            Anchor::Heading { text, source } => {
                has_non_ascii_heading |= !text.is_ascii();
                // The program that fills in the heading joins the document with others.
                is_partial |= kind == Kind::Markdown && starts_with_action(source);
                match own.id(text, source) {
                    Some(id) if own == Slug::Sphinx => all.push(id),
                    Some(id) => all.push(ids.unique(&id)),
                    None => is_partial = true,
                }
                all.extend(own.other_id(text, source).map(|id| other_ids.unique(&id)));
                if markup == Markup::AsciiDoc {
                    all.extend(
                        Slug::Sphinx
                            .id(text, source)
                            .map(|id| format!("_{}", id.replace('-', "_"))),
                    );
                }
            }
            // Of the known programs, only mdBook makes IDs of terms.
            Anchor::Term(text) if own == Slug::Mdbook => {
                all.extend(own.id(text, text).map(|id| ids.unique(&id)));
            }
            Anchor::Directive(name) => effect = effect.max(self::effect(name)),
            _ => {}
        });
        if kind == Kind::Markdown {
            attribute_ids(text, &mut |id| all.push(id));
        }
        all.sort_unstable();
        all.dedup();
        let mut joined = String::new();
        let ends = all
            .iter()
            .map_while(|anchor| {
                joined.push_str(anchor);
                u32::try_from(joined.len()).ok()
            })
            .collect();
        Self { text: joined.into(), ends, is_partial, has_non_ascii_heading, effect, kind }
    }

    fn get(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start as usize..self.ends[index] as usize]
    }

    /// Returns the anchors in alphabetical order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|index| self.get(index))
    }

    /// True if the document contains `anchor`, or if a directive may have made it.
    pub(super) fn may_contain(&self, anchor: &str) -> bool {
        self.is_partial || self.contains(anchor) || self.effect.may_make(anchor)
    }

    fn contains(&self, anchor: &str) -> bool {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.get(middle).cmp(anchor) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        false
    }

    /// Returns the anchor that has the same letters and digits as `anchor`. Returns `None` if there
    /// are several.
    pub(super) fn similar(&self, anchor: &str) -> Option<&str> {
        /// The maximum number of anchors that are compared with `anchor`. Later anchors are
        /// ignored.
        const MAX: usize = 512;
        let wanted: Vec<char> = letters(anchor).collect();
        let is_wanted = |known: &&str| letters(known).eq(wanted.iter().copied());
        let mut same = self.iter().take(MAX).filter(is_wanted);
        let found = same.next()?;
        same.next().is_none().then_some(found)
    }
}

/// Passes the IDs in attribute lists, such as `{ #name }` and `{: #name }`, to `found`.
fn attribute_ids(text: &[u8], found: &mut dyn FnMut(String)) {
    for at in memchr::memchr_iter(b'{', text) {
        let inside = &text[at + 1..];
        let inside = inside.strip_prefix(b":").unwrap_or(inside);
        let blanks = inside.iter().take_while(|b| **b == b' ').count();
        let Some(id) = inside[blanks..].strip_prefix(b"#") else { continue };
        let len =
            id.iter().take_while(|b| b.is_ascii_alphanumeric() || b"._-\\".contains(b)).count();
        if len > 0 {
            // Formatters write a backslash before an underscore.
            found(String::from_utf8_lossy(&id[..len]).replace('\\', ""));
        }
    }
}

/// Returns the letters and digits of an anchor in lower case.
fn letters(anchor: &str) -> impl Iterator<Item = char> {
    anchor.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

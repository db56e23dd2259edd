//! Reports references to link definitions that don't exist, and definitions that are duplicate or
//! unused.
//!
//! The Markdown parser finds the definitions, and all brackets without a definition. This module
//! decides which of these brackets are meant as references.

use super::labels::Labels;
use super::{DUPLICATE_DEFINITION, Links, UNDEFINED_REFERENCE, UNUSED_DEFINITION, starts_url};
use crate::edit::Edit;
use crate::example::contains_placeholder;
use crate::similar::most_similar;
use crate::tree::includes::inserts_text;
use memchr::memmem;
use urlsift_archive::{Definition, Reference, ReferenceForm, normalized_label};
use urlsift_core::{Level, Span};

/// The maximum length of a label, in bytes.
const MAX_LABEL_LEN: usize = 200;

/// The maximum number of labels in a document that are compared with a given label. If there are
/// more, no label is compared.
const MAX_COMPARED: usize = 64;

/// The maximum number of undefined labels in a document for which a similar label is looked up.
const MAX_SUGGESTED: usize = 100;

impl<'a> Links<'a> {
    /// Checks the references and definitions that start before the end of the last block.
    pub(super) fn check_references(&mut self) {
        while let Some((&reference, rest)) = self.undefined.split_first()
            && reference.whole.start < self.at
        {
            self.undefined = rest;
            self.check_undefined(reference);
        }
        while let Some(definition) = self.definitions.get(self.next_definition)
            && definition.whole.start < self.at
        {
            self.next_definition += 1;
            self.check_definition(*definition);
        }
    }

    fn labels(&self) -> &Labels {
        self.labels.get_or_init(|| {
            let mut labels =
                Labels { has_includes: inserts_text(self.text, self.markup), ..Labels::default() };
            let mut versions = 0;
            for (index, definition) in self.definitions.iter().enumerate() {
                let label = &self.text[definition.label(self.text).range()];
                if definition.is_used && is_version(label) {
                    versions += 1;
                }
                if definition.is_duplicate {
                    continue;
                }
                labels.first.entry(normalized_label(label).into_owned()).or_insert(index);
                let same = labels.by_letters.entry(letters(label)).or_insert(Some(index));
                if *same != Some(index) {
                    *same = None;
                }
            }
            let is_undefined_version = |reference: &&Reference| {
                reference.form == ReferenceForm::Shortcut
                    && is_version(&self.text[reference.label(self.text).range()])
            };
            labels.defines_versions = versions >= 2
                && self.undefined_all.iter().filter(is_undefined_version).count() <= versions;
            if !self.undefined_all.is_empty() {
                for line in self.text.split(|&b| b == b'\n').filter(|it| it.starts_with(b"#")) {
                    let marks = line.iter().take_while(|&&b| b == b'#').count();
                    let title = line[marks..].trim_ascii().trim_ascii_end();
                    labels.headings.insert(letters(title));
                }
            }
            labels
        })
    }

    /// Returns the definition whose label has the same letters and digits as the undefined `label`.
    /// Returns `None` if there are several.
    fn equal_in_letters(&self, label: &[u8]) -> Option<&'a Definition> {
        let index = self.labels().by_letters.get(&letters(label))?;
        Some(&self.definitions[(*index)?])
    }

    /// Returns the definition whose label is most similar to the undefined `label`, if the
    /// difference may be a typing mistake.
    fn most_similar_definition(&mut self, label: &[u8]) -> Option<&'a Definition> {
        self.compared += 1;
        let first = &self.labels().first;
        let normal = normalized_label(label);
        // Numbers that differ by one are not typing mistakes.
        let is_word = normal.len() > 3 && !normal.bytes().any(|b| b.is_ascii_digit());
        if !is_word || first.len() > MAX_COMPARED || self.compared > MAX_SUGGESTED {
            return None;
        }
        let near = most_similar(&normal, first.keys().map(String::as_str))?;
        Some(&self.definitions[*first.get(near)?])
    }

    fn check_undefined(&mut self, reference: Reference) {
        let span = reference.label(self.text);
        let label = &self.text[span.range()];
        let whole = &self.text[reference.whole.range()];
        let inner = match reference.form {
            ReferenceForm::Full => {
                let end = span.start.saturating_sub(2).max(reference.whole.start);
                &self.text[reference.whole.start..end]
            }
            _ => &whole[..whole.len().saturating_sub(1)],
        };
        let is_image = inner.starts_with(b"!");
        let text = inner.strip_prefix(b"!").unwrap_or(inner);
        let text = text.strip_prefix(b"[").unwrap_or(text);
        // `[`name`]` may be meant as a reference to the definition of `name`.
        let plain = match reference.form {
            ReferenceForm::Shortcut => {
                label.strip_prefix(b"`").and_then(|it| it.strip_suffix(b"`")).unwrap_or(label)
            }
            _ => label,
        };
        if self.labels().has_includes
            || !is_label(plain)
            || contains_placeholder(whole)
            || self.is_part_of_code(reference.whole)
        {
            return;
        }
        let equal = self.equal_in_letters(label);
        let is_meant = match reference.form {
            // Brackets may also be tags, as in `[win][arm64] Add tests`.
            ReferenceForm::Full => {
                let is_word = !text.iter().any(u8::is_ascii_whitespace);
                is_image
                    || is_link_text(text) && !(is_word && self.definitions.is_empty())
                    || text.starts_with(b"![")
            }
            ReferenceForm::Collapsed => is_image || is_link_text(label),
            // Most shortcuts are ordinary brackets.
            ReferenceForm::Shortcut => {
                equal.is_some_and(|it| !it.is_used) && label.len() > 2
                    || self.is_version_heading(reference.whole, label)
            }
        };
        let is_heading = reference.form != ReferenceForm::Shortcut
            && self.labels().headings.contains(&letters(label));
        if !is_meant || is_heading {
            return;
        }
        let mut edits = Vec::new();
        let mut help = None;
        if let Some(definition) = equal.or_else(|| self.most_similar_definition(label)) {
            let defined = &self.text[definition.label(self.text).range()];
            help = Some(format!("did you mean `[{}]`?", String::from_utf8_lossy(defined)));
            if equal.is_some() {
                let edit = match reference.form {
                    ReferenceForm::Full => Edit::replace(span, defined.to_vec()),
                    // This edit keeps the text that readers see.
                    ReferenceForm::Collapsed => {
                        let end = reference.whole.end - 1;
                        Edit::insert(end, defined.to_vec())
                    }
                    ReferenceForm::Shortcut => {
                        Edit::insert(reference.whole.end, [b"[", defined, b"]"].concat())
                    }
                };
                edits.push(edit);
            }
        }
        let shown = format!("no definition has the label `{}`", String::from_utf8_lossy(label));
        let found = self.report_fault(&UNDEFINED_REFERENCE, span, label, edits);
        found.message = shown.into();
        if let Some(help) = help {
            found.help = Some(help.into());
        }
    }

    /// True if the brackets at `whole` are part of a program, a regular expression or a syntax
    /// description in running text.
    fn is_part_of_code(&self, whole: Span) -> bool {
        let before = self.byte_before(whole.start).unwrap_or(b' ');
        let after = self.text.get(whole.end).copied().unwrap_or(b' ');
        before.is_ascii_alphanumeric()
            || b")]}_\"'`\\^$<=-/@#".contains(&before)
            || after.is_ascii_alphanumeric()
            || b"([{+=<".contains(&after)
            || self.is_in_code(whole.start)
    }

    /// True if `[label]` at `whole` starts a heading and is a version, and the labels of several
    /// definitions are versions, too. This is the usual form of changelogs.
    fn is_version_heading(&self, whole: Span, label: &[u8]) -> bool {
        let (line, _) = self.start_of_line_to(whole.start);
        let marks = line.iter().take_while(|&&b| b == b'#').count();
        marks > 1
            && line[marks..].trim_ascii().is_empty()
            && is_version(label)
            && self.labels().defines_versions
    }

    fn check_definition(&mut self, definition: Definition) {
        let span = definition.label(self.text);
        let label = &self.text[span.range()];
        let target = self.text[span.end..definition.whole.end].strip_prefix(b"]:");
        let target = target.unwrap_or_default().trim_ascii();
        // `[//]: # (a comment)`
        let is_comment = target.starts_with(b"#") && target.get(1).is_none_or(|&b| b == b' ')
            || target.starts_with(b"<>")
            || label.starts_with(b"/")
            || label.starts_with(b"^")
            || label.eq_ignore_ascii_case(b"comment");
        if is_comment {
            return;
        }
        let name = String::from_utf8_lossy(label).into_owned();
        let url = target.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        if definition.is_duplicate {
            let first = self.labels().first.get(&*normalized_label(label)).copied();
            let Some(first) = first.and_then(|index| self.definitions.get(index)) else { return };
            let earlier = first.label(self.text);
            let same = &self.text[earlier.end..first.whole.end];
            let same = same.strip_prefix(b"]:").unwrap_or_default().trim_ascii();
            let without_slash = |text: &'a [u8]| text.strip_suffix(b"/").unwrap_or(text);
            let is_same = without_slash(same) == without_slash(target);
            let found = self.report_fault(&DUPLICATE_DEFINITION, span, url, Vec::new());
            found.message = format!("the label `{name}` is already defined").into();
            found.labels.push(crate::diagnostic::Label {
                span: earlier,
                text: "the first definition, which is used".to_owned(),
            });
            if is_same {
                found.level = Level::Info;
            }
        } else if !definition.is_used
            && !self.is_for_other_texts()
            && !self.is_meant_elsewhere(label)
        {
            let found = self.report_fault(&UNUSED_DEFINITION, span, url, Vec::new());
            found.message = format!("no link uses the definition of `{name}`").into();
        }
    }

    /// True if an undefined reference has the same letters and digits as `label`. The definition is
    /// then not reported as unused, because the reference is reported.
    fn is_meant_elsewhere(&self, label: &[u8]) -> bool {
        let wanted = letters(label);
        self.undefined_all.len() <= MAX_COMPARED
            && self
                .undefined_all
                .iter()
                .any(|it| letters(&self.text[it.label(self.text).range()]) == wanted)
    }

    /// True if the text consists mostly of definitions, which are then meant for other files, or if
    /// it includes other files.
    fn is_for_other_texts(&self) -> bool {
        let len: usize = self.definitions.iter().map(|it| it.whole.len() + 1).sum();
        self.labels().has_includes || len * 10 >= self.text.trim_ascii().len() * 9
    }
}

/// Returns the letters and digits of a label in lower case.
fn letters(label: &[u8]) -> String {
    let label = String::from_utf8_lossy(label);
    label.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// True if `label` may be the label of a definition. False for notes, citations, URLs, and names of
/// program items that a documentation generator links.
fn is_label(label: &[u8]) -> bool {
    let is_name = |part: &[u8]| {
        part.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
            && part.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    let is_item = label.contains(&b'.') && label.split(|&b| b == b'.').all(is_name)
        || memmem::find(label, b"::").is_some();
    !label.is_empty()
        && label.len() <= MAX_LABEL_LEN
        && label.iter().any(|b| b.is_ascii_alphanumeric() || !b.is_ascii())
        && !label.iter().any(|b| b"{}<>|\\=$\"`()*;".contains(b))
        && !b"^@!#$-+&%~?:,. ".contains(&label[0])
        && !starts_url(label)
        && !is_item
        && !is_character_class(label)
}

/// True if `text` looks like the text of a link and not like an index or a placeholder. It must
/// contain a non-ASCII character, or a word of at least three letters with a lower-case letter.
fn is_link_text(text: &[u8]) -> bool {
    let has_word = text
        .split(|b| !b.is_ascii_alphabetic())
        .any(|word| word.len() >= 3 && word.iter().any(u8::is_ascii_lowercase));
    let is_image = text.starts_with(b"![");
    is_image
        || (has_word || !text.is_ascii()) && !text.starts_with(b"[") && !is_character_class(text)
}

/// True if `text` contains a range of a regular expression, such as `a-z`.
fn is_character_class(text: &[u8]) -> bool {
    [&b"a-z"[..], b"A-Z", b"0-9", b"a-f"].iter().any(|range| memmem::find(text, range).is_some())
}

/// True if `label` is a version number.
fn is_version(label: &[u8]) -> bool {
    let digits = label.strip_prefix(b"v").unwrap_or(label);
    digits.first().is_some_and(u8::is_ascii_digit) && digits.contains(&b'.')
}

//! Reports relative links to files and anchors that don't exist.

use super::{Links, MISSING_ANCHOR, MISSING_FILE};
use crate::dialect::{Dialect, Markup};
use crate::edit::Edit;
use crate::markup::{self, Region};
use crate::tree::check::{Broken, Local};
use memchr::memmem;
use std::borrow::Cow;
use std::collections::HashSet;
use urlsift_core::{Level, Span};

impl<'a> Links<'a> {
    /// Checks the relative link in `region` against the files of the tree.
    pub(super) fn check_local_target(&mut self, region: Region) {
        let Some(local) = self.local else { return };
        // In reStructuredText, `text <name_>`_ refers to a target by its name, not by its path.
        if self.markup == Markup::Rst && self.text[region.span.range()].ends_with(b"_") {
            return;
        }
        // HTML in a file that isn't named like a page may be a fragment, so its links aren't
        // checked.
        if self.markup == Markup::Html && !local.is_document() || self.is_sample(local) {
            return;
        }
        // A form is sent to a program.
        if self.markup == Markup::Html && self.is_form_action(region.span.start) {
            return;
        }
        // No reader sees a definition that no link uses.
        if self.is_in_unused_definition(region.span) {
            return;
        }
        let value = self.value_of(region);
        if value.starts_with(b"#") && self.is_in_contributors(region.span) {
            return;
        }
        if let Some(broken) = local.check(&value) {
            self.report_broken_target(broken, region.span);
        }
    }

    /// True if the value at `start` is that of the attribute `action`.
    fn is_form_action(&self, start: usize) -> bool {
        let before = self.text[..start].trim_ascii_end();
        let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'"));
        let before = before.unwrap_or_else(|| self.text[..start].trim_ascii_end()).trim_ascii_end();
        let name = before.strip_suffix(b"=").unwrap_or_default().trim_ascii_end();
        let name = &name[name.len().saturating_sub(b"action".len())..];
        name.eq_ignore_ascii_case(b"action")
    }

    /// True if the target at `span` is that of a Markdown definition which no link uses.
    fn is_in_unused_definition(&self, span: Span) -> bool {
        let next = self.definitions.partition_point(|it| it.whole.start <= span.start);
        let last = next.checked_sub(1).map(|last| &self.definitions[last]);
        last.is_some_and(|it| !it.is_used && span.end <= it.whole.end)
    }

    /// True if the link at `span` is in the list that the program all-contributors writes. For
    /// contributions without a page, it writes fragments that lead nowhere.
    fn is_in_contributors(&self, span: Span) -> bool {
        let list = self.contributors.get_or_init(|| {
            let start = memmem::find(self.text, b"<!-- ALL-CONTRIBUTORS-LIST:START")?;
            let len = memmem::find(&self.text[start..], b"<!-- ALL-CONTRIBUTORS-LIST:END")?;
            Some(Span::new(start, start + len))
        });
        list.is_some_and(|list| list.start < span.start && span.end <= list.end)
    }

    /// True if the link at `span` is displayed only if an attribute of `AsciiDoc` is set. Programs
    /// that convert the document set such attributes, maybe after copying it to another directory.
    fn is_in_condition(&self, span: Span) -> bool {
        self.markup == Markup::AsciiDoc && {
            let blocks = self.conditions.get_or_init(|| conditional_blocks(self.text));
            let next = blocks.partition_point(|it| it.end <= span.start);
            blocks.get(next).is_some_and(|it| it.start <= span.start)
        }
    }

    /// Returns the target in `region` with its escapes decoded.
    fn value_of(&self, region: Region) -> Cow<'a, [u8]> {
        markup::decoded_value(self.text, region, Dialect::Text(self.markup)).text
    }

    /// True if the text is probably a sample document, or a template that a program fills in:
    /// several of its relative links (in a short HTML page, at least one) lead to missing files,
    /// and none leads to a file.
    fn is_sample(&self, local: Local<'_>) -> bool {
        /// The maximum length in bytes of such an HTML page.
        const MAX_PAGE_LEN: usize = 2048;
        /// The minimum number of different targets that lead to no file, in other documents.
        const MIN_MISSING: usize = 4;
        let is_page = self.markup == Markup::Html;
        if is_page && self.text.len() > MAX_PAGE_LEN {
            return false;
        }
        *self.sample.get_or_init(|| {
            let mut missing = HashSet::new();
            let regions = self.regions.iter().filter(|it| it.kind.is_whole_url());
            let mut targets: Vec<_> = regions.map(|region| self.value_of(*region)).collect();
            if self.markup == Markup::AsciiDoc {
                let spans = self.asciidoc_targets(Span::new(0, self.text.len()));
                targets.extend(spans.iter().map(|span| Cow::Borrowed(&self.text[span.range()])));
            }
            for value in targets {
                if local.leads_to_file(&value) {
                    return false;
                }
                if let Some(Broken::File { path, .. }) = local.check(&value) {
                    missing.insert(path);
                }
            }
            missing.len() >= if is_page { 1 } else { MIN_MISSING }
        })
    }

    /// Checks the relative targets of `link:path[text]` and `xref:path[text]` in `AsciiDoc`.
    pub(super) fn check_asciidoc_macros(&mut self, block: Span) {
        let Some(local) = self.local else { return };
        if self.is_sample(local) {
            return;
        }
        for target in self.asciidoc_targets(block) {
            if let Some(broken) = local.check(&self.text[target.range()]) {
                self.report_broken_target(broken, target);
            }
        }
    }

    /// Returns the spans of the relative targets of `link:path[text]` and `xref:path[text]` in a
    /// block of `AsciiDoc`.
    fn asciidoc_targets(&self, block: Span) -> Vec<Span> {
        let opens = memchr::memchr_iter(b'[', &self.text[block.range()]);
        let targets = opens.filter_map(|open| {
            let open = block.start + open;
            let (line, start) = self.start_of_line_to(open);
            // The value of an attribute is displayed where it is used, maybe in other documents.
            if is_attribute_entry(line) {
                return None;
            }
            let is_delimiter = |b: &u8| b.is_ascii_whitespace() || b"([\"'>".contains(b);
            let from = line.iter().rposition(is_delimiter).map_or(0, |at| at + 1);
            let word = &line[from..];
            let target = word.strip_prefix(b"link:").or_else(|| {
                // Without an extension, the target is the ID of a section.
                word.strip_prefix(b"xref:").filter(|it| it.contains(&b'.'))
            })?;
            let from = start + line.len() - target.len();
            (!self.is_in_code(open)).then(|| Span::new(from, open))
        });
        targets.collect()
    }

    /// Reports that the file or anchor of the target at `span` doesn't exist.
    fn report_broken_target(&mut self, broken: Broken, span: Span) {
        if self.is_in_condition(span) {
            return;
        }
        let raw = &self.text[span.range()];
        // An HTML page in a repository is often only a part of a page, or of the site that contains
        // it: the site's build, or a script, adds the files and IDs that the page needs.
        let is_unsure =
            self.markup == Markup::Html || self.local.is_some_and(|it| it.is_change_log());
        let (found, is_info) = match broken {
            Broken::File { path, is_kept_elsewhere } => {
                let found = self.report_fault(&MISSING_FILE, span, raw, Vec::new());
                found.message = format!("there is no file `{path}`").into();
                (found, is_unsure || is_kept_elsewhere)
            }
            Broken::Anchor { path, similar, is_found_on_github } => {
                let hash = memchr::memchr(b'#', raw).unwrap_or_default();
                let fragment = Span::new(span.start + hash + 1, span.end);
                let name = String::from_utf8_lossy(&raw[hash + 1..]).into_owned();
                let edits =
                    similar.as_ref().map(|id| Edit::replace(fragment, id.clone().into_bytes()));
                let edits = edits.into_iter().collect();
                let found = self.report_fault(&MISSING_ANCHOR, fragment, raw, edits);
                found.message = format!("there is no heading or ID `{name}` in `{path}`").into();
                if let Some(id) = similar {
                    found.help = Some(format!("write `#{id}`").into());
                }
                (found, is_unsure || is_found_on_github)
            }
        };
        if is_info {
            found.level = Level::Info;
        }
    }
}

/// True if a line of `AsciiDoc` up to the target of a link is the definition of an attribute, such as
/// `:name: link:a.adoc[a]`.
fn is_attribute_entry(line: &[u8]) -> bool {
    let name = line.strip_prefix(b":").unwrap_or_default();
    let len = name.iter().take_while(|b| b.is_ascii_alphanumeric() || b"_-".contains(b)).count();
    len > 0 && name[len..].starts_with(b": ")
}

/// Returns the blocks of an `AsciiDoc` document that start with `ifdef` or `ifeval`, in order. A block
/// for GitHub, with the attribute `env-github`, is not one of them, and nested blocks are part of the
/// outer one. Takes linear time.
fn conditional_blocks(text: &[u8]) -> Vec<Span> {
    let mut blocks = Vec::new();
    // For each open block, its start if no outer block is in the result.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut is_in_block = false;
    let mut start = 0;
    for line in text.split_inclusive(|b| *b == b'\n') {
        let end = start + line.len();
        let condition = line.strip_prefix(b"ifdef::").or_else(|| line.strip_prefix(b"ifeval::"));
        if line.starts_with(b"endif::") {
            if let Some(Some(start)) = open.pop() {
                blocks.push(Span::new(start, end));
                is_in_block = false;
            }
        } else if condition.is_some() || line.starts_with(b"ifndef::") {
            let is_hidden = !is_in_block
                && condition.is_some_and(|it| memmem::find(it, b"env-github").is_none());
            if line.starts_with(b"ifeval::") || line.trim_ascii_end().ends_with(b"[]") {
                open.push(is_hidden.then_some(start));
                is_in_block |= is_hidden;
            } else if is_hidden {
                // The brackets contain the text, and no `endif` follows.
                blocks.push(Span::new(start, end));
            }
        }
        start = end;
    }
    let unclosed = open.into_iter().flatten().next();
    blocks.extend(unclosed.map(|start| Span::new(start, text.len())));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditional_blocks_are_found() {
        for (text, expected) in [
            ("a\nifdef::b[]\nc\nendif::[]\nd\n", &["ifdef::b[]\nc\nendif::[]\n"][..]),
            ("ifdef::b[c]\nd\nifeval::[1 > 2]\ne", &["ifdef::b[c]\n", "ifeval::[1 > 2]\ne"]),
            ("ifdef::env-github[]\na\nendif::[]\nifndef::b[]\nc\nendif::b[]\n", &[]),
            (
                "ifndef::a[]\nifdef::b[]\nifndef::c[]\nendif::c[]\nd\nendif::b[]\nendif::a[]\n",
                &["ifdef::b[]\nifndef::c[]\nendif::c[]\nd\nendif::b[]\n"],
            ),
            ("endif::a[]\nb ifdef::c[]\n", &[]),
        ] {
            let blocks = conditional_blocks(text.as_bytes());
            let blocks: Vec<_> = blocks.iter().map(|it| &text[it.range()]).collect();
            assert_eq!(blocks, expected, "{text}");
        }
    }
}

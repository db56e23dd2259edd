//! Changes files: applies fixes, and adds comments that make the linter ignore its diagnostics.

use super::file::Run;
use crate::io::replace::replace;
use crate::platform;
use crate::print::lint::Rendered;
use crate::run::settings::absolute;
use std::borrow::Cow;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::PoisonError;
use urlsift_archive::unpack::detect_unreadable;
use urlsift_archive::{Head, Reading, detect, utf16_mark_is_big_endian};
use urlsift_lint::{
    Applicability, Diagnostic, Fix, Fixed, Judge, add_ignore, file_name, unified_diff,
};

impl Run<'_> {
    /// True if this run changes files: it applies fixes or adds ignore comments.
    fn changes_text(&self) -> bool {
        self.least.is_some() || self.args.add_ignore
    }

    /// True if this run changes files, but not one whose content is `text`.
    pub(super) fn must_not_change(&self, text: &[u8]) -> bool {
        self.changes_text() && !is_changeable(text)
    }

    /// True if this run changes the text of a file that has the diagnostic `found`.
    pub(super) fn changes(&self, found: &Diagnostic) -> bool {
        let is_applied = |fix: &Fix| self.least.is_some_and(|least| fix.applicability >= least);
        self.args.add_ignore || found.fix.as_ref().is_some_and(is_applied)
    }

    /// True if this run changes files, and it has already processed the same file under another
    /// name or link. Otherwise records the file as processed.
    pub(super) fn was_fixed_already(&self, path: &Path) -> bool {
        self.changes_text()
            && fs::metadata(path).is_ok_and(|meta| {
                let mut fixed_files =
                    self.fixed_files.lock().unwrap_or_else(PoisonError::into_inner);
                platform::file_id_at(path, &meta).is_some_and(|id| !fixed_files.insert(id))
            })
    }

    /// Applies the fixes to `text`, the content of the file at `path`, or adds comments to it, as
    /// the arguments say, and writes the file. Returns the text that the file now contains.
    pub(super) fn change_text<'t>(
        &self,
        rendered: &mut Rendered,
        path: &Path,
        text: &'t [u8],
        is_stdin: bool,
        judge: &Judge,
    ) -> Cow<'t, [u8]> {
        let mut text = Cow::Borrowed(text);
        let can_change = !self.must_not_change(&text);
        if let Some(least) = self.least
            && can_change
            && let Some(fixed) = self.fix_file(rendered, path, &text, is_stdin, judge, least)
        {
            text = Cow::Owned(fixed);
        }
        if self.args.add_ignore
            && can_change
            && let Some(ignored) = self.add_ignore_comments(rendered, path, &text, is_stdin, judge)
        {
            text = Cow::Owned(ignored);
        }
        text
    }

    /// Fixes the file at `path`, whose content is `text`. With `--diff`, renders the changes
    /// instead. Only fixes with at least the applicability `min_applicability` are applied.
    ///
    /// Returns the new text if the file was fixed, and `None` if it is unchanged. If `is_stdin` is
    /// true, the text comes from standard input, and no file is written.
    fn fix_file(
        &self,
        rendered: &mut Rendered,
        path: &Path,
        text: &[u8],
        is_stdin: bool,
        judge: &Judge,
        min_applicability: Applicability,
    ) -> Option<Vec<u8>> {
        let Fixed { applied, secrets, .. } =
            judge.fix(&absolute(path), text, self.reading, min_applicability, self.args.level);
        if applied.fixes == 0 {
            return None;
        }
        if !applied.settled {
            let message = "not changed: the fixes undo each other; please report this bug";
            self.report_failure(rendered, path, message);
            return None;
        }
        if self.args.diff {
            let diff = unified_diff(
                &name_in_diff(path),
                text,
                &applied,
                secrets.each_ref().map(|it| &**it),
            );
            rendered.add_diff(path, &diff);
            return None;
        }
        self.replace_content(rendered, path, text, &applied.text, is_stdin).then(|| {
            rendered.totals.fixed = applied.fixes as u64;
            applied.text
        })
    }

    /// Adds comments to a file that make the linter ignore its diagnostics. Returns the new text,
    /// or `None` if no comment was added or the file couldn't be written.
    fn add_ignore_comments(
        &self,
        rendered: &mut Rendered,
        path: &Path,
        text: &[u8],
        is_stdin: bool,
        judge: &Judge,
    ) -> Option<Vec<u8>> {
        let mut found = self.collect_diagnostics(path, text, judge);
        found.retain(|diagnostic| diagnostic.level >= self.args.level);
        let lint = |text: &[u8]| self.collect_diagnostics(path, text, judge);
        let ignored = add_ignore(text, file_name(path), self.reading, &found, lint);
        if ignored.comments == 0 {
            return None;
        }
        self.replace_content(rendered, path, text, &ignored.text, is_stdin).then(|| {
            rendered.totals.ignored = ignored.comments as u64;
            ignored.text
        })
    }

    /// Replaces the content of the file at `path`, which was `old_text`, by `new_text`. Does
    /// nothing if `is_stdin` is true. Returns true on success. If writing fails, reports the error
    /// and returns false.
    fn replace_content(
        &self,
        rendered: &mut Rendered,
        path: &Path,
        old_text: &[u8],
        new_text: &[u8],
        is_stdin: bool,
    ) -> bool {
        let written =
            if is_stdin { Ok(()) } else { replace(path, old_text, new_text, &self.inputs) };
        written.map_err(|error| self.report_failure(rendered, path, &format!("{error:#}"))).is_ok()
    }
}

/// Returns the path that a diff shows for a file, with symbolic links resolved, because `--fix`
/// changes the target of a link.
///
/// The path is relative to the current directory. For a file outside of that directory, it is the
/// absolute path without its leading `/`.
fn name_in_diff(path: &Path) -> Vec<u8> {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| absolute(path));
    let full = real(path);
    let relative = full.strip_prefix(real(Path::new("."))).unwrap_or(&full);
    let names = relative.components().filter(|it| matches!(it, Component::Normal(_)));
    platform::bytes_with_slashes(&names.collect::<PathBuf>()).into_owned()
}

/// True if a fix can't damage a file with the content `text`: it is not a binary file, such as a
/// PDF file or a font, in which other bytes depend on the position of a URL. Binary files have many
/// control characters that texts don't use. A text may have a stray one, and UTF-16 has many NULs.
fn is_changeable(text: &[u8]) -> bool {
    const MAX_STRAY: usize = 2;
    let is_of_binary =
        |byte: &&u8| byte.is_ascii_control() && !b"\x08\t\n\x0b\x0c\r\x1a\x1b".contains(byte);
    detect_unreadable(None, text).is_none()
        && !detect(Head::of(text), None, Reading::Auto).is_packed_item()
        && (utf16_mark_is_big_endian(text).is_some()
            || text.iter().filter(is_of_binary).nth(MAX_STRAY).is_none())
}

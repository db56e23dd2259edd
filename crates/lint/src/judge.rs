//! Lints files with the settings of the nearest `urlsift.toml`. A linter is cached for each
//! combination of overrides.

use crate::apply::{self, Applied};
use crate::edit::Applicability;
use crate::linter::{Linted, Linter};
use crate::parts::Part;
use crate::settings::Settings;
use crate::test_document;
use crate::tree::Tree;
use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use urlsift_archive::Reading;
use urlsift_core::{Level, Span};

/// A linter and fixer of files, with the settings of one `urlsift.toml`. Create it once for each
/// settings file, and share it between threads.
///
/// ```
/// use urlsift_lint::{Judge, Settings};
///
/// let text = "[[overrides]]\nfiles = ['rfc/*']\nstrict = true";
/// let judge = Judge::new(Settings::parse(text, "/home/joe".as_ref())?, Some("/home/joe/urlsift.toml".into()));
/// assert!(judge.linter_for("/home/joe/rfc/a".as_ref()).config().strict);
/// assert!(!judge.linter_for("/home/joe/a".as_ref()).config().strict);
/// # Ok::<(), urlsift_lint::BadSettings>(())
/// ```
#[derive(Default)]
pub struct Judge {
    settings: Settings,
    file: Option<PathBuf>,
    /// The working directory, or `None` if it is unknown.
    working_directory: Option<PathBuf>,
    /// The trees against which relative links are checked.
    trees: Arc<[Tree]>,
    /// A cache of linters, by the indexes of the overrides that apply.
    linters: Mutex<HashMap<Vec<usize>, Arc<Linter>>>,
}

impl Judge {
    /// Creates a judge that applies these settings. `file` is the file from which they were read,
    /// if any.
    ///
    /// In files that are test data, rules report remarks, except in strict mode and for rules that
    /// the settings select or give a level. A file is test data if a directory in its path is named
    /// `tests`, `fixtures` or similar. The path is relative to the directory of `file` or, for
    /// other files, to the working directory.
    ///
    /// ```
    /// use urlsift_archive::Reading;
    /// use urlsift_lint::{Judge, Level, Settings};
    ///
    /// let judge = Judge::new(Settings::default(), Some("/home/tests/urlsift.toml".into()));
    /// let level = |path: &str| {
    ///     let mut level = None;
    ///     let text = b"At http:/www.host.dom/ now.";
    ///     judge.lint_parts(path.as_ref(), text, Reading::Auto, &mut |part| {
    ///         level = part.diagnostics.first().map(|found| found.level);
    ///     });
    ///     level
    /// };
    /// assert_eq!(level("/home/tests/a.txt"), Some(Level::Error));
    /// assert_eq!(level("/home/tests/fixtures/a.txt"), Some(Level::Info));
    /// ```
    pub fn new(settings: Settings, file: Option<PathBuf>) -> Self {
        let working_directory = env::current_dir().ok();
        Self { settings, file, working_directory, ..Self::default() }
    }

    /// Checks relative links against `trees`. If a file is in several trees, its links are checked
    /// against the first of these trees.
    ///
    /// ```
    /// use urlsift_archive::Reading;
    /// use urlsift_lint::{Judge, Settings, Slug, Tree};
    ///
    /// let mut tree = Tree::new("/home/joe".into(), Slug::GitHub);
    /// let text = b"# The mill\n\n[a](wheel.md) [b](#the-mill)\n";
    /// tree.add_file("a.md".as_ref(), Some(text));
    /// let judge = Judge::new(Settings::default(), None).with_trees([tree].into());
    /// let mut codes = Vec::new();
    /// judge.lint_parts("/home/joe/a.md".as_ref(), text, Reading::Auto, &mut |part| {
    ///     codes.extend(part.diagnostics.iter().map(|found| found.code));
    /// });
    /// assert_eq!(codes, ["link.missing-file"]);
    /// ```
    #[must_use]
    pub fn with_trees(mut self, trees: Arc<[Tree]>) -> Self {
        self.trees = trees;
        self
    }

    /// Returns the path of the file from which the settings were read, or `None` if they don't come
    /// from a file.
    pub fn settings_file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Returns the settings that the judge applies.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the linter for the file at `path`, which must be absolute. Files may have different
    /// configurations because of overrides in the settings.
    ///
    /// Linters are cached, so only the first file with a configuration takes the time of
    /// [`Linter::new`].
    pub fn linter_for(&self, path: &Path) -> Arc<Linter> {
        let overriding = self.settings.matching_overrides(path);
        let mut linters = self.linters.lock().unwrap_or_else(PoisonError::into_inner);
        let linter = linters.entry(overriding).or_insert_with_key(|overriding| {
            Arc::new(Linter::new(self.settings.config_with_overrides(overriding)))
        });
        Arc::clone(linter)
    }

    /// Lints `text`, the content of the file at `path`, with the settings for this path. `path`
    /// must be absolute or empty. `reading` is the format to assume, or automatic detection. Rules
    /// that the settings turn off for the file aren't reported.
    ///
    /// The diagnostics are passed to `take` in parts, as in [`Linter::lint_file_parts`].
    pub fn lint_parts(
        &self,
        path: &Path,
        text: &[u8],
        reading: Reading,
        take: &mut dyn FnMut(&mut Part),
    ) -> Linted {
        let linter = self.linter_for(path);
        let is_test_data = self.is_test_data(path);
        let take = &mut |part: &mut Part| {
            part.diagnostics.retain(|found| !self.settings.turns_off_rule(path, found.code));
            if is_test_data {
                part.diagnostics.iter_mut().for_each(|it| linter.config().lower_to_remark(it));
            }
            take(part);
        };
        let local = self.trees.iter().find_map(|tree| tree.local(path));
        linter.lint_file_of_tree(text, file_name(path), reading, local, take)
    }

    /// True if the file at `path` is test data.
    fn is_test_data(&self, path: &Path) -> bool {
        let of_settings = self.file.as_deref().and_then(Path::parent);
        let mut roots = of_settings.into_iter().chain(self.working_directory.as_deref());
        let inside = roots.find_map(|root| path.strip_prefix(root).ok());
        inside.is_some_and(test_document::is_test_data)
    }

    /// Lints `text`, the content of the file at `path`, and applies the fixes, again and again,
    /// until nothing is left to fix. `reading` is the format to assume, or automatic detection.
    ///
    /// Only diagnostics of at least the level `level`, and fixes with at least the applicability
    /// `min_applicability`, are used.
    ///
    /// ```
    /// use urlsift_archive::Reading;
    /// use urlsift_lint::{Applicability, Judge, Level};
    /// let text = b"At http:/www.host.dom/ now.";
    /// let fixed = Judge::default().fix("/a.txt".as_ref(), text, Reading::Auto, Applicability::Safe, Level::Info);
    /// assert_eq!(fixed.applied.text, b"At http://www.host.dom/ now.");
    /// ```
    pub fn fix(
        &self,
        path: &Path,
        text: &[u8],
        reading: Reading,
        min_applicability: Applicability,
        level: Level,
    ) -> Fixed {
        let mut secrets: [Option<Vec<Span>>; 2] = [None, None];
        let applied = apply::apply_until_stable(text, min_applicability, |text| {
            let mut diagnostics = Vec::new();
            let linted = self.lint_parts(path, text, reading, &mut |part| {
                part.diagnostics.retain(|found| found.level >= level && found.fix.is_some());
                diagnostics.append(&mut part.diagnostics);
            });
            let [first, last] = &mut secrets;
            *(if first.is_none() { first } else { last }) = Some(linted.secrets);
            diagnostics
        });
        let [first, last] = secrets;
        let first = first.unwrap_or_default();
        let last = last.unwrap_or_else(|| first.clone());
        Fixed { applied, secrets: [first, last] }
    }
}

/// A file after fixes were applied to it. It is the result of [`Judge::fix`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fixed {
    /// The new text and the edits that produce it.
    pub applied: Applied,
    /// The spans of the passwords in the old text and in the new text.
    pub secrets: [Vec<Span>; 2],
}

/// Returns the last component of `path`, which the linter uses to detect the format of a file.
/// Returns `None` for the path `-`, which means standard input.
pub fn file_name(path: &Path) -> Option<&[u8]> {
    path.file_name().map(OsStr::as_encoded_bytes).filter(|name| *name != b"-")
}

/// A lookup of the `urlsift.toml` that applies to a directory. It reads each such file only once.
/// `T` is the type to which the caller parses a file.
///
/// ```
/// use urlsift_lint::NearestSettings;
///
/// let mut nearest = NearestSettings::default();
/// let mut read = |file: &std::path::Path| (file == "/home/urlsift.toml").then_some("theirs");
/// assert_eq!(nearest.nearest("/home/joe/a".as_ref(), &"nobody's", &mut read), "theirs");
/// assert_eq!(nearest.nearest("/usr".as_ref(), &"nobody's", &mut read), "nobody's");
/// ```
#[derive(Clone, Debug)]
pub struct NearestSettings<T> {
    by_directory: HashMap<PathBuf, T>,
}

impl<T> Default for NearestSettings<T> {
    fn default() -> Self {
        Self { by_directory: HashMap::new() }
    }
}

impl<T: Clone> NearestSettings<T> {
    /// Returns the parsed `urlsift.toml` that applies to `directory`, an absolute path. It is the
    /// one in `directory` or in the nearest directory above. If there is none, returns `fallback`.
    ///
    /// `read` must parse the file at a path, and return `None` if the file doesn't exist.
    pub fn nearest(
        &mut self,
        directory: &Path,
        fallback: &T,
        read: &mut dyn FnMut(&Path) -> Option<T>,
    ) -> T {
        if let Some(known) = self.by_directory.get(directory) {
            return known.clone();
        }
        let found = read(&directory.join(Settings::NAME));
        let found = found.unwrap_or_else(|| match directory.parent() {
            Some(above) => self.nearest(above, fallback, read),
            None => fallback.clone(),
        });
        self.by_directory.insert(directory.to_owned(), found.clone());
        found
    }

    /// Forgets all files that were read, so that changed files are read again.
    pub fn clear_cache(&mut self) {
        self.by_directory.clear();
    }
}

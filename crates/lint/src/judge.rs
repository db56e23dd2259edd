//! What holds for a file: the settings of the nearest `urlsift.toml` at or above it, and the linter that they make.

use crate::linter::Linter;
use crate::settings::Settings;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Settings, and the linters of the files that they hold for. Made once, shared between threads.
///
/// ```
/// use urlsift_lint::{Judge, Settings};
///
/// let text = "[[overrides]]\nfiles = ['rfc/*']\nstrict = true";
/// let judge = Judge::new(Settings::parse(text, "/home/joe".as_ref())?, Some("/home/joe/urlsift.toml".into()));
/// assert!(judge.linter("/home/joe/rfc/a".as_ref()).config().strict);
/// assert!(!judge.linter("/home/joe/a".as_ref()).config().strict);
/// # Ok::<(), urlsift_lint::BadSettings>(())
/// ```
#[derive(Default)]
pub struct Judge {
    settings: Settings,
    file: Option<PathBuf>,
    /// By the overrides of the settings that hold.
    linters: Mutex<HashMap<Vec<usize>, Arc<Linter>>>,
}

impl Judge {
    /// The judge by these settings, and the file that they come from, if any. Linters are made when they are needed.
    pub fn new(settings: Settings, file: Option<PathBuf>) -> Self {
        Self { settings, file, linters: Mutex::default() }
    }

    /// Where the settings come from.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// What holds.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The linter for the file at an absolute path. Costs a look at the overrides, and for the first file of a kind a
    /// [`Linter::new`].
    pub fn linter(&self, path: &Path) -> Arc<Linter> {
        let overriding = self.settings.overriding(path);
        let mut linters = self.linters.lock().unwrap_or_else(PoisonError::into_inner);
        let linter = linters.entry(overriding).or_insert_with_key(|overriding| {
            Arc::new(Linter::new(self.settings.overridden(overriding)))
        });
        Arc::clone(linter)
    }
}

/// What the nearest `urlsift.toml` means for each directory; each of them is read once.
///
/// ```
/// use urlsift_lint::Nearest;
///
/// let mut nearest = Nearest::default();
/// let mut read = |file: &std::path::Path| (file == "/home/urlsift.toml").then_some("theirs");
/// assert_eq!(nearest.of("/home/joe/a".as_ref(), &"nobody's", &mut read), "theirs");
/// assert_eq!(nearest.of("/usr".as_ref(), &"nobody's", &mut read), "nobody's");
/// ```
#[derive(Clone, Debug)]
pub struct Nearest<T> {
    by_directory: HashMap<PathBuf, T>,
}

impl<T> Default for Nearest<T> {
    fn default() -> Self {
        Self { by_directory: HashMap::new() }
    }
}

impl<T: Clone> Nearest<T> {
    /// What holds in `directory`, an absolute path. `read` is asked what a file means, if it is there; if none is, up to the
    /// root, `otherwise` holds.
    pub fn of(
        &mut self,
        directory: &Path,
        otherwise: &T,
        read: &mut dyn FnMut(&Path) -> Option<T>,
    ) -> T {
        if let Some(known) = self.by_directory.get(directory) {
            return known.clone();
        }
        let found = read(&directory.join(Settings::NAME));
        let found = found.unwrap_or_else(|| match directory.parent() {
            Some(above) => self.of(above, otherwise, read),
            None => otherwise.clone(),
        });
        self.by_directory.insert(directory.to_owned(), found.clone());
        found
    }

    /// Has all files read again when they are needed.
    pub fn forget(&mut self) {
        self.by_directory.clear();
    }
}

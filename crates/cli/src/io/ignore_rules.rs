//! Reads ignore files: `.ignore` and `.rgignore` anywhere, and `.gitignore`, `.git/info/exclude`
//! and the user's global ignore file inside a git repository.

use super::explain::{error_with_message, explain};
use super::open::read_config_file;
use crate::platform;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The ignore rules that apply in one directory: those of its own ignore files and of the ignore
/// files in its ancestors.
#[derive(Clone, Default)]
pub(super) struct Rules {
    /// The rules of each ignore file, from the outermost directory to the innermost.
    files: Vec<RuleFile>,
    /// True if the directory is inside a git repository.
    repository: bool,
}

/// The class of `.gitignore` files: see [`RuleFile::class`].
const GIT: u8 = 2;

/// The rules from one ignore file, with their precedence.
#[derive(Clone)]
struct RuleFile {
    rules: Arc<Gitignore>,
    /// The precedence of the file. Rules of a lower class override those of higher classes at any
    /// depth. The classes are `.rgignore`, `.ignore`, `.gitignore`, `.git/info/exclude` and the
    /// global file. Classes from [`GIT`] on apply only inside a repository.
    class: u8,
}

impl Rules {
    /// Matches a path against the rules. `is_dir` is true if the path is a directory. The result
    /// says whether the rules ignore the path, whitelist it, or don't mention it.
    pub(super) fn match_path(&self, path: &Path, is_dir: bool) -> Match<()> {
        if self.files.is_empty() {
            return Match::None;
        }
        let absolute = std::path::absolute(path);
        let path = absolute.as_deref().unwrap_or(path);
        for class in 0..=if self.repository { 4 } else { GIT - 1 } {
            for file in self.files.iter().rev().filter(|file| file.class == class) {
                match file.rules.matched(path, is_dir) {
                    Match::None => {}
                    Match::Ignore(_) => return Match::Ignore(()),
                    Match::Whitelist(_) => return Match::Whitelist(()),
                }
            }
        }
        Match::None
    }
}

/// A reader of the ignore files in directories, which caches the user's global file. Enter
/// directories from the outermost to the innermost.
#[derive(Default)]
pub(super) struct RuleReader {
    /// The user's global rules. They are read when the first repository is entered.
    global: Option<Arc<Gitignore>>,
    /// The ignore files that can't be read, with the error messages.
    pub(super) refused: Vec<(PathBuf, String)>,
}

impl RuleReader {
    /// Returns the rules from the ignore files above `root`, a path that the user named. These
    /// rules apply in `root`, too.
    pub(super) fn rules_of_ancestors(&mut self, root: &Path) -> Rules {
        let mut rules = Rules::default();
        let Ok(absolute) = platform::full_path(root) else { return rules };
        let mut above: Vec<&Path> = absolute.ancestors().skip(1).collect();
        above.reverse();
        for directory in above {
            self.add_directory_rules(&mut rules, directory, |name| directory.join(name).exists());
        }
        rules
    }

    /// Adds the rules that apply inside a git repository: those of its `.git/info/exclude` and of
    /// the user's global ignore file. `directory` is the root of the repository.
    fn add_repository_rules(&mut self, rules: &mut Rules, directory: &Path) {
        if !rules.repository {
            rules.repository = true;
            // Only once, because finding and reading the global rules takes longer than scanning a
            // hundred articles.
            if self.global.is_none() {
                self.global = Some(Arc::new(self.read_global_rules()));
            }
            let global = self.global.clone().unwrap_or_else(|| Arc::new(Gitignore::empty()));
            if !global.is_empty() {
                rules.files.push(RuleFile { rules: global, class: 4 });
            }
        }
        self.add_rule_file(rules, directory, ".git/info/exclude", 3);
    }

    /// Reads the user's global git ignore file. Returns empty rules if there is none.
    fn read_global_rules(&mut self) -> Gitignore {
        let home = std::env::home_dir().unwrap_or_default();
        let config = std::env::var_os("XDG_CONFIG_HOME")
            .map_or_else(|| home.join(".config"), PathBuf::from)
            .join("git/config");
        // `gitconfig_excludes_path` reads the path of the ignore file from these files.
        for settings in [home.join(".gitconfig"), config] {
            if fs::metadata(&settings).is_ok_and(|meta| !meta.is_file()) {
                self.record_unreadable(
                    settings,
                    &error_with_message("not a regular file".to_owned()),
                );
                return Gitignore::empty();
            }
        }
        let Some(path) = gitconfig_excludes_path() else { return Gitignore::empty() };
        self.read_ignore_file(Path::new(""), &path).unwrap_or_else(Gitignore::empty)
    }

    /// Adds the rules from the ignore files in `directory`. `has_file` must return true for the
    /// names of files that exist in the directory.
    pub(super) fn add_directory_rules(
        &mut self,
        rules: &mut Rules,
        directory: &Path,
        has_file: impl Fn(&str) -> bool,
    ) {
        if has_file(".git") {
            self.add_repository_rules(rules, directory);
        }
        for (class, name) in (0..).zip([".rgignore", ".ignore", ".gitignore"]) {
            if has_file(name) {
                self.add_rule_file(rules, directory, name, class);
            }
        }
    }

    /// Adds the rules from the ignore file `name` in `directory`. They take `precedence`. Adds
    /// nothing if the file can't be read.
    fn add_rule_file(&mut self, rules: &mut Rules, directory: &Path, name: &str, precedence: u8) {
        if let Some(read) = self.read_ignore_file(directory, &directory.join(name)) {
            rules.files.push(RuleFile { rules: Arc::new(read), class: precedence });
        }
    }

    /// Reads the ignore file at `path`. Its patterns are relative to `base_directory`. Returns
    /// `None` if the file doesn't exist or can't be read.
    fn read_ignore_file(&mut self, base_directory: &Path, path: &Path) -> Option<Gitignore> {
        let text = match read_config_file(path) {
            Ok(text) => text,
            Err(error) => {
                let is_there =
                    !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
                if is_there {
                    self.record_unreadable(path.to_owned(), &error);
                }
                return None;
            }
        };
        let text = String::from_utf8_lossy(&text);
        let mut builder = GitignoreBuilder::new(base_directory);
        for line in text.trim_start_matches('\u{feff}').lines() {
            // An invalid line is skipped, and the others are used.
            let _ = builder.add_line(None, line);
        }
        builder.build().ok()
    }

    /// Records that the ignore file at `path` can't be read. The walk reports the error later.
    fn record_unreadable(&mut self, path: PathBuf, error: &io::Error) {
        self.refused.push((path, explain(error)));
    }
}

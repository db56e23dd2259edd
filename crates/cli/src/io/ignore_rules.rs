//! The rules by which files are left out: `.gitignore`, `.git/info/exclude` and the user's own inside a repository,
//! `.ignore` and `.rgignore` anywhere.

use super::explain::{explain, refusal};
use super::open::read_found;
use crate::platform;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The ignore files that hold in a directory: its own and those of the directories above.
#[derive(Clone, Default)]
pub(super) struct Rules {
    /// Innermost last.
    files: Vec<RuleFile>,
    /// Whether a repository holds the directory.
    repository: bool,
}

/// The class of `.gitignore`.
const GIT: u8 = 2;

#[derive(Clone)]
struct RuleFile {
    rules: Arc<Gitignore>,
    /// Later classes yield to earlier ones whatever the depth: `.rgignore`, `.ignore`,
    /// `.gitignore`, `.git/info/exclude`, the user's own. From [`GIT`] on they are heeded only inside a repository.
    class: u8,
}

impl Rules {
    /// What they say of a path, if anything.
    pub(super) fn matched(&self, path: &Path, is_dir: bool) -> Match<()> {
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

/// Reads the rules of directories, going down.
#[derive(Default)]
pub(super) struct RuleReader {
    /// The user's own rules, read in the first repository.
    global: Option<Arc<Gitignore>>,
    /// Files of rules that cannot be read, and why, to be told.
    pub(super) refused: Vec<(PathBuf, String)>,
}

impl RuleReader {
    /// The rules of the directories above a root, which hold below it too.
    pub(super) fn above(&mut self, root: &Path) -> Rules {
        let mut rules = Rules::default();
        let Ok(absolute) = platform::full_path(root) else { return rules };
        let mut above: Vec<&Path> = absolute.ancestors().skip(1).collect();
        above.reverse();
        for directory in above {
            self.enter(&mut rules, directory, |name| directory.join(name).exists());
        }
        rules
    }

    /// A repository starts at `directory`.
    fn enter_repository(&mut self, rules: &mut Rules, directory: &Path) {
        if !rules.repository {
            rules.repository = true;
            // To find and read the user's rules costs more than to scan a hundred articles.
            if self.global.is_none() {
                self.global = Some(Arc::new(self.global_rules()));
            }
            let global = self.global.clone().unwrap_or_else(|| Arc::new(Gitignore::empty()));
            if !global.is_empty() {
                rules.files.push(RuleFile { rules: global, class: 4 });
            }
        }
        self.add(rules, directory, ".git/info/exclude", 3);
    }

    /// The user's own rules for all repositories.
    fn global_rules(&mut self) -> Gitignore {
        let home = std::env::home_dir().unwrap_or_default();
        let config = std::env::var_os("XDG_CONFIG_HOME")
            .map_or_else(|| home.join(".config"), PathBuf::from)
            .join("git/config");
        // They say where the rules are, and are read by the library.
        for settings in [home.join(".gitconfig"), config] {
            if fs::metadata(&settings).is_ok_and(|meta| !meta.is_file()) {
                self.refuse(settings, &refusal("it is no regular file".to_owned()));
                return Gitignore::empty();
            }
        }
        let Some(path) = gitconfig_excludes_path() else { return Gitignore::empty() };
        self.read_rules(Path::new(""), &path).unwrap_or_else(Gitignore::empty)
    }

    /// Adds the rules of a directory, by what it `has`.
    pub(super) fn enter(
        &mut self,
        rules: &mut Rules,
        directory: &Path,
        has: impl Fn(&str) -> bool,
    ) {
        if has(".git") {
            self.enter_repository(rules, directory);
        }
        for (class, name) in (0..).zip([".rgignore", ".ignore", ".gitignore"]) {
            if has(name) {
                self.add(rules, directory, name, class);
            }
        }
    }

    fn add(&mut self, rules: &mut Rules, directory: &Path, name: &str, class: u8) {
        if let Some(read) = self.read_rules(directory, &directory.join(name)) {
            rules.files.push(RuleFile { rules: Arc::new(read), class });
        }
    }

    /// The rules of a file, if there is one that can be read.
    fn read_rules(&mut self, directory: &Path, path: &Path) -> Option<Gitignore> {
        let text = match read_found(path) {
            Ok(text) => text,
            Err(error) => {
                let is_there =
                    !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
                if is_there {
                    self.refuse(path.to_owned(), &error);
                }
                return None;
            }
        };
        let text = String::from_utf8_lossy(&text);
        let mut builder = GitignoreBuilder::new(directory);
        for line in text.trim_start_matches('\u{feff}').lines() {
            // A line that cannot be read is no reason to heed none of the others.
            let _ = builder.add_line(None, line);
        }
        builder.build().ok()
    }

    fn refuse(&mut self, path: PathBuf, error: &io::Error) {
        self.refused.push((path, explain(error)));
    }
}

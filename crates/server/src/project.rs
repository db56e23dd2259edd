//! What the `urlsift.toml` above a document says.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use urlsift_lint::{Config, Linter, Settings};

/// What holds for a document.
pub(crate) struct Project {
    pub(crate) linter: Linter,
    pub(crate) settings: Settings,
}

/// What holds for the documents of each directory, until it is forgotten.
pub(crate) struct Projects {
    default: Rc<Project>,
    by_directory: HashMap<PathBuf, Rc<Project>>,
    /// Those in which overrides hold.
    overridden: HashMap<(PathBuf, Vec<usize>), Rc<Project>>,
    /// What is wrong with files that were read, to be said.
    pub(crate) faults: Vec<String>,
}

impl Projects {
    pub(crate) fn new() -> Self {
        let default =
            Project { linter: Linter::new(Config::default()), settings: Settings::default() };
        Self {
            default: Rc::new(default),
            by_directory: HashMap::new(),
            overridden: HashMap::new(),
            faults: Vec::new(),
        }
    }

    /// Reads all files again when they are needed.
    pub(crate) fn forget(&mut self) {
        self.by_directory.clear();
        self.overridden.clear();
    }

    /// What holds for a document: the nearest `urlsift.toml` at or above it. One that cannot be read, or has a fault,
    /// is as if it said nothing.
    pub(crate) fn of(&mut self, path: Option<&Path>) -> Rc<Project> {
        let Some((path, directory)) = path.and_then(|path| Some((path, path.parent()?))) else {
            return Rc::clone(&self.default);
        };
        let project = self.below(directory);
        let overriding = project.settings.overriding(path);
        if overriding.is_empty() {
            return project;
        }
        let known = self.overridden.entry((directory.to_owned(), overriding));
        let project = known.or_insert_with_key(|(_, overriding)| {
            let settings = project.settings.clone();
            Rc::new(Project { linter: Linter::new(settings.overridden(overriding)), settings })
        });
        Rc::clone(project)
    }

    fn below(&mut self, directory: &Path) -> Rc<Project> {
        if let Some(project) = self.by_directory.get(directory) {
            return Rc::clone(project);
        }
        let file = directory.join(Settings::NAME);
        let settings = match (read(&file), directory.parent()) {
            (Ok(text), _) => Settings::parse(&text, directory)
                .map_err(|fault| format!("{}:{fault}", file.display())),
            (Err(error), above) if error.kind() == io::ErrorKind::NotFound => {
                let found = match above {
                    Some(above) => self.below(above),
                    None => Rc::clone(&self.default),
                };
                self.by_directory.insert(directory.to_owned(), Rc::clone(&found));
                return found;
            }
            (Err(error), _) => Err(format!("{}: {error}", file.display())),
        };
        let found = match settings {
            Ok(settings) => {
                Rc::new(Project { linter: Linter::new(settings.config.clone()), settings })
            }
            Err(fault) => {
                self.faults.push(fault);
                Rc::clone(&self.default)
            }
        };
        self.by_directory.insert(directory.to_owned(), Rc::clone(&found));
        found
    }
}

fn read(path: &Path) -> io::Result<String> {
    // A pipe of that name would be waited for.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut text = String::new();
    File::open(path)?.take(Settings::MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > Settings::MOST_BYTES {
        let most = Settings::MOST_BYTES >> 20;
        return Err(io::Error::other(format!("it is longer than {most} MiB")));
    }
    Ok(text)
}

/// The path that a `file` URI names; `None` for any other.
pub(crate) fn path_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = &path.as_bytes()[path.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut at = 0;
    while let Some(&byte) = path.get(at) {
        let hex = path.get(at + 1..at + 3).and_then(|hex| str::from_utf8(hex).ok());
        let decoded = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let Some(decoded) = decoded.filter(|_| byte == b'%') {
            bytes.push(decoded);
            at += 3;
        } else {
            bytes.push(byte);
            at += 1;
        }
    }
    #[cfg(unix)]
    let path: OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    #[cfg(not(unix))]
    let path = {
        // The path of a drive has a slash before it: `/C:/a`.
        let has_drive = matches!(&bytes[1..], [letter, b':', ..] if letter.is_ascii_alphabetic());
        OsString::from(String::from_utf8(bytes.split_off(usize::from(has_drive))).ok()?)
    };
    Some(path.into())
}

#[cfg(test)]
mod tests {
    use super::path_of;
    use std::path::Path;

    #[test]
    fn uris_become_paths() {
        assert_eq!(
            path_of("file:///a%20b/%C3%A9%zz").as_deref(),
            Some(Path::new("/a b/\u{e9}%zz"))
        );
        assert_eq!(path_of("file://host/a").as_deref(), Some(Path::new("/a")));
        let drive = if cfg!(windows) { "C:/a" } else { "/C:/a" };
        assert_eq!(path_of("file:///C%3A/a").as_deref(), Some(Path::new(drive)));
        assert_eq!(path_of("untitled:Untitled-1"), None);
        assert_eq!(path_of("file://"), None);
    }
}

//! Finds the settings of documents: the nearest `urlsift.toml` in the directory of a document or
//! above.

use crate::host::Host;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use urlsift_core::{decode_escapes, percent_encode};
use urlsift_lint::{Judge, Linter, NearestSettings, Settings};

/// The linter and settings for a document.
pub(crate) struct Project {
    pub(crate) linter: Arc<Linter>,
    pub(crate) judge: Arc<Judge>,
}

/// The settings of all documents, cached by directory.
pub(crate) struct Projects {
    host: Host,
    /// True if a tree was read.
    has_trees: bool,
    default: Arc<Judge>,
    nearest: NearestSettings<Arc<Judge>>,
    /// Errors in settings files that aren't reported to the user yet.
    pub(crate) faults: Vec<String>,
}

impl Projects {
    /// Creates an empty cache. `host` reads the directory trees that relative
    /// links are checked against.
    pub(crate) fn new(host: Host) -> Self {
        Self {
            host,
            has_trees: false,
            // Editors start the server in the directory of the workspace.
            default: Arc::new(Judge::new(Settings::default(), None)),
            nearest: NearestSettings::default(),
            faults: Vec::new(),
        }
    }

    /// True if relative links of a document are checked against a tree of files.
    pub(crate) fn has_trees(&self) -> bool {
        self.has_trees
    }

    /// Clears the cache, so that all settings files are read again when they are needed.
    pub(crate) fn clear_cache(&mut self) {
        self.nearest.clear_cache();
    }

    /// Returns the linter and the settings for the document at `path`. An unreadable or invalid
    /// settings file counts as empty, and its error is added to `faults`.
    pub(crate) fn for_path(&mut self, path: Option<&Path>) -> Project {
        let mut judge_by = |file: &Path| {
            let settings = match read_settings(file) {
                Ok(text) => {
                    let directory = file.parent().unwrap_or(file);
                    let mut read =
                        |file: &Path| read_settings(file).map_err(|error| error.to_string());
                    Settings::parse_extending(&text, directory, &mut read)
                }
                .map_err(|fault| format!("{}:{fault}", file.display())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
                Err(error) => Err(format!("{}: {error}", file.display())),
            };
            Some(match settings {
                Ok(settings) => {
                    let slug = settings.local;
                    self.has_trees |= slug.is_some();
                    let judge = Judge::new(settings, Some(file.to_owned()));
                    let trees = slug.zip(file.parent()).into_iter();
                    let trees = trees.map(|(slug, root)| (self.host.read_tree)(root, slug));
                    Arc::new(judge.with_trees(trees.collect()))
                }
                Err(fault) => {
                    self.faults.push(fault);
                    Arc::clone(&self.default)
                }
            })
        };
        let judge = match path.and_then(Path::parent) {
            Some(directory) => self.nearest.nearest(directory, &self.default, &mut judge_by),
            None => Arc::clone(&self.default),
        };
        Project { linter: judge.linter_for(path.unwrap_or(Path::new(""))), judge }
    }
}

/// Reads a settings file. Fails if it is not a regular file or is too large.
fn read_settings(path: &Path) -> io::Result<String> {
    // Reading a named pipe would block.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut text = String::new();
    File::open(path)?.take(Settings::MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > Settings::MOST_BYTES {
        let most = Settings::MOST_BYTES >> 20;
        return Err(io::Error::other(format!("the file is larger than {most} MiB")));
    }
    Ok(text)
}

/// Returns the `file` URI of an absolute path. Returns `None` if the path is not UTF-8.
pub(crate) fn file_uri_of_path(path: &Path) -> Option<String> {
    let path = path.to_str()?.replace('\\', if cfg!(windows) { "/" } else { "\\" });
    let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let encoded = percent_encode(path.as_bytes(), is_kept);
    let slash = if path.starts_with('/') { "" } else { "/" };
    Some(format!("file://{slash}{}", String::from_utf8_lossy(&encoded)))
}

/// Returns the path of a `file` URI; `None` for other URIs.
pub(crate) fn path_of_file_uri(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let bytes = decode_escapes(&path.as_bytes()[path.find('/')?..]).into_owned();
    #[cfg(unix)]
    let path: OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    #[cfg(not(unix))]
    let path = {
        let mut bytes = bytes;
        // A path with a drive letter has a slash before it: `/C:/a`.
        let has_drive = matches!(&bytes[1..], [letter, b':', ..] if letter.is_ascii_alphabetic());
        OsString::from(String::from_utf8(bytes.split_off(usize::from(has_drive))).ok()?)
    };
    Some(path.into())
}

#[cfg(test)]
mod tests {
    use super::{Projects, file_uri_of_path, path_of_file_uri};
    use crate::host::Host;
    use std::path::Path;
    use urlsift_archive::Reading;
    use urlsift_core::Level;

    #[test]
    fn uris_become_paths() {
        assert_eq!(
            path_of_file_uri("file:///a%20b/%C3%A9%zz").as_deref(),
            Some(Path::new("/a b/\u{e9}%zz"))
        );
        assert_eq!(path_of_file_uri("file://host/a").as_deref(), Some(Path::new("/a")));
        let drive = if cfg!(windows) { "C:/a" } else { "/C:/a" };
        assert_eq!(path_of_file_uri("file:///C%3A/a").as_deref(), Some(Path::new(drive)));
        assert_eq!(file_uri_of_path(Path::new("/a b/c#")).unwrap(), "file:///a%20b/c%23");
        assert_eq!(path_of_file_uri("untitled:Untitled-1"), None);
        assert_eq!(path_of_file_uri("file://"), None);
    }

    #[test]
    fn test_data_in_the_working_directory_has_remarks_without_settings() {
        for (root, level) in [
            (std::env::current_dir().unwrap(), Level::Info),
            (std::env::temp_dir().join("urlsift-elsewhere"), Level::Error),
        ] {
            let path = root.join("fixtures").join("a.txt");
            let judge = Projects::new(Host::NONE).for_path(Some(&path)).judge;
            let mut levels = Vec::new();
            judge.lint_parts(&path, b"At http:/www.host.dom/ now.", Reading::Auto, &mut |part| {
                levels.extend(part.diagnostics.iter().map(|found| found.level));
            });
            assert_eq!(levels, [level], "{}", path.display());
        }
    }
}

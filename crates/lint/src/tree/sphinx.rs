//! Reads the settings of Sphinx, which list the files that Sphinx copies to the site.

use super::paths::{directories_above, directory_and_name, joined};
use std::collections::HashSet;

/// The name of the settings of Sphinx.
pub(super) const SETTINGS: &str = "conf.py";

/// The options of Sphinx that list files and directories to copy.
const OPTIONS: [&str; 2] = ["html_extra_path", "html_static_path"];

/// The files and directories that Sphinx copies to the root of a site, or to `_static`. Links in
/// them are relative to their place on the site.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    paths: HashSet<Box<str>>,
}

impl Copies {
    /// Adds the paths that the options in [`OPTIONS`] list. `settings` is the content of the
    /// `conf.py` at `path`.
    pub(super) fn add_settings(&mut self, path: &str, settings: &[u8]) {
        let Ok(settings) = std::str::from_utf8(settings) else { return };
        let base = directory_and_name(path).0;
        for option in OPTIONS {
            let values = settings.match_indices(option).filter_map(|(at, _)| {
                let is_at_start = at == 0 || settings[..at].ends_with('\n');
                let value = settings[at + option.len()..].trim_start();
                let value = value.strip_prefix('=').filter(|_| is_at_start)?.trim_start();
                Some(value.strip_prefix('[')?.split_once(']')?.0)
            });
            for value in values {
                let paths = value.split(['"', '\'']).skip(1).step_by(2);
                let paths = paths.filter_map(|path| joined(base, path));
                let paths = paths.filter(|path| !path.is_empty());
                self.paths.extend(paths.map(|path| path.trim_end_matches('/').into()));
            }
        }
    }

    /// True if Sphinx copies the file at `path`.
    pub(super) fn contain(&self, path: &str) -> bool {
        !self.paths.is_empty()
            && std::iter::once(path)
                .chain(directories_above(path))
                .any(|it| self.paths.contains(it))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_all;

    #[test]
    fn links_in_copied_pages_are_not_reported() {
        let settings = "# html_extra_path = ['none']\nhtml_extra_path = ['a.html',\n  \"old\"]\n";
        check_all(
            &[
                ("docs/conf.py", settings),
                ("docs/index.rst", ""),
                ("docs/a.html", "<p>"),
                ("docs/old/b.html", "<p>"),
                ("docs/none/c.html", "<p>"),
                ("d.html", "<p>"),
            ],
            &[
                ("docs/a.html", "none.html", false),
                ("docs/old/b.html", "../none.html", false),
                ("docs/none/c.html", "none.html", true),
                ("docs/none/c.html", "../_static/e.js", false),
                ("d.html", "none.html", true),
            ],
        );
    }
}

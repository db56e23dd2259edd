//! Reads the settings of Hugo, which name the directories of a site: those with its pages, and those
//! with files that it copies to the pages.

use super::mkdocs::unquoted;
use super::paths::{directory_and_name, is_below, joined};

/// The names of Hugo's settings files. Its pages are only known with `Slug::Hugo`.
pub(super) const HUGO: [&str; 3] = ["hugo.toml", "hugo.yaml", "hugo.yml"];

/// The names of settings of Hugo and Zola that other programs use, too. The documents are in the
/// directory `content` next to them.
pub(super) const CONTENT_SETTINGS: [&str; 4] =
    ["config.json", "config.toml", "config.yaml", "config.yml"];

/// The sites that Hugo makes.
#[derive(Clone, Debug, Default)]
pub(super) struct Hugo {
    sites: Vec<Site>,
}

#[derive(Clone, Debug, Default)]
struct Site {
    /// The directories that contain the documents of pages.
    contents: Vec<Box<str>>,
    /// The directories of files that Hugo copies to the pages: `assets`, `static`, and directories
    /// that are mounted as one of them.
    files: Vec<Box<str>>,
}

/// True if the file called `name` may contain the settings of Hugo.
pub(super) fn is_settings(name: &str) -> bool {
    HUGO.contains(&name) || CONTENT_SETTINGS.contains(&name)
}

impl Hugo {
    /// Records the site whose settings are `settings`, the content of the file at `path`. Files such
    /// as `config.toml` are only read if they contain the address of a site.
    pub(super) fn add_settings(&mut self, path: &str, settings: &[u8]) {
        let (directory, name) = directory_and_name(path);
        let settings = std::str::from_utf8(settings).unwrap_or_default();
        let is_address = |line: &str| line.to_ascii_lowercase().starts_with("baseurl");
        if !HUGO.contains(&name) && !settings.lines().any(is_address) {
            return;
        }
        let root = directory.strip_suffix("config/_default").unwrap_or(directory);
        let mut site = Site::default();
        let mut add = |source: &str, target: &str| {
            let directories = match target.split('/').next() {
                Some("content") => &mut site.contents,
                Some("assets" | "static") => &mut site.files,
                _ => return,
            };
            let source = joined(root, source).filter(|it| !it.is_empty());
            directories.extend(source.map(|it| it.trim_end_matches('/').into()));
        };
        for target in ["content", "assets", "static"] {
            add(target, target);
        }
        let (mut source, mut target) = (None, None);
        for line in settings.lines().map(str::trim) {
            if line.starts_with(['-', '[']) {
                (source, target) = (None, None);
            }
            let line = line.trim_start_matches(['-', ' ']);
            match line.split_once([':', '=']).map(|(key, value)| (key.trim_end(), unquoted(value)))
            {
                Some(("source", value)) => source = Some(value),
                Some(("target", value)) => target = Some(value),
                _ => continue,
            }
            if let (Some(source), Some(target)) = (source, target) {
                add(source, target);
            }
        }
        self.sites.push(site);
    }

    /// True if Hugo makes a page of the document at `path`.
    pub(super) fn has_page(&self, path: &str) -> bool {
        self.sites_of(path).next().is_some()
    }

    /// Returns the directories with the files that Hugo copies to the page of the document at `path`.
    pub(super) fn directories_of(&self, path: &str) -> impl Iterator<Item = &str> {
        self.sites_of(path).flat_map(|site| &site.files).map(|it| &**it)
    }

    /// Returns the sites that contain the document at `path` as a page.
    fn sites_of(&self, path: &str) -> impl Iterator<Item = &Site> {
        self.sites.iter().filter(move |site| site.contents.iter().any(|it| is_below(path, it)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_all;

    const SETTINGS: &str = "\
baseURL: https://www.mill.com/
module:
  mounts:
    - source: '../../docs/site'
      target: content
    - source: layouts
      target: layouts
    - target: assets
      source: themes/pictures # of the mill
";

    const FILES: [(&str, &str); 7] = [
        ("docs/site/_index.md", ""),
        ("docs/site/a/README.md", ""),
        ("docs/site/a/b.md", ""),
        ("docs/c.md", ""),
        ("docs/LICENSE.md", ""),
        ("make/hugo/themes/pictures/wheel.png", ""),
        ("make/hugo/layouts/dam.png", ""),
    ];

    #[test]
    fn addresses_of_hugo_are_in_lower_case() {
        let links = |is_reported| {
            [
                ("docs/site/_index.md", "./a/readme/", is_reported),
                ("docs/site/a/b.md", "../readme/", is_reported),
                ("docs/site/_index.md", "a/Readme/", true),
                ("docs/site/_index.md", "a/readme.md", true),
                ("docs/site/_index.md", "a/none/", true),
                // `docs/c.md` is outside the site's content, so Hugo generates no page from it.
                ("docs/c.md", "license/", true),
            ]
        };
        check_all(&FILES, &links(true));
        for name in ["hugo.yaml", "config.yaml"] {
            let name = format!("make/hugo/{name}");
            check_all(&[&FILES[..], &[(&name, SETTINGS)]].concat(), &links(false));
        }
        // These are the settings of another program.
        let settings = SETTINGS.replace("baseURL", "name");
        check_all(&[&FILES[..], &[("make/hugo/config.yaml", &settings)]].concat(), &links(true));
    }

    #[test]
    fn files_in_directories_that_hugo_mounts_are_found() {
        let toml = "baseurl = 'https://www.mill.com/'\n[[module.mounts]]\n\
            source = \"../../docs/site\"\ntarget = \"content\"\n[[module.mounts]]\n\
            source = \"themes/pictures\"\ntarget = \"static/img\"\n";
        for (name, settings) in [("hugo.yaml", SETTINGS), ("config/_default/config.toml", toml)] {
            let name = format!("make/hugo/{name}");
            check_all(
                &[&FILES[..], &[(&name, settings)]].concat(),
                &[
                    ("docs/site/a/b.md", "wheel.png", false),
                    ("docs/site/a/b.md", "dam.png", true),
                    ("docs/site/a/b.md", "none.png", true),
                    ("docs/c.md", "wheel.png", true),
                ],
            );
        }
    }
}

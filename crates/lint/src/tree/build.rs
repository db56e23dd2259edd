//! Collects the file names that occur in the build scripts of a tree. A build may make these files,
//! or copy them to where a link leads.

use super::paths::{directory_and_name, has_extension, last_two_components};
use std::collections::HashSet;

/// The names of build scripts.
const SCRIPTS: [&str; 25] = [
    "build.xml",
    "CMakeLists.txt",
    "configure.ac",
    "configure.in",
    "dune",
    "GNUmakefile",
    "Gruntfile.js",
    "gulpfile.js",
    "justfile",
    "Justfile",
    "makefile",
    "Makefile",
    "Makefile.PL",
    "meson.build",
    "package.json",
    "Rakefile",
    "rollup.config.js",
    "SConscript",
    "SConstruct",
    // Lists the pages for hotdoc, of which the build makes some.
    "sitemap.txt",
    "vite.config.js",
    "vite.config.ts",
    "webpack.config.js",
    "webpack.config.ts",
    "wscript",
];

/// The file extensions of build scripts.
const SCRIPT_EXTENSIONS: [&str; 4] = ["am", "cmake", "mk", "sh"];

/// The maximum length in bytes of a name in a build script.
const MAX_NAME_LEN: usize = 128;

/// The maximum number of patterns that are kept. The others are ignored.
const MAX_PATTERNS: usize = 1000;

/// The minimum length in bytes of the fixed text in a pattern, not counting the extension. A
/// pattern with less text counts only if the tree contains a source of the file.
const MIN_FIXED_LEN: usize = 4;

/// The names of files in the build scripts of a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct BuildScripts {
    /// The names without directories.
    names: HashSet<Box<str>>,
    /// The names with placeholders, as the texts before and after the placeholder.
    patterns: HashSet<(Box<str>, Box<str>)>,
    /// The names without an extension after the name of their directory, e.g. `www/TODO`.
    in_directory: HashSet<Box<str>>,
    /// True if a script runs pandoc.
    run_pandoc: bool,
    /// The names of the Markdown documents in the scripts that run pandoc.
    input_of_pandoc: HashSet<Box<str>>,
}

/// True if the file called `name` is a build script.
pub(super) fn is_build_script(name: &str) -> bool {
    let template = name.strip_suffix(".in").unwrap_or(name);
    let extension = template.rsplit_once('.').map_or("", |(_, extension)| extension);
    [name, template].iter().any(|it| SCRIPTS.contains(it))
        || has_extension(&SCRIPT_EXTENSIONS, extension)
        // The settings of gi-docgen list the images that it copies next to the pages.
        || extension == "toml" && template.len() < name.len()
}

impl BuildScripts {
    /// Adds the names in a script.
    pub(super) fn add(&mut self, script: &[u8]) {
        let Ok(script) = std::str::from_utf8(script) else { return };
        let runs_pandoc = script.split(ends_word).any(|word| word == "pandoc");
        self.run_pandoc |= runs_pandoc;
        for word in script.split(ends_word) {
            // Most words are no paths.
            if !word.bytes().any(|b| matches!(b, b'.' | b'/')) {
                continue;
            }
            // `$(name)` and `%(name)s` are split at the brackets.
            let name = directory_and_name(word).1;
            if name.len() > MAX_NAME_LEN {
                continue;
            }
            if runs_pandoc && matches!(extension_of(name), Some("md" | "markdown")) {
                self.input_of_pandoc.insert(name.into());
            }
            if extension_of(name).is_some() {
                self.add_name(name);
            } else if let Some(it) = name_in_directory(word)
                && placeholder_bounds(name).is_none()
                && !self.in_directory.contains(it)
            {
                self.in_directory.insert(it.into());
            }
        }
    }

    fn add_name(&mut self, name: &str) {
        let Some((start, end)) = placeholder_bounds(name) else {
            // Most names occur several times.
            if !self.names.contains(name) {
                self.names.insert(name.into());
            }
            return;
        };
        if self.patterns.len() < MAX_PATTERNS {
            self.patterns.insert((name[..start].into(), name[end..].into()));
        }
    }

    /// True if a script runs pandoc.
    pub(super) const fn run_pandoc(&self) -> bool {
        self.run_pandoc
    }

    /// True if a script that runs pandoc names the Markdown document at `path`. Pandoc may make one
    /// page of all documents that the scripts name.
    pub(super) fn is_input_of_pandoc(&self, path: &str) -> bool {
        self.input_of_pandoc.contains(directory_and_name(path).1)
    }

    /// True if a script may run pandoc on the Markdown document at `path`. A README is only for
    /// readers of the repository, unless a script names it.
    pub(super) fn run_pandoc_on(&self, path: &str) -> bool {
        let name = directory_and_name(path).1;
        let is_readme = name.get(..6).is_some_and(|it| it.eq_ignore_ascii_case("readme"));
        self.run_pandoc && (!is_readme || self.names.contains(name))
    }

    /// True if a script names the file at `path`: its name or, if it has no extension, its name after
    /// that of its directory. `has_source` returns true if the tree contains a file from which it may
    /// be made.
    pub(super) fn contains(&self, path: &str, has_source: impl Fn() -> bool) -> bool {
        let name = directory_and_name(path).1;
        let Some(extension) = extension_of(name) else {
            return name_in_directory(path).is_some_and(|it| self.in_directory.contains(it));
        };
        if self.names.contains(name) {
            return true;
        }
        let fits = |(before, after): &&(Box<str>, Box<str>)| {
            name.len() >= before.len() + after.len()
                && name.starts_with(&**before)
                && name.ends_with(&**after)
        };
        let is_specific = |(before, after): &(Box<str>, Box<str>)| {
            before.len() + after.len() >= MIN_FIXED_LEN + 1 + extension.len()
        };
        let mut fitting = self.patterns.iter().filter(fits).peekable();
        fitting.peek().is_some() && (fitting.any(is_specific) || has_source())
    }
}

/// The ASCII characters that end a word of a script, apart from blanks.
const DELIMITERS: &[u8] = b"\"'`,;:()=<>|&\\";

/// True for each ASCII character that ends a word of a script.
const ENDS_WORD: [bool; 128] = {
    let mut table = [false; 128];
    let mut at = 0;
    while at < DELIMITERS.len() {
        table[DELIMITERS[at] as usize] = true;
        at += 1;
    }
    let mut control = 9;
    while control <= 13 {
        table[control] = true;
        control += 1;
    }
    table[b' ' as usize] = true;
    table
};

/// True if `c` ends a word of a script.
fn ends_word(c: char) -> bool {
    ENDS_WORD.get(c as usize).copied().unwrap_or_else(|| c.is_whitespace())
}

/// Returns the extension of a file name or pattern: one to five letters or digits after a dot.
fn extension_of(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_extension = (1..=5).contains(&extension.len())
        && extension.bytes().all(|b| b.is_ascii_alphanumeric())
        && extension.bytes().any(|b| b.is_ascii_alphabetic());
    (is_extension && !stem.is_empty()).then_some(extension)
}

/// Returns the last two components of `path`, e.g. `www/TODO`. Returns `None` if there is only one,
/// or if the directory doesn't end with a letter or digit: then it may be a placeholder or `..`.
fn name_in_directory(path: &str) -> Option<&str> {
    let (directory, name) = path.rsplit_once('/')?;
    let is_plain = directory.ends_with(|c: char| c.is_ascii_alphanumeric());
    (is_plain && !name.is_empty()).then(|| last_two_components(path))
}

/// Returns the range of the placeholders in a name, from the first one to the last one: `%s`,
/// `${name}`, `{name}`, `@name@`. Returns `None` if it has none. A name with `*` selects existing
/// files.
fn placeholder_bounds(name: &str) -> Option<(usize, usize)> {
    let start = name.find(['%', '$', '{', '@', '}'])?;
    let last = name.rfind(['%', '}', '@', '$'])?;
    let end = if name[last..].starts_with("%s") {
        last + 2
    } else if name[last..].starts_with('$') {
        let letters = name[last + 1..].bytes().take_while(u8::is_ascii_alphanumeric).count();
        last + 1 + letters
    } else {
        last + 1
    };
    Some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_patterns_of_scripts_are_found() {
        let mut scripts = BuildScripts::default();
        scripts.add(
            b"env.Command('www/hardware.html', src)\n'www/%s.html' % name\n\
              install: ${DIR}/AUTOGEN${space}_${file}.svg mill-@VERSION@.tar.gz\n",
        );
        for (name, has_source, expected) in [
            ("hardware.html", false, true),
            ("other.html", false, false),
            ("other.html", true, true),
            ("AUTOGEN_wheel.svg", false, true),
            ("wheel.svg", false, false),
            ("mill-1.2.tar.gz", false, true),
            ("hardware", false, false),
        ] {
            assert_eq!(scripts.contains(name, || has_source), expected, "{name}");
        }
    }

    #[test]
    fn build_scripts_are_recognized() {
        for name in [
            "Makefile",
            "Makefile.in",
            "a.mk",
            "CMakeLists.txt",
            "Makefile.am",
            "configure.in",
            "dune",
            "a.toml.in",
        ] {
            assert!(is_build_script(name), "{name}");
        }
        assert!(!is_build_script("make.md") && !is_build_script("Makefile.md"));
    }
}
